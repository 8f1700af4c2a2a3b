"""Own rates: how often something holds of scored replies, with the interval of a bootstrap over stories or blocks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from builders.answers.items import Item
from builders.audit.shares import Share
from builders.markdown import markdown_table
from builders.streams import stream

DRAWS = 1000
"""How often the bootstrap draws the stories or blocks anew."""


@dataclass(frozen=True, slots=True)
class Rate(Share):
    """Hold a share with its bootstrap interval: the rows of one story or block are not independent."""

    low: float = 0.0  # lower bound of the 95 % interval
    high: float = 1.0  # upper bound

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval."""
        return self.low, self.high


Table = dict[str, dict[str, Rate]]
"""The rates of each group; a rate that is not defined is left out."""


class Bootstrap:
    """Draw units with replacement, each with all its items, and compute rates over the draws."""

    def __init__(self, name: str, units: Iterable[str | None]) -> None:
        """Draw the units of a dataset DRAWS times, as many as there are."""
        self.place = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
        below, size = stream("score", name, "bootstrap").below, len(self.place)
        self.counts = np.zeros((DRAWS, size))  # how often each draw has each unit
        for counts in self.counts:
            counts += np.bincount(np.fromiter((below(size) for _ in range(size)), int, size), minlength=size)

    def rate(self, values: Sequence[tuple[Item, bool]]) -> Rate:
        """Return how often a value is true, with the 2.5th and 97.5th percentile of that share over the draws."""
        holds, total = np.zeros((2, len(self.place)))
        for item, value in values:
            holds[self.place[item.unit]] += value
            total[self.place[item.unit]] += 1
        rows = self.counts @ total
        shares = (self.counts @ holds)[rows > 0] / rows[rows > 0]
        low, high = np.percentile(shares, (2.5, 97.5))
        chance = fmean(1 / len(item.choices) for item, _ in values)
        return Rate(sum(value for _, value in values), len(values), chance, float(low), float(high))

    def rates(self, values: Mapping[str, Sequence[tuple[Item, bool]]]) -> dict[str, Rate]:
        """Return the rate of each of several metrics; one without values is left out."""
        return {metric: self.rate(of_items) for metric, of_items in values.items() if of_items}


def render(table: Table) -> str:
    """Return a table in Markdown: a column for each group, a row for each metric, per cent with its interval.

    A rate over fewer rows than its group has says over how many.
    """
    metrics = dict.fromkeys(metric for rates in table.values() for metric in rates)
    totals = [max((rate.total for rate in rates.values()), default=0) for rates in table.values()]
    lines = [["rows", *(f"{total:,}" for total in totals)]]
    if "accuracy" in metrics:
        chances = [rates["accuracy"].chance if "accuracy" in rates else None for rates in table.values()]
        lines.append(["chance", *("" if chance is None else f"{100 * chance:.1f}" for chance in chances)])
    for metric in metrics:
        rates = [group.get(metric) for group in table.values()]
        lines.append([metric, *(_cell(rate, total) for rate, total in zip(rates, totals, strict=True))])
    return markdown_table(["", *table], lines)


def _cell(rate: Rate | None, total: int) -> str:
    """Return the cell of a rate in a group of so many rows."""
    if rate is None:
        return "not defined"
    return str(rate) if rate.total == total else f"{rate} of {rate.total:,}"
