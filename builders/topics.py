"""Which datasets there are, and where the answer of each to a question of the commands is found.

A dataset is a package of topics: `builders/hi_tom/` and `builders/mindgames/` have modules with the same names, which
have functions and constants with the same names. The commands import the topic that they need, and nothing else of a
dataset, so that `show` starts fast.

| topic | what it answers |
| --- | --- |
| `config` | the facts of the dataset, and the options of its builds |
| `columns` | which columns a row has, and what they mean |
| `rows` | how a config becomes rows |
| `builder` | the columns as features, and the builder class of `datasets` |
| `stream` | how a number becomes rows, and which problems no stream has |
| `show` | how a row is chosen and printed |
| `prove` | what a check proves of a row |
| `audit` | what can be guessed, and the gates |
| `score` | what replies answer, and the pictures of their scores |
"""

from importlib import import_module
from types import ModuleType
from typing import Any

from .columns import Column
from .errors import UserError

NAMES = ("hi_tom", "mindgames")  # the datasets, in the order in which a command works on all of them


def topic(dataset: str, name: str) -> ModuleType:
    """Return the module of a dataset on a topic, imported when it is first needed. Raises UserError for no dataset."""
    if dataset not in NAMES:
        raise UserError(f"unknown dataset {dataset!r}; the datasets are {', '.join(NAMES)}")
    return import_module(f".{dataset}.{name}", __package__)


def columns_of(dataset: str) -> tuple[Column, ...]:
    """Return the columns of a dataset, in their order."""
    return topic(dataset, "columns").COLUMNS


def meanings_of(dataset: str) -> dict[str, str]:
    """Return what each column of a dataset holds."""
    return {column.name: column.meaning for column in columns_of(dataset)}


def features_of(dataset: str) -> Any:
    """Return the columns of a dataset with their types, as `datasets.Features`."""
    return topic(dataset, "builder").FEATURES
