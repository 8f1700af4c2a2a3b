"""Curricula: how units of several stages are mixed by weights, so that any row is found by its index."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ..errors import UserError
from ..groups import apportioned
from ..streams import stream

CYCLE = 120  # units of a cycle; within each the stages have their shares


class Place(NamedTuple):
    """Say where a row stands in a curriculum."""

    unit: int  # the number of its unit
    first: int  # the index of the unit's first row
    stage: int  # the number of the unit's stage
    number: int  # the number of the unit among those of its stage


class Curriculum:
    """Mix the units of stages by weights: a fixed number of each in every cycle, in random order."""

    def __init__(self, seed: int, weights: Sequence[float], sizes: Sequence[int]) -> None:
        """Share out a cycle. `sizes` are the numbers of rows of a unit of each stage. Raises UserError."""
        self._asked = seed, weights, sizes
        self._seed, self._sizes = seed, tuple(sizes)
        self._counts = shares(weights)
        self._rows = sum(count * size for count, size in zip(self._counts, sizes, strict=True))
        self._cycle = lru_cache(maxsize=2)(self._mixed)

    def __reduce__(self) -> tuple[type, tuple[int, Sequence[float], Sequence[int]]]:
        """Return how the mixture is made again, so that it can be pickled."""
        return type(self), self._asked

    def _mixed(self, cycle: int) -> tuple[list[int], list[int]]:
        """Return the stages of a cycle's units, and where each unit's rows begin within the cycle."""
        stages = [stage for stage, count in enumerate(self._counts) for _ in range(count)]
        mixed = stream("curriculum", self._seed, cycle).shuffled(stages)
        return mixed, [0, *accumulate(self._sizes[stage] for stage in mixed)]

    def place(self, index: int) -> Place:
        """Return where the row of an index stands."""
        cycle, behind = divmod(index, self._rows)
        stages, starts = self._cycle(cycle)
        turn = bisect_right(starts, behind) - 1
        stage = stages[turn]
        number = cycle * self._counts[stage] + stages[:turn].count(stage)
        return Place(cycle * CYCLE + turn, cycle * self._rows + starts[turn], stage, number)


def shares(weights: Sequence[float]) -> list[int]:
    """Share out the units of a cycle by largest remainder. Raises UserError for too small a weight."""
    are_weights = all(type(weight) in (int, float) and 0 < weight < math.inf for weight in weights)
    counts = apportioned(CYCLE, weights) if are_weights and weights else []
    if not counts or not all(counts):
        raise UserError(
            f"the weights of a curriculum are {list(weights)!r}; give each stage a number above 0, "
            f"and at least one unit in {CYCLE}"
        )
    return counts
