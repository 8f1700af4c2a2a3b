"""What a function may ask of a row: its columns, and what they hold; any other row is refused in one line.

A row is a mapping, a named tuple or a Series of pandas; several are any of these in order, or a table of pandas, polars
or Arrow. Numbers, texts and arrays of numpy become Python's own. NaN, which stands for null in pandas, becomes None.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .columns import Row
from .splits import builtin
from .syntax.formula import LABELS, SETUPS
from .syntax.rounds import MARKS

LISTS = ("choices", "chain", "names")  # columns that hold several texts; all others that are asked for hold one
ONE_OF = {"label": tuple(LABELS.values()), "setup": (*SETUPS, *MARKS)}  # columns that hold one of a few texts


def plain_row(row: Any) -> Row:
    """Return a row as a dict of Python's own values. Raises ValueError for anything else."""
    if hasattr(row, "columns") and not isinstance(row, Mapping):
        raise ValueError(f"the row is a table of {len(row)} rows; give one of them, such as rows.iloc[0]")
    named = getattr(row, "to_dict", None) or getattr(row, "_asdict", None)
    if not isinstance(row, Mapping) and named:
        row = named()
    if not isinstance(row, Mapping):
        raise ValueError(f"the row is {row!r:.80}; it must map the names of columns to their values")
    return {column: plain_value(value) for column, value in row.items()}


def plain_rows(rows: Any) -> list[Row]:
    """Return rows as dicts of Python's own values. Raises ValueError for a single row, and for anything else."""
    if hasattr(rows, "rows_from"):
        raise ValueError("the rows are an endless stream; give some of them, such as itertools.islice(rows, 100)")
    for listed, told in (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",))):
        if hasattr(rows, "columns") and hasattr(rows, listed):
            rows = getattr(rows, listed)(*told)
    if isinstance(rows, (str, Mapping)) or not isinstance(rows, Iterable):
        raise ValueError(
            f"the rows are of type {type(rows).__name__}; give several, such as a list of rows or a DataFrame"
        )
    return list(map(plain_row, rows))


def plain_value(value: Any) -> Any:
    """Return a value of a column as Python's own; None for NaN, and the integer for a float that is one."""
    if type(value) in (str, bool, int) or type(value) is list and all(type(part) is str for part in value):
        return value
    value = builtin(value)
    if isinstance(value, list | tuple):
        return [plain_value(part) for part in value]
    if isinstance(value, float):
        return None if value != value else int(value) if value.is_integer() else value
    return None if type(value).__name__ in ("NAType", "NaTType") else value


def known_row(row: Any, needed: Mapping[str, Sequence[str]]) -> tuple[str, Row]:
    """Return the dataset that a row is of, and the row as Python's own values. Raises as `dataset_of`."""
    plain = plain_row(row)
    dataset = dataset_of(plain, needed)
    others = {column for name in needed if name != dataset for column in needed[name]}.difference(needed[dataset])
    return dataset, {column: value for column, value in plain.items() if value is not None or column not in others}


def dataset_of(row: Any, needed: Mapping[str, Sequence[str]]) -> str:
    """Return the dataset that a row is of, given the columns that are needed of it, by dataset.

    Raises ValueError, in one line, for what is no row, lacks a column, or holds another kind of value there.
    """
    if not isinstance(row, Mapping):
        raise ValueError(f"the row is {row!r:.80}; it must map the names of columns to their values")
    # A table of both datasets has null in the columns of the other one, or an empty value.
    empty = {name: sum(is_empty(row.get(column)) for column in needed[name]) / len(needed[name]) for name in needed}
    dataset = min(empty, key=empty.__getitem__)
    if any(column not in row for column in needed[dataset]):
        shapes = [", ".join(columns).rpartition(", ") for columns in needed.values()]
        known = ", or ".join(f"{first}{' and ' * bool(first)}{last}" for first, _, last in shapes)
        raise ValueError(f"a row must have {known}; this one has {', '.join(map(str, row)) or 'no columns'}")
    for column in needed[dataset]:
        if fault := _fault(column, row[column]):
            raise ValueError(f"the {column} of a row is {row[column]!r:.80}; it must be {fault}")
    if {"choices", "answer"} <= set(needed[dataset]) and row["answer"] not in row["choices"]:
        raise ValueError(f"the answer of a row is {row['answer']!r:.80}; it must be one of its choices")
    return dataset


def is_empty(value: Any) -> bool:
    """Return whether a column holds nothing."""
    return value is None or value == "" or value == []


def _fault(column: str, value: Any) -> str | None:
    """Return what the value of a column must be, None where it is that."""
    if column in LISTS:
        is_list = hasattr(value, "__len__") and not isinstance(value, (str, Mapping))
        return None if is_list and all(isinstance(text, str) for text in value) else "a list of texts"
    if column in ONE_OF:
        return None if value in ONE_OF[column] else f"one of {', '.join(ONE_OF[column])}"
    return None if isinstance(value, str) else "a text"
