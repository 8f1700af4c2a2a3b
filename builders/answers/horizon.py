"""The horizon: how many hops, worlds or tokens a row may take before the accuracy above chance falls to one half.

A reply to a row whose dial shows v is right with probability c + (1 - c) / (1 + exp(-slope * (log2 h - log2 v))), where
c is how often a blind choice is right, and h is the horizon. Both unknowns are fitted by maximum likelihood; the slope
is above 0, as accuracy does not grow with the dial.

A weak penalty keeps the slope finite where all replies are right up to some value and none behind: -ln(slope)² / 2. It
is lightest at slope 1, which is about the slope of a reader who errs at each hop with the same probability.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, log2
from operator import attrgetter
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from .items import Item
from .rates import Bootstrap, Rate
from .tokens import numbers_of

TOKENS = "tokens"  # what grows in the second horizon: the tokens that a reply took

FINE = 20  # horizons that are tried for each doubling
BEYOND = 16  # horizons that are tried below the smallest value, and above the greatest
SLOPES = 2.0 ** np.arange(-5, 5.1, 1 / 3)  # slopes that are tried
LIKELY = 1.92  # how far below its maximum the logarithm of the likelihood is at the bounds of a 95 % interval
ZOOMS = 6  # how often the fit looks closer
AT_ONCE = 1 << 23  # numbers of a matrix that are computed together


class Trial(NamedTuple):
    """Hold one scored reply to a row that has a dial."""

    unit: str | None  # the story or block of the row
    value: int  # what the dial shows: 1 or more
    chance: float  # how often a blind choice is right
    right: bool


class Point(NamedTuple):
    """Hold what was measured where the dial is between two powers of two."""

    smallest: int  # values there
    greatest: int
    place: float  # their geometric mean
    rate: Rate  # the accuracy
    tokens: float | None = None  # the mean number of tokens of the replies that report it


@dataclass(frozen=True, slots=True)
class Horizon:
    """Hold where the accuracy above chance is one half, with its 95 % interval.

    A value below the smallest of the rows is 0, and one above the greatest is infinite: nothing is known of it.
    """

    dial: str  # what grows: hops, worlds or tokens
    smallest: int  # values of the rows
    greatest: int
    at: float
    low: float
    high: float
    fitted: float  # log2 of the horizon of the curve; it may lie outside the values of the rows
    slope: float  # of the curve there, above 0
    chance: float  # mean of the rows
    points: Sequence[Point] = ()

    def named(self, value: float) -> str:
        """Return a value as it is printed: a number, or such as "above 64" where it is outside the rows."""
        if value == 0:
            return f"below {self.smallest:,}"
        if value == inf:
            return f"above {self.greatest:,}"
        return f"{value:.1f}" if value < 100 else f"{value:,.0f}"

    def __str__(self) -> str:
        at, low, high = map(self.named, (self.at, self.low, self.high))
        return at if low == high == at else f"{at} ({low}–{high})"

    def accuracy(self, value: float) -> float:
        """Return how often the curve says that a reply is right."""
        return float(self.chance + (1 - self.chance) * _above_chance(self.fitted, self.slope, log2(value)))

    def as_json(self) -> dict[str, Any]:
        """Return the horizon as JSON can hold it; a bound outside the rows is a text, such as "above 64"."""
        bounds = {"at": self.at, "low": self.low, "high": self.high}
        report: dict[str, Any] = {
            name: bound if 0 < bound < inf else self.named(bound) for name, bound in bounds.items()
        }
        report |= {"text": str(self), "smallest": self.smallest, "greatest": self.greatest, "chance": self.chance}
        report |= {"log2_of_curve": self.fitted, "slope_of_curve": self.slope}
        points = [
            {"smallest": point.smallest, "greatest": point.greatest, "share": point.rate.share, "low": point.rate.low}
            | {"high": point.rate.high, "rows": point.rate.total}
            | ({"tokens": point.tokens} if point.tokens is not None else {})
            for point in self.points
        ]
        return {**report, "points": points}


def horizons(replies: Sequence[Item], bootstrap: Bootstrap) -> dict[str, Horizon]:
    """Return the horizon by what grows: the dial of the rows, and TOKENS where replies differ in these.

    Nothing where no row has a dial.
    """
    found = {}
    turned = [reply for reply in replies if reply.dial is not None]
    if turned:
        name = turned[0].dial_name
        found[name] = horizon_of(name, turned, attrgetter("dial"), bootstrap)
        counted = [reply for reply in turned if reply.tokens]
        if len({reply.tokens for reply in counted}) > 1:
            found[TOKENS] = horizon_of(TOKENS, counted, attrgetter("tokens"), bootstrap)
    return found


def horizon_of(dial: str, replies: Sequence[Item], value_of: Callable[[Item], int], bootstrap: Bootstrap) -> Horizon:
    """Return the horizon of scored replies, given what the dial shows for each, with what was measured along it."""
    points = []
    for some in by_doubling(replies, value_of).values():
        values, tokens = [value_of(reply) for reply in some], numbers_of(some)
        rate = bootstrap.rate([(reply, reply.right) for reply in some], attrgetter("chance"))
        place = 2 ** fmean(map(log2, values))
        points.append(Point(min(values), max(values), place, rate, fmean(tokens) if tokens else None))
    trials = [Trial(reply.unit, value_of(reply), reply.chance, reply.right) for reply in replies]
    return fit(dial, trials, bootstrap, points)


def by_doubling(replies: Iterable[Item], value_of: Callable[[Item], int]) -> dict[str, list[Item]]:
    """Return replies by the values that stand between two powers of two, named by the smallest and greatest there."""
    groups: dict[int, list[Item]] = {}
    for reply in sorted(replies, key=value_of):
        groups.setdefault(value_of(reply).bit_length(), []).append(reply)
    named = {}
    for some in groups.values():
        first, last = value_of(some[0]), value_of(some[-1])
        named[f"{first:,}" if first == last else f"{first:,} to {last:,}"] = some
    return named


def by_dial(replies: Iterable[Item]) -> dict[str, dict[str, list[Item]]]:
    """Return the replies to rows that have a dial, by its name and the values that it shows, such as "hops 4 to 7"."""
    turned = [reply for reply in replies if reply.dial is not None]
    if not turned:
        return {}
    name = turned[0].dial_name
    return {name: {f"{name} {values}": some for values, some in by_doubling(turned, attrgetter("dial")).items()}}


def fit(dial: str, trials: Sequence[Trial], bootstrap: Bootstrap, points: Sequence[Point] = ()) -> Horizon:
    """Return the horizon of the likeliest curve through some trials, with its 95 % interval.

    The interval reaches from the lower to the upper of two kinds of bounds: percentiles of the horizon over the draws
    of the bootstrap, and the horizons whose likelihood is not too low if each unit is a single trial. The second is the
    wider one where a curve falls between two values so steeply that all draws say the same.
    """
    cells = sorted({(trial.value, trial.chance) for trial in trials})
    place = {cell: number for number, cell in enumerate(cells)}
    columns = [place[trial.value, trial.chance] for trial in trials]
    # How often each cell is right, and how often it is wrong.
    columns = [column + (0 if trial.right else len(cells)) for column, trial in zip(columns, trials, strict=True)]
    units = [trial.unit for trial in trials]
    values, chances = np.log2([value for value, _ in cells]), np.array([chance for _, chance in cells])
    low, high = values[0], values[-1]
    curves = _curves(low, high)
    likely = _logarithms(*curves, values, chances)
    penalty = -(np.log(curves[1]) ** 2) / 2
    counts = np.bincount(columns, minlength=2 * len(cells)).astype(float)
    weight = counts @ likely + penalty
    best = int(weight.argmax())
    fitted, slope = _closer(curves[0][best], curves[1][best], counts, values, chances)

    drawn = bootstrap.sums(units, columns, 2 * len(cells))
    drawn = drawn[drawn.any(axis=1)]
    size = max(1, AT_ONCE // likely.shape[1])
    chosen = [(drawn[at : at + size] @ likely + penalty).argmax(axis=1) for at in range(0, len(drawn), size)]
    over_draws = np.percentile(curves[0][np.concatenate(chosen)], (2.5, 97.5), method="inverted_cdf")
    single = weight * len(set(units)) / len(trials)
    near = curves[0][single >= single.max() - LIKELY]
    bounds = min(over_draws[0], near.min(), fitted), max(over_draws[1], near.max(), fitted)

    def told(place: float) -> float:
        """Return the value at a place, 0 below the smallest value and infinity above the greatest."""
        return 0.0 if place < low else inf if place > high else float(2**place)

    return Horizon(
        dial,
        smallest=cells[0][0],
        greatest=cells[-1][0],
        at=told(fitted),
        low=told(bounds[0]),
        high=told(bounds[1]),
        fitted=fitted,
        slope=slope,
        chance=fmean(trial.chance for trial in trials),
        points=points,
    )


def _curves(low: float, high: float) -> tuple[Any, Any]:
    """Return the horizons and the slopes of the curves that are tried, from below the smallest value to above."""
    inside = np.linspace(low, high, max(2, round((high - low) * FINE) + 1))
    places = []
    for slope in SLOPES:
        # Beyond 8 / slope the curve is as good as flat.
        beyond = np.geomspace(1 / FINE, max(8 / slope, 2 / FINE), BEYOND)
        places.append(np.concatenate([low - beyond, inside, high + beyond]))
    return np.concatenate(places), np.repeat(SLOPES, len(places[0]))


def _above_chance(place: Any, slope: Any, value: Any) -> Any:
    """Return the share of what a blind choice misses that a curve says is right, given log2 of horizon and value."""
    return 1 / (1 + np.exp(-np.clip(slope * (place - value), -40, 40)))


def _logarithms(places: Any, slopes: Any, values: Any, chances: Any) -> Any:
    """Return the logarithms of how likely it is that each cell is right, and below them wrong, by curve."""
    right = chances[:, None] + (1 - chances[:, None]) * _above_chance(places, slopes, values[:, None])
    # No reply is sure to be right or wrong, so that no single one forbids a curve.
    return np.log(np.concatenate([right, 1 - right]).clip(1e-12))


def _closer(place: float, slope: float, counts: Any, values: Any, chances: Any) -> tuple[float, float]:
    """Return the place and the slope of the likeliest curve near one that was tried."""
    width, factor = 1 / FINE, 2 ** (1 / 3)
    for _ in range(ZOOMS):
        places, slopes = place + np.linspace(-width, width, 17), slope * np.geomspace(1 / factor, factor, 17)
        tried, of_slope = (each.ravel() for each in np.meshgrid(places, slopes))
        weight = counts @ _logarithms(tried, of_slope, values, chances) - np.log(of_slope) ** 2 / 2
        best = int(weight.argmax())
        place, slope = float(tried[best]), float(of_slope[best])
        width, factor = width / 4, factor ** (1 / 4)
    return place, slope
