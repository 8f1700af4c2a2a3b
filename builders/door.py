"""What a user calls from Python beside endless rows: the rows of a config, prompts, and the scores of responses."""

from collections.abc import Iterable, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import partial
from typing import Any

from . import prompts
from .columns import Row
from .configs import check_fields, checked_config, config_named
from .errors import UserError, needing
from .rows import dataset_of
from .splits import SPLITS
from .topics import features_of, topic


@needing("load")
def load(
    dataset: str,
    config: str = "all",
    *,
    split: str | None = None,
    streaming: bool = False,
    seed: int = 0,
    **fields: Any,
) -> Any:
    """Return rows of hi_tom or mindgames as `datasets` holds them, made here and now: no folder, no download.

    The result is a DatasetDict of the config's splits, or with `split` one Dataset. `fields` are those of the config:
    sizes (`train`, `validation`, `test`: stories, or blocks of each setup) and what rows depend on, such as `n_agents`.
    Where a size is given, splits without one are left out. The rows are those of a build with these fields and this
    seed. `streaming=True` gives an IterableDataset, whose rows are made when they are asked for: those of `split`, or
    without one the endless rows of `tom_datasets.endless`. Raises UserError for an unknown dataset, config, split or
    field, and for a value that a field does not take.
    """
    import datasets

    from .builds.making import rows_of_split
    from .streaming.endless import endless

    features = features_of(dataset)
    if streaming and split is None:
        rows = partial(endless, dataset, config, seed, **fields)
        return datasets.IterableDataset.from_generator(rows, features=features)
    published = config_named(topic(dataset, "config").PUBLISHED, config)
    check_fields(config, fields, sorted({field.name for field in fields_of(published)} - {"name", "seed"}))
    unset = dict.fromkeys(SPLITS) if any(split in fields for split in SPLITS) else {}
    chosen = checked_config(published, {**unset, "seed": seed, **fields})
    sizes = chosen.sizes()
    if split and split not in sizes:
        raise UserError(f"{config} has no split {split!r} with these sizes; it has {', '.join(sizes)}")
    if streaming:
        rows = partial(rows_of_split, dataset, chosen, split)
        return datasets.IterableDataset.from_generator(rows, features=features)
    made = {
        name: datasets.Dataset.from_list(list(rows_of_split(dataset, chosen, name)), features=features)
        for name in ([split] if split else sizes)
    }
    return made[split] if split else datasets.DatasetDict(made)


def prompt(
    row: Mapping[str, Any],
    style: str | None = None,
    *,
    shots: Iterable[Row] = (),
    language: str | None = None,
    rules: str = "full",
    reply: str | None = None,
) -> str:
    """Return what a model is asked about a row, as `tom-datasets prompts` prints it.

    style: vp, cotp, mc or cot for hi_tom, zero-shot or five-shot for mindgames (with `shots`, five solved rows);
    without one that of the paper. language: None for that of the row. rules: full, or those of the paper. reply:
    final-line, answer or explained asks for the line that `reward` pays. Raises ValueError for a row without the
    columns of a question, and for unknown words.
    """
    dataset = dataset_of(row, {name: columns[1:] for name, columns in prompts.COLUMNS.items()})
    if reply not in (None, *prompts.REPLIES):
        raise ValueError(f"unknown reply {reply!r}; there are {', '.join(prompts.REPLIES)}")
    return prompts.ask(style or prompts.STYLES[dataset][0], dict(row), list(shots), language, rules, reply)


@needing("score")
def score(rows: Iterable[Mapping[str, Any]], responses: Iterable[str]) -> dict[str, Any]:
    """Return how often responses to rows of one dataset are right, with 95 % intervals, as `tom-datasets score` does.

    responses: texts, one for each row in the order of the rows. Returns what the command's JSON report has for a
    prompt: `tables` by title, group and metric (share, low, high, right, rows), and how the responses were `read`.
    Raises ValueError where there are no rows, or more or fewer responses, and for a row without an answer.
    """
    from .answers import reports, rewards, scores

    rows, responses = [dict(row) for row in rows], list(responses)
    if not rows or len(rows) != len(responses):
        raise ValueError(f"{len(rows)} rows and {len(responses)} responses; each row needs one response")
    dataset = rewards.dataset_of_row(rows[0])
    items = topic(dataset, "score").items(rows)
    if len({item.key for item in items}) < len(items):
        raise ValueError("a row is there twice; score each row once")
    replies = [replace(item, text=response) for item, response in zip(items, responses, strict=True)]
    return reports.scores_as_json(scores.score(dataset, replies))["all"]
