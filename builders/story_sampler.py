"""Own how stories are drawn: a stream of random numbers goes in, a Story and the chain it is asked about come out.

Three families: Hi-ToM (`sample`, EMNLP paper, section 3), ToMH (`sample_tomh`, workshop paper, section 3 and
appendix A) and deep stories (`sample_deep`), whose questions need their chains. A Hi-ToM story is drawn to fit a
`Target`, by rejection on the lessons about the thing asked about, before any event exists; a deep one with a container
of its own for every move and claim, of which some are then made the same. Numbers mean nothing here: names come from
the wording stream, so it is no loss that the thing asked about is thing 0, its first place container 0, its room 1, and
agents are numbered as they appear.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from builders.belief import SLOTS, Lesson, lessons, reached, teacher, teaches
from builders.story import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Place,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)
from builders.streams import Stream

ROOMS, CONTAINERS, THINGS = 3, 5, 2
"""Rooms of a Hi-ToM story, containers in each (15 choices in all), things in each."""
ASKED = (1, 0)
"""The room and the thing of the first chapter, about which the questions ask."""
ITEMS, ANIMALS = 3, 4
"""What can be lost and what can be seen in a distraction."""
DISTRACTED = 0.1
"""How likely a distraction stands before a line."""
THIRD = (True, False, False)
"""A wish of one story in three."""
THINNED = 0.4
"""How many chains are passed over of those whose order-1 answer is a guess: most mentioned, or last but one place."""
TRIES, CHAINS = 2000, 10
"""Stories drawn before a wish is given up, and chains tried on each: few agents cannot meet every target."""


@dataclass(frozen=True, slots=True)
class Target:
    """Say what a Hi-ToM story must be like; None leaves a feature to chance.

    `returns`: a later chapter is about the first one's room and thing. `slot`: index in SLOTS of the highest order's
    answer. `reality`: the order-1 answer is where the thing is. `mentioned`: the highest order's answer is the
    container most often said to hold the thing. The last three need `returns` settled (ValueError): a chapter that
    comes by chance to the first room about another thing would show the thing asked about without a word.
    """

    n_chapters: int
    deception: bool
    returns: bool | None = None
    slot: int | None = None
    reality: bool | None = None
    mentioned: bool | None = None

    def __post_init__(self) -> None:
        if self.returns is None and not self.slot is self.reality is self.mentioned is None:
            raise ValueError(f"a target for the answers must say whether the story returns: {self}")


class Chapter(NamedTuple):
    """Hold one Hi-ToM chapter before it is a list of events (a tuple, as a dozen are drawn for a story).

    The agents enter, move (a container, or -1 to stay) and leave in the same order. Claims are (speaker, hearers,
    container). Containers are counted within the room.
    """

    room: int
    thing: int
    agents: tuple[int, ...]
    place: int
    moves: tuple[int, ...]
    claims: tuple[tuple[int, tuple[int, ...], int], ...]

    def last_place(self) -> int:
        """Return where the chapter leaves its thing."""
        return next((container for container in reversed(self.moves) if container >= 0), self.place)


def chapter_size(chapter: int, n_agents: int) -> int:
    """Return how many agents act in a chapter (counted from 0) of a story with `n_agents`."""
    return n_agents if chapter == 0 else 2 if chapter == 3 else max(2, n_agents + chapter - 3)


def claims_follow(chapter: int, n_chapters: int) -> bool:
    """Return whether claims follow a chapter (counted from 0) of a deceptive story: 1 of 1, 2 of 2, 1 and 3 of 3."""
    return (n_chapters - 1 - chapter) % 2 == 0


def draw_chapter(
    stream: Stream, target: Target, index: int, n_agents: int, where: tuple[int, int], place: int
) -> Chapter:
    """Draw who acts in a chapter (counted from 0), what they do, and what is claimed afterwards."""
    size = chapter_size(index, n_agents)
    claims = target.deception and claims_follow(index, target.n_chapters)
    random = stream.random
    agents = tuple(range(n_agents)) if size == n_agents else tuple(stream.draw(range(n_agents), size))
    moves = []
    now = place
    for _ in agents:
        if random() < 0.5:
            now = (now + 1 + int(random() * (CONTAINERS - 1))) % CONTAINERS
            moves.append(now)
        else:
            moves.append(-1)
    said = []
    if claims:
        public = random() < 0.5
        for speaker in stream.draw(agents, 2):
            hearers: tuple[int, ...] = ()
            if not public:
                other = int(random() * (n_agents - 1))
                hearers = (other + (other >= speaker),)
            public = False
            outsider = hearers and hearers[0] not in agents
            said.append((speaker, hearers, now if outsider else int(random() * CONTAINERS)))
    return Chapter(*where, agents, place, tuple(moves), tuple(said))


def chapter_lessons(chapter: Chapter, n_agents: int, again: bool) -> list[Lesson]:
    """Return what a chapter teaches about its thing, as `belief.lessons` finds it in the events.

    `again`: the thing was in the room before, so that those who enter see it even before it is spoken of.
    """
    everyone = (1 << n_agents) - 1
    present = 0
    for agent in chapter.agents:
        present |= 1 << agent
    taught = [Lesson(chapter.place, present)] * (2 if again else 1)
    trusting_last = {}
    here = present
    for agent, container in zip(chapter.agents, chapter.moves, strict=True):
        if container >= 0:
            taught.append(Lesson(container, here))
        trusting_last[agent] = everyone ^ here
        here ^= 1 << agent
    for speaker, hearers, container in chapter.claims:
        hearing = (1 << hearers[0] if hearers else everyone) | 1 << speaker
        taught.append(Lesson(container, hearing, speaker, hearing & trusting_last[speaker]))
    return taught


def wanted(target: Target, chapters: Iterable[Chapter]) -> tuple[set[int], int]:
    """Return the containers that the highest order's answer may be under the target, and the most mentioned one.

    `chapters` are those about the thing asked about. Looks at containers only, so that most misses end here.
    """
    been: list[int] = []
    said: list[int] = []
    for chapter in chapters:
        seen = [chapter.place, *[container for container in chapter.moves if container >= 0]]
        been += seen
        said += seen
        said += [claim[2] for claim in chapter.claims]
    been = list(dict.fromkeys(been))
    match target.slot:
        case None:
            allowed = set(said)
        case 0 | 1:
            allowed = set(been[target.slot : target.slot + 1])
        case 2:
            allowed = set(been[2:])
        case _:
            allowed = set(said).difference(been)
    if not allowed:
        return allowed, -1
    most = max(said, key=said.count)  # ties go to the one mentioned first
    if target.mentioned is not None:
        allowed = allowed & {most} if target.mentioned else allowed - {most}
    return allowed, most


def sample(stream: Stream, target: Target, n_agents: int, order: int, semantics: str) -> tuple[Story, tuple[int, ...]]:
    """Draw a Hi-ToM story and a chain of `order` agents that meet the target.

    The chain is the one of the highest order; a question of a lower order asks its last agents. A target that no
    draw of TRIES meets (few agents cannot believe in many places) loses a wish: first `mentioned`, last `reality`.
    """
    wishes = ["mentioned", "slot", "reality"]
    rooms = draw_rooms(stream, target)
    while True:
        for _ in range(TRIES):
            about: dict[int, Chapter] = {}
            place = 0
            for index, where in enumerate(rooms):
                if where == ASKED:
                    about[index] = draw_chapter(stream, target, index, n_agents, where, place)
                    place = about[index].last_place()
            chain = draw_chain(stream, target, about, n_agents, order, semantics)
            if chain is not None:
                return tell(stream, target, rooms, about, n_agents), chain
        target = replace(target, **{wishes.pop(0): None})


def draw_chain(
    stream: Stream, target: Target, about: dict[int, Chapter], n_agents: int, order: int, semantics: str
) -> tuple[int, ...] | None:
    """Draw a chain for chapters about the asked thing so that the target is met, or None where CHAINS draws miss."""
    if order == 0 or target.slot is target.reality is target.mentioned is None:
        return tuple(stream.draw(range(n_agents), order))
    allowed, most = wanted(target, about.values())
    if not allowed:
        return None
    taught: list[Lesson] = []
    for index, chapter in about.items():
        taught += chapter_lessons(chapter, n_agents, again=index > 0)
    # Only who learned the answer together can believe in it together: chains are drawn from one lesson's minds.
    able = [lesson.minds for lesson in taught if lesson.container in allowed and lesson.minds.bit_count() >= order]
    if not able:
        return None
    truth = next(lesson.container for lesson in reversed(taught) if lesson.speaker < 0)
    named = [c for chapter in about.values() for c in (chapter.place, *chapter.moves) if c >= 0]
    guesses = (most, *named[-2:-1])
    for _ in range(CHAINS):
        minds = able[stream.below(len(able))]
        chain = tuple(stream.draw([agent for agent in range(n_agents) if minds >> agent & 1], order))
        if teacher(taught, chain, semantics).container in allowed:
            first = teacher(taught, chain[-1:], semantics).container
            if target.reality not in (None, first == truth):
                continue
            if first in guesses and stream.random() < THINNED:
                continue
            if order > 1 and teacher(taught, chain[-2:], semantics).container in guesses and stream.random() < THINNED:
                continue
            return chain
    return None


def draw_rooms(stream: Stream, target: Target) -> list[tuple[int, int]]:
    """Draw the room and the thing of every chapter; ASKED is the first one's.

    Where `returns` is left to chance all rooms and things are equally likely, as published. A story that does not
    return keeps out of the first room, and one that returns is there only about the first thing: nobody is to learn
    where the thing asked about is from a line that does not name it.
    """
    later = range(1, target.n_chapters)
    if target.returns is None:
        drawn = [(1 + stream.below(ROOMS), stream.below(THINGS)) for _ in later]
    else:
        back = 1 + stream.below(target.n_chapters - 1) if target.returns else 0
        drawn = [
            ASKED
            if index == back or (target.returns and stream.random() < 0.25)
            else (2 + stream.below(ROOMS - 1), stream.below(THINGS))
            for index in later
        ]
    return [ASKED] + [(room, thing if room == 1 else THINGS * (room - 1) + thing) for room, thing in drawn]


def tell(stream: Stream, target: Target, rooms: list, about: dict[int, Chapter], n_agents: int) -> Story:
    """Draw the chapters that are about other things, and write all of them down as events with distractions."""
    events: list[Event] = []
    kept: dict[int, int] = {}  # where each thing was left

    seen: set[Event] = set()

    def add(event: Event) -> None:
        if events and stream.random() < DISTRACTED:
            distraction = draw_distraction(stream, n_agents)
            if distraction not in seen:  # nobody loses the same thing twice
                seen.add(distraction)
                events.append(distraction)
        events.append(event)

    for index, (room, thing) in enumerate(rooms):
        chapter = about.get(index)
        if chapter is None:
            place = kept[thing] if thing in kept else stream.below(CONTAINERS)
            chapter = draw_chapter(stream, target, index, n_agents, (room, thing), place)
        kept[thing] = chapter.last_place()
        shelf = CONTAINERS * (room - 1)
        add(Enter(chapter.agents, room))
        add(Place(thing, shelf + chapter.place))
        for agent, container in zip(chapter.agents, chapter.moves, strict=True):
            add(Stay(agent, room) if container < 0 else Move(agent, thing, shelf + container))
            add(Exit(agent, room))
        add(Enter(chapter.agents, WAITING_ROOM))
        for speaker, hearers, container in chapter.claims:
            add(Tell(speaker, hearers, thing, shelf + container))
    return Story(n_agents, tuple(events))


def draw_distraction(
    stream: Stream, n_agents: int, n_containers: int = ROOMS * CONTAINERS, n_things: int = ROOMS * THINGS
) -> Event:
    """Draw a sentence about an agent that has nothing to do with what anybody believes."""
    agent = stream.below(n_agents)
    match stream.below(4):
        case 0:
            return Lose(agent, stream.below(ITEMS))
        case 1:
            return See(agent, stream.below(ANIMALS))
        case 2:
            return Like(agent, stream.below(n_containers))
        case _:
            return Dislike(agent, stream.below(n_things))


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


def plan(stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int) -> list[Target]:
    """Draw the targets of all stories of a split: every feature in equal shares, in shuffled order.

    Lengths (chapters) and deception are crossed; half of the stories of two or more chapters return to the first
    one's thing. Within each cell all combinations come equally often of: the slot of the highest order's answer
    (claimed, where the thing can be claimed about), whether the order-1 answer is reality (one in three), and whether
    the highest order's answer is the container most often said to hold the thing (one in three, but never for the
    combinations that hardly any story has, see `mentions`).
    """
    cells = [(length, deception) for length in lengths for deception in (False, True)]
    waiting: dict[tuple, list[Target]] = {}
    targets = []
    for number in range(n_stories):
        length, deception = cells[number % len(cells)]
        returns = length > 1 and number // len(cells) % 2 == 1
        cell = waiting.setdefault((length, deception, returns), [])
        if not cell:
            claimable = deception and (returns or claims_follow(0, length))
            cell += stream.shuffled(
                Target(length, deception, returns, slot, reality, mentioned)
                for slot in range(len(SLOTS) if claimable else len(SLOTS) - 1)
                for reality in THIRD
                for mentioned in mentions(slot, claimable, returns)
            )
        targets.append(cell.pop())
    return stream.shuffled(targets) if order else [Target(t.n_chapters, t.deception, t.returns) for t in targets]


def mentions(slot: int, claimable: bool, returns: bool) -> tuple[bool | None, ...]:
    """Return whether the answer in a slot is to be the most mentioned container, in three stories.

    Without claims the first place nearly always is, so there is nothing to choose; and a claimed place of a thing
    hardly ever is when agents return, as then its first place is said again.
    """
    if not claimable:
        return (None if SLOTS[slot] == "first" else False,) * 3
    return (False,) * 3 if returns and SLOTS[slot] == "claimed" else THIRD


def plan_tomh(stream: Stream, n_questions: int) -> list[tuple[int, int, int]]:
    """Draw the (order, agents, chapters) of all ToMH stories, in the shares of the workshop paper's Table 1."""
    weight = sum(cell[3] for cell in CELLS)
    ends = [sum(cell[3] for cell in CELLS[: i + 1]) * n_questions // weight for i in range(len(CELLS))]
    return stream.shuffled(
        cell[:3] for cell, end, start in zip(CELLS, ends, [0, *ends[:-1]], strict=True) for _ in range(end - start)
    )


# Deep stories.

TWO_CHAPTERS, CHAPTERS = ("ss", "cs"), ("ss", "sw", "cs", "cw", "wc", "wc", "sw", "cw", "wc", "wc")
"""What is to teach the chains of the two highest orders, in two chapters and in more. s: a sighting, which all of the
chain saw; w: a watch, in which its first agent saw in secret what the others saw; c: a claim. In two chapters a watch
hardly ever can: so all have their third when one story in six has two chapters."""
DEEP_CONTAINERS, DEEP_THINGS = 8, 2
"""Containers in the room of a deep story, which are all choices, and things that it speaks of."""
SHALLOW = 5
"""In one question of so many the answer is that of a subchain."""
LOWER = (
    ("turned", "swc", "swc"), ("overtaken", "s", "swc"), ("turned", "swc", "sw"), ("overtaken", "sw", "sw"),
    ("turned", "swc", "swc"), ("overtaken", "sw", "swc"), ("turned", "swc", "sw"), ("overtaken", "sw", "sw"),
)  # fmt: skip
"""What else is to hold of the chain of order 2, what is to teach it, and what that of order 1: claims would teach most.
turned: the same two agents believe something else the other way round; overtaken: what both of them saw or heard last
is something else."""
WATCHES, PEEPS, ALSO, PUBLIC, TO_ONE, SECOND = 0.4, 0.3, 0.5, 0.05, 0.05, 0.65
"""How likely an outsider watches; who leaves, then watches; one not asked about joins the others in a chapter or an
audience; a claim is public, or told to one; and a chapter has a second claim."""
DRAFTS, STALE, COLOURINGS, APART = 2000, 100, 4, 100
"""Drafts drawn before a wish is given up; how many without progress before another is begun; how often containers are
drawn for one; and how far apart the numbers are that containers of its chapters have until then."""


@dataclass(frozen=True, slots=True)
class DeepTarget:
    """Say what a deep story must be like.

    `taught`: by what the chains may be taught (see CHAPTERS), of the highest order first; an order that it does not
    reach is left to chance. `shallow`: the orders at which some subchain has the answer too. `pair`: turned or
    overtaken (see LOWER), or None.
    """

    n_chapters: int
    taught: tuple[str, ...] = ()
    shallow: tuple[int, ...] = ()
    pair: str | None = None


def plan_deep(stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int) -> list[DeepTarget]:
    """Draw the targets of all deep stories of a split: each teacher in equal shares at the two highest orders.

    Lower orders follow LOWER. One story in SHALLOW is shallow at an order, at each order independently of the others.
    """
    longer = [length for length in lengths if length > 2]
    cells = [(2, pair) for pair in TWO_CHAPTERS if 2 in lengths]
    cells += [(longer[i % len(longer)], pair) for i, pair in enumerate(CHAPTERS) if longer]
    shallow = [stream.shuffled(i % SHALLOW == SHALLOW - 1 for i in range(n_stories)) for _ in range(order)]
    targets = []
    for number in range(n_stories):
        length, pair = cells[number % len(cells)]
        agents, second, first = LOWER[number // len(cells) % len(LOWER)]
        flat = tuple(k + 1 for k in range(order) if shallow[k][number])
        if 1 in flat:
            first = "c"  # who saw the last place but one cannot be made to believe in the last
        taught = (*pair, second, first)[: order if order > 2 else order - 1]
        targets.append(DeepTarget(length, taught, flat, agents))
    return stream.shuffled(targets)


def sample_deep(stream: Stream, target: DeepTarget, n_agents: int, order: int) -> tuple[Story, tuple[int, ...]]:
    """Draw a deep story and a chain of `order` agents that meet the target.

    Of each order the answer is none of those of the subchains, the empty one included, or one of them where the target
    is shallow. What DRAFTS drafts do not meet is given up: by what the lower orders are taught, then by what the higher
    ones are, last that the chains of the highest orders need all their agents.
    """
    taught, depth = target.taught, min(order, DEEP_CONTAINERS - 1)
    while True:
        by = ["swc"] * (order - len(taught)) + [*taught[::-1]]
        chapters: list[DeepChapter] = []
        met = stale = 0
        for _ in range(DRAFTS):
            if not chapters or stale == STALE:
                meant = stream.draw(range(n_agents), order)
                together = {"s": 0, "w": 1}.get(by[-1], stream.below(max(1, target.n_chapters - 1)))
                within = [by[-1] if number == together else "" for number in range(target.n_chapters)]
                drawn = [draw_deep_chapter(stream, n_agents, meant, number, what) for number, what in enumerate(within)]
                met = stale = 0
            else:
                drawn = list(chapters)
                number = stream.below(len(drawn))
                kept = drawn[number].body if stream.random() < 0.5 else None
                drawn[number] = draw_deep_chapter(stream, n_agents, meant, number, within[number], kept)
            found = deep_chains(joined(drawn), n_agents, by[:depth], target.pair)
            stale += 1
            if len(found[0]) < met:
                continue
            if len(found[0]) > met:
                stale = 0
            chapters, met = drawn, len(found[0])
            if met < depth:
                continue
            chain = found[stream.below(len(found))]
            others = [agent for agent in range(n_agents) if agent not in chain]
            chain = (*stream.draw(others, order - depth), *chain)
            draft = draft_of(drawn, n_agents)
            for _ in range(COLOURINGS):
                containers = draw_containers(stream, draft, chain, target.shallow)
                if containers:
                    return distracted(stream, draft, containers), chain
        if taught:
            taught = taught[:-1]
        else:
            depth -= 1


class DeepChapter(NamedTuple):
    """Hold a chapter of a draft: what happens in the room, what is claimed afterwards, and what all that teaches.

    Where the thing is when the chapter begins is container 0. Nobody is in a room when it begins, so it teaches what it
    teaches whatever came before.
    """

    body: list[Event]
    claims: list[Event]
    taught: list[Lesson]


def draw_deep_chapter(
    stream: Stream, n_agents: int, meant: list[int], number: int, by: str, body: list[Event] | None = None
) -> DeepChapter:
    """Draw a chapter about one thing in one room, of which the `body` may be given.

    The agents who are `meant` are to believe together, `by` what happens in one of the chapters, if it is this one;
    what happens in the others is mostly kept from one of them, so that all that fewer of them believe is something
    else.
    """
    random = stream.random

    def gathered(out: int) -> list[int]:
        """Return who is meant but for one, with some others."""
        return [agent for agent in range(n_agents) if agent != out and (agent in meant or random() < ALSO)]

    if body:
        agents = body[0].agents
    else:
        agents = range(n_agents)
        if number:
            agents = gathered(meant[0] if by == "w" else meant[stream.below(len(meant))])
            agents = stream.shuffled(agents) if len(agents) > 1 else stream.draw(range(n_agents), 2)
        body = [Enter(tuple(agents), 1)]
        for agent in range(n_agents):
            if agent not in agents and (by == "w" and agent == meant[0] or random() < WATCHES):
                body.append(Watch(agent, 1))
        body.append(Place(0, 0))
        for agent in agents:
            body += [Move(agent, 0, 0) if random() < 0.5 else Stay(agent, 1), Exit(agent, 1)]
            if agent != agents[-1] and random() < PEEPS:
                body.append(Watch(agent, 1))
        body.append(Enter(tuple(agents), WAITING_ROOM))
    claims: list[Event] = []
    for speaker in stream.draw(agents, 2 if random() < SECOND else 1):
        together = by == "c" and not claims
        hearers: list[int] = []
        if random() >= (0.4 if together else PUBLIC):
            audience = meant if together else gathered(meant[stream.below(len(meant))])
            hearers = stream.shuffled(agent for agent in audience if agent != speaker)
            if not hearers or random() < TO_ONE:
                hearers = [(speaker + 1 + stream.below(n_agents - 1)) % n_agents]
        claims.append(Tell(speaker, tuple(hearers), 0, 0))
    chapter = DeepChapter(body, claims, [])
    return chapter._replace(taught=lessons(draft_of([chapter], n_agents, APART * number), 0))


def draft_of(chapters: list[DeepChapter], n_agents: int, last: int = 0) -> Story:
    """Return the story of some chapters, in which each move and claim has a container of its own, after `last`."""
    events: list[Event] = []
    place = 0
    for body, claims, _ in chapters:
        for event in (*body, *claims):
            match event:
                case Place(thing, _):
                    event = Place(thing, place)
                case Move(agent, thing, _):
                    place = last = last + 1
                    event = Move(agent, thing, place)
                case Tell(speaker, hearers, thing, _):
                    last += 1
                    event = Tell(speaker, hearers, thing, last)
            events.append(event)
    return Story(n_agents, tuple(events))


def joined(chapters: list[DeepChapter]) -> list[Lesson]:
    """Return what chapters teach one after the other."""
    taught: list[Lesson] = []
    place = 0
    for chapter in chapters:
        begun = place
        for lesson in chapter.taught:
            if lesson.container == 0:
                lesson = lesson._replace(container=begun)
            elif lesson.speaker < 0:
                place = lesson.container
            taught.append(lesson)
    return taught


def taught_as(lesson: Lesson, chain: tuple[int, ...]) -> str:
    """Return what a lesson is to a chain that it teaches: s, w or c (see CHAPTERS)."""
    if lesson.speaker >= 0:
        return "c"
    return "w" if chain and not lesson.minds >> chain[0] & 1 else "s"


def deep_chains(taught: list[Lesson], n_agents: int, by: list[str], pair: str | None) -> list[tuple[int, ...]]:
    """Return the longest chains of which the last k agents, for each k, believe what no subchain of them does.

    `by` says by what they may be taught (see CHAPTERS), for each k from 1 to the length of the chains; `pair` what else
    holds of the last two (see LOWER).
    """
    latest = taught[::-1]
    known: dict[tuple[int, ...], Lesson] = {}

    def taught_what(chain: tuple[int, ...], behind: int) -> Lesson:
        """Return what taught a chain of which the agents behind the first are in the mask `behind`."""
        lesson = known.get(chain)
        if lesson is None:
            for lesson in latest:
                if not behind & ~lesson.minds and teaches(lesson, chain, "recursive"):
                    break
            known[chain] = lesson
        return lesson

    # Of each chain all subchains with their masks, the chain itself last.
    found: list[list[tuple[tuple[int, ...], int]]] = [[((), 0)]]
    taught_what((), 0)
    for kinds in by:
        longer: list[list[tuple[tuple[int, ...], int]]] = []
        for subchains in found:
            chain, minds = subchains[-1]
            for agent in range(n_agents):
                if minds >> agent & 1:
                    continue
                lesson = taught_what((agent, *chain), minds)
                container = lesson.container
                if taught_as(lesson, (agent, *chain)) not in kinds:
                    continue
                if len(chain) == 1 and pair:
                    if pair == "turned":
                        other = taught_what((*chain, agent), 1 << agent)
                    else:
                        other = next(lesson for lesson in latest if not (minds | 1 << agent) & ~reached(lesson))
                    if other.container == container:
                        continue
                for subchain, _ in subchains:
                    if known[subchain].container == container:
                        break
                else:
                    new = []
                    for subchain, behind in subchains:
                        new.append(((agent, *subchain), behind | 1 << agent))
                        if subchain != chain and taught_what(new[-1][0], behind).container == container:
                            break
                    else:
                        longer.append(subchains + new)
        if not longer:
            break
        found = longer
    return [subchains[-1][0] for subchains in found]


def draw_containers(stream: Stream, draft: Story, chain: tuple[int, ...], shallow: tuple[int, ...]) -> list[int] | None:
    """Draw which containers those of a draft become, the first place 0; return None where that cannot be.

    A move is to another container. What the last k agents of the chain believe is none of the containers that their
    subchains believe in or, for k in `shallow`, one of them.
    """
    taught = lessons(draft, 0)
    size = 1 + max(event.container for event in draft.events if isinstance(event, Place | Move | Tell))
    apart: list[set[int]] = [set() for _ in range(size)]
    place = 0
    for event in draft.events:
        if isinstance(event, Move):
            apart[place].add(event.container)
            apart[event.container].add(place)
            place = event.container
    same = list(range(size))
    believed = {(): teacher(taught, (), "recursive").container}
    merged = []
    for order in range(1, len(chain) + 1):
        asked = chain[len(chain) - order :]
        for subchain in list(believed):
            longer = (asked[0], *subchain)
            believed[longer] = teacher(taught, longer, "recursive").container
        lower = {container for subchain, container in believed.items() if subchain != asked}
        if order in shallow:
            merged.append((believed[asked], lower))
        elif believed[asked] not in lower:
            for container in lower:
                apart[believed[asked]].add(container)
                apart[container].add(believed[asked])
    for answer, lower in merged:
        for container in stream.shuffled(sorted(lower)):
            one, other = same[answer], same[container]
            ones, others = ([c for c in range(size) if same[c] == each] for each in (one, other))
            if not any(apart[c].intersection(others) for c in ones):
                same = [one if each == other else each for each in same]
                break
    drawn: dict[int, int] = {same[0]: 0}
    for container in range(size):
        if same[container] not in drawn:
            group = [c for c in range(size) if same[c] == same[container]]
            taken = {drawn.get(same[far]) for c in group for far in apart[c]}
            free = [colour for colour in range(DEEP_CONTAINERS) if colour not in taken]
            if not free:
                return None
            drawn[same[container]] = free[stream.below(len(free))]
    return [drawn[each] for each in same]


def distracted(stream: Stream, draft: Story, containers: list[int]) -> Story:
    """Return a draft with its containers drawn, and with distractions."""
    events: list[Event] = []
    seen: set[Event] = set()
    for event in draft.events:
        if events and stream.random() < DISTRACTED:
            distraction = draw_distraction(stream, draft.n_agents, DEEP_CONTAINERS, DEEP_THINGS)
            if distraction not in seen:
                seen.add(distraction)
                events.append(distraction)
        if isinstance(event, Place | Move | Tell):
            event = replace(event, container=containers[event.container])
        events.append(event)
    return Story(draft.n_agents, tuple(events))
