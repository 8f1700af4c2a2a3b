"""The Python side of the tasks for lm-evaluation-harness: rows with prompts, verdicts on answers, and metrics.

The YAML files beside this one name these functions. Prompts are those of `tom-datasets prompts`, and replies are read
as `tom-datasets score` reads them. The project must be installed: `pip install -e .` in its clone. `--metadata
'{"where": "FOLDER or NAMESPACE"}'` or the environment variable TOM_DATASETS says where the datasets are; else they are
in the working directory, or in the clone. `"dataset_revision"` names a tag on the Hub, and `"rules"` are full or paper.
"""

import os
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

import datasets

from tom_datasets import prompts
from tom_datasets.answers.scores import read_reply
from tom_datasets.syntax import formula

CLONE = Path(__file__).resolve().parents[2]
Row = dict[str, Any]
LABELS = tuple(formula.LABELS.values())
BLOCK = 4
"""Problems in a block."""


# Rows.


def hi_tom(name: str, style: str, order: int | None = None, rules: str = "full", **where: Any) -> datasets.DatasetDict:
    """Return the test split of a config of hi_tom, stories together, with the column `prompt`.

    `order` keeps the questions of one order. Raises ValueError where there are none.
    """
    test = load("hi_tom", name, **where)["test"].sort(["story_id", "order"])
    if order is not None:
        orders = list(test["order"])
        test = test.select([place for place, row_order in enumerate(orders) if row_order == order])
        if not len(test):
            has = ", ".join(map(str, sorted(set(orders))))
            raise ValueError(f"hi_tom has no question of order {order} in {name}; it has the orders {has}")
    return with_prompts(test, [prompts.ask(style, row, rules=rules) for row in test])


def mindgames(name: str, style: str, rules: str = "full", **where: Any) -> datasets.DatasetDict:
    """Return the test split of a config of mindgames, blocks together, with the column `prompt`."""
    splits = load("mindgames", name, **where)
    test = splits["test"].sort("index")
    if style != "five-shot":
        return with_prompts(test, [prompts.ask(style, row, rules=rules) for row in test])
    pools = {setup: example_pool(setup, **where) for setup in sorted(set(test["setup"]))}
    texts = [prompts.ask(style, row, prompts.shots(row, pools[row["setup"]]), rules=rules) for row in test]
    return with_prompts(test, texts)


def example_pool(setup: str, **where: Any) -> prompts.Pool:
    """Return the solved problems that prompts may show: the train split of a setup. Raises ValueError without one."""
    splits = load("mindgames", setup, **where)
    if "train" not in splits:
        raise ValueError(f"mindgames has no train split of {setup}, from which the five examples come: build one")
    return prompts.example_pool(splits["train"])


def load(dataset: str, name: str, where: str | None = None, dataset_revision: str | None = None, **_: Any):
    """Load a config from a folder, or from a namespace of the Hub; other metadata is not meant for this function."""
    return datasets.load_dataset(f"{where or place_of(dataset)}/{dataset}", name, revision=dataset_revision)


def place_of(dataset: str) -> str:
    """Return where a dataset is, if no metadata says so. Raises ValueError where it is nowhere."""
    if named := os.environ.get("TOM_DATASETS"):
        return named
    places = [str(Path.cwd()), str(CLONE)]
    for place in places:
        if Path(place, dataset).is_dir():
            return place
    raise ValueError(f"no folder {dataset} in {' or '.join(places)}: run make build, or set TOM_DATASETS=FOLDER")


def with_prompts(test: datasets.Dataset, texts: list[str]) -> datasets.DatasetDict:
    """Return a test split with its prompts."""
    return datasets.DatasetDict({"test": test.add_column("prompt", texts)})


# Likelihoods: which continuation of the prompt is likeliest.


def cued(row: Row) -> str:
    """Return a prompt that is to be continued by a letter."""
    return f"{row['prompt']}\n\n{prompts.wording_of(row).cue}"


def letters(row: Row) -> list[str]:
    """Return the letters of the choices."""
    return list(str(prompts.wording("en").letters)[: len(row["choices"])])


def continuations(row: Row) -> list[str]:
    """Return what continues the prompt of MindGames for each of LABELS."""
    return [prompts.wording_of(row).continuations[label] for label in LABELS]


def label_index(row: Row) -> int:
    """Return the place of the label in LABELS."""
    return LABELS.index(row["label"])


def likeliest(results: list[tuple[float, bool]]) -> int:
    """Return the place of the likeliest continuation, the first of several."""
    likelihoods = [likelihood for likelihood, *_ in results]
    return likelihoods.index(max(likelihoods))


def story_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a question among those of its story by the likeliest letter."""
    return story_verdict(row, likeliest(results) == row["answer_index"])


def block_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a problem among those of its block by the likelier continuation."""
    return block_verdict(row, likeliest(results) == label_index(row))


def problem_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a problem that has no block by the likelier continuation."""
    return {"acc": float(likeliest(results) == label_index(row))}


# Replies: what a model wrote.


def hi_tom_reply(row: Row, results: list[str]) -> dict:
    """Judge a question by the container or letter that the reply names."""
    verdict = story_reply(row, results)
    return {"acc": verdict["acc"], "unread": verdict["unread"]}


def story_reply(row: Row, results: list[str]) -> dict:
    """Judge a question among those of its story by the container or letter that the reply names."""
    choice = read_reply("hi_tom", results[0], row["choices"], prompts.language_of(row)).choice
    return {**story_verdict(row, choice == row["answer_index"]), "unread": float(choice is None)}


def block_reply(row: Row, results: list[str]) -> dict:
    """Judge a problem among those of its block by the label that the reply names."""
    choice = read_reply("mindgames", results[0], LABELS, prompts.language_of(row)).choice
    return {**block_verdict(row, choice == label_index(row)), "unread": float(choice is None)}


def problem_reply(row: Row, results: list[str]) -> dict:
    """Judge a problem that has no block by the label that the reply names."""
    choice = read_reply("mindgames", results[0], LABELS, prompts.language_of(row)).choice
    return {"acc": float(choice == label_index(row)), "unread": float(choice is None)}


# Metrics over whole stories and blocks.


ORDERS = range(5)


def story_verdict(row: Row, right: bool) -> dict:
    """Return what each metric of a question is computed from."""
    verdict = row["story_id"], row["order"], right
    return {"acc": float(right), "joint_acc": verdict, **{f"joint_acc_{order}": verdict for order in ORDERS}}


def block_verdict(row: Row, right: bool) -> dict:
    """Return what each metric of a problem is computed from."""
    return {"acc": float(right), "block_acc": (row["block"], right)}


def joint(verdicts: Iterable[tuple[str, int, bool]], only: int | None = None) -> float:
    """Return the share of questions that are right with all lower orders of their story (Hi-ToM, section 4.3).

    `verdicts` are (story_id, order, right). `only` restricts the share to the questions of one order. A question is
    left out where the model was not asked all lower orders of its story. The share of no questions is nan.
    """
    stories: dict[str, dict[int, bool]] = defaultdict(dict)
    for story, order, right in verdicts:
        stories[story][order] = right
    jointly_right = [
        all(orders[lower] for lower in range(order + 1))
        for orders in stories.values()
        for order in orders
        if only in (None, order) and all(lower in orders for lower in range(order))
    ]
    return sum(jointly_right) / len(jointly_right) if jointly_right else nan


joint_0, joint_1, joint_2, joint_3, joint_4 = (partial(joint, only=order) for order in ORDERS)


def whole_blocks(verdicts: Iterable[tuple[str, bool]]) -> float:
    """Return the share of blocks whose four labels are all right; `verdicts` are (block, right).

    A block is left out where the model was not asked all four (`--limit`). The share of no blocks is nan.
    """
    blocks: dict[str, list[bool]] = defaultdict(list)
    for block, right in verdicts:
        blocks[block].append(right)
    wholly_right = [all(rights) for rights in blocks.values() if len(rights) == BLOCK]
    return sum(wholly_right) / len(wholly_right) if wholly_right else nan
