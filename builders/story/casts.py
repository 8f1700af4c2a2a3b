"""Which cast a story has: no two stories of one seed and language share it, whatever their configs and splits.

All casts stand in a walk (`cast_walk`), and each split of each family takes places of the walk that are its own. The
first six families take turns from the front. Each further one takes places from the end, so that a new family moves no
other's.
"""

import math
from functools import lru_cache

from ..splits import SPLIT_NUMBERS
from ..streams import stream

MOST_STORIES = 1_000_000  # of a split, so that the places from the front and from the end do not meet
IN_TURNS = 6  # the families that take places from the front, by their numbers
TURNS = IN_TURNS * len(SPLIT_NUMBERS)
FROM_THE_END = {"test": 0, "probe": 1, "train": 2, "validation": 3}  # the splits of a further family, from the end
PLANS = 6  # the number of `plans`, all of whose splits take the same places


@lru_cache(maxsize=64)
def cast_walk(seed: int, casts: int) -> tuple[int, int]:
    """Return the first cast and the stride from one cast to the next: a walk that meets every cast once."""
    walk_stream = stream("hi_tom", seed, "casts")
    stride = walk_stream.below(casts)
    while math.gcd(stride, casts) != 1:
        stride = walk_stream.below(casts)
    return walk_stream.below(casts), stride


def place_of(number: int, split: str, index: int) -> int:
    """Return the place in the walk of a story's cast, from 0, or from the end below 0. number: that of its family."""
    if number < IN_TURNS:
        return TURNS * index + number * len(SPLIT_NUMBERS) + SPLIT_NUMBERS[split]
    part = 0 if number == PLANS else FROM_THE_END[split]
    return -1 - index - MOST_STORIES * ((number - IN_TURNS) * len(SPLIT_NUMBERS) + part)


def cast_at(seed: int, casts: int, place: int) -> int:
    """Return the cast at a place of a seed's walk; there are so many casts."""
    first, stride = cast_walk(seed, casts)
    return (first + stride * place) % casts
