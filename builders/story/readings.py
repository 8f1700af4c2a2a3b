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

from collections.abc import Sequence
from functools import lru_cache, reduce
from math import inf
from operator import or_
from typing import NamedTuple

from ..syntax.events import WAITING_ROOM, Enter, Exit, Move, Place, Story, Tell, Watch
from ..syntax.scan import mask
from .meaning import moments
from .subchains import convinced_subchains, positions, seen_subchains, subchain_sets, tails

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
    return [
        [reading for reading in READINGS if believed(steps, tail, reading) != answer]
        for tail, answer in zip(tails(len(chain)), answers, strict=True)
    ]


def is_undisputed(story: Story, chain: tuple[int, ...], thing: int) -> bool:
    """Return whether all readings agree with the rules on what the last k agents of a chain believe, for every k."""
    steps = steps_of(story, chain, thing)
    return all(
        believed(steps, tail, reading) == answer
        for tail in tails(len(chain))[1:]
        for answer in [believed(steps, tail, None)]
        for reading in READINGS
    )


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


@lru_cache(maxsize=1)  # a sampler asks for the steps of a story, and then its row does
def steps_of(story: Story, chain: tuple[int, ...], thing: int) -> tuple[Step, ...]:
    """Return the steps of a story about a thing for a chain, in the order of its events."""
    n = len(chain)
    last_exit = {event.agent: line for line, event in enumerate(story.events) if isinstance(event, Exit)}
    steps: list[Step] = []
    claims: list[tuple[int, int]] = []  # of the chapter: the speaker, and whom the claim taught
    for event, scene, lesson in moments(story, thing):
        if lesson:
            minds, watching = positions(lesson.minds, chain), positions(lesson.watching, chain)
        match event:
            case Enter(agents, room):
                claims = claims if room == WAITING_ROOM else []
                if lesson:
                    returned = positions(mask(agents) & scene.visitors[room], chain)
                    _, last_leavers = scene.last_left.get(room, (0, 0))
                    steps.append(enter_step(n, lesson.container, minds, returned, positions(last_leavers, chain)))
            case Place() | Move() if lesson:
                again = isinstance(event, Place) and thing in scene.place
                steps.append(sighting_step(n, lesson.container, minds, watching, again))
            case Tell(speaker) if lesson:
                left, last = scene.left, last_exit.get(speaker, inf)
                longer = mask(agent for agent in left if left[agent] > left.get(speaker, -1))
                trusting_by_exit = lesson.minds & mask(agent for agent in last_exit if last_exit[agent] < last)
                step = claim_step(
                    n,
                    lesson.container,
                    heard=minds,
                    speaker=chain.index(speaker) if speaker in chain else -1,
                    trusting=positions(lesson.trusting, chain),
                    watching=watching,
                    longer=positions(longer, chain),
                    by_last_exit=positions(trusting_by_exit, chain),
                    outranking=reduce(or_, [taught for other, taught in claims if longer >> other & 1], 0),
                )
                claims.append((speaker, step.taught))
                steps.append(step)
            case Watch(agent, room) if agent in chain and room == scene.chapter_room == scene.thing_room.get(thing):
                inside = positions(scene.inside[room], chain)
                steps.append(watch_step(n, scene.place[thing], inside, chain.index(agent)))
    return tuple(steps)
