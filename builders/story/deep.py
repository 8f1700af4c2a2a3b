"""Deep stories, whose questions need every mind of their chain: their family.

`constraints` has those of its questions, `candidates` draws chapters, and `climb` finds a story that meets them.
"""

from dataclasses import replace
from math import inf
from typing import Any

from ..streams import Stream
from ..syntax.events import Report, Story, Tell
from .candidates import May, Size
from .climb import sample_climbing
from .constraints import DeepTarget, plan_deep
from .distractions import ITEMS, distracted
from .family import DrawnStory, Family, check_depth, lettered

DEEP_CONTAINERS, DEEP_THINGS = 8, 2  # containers in the room of a deep story, all of them choices; things that it names


def draw_deep(stream: Stream, target: DeepTarget, size: Size) -> tuple[Story, tuple[int, ...]]:
    """Draw a deep story with distractions, and the chain of its longest question."""
    story, chain = sample_climbing(stream, target.constraints, size)
    # Nobody loses a watch where others watch: both are said alike.
    events = distracted(stream, story.events, size.n_agents, size.n_containers, DEEP_THINGS, ITEMS - 1)
    # A claim that is to teach a question has its hearers in the order of the question: the text must not say so.
    told = [
        replace(event, hearers=tuple(stream.shuffled(event.hearers))) if isinstance(event, Tell | Report) else event
        for event in events
    ]
    return Story(story.n_agents, tuple(told)), chain


def plan(config: Any, stream: Stream, size: int) -> list[tuple[DeepTarget, dict[int, int]]]:
    """Plan a split: the constraints of each story's questions, and letters in equal shares."""
    asked = set(config.orders) - {0} or range(1, config.depth + 1)  # where the thing is, is asked of a deep story too
    targets = [
        DeepTarget(
            length, tuple(constraint if order in asked else None for order, constraint in enumerate(constraints, 1))
        )
        for length, constraints in plan_deep(stream, size, config.lengths, config.depth, may_of(config))
    ]
    return lettered(stream, targets, range(config.depth + 1))


def may_of(config: Any) -> May:
    """Return what the agents of a config's stories may do."""
    return May(inf if config.links is None else config.links, config.overhearing, config.thoughts)


def draw(config: Any, target: DeepTarget, stream: Stream) -> DrawnStory:
    """Draw a story that meets a target."""
    story, chain = draw_deep(stream, target, Size(config.n_agents, target.n_chapters, DEEP_CONTAINERS, may_of(config)))
    sizes = 2, DEEP_THINGS, DEEP_CONTAINERS
    return DrawnStory(story, chain, config.orders, True, config.n_agents, target.n_chapters, *sizes)


def check(config: Any) -> None:
    """Raise ValueError where a config asks about no agent, or an order above its agents."""
    if config.depth == 0:
        raise ValueError(
            f"max_order is {config.max_order!r}; questions of deep need one agent or more: raise it, or leave "
            "out every split of deep"
        )
    check_depth(config)


KNOBS = ("language", "n_agents", "lengths", "max_order", "order", "links", "overhearing", "thoughts", "explanations")
DEEP = Family(plan, draw, KNOBS, casts=3, lengths=range(2, 7), watched=True, check=check, searched=True)  # deep stories
