"""The written form of a story: events with their names, and the JSON of the column `events`."""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

from .events import Event, Names, Question, Story

# The tuple of Names that the numbers of a field index.
BANK = {
    "agent": "agents", "agents": "agents", "speaker": "agents", "hearers": "agents", "chain": "agents",
    "by": "agents", "noticed": "agents", "room": "rooms", "thing": "things", "container": "containers", "item": "items",
    "animal": "animals",
}  # fmt: skip
# The fields that hold several numbers.
MANY = ("agents", "hearers", "chain", "by", "noticed")
# The fields of each kind of event, and of a question: their names, their banks or "", and whether they hold several.
FIELDS: dict[type, list[tuple[str, str, bool]]] = {
    kind: [(field.name, BANK.get(field.name, ""), field.name in MANY) for field in fields(kind)]
    for kind in (*Event.__args__, Question)
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_EVENTS = {kind.__name__: kind for kind in Event.__args__}


def spell(event: "Event | Question", names: Names) -> list[Any]:
    """Return an event or a question with its names, such as ["Enter", ("Emma", "Jack"), "workshop"].

    The kind comes first, then its fields in order; a field that holds several numbers becomes a tuple of names.
    """
    spelled: list[Any] = [type(event).__name__]
    for field, bank, many in FIELDS[type(event)]:
        value = getattr(event, field)
        if bank:
            words = getattr(names, bank)
            value = tuple([words[number] for number in value]) if many else words[value]
        spelled.append(value)
    return spelled


def numbers_of(event: Event) -> list[Any]:
    """Return an event with its numbers, such as ["Enter", (0, 1), 2]."""
    return [type(event).__name__, *[getattr(event, field) for field, _, _ in FIELDS[type(event)]]]


def numbered_event(numbers: list[Any]) -> Event:
    """Return the event of which `numbers_of` gave the numbers.

    Raises LookupError, TypeError or ValueError for what it does not give.
    """
    kind = _EVENTS[numbers[0]]
    made: Callable[..., Event] = kind
    fields = zip(FIELDS[kind], numbers[1:], strict=True)
    return made(*[tuple(value) if many else value for (_, _, many), value in fields])


def dumps(spelled: list[list[Any]], thing: str) -> str:
    """Return one line of JSON for a story whose events are spelled.

    `thing` is the name of the one that the questions are about.
    """
    return _ENCODER.encode({"asked": thing, "events": spelled})


@lru_cache(maxsize=1)  # several readers of one row ask one after the other
def loads(text: str) -> tuple[Story, Names, int]:
    """Read what `dumps` wrote; return the story, its names, and the number of the thing that questions are about.

    Numbers follow the order of first appearance, so the story may be numbered otherwise than the one written.
    Raises ValueError, with the number of the wrong event, for text that `dumps` does not write.
    """
    match json.loads(text):
        case {"asked": str(asked), "events": list(lines), **rest} if not rest:
            interned = Interned()
        case _:
            raise ValueError('a formal story must be an object with "asked", a name, and "events", a list')
    events = [event_of(spelled, number, interned) for number, spelled in enumerate(lines, 1)]
    thing = interned.number("things", asked)
    names = interned.names()
    return Story(len(names.agents), tuple(events)), names, thing


def event_of(spelled: list[Any], number: int, interned: "Interned") -> Event:
    """Return the event that a list of `spell` stands for, giving new names their numbers.

    Raises ValueError, with the event's number in the story, for a list that stands for no event.
    """
    name = spelled[0] if isinstance(spelled, list) and spelled else None
    if not isinstance(name, str) or name not in _EVENTS:
        raise ValueError(f"event {number} of a formal story must be one of {', '.join(_EVENTS)}: {spelled!r}")
    kind = _EVENTS[name]
    if len(spelled) != len(FIELDS[kind]) + 1:
        raise ValueError(f"event {number}: {kind.__name__} must have {len(FIELDS[kind])} fields: {spelled!r}")
    values: list[int | tuple[int, ...]] = []
    for (field, bank, many), value in zip(FIELDS[kind], spelled[1:], strict=True):
        if many and isinstance(value, list) and all([isinstance(word, str) for word in value]):
            values.append(tuple([interned.number(bank, word) for word in value]))
        elif isinstance(value, str) and not many:
            values.append(interned.number(bank, value))
        else:
            needed = "a list of names" if many else "a name"
            raise ValueError(f"event {number}: {field} is {value!r}; it must be {needed}")
    made: Callable[..., Event] = kind
    return made(*values)


def question_of(row: Mapping[str, Any]) -> tuple[Story, Names, Question]:
    """Return the story of a row from its column `events`, its names, and the question of the column `chain`.

    Raises ValueError for events that `dumps` does not write, and for a chain of agents who are not in the story.
    """
    try:
        story, names, thing = loads(row["events"])
    except ValueError as error:
        raise ValueError(f"the events of a row cannot be read: {error}") from None
    if strangers := sorted({*row["chain"]} - {*names.agents}):
        raise ValueError(f"the chain of a row names {strangers[0]}; its agents must be in its story")
    return story, names, Question(tuple(map(names.agents.index, row["chain"])), thing)


class Interned:
    """Number names, or earlier numbers, in order of first appearance, behind those known before (fields of `Names`)."""

    def __init__(self, **known: Any) -> None:
        banks = asdict(Names(**known))
        self._banks = {bank: {word: number for number, word in enumerate(dict.fromkeys(banks[bank]))} for bank in banks}

    def number(self, bank: str, word: Hashable) -> int:
        """Return the number of a word in a bank (a field of `Names`), a new number the first time."""
        numbers = self._banks[bank]
        return numbers.setdefault(word, len(numbers))

    def names(self) -> Names:
        """Return all words that have a number."""
        words: dict[str, Any] = {bank: tuple(numbers) for bank, numbers in self._banks.items()}
        return Names(**words)


def extent(story: Story) -> tuple[int, int, int]:
    """Return how many rooms (with the waiting room), things and containers the numbers of a story reach to."""
    numbers = ([getattr(event, field, -1) for event in story.events] for field in ("room", "thing", "container"))
    rooms, things, containers = (1 + max(of_field, default=-1) for of_field in numbers)
    return rooms, things, containers
