"""The other ways in which a careful person may read a story, and what a chain believes under each of them.

The printed rules settle every label. A *reading* is what somebody may hold who knows only the story. It changes one
clause of `meaning` under `recursive` and keeps the rest. A question is *undisputed* where all readings give its answer.

- VISIT: when somebody enters the room of the thing without A, A supposes that those who are then inside see it where A
  believes it to be. So it is at every depth: A supposes that B supposes it of C.
- LAST_LEAVER: who comes back to the room and finds the thing supposes that whoever left last knows that place.
- BOTH: these two together.
- SPEAKER: a claim convinces every hearer in the mind of its speaker, and in all minds within that mind.
- LONGER: who believes a claim supposes that those who left the room later than its speaker know it too.
- LAST_EXIT: a hearer trusts a speaker whose last exit in the whole story comes after the hearer's.
- OUTRANKED: of two claims about one chapter that convince a chain, the one of the later leaver wins.
- PRESENT: who begins to watch a room sees at once where the thing is.
- PLACED: a later chapter's sentence on where the thing is shows a watcher nothing, as nobody does anything.

A story becomes *steps*, which say for all subchains of one chain what a line teaches them under each reading. Sets of
subchains are integers, as in `subchains`; so are masks of positions in the chain.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..syntax.events import WAITING_ROOM, Enter, Exit, Move, Place, Story, Tell, Watch
from .subchains import convinced_subchains, seen_subchains, subchain_sets

VISIT, LAST_LEAVER, BOTH = "visit", "last leaver", "visit and last leaver"
SPEAKER, LONGER, LAST_EXIT, OUTRANKED = "speaker everywhere", "stayed longer", "last exit", "outranked"
PRESENT, PLACED = "watch sees the present state", "placed only"
READINGS = (VISIT, LAST_LEAVER, BOTH, SPEAKER, LONGER, LAST_EXIT, OUTRANKED, PRESENT, PLACED)
"""The names of the readings, as the column `readings` has them."""


class Step(NamedTuple):
    """Hold what one line teaches: the container, and the sets of subchains that learn it."""

    container: int  # where the thing is seen, or said to be
    taught: int  # who learns it by the rules, and under VISIT, LAST_LEAVER and BOTH
    speaker: int  # who learns it under SPEAKER
    longer: int  # under LONGER
    last_exit: int  # under LAST_EXIT
    outranked: int  # under OUTRANKED
    present: int  # under PRESENT
    placed: int  # under PLACED
    heirs: tuple[tuple[int, ...], ...] = ()  # of an Enter, under VISIT, LAST_LEAVER and BOTH: see `heirs_of`


COLUMNS = {SPEAKER: 2, LONGER: 3, LAST_EXIT: 4, OUTRANKED: 5, PRESENT: 6, PLACED: 7}
"""The field of a step that holds who learns it, by reading; 1 for those that are not here."""


HEIRS = {VISIT: 0, LAST_LEAVER: 1, BOTH: 2}
"""The place in `Step.heirs` of each reading that has one."""


def differing_readings(story: Story, chain: tuple[int, ...], thing: int, answers: Sequence[int]) -> list[list[str]]:
    """Return for each order the readings under which a question has another answer.

    answers: for each k from 0 to the length of the chain, the container that answers the question about its last k
    agents.
    """
    steps = steps_of(story, chain, thing)
    whole = 1 << len(chain)
    return [
        [reading for reading in READINGS if believed(steps, whole - (whole >> order), reading) != answer]
        for order, answer in enumerate(answers)
    ]


def is_undisputed(story: Story, chain: tuple[int, ...], thing: int) -> bool:
    """Return whether all readings agree with the rules on what the last k agents of a chain believe, for every k."""
    steps = steps_of(story, chain, thing)
    whole = 1 << len(chain)
    for order in range(1, len(chain) + 1):
        subchain = whole - (whole >> order)
        answer = believed(steps, subchain, None)
        if any(believed(steps, subchain, reading) != answer for reading in READINGS):
            return False
    return True


def believed(steps: Sequence[Step], subchain: int, reading: str | None) -> int | None:
    """Return where a subchain believes the thing to be under a reading (None: by the rules), or None if nowhere.

    Looks back from the last step to the one that teaches it. An Enter may hand it the belief of a shorter subchain.
    """
    column, heir = COLUMNS.get(reading, 1), HEIRS.get(reading)
    for step in reversed(steps):
        if heir is not None and step.heirs:
            subchain = step.heirs[heir][subchain]
        if step[column] >> subchain & 1:
            return step.container
    return None


@lru_cache(maxsize=1 << 14)
def enter_step(n: int, container: int, inside: int, returned: int, last_leavers: int) -> Step:
    """Return the step of an Enter into the room of the thing.

    n: the length of the chain. inside, returned, last_leavers: masks of who is then inside, who of them comes back, and
    who left the room last, inside again or not.
    """
    seen = seen_subchains(n, inside, 0)
    heirs = (
        heirs_of(n, inside, 0, 0, True),
        heirs_of(n, inside, returned, last_leavers, False),
        heirs_of(n, inside, returned, last_leavers, True),
    )
    return Step(container, *[seen] * 7, heirs)


@lru_cache(maxsize=1 << 14)
def sighting_step(n: int, container: int, inside: int, watching: int, placed_again: bool = False) -> Step:
    """Return the step of a Move or a Place; `placed_again`: of a Place in a later chapter."""
    seen = seen_subchains(n, inside, watching)
    placed = seen_subchains(n, inside, 0) if placed_again else seen
    return Step(container, *[seen] * 6, placed)


def watch_step(n: int, container: int, inside: int, watcher: int) -> Step:
    """Return the step of the agent at a position who begins to watch, which teaches nothing but under PRESENT."""
    present = seen_subchains(n, inside, 1 << watcher) & subchain_sets(n).containing[watcher]
    return Step(container, 0, 0, 0, 0, 0, present, 0)


@lru_cache(maxsize=1 << 14)
def claim_step(
    n: int,
    container: int,
    heard: int,
    speaker: int,
    trusting: int,
    watching: int,
    longer: int,
    by_last_exit: int,
    outranking: int,
) -> Step:
    """Return the step of a claim.

    Masks of positions: heard, who made or heard it; trusting, who trusts its speaker; watching; longer, who left the
    chapter's room later than the speaker; by_last_exit, who trusts under LAST_EXIT. speaker: a position, or -1 where
    the speaker is not in the chain. outranking: the set of subchains that the claims of later leavers taught before.
    """
    taught = convinced_subchains(n, heard, speaker, trusting, watching, "recursive")
    last_exit = taught
    if by_last_exit != trusting:
        last_exit = convinced_subchains(n, heard, speaker, by_last_exit, watching, "recursive")
    everywhere = taught | within_mind_of(n, speaker, heard)
    passed_on = passed_to(n, longer, taught)
    return Step(container, taught, everywhere, passed_on, last_exit, taught & ~outranking, taught, taught)


def within_mind_of(n: int, speaker: int, heard: int) -> int:
    """Return the set of subchains, all of whom heard a claim, that end in another mind within the speaker's."""
    sets = subchain_sets(n)
    return sets.within[heard] & sets.containing[speaker] & ~sets.ending[speaker] if speaker >= 0 else 0


@lru_cache(maxsize=1 << 12)
def passed_to(n: int, agents: int, subchains: int) -> int:
    """Return a set of subchains together with those that go on with some of the agents, a mask of positions."""
    for position in range(n):
        if agents >> position & 1:
            shorter = subchains & (1 << (1 << position)) - 1  # those that end before this position
            subchains |= shorter << (1 << position)
    return subchains


@lru_cache(maxsize=1 << 12)
def heirs_of(n: int, inside: int, returned: int, last_leavers: int, visit: bool) -> tuple[int, ...]:
    """Return for each subchain the one whose belief it takes over at an Enter; itself where it keeps its own.

    Under VISIT a subchain that goes on with agents inside believes what it believes without them. Under LAST_LEAVER one
    that ends in a last leaver, after agents inside the last of whom came back, believes what they see; so it does under
    BOTH wherever the agent before the last leaver came back. The arguments are those of `enter_step`; `visit` says
    whether VISIT holds.
    """
    heirs = []
    for subchain in range(1 << n):
        rest = subchain
        while rest:
            last = rest.bit_length() - 1
            before = rest ^ 1 << last
            supposed = before and last_leavers >> last & 1 and returned >> before.bit_length() - 1 & 1
            if not (inside >> last & 1 or supposed and (visit or rest == subchain)):
                break
            rest = before
        # Whoever is inside sees where the thing really is: this is what the empty subchain believes.
        heirs.append(rest if visit or not rest else subchain)
    return tuple(heirs)


def steps_of(story: Story, chain: tuple[int, ...], thing: int) -> list[Step]:
    """Return the steps of a story about a thing for a chain, in the order of its events."""
    n = len(chain)
    bit_of = {agent: 1 << position for position, agent in enumerate(chain)}
    scene = _Scene(story, bit_of)
    steps: list[Step] = []
    thing_room = place = None
    for line, event in enumerate(story.events):
        match event:
            case Enter(agents, room):
                returned, last_leavers = scene.enter(agents, room, line)
                if room == thing_room and place is not None:
                    steps.append(enter_step(n, place, scene.inside(room), returned, last_leavers))
            case Exit(agent, _):
                scene.leave(agent, line)
            case Place(placed, container) if placed == thing:
                again, thing_room, place = place is not None, scene.entered, container
                steps.append(sighting_step(n, place, scene.inside(thing_room), scene.watching(thing_room), again))
            case Move(agent, moved, container) if moved == thing:
                thing_room, place = scene.room_of.get(agent), container
                steps.append(sighting_step(n, place, scene.inside(thing_room), scene.watching(thing_room)))
            case Tell(speaker, hearers, claimed, container) if claimed == thing:
                steps.append(scene.claim(n, speaker, hearers or range(story.n_agents), container))
            case Watch(agent, room) if room == scene.chapter_room:
                scene.watchers |= bit_of.get(agent, 0)
                if room == thing_room and place is not None and agent in bit_of:
                    steps.append(watch_step(n, place, scene.inside(room), chain.index(agent)))
    return steps


class _Scene:
    """Track where the agents are, and who left which room when; masks are of positions in the chain."""

    def __init__(self, story: Story, bit_of: Mapping[int, int]) -> None:
        """Begin before the first line; `bit_of` gives the bit of each agent of the chain."""
        self.bit_of = bit_of
        self.room_of: dict[int, int] = {}
        self.entered: int | None = None  # the room that was entered last
        self.chapter_room: int | None = None
        self.left: dict[int, float] = {}  # when each agent of the chapter left its room; infinity before that
        self.watchers = 0  # mask of who watches the chapter's room
        self.claims: list[tuple[int, int]] = []  # of the chapter: the speaker, and whom the claim taught
        self.visitors: dict[int, int] = {}  # mask of who has been in each room
        self.last_left: dict[int, tuple[int, int]] = {}  # when somebody left each room last, and the mask of who did
        self.last_exit = {event.agent: line for line, event in enumerate(story.events) if isinstance(event, Exit)}

    def mask(self, agents: Iterable[int]) -> int:
        """Return the mask of those agents who are in the chain."""
        bits = 0
        for agent in agents:
            bits |= self.bit_of.get(agent, 0)
        return bits

    def inside(self, room: int | None) -> int:
        """Return the mask of who is in a room."""
        return self.mask(agent for agent, where in self.room_of.items() if where == room)

    def watching(self, room: int | None) -> int:
        """Return the mask of who watches a room."""
        return self.watchers if room == self.chapter_room else 0

    def enter(self, agents: Iterable[int], room: int, line: int) -> tuple[int, int]:
        """Move agents into a room; return the masks of who comes back to it, and who left it last."""
        for agent in agents:
            self.leave(agent, line)
            self.room_of[agent] = room
        self.entered = room
        if room != WAITING_ROOM:
            self.chapter_room, self.watchers, self.claims = room, 0, []
            self.left = {agent: float("inf") for agent, where in self.room_of.items() if where == room}
        entering, before = self.mask(agents), self.visitors.get(room, 0)
        self.visitors[room] = before | entering
        _, last_leavers = self.last_left.get(room, (line, 0))
        return before & entering, last_leavers

    def leave(self, agent: int, line: int) -> None:
        """Take an agent out of the room where he is."""
        room = self.room_of.pop(agent, None)
        if room is not None:
            time, together = self.last_left.get(room, (line, 0))
            self.last_left[room] = line, self.bit_of.get(agent, 0) | (together if time == line else 0)
            if room == self.chapter_room and agent in self.left:
                self.left[agent] = line

    def claim(self, n: int, speaker: int, hearers: Iterable[int], container: int) -> Step:
        """Return the step of a claim about the thing."""
        hearers = [agent for agent in hearers if agent != speaker]
        left, never = self.left.get(speaker, -1.0), float("inf")
        last = self.last_exit.get(speaker, never)
        step = claim_step(
            n,
            container,
            heard=self.mask((speaker, *hearers)),
            speaker=self.bit_of.get(speaker, 0).bit_length() - 1,
            trusting=self.mask(agent for agent in hearers if self.left.get(agent, -1.0) < left),
            watching=self.watchers,
            longer=self.mask(agent for agent, time in self.left.items() if time > left),
            by_last_exit=self.mask(agent for agent in hearers if self.last_exit.get(agent, never) < last),
            outranking=union(taught for other, taught in self.claims if self.left.get(other, -1.0) > left),
        )
        self.claims.append((speaker, step.taught))
        return step


def union(sets: Iterable[int]) -> int:
    """Return the union of some sets of subchains."""
    joined = 0
    for subchains in sets:
        joined |= subchains
    return joined
