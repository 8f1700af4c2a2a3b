"""Pictures of answer positions, shortcuts, difficulty, calibration and scores: each function writes one PNG.

They are made for 800 pixels of width, for light and dark pages, and for grey. So the ground is opaque and near white.
Our series is dark, the published one light, with another marker or a hatch. On one machine the same numbers give the
same bytes. Each function takes panels by title and leaves out empty ones; `heading` is the title of the whole picture.
It returns the figure that it saved, None where no panel is left.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log2
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from .shares import BLIND, Along, Proportion, Share

PAPER, INK = "#fcfcfa", "#22262b"  # colours of the ground, and of texts and axes

# How each series is filled, in the order in which they are drawn.
SERIES: dict[str, dict[str, Any]] = {
    "ours": {"facecolor": "#17457a", "edgecolor": "#17457a"},
    "published": {"facecolor": "#f6cf9a", "edgecolor": "#7d4300", "hatch": "/////"},
}

MARKERS = {"ours": "o", "published": "D"}

# Width in inches, pixels of an inch (10 points are 14 pixels of 800), and letters of titles beside one another.
WIDTH, DPI, LETTERS = 8.0, 150, 77

# Letters of a line of the legend at most, and how many the look of a series takes beside its name.
LEGEND, HANDLE = 100, 7

STYLE = Path(__file__).with_name("pictures.mplstyle")  # what differs from matplotlib's defaults

# How the line of a blind choice is drawn: before bars, with a light border that dark ones show; behind points.
CHANCE: dict[str, Any] = {
    "color": INK,
    "linestyle": (0, (4, 3)),
    "linewidth": 1.8,
    "zorder": 1.5,
    "path_effects": [withStroke(linewidth=4, foreground=PAPER)],
}

# How a gate is drawn: a short line across its row, behind its points.
GATE: dict[str, Any] = {
    "marker": "|",
    "markersize": 15,
    "markeredgewidth": 3.5,
    "color": "#b3001b",
    "zorder": 1.8,
    "linestyle": "",
}

Drawn = Figure | None  # a figure that was saved, None where it has nothing to show

Panels = Mapping[str, Any]  # what is shown, by the title of its axes

Draw = Callable[[Axes, Any], None]  # a function that shows the content of a panel on its axes

# Shares by series and place, or by rule and series; each is drawn with its 95 % interval.
Shares = Mapping[str, Mapping[str, Proportion]]


def _page(
    path: Path,
    panels: Panels,
    draw: Draw,
    x: str,
    y: str,
    heading: str,
    height: float,
    most: int = 3,
    share: bool = True,
) -> Drawn:
    """Save a figure with one axes for each panel, whose content `draw` shows; return it, None where no panel is left.

    x, y: what the axes show. height: of one row of axes, in inches. most: axes in a row, at most. share: whether
    all axes have one scale of y.
    """
    if not (panels := _full(panels)):
        return None
    rows = -(-len(panels) // most)
    columns = -(-len(panels) // rows)
    # From matplotlib's own defaults: a reader's matplotlibrc must not change the bytes. It is put back at the end.
    with style.context(["default", STYLE]):
        figure = Figure((WIDTH, rows * height + 1), dpi=DPI, layout="constrained")
        cells = list(figure.subplots(rows, columns, squeeze=False, sharey=share).flat)
        for spare in cells[len(panels) :]:
            spare.remove()
        legend: dict[str, Any] = {}
        for number, (axes, (title, shown)) in enumerate(zip(cells, panels.items(), strict=False)):
            wrapped = (fill(line, LETTERS // columns, break_long_words=False) for line in title.splitlines())
            axes.set_title("\n".join(wrapped))
            axes.set_ylabel(y if number % columns == 0 else "")
            draw(axes, shown)
            legend |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        figure.supxlabel(x)
        if legend:
            named = dict(sorted(legend.items(), key=lambda entry: entry[0] not in SERIES))
            # The layout sets a legend and a figure's title upon each other, so the heading is the legend's title.
            lines = -(-sum(len(label) + HANDLE for label in named) // LEGEND)
            columns_of_names = -(-len(named) // lines)
            figure.legend(named.values(), named, title=heading, loc="outside upper center", ncols=columns_of_names)
        else:
            figure.suptitle(heading)
        figure.savefig(path, metadata={"Software": None})
        return figure


def _full(content: Any) -> Any:
    """Return panels without what is empty or None in them."""
    if isinstance(content, Mapping):
        return {name: kept for name, part in content.items() if (kept := _full(part))}
    return content


def _points(axes: Axes, shares: Mapping[float, Proportion], across: bool = False, **look: Any) -> None:
    """Draw shares by their places, each as a marker and its interval as a line; `across` from left to right."""
    lows, highs = zip(*(share.interval() for share in shares.values()), strict=True)
    places, colour = list(shares), look.get("markeredgecolor", look["color"])
    (axes.hlines if across else axes.vlines)(places, lows, highs, color=colour, linewidth=1.4)
    ends = places, [share.share for share in shares.values()]
    marked: dict[str, Any] = {"markersize": 5, "linestyle": "", **look}
    axes.plot(*(ends[::-1] if across else ends), **marked)


def _percent(share: float, _: float) -> str:
    """Return a share as a tick shows it."""
    return f"{100 * share:g}"


def answer_positions(path: Path, panels: Panels, positions: Sequence[str], chance: float | None, heading: str) -> Drawn:
    """Draw how often the answer stands at each position, from the count of each, by "ours" or "published"."""

    def draw(axes: Axes, by_series: Mapping[str, Sequence[int]]) -> None:
        width = 0.8 / len(by_series)
        for place, (series, counts) in enumerate(by_series.items()):
            left = [position - 0.4 + place * width for position in range(len(counts))]
            shares = [count / sum(counts) for count in counts]
            axes.bar(left, shares, width, align="edge", label=series, linewidth=0.6, **SERIES[series])
        _place_shares(axes, positions, chance)

    return _page(path, panels, draw, "position of the answer", "% of answers", heading, 2.1)


def shortcuts(path: Path, panels: Panels, chance: float | None, gates: Mapping[str, float], heading: str) -> Drawn:
    """Draw how often each rule is right, by "ours" or "published", and the share that `gates` allow a rule at most.

    Rules are rows, in the order in which the panels name them.
    """
    panels = _full(panels)
    rows = {rule: row for row, rule in enumerate(dict.fromkeys(rule for rules in panels.values() for rule in rules))}

    def draw(axes: Axes, rules: Shares) -> None:
        if chance is not None:
            axes.axvline(chance, label="chance", **CHANCE)
        for series, offset in (("ours", -0.18), ("published", 0.18)):
            if at := {rows[rule] + offset: shares[series] for rule, shares in rules.items() if series in shares}:
                face, edge = SERIES[series]["facecolor"], SERIES[series]["edgecolor"]
                _points(axes, at, True, label=series, marker=MARKERS[series], color=face, markeredgecolor=edge)
        if gated := {rows[rule]: gates[rule] for rule in rules if rule in gates}:
            axes.plot(list(gated.values()), list(gated), label="gate", **GATE)
        axes.set(xlim=(-0.06, 1.06), ylim=(len(rows) - 0.5, -0.5), xticks=[0, 0.5, 1])
        axes.xaxis.set_major_formatter(_percent)
        axes.set_yticks(list(rows.values()), list(rows))
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")

    return _page(path, panels, draw, "% right, with its 95 % interval", "", heading, 0.7 + 0.27 * len(rows), 5)


def difficulty_histograms(path: Path, panels: Mapping[str, Sequence[float]], heading: str) -> Drawn:
    """Draw how the difficulties of rows are spread: the share of rows in each bin of 0.1, from 0 to 2."""

    def draw(axes: Axes, values: Sequence[float]) -> None:
        # A hair more, as 0.3 may be less than the edge at 0.3; a difficulty of 2 counts in the last bin.
        lifted, weights = [min(value + 1e-9, 2) for value in values], [1 / len(values)] * len(values)
        axes.hist(lifted, 20, range=(0, 2), weights=weights, color=SERIES["ours"]["facecolor"], edgecolor=PAPER)
        axes.axvline(1, **CHANCE)
        axes.text(1, 1.01, "right | wrong", transform=axes.get_xaxis_transform(), ha="center", fontsize=9)
        axes.set_title(axes.get_title(), pad=18)
        axes.set(xlim=(0, 2), xticks=[0, 0.5, 1, 1.5, 2])
        axes.yaxis.set_major_formatter(_percent)

    titled = {f"{title} (n = {len(values):,})": values for title, values in panels.items()}
    return _page(path, titled, draw, "difficulty", "% of rows", heading, 2.1)


def deciles(scored: Sequence[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    """Return (confidence, right), sorted by confidence, in ten groups of one size.

    A cut that falls among equal confidences moves behind them, so the order of rows decides nothing. Groups then differ
    in size. There are fewer than ten where a cut reaches the next one, and where there are fewer than ten rows.
    """
    ranked = sorted(scored)
    confidences = [confidence for confidence, _ in ranked]
    ends = {-(-group * len(ranked) // 10) for group in range(1, 11)} - {0}
    cuts = sorted({0} | {bisect_right(confidences, confidences[end - 1]) for end in ends})
    return [ranked[start:end] for start, end in pairwise(cuts)]


def calibration(path: Path, panels: Mapping[str, Sequence[tuple[float, bool]]], heading: str) -> Drawn:
    """Draw how often predictions of each confidence are right, from (confidence from 0 to 1, right) of each row.

    Each of the `deciles` has one marker, at its mean confidence, with its 95 % Wilson interval. The title says how many
    rows there are, and how many a group has.
    """
    points: dict[str, dict[float, Share]] = {}
    for title, scored in _full(panels).items():
        groups = deciles(scored)
        sizes = [len(group) for group in groups]
        between = " to ".join(f"{size:,}" for size in sorted({min(sizes), max(sizes)}))
        points[f"{title} (n = {len(scored):,})\nin groups of {between}"] = {
            fmean(confidence for confidence, _ in group): Share(sum(right for _, right in group), len(group), 0.5)
            for group in groups
        }
    lowest = [min(mean, share.interval()[0]) for shares in points.values() for mean, share in shares.items()]
    start = min((floor(10 * value) / 10 for value in lowest), default=0)

    def draw(axes: Axes, shares: Mapping[float, Share]) -> None:
        axes.axline((0, 0), (1, 1), label="perfect calibration", **CHANCE)
        marker, colour = MARKERS["ours"], SERIES["ours"]["facecolor"]
        _points(axes, shares, label="a group, with its 95 % interval", marker=marker, color=colour)
        axes.set(xlim=(start - 0.02, 1.02), ylim=(start - 0.02, 1.02), aspect="equal")
        axes.grid(axis="x")

    height = 3.8 if len(points) in (1, 2, 4) else 2.9  # panels are square, and three in a row are narrow
    return _page(path, points, draw, "mean confidence", "share right", heading, height)


# The markers, lines and colours of series, in turn; twelve series can be told apart without colour.
MARKS = "oDs^vP*X<>ph"
LINES = ("-", "--", ":", "-.", (0, (6, 2, 1, 2, 1, 2)))
SHADES = ("#17457a", "#9c5300", "#4d4d4d", "#1f6b4f", "#7a2a5c")


def curves(path: Path, panels: Panels, x: str, y: str, heading: str, chance: float | None = None) -> Drawn:
    """Draw shares that change from one place of the x-axis to the next, by series and place.

    Places stand in the order in which they are first named. chance: the height of its line; where it differs by place,
    the series BLIND has it.
    """
    panels = _full(panels)
    names = list(dict.fromkeys(series for by_series in panels.values() for series in by_series if series != BLIND))
    places = list(dict.fromkeys(place for kept in panels.values() for shares in kept.values() for place in shares))

    def draw(axes: Axes, by_series: Shares) -> None:
        for series, shares in by_series.items():
            if series == BLIND:
                blind = {places.index(place): share.share for place, share in shares.items()}
                axes.plot(list(blind), list(blind.values()), label=BLIND, **CHANCE)
                continue
            number = names.index(series)
            marker, line, colour = (looks[number % len(looks)] for looks in (MARKS, LINES, SHADES))
            offset = (number - (len(names) - 1) / 2) * 0.6 / max(len(names), 4)
            at = {places.index(place) + offset: share for place, share in shares.items()}
            _points(axes, at, label=series, marker=marker, linestyle=line, linewidth=1.2, color=colour)
        axes.set(xlim=(-0.5, len(places) - 0.5), ylim=(-0.03, 1.03))
        _place_shares(axes, places, chance)

    return _page(path, panels, draw, x, f"% {y}", heading, 2.9, 2 if len(places) > 4 else 3)


def trends(path: Path, panels: Panels, heading: str) -> Drawn:
    """Draw what changes along a logarithmic axis, from an `Along` by title.

    Each series has its measured points with their intervals, a line, and a stroke on a bar: where the line crosses one
    height, with the interval of that place. A series without reasoning looks like the one with it, hollow and dashed.
    """
    names = list(dict.fromkeys(name for along in panels.values() for name in along.series))
    likes = {name: trend.like for along in panels.values() for name, trend in along.series.items()}
    looks = [name for name in names if likes[name] not in names]

    def draw(axes: Axes, along: Along) -> None:
        for number, (name, trend) in enumerate(along.series.items()):
            hollow = likes[name] in names
            look = looks.index(str(likes[name]) if hollow else name)
            colour, marker = SHADES[look % len(SHADES)], MARKS[look % len(MARKS)]
            face, line = (PAPER, "--") if hollow else (colour, "-")
            shift = 2 ** ((number - (len(along.series) - 1) / 2) * 0.08)
            places = [place * shift for place in trend.points]
            middles, lows, highs = zip(*trend.points.values(), strict=True)
            axes.vlines(places, lows, highs, color=colour, linewidth=1.2)
            looked: dict[str, Any] = {"marker": marker, "markersize": 5, "markerfacecolor": face, "color": colour}
            axes.plot(places, middles, linestyle="" if trend.line else line, linewidth=1.2, **looked)
            axes.plot(*zip(*trend.line, strict=True), linestyle=line, color=colour) if trend.line else None
            axes.plot([], [], label=name, linestyle=line, **looked)  # the legend shows points and line as one
            if trend.cross:
                place, low, high, height = trend.cross
                axes.hlines(height, low, high, color=colour, linewidth=5, alpha=0.45)
                axes.plot(place, height, marker="|", markersize=16, markeredgewidth=3, color=colour)
        if along.chance is not None:
            axes.axhline(along.chance, label="chance", **CHANCE)
            axes.set_ylim(-0.03, 1.03)
        else:
            axes.set_yscale("log", base=2)
        axes.set_xscale("log", base=2)
        axes.set(xlabel=along.x, ylabel=along.y)
        for axis, bounds in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            if axis is axes.xaxis or along.chance is None:
                axis.set_ticks(_powers(*bounds))
                axis.set_ticks([], minor=True)
                axis.set_major_formatter(lambda value, _: f"{value:,g}")
            else:
                axis.set_major_formatter(_percent)

    return _page(path, panels, draw, "", "", heading, 3.4, 2, share=False)


def _powers(low: float, high: float, most: int = 8) -> list[float]:
    """Return powers of two between two bounds, each as many times the one before, `most` at most."""
    powers = range(ceil(log2(low)), floor(log2(high)) + 1)
    return [2.0**power for power in powers[:: -(-len(powers) // most) or 1]]


def _place_shares(axes: Axes, places: Sequence[str], chance: float | None) -> None:
    """Label the axes of a panel that has shares by place, and draw the line of chance."""
    if chance is not None:
        axes.axhline(chance, label="chance", **CHANCE)
    axes.set_xticks(range(len(places)), places)
    axes.yaxis.set_major_formatter(_percent)
