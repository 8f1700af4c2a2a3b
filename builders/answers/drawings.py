"""The pictures of scores: what each paper draws of the models it measured."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from ..audit.shares import Share
from ..files import Drawings
from ..story.config import order_name
from .analyses import BY_CLAIMS, BY_LENGTH, BY_NOW, OWN, SAME
from .comparison import Compared
from .scores import Score

# What panels show, by title: shares by series and place, or by group and name.
Tables = dict[str, Mapping[str, Mapping[str, Share | None]]]


def story_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figures of the Hi-ToM paper (Figures 3 to 6), and accuracy by rung of the ladder, by their names."""
    claims = by_name(tables(scores, BY_CLAIMS), without=order_name(0))
    return {
        "joint": ("curves", tables(scores, BY_LENGTH), "order", "jointly right", heading),
        "claims": ("curves", claims, "claims in the story", "jointly right", heading),
        "ends": ("two_by_two", tables(scores, "", "ends"), ("right", "wrong"), ("answer is it", "another"), heading),
        "same": ("curves", by_name(tables(scores, SAME)), "order", "right", heading),
        "own": ("curves", by_name(tables(scores, OWN)), "order", "of answers", heading),
        "rungs": ("curves", rung_panels(scores), "rung", "right", heading),
        "kinds": ("curves", by_name(tables(scores, BY_NOW)), "kind", "right", heading),
    }


def problem_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figure of the MindGames paper, accuracy by the number of agents, and that by rung of the ladder."""
    return {
        "agents": ("curves", by_name(tables(scores, ""), without="unread"), "agents", "right", heading, 0.5),
        "rungs": ("curves", rung_panels(scores), "rung", "right", heading, 0.5),
    }


def language_drawings(compared: Iterable[Compared], alike: Mapping[str, Share], heading: str) -> Drawings:
    """Return the picture of several languages: how often each is right, and all answer alike, by group."""
    series: dict[str, dict[str, Share]] = defaultdict(dict)
    for row in compared:
        series[row.model][row.group] = row.rates["accuracy"]
    return {"languages": ("curves", {"languages": {**series, "answered alike": alike}}, "", "of the rows", heading)}


def by_prefix(scores: Mapping[str, Score]) -> dict[str, Score]:
    """Return the score of each prompt. Its key begins the titles of its panels: its name, or "" for the only prompt."""
    prompts = [prompt for prompt in scores if prompt]
    return {f"{prompt}, " if len(prompts) > 1 else "": scores[prompt] for prompt in prompts}


def tables(scores: Mapping[str, Score], title: str, part: str = "analyses") -> dict[str, Any]:
    """Return the tables of a part of the scores whose titles begin with `title`; what follows names its panel."""
    drawn = {}
    for prefix, score in by_prefix(scores).items():
        for whole, table in getattr(score, part).items():
            if whole.startswith(title):
                panel = f"{prefix}{whole.removeprefix(title).strip(', ')}".strip(", ")
                drawn[panel or "all stories"] = table
    return drawn


def rung_panels(scores: Mapping[str, Score]) -> Tables:
    """Return a panel for each prompt: the accuracies on each rung of the ladder, if there are replies to it."""
    rungs = {
        f"{prefix}ladder": {rung.removeprefix("rung "): rates for rung, rates in score.tables.get("rung", {}).items()}
        for prefix, score in by_prefix(scores).items()
    }
    return by_name(rungs, without="unread")


def by_name(tables: Tables, without: str | None = None) -> Tables:
    """Return tables that are by group and name by name and group, without one of the names; None for no share."""
    swapped = {}
    for title, table in tables.items():
        names = dict.fromkeys(name for shares in table.values() for name in shares if name != without)
        swapped[title] = {name: {group: shares.get(name) for group, shares in table.items()} for name in names}
    return swapped
