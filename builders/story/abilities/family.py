"""The family of stories about which many kinds of questions are asked: its fields, and how its splits are planned."""

from typing import Any

from ...streams import Stream
from ..deep import KNOBS as DEEP_KNOBS
from ..family import Family
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
    if not config.kinds or len({*config.kinds}) < len(config.kinds) or not {*config.kinds} <= {*KINDS}:
        raise ValueError(f"kinds is {config.kinds!r}; it must be some of {', '.join(KINDS)}, once each")
    if config.max_order not in ORDERS or config.order is not None:
        raise ValueError(
            f"max_order is {config.max_order!r} and order {config.order!r}; the highest order of abilities is 1, 2 or "
            "3, and no order is asked alone"
        )
    for split, size in config.sizes().items():
        if size % 2:
            raise ValueError(f"{split} is {size!r} questions of each kind; it must be even, as some come in pairs")
    if config.n_agents < config.max_order + BESIDE:
        raise ValueError(
            f"n_agents is {config.n_agents}; questions of order {config.max_order} need {config.max_order + BESIDE} "
            "agents or more"
        )


KNOBS = ("language", "kinds", *(name for name in DEEP_KNOBS if name not in ("language", "order")))
# Deep stories with questions of many kinds; a number has one row of each kind, about different stories.
ABILITIES = Family(plan, None, KNOBS, range(2, 7), single=True, watched=True, rows=ability_rows, check=check)
