"""Own the pictures: answer positions, shortcuts, difficulty, calibration, and what models scored; each is one PNG.

They are made for 800 pixels of width, for light and dark pages, and for grey. So the ground is opaque and near white.
Our series is dark, the published one light, with another marker or a hatch. On one machine the same numbers give the
same bytes. `heading` names the dataset, split and seed of a picture.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import floor
from pathlib import Path
from statistics import fmean
from textwrap import fill

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from builders.audit.shares import Share

PAPER, INK, FAINT = "#fcfcfa", "#22262b", "#dcdcd6"
"""Colours of the ground, of texts and axes, and of the grid."""

SERIES = {
    "ours": {"facecolor": "#17457a", "edgecolor": "#17457a"},
    "published": {"facecolor": "#f6cf9a", "edgecolor": "#7d4300", "hatch": "/////"},
}
"""How each series is filled, in the order in which they are drawn."""

MARKERS = {"ours": "o", "published": "D"}

WIDTH, DPI = 8.0, 150
"""Width in inches, and pixels of an inch: 10 points are 14 pixels of 800."""

STYLE = {
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), PAPER),
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.titlesize", "figure.labelsize", "legend.fontsize"), 10.0),
    **dict.fromkeys(("figure.titlesize", "legend.title_fontsize"), 11.0),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize"), 9.0),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    "axes.axisbelow": True,
    **dict.fromkeys(("figure.constrained_layout.wspace", "figure.constrained_layout.hspace"), 0.05),
    "grid.color": FAINT,
    "hatch.linewidth": 0.8,
}
"""What differs from matplotlib's defaults."""

CHANCE = {
    "color": INK,
    "linestyle": (0, (4, 3)),
    "linewidth": 1.8,
    "zorder": 1.5,
    "path_effects": [withStroke(linewidth=4, foreground=PAPER)],
}
"""How the line of a blind choice is drawn: before bars, with a light border that dark ones show; behind points."""

GATE = {"marker": "|", "markersize": 15, "markeredgewidth": 3.5, "color": "#b3001b", "zorder": 1.8}
"""How a gate is drawn: a short line across its row, behind its points."""

BINS = 20
"""Bars of a histogram of difficulties."""

GROUPS = 10
"""Groups of a calibration, at most."""

Rates = Mapping[str, tuple[float, float, float]]
"""Shares from 0 to 1 by name, each (share, low, high) with its 95 % interval."""


class EmptyPictureError(ValueError):
    """Say that a picture has nothing to show."""


@contextmanager
def _page(
    path: Path | str,
    titles: Sequence[str],
    x: str,
    y: str,
    height: float,
    most: int = 3,
    margin: float = 0.0,
    heading: str = "",
) -> Iterator[tuple[Figure, list[Axes]]]:
    """Yield a figure with one axes for each title; then give it a legend and save it.

    x, y: what the axes show. height: of one row of axes, in inches. most: axes in a row, at most. margin: inches that
    labels on the left take. heading: the title of the whole picture.
    """
    if not titles:
        raise EmptyPictureError(f"{path}: nothing to draw, every panel is empty")
    rows = -(-len(titles) // most)
    columns = -(-len(titles) // rows)
    # From matplotlib's own defaults: a reader's matplotlibrc must not change the bytes. It is put back at the end.
    with style.context(["default", STYLE]):
        figure = Figure((WIDTH, rows * height + 0.7 + 0.3 * bool(heading)), dpi=DPI, layout="constrained")
        cells = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        for spare in cells[len(titles) :]:
            spare.remove()
        room = int(12 * (WIDTH - margin) / columns)  # letters: about 12 to an inch
        for title, axes in zip(titles, cells, strict=False):
            axes.set_title("\n".join(fill(line, room, break_long_words=False) for line in title.splitlines()))
        for axes in cells[: len(titles) : columns]:
            axes.set_ylabel(y)
        figure.supxlabel(x)
        yield figure, cells[: len(titles)]
        legend = {}
        for axes in figure.axes:
            legend |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        if legend:
            named = sorted(legend, key=lambda label: label not in SERIES)
            handles = [legend[label] for label in named]
            # The layout sets a legend and a figure's title upon each other, so the heading is the legend's title.
            figure.legend(handles, named, loc="outside upper center", ncols=len(named), title=heading or None)
        elif heading:
            figure.suptitle(heading)
        figure.savefig(path, metadata={"Software": None})


def _percent(share: float, _: int) -> str:
    """Return a share as a tick shows it."""
    return f"{100 * share:g}"


def answer_positions(
    path: Path | str,
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    positions: Sequence[str],
    chance: float | None,
    heading: str = "",
) -> Figure:
    """Draw how often the answer stands at each position.

    panels: {title: {"ours" or "published": share of each position}}. Returns the figure that it saved. Raises
    EmptyPictureError where no panel has shares.
    """
    panels = {
        title: {name: by_series[name] for name in SERIES if by_series.get(name)}
        for title, by_series in panels.items()
        if any(by_series.get(name) for name in SERIES)
    }
    with _page(path, list(panels), "position of the answer", "% of answers", 2.1, heading=heading) as (figure, grid):
        for axes, by_series in zip(grid, panels.values(), strict=True):
            width = 0.8 / len(by_series)
            for place, (series, shares) in enumerate(by_series.items()):
                left = [position - 0.4 + place * width for position in range(len(shares))]
                axes.bar(left, shares, width, align="edge", label=series, linewidth=0.6, **SERIES[series])
            _place_shares(axes, positions, chance)
    return figure


def shortcuts(
    path: Path | str,
    panels: Mapping[str, Mapping[str, Rates]],
    chance: float | None,
    gates: Mapping[str, float] | None = None,
    heading: str = "",
) -> Figure:
    """Draw how often each rule is right.

    panels: {group: {rule: {"ours" or "published": (share, low, high)}}}; low and high bound the 95 % interval. gates:
    the share that a rule may reach at most. Rules are rows, in the order in which the groups name them. Returns the
    figure that it saved. Raises EmptyPictureError where no group has a rule with a share.
    """
    panels = {
        group: kept
        for group, rules in panels.items()
        if (kept := {rule: rates for rule, rates in rules.items() if any(rates.get(name) for name in SERIES)})
    }
    rows = {rule: row for row, rule in enumerate(dict.fromkeys(rule for rules in panels.values() for rule in rules))}
    drawn_rates = [rates for rules in panels.values() for rates in rules.values()]
    present = [name for name in SERIES if any(rates.get(name) for rates in drawn_rates)]
    offsets = {"ours": -0.18, "published": 0.18} if len(present) > 1 else dict.fromkeys(present, 0)
    x, height = "% right, with its 95 % interval", 0.7 + 0.27 * len(rows)
    with _page(path, list(panels), x, "", height, most=5, margin=1.6, heading=heading) as (figure, grid):
        for axes, rules in zip(grid, panels.values(), strict=True):
            if chance is not None:
                axes.axvline(chance, label="chance", **CHANCE)
            for series, offset in offsets.items():
                rates = {rows[rule] + offset: rates[series] for rule, rates in rules.items() if rates.get(series)}
                if rates:
                    _draw_rates(axes, series, rates)
            if gated := {rows[rule]: gates[rule] for rule in rules if rule in (gates or {})}:
                axes.plot(list(gated.values()), list(gated), linestyle="", label="gate", **GATE)
            axes.set_xlim(-0.06, 1.06)
            axes.set_xticks([0, 0.5, 1])
            axes.xaxis.set_major_formatter(_percent)
            axes.set_yticks(list(rows.values()), list(rows))
            axes.set_ylim(len(rows) - 0.5, -0.5)
            axes.tick_params(axis="y", length=0)
            axes.grid()
    return figure


def _draw_rates(axes: Axes, series: str, rates: Mapping[float, tuple[float, float, float]]) -> None:
    """Draw one series of shares with their intervals, each at its height."""
    shares, lows, highs = zip(*rates.values(), strict=True)
    face, edge = SERIES[series]["facecolor"], SERIES[series]["edgecolor"]
    axes.hlines(list(rates), lows, highs, color=edge, linewidth=1.4)
    marker = {"marker": MARKERS[series], "markersize": 5, "color": face, "markeredgecolor": edge}
    axes.plot(shares, list(rates), linestyle="", label=series, **marker)


def difficulty_histograms(path: Path | str, panels: Mapping[str, Sequence[float]], heading: str = "") -> Figure:
    """Draw how difficulties are spread: the share of rows in each bin of 0.1, from 0 to 2.

    panels: {title: difficulty of each row}. Returns the figure that it saved. Raises EmptyPictureError where no panel
    has values, and ValueError for a value beyond 0 to 2.
    """
    panels = {title: values for title, values in panels.items() if len(values)}
    titles = [f"{title} (n = {len(values):,})" for title, values in panels.items()]
    with _page(path, titles, "difficulty", "% of rows", 2.1, heading=heading) as (figure, grid):
        for axes, (title, values) in zip(grid, panels.items(), strict=True):
            if not 0 <= min(values) <= max(values) <= 2:
                raise ValueError(f"{title}: difficulty is from 0 to 2, not {min(values)} to {max(values)}")
            # Add a hair, as 0.3 * 10 may be less than 3; a difficulty of 2 counts in the last bin.
            counts = Counter(min(floor(value * BINS / 2 + 1e-9), BINS - 1) for value in values)
            shares = [counts[place] / len(values) for place in range(BINS)]
            edges = [2 * place / BINS for place in range(BINS)]
            axes.bar(edges, shares, 2 / BINS, align="edge", color=SERIES["ours"]["facecolor"], edgecolor=PAPER)
            axes.axvline(1, **CHANCE)
            axes.text(1, 1.01, "right | wrong", transform=axes.get_xaxis_transform(), ha="center", fontsize=9)
            axes.set_title(axes.get_title(), pad=18)
            axes.set_xlim(0, 2)
            axes.set_xticks([0, 0.5, 1, 1.5, 2])
            axes.yaxis.set_major_formatter(_percent)
            axes.grid(axis="y")
    return figure


def deciles(scored: Sequence[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    """Return (confidence, right), sorted by confidence, in ten groups of one size.

    A cut that falls among equal confidences moves behind them, so the order of rows decides nothing. Groups then differ
    in size. There are fewer than ten where a cut reaches the next one, and where there are fewer than ten rows.
    """
    ranked = sorted(scored)
    confidences = [confidence for confidence, _ in ranked]
    ends = {(group * len(ranked) + GROUPS - 1) // GROUPS for group in range(1, GROUPS + 1)} - {0}
    cuts = sorted({0} | {bisect_right(confidences, confidences[end - 1]) for end in ends})
    return [ranked[start:end] for start, end in pairwise(cuts)]


def _point(group: Sequence[tuple[float, bool]]) -> tuple[float, float, float, float]:
    """Return the mean confidence of a group, its share right, and the bounds of the share's interval."""
    share = Share(sum(right for _, right in group), len(group), 0.5)
    return fmean(confidence for confidence, _ in group), share.share, *share.interval()


def calibration(path: Path | str, panels: Mapping[str, Sequence[tuple[float, bool]]], heading: str = "") -> Figure:
    """Draw how often predictions of each confidence are right.

    panels: {title: (confidence from 0 to 1, right) of each row}. Each of the `deciles` has one marker, at its mean
    confidence, with its 95 % Wilson interval. The title says how many rows there are, and how many a group has. Returns
    the figure that it saved. Raises EmptyPictureError where no panel has rows.
    """
    grouped = {title: groups for title, scored in panels.items() if (groups := deciles(scored))}
    titles = []
    for title, groups in grouped.items():
        sizes = " to ".join(f"{size:,}" for size in sorted({min(map(len, groups)), max(map(len, groups))}))
        titles.append(f"{title} (n = {sum(map(len, groups)):,})\nin groups of {sizes}")
    panel_points = [[_point(group) for group in groups] for groups in grouped.values()]
    lowest = [min(confidence, low) for points in panel_points for confidence, _, low, _ in points]
    start = min((floor(10 * value) / 10 for value in lowest), default=0)
    height = 3.8 if len(titles) in (1, 2, 4) else 2.9  # panels are square, and three in a row are narrow
    with _page(path, titles, "mean confidence", "share right", height, heading=heading) as (figure, grid):
        for axes, points in zip(grid, panel_points, strict=True):
            confidences, shares, lows, highs = zip(*points, strict=True)
            axes.axline((0, 0), (1, 1), label="perfect calibration", **CHANCE)
            axes.vlines(confidences, lows, highs, color=SERIES["ours"]["edgecolor"], linewidth=1.4)
            marker = {"marker": MARKERS["ours"], "markersize": 5, "color": SERIES["ours"]["facecolor"]}
            axes.plot(confidences, shares, linestyle="", label="a group, with its 95 % interval", **marker)
            axes.set_xlim(start - 0.02, 1.02)
            axes.set_ylim(start - 0.02, 1.02)
            axes.set_aspect("equal")
            axes.grid()
    return figure


MARKS = "oDs^vP*X<>ph"
LINES = ("-", "--", ":", "-.", (0, (6, 2, 1, 2, 1, 2)))
SHADES = ("#17457a", "#9c5300", "#4d4d4d", "#1f6b4f", "#7a2a5c")
"""The markers, lines and colours of series, in turn; twelve series can be told apart without colour."""


def curves(
    path: Path | str,
    panels: Mapping[str, Mapping[str, Rates]],
    x: str,
    y: str,
    chance: float | None = None,
    heading: str = "",
) -> Figure:
    """Draw shares that change from one place of the x-axis to the next.

    panels: {title: {series: {place: (share, low, high)}}}; low and high bound the 95 % interval. Places stand in the
    order in which they are first named. Returns the figure that it saved. Raises EmptyPictureError where no panel has a
    share.
    """
    panels = {
        title: kept
        for title, by_series in panels.items()
        if (kept := {series: rates for series, rates in by_series.items() if rates})
    }
    names = list(dict.fromkeys(series for by_series in panels.values() for series in by_series))
    places = list(dict.fromkeys(place for kept in panels.values() for rates in kept.values() for place in rates))
    with _page(path, list(panels), x, f"% {y}", 2.9, most=2 if len(places) > 4 else 3, heading=heading) as (
        figure,
        grid,
    ):
        for axes, by_series in zip(grid, panels.values(), strict=True):
            for series, rates in by_series.items():
                number = names.index(series)
                marker, line, colour = (looks[number % len(looks)] for looks in (MARKS, LINES, SHADES))
                offset = (number - (len(names) - 1) / 2) * 0.6 / max(len(names), 4)
                at = [places.index(place) + offset for place in rates]
                shares, lows, highs = zip(*rates.values(), strict=True)
                axes.vlines(at, lows, highs, color=colour, linewidth=1.2)
                look = {"marker": marker, "markersize": 5, "linestyle": line, "linewidth": 1.2, "color": colour}
                axes.plot(at, shares, label=series, **look)
            axes.set_xlim(-0.5, len(places) - 0.5)
            axes.set_ylim(-0.03, 1.03)
            _place_shares(axes, places, chance)
    return figure


def _place_shares(axes: Axes, places: Sequence[str], chance: float | None) -> None:
    """Label the axes of a panel that has shares by place, and draw the line of chance."""
    if chance is not None:
        axes.axhline(chance, label="chance", **CHANCE)
    axes.set_xticks(range(len(places)), places)
    axes.yaxis.set_major_formatter(_percent)
    axes.grid(axis="y")


def two_by_two(
    path: Path | str,
    panels: Mapping[str, Sequence[Sequence[int]]],
    columns: Sequence[str],
    rows: Sequence[str],
    x: str = "",
    heading: str = "",
) -> Figure:
    """Draw tables of two by two; each cell says its share of the row, and its count.

    panels: {title: counts by row and column}. columns, rows: their labels. Returns the figure that it saved. Raises
    EmptyPictureError where no panel has counts.
    """
    panels = {title: counts for title, counts in panels.items() if any(map(sum, counts))}
    with _page(path, list(panels), x, "", 2.6, most=2, margin=1.0, heading=heading) as (figure, grid):
        for axes, counts in zip(grid, panels.values(), strict=True):
            for row, cells in enumerate(counts):
                for column, count in enumerate(cells):
                    share = count / sum(cells) if sum(cells) else 0.0
                    axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=_tint(share), edgecolor=INK))
                    text = f"{100 * share:.0f} %\n{count:,}" if sum(cells) else "none"
                    axes.text(column, row, text, ha="center", va="center", fontsize=10)
            axes.set_xlim(-0.5, len(columns) - 0.5)
            axes.set_ylim(len(rows) - 0.5, -0.5)
            axes.set_xticks(range(len(columns)), columns)
            axes.set_yticks(range(len(rows)), rows)
            axes.tick_params(length=0)
    return figure


def _tint(share: float) -> str:
    """Return the colour of a cell: the darker, the higher its share, yet light enough for a text."""
    ends = [[int(colour[place : place + 2], 16) for place in (1, 3, 5)] for colour in (PAPER, "#9dbbdd")]
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in zip(*ends, strict=True))
