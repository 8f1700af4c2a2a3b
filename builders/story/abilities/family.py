"""The family of stories about which many kinds of questions are asked: its fields, and how its splits are planned."""

from typing import Any

from ...streams import Stream
from ..deep import KNOBS as DEEP_KNOBS
from ..family import Family, refuse
from .kinds import KINDS
from .rows import ability_rows

ORDERS = range(1, 4)  # how many minds a question may nest

# How many agents there must be beside those of a chain: three may then be those who tell all of it something.
BESIDE = 3


def plan(config: Any, stream: Stream, size: int) -> list[tuple[None, None]]:
    """Plan a split: chunks settle all that the questions need of one another when they are drawn."""
    return [(None, None)] * size


def check(config: Any) -> None:
    """Raise ValueError for a config whose kinds or orders cannot be, or with too few agents."""
    kinds = config.kinds
    faults = [
        (not kinds or len({*kinds}) < len(kinds) or not {*kinds} <= {*KINDS}, "some_kinds", kinds),
        (config.max_order not in ORDERS or config.order is not None, "orders", config.max_order),
        *[(size % 2 > 0, "odd_size", (split, size)) for split, size in config.sizes().items()],
        (config.n_agents < config.max_order + BESIDE, "few_beside", config.max_order + BESIDE),
    ]
    refuse(faults, config=config, kinds=KINDS)


KNOBS = ("language", "kinds", *(name for name in DEEP_KNOBS if name not in ("language", "order")))
# Deep stories with questions of many kinds; a number has one row of each kind, about different stories.
ABILITIES = Family(plan, None, KNOBS, range(2, 7), single=True, watched=True, rows=ability_rows, check=check)
