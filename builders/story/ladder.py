"""The ladder: deep stories whose questions get longer rung by rung, up to what a careful reader can just follow.

Each rung has an order of its own, and agents, chapters and containers enough for it. A story has one question, of its
rung's order.
"""

from typing import NamedTuple

from ..streams import Stream
from .deep import DeepTarget, plan_deep


class Rung(NamedTuple):
    """Say what the stories of a rung are like."""

    order: int  # the order of the question
    n_agents: int  # agents of a story, at least the order
    n_chapters: int  # chapters of a story
    n_containers: int  # containers in the room, which are the choices; more than the order


RUNGS = (
    Rung(1, 5, 2, 8),
    Rung(2, 5, 2, 8),
    Rung(3, 5, 3, 8),
    Rung(4, 6, 4, 10),
    Rung(5, 7, 5, 13),
    Rung(6, 8, 6, 16),
)
"""The rungs as published, lowest first."""


class LadderTarget(NamedTuple):
    """Say what a story of the ladder must be like."""

    number: int  # the number of its rung, from 1
    rung: Rung
    story: DeepTarget

    @property
    def n_chapters(self) -> int:
        """Return how many chapters the story has."""
        return self.rung.n_chapters


def plan_ladder(stream: Stream, n_stories: int, rungs: tuple[Rung, ...]) -> list[tuple[LadderTarget, dict[int, int]]]:
    """Draw the targets of all stories of a split, rung after rung, and the letter of each one's answer by its order.

    Stories take the rungs in turn, so that each rung has as many, and letters come in equal shares within each.
    """
    drawn = []
    for number, rung in enumerate(rungs, 1):
        size = len(range(number - 1, n_stories, len(rungs)))
        letters = stream.shuffled(range(size))
        targets = plan_deep(stream, size, (rung.n_chapters,), rung.order)
        drawn.append(
            [
                (LadderTarget(number, rung, target), {rung.order: letter})
                for target, letter in zip(targets, letters, strict=True)
            ]
        )
    return [drawn[index % len(rungs)][index // len(rungs)] for index in range(n_stories)]
