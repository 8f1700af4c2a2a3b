"""Own what lm-evaluation-harness is told of hi_tom and mindgames; the YAML files beside this one name its functions.

The prompts are those of `python -m builders prompts`, replies are read as `python -m builders score` reads them: from
the clone that these files are in, or from the project where it is installed. Where the datasets are is said by
`--metadata '{"where": "FOLDER or NAMESPACE"}'` (default: the working directory); `"dataset_revision"` names a tag.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

import datasets

CLONE = Path(__file__).resolve().parents[2]
if (CLONE / "builders").is_dir() and str(CLONE) not in sys.path:
    sys.path.append(str(CLONE))

from builders import prompts  # noqa: E402
from builders.answers.containers import read_container
from builders.answers.verdicts import read_label

Row = dict[str, Any]
LABELS = ("entailment", "not_entailment")
BLOCK = 4


# Rows.


def hi_tom(name: str, style: str, **where: Any) -> datasets.DatasetDict:
    """Return the test split of a config of hi_tom, stories together, with the column `prompt`."""
    test = load("hi_tom", name, **where)["test"].sort(["story_id", "order"])
    return with_prompts(test, [prompts.ask(style, row) for row in test])


def mindgames(name: str, style: str, **where: Any) -> datasets.DatasetDict:
    """Return the test split of a config of mindgames, blocks together, with the column `prompt`."""
    found = load("mindgames", name, **where)
    test = found["test"].sort("index")
    if style != "five-shot":
        return with_prompts(test, [prompts.ask(style, row) for row in test])
    if "train" not in found:
        raise ValueError("there is no train split, from which the examples are taken: build one")
    train = defaultdict(list)
    for row in found["train"]:
        train[row["setup"]].append(row)
    pools = {setup: prompts.pool(rows) for setup, rows in train.items()}
    return with_prompts(test, [prompts.ask(style, row, prompts.shots(row, pools[row["setup"]])) for row in test])


def load(dataset: str, name: str, where: str = ".", dataset_revision: str | None = None, **_: Any):
    """Load a config from a folder, or from a namespace of the Hub; other metadata is for others."""
    return datasets.load_dataset(f"{where}/{dataset}", name, revision=dataset_revision)


def with_prompts(test: datasets.Dataset, asked: list[str]) -> datasets.DatasetDict:
    """Return a test split with its prompts."""
    return datasets.DatasetDict({"test": test.add_column("prompt", asked)})


# Likelihoods: which continuation of the prompt is likeliest.


def cued(row: Row) -> str:
    """Return a prompt that is to be continued by a letter."""
    return f"{row['prompt']}\n\n{prompts.wording('en').cue}"


def letters(row: Row) -> list[str]:
    """Return the letters of the choices."""
    return list(str(prompts.wording("en").letters)[: len(row["choices"])])


def continuations(row: Row) -> list[str]:
    """Return what continues the prompt of MindGames for each of LABELS."""
    return [prompts.wording("en").continuations[label] for label in LABELS]


def label_index(row: Row) -> int:
    """Return the place of the label in LABELS."""
    return LABELS.index(row["label"])


def likeliest(results: list[tuple[float, bool]]) -> int:
    """Return the first of the likeliest continuations."""
    likelihoods = [likelihood for likelihood, *_ in results]
    return likelihoods.index(max(likelihoods))


def story_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a question among those of its story by the likeliest letter."""
    return of_story(row, likeliest(results) == row["answer_index"])


def block_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a problem among those of its block by the likelier continuation."""
    return of_block(row, likeliest(results) == label_index(row))


# Replies: what a model wrote.


def hi_tom_reply(row: Row, results: list[str]) -> dict:
    """Judge a question by the container or letter that the reply names."""
    judged = story_reply(row, results)
    return {"acc": judged["acc"], "unread": judged["unread"]}


def story_reply(row: Row, results: list[str]) -> dict:
    """Judge a question among those of its story by the container or letter that the reply names."""
    choice = read_container(results[0], row["choices"]).choice
    return {**of_story(row, choice == row["answer_index"]), "unread": float(choice is None)}


def block_reply(row: Row, results: list[str]) -> dict:
    """Judge a problem among those of its block by the label that the reply names."""
    choice = read_label(results[0]).choice
    return {**of_block(row, choice == label_index(row)), "unread": float(choice is None)}


# Metrics over whole stories and blocks.


ORDERS = range(5)


def of_story(row: Row, right: bool) -> dict:
    """Return what each metric of a question is made from."""
    item = row["story_id"], row["order"], right
    return {"acc": float(right), "joint_acc": item, **{f"joint_acc_{order}": item for order in ORDERS}}


def of_block(row: Row, right: bool) -> dict:
    """Return what each metric of a problem is made from."""
    return {"acc": float(right), "block_acc": (row["block"], right)}


def joint(items: Iterable[tuple[str, int, bool]], only: int | None = None) -> float:
    """Return the share of questions that are right with all lower orders of their story (Hi-ToM, section 4.3).

    `items` are (story_id, order, right); `only` counts the questions of one order. A question whose lower orders were
    not all asked cannot be judged and is left out; nan where none is left.
    """
    stories: dict[str, dict[int, bool]] = defaultdict(dict)
    for story, order, right in items:
        stories[story][order] = right
    judged = [
        all(asked[lower] for lower in range(order + 1))
        for asked in stories.values()
        for order in asked
        if only in (None, order) and all(lower in asked for lower in range(order))
    ]
    return sum(judged) / len(judged) if judged else nan


joint_0, joint_1, joint_2, joint_3, joint_4 = (partial(joint, only=order) for order in ORDERS)


def whole_blocks(items: Iterable[tuple[str, bool]]) -> float:
    """Return the share of blocks of which all four labels are right, given (block, right).

    A block that was not asked whole (`--limit`) is left out; nan where none is left.
    """
    blocks: dict[str, list[bool]] = defaultdict(list)
    for block, right in items:
        blocks[block].append(right)
    judged = [all(asked) for asked in blocks.values() if len(asked) == BLOCK]
    return sum(judged) / len(judged) if judged else nan
