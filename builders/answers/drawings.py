"""The pictures of scores: what each paper draws of the models it measured."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from math import inf
from statistics import fmean
from typing import Any

from ..audit.shares import BLIND, Along, Share, Trend
from ..files import Drawings
from ..story.config import order_name
from .analyses import BY_CLAIMS, BY_LENGTH, BY_NOW, OWN, SAME
from .comparison import Compared
from .horizon import TOKENS, Horizon
from .rates import Rate
from .scores import COMMONEST, UNDISPUTED, Score

# What panels show, by title: shares by series and place, or by group and name.
Tables = dict[str, Mapping[str, Mapping[str, Share | Rate | None]]]

UNDRAWN = "unread", COMMONEST, UNDISPUTED  # what is measured, and is not drawn beside accuracy


def story_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figures of the Hi-ToM paper (Figures 3 to 6), and accuracy by rung of the ladder, by their names."""
    claims = by_name(tables(scores, BY_CLAIMS), without=[order_name(0)])
    rungs = by_name(tables(scores, "rung", "tables", "ladder"), without=UNDRAWN)
    return {
        "joint": ("curves", with_chance(tables(scores, BY_LENGTH)), "order", "jointly right", heading),
        "claims": ("curves", claims, "claims in the story", "jointly right", heading),
        "ends": ("curves", end_panels(scores), "container that is the answer", "right", heading),
        "same": ("curves", with_chance(by_name(tables(scores, SAME))), "order", "right", heading),
        "own": ("curves", by_name(tables(scores, OWN)), "order", "of answers", heading),
        "rungs": ("curves", with_chance(rungs), "", "right", heading),
        "kinds": ("curves", with_chance(by_name(tables(scores, BY_NOW))), "kind", "right", heading),
    }


def end_panels(scores: Mapping[str, Score]) -> Tables:
    """Return how often questions whose answer is the first (or last) container are right, and how often others."""
    panels: Tables = {}
    for title, (it, another) in tables(scores, "", "ends").items():
        answers = {"it": it, "another": another}
        panels[title] = {"right": {name: Share(n[0], sum(n), 0.0) for name, n in answers.items() if any(n)}}
    return panels


def problem_drawings(scores: Mapping[str, Score], heading: str) -> Drawings:
    """Return the figure of the MindGames paper, accuracy by the number of agents, and that by rung of the ladder."""
    rungs = by_name(tables(scores, "rung", "tables", "ladder"), without=UNDRAWN)
    return {
        "agents": ("curves", by_name(tables(scores, ""), without=UNDRAWN), "agents", "right", heading, 0.5),
        "rungs": ("curves", rungs, "", "right", heading, 0.5),
    }


def language_drawings(compared: Iterable[Compared], alike: Mapping[str, Rate], heading: str) -> Drawings:
    """Return the picture of several languages: how often each is right, and all answer alike, by group."""
    series: dict[str, dict[str, Rate]] = defaultdict(dict)
    for row in compared:
        series[row.model][row.group] = row.rates["accuracy"]
    return {"languages": ("curves", {"languages": {**series, "same answer": alike}}, "", "of the rows", heading)}


def horizon_drawings(found: Mapping[str, Mapping[str, Horizon]], heading: str) -> Drawings:
    """Return the picture of horizons, given by series and by what grows: one curve a series; nothing without any.

    The series NAME_answer is the model of the series NAME, asked for its answer alone.
    """
    dials = list(dict.fromkeys(dial for horizons in found.values() for dial in horizons))
    if not dials:
        return {}
    names = {
        name: f"{name}: {next(iter(horizons.values()))} {dials[0]}" for name, horizons in found.items() if horizons
    }
    likes = {name: names.get(re.sub(r"[ _.,-]*answer$", "", name)) for name in names if name.endswith("answer")}

    def along(dial: str) -> Along:
        own = {name: found[name][dial] for name in names if dial in found[name]}
        series = {
            names[name]: Trend(
                {point.place: (point.rate.share, *point.rate.interval()) for point in horizon.points},
                curve_of(horizon),
                crossing(horizon),
                likes.get(name),
            )
            for name, horizon in own.items()
        }
        x = "tokens of a reply" if dial == TOKENS else dial
        return Along(x, "% right", series, fmean(horizon.chance for horizon in own.values()))

    panels = {f"by {dial}": along(dial) for dial in dials}
    spent = {}
    for name in names:
        points = next(iter(found[name].values())).points
        means = {point.place: (point.tokens, point.tokens, point.tokens) for point in points if point.tokens}
        if means:
            spent[names[name]] = Trend(means, like=likes.get(name))
    if spent:
        panels[f"tokens by {dials[0]}"] = Along(dials[0], "tokens of a reply, mean", spent)
    return {"horizon": ("trends", panels, f"{heading}: where the accuracy above chance is one half")}


def curve_of(horizon: Horizon, steps: int = 60) -> list[tuple[float, float]]:
    """Return points of the curve of a horizon, from the smallest to the greatest value."""
    span = horizon.greatest / horizon.smallest
    values = [horizon.smallest * span ** (step / steps) for step in range(steps + 1)]
    return [(value, horizon.accuracy(value)) for value in values]


def crossing(horizon: Horizon) -> tuple[float, float, float, float] | None:
    """Return a horizon, its interval as far as the rows reach, and the accuracy there; None outside the rows."""
    if not 0 < horizon.at < inf:
        return None
    low, high = max(horizon.low, horizon.smallest), min(horizon.high, horizon.greatest)
    return horizon.at, low, high, (1 + horizon.chance) / 2


def tables(
    scores: Mapping[str, Score], title: str, part: str = "analyses", only: str = "all stories"
) -> dict[str, Any]:
    """Return the tables of a part of the scores whose titles begin with `title`, by the titles of their panels.

    Those are the prompt, where there are several, and what follows `title`; `only` where neither says anything.
    """
    prompts = [prompt for prompt in scores if prompt]
    drawn = {}
    for prompt in prompts:
        for whole, table in getattr(scores[prompt], part).items():
            if whole.startswith(title):
                named = prompt if len(prompts) > 1 else "", whole.removeprefix(title).strip(", ")
                drawn[", ".join(filter(None, named)) or only] = table
    return drawn


def with_chance(panels: Tables) -> Tables:
    """Return panels with a series more, chance: what blind choices would get at each place, on average."""
    drawn: Tables = {}
    for title, series in panels.items():
        chances: dict[str, list[float]] = defaultdict(list)
        for shares in series.values():
            for place, share in shares.items():
                if share is not None and share.chance is not None:
                    chances[place].append(share.chance)
        means = {place: fmean(some) for place, some in chances.items()}
        blind = {place: Share(mean, 1, mean) for place, mean in means.items()}
        drawn[title] = {**series, **({BLIND: blind} if blind else {})}
    return drawn


def by_name(tables: Tables, without: Collection[str] = ()) -> Tables:
    """Return tables that are by group and name by name and group, without some of the names; None for no share."""
    swapped: Tables = {}
    for title, table in tables.items():
        names = dict.fromkeys(name for shares in table.values() for name in shares if name not in without)
        swapped[title] = {name: {group: shares.get(name) for group, shares in table.items()} for name in names}
    return swapped
