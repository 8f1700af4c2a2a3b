"""ToMH stories (workshop paper, section 3 and appendix A): their cells, and how a story of a cell is drawn.

An outline of chapters is drawn by rejection sampling until it has a number of lines that its cell allows; then come
the scenes, and the visits of agents who act in none. At last everything is numbered in order of appearance. The thing
asked about is thing 0, its first place container 0, its room 1.
"""

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from ..streams import Stream
from ..syntax.events import WAITING_ROOM, Enter, Event, Exit, Move, Place, Story
from ..syntax.record import FIELDS, Interned, extent
from .family import DrawnStory, Family, lettered

# (agents, false belief) of the types A1-TB … A4-TB and A2-FB … A4-FB (workshop paper, Table 5).
CHAPTER_TYPES = ((1, False), (2, False), (3, False), (4, False), (2, True), (3, True), (4, True))


# Chapters of a short, medium and long story; the fewest and most lines of each (workshop paper, Table 1).
LINES = {1: (5, 15), 3: (15, 25), 5: (25, 30)}


# The 27 cells: order, agents, chapters, and their weight (50, 75 or 150 of 1,800 questions).
CELLS = tuple(
    (order, n_agents, n_chapters, {1: 2, 2: 2, 3: 3, 4: 6}[order])
    for order in (1, 2, 3, 4)
    for n_agents in (2, 3, 4)
    if n_agents >= order
    for n_chapters in LINES
)


SHELF, THINGS = 3, 2  # containers and things in each room of a ToMH story


class Outline(NamedTuple):
    """Hold who acts in which room in each chapter, before any event is drawn."""

    key: int  # the chapter about the thing asked about, with all agents of the question
    types: list[tuple[int, bool]]  # the type of each chapter, one of CHAPTER_TYPES
    casts: list[tuple[int, ...]]  # the agents of each chapter; the first moves the thing
    rooms: list[int]  # the room of each chapter, numbered by the first chapter there
    returns: list[bool]  # whether each chapter is in the room of another one
    idle: list[int]  # agents who are in no chapter
    stays: bool  # whether the distractor stays where he went


def plan_tomh(stream: Stream, n_questions: int) -> list[tuple[int, int, int]]:
    """Draw the (order, agents, chapters) of all ToMH stories, in the shares of the workshop paper's Table 1."""
    weights = [0, *accumulate(cell[3] for cell in CELLS)]
    ends = pairwise(weight * n_questions // weights[-1] for weight in weights)
    return stream.shuffled(cell[:3] for cell, (start, end) in zip(CELLS, ends, strict=True) for _ in range(start, end))


def sample_tomh(stream: Stream, order: int, n_agents: int, n_chapters: int) -> tuple[Story, tuple[int, ...]]:
    """Draw a ToMH story of one cell and the chain that its question asks about.

    The key chapter has all agents of the question; its type is A1-TB for order 1, else the false-belief type. In a
    long story an agent comes back to a room. Agents in no chapter visit a room of their own, and one agent more, the
    distractor, moves elsewhere.
    """
    chain = tuple(stream.draw(range(n_agents), order))
    outline = draw_outline(stream, chain, n_agents, n_chapters)
    rooms = [1 if room == outline.key else room + 2 for room in outline.rooms]
    parts: list[list[Event]] = [[]]
    place_of: dict[int, int] = {}  # where each thing was left
    for index, ((_, false_belief), cast, room) in enumerate(zip(outline.types, outline.casts, rooms, strict=True)):
        thing = THINGS * (room - 1) + (stream.below(THINGS) if outline.returns[index] else 0)
        first = SHELF * (room - 1)  # the first container of the room
        place = place_of.get(thing, first if index == outline.key else first + stream.below(SHELF))
        scene, place_of[thing] = draw_scene(stream, room, thing, cast, false_belief, place, first)
        parts += scene
    events = with_visits(stream, parts, outline.idle, n_agents, outline.stays, room=2 + n_chapters)
    return renumbered(events, n_agents + 1, chain)


def draw_outline(stream: Stream, chain: tuple[int, ...], n_agents: int, n_chapters: int) -> Outline:
    """Draw outlines until one has a number of lines in LINES and, in a long story, an agent who comes back."""
    low, high = LINES[n_chapters]
    possible = [chapter_type for chapter_type in CHAPTER_TYPES if chapter_type[0] <= n_agents]
    while True:
        key = stream.below(n_chapters)
        types = [possible[stream.below(len(possible))] for _ in range(n_chapters)]
        types[key] = (len(chain), len(chain) > 1)
        casts = [tuple(stream.draw(range(n_agents), size)) for size, _ in types]
        casts[key] = tuple(stream.shuffled(chain))
        idle = [agent for agent in range(n_agents) if not any(agent in cast for cast in casts)]
        stays = stream.random() < 0.5
        lines = sum(2 * size + 2 for size, _ in types) + 2 * len(idle) + 2 - stays
        # A chapter may return to the room of an earlier one; the key chapter is the first in its room.
        returns = [index != key and index > 0 and stream.random() < 0.3 for index in range(n_chapters)]
        rooms: list[int] = []
        for index, comes_back in enumerate(returns):
            host = comes_back and (key if key < index and stream.random() < 0.5 else stream.below(index))
            rooms.append(rooms[host] if comes_back else index)
        if low <= lines <= high and (
            n_chapters < 5
            or any(rooms[i] == rooms[j] and set(casts[i]) & set(casts[j]) for j in range(n_chapters) for i in range(j))
        ):
            return Outline(key, types, casts, rooms, returns, idle, stays)


def draw_scene(
    stream: Stream, room: int, thing: int, cast: tuple[int, ...], false_belief: bool, place: int, first: int
) -> tuple[list[list[Event]], int]:
    """Draw the events of one chapter, and the container where it leaves its thing.

    All enter, the thing is seen, one leaves where a belief is to be false, one moves the thing: these are one part.
    Then the others leave, each a part of its own. `first` is the first container of the room.
    """
    container = first + (place - first + 1 + stream.below(SHELF - 1)) % SHELF
    leaving = stream.shuffled(cast)
    events: list[Event] = [Enter((agent,), room) for agent in stream.shuffled(cast)]
    events.append(Place(thing, place))
    if false_belief:
        events.append(Exit(cast[1], room))
        leaving.remove(cast[1])
    events.append(Move(cast[0], thing, container))  # the first of the cast moves it
    exits: list[list[Event]] = [[Exit(agent, room)] for agent in leaving]
    return [events, *exits], container


def with_visits(
    stream: Stream, parts: list[list[Event]], idle: list[int], distractor: int, stays: bool, room: int
) -> list[Event]:
    """Join the parts of scenes, and let the idle agents and the distractor walk into own rooms, from `room` on.

    A visit never begins within a part, such as between the first line of a scene and its move. So "the room entered
    last" is the scene's wherever its thing is seen or moved.
    """
    for number, visitor in enumerate(stream.shuffled([*idle, distractor]), room):
        start = stream.below(len(parts))
        parts[start].append(Enter((visitor,), number))
        if visitor != distractor or not stays:
            end = start + stream.below(len(parts) - start)
            parts[end].append(Exit(visitor, number))
    return [event for part in parts for event in part]


def renumbered(events: list[Event], n_agents: int, chain: tuple[int, ...]) -> tuple[Story, tuple[int, ...]]:
    """Number agents in order of appearance, and rooms, things and containers without gaps.

    Room 1, thing 0 and container 0 keep their numbers.
    """
    interned = Interned(rooms=(WAITING_ROOM, 1), things=(0,), containers=(0,))

    def number(event: Event, field: str, bank: str, many: bool) -> int | tuple[int, ...]:
        value = getattr(event, field)
        return tuple([interned.number(bank, old) for old in value]) if many else interned.number(bank, value)

    def numbered(event: Event) -> Event:
        made: Callable[..., Event] = type(event)
        return made(*[number(event, *field) for field in FIELDS[type(event)]])

    new = [numbered(event) for event in events]
    return Story(n_agents, tuple(new)), tuple([interned.number("agents", agent) for agent in chain])


def plan(config: Any, stream: Stream, size: int) -> list[tuple[tuple[int, int, int], dict[int, int]]]:
    """Plan a split: the cell of each story, and letters in equal shares."""
    return lettered(stream, plan_tomh(stream, size), range(1, 5))


def draw(config: Any, cell: tuple[int, int, int], stream: Stream) -> DrawnStory:
    """Draw a story of a cell (order, agents, chapters)."""
    order, n_agents, n_chapters = cell
    story, chain = sample_tomh(stream, order, n_agents, n_chapters)
    return DrawnStory(story, chain, [order], False, n_agents, n_chapters, *extent(story))


# ToMH, in cells of its own.
TOMH = Family(plan, draw, ("language", "explanations"), casts=1, single=True, searches=True, bystanders=1)
