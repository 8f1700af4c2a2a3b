"""Own the syntax of Hi-ToM: events, stories, questions, and how a story is written down as JSON.

Everything is an integer until names are needed: an agent, a room, a thing, a container is its number in
`Names`, in order of first appearance. What an event *means* is in `belief`; what it is called, in `voice`.
"""

import json
from dataclasses import dataclass, fields

WAITING_ROOM = 0
"""The room where agents wait and talk; nothing is kept there (number 0 in every story)."""


@dataclass(frozen=True, slots=True)
class Enter:
    """Emma, Jack and Owen entered the workshop."""

    agents: tuple[int, ...]
    room: int


@dataclass(frozen=True, slots=True)
class Place:
    """The pear is in the red_box: said of the room entered last."""

    thing: int
    container: int


@dataclass(frozen=True, slots=True)
class Move:
    """Emma moved the pear to the blue_crate."""

    agent: int
    thing: int
    container: int


@dataclass(frozen=True, slots=True)
class Stay:
    """Jack made no movements and stayed in the workshop for 1 minute."""

    agent: int
    room: int


@dataclass(frozen=True, slots=True)
class Exit:
    """Emma exited the workshop."""

    agent: int
    room: int


@dataclass(frozen=True, slots=True)
class Tell:
    """Jack publicly claimed, or privately told Emma and Owen, that the pear is in the green_drawer.

    `hearers` is empty for a public claim, which everyone in the story hears.
    """

    speaker: int
    hearers: tuple[int, ...]
    thing: int
    container: int


@dataclass(frozen=True, slots=True)
class Watch:
    """Emma secretly watched the attic through the window: from outside, to the end of the chapter."""

    agent: int
    room: int


@dataclass(frozen=True, slots=True)
class Lose:
    """Owen lost his watch (a distraction)."""

    agent: int
    item: int


@dataclass(frozen=True, slots=True)
class See:
    """Jack saw a monkey (a distraction)."""

    agent: int
    animal: int


@dataclass(frozen=True, slots=True)
class Like:
    """Emma likes the red_box (a distraction)."""

    agent: int
    container: int


@dataclass(frozen=True, slots=True)
class Dislike:
    """Owen dislikes the melon (a distraction)."""

    agent: int
    thing: int


Event = Enter | Place | Move | Stay | Exit | Tell | Watch | Lose | See | Like | Dislike


@dataclass(frozen=True, slots=True)
class Story:
    """Hold the events of one story, in order; its agents are the numbers below `n_agents`."""

    n_agents: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Ask where the first of `chain` thinks that the next thinks … that the last thinks the thing is.

    The empty chain asks for reality. `searches` says the last belief as a search, as the workshop paper does
    ("… that Carter searches for the apple") instead of as a thought ("… Carter thinks the apple is").
    """

    chain: tuple[int, ...]
    thing: int
    searches: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """Hold what the numbers of a story are called, one tuple for each kind."""

    agents: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ("waiting_room",)
    things: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    animals: tuple[str, ...] = ()


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


def check(story: Story) -> None:
    """Raise ValueError, naming the line, where a story is incoherent.

    An agent is in one room at a time and leaves only the room where he is; what is moved is in the mover's room;
    a container stays in one room (workshop paper, section 3.2, quality control). A chapter begins when somebody enters
    a room other than the waiting room; who watches, watches the chapter's room from outside, and begins once.
    """
    room_of: dict[int, int] = {}
    thing_room: dict[int, int] = {}
    place: dict[int, int] = {}
    container_room: dict[int, int] = {}
    entered = chapter_room = None
    watching: set[int] = set()  # in this chapter: who enters its room begins another

    def require(true: bool, line: int, why: str) -> None:
        if not true:
            raise ValueError(f"line {line}: {why}: {story.events[line - 1]}")

    for line, event in enumerate(story.events, 1):
        match event:
            case Enter(agents, room):
                require(
                    all(0 <= agent < story.n_agents for agent in agents),
                    line,
                    f"the agents are numbered below {story.n_agents}",
                )
                require(bool(agents) and len(set(agents)) == len(agents), line, "agents enter once each")
                require(all(room_of.get(a) != room for a in agents), line, "an agent enters a room where he is")
                room_of.update(dict.fromkeys(agents, room))
                entered = room
                if room != WAITING_ROOM:
                    chapter_room, watching = room, set()
            case Place(thing, container):
                require(entered not in (None, WAITING_ROOM), line, "a thing is placed in no room")
                require(thing_room.setdefault(thing, entered) == entered, line, "the thing is in another room")
                require(container_room.setdefault(container, entered) == entered, line, "the container is elsewhere")
                require(place.setdefault(thing, container) == container, line, "the thing was left elsewhere")
            case Move(agent, thing, container):
                here = room_of.get(agent)
                require(here is not None and thing_room.get(thing) == here, line, "the mover is not with the thing")
                require(container_room.setdefault(container, here) == here, line, "the container is elsewhere")
                place[thing] = container
            case Stay(agent, room):
                require(room_of.get(agent) == room, line, "an agent stays where he is not")
            case Exit(agent, room):
                require(room_of.get(agent) == room, line, "an agent exits a room where he is not")
                del room_of[agent]
            case Tell(speaker, hearers, _, _):
                require(speaker not in hearers and len(set(hearers)) == len(hearers), line, "nobody tells himself")
            case Watch(agent, room):
                require(room == chapter_room, line, "who watches, watches the room of the chapter")
                require(room_of.get(agent) != room, line, "an agent watches the room where he is")
                require(agent not in watching, line, "an agent watches already")
                watching.add(agent)
            case Lose() | See() | Like() | Dislike():
                pass
            case _:
                raise TypeError(f"no such event: {event!r}")
