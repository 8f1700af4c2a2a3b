"""What a function may ask of a row: its columns, and what they hold; any other row is refused in one line."""

from collections.abc import Mapping, Sequence
from typing import Any

from .syntax.formula import LABELS, SETUPS

LISTS = ("choices", "chain", "names")  # columns that hold several texts; all others that are asked for hold one
ONE_OF = {"label": tuple(LABELS.values()), "setup": SETUPS}  # columns that hold one of a few texts


def dataset_of(row: Any, needed: Mapping[str, Sequence[str]]) -> str:
    """Return the dataset that a row is of, given the columns that are needed of it, by dataset.

    Raises ValueError, in one line, for what is no row, lacks a column, or holds another kind of value there.
    """
    if not isinstance(row, Mapping):
        raise ValueError(f"a row is {row!r:.80}; it must map the names of columns to their values")
    lacking = {name: [column for column in columns if column not in row] for name, columns in needed.items()}
    dataset = min(needed, key=lambda name: len(lacking[name]) / len(needed[name]))
    if lacking[dataset]:
        shapes = [", ".join(columns).rpartition(", ") for columns in needed.values()]
        known = ", or ".join(f"{first}{' and ' * bool(first)}{last}" for first, _, last in shapes)
        raise ValueError(f"a row has {known}; this one has {', '.join(map(str, row)) or 'no columns'}")
    for column in needed[dataset]:
        if fault := _fault(column, row[column]):
            raise ValueError(f"the {column} of a row is {row[column]!r:.80}; it must be {fault}")
    if {"choices", "answer"} <= set(needed[dataset]) and row["answer"] not in row["choices"]:
        raise ValueError(f"the answer of a row is {row['answer']!r:.80}, which is none of its choices")
    return dataset


def _fault(column: str, value: Any) -> str | None:
    """Return what the value of a column must be, None where it is that."""
    if column in LISTS:
        is_list = hasattr(value, "__len__") and not isinstance(value, (str, Mapping))
        return None if is_list and all(isinstance(text, str) for text in value) else "a list of texts"
    if column in ONE_OF:
        return None if value in ONE_OF[column] else f"one of {', '.join(ONE_OF[column])}"
    return None if isinstance(value, str) else "a text"
