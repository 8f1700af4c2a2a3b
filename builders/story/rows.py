"""How a config becomes rows: the plan of a split, the cast of each story, and its columns.

A plan is made from the config and the seed alone, before any row. It settles what each story must be like; so a row
does not depend on which rows are made before it, or by which process.
"""

import math
from functools import lru_cache
from typing import NamedTuple

from .. import GENERATOR_VERSION
from ..columns import UNSCORED
from ..splits import split_file
from ..streams import Stream, stream
from ..syntax.events import Names, Question, Story, Tell
from ..syntax.record import dumps, extent, spell
from ..voice import Voice, voice
from .analysis import Analysis, analyse
from .chapters import CONTAINERS, ROOMS, THINGS, Target, plan_chapters, sample_chapters
from .config import CAST_SHARES, FAMILIES, SPLITS, WATCHED, StoryConfig, order_name
from .deep import DEEP_CONTAINERS, DEEP_THINGS, DeepTarget, plan_deep, sample_deep
from .explanation import explain_story
from .ladder import LadderTarget, Rung, plan_ladder
from .meaning import SEMANTICS
from .tomh import plan_tomh, sample_tomh

SPAN = 120
"""Stories are made so many at a time."""


def file_of(config: StoryConfig, split: str, order: int) -> str:
    """Return the file of an order of a split; only `all` has a file for each order."""
    return split_file(order_name(order) if config.family == "chapters" else config.family, split)


def layout(configs: list[StoryConfig]) -> dict[str, dict[str, list[str]]]:
    """Return which files each config of the folder reads for each split.

    `configs` are those that the folder is built from, each with all its orders. The first one listed is the default.
    """
    files: dict[str, dict[str, list[str]]] = {}
    for config in configs:
        files[config.name] = {split: [split_file(config.name, split)] for split in config.sizes()}
        for order in range(config.depth + 1) if config.family == "chapters" else ():
            files[order_name(order)] = {split: [file_of(config, split, order)] for split in config.sizes()}
    return files


def plan_of(config: StoryConfig, split: str) -> list[tuple]:
    """Settle, from the config and the seed alone, what each story of a split must be like.

    Returns for each story (target, letters). The target is a Target, a DeepTarget or a ToMH cell (order, agents,
    chapters). Letters are a number for each order, whose remainder by the number of choices is the place of the
    answer; None leaves the places to chance.
    """
    size = config.sizes()[split]
    plan_stream = stream("hi_tom", config.family, config.seed, split, "plan")
    match config.family:
        case "tomh":
            targets = plan_tomh(plan_stream, size)
            orders = range(1, 5)
        case "reproduction":
            cells = [Target(length, deception) for length in config.lengths for deception in config.claims]
            return [(target, None) for target in plan_stream.shuffled(cells[i % len(cells)] for i in range(size))]
        case "ladder":
            return plan_ladder(plan_stream, size, tuple(Rung(*rung) for rung in config.rungs))
        case "deep":
            targets = plan_deep(plan_stream, size, config.lengths, config.depth)
            orders = range(config.depth + 1)
        case _:
            targets = plan_chapters(plan_stream, size, config.lengths, config.depth, tuple(config.claims))
            orders = range(config.depth + 1)
    letters = [plan_stream.shuffled(range(size)) for _ in orders]
    return [
        (target, dict(zip(orders, numbers, strict=True)))
        for target, numbers in zip(targets, zip(*letters, strict=True), strict=True)
    ]


@lru_cache(maxsize=64)
def cast_walk(seed: int, casts: int) -> tuple[int, int]:
    """Return the first cast and the stride from one cast to the next: a walk that meets every cast once."""
    walk_stream = stream("hi_tom", seed, "casts")
    stride = walk_stream.below(casts)
    while math.gcd(stride, casts) != 1:
        stride = walk_stream.below(casts)
    return walk_stream.below(casts), stride


def cast_of(config: StoryConfig, split: str, index: int) -> int:
    """Return the cast of a story, which no other story of the same seed and language has, in any config or split."""
    casts = voice(config.language).casts()
    first, stride = cast_walk(config.seed, casts)
    share = FAMILIES.index(config.family) * len(SPLITS) + SPLITS.index(split)
    return (first + stride * (CAST_SHARES * index + share)) % casts


class Drawn(NamedTuple):
    """Hold a story that was drawn, and what its rows must know of how."""

    story: Story  # what happens
    chain: tuple[int, ...]  # the chain of the highest order; a lower order asks its last agents
    orders: list[int]  # the orders asked, lowest first
    deception: bool  # whether agents may make claims
    n_agents: int  # agents, in ToMH without the distractor
    n_chapters: int  # chapters
    n_rooms: int  # rooms to be named, with the waiting room
    n_things: int  # things to be named
    n_containers: int  # containers to be named, which are the choices
    rung: int | None = None  # the number of the ladder's rung


def draw_story(
    config: StoryConfig, target: Target | DeepTarget | LadderTarget | tuple[int, int, int], stream: Stream
) -> Drawn:
    """Draw a story of the config's family that meets a target of `plan_of`."""
    if config.family == "tomh":
        order, n_agents, n_chapters = target
        story, chain = sample_tomh(stream, order, n_agents, n_chapters)
        return Drawn(story, chain, [order], False, n_agents, n_chapters, *extent(story))
    if config.family == "ladder":
        order, n_agents, n_chapters, n_containers = target.rung
        story, chain = sample_deep(stream, target.story, n_agents, order, n_containers)
        return Drawn(story, chain, [order], True, n_agents, n_chapters, 2, DEEP_THINGS, n_containers, target.number)
    orders = list(range(config.depth + 1)) if config.order is None else [config.order]
    n_agents, n_chapters = config.n_agents, target.n_chapters
    if config.family == "deep":
        story, chain = sample_deep(stream, target, n_agents, config.depth)
        return Drawn(story, chain, orders, True, n_agents, n_chapters, 2, DEEP_THINGS, DEEP_CONTAINERS)
    story, chain = sample_chapters(stream, target, n_agents, config.depth, config.semantics)
    sizes = (ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS)
    return Drawn(story, chain, orders, target.deception, n_agents, n_chapters, *sizes)


def story_rows(config: StoryConfig, split: str, index: int, target, letters: dict[int, int] | None) -> list[dict]:
    """Make the rows of one story, one for each order asked, lowest first; not scored.

    `target` and `letters` are what `plan_of` settled for this index.
    """
    problem_stream = stream("hi_tom", config.family, config.seed, split, index, "problem")
    wording_stream = stream("hi_tom", config.family, config.seed, split, index, "wording")
    drawn = draw_story(config, target, problem_stream)
    say = voice(config.language)
    names = say.names(
        wording_stream,
        cast_of(config, split, index),
        drawn.story.n_agents,
        drawn.n_rooms,
        drawn.n_things,
        drawn.n_containers,
    )
    shared = story_columns(config, split, index, drawn, names)
    explained = split in config.explanations
    analysis = analyse(drawn.story, drawn.chain, 0, config.semantics, compared=config.family not in WATCHED)
    readings = analysis.readings()
    choices = wording_stream.shuffled(names.containers)
    rows = []
    for order in drawn.orders:
        asked = analysis.tail(order)
        answers = asked.columns(names)
        question = Question(asked.chain, 0, searches=config.family == "tomh")
        place = choices.index(answers["answer"])
        # The choices turn, as a ring, until the answer has its letter.
        turn = 0 if letters is None else place - letters[order] % len(choices)
        rows.append(
            {
                **shared,
                "id": f"{shared['story_id']}-{order}",
                "question": say.say(*spell(question, names)),
                **answers,
                "undisputed": not readings[order],
                "readings": readings[order],
                "choices": choices[turn:] + choices[:turn],
                "answer_index": (place - turn) % len(choices),
                "explanation": explain(asked, shared["story"], names, say) if explained else None,
                **UNSCORED,
            }
        )
    return rows


def story_columns(config: StoryConfig, split: str, index: int, drawn: Drawn, names: Names) -> dict:
    """Return the columns that the questions of one story share."""
    spelled = [spell(event, names) for event in drawn.story.events]
    prefix = "" if config.family == "chapters" else f"{config.family}-"
    return {
        "story_id": f"{prefix}{split}-{index:06d}",
        "story": voice(config.language).story(spelled),
        "deception": drawn.deception,
        "story_length": drawn.n_chapters,
        "n_agents": drawn.n_agents,
        "n_lines": len(drawn.story.events),
        "n_claims": sum(isinstance(event, Tell) for event in drawn.story.events),
        "rung": drawn.rung,
        "events": dumps(spelled, names.things[0]),
        "seed": config.seed,
        "generator_version": GENERATOR_VERSION,
    }


def explain(asked: Analysis, text: str, names: Names, say: Voice) -> str:
    """Return the explanation of a question, by the printed rules wherever they give its answer."""
    semantics = next(name for name in SEMANTICS if name in asked.beliefs and asked.beliefs[name][-1] == asked.held[-1])
    return explain_story(text, asked.story.events, asked.lessons, asked.chain, names, semantics, say)
