"""The items that are scored: the right choice of each question or problem, its unit, and its groups.

A unit is a story of hi_tom or a block of mindgames. The strict metric asks for several items of one unit to be right
together: joint accuracy for a question and all lower orders, block accuracy for the four problems of a block.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..proof.left_out import LeftOut
from ..proof.released import NUMBERS
from ..story.config import order_name
from ..syntax.formula import LABELS

PUBLISHED_KEY = ("deception", "story_length", "sample", "question_order")
"""Columns that name a question in the published data of Hi-ToM, beside its prompting_type."""
BLOCK = 4
"""Problems in a block."""


@dataclass(frozen=True, slots=True)
class Item:
    """Hold what scoring needs of a question or a problem."""

    id: str  # id of the row; in mindgames its index
    prompt: str | None  # name of the one prompt that asks it; None if every prompt does
    unit: str | None  # its story or block; in published problems a name of its own
    choices: tuple[str, ...]  # what may be answered
    answer: int  # place of the right choice
    place: int  # order of the question, or place of the problem in its block
    needs: tuple[int, ...] | None  # places in its unit that the strict metric needs to be right; None without a metric
    groups: Mapping[str, str | None]  # for each property the group that it is counted in; None for no group
    difficulty: float | None = None  # difficulty by a probe, if one scored the row
    ends: tuple[bool, bool] | None = None  # hi_tom: whether the answer is the container its story names first, last
    number: str | None = None  # the number that counts all rows of a published file, another name of the row
    undisputed: bool | None = None  # hi_tom: whether all readings give the answer; None where nobody computed them


def question_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom. Published rows may lack columns, and may have `prompt` and `number`.

    The strict metric is not defined where `all_orders` is false: a story may then have two questions of one order.
    """
    items = []
    for row in rows:
        named = sorted((row["story"].find(choice), choice) for choice in row["choices"] if choice in row["story"])
        last = max(((row["story"].rfind(choice), choice) for choice in row["choices"]), default=(0, ""))[1]
        groups = {
            "order": order_name(row["order"]),
            "length": _group("length", row.get("story_length")),
            "deception": _deception(row.get("deception")),
            "effective order": _group("effective order", row.get("effective_order")),
            "claims": _group("claims", row.get("n_claims")),
            "rung": _group("rung", row.get("rung")),
        }
        undisputed = row.get("undisputed")
        items.append(
            Item(
                id=row["id"],
                prompt=row.get("prompt"),
                unit=row["story_id"],
                choices=tuple(row["choices"]),
                answer=row["choices"].index(row["answer"]),
                place=row["order"],
                needs=tuple(range(row["order"])) if row.get("all_orders", True) else None,
                groups=groups,
                difficulty=row.get("difficulty"),
                ends=(bool(named) and named[0][1] == row["answer"], last == row["answer"]),
                number=row.get("number"),
                undisputed=undisputed if isinstance(undisputed, bool) else None,
            )
        )
    return items


def problem_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of mindgames. Published rows have no block, and so no strict metric."""
    labels = tuple(LABELS.values())
    items: list[Item] = []
    sizes: Counter[str] = Counter()
    for row in rows:
        block = row.get("block")
        items.append(
            Item(
                id=str(row["index"]),
                prompt=None,
                unit=block or f"row {row['index']}",
                choices=labels,
                answer=labels.index(row["label"]),
                place=sizes[block],
                needs=tuple(range(BLOCK)) if block else None,
                groups={
                    "setup": row["setup"],
                    "agents": _group("agents", row.get("n_agents")),
                    "depth": _group("depth", row.get("hypothesis_depth")),
                    "rung": _group("rung", row.get("rung")),
                },
                difficulty=row.get("difficulty"),
            )
        )
        sizes[block] += 1
    return items


def _deception(deception: Any) -> str | None:
    """Return the group of a story with or without deception, None where the row does not say which."""
    if not isinstance(deception, bool):
        return None
    return "deception" if deception else "no deception"


def _group(name: str, number: int | None) -> str | None:
    """Return the group of a number, such as "agents 3"; None where the row does not have the number."""
    return None if number is None else f"{name} {number}"


class RowName(NamedTuple):
    """Hold what responses name a published row by."""

    prompt: str | None  # its prompting_type
    id: str  # its PUBLISHED_KEY, or its number where it lacks one
    number: str | None = None  # the number that counts all rows of its file, if it has one


def row_name(name: str, row: Mapping[str, Any]) -> RowName:
    """Return what responses name a published row by. Raises ValueError where it lacks that."""
    if name != "hi_tom":
        if "index" not in row:
            raise ValueError("it has no index, which responses name it by")
        return RowName(None, str(row["index"]))
    number = next((str(row[column]) for column in NUMBERS if column in row), None)
    if not all(column in row for column in PUBLISHED_KEY) and number is None:
        raise ValueError(
            f"it has no {', '.join(PUBLISHED_KEY)} and no {' or '.join(NUMBERS)}; responses name it by them"
        )
    prompt = row.get("prompting_type")
    row_id = published_id(row) if all(column in row for column in PUBLISHED_KEY) else str(number)
    return RowName(None if prompt is None else str(prompt), row_id, number)


def row_names(name: str, rows: Iterable[Any]) -> list[RowName]:
    """Return the names of those rows that have one."""
    names = []
    for row in rows:
        with contextlib.suppress(ValueError):
            if isinstance(row, Mapping):
                names.append(row_name(name, row))
    return names


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{column}={row[column]}" for column in key)


def published_items(name: str, rows: Iterable[Mapping[str, Any]], left_out: LeftOut) -> list[Item]:
    """Return the items of published rows; the field `where` of a row says where it stands.

    A row that lacks what its replies are found by, has an unknown label, or stands twice goes to `left_out`. Raises
    UserError where no row can be read.
    """
    named: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    for row in rows:
        with left_out.reading(row["where"], row):
            row_key = row_name(name, row)
            if name != "hi_tom" and not isinstance(row.get("setup"), str):
                raise ValueError("it has no setup, a string such as forehead")
            if name != "hi_tom" and row["label"] not in LABELS.values():
                raise ValueError(f"label is {row['label']!r}; expected {' or '.join(LABELS.values())}")
            if row_key[:2] in named:
                raise ValueError(f"{row_key.id} stands more than once")
            columns = {"id": row_key.id, "number": row_key.number, "prompt": row_key.prompt}
            named[row_key[:2]] = {**row, **columns, **_unit(row)} if name == "hi_tom" else row
    left_out.require_some()
    return (question_items if name == "hi_tom" else problem_items)(named.values())


def _unit(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the unit of a published question, and whether the release asks one question of each order about it."""
    whole = all(column in row for column in PUBLISHED_KEY)
    return {"story_id": published_id(row, PUBLISHED_KEY[:-1]) if whole else row["story"], "all_orders": whole}
