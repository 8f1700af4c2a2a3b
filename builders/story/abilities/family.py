"""The family of stories about which many kinds of questions are asked: its fields, and how its splits are planned."""

from dataclasses import replace
from typing import Any

from ...columns import Row
from ...streams import Stream
from ...syntax.record import loads
from ..deep import KNOBS as DEEP_KNOBS
from ..family import Family
from .explanation import explain_ability_row
from .kinds import KINDS
from .record import loads_query
from .rows import ability_rows, rows_of_story

# How many agents there must be beside those of a chain: three may then be those who tell all of it something.
BESIDE = 3


def plan(config: Any, stream: Stream, size: int) -> list[tuple[None, None]]:
    """Plan a split: chunks settle all that the questions need of one another when they are drawn."""
    return [(None, None)] * size


def check(config: Any) -> None:
    """Raise ValueError where the kinds or the orders of a config cannot be, or it has too few agents."""
    kinds, order, least = config.kinds, config.max_order, config.max_order + BESIDE
    if not kinds or len({*kinds}) < len(kinds) or not {*kinds} <= {*KINDS}:
        raise ValueError(f"kinds is {kinds!r}; it must name some of {', '.join(KINDS)}, each once")
    if order not in (1, 2, 3) or config.order is not None:
        raise ValueError(
            f"max_order is {order!r} and order is {config.order!r}; for abilities max_order must be 1, 2 or 3, and "
            "order must be None"
        )
    for split, size in config.sizes().items():
        if size % 2:
            raise ValueError(f"{split} is {size!r} questions of each kind; it must be even, because some come in pairs")
    if config.n_agents < least:
        raise ValueError(f"n_agents is {config.n_agents}; it must be {least} or more for questions of order {order}")


def keys(rows: list[Row]) -> list[str]:
    """Return the key of each question, see `story_keys`; the order of its options is left out."""
    return [_key(row) for row in rows]


def _key(row: Row) -> str:
    story, names, thing = loads(row["events"])
    query = loads_query(row["query"], names)
    options = tuple(sorted(map(repr, query.options)))
    return repr((story.events, thing, replace(query, kind=query.kind.name, options=options)))


KNOBS = ("language", "kinds", *(name for name in DEEP_KNOBS if name not in ("language", "order")))
# Deep stories with questions of many kinds; a number has one row of each kind, about different stories.
ABILITIES = Family(
    plan,
    None,
    KNOBS,
    casts=5,
    lengths=range(2, 7),
    single=True,
    watched=True,
    rows=ability_rows,
    check=check,
    explain=explain_ability_row,
    keys=keys,
    of_story=rows_of_story,
)
