"""The tables and pictures of docs/reference/results.md, from the measured figures: `python -m results.page`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from results.tables import CURVES, FIGURES, HERE, WORLDS, lines_of
from tom_datasets.answers.rates import Rate
from tom_datasets.audit.page import with_tables
from tom_datasets.audit.pictures import curves
from tom_datasets.audit.shares import BLIND, Share
from tom_datasets.files import write_text
from tom_datasets.markdown import markdown_table

PAGE = HERE.parent / "docs" / "reference" / "results.md"
PICTURES = HERE.parent / "pictures"
Figure = Mapping[str, Any]
RATE = ("share", "low", "high", "rows", "chance")  # what a line about a world keeps of a rate

# The frontier language model that read printed prompts only; its name is not recorded. What it was asked, how many
# questions, and how many it answered rightly.
FRONTIER = "a frontier language model that reasons"
FRONTIER_READ = {
    "hi_tom deep": ("", 30, 30),
    "hi_tom ladder": (", orders 8 and 10", 12, 12),
    "mindgames ladder": (", rung 6 and the next", 12, 12),
}
NAMES = {"0th_order": "order 0", "1st_order": "order 1", "2nd_order": "order 2", "3rd_order": "order 3",
         "4th_order": "order 4"}  # fmt: skip


def cell(figure: Figure) -> str:
    """Return a figure as a cell: per cent, with its 95 % interval."""
    return f"{100 * figure['share']:.1f} ({100 * figure['low']:.0f}–{100 * figure['high']:.0f})"


def percent(share: float | None) -> str:
    """Return a share as a cell, empty where there is none."""
    return "" if share is None else f"{100 * share:.1f}"


def named(group: str) -> str:
    """Return how a group is called on the page. The order of a hypothesis of mindgames is its depth and 1."""
    return f"order {int(group.removeprefix('depth ')) + 1}" if group.startswith("depth ") else NAMES.get(group, group)


def by_numbers(group: str) -> list[tuple[int, str]]:
    """Return what sorts groups: "hops 16" stands behind "hops 2"."""
    return [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", group)]


def results_table(data: str, figures: Sequence[Figure]) -> str:
    """Return the table of a config: a row for each reader, a column for each order, rung or setup."""
    own = [figure for figure in figures if figure["data"] == data]
    groups = sorted({figure["group"] for figure in own if figure["group"] != "all"}, key=by_numbers)
    by_place = {(figure["reader"], figure["group"]): figure for figure in own}
    readers = list(dict.fromkeys(figure["reader"] for figure in own))
    chance = {figure["group"]: figure["chance"] for figure in own}
    rows = [["by chance", "", *(percent(chance.get(group)) for group in (*groups, "all")), "", ""]]
    for reader in readers:
        whole = by_place.get((reader, "all"), {})
        of_groups = [by_place.get((reader, group)) for group in groups]
        total = whole.get("rows") or sum(figure["rows"] for figure in of_groups if figure)
        cells = [cell(figure) if figure else "" for figure in (*of_groups, whole or None)]
        commonest = f"{percent(whole['commonest'])} {whole['answer']}" if "commonest" in whole else ""
        rows.append([reader, f"{total:,}", *cells, percent(whole.get("unread")), commonest])
    if data in FRONTIER_READ:
        about, asked, right = FRONTIER_READ[data]
        low, high = Share(right, asked, 0.0).interval()
        whole = cell({"share": right / asked, "low": low, "high": high})
        rows.append([FRONTIER + about, str(asked), *("" for _ in groups), whole, "0.0", ""])
    header = ["reader", "rows", *map(named, groups), "all", "unread", "commonest answer"]
    if any("horizon" in figure for figure in own):
        dial = next(figure["dial"] for figure in own if "horizon" in figure)
        header.append(f"horizon in {dial}")
        horizon = {reader: by_place.get((reader, "all"), {}).get("horizon", "") for reader in readers}
        for row in rows:
            row.append(horizon.get(row[0], ""))
    return markdown_table(header, rows)


def tuned_table(figures: Sequence[Figure]) -> str:
    """Return how often models are right before and after they were fine-tuned."""
    rows = []
    for figure in figures:
        if "examples" in figure:
            commonest = f"{percent(figure['commonest'])} {figure['answer']}" if "commonest" in figure else ""
            counts = [f"{figure['examples']:,}", f"{figure['rows']:,}", percent(figure["chance"]), cell(figure)]
            model = figure["reader"].partition(", ")[0]
            rows.append([model, figure["data"], *counts, percent(figure["unread"]), commonest])
    header = ["model", "config", "examples seen", "test rows", "by chance", "right", "unread", "commonest answer"]
    return markdown_table(header, rows, left=2)


def worlds_table(lines: Sequence[Figure], dataset: str) -> str:
    """Return how often each reader is right in the house and in the other worlds, and what is right in all of them."""
    own = [line for line in lines if line["data"].startswith(dataset)]
    worlds = [world for world in dict.fromkeys(line["world"] for line in own) if world != "together"]
    by_place = {(line["reader"], line["data"], line["world"]): line for line in own}
    rows = []
    for reader, data in dict.fromkeys((line["reader"], line["data"]) for line in own):
        first, together = by_place[reader, data, worlds[0]], by_place[reader, data, "together"]
        gap = together["gap"]
        between = f"{100 * gap['share']:+.1f} ({100 * gap['low']:+.0f} to {100 * gap['high']:+.0f})"
        cells = [cell(by_place[reader, data, world]) for world in worlds]
        ends = [cell(together), percent(together["independent"]), between]
        rows.append([reader, data, f"{first['rows']:,}", percent(first["chance"]), *cells, *ends])
    header = [
        "reader",
        "config",
        "rows",
        "by chance",
        *worlds,
        "right in all",
        "if independent",
        "house above the others",
    ]
    return markdown_table(header, rows, left=2)


def cost_table(figures: Sequence[Figure]) -> str:
    """Return what each reader cost that was asked here: rows, seconds, tokens, replies that were cut."""
    rows = []
    for figure in figures:
        if "seconds" in figure:
            each = figure["seconds"] / figure["rows"]
            counted = (figure.get(count) for count in ("prompt_tokens", "completion_tokens"))
            tokens = ["" if count is None else f"{count:,}" for count in counted]
            counts = [f"{figure['rows']:,}", f"{each:.1f}", *tokens, f"{figure['cut']:,}"]
            rows.append([figure["reader"], figure["data"], *counts])
    header = ["reader", "config", "rows", "seconds a row", "tokens of prompts", "tokens of replies", "cut"]
    return markdown_table(header, rows, left=2)


def published_table(figures: Sequence[Figure]) -> str:
    """Return the table of the published replies to Hi-ToM: by the published labels, and by right ones."""
    own = [figure for figure in figures if figure["data"].startswith("Hi-ToM")]
    by_place = {(figure["reader"], figure["data"], figure["group"]): figure for figure in own}
    rows = []
    for reader, data in dict.fromkeys((figure["reader"], figure["data"]) for figure in own):
        whole = by_place[reader, data, "all"]
        shares = [cell(by_place[reader, data, group]) for group in (*NAMES, "all")]
        unread = percent(whole["unread"])
        rows.append([reader, data.removeprefix("Hi-ToM "), f"{whole['rows']:,}", *shares, unread])
    return markdown_table(["reader", "prompt and labels", "rows", *NAMES.values(), "all", "unread"], rows, left=2)


def curve_table(lines: Sequence[Figure]) -> str:
    """Return the learning curves: a row for each curve and config that is asked, a column for each number of rows."""
    points = sorted({line["seen"] for line in lines})
    rows = []
    for curve, asked in dict.fromkeys((line["curve"], line["asked"]) for line in lines):
        own = [line for line in lines if (line["curve"], line["asked"]) == (curve, asked)]
        for order in [*sorted({line["order"] for line in own}), None]:
            cells = []
            for point in points:
                some = [line for line in own if line["seen"] == point and order in (None, line["order"])]
                right, total = (sum(line[count] for line in some) for count in ("right", "rows"))
                cells.append(str(Share(right, total, 0.0)) if some else "")
            rows.append([curve, asked, "all" if order is None else str(order), *cells])
    header = ["trained on", "asked", "order", *(f"{point:,}" for point in points)]
    return markdown_table(header, rows, left=3)


def tables(figures: Sequence[Figure], lines: Sequence[Figure], told: Sequence[Figure]) -> dict[str, str]:
    """Return the tables of the page by their names."""
    asked = [figure for figure in figures if "examples" not in figure and not figure["data"].startswith("Hi-ToM")]
    return {
        **{name: results_table(name, asked) for name in dict.fromkeys(figure["data"] for figure in asked)},
        **{f"{dataset} worlds": worlds_table(told, dataset) for dataset in ("hi_tom", "mindgames") if told},
        "fine-tuned": tuned_table(figures),
        "cost": cost_table(figures),
        "published replies": published_table(figures),
        "learning curves": curve_table(lines),
    }


def by_number(figures: Iterable[Figure], data: str) -> dict[str, dict[str, Rate]]:
    """Return for a picture how often each reader is right by the number of an order or a rung, and a blind choice."""
    shares: dict[str, dict[str, Rate]] = {}
    blind: dict[str, Rate] = {}
    for figure in sorted(figures, key=lambda figure: by_numbers(figure["group"])):
        called = named(figure["group"])
        if figure["data"] == data and called[-1].isdecimal():
            place = called.rpartition(" ")[2]
            rate = Rate(figure["right"], figure["rows"], figure["chance"], figure["low"], figure["high"])
            shares.setdefault(figure["reader"], {})[place] = rate
            blind[place] = Rate(figure["chance"], 1, figure["chance"])
    return {**shares, BLIND: blind} if shares else {}


def draw(figures: Sequence[Figure], folder: Path) -> None:
    """Draw how often each reader is right by order or rung, one line a reader."""
    asked = [figure for figure in figures if "examples" not in figure]
    pictures = {"hi_tom": "hi_tom ", "mindgames": "mindgames ", "published": "Hi-ToM "}
    for name, begin in pictures.items():
        data = dict.fromkeys(figure["data"] for figure in asked if figure["data"].startswith(begin))
        panels = {each.removeprefix(begin): by_number(asked, each) for each in data if "published" not in each}
        heading = f"How far each reader gets: {'the published questions' if name == 'published' else name}"
        curves(folder / f"results_{name}.png", panels, "order, rung or hops", "of the rows right", heading)


def write() -> None:
    """Write the tables into the page, and draw the pictures."""
    figures, lines, told = lines_of(FIGURES), lines_of(CURVES), lines_of(WORLDS)
    write_text(PAGE, with_tables(PAGE.read_text(encoding="utf-8"), tables(figures, lines, told)))
    draw(figures, PICTURES)


if __name__ == "__main__":
    write()
