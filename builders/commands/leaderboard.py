"""A model's scores as the Hub's leaderboards take them: one entry for each task of a benchmark that was answered.

The fields are those of hub-docs, eval_results.yaml. A model's repository holds such files under `.eval_results/`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import yaml

from .. import GENERATOR_VERSION
from ..answers.items import Item
from ..answers.rates import Bootstrap
from ..answers.scores import Score, metric_rates
from ..builds.requests import layout
from ..dataset import dataset_named
from ..errors import UserError
from ..files import write_text
from ..prompts import TASK_FILE, tasks_of
from ..splits import split_file
from .folders import builds
from .scoring import Answered, Scoring


def entries_text(scoring: Scoring, file: Path, by_prompt: Mapping[str, Score]) -> str:
    """Return the text of the file of entries: one for each task whose rows all have a reply.

    The value is the accuracy, in per cent. The strict metric, the intervals and the unread share stand in the notes.
    Raises UserError as `answered_whole`.
    """
    said, dataset = scoring.evaluation, scoring.answered.dataset
    source = said.source or f"https://huggingface.co/datasets/{said.dataset_id}"
    written = []
    for task, replies in answered_whole(scoring.answered, file, by_prompt).items():
        rates = metric_rates(dataset, replies, Bootstrap(dataset, (reply.unit for reply in replies)))
        rows = len({reply.id for reply in replies})
        samples = [f"{len(replies) // rows} replies to each"] if replies[0].sample else []
        notes = [f"{rows:,} rows", *samples, *(f"{metric} {rate} %" for metric, rate in rates.items())]
        written.append(
            {
                "dataset": {"id": said.dataset_id, "task_id": task, "revision": said.revision},
                "value": round(100 * rates["accuracy"].share, 2),
                "date": said.date or datetime.now(UTC).date().isoformat(),
                "source": {"url": source, "name": f"scored by tom-datasets {GENERATOR_VERSION}"},
                "notes": "; ".join([said.notes, *notes] if said.notes else notes),
            }
        )
    text: str = yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text


def answered_whole(answered: Answered, file: Path, by_prompt: Mapping[str, Score]) -> dict[str, list[Item]]:
    """Return the replies to each task whose rows all have one.

    Raises UserError where there is no such task, or not one prompt.
    """
    if len(by_prompt) > 1:
        names = ", ".join(filter(None, by_prompt))
        raise UserError(f"{file} has responses to several prompts ({names}): choose one with --prompt")
    (score,) = by_prompt.values()
    tasks = task_rows(answered, score.replies[0].language)
    replies = {task: [reply for reply in score.replies if reply.id in ids] for task, ids in tasks.items()}
    whole = {task: replies[task] for task, ids in tasks.items() if ids and ids <= {reply.id for reply in replies[task]}}
    if not whole:
        raise UserError(f"no task of {TASK_FILE} was answered completely; an entry needs a response to each test row")
    return whole


def task_rows(answered: Answered, language: str) -> dict[str, set[str]]:
    """Return the ids of the rows of each task of a folder's eval.yaml in a language; they are those in others."""
    (build,) = builds(answered.dataset, answered.out)
    column, tasks = dataset_named(answered.dataset).id_column, tasks_of(layout(build))
    return {
        config: {str(row[column]) for row in build.rows(split_file(config, split), [column])}
        for config, split in tasks
        if build.config_of(split_file(config, split))["language"] == language
    }


def write(file: Path, scoring: Scoring, entries: str) -> str:
    """Write the file of entries; return what the user does with it."""
    model = scoring.evaluation.model_id
    write_text(file, entries)
    sends = f"hf upload {model} {file} .eval_results/{scoring.answered.dataset}.yaml --create-pr sends them"
    return f"\nentries for the leaderboard: {file}; {sends}"
