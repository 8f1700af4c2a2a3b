"""Own the dataset hi_tom: its configs, its features, its splits, and how a story becomes rows.

What a story is, means and sounds like is in `builders`. Works as a builder (`HiTom(config_name="4th_order")`), as a
loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

import math
from functools import lru_cache

from builders import GENERATOR_VERSION
from builders.difficulty.columns import UNSCORED
from builders.story.chapters import CONTAINERS, ROOMS, THINGS, Target, plan_chapters, sample_chapters
from builders.story.config import CAST_SHARES, FAMILIES, SPLITS, StoryConfig, order_name
from builders.story.deep import DEEP_CONTAINERS, DEEP_THINGS, plan_deep, sample_deep
from builders.story.meaning import SEMANTICS, answer_slot, lessons, places, teacher
from builders.story.record import dumps, extent, spell
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Question, Tell
from builders.story.tomh import plan_tomh, sample_tomh
from builders.streams import stream
from builders.voice import voice


def file_of(config: StoryConfig, split: str, order: int) -> str:
    """Return the Parquet file, relative to the dataset's folder, that holds the rows of an order of a split."""
    return f"{order_name(order) if config.family == 'chapters' else config.family}/{split}.parquet"


def layout(configs: list[StoryConfig]) -> dict[str, dict[str, list[str]]]:
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


def plan_of(config: StoryConfig, split: str) -> list[tuple]:
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
            targets = plan_chapters(of_plan, size, config.lengths, config.depth)
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


def cast_of(config: StoryConfig, split: str, index: int) -> int:
    """Return the cast of a story, which no other story of the same seed and language has, in any config or split."""
    casts = voice(config.language).casts()
    first, stride = casting(config.seed, casts)
    share = FAMILIES.index(config.family) * len(SPLITS) + SPLITS.index(split)
    return (first + stride * (CAST_SHARES * index + share)) % casts


def story_rows(config: StoryConfig, split: str, index: int, target, letters: dict[int, int] | None) -> list[dict]:
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
            story, chain = sample_chapters(of_problem, target, n_agents, config.depth, config.semantics)
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
                **UNSCORED,
            }
        )
    return rows
