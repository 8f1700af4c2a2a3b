"""Own the dataset hi_tom: its configs, its features, its splits, and how a story becomes rows.

What a story is, means and sounds like is in `builders`. Works as a builder (`HiTom(config_name="4th_order")`), as a
loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import datasets

from builders import GENERATOR_VERSION, difficulty
from builders.belief import (
    SEMANTICS,
    SLOTS,
    answer_slot,
    beliefs,
    container_of,
    effective_order,
    lessons,
    order_sensitive,
    places,
    teacher,
)
from builders.story import Question, Tell, dumps, extent, spell
from builders.story_sampler import (
    CONTAINERS,
    DEEP_CONTAINERS,
    DEEP_THINGS,
    ROOMS,
    THINGS,
    Target,
    plan,
    plan_deep,
    plan_tomh,
    sample,
    sample_deep,
    sample_tomh,
)
from builders.streams import check_seed, stream
from builders.voice import voice

VERSION = datasets.Version(GENERATOR_VERSION)
SPLITS = ("train", "validation", "test", "probe")
FAMILIES = ("chapters", "tomh", "reproduction", "deep")
AGENTS = range(2, 13)
"""How many agents a story may have."""
CAST_SHARES = 16
"""Casts are dealt to (family, split) in turn, so that no two stories of one seed share one; all shares are taken."""


def order_name(order: int) -> str:
    """Return the config name of an order: 0th_order, 1st_order, 2nd_order, …"""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(order, "th")
    return f"{order}{suffix}_order"


@dataclass
class HiTomConfig(datasets.BuilderConfig):
    """Choose what hi_tom holds; every row is a function of these fields, the split and the index.

    seed: an integer. language: a folder under templates/. semantics: how claims reach beliefs about beliefs,
    "recursive" or "published" (DESIGN: the four printed assumptions carried to every order, or the released
    generator). n_agents: 2 to 12. lengths: the chapters that stories have, of 1 to 4. max_order: the highest order
    asked, at most n_agents (workshop paper, Theorem C.5). order: the one order to keep, None for all of them.
    train, validation, test, probe: stories in each split, None or 0 for no such split; `probe` is what the difficulty
    model is trained on. scorer: the probe that fills deberta_*: "embedded", the folder of another, or None for none.
    ToMH has cells of its own (order, agents, chapters) and takes only seed, language, sizes and scorer. Deep stories
    have 2 chapters or more, an order above 0, and only the recursive semantics; an order above 4, or near n_agents,
    costs time, and is deep where it can be: never above 7, as there are eight containers.
    """

    version: datasets.Version = VERSION
    seed: int = 0
    language: str = "en"
    semantics: str = "recursive"
    n_agents: int = 5
    lengths: tuple[int, ...] = (1, 2, 3)
    max_order: int = 4
    order: int | None = None
    train: int | None = 2400
    validation: int | None = 240
    test: int | None = 480
    probe: int | None = None
    scorer: str | None = difficulty.EMBEDDED

    @property
    def family(self) -> str:
        """Return which stories these are: chapters (Hi-ToM, balanced), reproduction (unbalanced), tomh or deep."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def depth(self) -> int:
        """Return the length of the chain that all questions of a story are taken from."""
        return max(self.max_order, self.order or 0)

    def sizes(self) -> dict[str, int]:
        """Return the stories of each split that there is."""
        sizes = {split: getattr(self, split) for split in SPLITS}
        return {split: size for split, size in sizes.items() if size not in (None, 0) or isinstance(size, bool)}

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for fields that cannot be."""

        def whole(value) -> bool:
            return isinstance(value, int) and not isinstance(value, bool)

        check_seed(self.seed)
        voice(self.language)
        if self.semantics not in SEMANTICS:
            raise ValueError(f"unknown semantics {self.semantics!r}; there are {', '.join(SEMANTICS)}")
        if not whole(self.n_agents) or self.n_agents not in AGENTS:
            raise ValueError(f"n_agents is {self.n_agents!r}; it must be from {AGENTS[0]} to {AGENTS[-1]}")
        if not self.lengths or any(length not in (1, 2, 3, 4) for length in self.lengths):
            raise ValueError(f"lengths is {self.lengths!r}; stories have 1, 2, 3 or 4 chapters")
        for name, order in (("max_order", self.max_order), ("order", 0 if self.order is None else self.order)):
            if not whole(order) or order < 0:
                raise ValueError(f"{name} is {order!r}; an order is 0 or above")
        if self.family == "deep":
            if self.semantics != "recursive":
                raise ValueError(
                    f"semantics is {self.semantics!r}; deep stories have watchers, which only 'recursive' has"
                )
            if self.depth == 0:
                raise ValueError(f"max_order is {self.max_order!r}; deep stories are asked about one agent or more")
            if 1 in self.lengths:
                raise ValueError(f"lengths is {self.lengths!r}; deep stories have 2, 3 or 4 chapters")
        if self.depth > self.n_agents:
            raise ValueError(
                f"order {self.depth} needs {self.depth} agents and there are {self.n_agents}: with fewer, the question "
                "asks what a lower order asks (Theorem C.5 of the workshop paper); raise n_agents or lower the order"
            )
        most = voice(self.language).casts() // CAST_SHARES
        for split, size in self.sizes().items():
            if not whole(size) or not 0 < size <= most:
                raise ValueError(f"{split} is {size!r} stories; it must be from 1 to {most:,}")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS)} are all None or 0; at least one must be a number of stories")
        if self.scorer is not None:
            difficulty.probe(self.scorer, "hi_tom")


ORDERS = tuple(HiTomConfig(name=order_name(order), order=order) for order in range(5))
ALL = HiTomConfig(name="all")
TOMH = HiTomConfig(name="tomh", train=None, validation=None, test=1800)
REPRODUCTION = HiTomConfig(name="reproduction", semantics="published", train=None, validation=None, test=120)
DEEP = HiTomConfig(name="deep", lengths=(2, 3))

FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "story_id": datasets.Value("string"),
        "story": datasets.Value("string"),
        "question": datasets.Value("string"),
        "choices": datasets.Sequence(datasets.Value("string")),
        "answer": datasets.Value("string"),
        "answer_index": datasets.Value("int32"),
        "order": datasets.Value("int32"),
        "chain": datasets.Sequence(datasets.Value("string")),
        "deception": datasets.Value("bool"),
        "story_length": datasets.Value("int32"),
        "n_agents": datasets.Value("int32"),
        "n_lines": datasets.Value("int32"),
        "n_claims": datasets.Value("int32"),
        "answer_published": datasets.Value("string"),
        "semantics_agree": datasets.Value("bool"),
        "effective_order": datasets.Value("int32"),
        "order_sensitive": datasets.Value("bool"),
        "answer_slot": datasets.ClassLabel(names=list(SLOTS)),
        "n_places": datasets.Value("int32"),
        "lines_since": datasets.Value("int32"),
        "events": datasets.Value("string"),
        "deberta_pred": datasets.Value("int64"),
        "deberta_confidence": datasets.Value("float64"),
        "difficulty": datasets.Value("float64"),
        "seed": datasets.Value("int64"),
        "generator_version": datasets.Value("string"),
    }
)


class HiTom(datasets.GeneratorBasedBuilder):
    """Build Hi-ToM: stories of who saw, moved and claimed what, and questions about beliefs about beliefs.

    Sources: Hi-ToM (He et al., Findings of EMNLP 2023) and its workshop version ToMH (ToM workshop at ICML 2023).

    Columns:
        id: the question, unique in the dataset: its story_id and its order.
        story_id: the story; the questions of one story share it.
        story: the text, one numbered line for each event.
        question: the question in English.
        choices: the containers to choose from: all those of the story's rooms; in ToMH those that the story names; in
            deep the eight of its room.
        answer: the container that is right under the config's semantics.
        answer_index: the place of the answer in choices, from 0 (the letter A).
        order: how many minds the question nests; 0 asks where the thing really is.
        chain: the agents asked about, outermost first; empty for order 0.
        deception: whether agents make claims, which need not be true.
        story_length: the number of chapters.
        n_agents: the agents of the story; in ToMH without the distractor agent.
        n_lines: the lines of the story.
        n_claims: the claims made in the story.
        answer_published: what the released generator's rules give (claims change beliefs of orders 1 and 2 only);
            empty in deep, which they have no rules for.
        semantics_agree: whether both semantics, recursive and published, give the same answer; empty in deep.
        effective_order: the length of the shortest subchain (agents left out) with the answer, by the same semantics.
        order_sensitive: whether some permutation of the chain has another answer.
        answer_slot: which of the thing's distinct places the answer is, or claimed if the thing was never there.
        n_places: in how many distinct containers the thing is seen to be.
        lines_since: how many lines follow the one that taught the chain its belief.
        events: the formal story as JSON: the thing asked about, and every event with its names.
        deberta_pred: which of the choices a small trained model, the probe that the card names, picks, from 0.
        deberta_confidence: the probability that the probe gives to its pick among the containers of the story.
        difficulty: 1 - deberta_confidence where the pick is right, 1 + deberta_confidence where it is wrong.
        seed: the seed of the build.
        generator_version: the version of the generator; the same version, config and seed give the same rows.
    """

    VERSION = VERSION
    BUILDER_CONFIG_CLASS = HiTomConfig
    BUILDER_CONFIGS = [ALL, *ORDERS, TOMH, REPRODUCTION, DEEP]
    DEFAULT_CONFIG_NAME = "all"

    def __init__(self, cache_dir: str | None = None, *args, **kwargs) -> None:
        if cache_dir in self.builder_configs:
            raise ValueError(
                f"{cache_dir!r} was given as the cache folder, a builder's first argument; "
                f"say HiTom(config_name={cache_dir!r}), or ./{cache_dir} if it really is a folder"
            )
        # datasets passes over a field that is None, so None is said as 0 there
        kwargs.update((split, 0) for split in SPLITS if split in kwargs and kwargs[split] is None)
        super().__init__(cache_dir, *args, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        self.config.validate()
        return datasets.DatasetInfo(description=self.__doc__, features=FEATURES, version=VERSION)

    def _split_generators(self, dl_manager) -> list[datasets.SplitGenerator]:
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, "spans": spans(size)})
            for split, size in self.config.sizes().items()
        ]

    def _generate_examples(self, split: str, spans: list[range]) -> Iterator[tuple[str, dict]]:
        planned = plan_of(self.config, split)
        for span in spans:
            for index in span:
                for row in story_rows(self.config, split, index, *planned[index]):
                    yield row["id"], row


def file_of(config: HiTomConfig, split: str, order: int) -> str:
    """Return the Parquet file, relative to the dataset's folder, that holds the rows of an order of a split."""
    return f"{order_name(order) if config.family == 'chapters' else config.family}/{split}.parquet"


def layout(configs: list[HiTomConfig]) -> dict[str, dict[str, list[str]]]:
    """Return which files each config of the folder reads for each split; no row is in two files.

    `configs` are those that the folder is built from, each with all its orders. The first one listed is the default.
    """
    files: dict[str, dict[str, list[str]]] = {}
    for config in configs:
        orders = range(config.depth + 1) if config.family == "chapters" else range(1)
        files[config.name] = {split: [file_of(config, split, order) for order in orders] for split in config.sizes()}
        if config.family == "chapters":
            for order in orders:
                files[order_name(order)] = {split: [file_of(config, split, order)] for split in config.sizes()}
    return files


def spans(size: int) -> list[range]:
    """Return the indices of a split in pieces for workers; the pieces do not depend on how many workers there are."""
    return [range(start, min(start + 120, size)) for start in range(0, size, 120)]


def plan_of(config: HiTomConfig, split: str) -> list[tuple]:
    """Settle, from the config and the seed alone, what each story of a split must be like.

    Returns for each story its target, which is a Target, a DeepTarget or a ToMH cell (order, agents, chapters), and its
    letters: for each order a number whose remainder is the place of the answer, or None where that is left to chance.
    """
    size = config.sizes()[split]
    of_plan = stream("hi_tom", config.family, config.seed, split, "plan")
    match config.family:
        case "tomh":
            targets = plan_tomh(of_plan, size)
            orders = range(1, 5)
        case "reproduction":
            cells = [Target(length, deception) for length in config.lengths for deception in (False, True)]
            return [(target, None) for target in of_plan.shuffled(cells[i % len(cells)] for i in range(size))]
        case "deep":
            targets = plan_deep(of_plan, size, config.lengths, config.depth)
            orders = range(config.depth + 1)
        case _:
            targets = plan(of_plan, size, config.lengths, config.depth)
            orders = range(config.depth + 1)
    letters = [of_plan.shuffled(range(size)) for _ in orders]
    return [
        (target, dict(zip(orders, numbers, strict=True)))
        for target, numbers in zip(targets, zip(*letters, strict=True), strict=True)
    ]


@lru_cache(maxsize=64)
def casting(seed: int, casts: int) -> tuple[int, int]:
    """Return the first cast and the stride from one cast to the next: a walk that meets every cast once."""
    drawn = stream("hi_tom", seed, "casts")
    stride = drawn.below(casts)
    while math.gcd(stride, casts) != 1:
        stride = drawn.below(casts)
    return drawn.below(casts), stride


def cast_of(config: HiTomConfig, split: str, index: int) -> int:
    """Return the cast of a story, which no other story of the same seed and language has, in any config or split."""
    casts = voice(config.language).casts()
    first, stride = casting(config.seed, casts)
    share = FAMILIES.index(config.family) * len(SPLITS) + SPLITS.index(split)
    return (first + stride * (CAST_SHARES * index + share)) % casts


def story_rows(config: HiTomConfig, split: str, index: int, target, letters: dict[int, int] | None) -> list[dict]:
    """Make the rows of one story, lowest order first: one for each order asked. See `plan_of` for what was settled."""
    of_problem = stream("hi_tom", config.family, config.seed, split, index, "problem")
    of_wording = stream("hi_tom", config.family, config.seed, split, index, "wording")
    if config.family == "tomh":
        order, n_agents, n_chapters = target
        story, chain = sample_tomh(of_problem, order, n_agents, n_chapters)
        orders = [order]
        deception = False
        rooms, things, containers = extent(story)
    else:
        n_agents, n_chapters = config.n_agents, target.n_chapters
        orders = range(config.depth + 1) if config.order is None else [config.order]
        if config.family == "deep":
            deception = True
            story, chain = sample_deep(of_problem, target, n_agents, config.depth)
            rooms, things, containers = 2, DEEP_THINGS, DEEP_CONTAINERS
        else:
            deception = target.deception
            story, chain = sample(of_problem, target, n_agents, config.depth, config.semantics)
            rooms, things, containers = ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS
    say = voice(config.language)
    names = say.names(of_wording, cast_of(config, split, index), story.n_agents, rooms, things, containers)
    spelled = [spell(event, names) for event in story.events]
    prefix = "" if config.family == "chapters" else f"{config.family}-"
    story_id = f"{prefix}{split}-{index:06d}"
    shared = {
        "story_id": story_id,
        "story": say.story(spelled),
        "deception": deception,
        "story_length": n_chapters,
        "n_agents": n_agents,
        "n_lines": len(story.events),
        "n_claims": sum(isinstance(event, Tell) for event in story.events),
        "events": dumps(spelled, names.things[0]),
        "seed": config.seed,
        "generator_version": GENERATOR_VERSION,
    }
    taught = lessons(story, 0)
    held = dict.fromkeys(SEMANTICS, beliefs(taught, chain, config.semantics))
    published = config.family != "deep"
    if published and any(lesson.speaker >= 0 for lesson in taught):
        held.update((other, beliefs(taught, chain, other)) for other in SEMANTICS if other != config.semantics)
    shelf = of_wording.shuffled(names.containers)
    rows = []
    for order in orders:
        minds = chain[len(chain) - order :]
        subchain = (1 << len(chain)) - (1 << len(chain) - order)
        found = {semantics: container_of(held[semantics], subchain) for semantics in SEMANTICS}
        container = found[config.semantics]
        answer = names.containers[container]
        turn = 0
        if letters is not None:
            turn = shelf.index(answer) - letters[order] % len(shelf)
        question = say.say(*spell(Question(minds, 0, config.family == "tomh"), names))
        choices = shelf[turn:] + shelf[:turn]
        asked = shared["story"], question, names, choices, answer
        rows.append(
            {
                **shared,
                "id": f"{story_id}-{order}",
                "question": question,
                "choices": choices,
                "answer": answer,
                "answer_index": (shelf.index(answer) - turn) % len(shelf),
                "order": order,
                "chain": [names.agents[agent] for agent in minds],
                "answer_published": names.containers[found["published"]] if published else None,
                "semantics_agree": found["recursive"] == found["published"] if published else None,
                "effective_order": effective_order(held[config.semantics], len(chain), subchain),
                "order_sensitive": order_sensitive(taught, minds, config.semantics),
                "answer_slot": answer_slot(taught, container),
                "n_places": len(places(taught)),
                "lines_since": len(story.events) - 1 - teacher(taught, minds, config.semantics).line,
                **difficulty.scored(config.scorer, "hi_tom", difficulty.of_question, *asked),
            }
        )
    return rows


METADATA = {
    "pretty_name": "Hi-ToM, regenerated",
    "license": "apache-2.0",
    "annotations_creators": ["machine-generated"],
    "language_creators": ["machine-generated"],
    "multilinguality": ["monolingual"],
    "source_datasets": ["original"],
    "task_categories": ["multiple-choice", "question-answering"],
    "task_ids": ["multiple-choice-qa"],
    "tags": ["theory-of-mind", "reasoning", "synthetic", "false-belief", "deception"],
}
"""What the card's YAML says besides what a build computes."""
