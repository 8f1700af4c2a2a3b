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

from builders.story.meaning import SLOTS, Lesson, teacher
from builders.story.syntax import (
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
