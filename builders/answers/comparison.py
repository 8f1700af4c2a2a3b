"""The comparison of models: the rates of each on the same rows, and how far each is above the first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..markdown import markdown_table
from .items import Item
from .rates import Bootstrap, Difference, Rate
from .replies import Key
from .reports import rate_as_json
from .scored import ScoredReply, by_property
from .scores import JOINT, metric_values

ALL, ALL_UNDISPUTED = "all", "all undisputed"
"""The group of all rows, and of those whose answer all readings give; the second only where others are disputed."""
PROPERTY = {"hi_tom": "order", "mindgames": "setup"}
"""The property by which each dataset's rows are compared group by group."""

Values = Mapping[str, Sequence[tuple[Item, bool]]]
"""By metric: of each item, whether the metric counts it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold one model beside the first one, in one group of rows."""

    group: str  # ALL, ALL_UNDISPUTED, or a group of PROPERTY
    model: str  # name of the model
    rates: Mapping[str, Rate]  # by metric
    above: Mapping[str, Difference]  # by metric, how far the model is above the first one; empty for the first


def compare(name: str, models: Mapping[str, Sequence[ScoredReply]]) -> list[Compared]:
    """Compare models on the rows that all of them answered: together, the undisputed apart, and then by PROPERTY.

    models: scored replies by the model's name; differences are taken from the first. Raises ValueError where no row is
    answered by all.
    """
    common = _common_replies(models)
    first = next(iter(common.values()))
    if not first:
        raise ValueError("no row is answered in all files under the same prompt; name it with --prompt")
    bootstrap = Bootstrap(name, (reply.item.unit for reply in first))
    compared = _compare_group(name, ALL, common, bootstrap)
    if {reply.item.undisputed for reply in first} == {True, False}:
        fair = {model: [reply for reply in replies if reply.item.undisputed] for model, replies in common.items()}
        compared += _compare_group(name, ALL_UNDISPUTED, fair, bootstrap)
    grouped = {model: by_property(replies, PROPERTY[name]) for model, replies in common.items()}
    groups = list(by_property(first, PROPERTY[name]))
    for group in groups if len(groups) > 1 else ():
        compared += _compare_group(name, group, {model: own[group] for model, own in grouped.items()}, bootstrap)
    return compared


def _common_replies(models: Mapping[str, Sequence[ScoredReply]]) -> dict[str, list[ScoredReply]]:
    """Return of each model the replies to rows that all of them answered, in one order."""
    by_key: dict[str, dict[Key, ScoredReply]] = {
        model: {(reply.item.prompt, reply.item.id): reply for reply in replies} for model, replies in models.items()
    }
    tables = list(by_key.values())
    keys = [key for key in tables[0] if all(key in table for table in tables)]
    return {model: [table[key] for key in keys] for model, table in by_key.items()}


def _compare_group(
    name: str, group: str, models: Mapping[str, Sequence[ScoredReply]], bootstrap: Bootstrap
) -> list[Compared]:
    """Compare models in one group of rows."""
    values = {model: metric_values(name, replies) for model, replies in models.items()}
    first = next(iter(values.values()))
    compared = [Compared(group, next(iter(values)), bootstrap.rates(first), {})]
    for model, own in islice(values.items(), 1, None):
        above = {
            metric: bootstrap.difference(own[metric], first[metric])
            for metric in ("accuracy", JOINT[name])
            if own[metric] and _items(own[metric]) == _items(first[metric])
        }
        compared.append(Compared(group, model, bootstrap.rates(own), above))
    return compared


def _items(values: Sequence[tuple[Item, bool]]) -> list[str]:
    """Return the ids of the items of values."""
    return [item.id for item, _ in values]


def comparison_table(name: str, compared: Sequence[Compared]) -> str:
    """Return the comparison as one Markdown table: a row for each model in each group."""
    metrics = ("accuracy", JOINT[name], "unread")
    first = compared[0].model
    above = [f"{metric} above {first}" for metric in metrics[:2]]
    lines = []
    for row in compared:
        rates = [str(row.rates[metric]) if metric in row.rates else "not defined" for metric in metrics]
        differences = [str(row.above[metric]) if metric in row.above else "" for metric in metrics[:2]]
        lines.append([row.group, row.model, f"{row.rates['accuracy'].total:,}", *rates, *differences])
    return markdown_table(["rows of", "model", "rows", *metrics, *above], lines, left=2)


def comparison_as_json(compared: Sequence[Compared]) -> list[dict[str, Any]]:
    """Return the comparison as JSON can hold it."""
    return [
        {
            "group": row.group,
            "model": row.model,
            "rates": {metric: rate_as_json(rate) for metric, rate in row.rates.items()},
            "above": {
                metric: {"share": above.share, "low": above.low, "high": above.high, "rows": above.total}
                for metric, above in row.above.items()
            },
        }
        for row in compared
    ]
