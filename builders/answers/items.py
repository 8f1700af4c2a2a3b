"""Own the items that are scored: the right choice of each question or problem, its unit, and its groups.

A unit is a story of hi_tom or a block of mindgames. The strict metric asks for several items of one unit to be right
together: joint accuracy for a question and all lower orders, block accuracy for the four problems of a block.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builders.logic.formula import LABELS
from builders.story.config import order_name

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


def question_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom. Published rows may lack columns, and may have `prompt`."""
    items = []
    for row in rows:
        named = sorted((row["story"].find(choice), choice) for choice in row["choices"] if choice in row["story"])
        last = max(((row["story"].rfind(choice), choice) for choice in row["choices"]), default=(0, ""))[1]
        groups = {
            "order": order_name(row["order"]),
            "length": f"length {row['story_length']}",
            "deception": "deception" if row["deception"] else "no deception",
            "effective order": _group("effective order", row.get("effective_order")),
            "claims": _group("claims", row.get("n_claims")),
        }
        items.append(
            Item(
                id=row["id"],
                prompt=row.get("prompt"),
                unit=row["story_id"],
                choices=tuple(row["choices"]),
                answer=row["choices"].index(row["answer"]),
                place=row["order"],
                needs=tuple(range(row["order"])),
                groups=groups,
                difficulty=row.get("difficulty"),
                ends=(bool(named) and named[0][1] == row["answer"], last == row["answer"]),
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
                },
                difficulty=row.get("difficulty"),
            )
        )
        sizes[block] += 1
    return items


def _group(name: str, number: int | None) -> str | None:
    """Return the group of a number, such as "agents 3"; None where the row does not have the number."""
    return None if number is None else f"{name} {number}"


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{column}={row[column]}" for column in key)


def published_items(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of published rows; the field `where` of a row says where it stands.

    Raises ValueError where a row lacks what its replies are found by, has an unknown label, or stands twice.
    """
    needed = PUBLISHED_KEY if name == "hi_tom" else ("index", "setup")
    rows_by_key: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    for row in rows:
        if lacks := [column for column in needed if column not in row]:
            raise ValueError(f"{row['where']}: it has no {', '.join(lacks)}, which responses name it by")
        if name == "hi_tom":
            row = {**row, "id": published_id(row), "story_id": published_id(row, PUBLISHED_KEY[:-1])}
        elif row["label"] not in LABELS.values():
            raise ValueError(f"{row['where']}: label is {row['label']!r}; expected {' or '.join(LABELS.values())}")
        key = row.get("prompt"), str(row.get("id", row["index"] if "index" in row else None))
        if key in rows_by_key:
            raise ValueError(f"{row['where']}: {key[1]} stands more than once")
        rows_by_key[key] = row
    return (question_items if name == "hi_tom" else problem_items)(rows_by_key.values())
