"""Own the syntax of Hi-ToM: events, stories, questions, and how a story is written down as JSON.

Everything is an integer until names are needed: an agent, a room, a thing, a container is its number in
`Names`, in order of first appearance. What an event *means* is in `belief`; what it is called, in `voice`.
"""

import json
from dataclasses import fields

from builders.story.syntax import WAITING_ROOM, Event, Names, Question, Story

# Which list of Names a field counts in, and the fields that hold many.
_BANK = {
    "agent": "agents", "agents": "agents", "speaker": "agents", "hearers": "agents", "chain": "agents", "room": "rooms",
    "thing": "things", "container": "containers", "item": "items", "animal": "animals",
}  # fmt: skip


_MANY = ("agents", "hearers", "chain")


_SHAPE = {kind.__name__: (kind, tuple(field.name for field in fields(kind))) for kind in (*Event.__args__, Question)}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


_EVENTS = tuple(kind.__name__ for kind in Event.__args__)


def spell(event: "Event | Question", names: Names) -> list:
    """Return the event or question with its names: its kind, then its fields (a list of names where it has many)."""
    kind = type(event).__name__
    spelled: list = [kind]
    for field in _SHAPE[kind][1]:
        value = getattr(event, field)
        bank = _BANK.get(field)
        if bank is None:
            spelled.append(value)
        else:
            words = getattr(names, bank)
            spelled.append([words[v] for v in value] if field in _MANY else words[value])
    return spelled


def dumps(spelled: list[list], asked: str) -> str:
    """Write a story spelled event by event as one line of JSON, with the name of the thing asked about."""
    return _ENCODER.encode({"asked": asked, "events": spelled})


def loads(text: str) -> tuple[Story, Names, int]:
    """Read what `dumps` wrote: the story with numbers in order of first appearance, its names, the thing asked about.

    Raises ValueError, saying which event is at fault, for anything else.
    """
    record = json.loads(text)
    if (
        not isinstance(record, dict)
        or set(record) != {"asked", "events"}
        or not isinstance(record["asked"], str)
        or not isinstance(record["events"], list)
    ):
        raise ValueError('a formal story is an object with "asked", a name, and "events", a list')
    interned = Interned()
    events = []
    for number, spelled in enumerate(record["events"], 1):
        if not isinstance(spelled, list) or not spelled or spelled[0] not in _EVENTS:
            raise ValueError(f"event {number} of a formal story is not one of {', '.join(_EVENTS)}: {spelled!r}")
        kind, shape = _SHAPE[spelled[0]]
        if len(spelled) != len(shape) + 1:
            raise ValueError(f"event {number}: {kind.__name__} has {len(shape)} fields: {spelled!r}")
        values: list[int | tuple[int, ...]] = []
        for field, value in zip(shape, spelled[1:], strict=True):
            words = value if field in _MANY else [value]
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                what = "a list of names" if field in _MANY else "a name"
                raise ValueError(f"event {number}: {field} is {value!r}, it must be {what}")
            numbers = tuple(interned.number(_BANK[field], word) for word in words)
            values.append(numbers if field in _MANY else numbers[0])
        events.append(kind(*values))
    asked = interned.number("things", record["asked"])
    names = interned.names()
    return Story(len(names.agents), tuple(events)), names, asked


class Interned:
    """Give every name its number, in order of first appearance."""

    def __init__(self) -> None:
        self._banks: dict[str, dict[str, int]] = {field.name: {} for field in fields(Names)}
        self._banks["rooms"]["waiting_room"] = WAITING_ROOM

    def number(self, bank: str, word: str) -> int:
        """Return the number of `word` in `bank` (a field of Names), a new one the first time."""
        return self._banks[bank].setdefault(word, len(self._banks[bank]))

    def names(self) -> Names:
        """Return all names met so far."""
        return Names(**{bank: tuple(words) for bank, words in self._banks.items()})


def extent(story: Story) -> tuple[int, int, int]:
    """Return how many rooms (with the waiting room), things and containers the numbers of a story reach to."""
    reached = dict.fromkeys(("room", "thing", "container"), 0)
    for event in story.events:
        for field in _SHAPE[type(event).__name__][1]:
            if field in reached:
                reached[field] = max(reached[field], getattr(event, field) + 1)
    return reached["room"], reached["thing"], reached["container"]
