"""Own how stories are drawn: a stream of random numbers goes in, a Story and the chain it is asked about come out.

Three families: Hi-ToM (`sample`, EMNLP paper, section 3), ToMH (`sample_tomh`, workshop paper, section 3 and
appendix A) and deep stories (`sample_deep`), whose questions need their chains. A Hi-ToM story is drawn to fit a
`Target`, by rejection on the lessons about the thing asked about, before any event exists; a deep one with a container
of its own for every move and claim, of which some are then made the same. Numbers mean nothing here: names come from
the wording stream, so it is no loss that the thing asked about is thing 0, its first place container 0, its room 1, and
agents are numbered as they appear.
"""

from builders.story.chapters import THINGS
from builders.story.syntax import WAITING_ROOM, Enter, Event, Exit, Move, Place, Story
from builders.streams import Stream

# ToMH. A chapter type is (agents, false belief): A1-TB … A4-TB, A2-FB … A4-FB (workshop paper, Table 5).
CHAPTER_TYPES = ((1, False), (2, False), (3, False), (4, False), (2, True), (3, True), (4, True))


LINES = {1: (5, 15), 3: (15, 25), 5: (25, 30)}
"""Chapters of a short, medium and long story, and the lines that it may have (workshop paper, Table 1)."""


CELLS = tuple(
    (order, n_agents, n_chapters, {1: 2, 2: 2, 3: 3, 4: 6}[order])
    for order in (1, 2, 3, 4)
    for n_agents in (2, 3, 4)
    if n_agents >= order
    for n_chapters in LINES
)
"""The 27 cells: order, agents, chapters, and their weight (50, 75 or 150 of 1,800 questions)."""


SHELF = 3
"""Containers in each room of a ToMH story."""


def sample_tomh(stream: Stream, order: int, n_agents: int, n_chapters: int) -> tuple[Story, tuple[int, ...]]:
    """Draw a ToMH story of one cell and the chain it is asked about, by rejection on its number of lines.

    Its key chapter, of type A1-TB for order 1 and of the false-belief type else, has all agents of the question; in
    a long story an agent comes back to a room; agents that no chapter uses visit a room of their own, and a
    distractor, an agent more, moves elsewhere. The thing asked about is thing 0, and is first placed in container 0.
    """
    low, high = LINES[n_chapters]
    types = [kind for kind in CHAPTER_TYPES if kind[0] <= n_agents]
    chain = tuple(stream.draw(range(n_agents), order))
    while True:
        key = stream.below(n_chapters)
        kinds = [types[stream.below(len(types))] for _ in range(n_chapters)]
        kinds[key] = (order, order > 1)
        casts = [tuple(stream.draw(range(n_agents), size)) for size, _ in kinds]
        casts[key] = tuple(stream.shuffled(chain))
        idle = [agent for agent in range(n_agents) if not any(agent in cast for cast in casts)]
        stays = stream.random() < 0.5  # the distractor, where he went
        lines = sum(2 * size + 2 for size, _ in kinds) + 2 * len(idle) + 2 - stays
        # A chapter in the room of an earlier one; the key chapter opens its room.
        back = [index != key and index > 0 and stream.random() < 0.3 for index in range(n_chapters)]
        same = [
            index if not back[index] else key if key < index and stream.random() < 0.5 else stream.below(index)
            for index in range(n_chapters)
        ]
        rooms = list(range(n_chapters))
        for index in range(n_chapters):
            rooms[index] = rooms[same[index]]
        re_entered = any(
            rooms[i] == rooms[j] and set(casts[i]) & set(casts[j]) for j in range(n_chapters) for i in range(j)
        )
        if low <= lines <= high and (re_entered or n_chapters < 5):
            break
    rooms = [1 if room == key else room + 2 for room in rooms]
    scenes: list[list[Event]] = []
    kept: dict[int, int] = {}
    for index, ((_, false_belief), cast, room) in enumerate(zip(kinds, casts, rooms, strict=True)):
        thing = THINGS * (room - 1) + (stream.below(THINGS) if back[index] else 0)
        shelf = SHELF * (room - 1)
        place = kept.get(thing, shelf if index == key else shelf + stream.below(SHELF))
        scene, kept[thing] = draw_scene(stream, room, thing, cast, false_belief, place, shelf)
        scenes.append(scene)
    events = with_visits(stream, scenes, idle, distractor=n_agents, stays=stays, room=2 + n_chapters)
    return renumbered(events, n_agents + 1, chain)


def draw_scene(
    stream: Stream, room: int, thing: int, cast: tuple[int, ...], false_belief: bool, place: int, shelf: int
) -> tuple[list[Event], int]:
    """Draw one ToMH chapter: all enter, the thing is seen, perhaps one leaves, one moves it, the others leave."""
    mover = cast[0]
    container = shelf + (place - shelf + 1 + stream.below(SHELF - 1)) % SHELF
    leaving = stream.shuffled(cast)
    events: list[Event] = [Enter((agent,), room) for agent in stream.shuffled(cast)]
    events.append(Place(thing, place))
    if false_belief:
        events.append(Exit(cast[1], room))
        leaving.remove(cast[1])
    events.append(Move(mover, thing, container))
    events += [Exit(agent, room) for agent in leaving]
    return events, container


def with_visits(
    stream: Stream, scenes: list[list[Event]], idle: list[int], distractor: int, stays: bool, room: int
) -> list[Event]:
    """Join the scenes and let the idle agents, and the distractor, walk into rooms that no scene uses.

    A visit begins where the last move of a scene is done or none has begun, so that "the room entered last" is the
    scene's from its first line to its last move.
    """
    parts: list[list[Event]] = [[]]
    for scene in scenes:
        done = next(i for i in reversed(range(len(scene))) if isinstance(scene[i], Move)) + 1
        parts.append(scene[:done])
        parts += [[event] for event in scene[done:]]
    for visitor in stream.shuffled([*idle, distractor]):
        at = stream.below(len(parts))
        parts[at] = [*parts[at], Enter((visitor,), room)]
        if visitor != distractor or not stays:
            until = at + stream.below(len(parts) - at)
            parts[until] = [*parts[until], Exit(visitor, room)]
        room += 1
    return [event for part in parts for event in part]


def renumbered(events: list[Event], n_agents: int, chain: tuple[int, ...]) -> tuple[Story, tuple[int, ...]]:
    """Number agents as they appear, rooms, things and containers without gaps; room 1, thing 0, container 0 stay so."""
    agents: dict[int, int] = {}
    rooms = {WAITING_ROOM: WAITING_ROOM, 1: 1}
    things, containers = {0: 0}, {0: 0}

    def number(known: dict[int, int], value: int) -> int:
        return known.setdefault(value, len(known))

    told: list[Event] = []
    for event in events:
        match event:
            case Enter((agent,), room):
                told.append(Enter((number(agents, agent),), number(rooms, room)))
            case Exit(agent, room):
                told.append(Exit(number(agents, agent), number(rooms, room)))
            case Place(thing, container):
                told.append(Place(number(things, thing), number(containers, container)))
            case Move(agent, thing, container):
                told.append(Move(number(agents, agent), number(things, thing), number(containers, container)))
            case _:
                raise TypeError(f"no event of ToMH: {event!r}")
    return Story(n_agents, tuple(told)), tuple(agents[agent] for agent in chain)


def plan_tomh(stream: Stream, n_questions: int) -> list[tuple[int, int, int]]:
    """Draw the (order, agents, chapters) of all ToMH stories, in the shares of the workshop paper's Table 1."""
    weight = sum(cell[3] for cell in CELLS)
    ends = [sum(cell[3] for cell in CELLS[: i + 1]) * n_questions // weight for i in range(len(CELLS))]
    return stream.shuffled(
        cell[:3] for cell, end, start in zip(CELLS, ends, [0, *ends[:-1]], strict=True) for _ in range(end - start)
    )
