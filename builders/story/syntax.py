"""Own the syntax of Hi-ToM: events, stories, questions, and how a story is written down as JSON.

Everything is an integer until names are needed: an agent, a room, a thing, a container is its number in
`Names`, in order of first appearance. What an event *means* is in `belief`; what it is called, in `voice`.
"""

from dataclasses import dataclass

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
