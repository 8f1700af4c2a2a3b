"""The scores of a response file: for each prompt tables of rates by group, and the analyses of the papers."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from .analyses import analyses, end_counts
from .items import Item
from .rates import Bootstrap, Rate, Table
from .replies import Key
from .scored import ScoredReply, by_property, grouped, score_replies

JOINT = {"hi_tom": "joint accuracy", "mindgames": "block accuracy"}
"""The strict metric of each dataset."""
UNDISPUTED = "accuracy, undisputed"
"""The accuracy on the rows whose answer all readings give (docs/readings.md)."""


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what was measured under one prompt."""

    replies: Sequence[ScoredReply]  # what was measured
    tables: Mapping[str, Table]  # the rates of all replies, and by each property
    analyses: Mapping[str, Table] = field(default_factory=dict)  # those of the papers, by title
    ends: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)  # see `end_counts`; hi_tom only


def score(name: str, items: Mapping[Key, Item], texts: Mapping[Key, str]) -> dict[str, Score]:
    """Read and score the replies of each prompt, by its name, or "all" for the prompt without a name.

    Several prompts are also compared in one table, under "", which comes first.
    """
    replies = score_replies(name, items, texts)
    bootstrap = Bootstrap(name, (reply.item.unit for reply in replies))
    prompts: dict[str, list[ScoredReply]] = defaultdict(list)
    for reply in replies:
        prompts[reply.item.prompt or "all"].append(reply)
    scores = {prompt: _score_prompt(name, group, bootstrap) for prompt, group in prompts.items()}
    if len(prompts) > 1:
        compared = _by_group(name, {**prompts, "all": replies}, bootstrap)
        scores = {"": Score(replies, {"prompt": compared}), **scores}
    return scores


def _score_prompt(name: str, replies: Sequence[ScoredReply], bootstrap: Bootstrap) -> Score:
    """Score the replies of one prompt."""
    tables = {"all": _by_group(name, {"all": replies}, bootstrap)}
    for title in replies[0].item.groups:
        if groups := by_property(replies, title):
            tables[title] = _by_group(name, groups, bootstrap)
    if quarter_of := quartiles([reply.item.difficulty for reply in replies]):
        quarters = grouped(replies, lambda reply: quarter_of(reply.item.difficulty))
        tables["difficulty"] = _by_group(name, quarters, bootstrap)
    if name == "hi_tom":
        return Score(replies, tables, analyses(replies, bootstrap), end_counts(replies))
    by_agents = {
        setup: _by_group(name, by_property(group, "agents"), bootstrap)
        for setup, group in by_property(replies, "setup").items()
    }
    return Score(replies, tables, by_agents)


def _by_group(name: str, groups: Mapping[str, Sequence[ScoredReply]], bootstrap: Bootstrap) -> Table:
    """Return the rates of each group."""
    return {group: _rates(name, replies, bootstrap) for group, replies in groups.items()}


def _rates(name: str, replies: Sequence[ScoredReply], bootstrap: Bootstrap) -> dict[str, Rate]:
    """Return accuracy, also on the undisputed rows, the strict metric where it is defined, and the unread share."""
    return bootstrap.rates(metric_values(name, replies))


def metric_values(name: str, replies: Sequence[ScoredReply]) -> dict[str, list[tuple[Item, bool]]]:
    """Return by metric of each item whether the metric counts it; no item where the metric is not defined."""
    return {
        "accuracy": [(reply.item, reply.right) for reply in replies],
        UNDISPUTED: [(reply.item, reply.right) for reply in replies if reply.item.undisputed],
        JOINT[name]: [(reply.item, reply.strict) for reply in replies if reply.strict is not None],
        "unread": [(reply.item, reply.reading.choice is None) for reply in replies],
    }


def quartiles(difficulties: Sequence[float | None]) -> Callable[[float | None], str | None] | None:
    """Return the function that names the quarter of a difficulty; None where fewer than four rows have one."""
    scored = [difficulty for difficulty in difficulties if difficulty is not None]
    if len(scored) < 4:
        return None
    cuts = quantiles(scored, n=4, method="inclusive")

    def quarter_of(difficulty: float | None) -> str | None:
        if difficulty is None:
            return None
        place = sum(difficulty > cut for cut in cuts)
        low, high = [min(scored), *cuts, max(scored)][place : place + 2]
        return f"quarter {place + 1}: {low:.2f} to {high:.2f}"

    return quarter_of
