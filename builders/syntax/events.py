"""The syntax of Hi-ToM: the kinds of events, stories, questions, and the names that a story uses.

Agents, rooms, things and containers are integers: indices into the tuples of `Names`. Where events leave everybody is
in `scan`, what makes a story coherent in `coherence`, what events mean in `meaning`, their JSON in `record`, their
English in `wording`.
"""

from dataclasses import dataclass

# The room where agents wait and talk, number 0 in every story. Nothing is kept there.
WAITING_ROOM = 0


@dataclass(frozen=True, slots=True)
class Enter:
    """Emma, Jack and Owen entered the workshop."""

    agents: tuple[int, ...]  # who enters together
    room: int  # the room entered; unless it is the waiting room, a chapter begins


@dataclass(frozen=True, slots=True)
class InRoom:
    """What one agent does in one room."""

    agent: int  # who comes in, stays or leaves
    room: int  # the room that it is about


class Come(InRoom):
    """Emma came into the workshop, in which no chapter begins by that."""


@dataclass(frozen=True, slots=True)
class Place:
    """The pear is in the red_box."""

    thing: int  # the thing seen, in the room that was entered last
    container: int  # where it is


@dataclass(frozen=True, slots=True)
class Move:
    """Emma moved the pear to the blue_crate."""

    agent: int  # who moves it, in the room where this agent is
    thing: int  # what is moved
    container: int  # where it is put


class Stay(InRoom):
    """Jack made no movements and stayed in the workshop for 1 minute."""


class Exit(InRoom):
    """Emma exited the workshop."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Jack publicly claimed, or privately told Emma and Owen, that the pear is in the green_drawer."""

    speaker: int  # who makes the claim
    hearers: tuple[int, ...]  # who is told in private; empty for a public claim, which everyone in the story hears
    thing: int  # the thing spoken of
    container: int  # where the speaker says that it is


@dataclass(frozen=True, slots=True)
class Report:
    """Owen privately told Emma that Jack thinks Mia thinks the pear is in the red_box now."""

    speaker: int  # who makes the claim
    hearers: tuple[int, ...]  # who is told, in private
    chain: tuple[int, ...]  # whose thoughts the claim is about, as in a question
    thing: int  # the thing spoken of
    container: int  # where they think that it is, says the speaker


@dataclass(frozen=True, slots=True)
class Still(Place):
    """The pear is still where it was."""


@dataclass(frozen=True, slots=True)
class MoveBy(Move):
    """Emma moved the pear to the container where Jack thinks Mia thinks it is."""

    by: tuple[int, ...]  # who thinks just before this line that the next one thinks … that it is in `container`


@dataclass(frozen=True, slots=True)
class TellBy(Tell):
    """Jack publicly claimed that the pear is now in the container where Mia thinks it is."""

    by: tuple[int, ...]  # as of MoveBy


@dataclass(frozen=True, slots=True)
class ReportBy(Report):
    """Owen privately told Emma that Jack thinks the pear is now in the container where Mia thinks it is."""

    by: tuple[int, ...]  # as of MoveBy


@dataclass(frozen=True, slots=True)
class Watch:
    """Emma secretly watched the attic from outside, and noticed Owen watching it.

    She watches from this line to the end of the chapter.
    """

    agent: int  # who watches, from outside
    room: int  # the room of the chapter
    noticed: tuple[int, ...]  # of those who watch already, whom this agent knows of


@dataclass(frozen=True, slots=True)
class Overhear:
    """Emma overheard this unnoticed, and noticed Owen listening: the private claim just made."""

    agent: int  # who overhears it
    noticed: tuple[int, ...]  # of those who overheard it before, whom this agent knows of


@dataclass(frozen=True, slots=True)
class Lose:
    """Owen lost his watch (a distraction)."""

    agent: int  # who loses it
    item: int  # what is lost


@dataclass(frozen=True, slots=True)
class See:
    """Jack saw a monkey (a distraction)."""

    agent: int  # who sees it
    animal: int  # what is seen


@dataclass(frozen=True, slots=True)
class Like:
    """Emma likes the red_box (a distraction)."""

    agent: int  # who likes it
    container: int  # what is liked


@dataclass(frozen=True, slots=True)
class Dislike:
    """Owen dislikes the melon (a distraction)."""

    agent: int  # who dislikes it
    thing: int  # what is disliked


Event = (
    Enter | Come | Place | Move | Stay | Exit | Tell | Report | Watch | Overhear | Lose | See | Like | Dislike
    | Still | MoveBy | TellBy | ReportBy
)  # fmt: skip

# The events that name their container by what a chain thinks just before; Still names it by where the thing is.
Named = Still | MoveBy | TellBy | ReportBy


@dataclass(frozen=True, slots=True)
class Story:
    """Hold the events of one story."""

    n_agents: int  # how many agents there are; they are the numbers below this one
    events: tuple[Event, ...]  # what happens, in order: one event for each line of the text


@dataclass(frozen=True, slots=True)
class Question:
    """Ask where A1 thinks that A2 thinks … that An thinks the thing is."""

    chain: tuple[int, ...]  # A1 … An, outermost first; the empty chain asks where the thing really is
    thing: int  # the thing that the question is about
    searches: bool = False  # whether the English says "An searches for", as in ToMH, instead of "An thinks … is"


@dataclass(frozen=True, slots=True)
class Names:
    """Hold the names of a story; the numbers in its events are indices into these tuples."""

    agents: tuple[str, ...] = ()  # such as Emma
    rooms: tuple[str, ...] = ("waiting_room",)  # such as workshop, the waiting room first
    things: tuple[str, ...] = ()  # such as pear
    containers: tuple[str, ...] = ()  # such as red_box
    items: tuple[str, ...] = ()  # what a distraction says is lost, such as watch
    animals: tuple[str, ...] = ()  # what a distraction says is seen, such as monkey
