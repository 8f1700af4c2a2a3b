"""Own the dataset mindgames: its configs, its features, its splits, and how a block of problems becomes rows.

What a problem is, means and sounds like is in `builders`. Works as a builder (`MindGames(config_name="forehead")`), as
a loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import datasets

from builders import GENERATOR_VERSION, difficulty, smcdel
from builders.formula import SETUPS, Formula, Structure
from builders.problem_sampler import (
    N_AGENTS,
    ORDERS,
    SOMEONE,
    Block,
    Claim,
    Premise,
    after,
    formula,
    needed,
    plan,
    plan_reproduction,
    problem,
    shortest_proof,
)
from builders.s5 import Checker
from builders.streams import check_seed, stream
from builders.voice import voice

VERSION = datasets.Version(GENERATOR_VERSION)
SPLITS = ("train", "validation", "test", "probe")
CHECKERS = ("auto", "smcdel", "embedded", "both")
FAMILIES = ("blocks", "scale", "reproduction")
MOST = 1_000_000
"""Up to so many blocks of a setup a split may have: `index` counts them."""


@dataclass
class MindGamesConfig(datasets.BuilderConfig):
    """Choose what mindgames holds; every row is a function of these fields, the split and the index.

    seed: an integer. language: a folder under templates/. setup: the one setup to keep, None for all four. n_agents:
    the numbers of agents, from 2 to 12; blocks have n of them in proportion to n - 1. max_order: the highest order of a
    hypothesis. checker: what labels: "smcdel" (the program), "embedded", "both" (which must agree), or "auto" (the
    program where there is one). train, validation, test, probe: blocks of four problems in each setup and split, None
    or 0 for no such split; in `reproduction`, which has one split, single problems. `probe` is what the difficulty
    model is trained on. scorer: the probe that fills deberta_*: "embedded", the folder of another, or None for none.
    """

    version: datasets.Version = VERSION
    seed: int = 0
    language: str = "en"
    setup: str | None = None
    n_agents: tuple[int, ...] = (2, 3, 4)
    max_order: int = 2
    checker: str = "auto"
    train: int | None = 700
    validation: int | None = 234
    test: int | None = 234
    probe: int | None = None
    scorer: str | None = difficulty.EMBEDDED

    @property
    def family(self) -> str:
        """Return which problems these are: blocks, scale (blocks with more agents) or reproduction (not in blocks)."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def setups(self) -> tuple[str, ...]:
        """Return the setups that there are."""
        return (self.setup,) if self.setup else SETUPS

    def sizes(self) -> dict[str, int]:
        """Return the blocks (in reproduction the problems) of each setup in each split that there is."""
        sizes = {split: getattr(self, split) for split in SPLITS}
        return {split: size for split, size in sizes.items() if size not in (None, 0) or isinstance(size, bool)}

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for fields that cannot be."""

        def whole(value) -> bool:
            return isinstance(value, int) and not isinstance(value, bool)

        check_seed(self.seed)
        voice(self.language)
        if self.setup is not None and self.setup not in SETUPS:
            raise ValueError(f"unknown setup {self.setup!r}; the setups are {', '.join(SETUPS)}")
        if not isinstance(self.n_agents, (tuple, list)) or not self.n_agents:
            raise ValueError(f"n_agents is {self.n_agents!r}; it must be numbers of agents, such as (2, 3, 4)")
        if any(not whole(n) or n not in N_AGENTS for n in self.n_agents):
            raise ValueError(f"n_agents is {self.n_agents!r}; each must be from {N_AGENTS[0]} to {N_AGENTS[-1]}")
        if list(self.n_agents) != sorted(set(self.n_agents)):
            raise ValueError(f"n_agents is {self.n_agents!r}; they must be different and in ascending order")
        if not whole(self.max_order) or self.max_order not in ORDERS:
            raise ValueError(f"max_order is {self.max_order!r}; it must be from {ORDERS[0]} to {ORDERS[-1]}")
        if self.checker not in CHECKERS:
            raise ValueError(f"unknown checker {self.checker!r}; there are {', '.join(CHECKERS)}")
        what = "problems" if self.family == "reproduction" else "blocks of four"
        for split, size in self.sizes().items():
            if not whole(size) or not 0 < size <= MOST:
                raise ValueError(f"{split} is {size!r} {what}; it must be from 1 to {MOST:,}")
            if self.family == "reproduction" and size % 2:
                raise ValueError(f"{split} is {size} problems; it must be even, as half of them are entailed")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS)} are all None or 0; at least one must be a number of {what}")
        if self.family == "reproduction" and set(self.sizes()) not in ({"test"}, {"probe"}):
            raise ValueError("reproduction has a test split only; leave train and validation None")
        if self.scorer is not None:
            difficulty.probe(self.scorer, "mindgames")


ALL = MindGamesConfig(name="all")
EACH = tuple(MindGamesConfig(name=setup, setup=setup) for setup in SETUPS)
SCALE = MindGamesConfig(name="scale", n_agents=(5, 6, 7, 8, 9, 10), train=None, validation=None, test=120)
REPRODUCTION = MindGamesConfig(name="reproduction", n_agents=(2, 3), train=None, validation=None, test=400)

FEATURES = datasets.Features(
    {
        "premise": datasets.Value("string"),
        "smcdel_problem": datasets.Value("string"),
        "n_announcements": datasets.Value("int64"),
        "pbcheck": datasets.Value("string"),
        "hypothesis": datasets.Value("string"),
        "setup": datasets.Value("string"),
        "hypothesis_depth": datasets.Value("int64"),
        "n_agents": datasets.Value("int64"),
        "label": datasets.Value("string"),
        "names": datasets.Sequence(datasets.Value("string")),
        "index": datasets.Value("int64"),
        "s-l": datasets.Value("string"),
        "deberta_pred": datasets.Value("int64"),
        "deberta_confidence": datasets.Value("float64"),
        "difficulty": datasets.Value("float64"),
        "block": datasets.Value("string"),
        "n_worlds": datasets.Value("int32"),
        "needs_announcements": datasets.Value("int32"),
        "n_worlds_before": datasets.Value("int32"),
        "shortest_proof": datasets.Value("int32"),
        "seed": datasets.Value("int64"),
        "generator_version": datasets.Value("string"),
    }
)
LABELS = {True: "entailment", False: "not_entailment"}


class MindGames(datasets.GeneratorBasedBuilder):
    """Build MindGames: what agents see, what is announced to all of them, and whether somebody then knows something.

    Source: MindGames (Sileo and Lernould, 2023). Every label is whether the hypothesis holds in every world that the
    announcements leave (dynamic epistemic logic).

    Columns:
        premise: what the agents see, and what is announced to all of them.
        smcdel_problem: the problem in SMCDEL's language; it is valid exactly where the label is entailment.
        n_announcements: how many announcements follow the first, which always says "someone …".
        pbcheck: a question in SMCDEL's language that would be valid if the premise left no world.
        hypothesis: what somebody is supposed to know, or not to be able to know.
        setup: forehead, forehead_mirror, internal or explicit: who sees what.
        hypothesis_depth: the order of the hypothesis minus 1.
        n_agents: the number of agents.
        label: entailment or not_entailment.
        names: the agents, in the order of SMCDEL's agents and atoms.
        index: a number that no other row of the dataset has.
        s-l: setup and hypothesis_depth.
        deberta_pred: what a small trained model, the probe that the card names, says: 1 for entailment, 0 for not.
        deberta_confidence: the probability that the probe gives to what it says.
        difficulty: 1 - deberta_confidence where the probe is right, 1 + deberta_confidence where it is wrong.
        block: the block of four that the row belongs to: two premises with two hypotheses; null in reproduction.
        n_worlds: how many worlds the announcements leave.
        needs_announcements: how many announcements, the first among them, change the label, or leave no world, when one
            is left out; it knows the label, so it is no input.
        n_worlds_before: how many worlds there are before the first announcement.
        shortest_proof: how few of the announcements, kept in their order, give the label alone; no input either.
        seed: the seed of the build.
        generator_version: the version of the generator; the same version, config and seed give the same rows.
    """

    VERSION = VERSION
    BUILDER_CONFIG_CLASS = MindGamesConfig
    BUILDER_CONFIGS = [ALL, *EACH, SCALE, REPRODUCTION]
    DEFAULT_CONFIG_NAME = "all"

    def __init__(self, cache_dir: str | None = None, *args, **kwargs) -> None:
        if cache_dir in self.builder_configs:
            raise ValueError(
                f"{cache_dir!r} was given as the cache folder, a builder's first argument; "
                f"say MindGames(config_name={cache_dir!r}), or ./{cache_dir} if it really is a folder"
            )
        # datasets passes over a field that is None, so None is said as 0 there
        kwargs.update((split, 0) for split in SPLITS if split in kwargs and kwargs[split] is None)
        super().__init__(cache_dir, *args, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        self.config.validate()
        return datasets.DatasetInfo(description=self.__doc__, features=FEATURES, version=VERSION)

    def _split_generators(self, dl_manager) -> list[datasets.SplitGenerator]:
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, "parts": list(parts(self.config, split))})
            for split in self.config.sizes()
        ]

    def _generate_examples(self, split: str, parts: list[tuple[str, range]]) -> Iterator[tuple[int, dict]]:
        for setup, span in parts:
            settled = plan_of(self.config, setup)[0][split][span.start : span.stop]
            for row in part_rows(self.config, setup, split, span, settled):
                yield row["index"], row


class Disagreement(ValueError):
    """Show a problem to which two checkers give different labels."""


def file_of(config: MindGamesConfig, setup: str, split: str) -> str:
    """Return the Parquet file, relative to the dataset's folder, that holds the rows of a setup and split."""
    return f"{setup if config.family == 'blocks' else config.family}/{split}.parquet"


def layout(configs: list[MindGamesConfig]) -> dict[str, dict[str, list[str]]]:
    """Return which files each config of the folder reads for each split; no row is in two files.

    `configs` are those that the folder is built from, each with all its setups. The first one listed is the default.
    """
    files: dict[str, dict[str, list[str]]] = {}
    for config in configs:
        of_split = {
            split: list(dict.fromkeys(file_of(config, setup, split) for setup in config.setups))
            for split in config.sizes()
        }
        files[config.name] = of_split
        if config.family == "blocks":
            files.update(
                (setup, {split: [file_of(config, setup, split)] for split in of_split}) for setup in config.setups
            )
    return files


def parts(config: MindGamesConfig, split: str) -> Iterator[tuple[str, range]]:
    """Yield the setups and indices of a split in pieces for workers, the same however many workers there are."""
    size = config.sizes()[split]
    for setup in config.setups:
        for start in range(0, size, 120):
            yield setup, range(start, min(start + 120, size))


def plan_of(config: MindGamesConfig, setup: str) -> tuple[dict[str, list], Counter]:
    """Settle, from the config and the seed alone, the problems of a setup in each split; made once a process.

    Returns for each split its blocks, in `reproduction` its (premise, hypothesis), in the order of their indices; and
    how many premises were drawn, left no world, or came again. Raises problem_sampler.TooFew.
    """
    return _plan(
        config.family, config.seed, setup, tuple(config.n_agents), tuple(config.sizes().items()), config.max_order
    )


@lru_cache(maxsize=16)
def _plan(
    family: str, seed: int, setup: str, agents: tuple[int, ...], sizes: tuple[tuple[str, int], ...], max_order: int
) -> tuple[dict[str, list], Counter]:
    key = "mindgames", family, seed
    if family == "reproduction":
        ((split, size),) = sizes
        problems, counts = plan_reproduction(key, setup, agents, size, max_order)
        return {split: problems}, counts
    return plan(key, setup, agents, dict(sizes), max_order, family == "scale")


def part_rows(config: MindGamesConfig, setup: str, split: str, span: range, settled: list) -> list[dict]:
    """Make the rows of the blocks (in reproduction of the problems) of a setup at these indices. See `plan_of`.

    Raises Disagreement where the checker does not give the planned labels, and what `follow` raises.
    """
    made = [
        each
        for index, planned in zip(span, settled, strict=True)
        for each in block_rows(config, setup, split, index, planned)
    ]
    rows = [row for row, _, _ in made]
    labels = follow([(structure, claim) for _, structure, claim in made], config.checker)
    for row, follows in zip(rows, labels, strict=True):
        if row["label"] != LABELS[follows]:
            raise Disagreement(f"the plan has {row['label']}, the checker {LABELS[follows]}: {row['smcdel_problem']}")
    return rows


def block_rows(
    config: MindGamesConfig, setup: str, split: str, index: int, planned: Block | tuple[Premise, Claim]
) -> Iterator[tuple[dict, Structure, Formula]]:
    """Yield the rows of a block, or the row of a single problem, labelled as planned, each with what must be valid."""
    drawn = stream("mindgames", config.family, config.seed, setup, split, index, "wording")
    block = None
    if isinstance(planned, Block):
        p, q, h, g = planned
        four = drawn.shuffled([(p, h, True), (p, g, False), (q, h, False), (q, g, True)])
        block = block_name(config.family, setup, split, index)
    else:
        premise, hypothesis = planned
        left = after(premise)
        four = [(premise, hypothesis, left.where(hypothesis) == left.law)]
    n = len(four[0][0].sees)
    say = voice(config.language)
    names = say.persons(drawn, n)
    hypotheses = tuple({hypothesis: None for _, hypothesis, _ in four})
    asked = {
        hypothesis: say.hypothesis(problem(four[0][0], hypothesis), names)  # whatever the premise
        for hypothesis in hypotheses
    }
    given = {}
    for premise in {premise: None for premise, _, _ in four}:
        posed = problem(premise, hypotheses[0])
        needs = dict(zip(hypotheses, needed(premise, hypotheses), strict=True))
        given[premise] = say.premise(posed, names), posed.structure(), needs
    first = 4 * row_number(config.family, setup, split, index)
    for place, (premise, hypothesis, entailed) in enumerate(four):
        text, structure, needs = given[premise]
        formal, pbcheck = spell_problem(structure, premise, hypothesis)
        depth = len(hypothesis[0]) - 1
        row = {
            "premise": text,
            "smcdel_problem": formal,
            "n_announcements": len(premise.said),
            "pbcheck": pbcheck,
            "hypothesis": asked[hypothesis],
            "setup": setup,
            "hypothesis_depth": depth,
            "n_agents": n,
            "label": LABELS[entailed],
            "names": list(names),
            "index": first + place,
            "s-l": f"{setup}-{depth}",
            **difficulty.scored(
                config.scorer, "mindgames", difficulty.of_problem, text, asked[hypothesis], names, entailed
            ),
            "block": block,
            "n_worlds": after(premise).law.bit_count(),
            "needs_announcements": needs[hypothesis],
            "n_worlds_before": 1 << n,
            "shortest_proof": shortest_proof(premise, hypothesis),
            "seed": config.seed,
            "generator_version": GENERATOR_VERSION,
        }
        yield row, structure, problem(premise, hypothesis).claim()


def block_name(family: str, setup: str, split: str, index: int) -> str:
    """Return the name of a block, which no other block of the dataset has."""
    return f"{'' if family == 'blocks' else family + '-'}{setup}-{split}-{index:06d}"


def row_number(family: str, setup: str, split: str, index: int) -> int:
    """Return a number that no other block, or single problem, of the dataset has."""
    kind = (FAMILIES.index(family) * len(SETUPS) + SETUPS.index(setup)) * len(SPLITS) + SPLITS.index(split)
    return kind * MOST + index


@lru_cache(maxsize=1 << 16)
def spell_claim(claim: Claim, n: int) -> str:
    """Return a claim about n agents in SMCDEL's language."""
    return smcdel.spell(smcdel.nested(formula(claim, n)))


@lru_cache(maxsize=4096)
def spell_structures(structure: Structure) -> tuple[str, str]:
    """Return a structure in SMCDEL's language, and the same with an atom 0 of which nothing is known."""
    fresh = replace(structure, atoms=tuple(sorted({0, *structure.atoms})))
    return smcdel.spell_structure(structure), smcdel.spell_structure(fresh)


def spell_problem(structure: Structure, premise: Premise, hypothesis: Claim) -> tuple[str, str]:
    """Return a problem in SMCDEL's language, and its pbcheck.

    That asks whether an atom of which nothing is known, 0, follows: it does where the premise leaves no world.
    """
    n = len(premise.sees)
    said = "".join([f"[ ! {spell_claim(claim, n)} ] " for claim in (SOMEONE, *premise.said)])
    asked, checked = spell_structures(structure)
    return f"{asked} VALID? {said}{spell_claim(hypothesis, n)}", f"{checked} VALID? {said}0"


def follow(questions: list[tuple[Structure, Formula]], checker: str) -> list[bool]:
    """Return whether each formula is valid on its structure, by the checker that a config names.

    Raises Disagreement where both are asked and differ, smcdel.Missing where SMCDEL is asked and not there, and
    smcdel.Unanswered where it does not answer.
    """
    program = None
    if checker != "embedded":
        try:
            program = smcdel.Smcdel(smcdel.find())
        except smcdel.Missing:
            if checker != "auto":
                raise
    if program is None:
        return [Checker(structure).valid(of) for structure, of in questions]
    together: dict[Structure, list[int]] = {}
    for place, (structure, _) in enumerate(questions):
        together.setdefault(structure, []).append(place)
    batches = [
        (structure, [smcdel.nested(questions[place][1]) for place in places]) for structure, places in together.items()
    ]
    said = {}
    for places, answers in zip(together.values(), program.valid_each(batches), strict=True):
        said.update(zip(places, answers, strict=True))
    answers = [said[place] for place in range(len(questions))]
    if checker == "both":
        for (structure, of), answer in zip(questions, answers, strict=True):
            if Checker(structure).valid(of) != answer:
                asked = smcdel.spell_problem(structure, [smcdel.Valid(smcdel.nested(of))])
                raise Disagreement(
                    f"{program.path} says {LABELS[answer]}, the embedded checker {LABELS[not answer]}: {asked}"
                )
    return answers


METADATA = {
    "pretty_name": "MindGames, regenerated",
    "license": "apache-2.0",
    "annotations_creators": ["machine-generated"],
    "language_creators": ["machine-generated"],
    "multilinguality": ["monolingual"],
    "source_datasets": ["original"],
    "task_categories": ["text-classification"],
    "task_ids": ["natural-language-inference"],
    "tags": ["theory-of-mind", "reasoning", "synthetic", "epistemic-logic", "modal-logic"],
}
"""What the card's YAML says besides what a build computes."""
