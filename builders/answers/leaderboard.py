"""A model's scores as the Hub's leaderboards take them: one entry for each task of a benchmark that was answered.

The fields are those of hub-docs, eval_results.yaml. A model's repository holds such files under `.eval_results/`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from .rates import Bootstrap
from .scored import ScoredReply
from .scores import metric_values


@dataclass(frozen=True, slots=True)
class Origin:
    """Hold what all entries of a file say of where they come from."""

    dataset: str  # the benchmark on the Hub, ORG/NAME
    revision: str  # its commit that holds the rows, 40 hexadecimal digits
    date: str  # the day of the evaluation, as in 2026-01-31
    source: str  # the address of a page about the evaluation
    source_name: str  # what that page is called
    notes: str = ""  # how the model was asked


def entries(
    name: str, replies: Sequence[ScoredReply], tasks: Mapping[str, set[str]], origin: Origin
) -> list[dict[str, Any]]:
    """Return one entry for each task whose rows all have a reply; the value is the accuracy, in per cent.

    The strict metric, the intervals and the unread share stand in the notes. name: the dataset. replies: those to one
    prompt. tasks: the ids of the rows of each task, by the task's id.
    """
    answered = {reply.item.id for reply in replies}
    written = []
    for task, ids in tasks.items():
        if not ids or not ids <= answered:
            continue
        chosen = [reply for reply in replies if reply.item.id in ids]
        rates = Bootstrap(name, (reply.item.unit for reply in chosen)).rates(metric_values(name, chosen))
        figures = [f"{metric} {rate} %" for metric, rate in rates.items()]
        written.append(
            {
                "dataset": {"id": origin.dataset, "task_id": task, "revision": origin.revision},
                "value": round(100 * rates["accuracy"].share, 2),
                "date": origin.date,
                "source": {"url": origin.source, "name": origin.source_name},
                "notes": "; ".join([*filter(None, [origin.notes]), f"{len(chosen):,} rows", *figures]),
            }
        )
    return written


def entries_as_yaml(written: Sequence[Mapping[str, Any]]) -> str:
    """Return entries as the text of a file."""
    return yaml.safe_dump(list(written), sort_keys=False, allow_unicode=True, width=float("inf"))
