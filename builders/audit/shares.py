"""How often rules are right: what rules make of one row, the counts of a group, and their intervals."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import attrgetter
from statistics import fmean
from typing import Any, NamedTuple

from ..groups import grouped_by

ALL = "all"  # the group of all rows, the last of a table
BLIND = "chance"  # the series of a picture that shows what blind choices would get at each place


@dataclass(frozen=True, slots=True)
class Proportion:
    """Hold how often something is right in a group of rows."""

    right: float  # rows on which it is right; a row may count in part
    total: int  # rows of the group

    @property
    def share(self) -> float:
        """Return the share of rows on which it is right, from 0 to 1."""
        return self.right / self.total

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval, as if all rows were independent."""
        return wilson(self.share, self.total)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.share:.1f} ({100 * low:.0f}–{100 * high:.0f})"


@dataclass(frozen=True, slots=True)
class Share(Proportion):
    """Hold how often a rule is right, beside chance."""

    chance: float  # the share that a blind choice would get


def wilson(share: float, total: int) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of a share of `total` independent trials (Wilson, 1927).

    Here a trial may be right in part; scipy's interval of the same name takes whole successes only.
    """
    square = 1.959963984540054**2
    middle = (share * total + square / 2) / (total + square)
    half = sqrt(square * (share * (1 - share) * total + square / 4)) / (total + square)
    return max(0.0, middle - half), min(1.0, middle + half)


# The share of each rule in each group; a rule that a group does not have is left out.
Table = dict[str, dict[str, Share]]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Hold what all rules make of one row."""

    group: str  # the column of the table in which the row is counted
    chance: float  # the share of the choices that is right
    constant: Mapping[str, Hashable]  # for each rule that always gives one answer, the answer that is right here
    right: Mapping[str, float | None]  # whether each other rule is right, or how often; None where it does not apply


class Trend(NamedTuple):
    """Hold what a picture shows of one series along an axis."""

    points: Mapping[float, tuple[float, float, float]]  # what was measured at each place, and its 95 % interval
    line: Sequence[tuple[float, float]] = ()  # the curve that was fitted; empty where the points are joined instead
    cross: tuple[float, float, float, float] | None = None  # where it crosses a height, the interval, and the height
    like: str | None = None  # the series of the same model with reasoning


class Along(NamedTuple):
    """Hold a panel whose axis is logarithmic."""

    x: str  # what the axes show
    y: str
    series: Mapping[str, Trend]
    chance: float | None = None  # of shares, what a blind choice gets; None where something else is shown


def count_shares(outcomes: Iterable[Outcomes]) -> Table:
    """Count how often each rule is right in each group; groups in the order of their names, ALL last.

    A rule that always gives one answer gives the answer most common in the group. A rule that applies to no row of a
    group is left out there; where it applies to some rows only, it counts as wrong on the others.
    """
    groups = grouped_by(attrgetter("group"), outcomes)
    table: Table = {}
    for group, rows in sorted(groups.items(), key=lambda item: (item[0] == ALL, item[0])):
        right = {}
        for rule in rows[0].constant:
            counts = Counter(row.constant[rule] for row in rows if row.constant[rule] is not None)
            if counts:
                right[rule] = max(counts.values())
        for rule in dict.fromkeys(rule for row in rows for rule in row.right):
            verdicts = [row.right.get(rule) for row in rows]
            if set(verdicts) != {None}:
                right[rule] = round(sum(verdict or 0 for verdict in verdicts))
        chance = fmean(row.chance for row in rows)
        table[group] = {rule: Share(count, len(rows), chance) for rule, count in right.items()}
    return table


def table_as_json(table: Table) -> dict[str, dict[str, Any]]:
    """Return a table for JSON: for each group its rows, its chance, and on how many rows each rule is right."""
    groups = {}
    for group, shares in table.items():
        some_share = next(iter(shares.values()))
        right = {rule: share.right for rule, share in shares.items()}
        groups[group] = {"rows": some_share.total, "chance": some_share.chance, "right": right}
    return groups


def table_of_json(groups: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the table that `table_as_json` wrote."""
    return {
        group: {rule: Share(right, counts["rows"], counts["chance"]) for rule, right in counts["right"].items()}
        for group, counts in groups.items()
    }
