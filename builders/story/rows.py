"""How a config becomes rows: the plan of a split, the cast of each story, and its columns.

A plan is made from the config and the seed alone, before any row. It settles what each story must be like; so a row
does not depend on which rows are made before it, or by which process.
"""

import math
from functools import lru_cache

from .. import GENERATOR_VERSION
from ..columns import UNSCORED
from ..streams import stream
from ..syntax.events import Names, Question, Tell
from ..syntax.record import dumps, spell
from ..wording.stories import voice
from .config import CAST_SHARES, FAMILIES, SPLITS, WATCHED, StoryConfig
from .explanation import explain_story
from .family import Drawn
from .meaning import SEMANTICS, Lesson, answer_slot, lessons_about, places, teaching_line
from .readings import differing_readings
from .shortcuts import share_missed
from .structure import effective_order, order_sensitive
from .subchains import beliefs, container_of


def plan_of(config: StoryConfig, split: str) -> list[tuple]:
    """Settle, from the config and the seed alone, what each story of a split must be like.

    Returns for each story (target, letters). The target is what its family draws a story for. Letters are a number for
    each order, whose remainder by the number of choices is the place of the answer; None leaves the places to chance.
    """
    plan_stream = stream("hi_tom", config.family, config.seed, split, "plan")
    return FAMILIES[config.family].plan(config, plan_stream, config.sizes()[split])


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
    share = list(FAMILIES).index(config.family) * len(SPLITS) + SPLITS.index(split)
    return (first + stride * (CAST_SHARES * index + share)) % casts


def story_rows(config: StoryConfig, split: str, index: int, target, letters: dict[int, int] | None) -> list[dict]:
    """Make the rows of one story, one for each order asked, lowest first; not scored.

    `target` and `letters` are what `plan_of` settled for this index.
    """
    problem_stream = stream("hi_tom", config.family, config.seed, split, index, "problem")
    wording_stream = stream("hi_tom", config.family, config.seed, split, index, "wording")
    drawn = FAMILIES[config.family].draw(config, target, problem_stream)
    names = voice(config.language).names(
        wording_stream,
        cast_of(config, split, index),
        drawn.story.n_agents,
        drawn.n_rooms,
        drawn.n_things,
        drawn.n_containers,
    )
    shared = story_columns(config, split, index, drawn, names)
    explained = split in config.explanations
    lessons = lessons_about(drawn.story, 0)
    believers = believers_of(config, lessons, drawn.chain)
    readings = readings_of(config, drawn, believers)
    choices = wording_stream.shuffled(names.containers)
    rows = []
    for order in drawn.orders:
        answers = answer_columns(config, drawn, names, order, lessons, believers)
        place = choices.index(answers["answer"])
        # The choices turn, as a ring, until the answer has its letter.
        turn = 0 if letters is None else place - letters[order] % len(choices)
        rows.append(
            {
                **shared,
                "id": f"{shared['story_id']}-{order}",
                **answers,
                "undisputed": not readings[order],
                "readings": readings[order],
                "choices": choices[turn:] + choices[:turn],
                "answer_index": (place - turn) % len(choices),
                "explanation": explain(config, drawn, names, order, shared["story"], lessons, believers)
                if explained
                else None,
                **UNSCORED,
            }
        )
    return rows


def story_columns(config: StoryConfig, split: str, index: int, drawn: Drawn, names: Names) -> dict:
    """Return the columns that the questions of one story share."""
    spelled = [spell(event, names) for event in drawn.story.events]
    return {
        "story_id": f"{config.prefix}{split}-{index:06d}",
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


def believers_of(config: StoryConfig, lessons: list[Lesson], chain: tuple[int, ...]) -> dict[str, dict[int, int]]:
    """Return the `beliefs` of all subchains of a chain under each semantics.

    In stories with watchers, for which `published` has no rules, and in those without claims, both are those of the
    config's semantics.
    """
    believers = dict.fromkeys(SEMANTICS, beliefs(lessons, chain, config.semantics))
    if config.family not in WATCHED and any(lesson.speaker >= 0 for lesson in lessons):
        believers.update((other, beliefs(lessons, chain, other)) for other in SEMANTICS if other != config.semantics)
    return believers


def readings_of(config: StoryConfig, drawn: Drawn, believers: dict[str, dict[int, int]]) -> list[list[str]]:
    """Return for each order the readings under which its question has another answer than the config's."""
    whole = 1 << len(drawn.chain)
    answers = [
        container_of(believers[config.semantics], whole - (whole >> order)) for order in range(len(drawn.chain) + 1)
    ]
    return differing_readings(drawn.story, drawn.chain, 0, answers)


def explain(
    config: StoryConfig,
    drawn: Drawn,
    names: Names,
    order: int,
    text: str,
    lessons: list[Lesson],
    believers: dict[str, dict[int, int]],
) -> str:
    """Return the explanation of the question of one order, by the printed rules wherever they give its answer."""
    subchain = (1 << len(drawn.chain)) - (1 << len(drawn.chain) - order)
    containers = [container_of(believers[semantics], subchain) for semantics in ("recursive", config.semantics)]
    semantics = "recursive" if containers[0] == containers[1] else config.semantics
    chain = drawn.chain[len(drawn.chain) - order :]
    return explain_story(text, drawn.story.events, lessons, chain, names, semantics, voice(config.language))


def answer_columns(
    config: StoryConfig,
    drawn: Drawn,
    names: Names,
    order: int,
    lessons: list[Lesson],
    believers: dict[str, dict[int, int]],
) -> dict:
    """Return the columns that belong to the question of one order, but for the choices."""
    chain = drawn.chain[len(drawn.chain) - order :]
    subchain = (1 << len(drawn.chain)) - (1 << len(drawn.chain) - order)
    containers = {semantics: container_of(believers[semantics], subchain) for semantics in SEMANTICS}
    container = containers[config.semantics]
    published = config.family not in WATCHED
    question = Question(chain, 0, searches=config.family == "tomh")
    return {
        "question": voice(config.language).say(*spell(question, names)),
        "answer": names.containers[container],
        "order": order,
        "chain": [names.agents[agent] for agent in chain],
        "answer_published": names.containers[containers["published"]] if published else None,
        "semantics_agree": containers["recursive"] == containers["published"] if published else None,
        "effective_order": effective_order(believers[config.semantics], len(drawn.chain), subchain),
        "order_sensitive": order_sensitive(lessons, chain, config.semantics),
        "shortcuts_missed": share_missed(drawn.story, 0, chain, lessons, config.semantics, container),
        "answer_slot": answer_slot(lessons, container),
        "n_places": len(places(lessons)),
        "lines_since": len(drawn.story.events) - 1 - teaching_line(drawn.story, lessons, chain, config.semantics),
    }
