"""What a user calls from Python beside endless rows: the rows of a config, prompts, and the scores of responses."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import partial
from typing import Any

from . import prompts
from .columns import Row
from .configs import check_fields, checked_config, config_named, told_in
from .dataset import dataset_named
from .errors import UserError, needing
from .rows import dataset_of, known_row, plain_rows, plain_value
from .splits import SPLITS, builtin, is_integer


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
    sizes (`train`, `validation`, `test`: stories, or blocks of each setup) and what rows depend on, such as `n_agents`;
    `world`, such as call, stands for the language of that world.
    Where a size is given, splits without one are left out. The rows are those of a build with these fields and this
    seed. `streaming=True` gives an IterableDataset, whose rows are made when they are asked for: those of `split`, or
    without one the endless rows of `tom_datasets.endless`. Raises UserError for an unknown dataset, config, split or
    field, and for a value that a field does not take.
    """
    import datasets

    from .builds.making import rows_of_split
    from .streaming.endless import endless

    features, seed, fields = dataset_named(dataset).features, builtin(seed), told_in(fields)
    if streaming and split is None:
        rows = partial(endless, dataset, config, seed, **fields)
        return datasets.IterableDataset.from_generator(rows, features=features)
    published = config_named(dataset_named(dataset).configs, config)
    check_fields(config, fields, sorted({field.name for field in fields_of(published)} - {"name", "seed"}))
    unset = dict.fromkeys(SPLITS) if any(split in fields for split in SPLITS) else {}
    chosen = checked_config(published, {**unset, "seed": seed, **fields})
    sizes = chosen.sizes()
    if split and split not in sizes:
        raise UserError(f"{config} has no split {split!r} with these sizes; it has {', '.join(sizes)}")
    if streaming and split is not None:
        rows_of_one = partial(rows_of_split, dataset, chosen, split)
        return datasets.IterableDataset.from_generator(rows_of_one, features=features)
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
    dataset, row = known_row(row, {name: columns[1:] for name, columns in prompts.COLUMNS.items()})
    if reply not in (None, *prompts.REPLIES):
        raise ValueError(f"unknown reply {reply!r}; the replies are {', '.join(prompts.REPLIES)}")
    return prompts.ask(style or prompts.STYLES[dataset][0], row, plain_rows(shots), language, rules, reply)


# The columns that the scores of a row need and that hold texts, by dataset, and the one that holds an integer.
SCORED = {"hi_tom": ("choices", "answer", "story", "story_id", "id"), "mindgames": ("label", "setup")}
COUNTED = {"hi_tom": "order", "mindgames": "index"}
Texts = str | None | Sequence[str | None]  # the response to a row, or several


@needing("score")
def score(rows: Iterable[Mapping[str, Any]], responses: Iterable[Texts] | Mapping[str | int, Texts]) -> dict[str, Any]:
    """Return how often responses to rows of one dataset are right, with 95 % intervals, as `tom-datasets score` does.

    rows: mappings, named tuples or Series, or a DataFrame. responses: texts, one for each row in the order of the rows;
    or a mapping from the id of each row (in mindgames its `index`) to its text. None counts as an empty reply. A list
    of texts in the place of a text holds several responses to the row; all rows have equally many. Returns what the
    command's JSON report has for a prompt: `tables` by title, group and metric (share, low, high, right, rows), how the
    responses were `read`, and `horizons` where rows have a dial. Raises ValueError where there are no
    rows, for a row that cannot be scored, where a row has no response or a response no row, and where rows have unlike
    numbers of responses.
    """
    from .answers import reports, scores

    rows = plain_rows(rows)
    if not rows:
        raise ValueError("0 rows; give the rows that were asked, and one response for each")
    of_rows = [dataset_of(row, SCORED) for row in rows]
    dataset = of_rows[0]
    for place, (row, name) in enumerate(zip(rows, of_rows, strict=True)):
        if name != dataset:
            raise ValueError(f"row 0 is of {dataset}, and row {place} is of {name}; score one dataset at a time")
        if not is_integer(row.get(COUNTED[name])):
            raise ValueError(f"row {place}: {COUNTED[name]} is {row.get(COUNTED[name])!r:.80}; it must be an integer")
    items = dataset_named(dataset).items(rows)
    if len({item.key for item in items}) < len(items):
        raise ValueError("the same row occurs twice; score each row once")
    texts = texts_for([item.id for item in items], responses)
    replies = [
        replace(item, text=text, sample=sample if len(some) > 1 else None)
        for item, some in zip(items, texts, strict=True)
        for sample, text in enumerate(some, 1)
    ]
    of_all: dict[str, Any] = reports.scores_as_json(scores.score(dataset, replies))["all"]
    return of_all


def texts_for(ids: list[str], responses: Iterable[Texts] | Mapping[str | int, Texts]) -> list[list[str]]:
    """Return the texts of the responses to each id. Raises ValueError where they do not fit, or are no texts."""
    if isinstance(responses, str | Set) or not isinstance(responses, Iterable):  # items of a mapping are a set
        raise ValueError(f"the responses are {responses!r:.80}; give a text for each row, or map ids to texts")
    texts = texts_by_id(ids, responses) if isinstance(responses, Mapping) else list(responses)
    if len(texts) != len(ids):
        raise ValueError(f"{len(ids)} rows and {len(texts)} responses; each row needs one response")
    plain = [text if isinstance(text, list) else [text] for text in map(plain_value, texts)]
    for name, some in zip(ids, plain, strict=True):
        for text in some:
            if not isinstance(text, str | None):
                raise ValueError(f"the response to {name!r} is {text!r:.80}; it must be a text")
        if not len(some) == len(plain[0]) > 0:
            needs = f"{ids[0]!r} has {len(plain[0])}; each row needs equally many, one or more"
            raise ValueError(f"{name!r} has {len(some)} responses, {needs}")
    return [[text or "" for text in some] for some in plain]


def texts_by_id(ids: list[str], responses: Mapping[str | int, Texts]) -> list[Texts]:
    """Return the response to each id, of responses by id. Raises ValueError where these are not the same ids."""
    named, known = {str(key): text for key, text in responses.items()}, set(ids)
    missing, unknown = [name for name in ids if name not in named], [name for name in named if name not in known]
    faults = [f"{len(missing)} rows have no response (first: {missing[0]!r})"] if missing else []
    faults += [f"{len(unknown)} responses have no row (first: {unknown[0]!r})"] if unknown else []
    faults += ["an id occurs both as a number and as a text"] if len(named) < len(responses) else []
    if faults:
        raise ValueError(f"{'; '.join(faults)}; give each row one response, under its id")
    return [named[name] for name in ids]
