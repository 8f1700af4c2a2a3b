"""The Python side of the tasks for lm-evaluation-harness: rows with prompts, verdicts on answers, and metrics.

The YAML files beside this one name these functions. Prompts are those of `tom-datasets prompts`, and replies are read
as `tom-datasets score` reads them. The project must be installed: `pip install -e .` in its clone. `--metadata
'{"where": "FOLDER or NAMESPACE"}'` or the environment variable TOM_DATASETS says where the datasets are; else they are
in the working directory, or in the clone. `"dataset_revision"` names a tag on the Hub, and `"rules"` are full or paper.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from math import nan, prod
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
    """Return the test split of a config of hi_tom, with the column `prompt`.

    Rows keep the order of their file: stories together, and all kinds of stories in turn or in random order, so that
    `--limit` asks a fair sample. `order` keeps the questions of one order. Raises ValueError where there are none.
    """
    test = load("hi_tom", name, **where)["test"]
    if order is not None:
        orders = list(test["order"])
        test = test.select([place for place, row_order in enumerate(orders) if row_order == order])
        if not len(test):
            has = ", ".join(map(str, sorted(set(orders))))
            raise ValueError(f"hi_tom has no question of order {order} in {name}; it has the orders {has}")
    return with_prompts(test, [prompts.ask(style, row, rules=rules) for row in test])


def mindgames(name: str, style: str, rules: str = "full", **where: Any) -> datasets.DatasetDict:
    """Return the test split of a config of mindgames, with the column `prompt`.

    Rows keep the order of their file: blocks together, the setups in turn, so that `--limit` asks all of them.
    """
    test = load("mindgames", name, **where)["test"]
    if style != "five-shot":
        return with_prompts(test, [prompts.ask(style, row, rules=rules) for row in test])
    pools = {setup: example_pool(setup, **where) for setup in sorted(set(test["setup"]))}
    texts = [prompts.ask(style, row, prompts.shots(row, pools[row["setup"]]), rules=rules) for row in test]
    return with_prompts(test, texts)


def example_pool(setup: str, **where: Any) -> prompts.Pool:
    """Return the solved problems that prompts may show: the train split of a setup. Raises ValueError without one."""
    config = prompts.example_config(setup)
    splits = load("mindgames", config, **where)
    if "train" not in splits:
        raise ValueError(f"mindgames has no train split of {config}, from which the five examples come: build one")
    return prompts.example_pool(splits["train"], setup)


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


def cued(row: Row) -> str:
    """Return a prompt that is to be continued by a letter, or by a choice."""
    return f"{row['prompt']}\n\n{prompts.wording_of(row).cue}"


# Likelihoods: which continuation of the prompt is likeliest.


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


def question_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a question by the likeliest letter."""
    return verdict(row, likeliest(results))


def story_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a question among those of its story by the likeliest letter."""
    return story_verdict(row, likeliest(results))


def block_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a problem among those of its block by the likelier continuation."""
    return block_verdict(row, likeliest(results))


def problem_likelihood(row: Row, results: list[tuple[float, bool]]) -> dict:
    """Judge a problem that has no block by the likelier continuation."""
    return verdict(row, likeliest(results))


# Replies: what a model wrote.


def read_choice(row: Row, results: list[str]) -> int | None:
    """Return the place of the choice that a reply names, None where it is unread."""
    dataset = "hi_tom" if "choices" in row else "mindgames"
    return read_reply(dataset, results[0], choices(row), prompts.language_of(row)).choice


def question_reply(row: Row, results: list[str]) -> dict:
    """Judge a question, or a problem that has no block, by the choice that the reply names."""
    choice = read_choice(row, results)
    return {**verdict(row, choice), "unread": float(choice is None)}


def story_reply(row: Row, results: list[str]) -> dict:
    """Judge a question among those of its story by the container or letter that the reply names."""
    choice = read_choice(row, results)
    return {**story_verdict(row, choice), "unread": float(choice is None)}


def block_reply(row: Row, results: list[str]) -> dict:
    """Judge a problem among those of its block by the label that the reply names."""
    choice = read_choice(row, results)
    return {**block_verdict(row, choice), "unread": float(choice is None)}


# Metrics: chance and the commonest answer, which stand beside accuracy, and those over whole stories and blocks.


ORDERS = range(5)


def choices(row: Row) -> Sequence[str]:
    """Return what may be answered: the choices of a question, LABELS of a problem."""
    return row.get("choices", LABELS)


def verdict(row: Row, choice: int | None) -> dict:
    """Return what the metrics of any row are computed from. `choice`: the place of what was answered, or None."""
    right = row["answer_index"] if "choices" in row else label_index(row)
    return {"acc": float(choice == right), "chance": 1 / len(choices(row)), "commonest": choice}


def story_verdict(row: Row, choice: int | None) -> dict:
    """Return what each metric of a question among those of its story is computed from."""
    common = verdict(row, choice)
    right = row["story_id"], row["order"], common["acc"]
    joint = {"joint_acc": right, **{f"joint_acc_{order}": right for order in ORDERS}}
    return {**common, **joint, "joint_chance": (*right[:2], common["chance"])}


def block_verdict(row: Row, choice: int | None) -> dict:
    """Return what each metric of a problem among those of its block is computed from."""
    common = verdict(row, choice)
    return {**common, "block_acc": (row["block"], common["acc"]), "block_chance": (row["block"], common["chance"])}


def commonest(answers: Iterable[int | None]) -> float:
    """Return the share of the commonest answer, such as the letter A; of unread replies alone it is 0."""
    answers = list(answers)
    read = Counter(answer for answer in answers if answer is not None)
    return max(read.values(), default=0) / len(answers)


def joint(verdicts: Iterable[tuple[str, int, float]], only: int | None = None) -> float:
    """Return how often questions are right with all lower orders of their story, on average (Hi-ToM, section 4.3).

    `verdicts` are (story_id, order, how often it is right: 0 or 1, or the chance). `only` restricts the share to the
    questions of one order. A question is left out where the model was not asked all lower orders of its story. The
    share of no questions is nan.
    """
    stories: dict[str, dict[int, float]] = defaultdict(dict)
    for story, order, right in verdicts:
        stories[story][order] = right
    jointly_right = [
        prod(orders[lower] for lower in range(order + 1))
        for orders in stories.values()
        for order in orders
        if only in (None, order) and all(lower in orders for lower in range(order))
    ]
    return sum(jointly_right) / len(jointly_right) if jointly_right else nan


joint_0, joint_1, joint_2, joint_3, joint_4 = (partial(joint, only=order) for order in ORDERS)


def whole_blocks(verdicts: Iterable[tuple[str, float]]) -> float:
    """Return how often the four labels of a block are all right, on average.

    `verdicts` are (block, how often it is right: 0 or 1, or the chance).

    A block is left out where the model was not asked all four (`--limit`). The share of no blocks is nan.
    """
    blocks: dict[str, list[float]] = defaultdict(list)
    for block, right in verdicts:
        blocks[block].append(right)
    wholly_right = [prod(rights) for rights in blocks.values() if len(rights) == BLOCK]
    return sum(wholly_right) / len(wholly_right) if wholly_right else nan
