"""The family of stories about which many kinds of questions are asked: its fields, and how its splits are planned."""

from collections.abc import Iterator
from typing import Any

from ...errors import Fault
from ...streams import Stream
from ..deep import KNOBS as DEEP_KNOBS
from ..family import Family
from .kinds import KINDS
from .rows import ability_rows

# How many agents there must be beside those of a chain: three may then be those who tell all of it something.
BESIDE = 3


def plan(config: Any, stream: Stream, size: int) -> list[tuple[None, None]]:
    """Plan a split: chunks settle all that the questions need of one another when they are drawn."""
    return [(None, None)] * size


def faults(config: Any) -> Iterator[Fault]:
    """Yield whether the kinds or the orders of a config cannot be, or it has too few agents."""
    kinds, least = config.kinds, config.max_order + BESIDE
    yield not kinds or len({*kinds}) < len(kinds) or not {*kinds} <= {*KINDS}, "some_kinds", kinds
    yield config.max_order not in (1, 2, 3) or config.order is not None, "orders", config.max_order
    for it in config.sizes().items():
        yield it[1] % 2, "odd_size", it
    yield config.n_agents < least, "few_beside", least


KNOBS = ("language", "kinds", *(name for name in DEEP_KNOBS if name not in ("language", "order")))
# Deep stories with questions of many kinds; a number has one row of each kind, about different stories.
ABILITIES = Family(
    plan, None, KNOBS, casts=5, lengths=range(2, 7), single=True, watched=True, rows=ability_rows, faults=faults
)
