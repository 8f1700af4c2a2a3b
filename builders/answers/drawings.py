"""The pictures of scores: what each paper draws of the models it measured."""

from collections.abc import Iterable, Mapping

from ..audit.shares import Share
from ..files import Drawings
from ..story.config import order_name
from .analyses import BY_CLAIMS, BY_LENGTH, BY_NOW, OWN, SAME
from .comparison import Compared
from .scores import Score

Rate = tuple[float, float, float]  # a share with its interval
Panels = dict[str, dict[str, dict[str, Rate]]]  # by panel, series and place


def story_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figures of the Hi-ToM paper (Figures 3 to 6), and accuracy by rung of the ladder, by their names."""
    ends = {
        f"{prefix}{title}": counts
        for prompt, prefix in prefixes(scores).items()
        for title, counts in scores[prompt].ends.items()
    }
    claims = without(panels(scores, BY_CLAIMS), order_name(0))
    return {
        "joint": ("curves", panels(scores, BY_LENGTH, by_group=True), "order", "jointly right", heading),
        "claims": ("curves", claims, "claims in the story", "jointly right", heading),
        "ends": ("two_by_two", ends, ("right", "wrong"), ("answer is it", "another"), heading),
        "same": ("curves", panels(scores, SAME), "order", "right", heading),
        "own": ("curves", panels(scores, OWN), "order", "of answers", heading),
        "rungs": ("curves", rung_panels(scores), "rung", "right", heading),
        "kinds": ("curves", panels(scores, BY_NOW), "kind", "right", heading),
    }


def problem_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figure of the MindGames paper, accuracy by the number of agents, and that by rung of the ladder."""
    return {
        "agents": ("curves", without(panels(scores, ""), "unread"), "agents", "right", heading, 0.5),
        "rungs": ("curves", rung_panels(scores), "rung", "right", heading, 0.5),
    }


def language_drawings(compared: Iterable[Compared], alike: Mapping[str, Share], heading: str) -> Drawings:
    """Return the picture of several languages: how often each is right, and all answer alike, by group."""
    table: dict[str, dict[str, Share]] = {}
    for row in compared:
        table.setdefault(row.group, {})[row.model] = row.rates["accuracy"]
    for group, rate in alike.items():
        table.setdefault(group, {})["answered alike"] = rate
    return {"languages": ("curves", {"languages": series_of(table)}, "", "of the rows", heading)}


def prefixes(scores: Mapping[str, Score]) -> dict[str, str]:
    """Return what the titles of each prompt's panels begin with: its name, where there are several."""
    prompts = [prompt for prompt in scores if prompt]
    return {prompt: f"{prompt}, " if len(prompts) > 1 else "" for prompt in prompts}


def panels(scores: Mapping[str, Score], title: str, by_group: bool = False) -> Panels:
    """Return a panel for each analysis whose title begins so; with `by_group`, its series are groups."""
    drawn: Panels = {}
    for prompt, prefix in prefixes(scores).items():
        for analysis, table in scores[prompt].analyses.items():
            if analysis.startswith(title):
                panel = f"{prefix}{analysis.removeprefix(title).strip(', ')}".strip(", ")
                drawn[panel or "all stories"] = series_of(table, by_group)
    return drawn


def rung_panels(scores: Mapping[str, Score]) -> Panels:
    """Return a panel for each prompt: the accuracies on each rung of the ladder, if there are replies to it."""
    drawn: Panels = {}
    for prompt, prefix in prefixes(scores).items():
        rungs = scores[prompt].tables.get("rung", {})
        drawn[f"{prefix}ladder"] = series_of({rung.removeprefix("rung "): rates for rung, rates in rungs.items()})
    return without(drawn, "unread")


def series_of(table: Mapping[str, Mapping[str, Share]], by_group: bool = False) -> dict[str, dict[str, Rate]]:
    """Return the rates of a table, by group and name, as a series of groups for each name; `by_group` the reverse."""
    series: dict[str, dict[str, Rate]] = {}
    for group, rates in table.items():
        for name, rate in rates.items():
            line, place = (group, name) if by_group else (name, group)
            series.setdefault(line, {})[place] = (rate.share, *rate.interval())
    return series


def without(drawn: Panels, series: str) -> Panels:
    """Return panels without one of their series."""
    return {panel: {name: line for name, line in lines.items() if name != series} for panel, lines in drawn.items()}
