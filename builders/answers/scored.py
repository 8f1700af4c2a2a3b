"""Scored replies: an item with what was read as its answer, and whether that is right, alone and with its unit."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .containers import read_container
from .items import Item
from .labels import read_label
from .reading import Reading
from .replies import Key


@dataclass(frozen=True, slots=True)
class ScoredReply:
    """Hold an item with the reply to it."""

    item: Item  # what was asked
    reading: Reading  # what the reply says
    text: str  # the reply as it was written
    strict: bool | None  # whether all items that the strict metric needs are right; None if not all were asked

    @property
    def right(self) -> bool:
        """Return whether the reply names the right choice."""
        return self.reading.choice == self.item.answer

    @property
    def chosen(self) -> str | None:
        """Return the choice that the reply names, None where it is unread."""
        return None if self.reading.choice is None else self.item.choices[self.reading.choice]


def score_replies(name: str, items: Mapping[Key, Item], texts: Mapping[Key, str]) -> list[ScoredReply]:
    """Read the replies to items, and find which are right."""
    readings = {
        key: read_label(texts[key]) if name == "mindgames" else read_container(texts[key], item.choices)
        for key, item in items.items()
    }
    units: dict[Key, dict[int, bool]] = defaultdict(dict)  # under a prompt, which places of a unit are right
    for key, item in items.items():
        units[item.prompt, item.unit][item.place] = readings[key].choice == item.answer
    replies = []
    for key, item in items.items():
        unit = units[item.prompt, item.unit]
        strict = None
        if item.needs is not None and all(place in unit for place in item.needs):
            strict = unit[item.place] and all(unit[place] for place in item.needs)
        replies.append(ScoredReply(item, readings[key], texts[key], strict))
    return replies


def grouped(
    replies: Iterable[ScoredReply], group_of: Callable[[ScoredReply], str | None]
) -> dict[str, list[ScoredReply]]:
    """Return the replies of each group, in the natural order of the groups; without those that have no group."""
    groups: dict[str, list[ScoredReply]] = defaultdict(list)
    for reply in replies:
        if (group := group_of(reply)) is not None:
            groups[group].append(reply)
    return dict(sorted(groups.items(), key=lambda group: _natural(group[0])))


def by_property(replies: Iterable[ScoredReply], name: str) -> dict[str, list[ScoredReply]]:
    """Return the replies of each group of a property, such as "order"."""
    return grouped(replies, lambda reply: reply.item.groups[name])


def _natural(group: str) -> list[tuple[int, str]]:
    """Return a key that sorts "agents 10" behind "agents 9"."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", group)]
