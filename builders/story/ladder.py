"""The ladder: deep stories whose questions get longer rung by rung, up to what a careful reader can just follow.

Each rung has an order of its own, and agents, chapters and containers enough for it. A story has one question, of its
rung's order.
"""

from typing import Any, NamedTuple

from ..errors import limits
from ..splits import is_integer
from ..streams import Stream
from ..wording.stories import voice
from .candidates import Size
from .constraints import DeepTarget, plan_deep
from .deep import DEEP, DEEP_THINGS, draw_deep, may_of
from .family import AGENTS, DrawnStory, Family


class Rung(NamedTuple):
    """Say what the stories of a rung are like."""

    order: int  # the order of the question
    n_agents: int  # agents of a story, at least the order
    n_chapters: int  # chapters of a story
    n_containers: int  # containers in the room, which are the choices; more than the order


# The rungs as published, lowest first.
RUNGS = (Rung(1, 5, 2, 8), Rung(2, 5, 2, 8), Rung(3, 5, 3, 8), Rung(4, 6, 3, 10), Rung(5, 7, 4, 13), Rung(6, 8, 4, 16))


def plan(config: Any, stream: Stream, n_stories: int) -> list[tuple[tuple[int, DeepTarget], dict[int, int]]]:
    """Draw the targets of all stories of a split, with the number of each one's rung, and the letters of their answers.

    Stories take the rungs in turn, so that each rung has as many, and letters come in equal shares within each.
    """
    drawn, n_rungs = [], len(config.rungs)
    for number, (order, _, n_chapters, _) in enumerate(config.rungs, 1):
        size = len(range(number - 1, n_stories, n_rungs))
        letters = stream.shuffled(range(size))
        targets = plan_deep(stream, size, (n_chapters,), order, may_of(config), alone=True)
        drawn.append([((number, target), {order: letter}) for target, letter in zip(targets, letters, strict=True)])
    return [drawn[index % n_rungs][index // n_rungs] for index in range(n_stories)]


def draw(config: Any, target: tuple[int, DeepTarget], stream: Stream) -> DrawnStory:
    """Draw a story on the rung of a number."""
    number, constrained = target
    order, n_agents, n_chapters, n_containers = config.rungs[number - 1]
    story, chain = draw_deep(stream, constrained, Size(n_agents, n_chapters, n_containers, may_of(config)))
    return DrawnStory(story, chain, [order], True, n_agents, n_chapters, 2, DEEP_THINGS, n_containers, number)


def check(config: Any) -> None:
    """Raise ValueError where a config has no rungs, or a rung that no story can be on."""
    most = voice(config.language).n_containers
    for number, rung in enumerate(config.rungs, 1):
        wrong = f"rung {number} is {rung!r}"
        if len(rung) != len(Rung._fields) or not all(map(is_integer, rung)):
            raise ValueError(f"{wrong}; it must be four integers: (order, agents, chapters, containers)")
        order, n_agents, n_chapters, n_containers = rung
        if n_agents not in AGENTS or not 1 <= order <= n_agents:
            raise ValueError(f"{wrong}; it must have {limits(AGENTS)} agents, and an order from 1 to that")
        if n_chapters not in DEEP.lengths:
            raise ValueError(f"{wrong}; it must have {limits(DEEP.lengths)} chapters")
        if not order < n_containers <= most:
            raise ValueError(f"{wrong}; it must have more containers than its order, and at most {most}")
    if not config.rungs:
        raise ValueError("rungs is empty; it must have one rung or more")


KNOBS = ("language", "rungs", "links", "overhearing", "thoughts", "explanations")
# Deep stories by rungs.
LADDER = Family(plan, draw, KNOBS, casts=4, single=True, watched=True, check=check, searched=True)
