"""What replies are scored against, made from our rows or published ones; `scores` adds the verdict.

A unit is a story of hi_tom or a block of mindgames. The strict metric asks for several items of one unit to be right
together: joint accuracy for a question and all lower orders, block accuracy for the four problems of a block.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles
from typing import Any, NamedTuple

from ..dataset import dataset_named
from ..groups import grouped_by
from ..prompts import BLOCK
from ..proof.left_out import LeftOut
from ..proof.published_stories import read_published_question
from ..proof.released import NUMBERS
from ..splits import ENGLISH, is_integer, language_of
from ..story.abilities.kind import YES_NO
from ..story.abilities.kinds import KINDS
from ..story.config import order_name
from ..syntax.events import Tell
from ..syntax.formula import LABELS
from .mentions import EMPTY, Reading

# Columns that name a question in the published data of Hi-ToM, beside its prompting_type.
PUBLISHED_KEY = ("deception", "story_length", "sample", "question_order")
HOPS, WORLDS = "hops", "worlds"  # what the dial of a row counts, in hi_tom and in mindgames
Key = tuple[str | None, str]  # name of a prompt, and id of an item that it asks


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
    groups: Mapping[str, str]  # for each property that it has the group that it is counted in
    difficulty: float | None = None  # difficulty by a probe, if one scored the row
    ends: tuple[bool, bool] | None = None  # hi_tom: whether the answer is the container its story names first, last
    asks: tuple[str, ...] = ()  # hi_tom's abilities: the kind of the question, and the agents of its chain
    language: str = ENGLISH  # the row's language; replies are read in it
    lettered: bool = True  # whether a model sees the choices by their letters
    dial: int | None = None  # how many hops, or worlds of all rounds, the answer takes; None where nobody counted them
    dial_name: str = ""  # what the dial counts: hops or worlds
    undisputed: bool | None = None  # hi_tom: whether all readings give the answer; None where nobody computed them
    sample: int | None = None  # number of the reply, from 1, among those to its row; None where it is the only one
    text: str = ""  # the reply as it was written
    cut: bool = False  # whether it ended at a limit of tokens
    tokens: int | None = None  # how many tokens it has, with its thinking; None where nobody says
    reading: Reading = Reading(None, EMPTY)  # what the reply says
    strict: bool | None = None  # whether all items that the strict metric needs are right; None if not all were asked
    strict_chance: float = 0.0  # how often blind choices would be right together there

    @property
    def key(self) -> Key:
        """Return what its reply is found by."""
        return self.prompt, self.id

    @property
    def name(self) -> str:
        """Return what the reply is called: its id, and its sample where there are several."""
        return self.id if self.sample is None else f"{self.id}, sample {self.sample}"

    @property
    def chance(self) -> float:
        """Return how often a blind choice would be right."""
        return 1 / len(self.choices)

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
    groups = {name: some for name, some in grouped_by(group_of, items).items() if name is not None}
    numbers = {name: [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)] for name in groups}
    return {name: groups[name] for name in sorted(groups, key=numbers.__getitem__)}


def by_property(items: Iterable[Item], name: str) -> dict[str, list[Item]]:
    """Return the items of each group of a property, such as "order"."""
    return grouped(items, lambda item: item.groups.get(name))


def by_quarter(
    items: Iterable[Item], number_of: Callable[[Item], float], numbers: Sequence[float], shown: Callable[[float], str]
) -> dict[str, list[Item]]:
    """Return the items of each quarter of some numbers, by the number of each; nothing where there are fewer than four.

    shown: writes a bound of a quarter. An item whose number is a bound of two quarters is in the lower one.
    """
    if len(numbers) < 4:
        return {}
    cuts = quantiles(numbers, n=4, method="inclusive")
    bounds = pairwise([min(numbers), *cuts, max(numbers)])
    names = [f"quarter {number}: {shown(low)} to {shown(high)}" for number, (low, high) in enumerate(bounds, 1)]
    return grouped(items, lambda item: names[bisect_left(cuts, number_of(item))])


def _groups(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str]:
    """Return by property the group of a number, such as "agents 3", for the columns that a row has."""
    return {name: f"{name} {row[column]}" for name, column in columns.items() if row.get(column) is not None}


def _dial(count: Any) -> int | None:
    """Return what a dial shows: an integer of 1 or more; None for anything else, such as null."""
    return count if is_integer(count) and count >= 1 else None


class RowName(NamedTuple):
    """Hold what responses name a published row by."""

    prompt: str | None  # its prompting_type
    id: str | None  # its PUBLISHED_KEY, or its number where it lacks one; None where it has no name
    number: str | None = None  # the number that counts all rows of its file, if it has one


# Questions of hi_tom.


def question_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom. Published rows may lack columns, and may have `prompt`.

    The strict metric is not defined where `all_orders` is false: a story may then have two questions of one order. Of
    abilities it asks for both questions of a pair.
    """
    items = []
    for row in rows:
        story, choices, order, kind = row["story"], row["choices"], row["order"], row.get("kind")
        first = min(((story.find(choice), choice) for choice in choices if choice in story), default=(0, None))[1]
        last = max(((story.rfind(choice), choice) for choice in choices), default=(0, None))[1]
        groups, place = {"order": row.get("order_group") or order_name(order)}, order
        needs: tuple[int, ...] | None
        if kind:
            groups |= {"kind": kind, "kind and order": f"{kind}, order {order}"}
            place = OTHER_PLACES + 2 * list(KINDS).index(kind) + row["id"].endswith("-2")
            needs = (place ^ 1,) if KINDS[kind].form is YES_NO else None
        else:
            groups |= _groups(row, {"length": "story_length"})
            if isinstance(row.get("deception"), bool):
                groups["deception"] = ("no deception", "deception")[row["deception"]]
            groups |= _groups(row, {"effective order": "effective_order", "claims": "n_claims", "rung": "rung"})
            needs = tuple(range(order)) if row.get("all_orders", True) else None
        items.append(
            Item(
                id=row["id"],
                prompt=row.get("prompt"),
                unit=row["story_id"],
                choices=tuple(choices),
                answer=choices.index(row["answer"]),
                place=place,
                needs=needs,
                groups=groups,
                difficulty=row.get("difficulty"),
                ends=(first == row["answer"], last == row["answer"]),
                asks=(kind, *(row.get("chain") or ())) if kind else (),
                language=language_of(row),
                lettered=row.get("lettered", True),
                dial=_dial(row.get("hops")),
                dial_name=HOPS,
                undisputed=row.get("undisputed") if isinstance(row.get("undisputed"), bool) else None,
            )
        )
    return items


# The first place of the questions of abilities, an even number; lower places are orders, each once in a story.
OTHER_PLACES = 100


def question_name(row: Mapping[str, Any]) -> RowName:
    """Return what responses name a published question by; `name_rows` gave a name to each row that has a story."""
    number = next((str(row[column]) for column in NUMBERS if column in row), None)
    whole, prompt = all(column in row for column in PUBLISHED_KEY), row.get("prompting_type")
    return RowName(None if prompt is None else str(prompt), published_id(row) if whole else number, number)


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{column}={row[column]}" for column in key)


def published_question(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a published question with the columns that its item needs, as our rows have them.

    Of a row without choices they are the containers of the story, and the answer; `all_orders` says whether the release
    asks one question of each order about the story. Raises ValueError for a row that cannot be read, and for an answer
    that no reply could give.
    """
    published = read_published_question(row)
    choices = published.choices or published.names.containers
    if published.choices and published.answer not in choices:
        raise ValueError(f"answer is {row['answer']!r}; expected one of its choices, or the letter of one")
    if not re.fullmatch(r"\w\w+", published.answer):
        raise ValueError(f"answer is {row['answer']!r}; expected a container, as the row has no choices")
    whole = all(column in row for column in PUBLISHED_KEY)
    return {
        **row,
        "language": ENGLISH,
        "story_id": published_id(row, PUBLISHED_KEY[:-1]) if whole else row["story"],
        "choices": list(dict.fromkeys([*choices, published.answer])),
        "lettered": bool(published.choices),
        "answer": published.answer,
        "order": len(published.question.chain),
        "order_group": published.group,
        "n_claims": sum(isinstance(event, Tell) for event in published.story.events),
        "all_orders": whole,
    }


# Problems of mindgames.


def problem_items(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of mindgames. Published rows have no block, and so no strict metric."""
    labels, columns = tuple(LABELS.values()), {"agents": "n_agents", "depth": "hypothesis_depth", "rung": "rung"}
    return [
        Item(
            id=str(row["index"]),
            prompt=None,
            unit=row.get("block") or f"row {row['index']}",
            choices=labels,
            answer=labels.index(row["label"]),
            place=int(row["index"]) % BLOCK if row.get("block") else 0,
            needs=tuple(range(BLOCK)) if row.get("block") else None,
            groups={"setup": row["setup"], **_groups(row, columns)},
            language=language_of(row),
            difficulty=row.get("difficulty"),
            dial=_dial(worlds_of_rounds(row)),
            dial_name=WORLDS,
        )
        for row in rows
    ]


def worlds_of_rounds(row: Mapping[str, Any]) -> int | None:
    """Return how many worlds a puzzle in rounds makes one go through: those before each round, added; else None.

    A round more, or twice as many worlds, is more to work out; the worlds at the start say nothing of the rounds.
    """
    worlds = row.get("worlds_by_round")
    return sum(worlds) if isinstance(worlds, list) and all(map(is_integer, worlds)) else None


def problem_name(row: Mapping[str, Any]) -> RowName:
    """Return what responses name a published problem by."""
    return RowName(None, str(row["index"]) if "index" in row else None)


def published_problem(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a published problem. Raises ValueError where it lacks a setup."""
    if not isinstance(row.get("setup"), str):
        raise ValueError("it has no setup; expected a string such as forehead")
    return {**row, "language": ENGLISH}


# Published rows of either dataset.


def published_items(dataset: str, rows: Iterable[tuple[str, Any]], left_out: LeftOut) -> list[Item]:
    """Return the items of published rows, given (place in the file, row).

    A row that cannot be read, lacks what its replies are found by, has an unknown label, or stands twice goes to
    `left_out`. Raises UserError where no row can be read.
    """
    asked = dataset_named(dataset)
    found: set[Key] = set()

    def read(row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row with all that its item needs. Raises ValueError where it cannot be read, or stands twice."""
        names = asked.name_of(row)
        if names.id is None:
            raise ValueError("it has no index; add the column index, by which responses name a row")
        whole = {**asked.completed(row), **names._asdict()}
        if names[:2] in found:
            raise ValueError(f"{names.id} occurs more than once; keep one row with this id")
        found.add(names[:2])
        return whole

    items: list[Item] = asked.items([whole for _, _, whole in left_out.readable(rows, read)])
    return items
