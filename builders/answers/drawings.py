"""The pictures of scores: what each paper draws of the models it measured."""

from collections.abc import Mapping

from ..audit import pictures
from ..files import Drawing
from ..story.config import order_name
from .analyses import BY_CLAIMS, BY_LENGTH, OWN, SAME
from .scores import Score

Panels = dict[str, dict[str, dict[str, tuple[float, float, float]]]]  # panel, series, place: share with its interval


def story_drawings(scores: Mapping[str, Score], heading: str) -> dict[str, Drawing]:
    """Return the figures of the Hi-ToM paper (Figures 3 to 6), and accuracy by rung of the ladder, by their names."""
    joint = panels(scores, BY_LENGTH, by_group=True)
    same, own = panels(scores, SAME), panels(scores, OWN)
    claims = without(panels(scores, BY_CLAIMS), order_name(0))
    rungs = rung_panels(scores)
    ends = {
        f"{prefix}{title}": counts
        for prompt, prefix in prefixes(scores).items()
        for title, counts in scores[prompt].ends.items()
    }
    return {
        "joint": lambda path: pictures.curves(path, joint, "order", "jointly right", heading=heading),
        "claims": lambda path: pictures.curves(path, claims, "claims in the story", "jointly right", heading=heading),
        "ends": lambda path: pictures.two_by_two(path, ends, ("right", "wrong"), ("answer is it", "another"), heading),
        "same": lambda path: pictures.curves(path, same, "order", "right", heading=heading),
        "own": lambda path: pictures.curves(path, own, "order", "of answers", heading=heading),
        "rungs": lambda path: pictures.curves(path, rungs, "rung", "right", heading=heading),
    }


def rung_panels(scores: Mapping[str, Score]) -> Panels:
    """Return a panel for each prompt that has replies to the ladder: the accuracies on each of its rungs."""
    drawn: Panels = {}
    for prompt, prefix in prefixes(scores).items():
        series: dict[str, dict] = {}
        for rung, rates in scores[prompt].tables.get("rung", {}).items():
            for name, rate in rates.items():
                if name != "unread":
                    places = series.setdefault(name, {})
                    places[rung.removeprefix("rung ")] = (rate.share, *rate.interval())
        if series:
            drawn[f"{prefix}ladder"] = series
    return drawn


def problem_drawings(scores: Mapping[str, Score], heading: str) -> dict[str, Drawing]:
    """Return the figure of the MindGames paper, accuracy by the number of agents, and that by rung of the ladder."""
    agents, rungs = without(panels(scores, ""), "unread"), rung_panels(scores)
    return {
        "agents": lambda path: pictures.curves(path, agents, "agents", "right", 0.5, heading),
        "rungs": lambda path: pictures.curves(path, rungs, "rung", "right", 0.5, heading),
    }


def prefixes(scores: Mapping[str, Score]) -> dict[str, str]:
    """Return what the titles of each prompt's panels begin with: its name, where there are several."""
    prompts = [prompt for prompt in scores if prompt]
    return {prompt: f"{prompt}, " if len(prompts) > 1 else "" for prompt in prompts}


def panels(scores: Mapping[str, Score], title: str, by_group: bool = False) -> Panels:
    """Return a panel for each analysis whose title begins so.

    Its series are the rates and its places the groups; `by_group`, the series are the groups and the places the rates.
    """
    drawn: Panels = {}
    for prompt, prefix in prefixes(scores).items():
        for analysis, table in scores[prompt].analyses.items():
            if analysis.startswith(title):
                series: dict[str, dict] = {}
                for group, rates in table.items():
                    for name, rate in rates.items():
                        line, place = (group, name) if by_group else (name, group)
                        series.setdefault(line, {})[place] = (rate.share, *rate.interval())
                panel = f"{prefix}{analysis.removeprefix(title).strip(', ')}".strip(", ")
                drawn[panel or "all stories"] = series
    return drawn


def without(drawn: Panels, series: str) -> Panels:
    """Return panels without one of their series."""
    return {panel: {name: line for name, line in lines.items() if name != series} for panel, lines in drawn.items()}
