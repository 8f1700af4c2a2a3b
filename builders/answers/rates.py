"""Rates: how often something holds of scored replies, with the interval of a bootstrap over stories or blocks.

A bootstrap of units that are all alike has an interval of no width. That is no certainty, so the interval is then the
one that would hold if each unit were a single trial: Wilson's (1927) for a rate, Newcombe's (1998) for a difference.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, hypot
from statistics import fmean
from typing import Any

import numpy as np

from ..audit.shares import Proportion, wilson
from ..streams import stream
from .items import Item

DRAWS = 1000  # how often the bootstrap draws the stories or blocks anew
NO_WIDTH = 1e-9  # an interval that is narrower has no width; its bounds differ by rounding


@dataclass(frozen=True, slots=True)
class Rate(Proportion):
    """Hold a share with its bootstrap interval: the rows of one story or block are not independent."""

    chance: float | None = None  # the share that blind choices would get; None of what has none, such as unread replies
    low: float = 0.0  # lower bound of the 95 % interval
    high: float = 1.0  # upper bound
    answer: str = ""  # of the share of the commonest answer, that answer

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval."""
        return self.low, self.high

    @property
    def above_chance(self) -> bool | None:
        """Return whether the whole interval is above chance; None where there is no chance."""
        return None if self.chance is None else self.low > self.chance

    def __str__(self) -> str:
        return f"{Proportion.__str__(self)} {self.answer}".rstrip()


Interval = tuple[float, float]  # the bounds of an interval of 95 %
Chance = Callable[[Item], float]  # how often a blind choice is right, or is right together with others
Values = Sequence[tuple[Item, float]]  # of each item whether a metric counts it, or from 0 to 1 how much
Table = dict[str, dict[str, Rate]]  # the rates of each group; a rate that is not defined is left out


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold by how much one rate is above another, both over the same rows."""

    share: float  # from -1 to 1
    low: float  # lower bound of the 95 % interval
    high: float  # upper bound
    rows: int

    def __str__(self) -> str:
        return f"{100 * self.share:+.1f} ({100 * self.low:+.0f} to {100 * self.high:+.0f})"


def newcombe(share: float, other: float, total: int) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of a difference of two shares of `total` trials each (Newcombe, 1998)."""
    (low, high), (other_low, other_high) = wilson(share, total), wilson(other, total)
    difference = share - other
    return (
        max(-1.0, difference - hypot(share - low, other_high - other)),
        min(1.0, difference + hypot(high - share, other - other_low)),
    )


class Bootstrap:
    """Draw units with replacement, each with all its items, and compute rates over the draws."""

    def __init__(self, name: str, units: Iterable[str | None]) -> None:
        """Draw the units of a dataset DRAWS times, as many as there are."""
        self.place = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
        below, size = stream("score", name, "bootstrap").below, len(self.place)
        draws = (np.fromiter((below(size) for _ in range(size)), int, size) for _ in range(DRAWS))
        self.counts = np.array([np.bincount(draw, minlength=size) for draw in draws], float)  # of each unit, by draw

    def rate(self, values: Values, chance_of: Chance | None = None, answer: str = "") -> Rate:
        """Return how often a value is true, with its 95 % interval: percentiles of that share over the draws.

        chance_of: how often a blind choice makes the value of an item true. answer: the one whose share this is.
        """
        right = fsum(value for _, value in values)
        right = int(right) if right.is_integer() else right
        interval = self._interval(values, lambda n_units: wilson(right / len(values), n_units))
        chance = fmean(chance_of(item) for item, _ in values) if chance_of else None
        return Rate(right, len(values), chance, *interval, answer)

    def difference(self, values: Values, others: Values) -> Difference:
        """Return the rate of values minus the rate of others about the same items, with its 95 % interval.

        Both rates are taken over the same draws: what makes a story hard for both does not widen the interval.
        """
        share, other = (sum(value for _, value in some) / len(some) for some in (values, others))
        less = [(item, value - other) for (item, value), (_, other) in zip(values, others, strict=True)]
        interval = self._interval(less, lambda n_units: newcombe(share, other, n_units))
        return Difference(share - other, *interval, len(values))

    def _interval(self, values: Values, single: Callable[[int], Interval]) -> Interval:
        """Return the interval of the mean of values; where it has no width, `single` of the number of units."""
        units = [self.place[item.unit] for item, _ in values]
        total = np.bincount(units, minlength=len(self.place))
        sums = np.bincount(units, [value for _, value in values], len(self.place))
        rows = self.counts @ total
        low, high = map(float, np.percentile((self.counts @ sums)[rows > 0] / rows[rows > 0], (2.5, 97.5)))
        return single(int((total > 0).sum())) if high - low < NO_WIDTH else (low, high)

    def sums(self, units: Sequence[str | None], columns: Sequence[int], n_columns: int) -> Any:
        """Return how many trials fall into each column, by draw, given the unit and the column of each trial."""
        table = np.zeros((len(self.place), n_columns))
        np.add.at(table, ([self.place[unit] for unit in units], list(columns)), 1)
        return self.counts @ table

    def rates(self, values: Mapping[str, Values], chance_of: Chance | None = None) -> dict[str, Rate]:
        """Return the rate of each of several metrics, which have the same chance; one without values is left out."""
        return {metric: self.rate(of_items, chance_of) for metric, of_items in values.items() if of_items}
