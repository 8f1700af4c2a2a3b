"""The items that are scored: the right choice of each question or problem, its unit, its groups, and its reply.

A unit is a story of hi_tom or a block of mindgames. The strict metric asks for several items of one unit to be right
together: joint accuracy for a question and all lower orders, block accuracy for the four problems of a block.
"""

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..proof.left_out import LeftOut
from ..proof.released import NUMBERS
from ..splits import ENGLISH
from ..story.abilities.kinds import KINDS
from ..story.config import order_name
from ..syntax.formula import LABELS
from ..wording.languages import language_of
from .reading import EMPTY, Reading

PUBLISHED_KEY = ("deception", "story_length", "sample", "question_order")
"""Columns that name a question in the published data of Hi-ToM, beside its prompting_type."""
BLOCK = 4
"""Problems in a block."""
Key = tuple[str | None, str]
"""Name of a prompt, and id of an item that it asks."""


@dataclass(frozen=True, slots=True)
class Item:
    """Hold a question or a problem and, once it is scored, the reply to it."""

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
    asks: tuple[str, ...] = ()  # hi_tom's abilities: the kind of the question, and the agents of its chain
    language: str = ENGLISH  # that of the row, in which replies are read
    undisputed: bool | None = None  # hi_tom: whether all readings give the answer; None where nobody computed them
    text: str = ""  # the reply as it was written
    reading: Reading = Reading(None, EMPTY)  # what the reply says
    strict: bool | None = None  # whether all items that the strict metric needs are right; None if not all were asked

    @property
    def key(self) -> Key:
        """Return what its reply is found by."""
        return self.prompt, self.id

    @property
    def right(self) -> bool:
        """Return whether the reply names the right choice."""
        return self.reading.choice == self.answer

    @property
    def chosen(self) -> str | None:
        """Return the choice that the reply names, None where it is unread."""
        return None if self.reading.choice is None else self.choices[self.reading.choice]


def grouped(items: Iterable[Item], group_of: Callable[[Item], str | None]) -> dict[str, list[Item]]:
    """Return the items of each group, "agents 10" behind "agents 9"; without those that have no group."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if (group := group_of(item)) is not None:
            groups[group].append(item)
    numbers = {name: [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)] for name in groups}
    return {name: groups[name] for name in sorted(groups, key=numbers.get)}


def by_property(items: Iterable[Item], name: str) -> dict[str, list[Item]]:
    """Return the items of each group of a property, such as "order"."""
    return grouped(items, lambda item: item.groups[name])


def _groups(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str | None]:
    """Return by property the group of a number, such as "agents 3"; None where the row does not have its column."""
    return {name: None if row.get(column) is None else f"{name} {row[column]}" for name, column in columns.items()}


class RowName(NamedTuple):
    """Hold what responses name a published row by."""

    prompt: str | None  # its prompting_type
    id: str  # its PUBLISHED_KEY, or its number where it lacks one
    number: str | None = None  # the number that counts all rows of its file, if it has one


# Questions of hi_tom.


def question_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom. Published rows may lack columns, and may have `prompt` and `number`.

    The strict metric is not defined where `all_orders` is false: a story may then have two questions of one order.
    """
    columns = {"length": "story_length", "effective order": "effective_order", "claims": "n_claims", "rung": "rung"}
    items = []
    for row in rows:
        story, choices, deception, undisputed = (
            row["story"],
            row["choices"],
            row.get("deception"),
            row.get("undisputed"),
        )
        first = min(((story.find(choice), choice) for choice in choices if choice in story), default=(0, None))[1]
        last = max(((story.rfind(choice), choice) for choice in choices), default=(0, None))[1]
        if row.get("kind"):
            items.append(ability_item(row))
            continue
        numbered = _groups(row, columns)
        told = ("no deception", "deception")[deception] if isinstance(deception, bool) else None
        items.append(
            Item(
                id=row["id"],
                prompt=row.get("prompt"),
                unit=row["story_id"],
                choices=tuple(choices),
                answer=choices.index(row["answer"]),
                place=row["order"],
                needs=tuple(range(row["order"])) if row.get("all_orders", True) else None,
                groups={
                    "order": order_name(row["order"]),
                    "length": numbered["length"],
                    "deception": told,
                    **numbered,
                    "kind": None,
                    "kind and order": None,
                },
                difficulty=row.get("difficulty"),
                ends=(first == row["answer"], last == row["answer"]),
                number=row.get("number"),
                language=language_of(row),
                undisputed=undisputed if isinstance(undisputed, bool) else None,
            )
        )
    return items


OTHER_PLACES = 100
"""The first place of the questions of abilities; lower places are orders, with one question of a story each."""


def ability_item(row: Mapping[str, Any]) -> Item:
    """Return the item of a question of abilities; the strict metric asks for both questions of a pair."""
    kind, order, number = row["kind"], row["order"], int(row["id"].endswith("-2"))
    first = OTHER_PLACES + 2 * list(KINDS).index(kind)
    return Item(
        id=row["id"],
        prompt=row.get("prompt"),
        unit=row["story_id"],
        choices=tuple(row["choices"]),
        answer=row["choices"].index(row["answer"]),
        place=first + number,
        needs=(first + 1 - number,) if KINDS[kind].paired else None,
        groups={
            "order": order_name(order), "length": None, "deception": None, "effective order": None, "claims": None,
            "rung": None, "kind": kind, "kind and order": f"{kind}, order {order}",
        },
        asks=(kind, *row["chain"]),
        language=language_of(row),
        undisputed=row.get("undisputed"),
    )  # fmt: skip


def question_name(row: Mapping[str, Any]) -> RowName:
    """Return what responses name a published question by. Raises ValueError where it lacks that."""
    number = next((str(row[column]) for column in NUMBERS if column in row), None)
    whole = all(column in row for column in PUBLISHED_KEY)
    if not whole and number is None:
        raise ValueError(
            f"it has no {', '.join(PUBLISHED_KEY)} and no {' or '.join(NUMBERS)}; responses name it by them"
        )
    prompt = row.get("prompting_type")
    return RowName(None if prompt is None else str(prompt), published_id(row) if whole else str(number), number)


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{column}={row[column]}" for column in key)


def published_question(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a published question with its unit, and whether the release asks one question of each order about it."""
    whole = all(column in row for column in PUBLISHED_KEY)
    return {**row, "story_id": published_id(row, PUBLISHED_KEY[:-1]) if whole else row["story"], "all_orders": whole}


# Problems of mindgames.


def problem_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of mindgames. Published rows have no block, and so no strict metric."""
    labels = tuple(LABELS.values())
    items: list[Item] = []
    sizes: Counter[str] = Counter()
    for row in rows:
        block = row.get("block")
        numbered = _groups(row, {"agents": "n_agents", "depth": "hypothesis_depth", "rung": "rung"})
        items.append(
            Item(
                id=str(row["index"]),
                prompt=None,
                unit=block or f"row {row['index']}",
                choices=labels,
                answer=labels.index(row["label"]),
                place=sizes[block],
                needs=tuple(range(BLOCK)) if block else None,
                groups={"setup": row["setup"], **numbered},
                language=language_of(row),
                difficulty=row.get("difficulty"),
            )
        )
        sizes[block] += 1
    return items


def problem_name(row: Mapping[str, Any]) -> RowName:
    """Return what responses name a published problem by. Raises ValueError where it lacks that."""
    if "index" not in row:
        raise ValueError("it has no index, which responses name it by")
    return RowName(None, str(row["index"]))


def published_problem(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a published problem. Raises ValueError where it lacks a setup or has an unknown label."""
    if not isinstance(row.get("setup"), str):
        raise ValueError("it has no setup, a string such as forehead")
    if row["label"] not in LABELS.values():
        raise ValueError(f"label is {row['label']!r}; expected {' or '.join(LABELS.values())}")
    return row


# Published rows of either dataset.

PUBLISHED = {
    "hi_tom": (question_name, published_question, question_items),
    "mindgames": (problem_name, published_problem, problem_items),
}
"""For each dataset what names a published row, what completes it, and what makes items of all."""


def row_names(name: str, rows: Iterable[Any]) -> list[RowName]:
    """Return what responses name rows by, for the rows that have such names."""
    names = []
    for row in rows:
        with contextlib.suppress(ValueError):
            if isinstance(row, Mapping):
                names.append(PUBLISHED[name][0](row))
    return names


def published_items(name: str, rows: Iterable[Mapping[str, Any]], left_out: LeftOut) -> list[Item]:
    """Return the items of published rows; the field `where` of a row says where it stands.

    A row that lacks what its replies are found by, has an unknown label, or stands twice goes to `left_out`. Raises
    UserError where no row can be read.
    """
    name_of, completed, items_of = PUBLISHED[name]
    named: dict[Key, Mapping[str, Any]] = {}
    for row in rows:
        with left_out.reading(row["where"], row):
            names = name_of(row)
            whole = completed(row)
            if names[:2] in named:
                raise ValueError(f"{names.id} stands more than once")
            named[names[:2]] = {**whole, **names._asdict()}
    left_out.require_some()
    return items_of(named.values())
