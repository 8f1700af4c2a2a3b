"""What a draft of a deep story still lacks: its faults are counted, so that a sampler can climb to one with none.

Without faults, the last k agents of the chain, for every k, believe what no smaller selection of them believes, reality
included; all readings agree on it (`readings`); and what teaches it is of the kind that is wanted. Beliefs are computed
on sets of subchains (`subchains`), and only the chains that are asked about are followed under the readings.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..syntax.scan import mask
from .drafts import CLAIM, SIGHTING, WATCH, Chapter
from .readings import READINGS, Step, believed, claim_step, enter_step, sighting_step
from .subchains import subchain_sets

APART = 1000
"""Distance between the numbers of the containers of two chapters."""


class Mark(NamedTuple):
    """Hold what the wishes for a draft look at in a step, besides what it teaches; masks are of positions."""

    claim: bool  # whether it is a claim
    together: int  # mask of who was inside, or of who made or heard it
    aside: int  # the set of subchains that would learn it if every claim were believed
    swapped: int  # the set of subchains that would learn it if they had their last two agents in the other order
    sometimes: int  # the set of subchains whose belief it may change under some reading
    always: int  # the set of subchains that it teaches under every reading


class Wishes(NamedTuple):
    """Say what a draft is to have."""

    n_agents: int  # agents of the story; those of the chain come first
    kinds: tuple[tuple[str, ...], ...]  # for each order from 1 the kinds of lesson that may teach it
    depth: int  # the highest order that needs all its agents
    doubted: bool = False  # whether from order 2 trust decides, and so does which of the last two agents is last


def draft_steps(chapters: Sequence[Chapter], order: int, n_agents: int) -> tuple[list[Step], list[Mark]]:
    """Return the steps of a draft for its chain of `order` agents, and their marks."""
    before: dict[int, int] = {}  # mask of those whose last exit of all comes before that of each agent
    still_inside = (1 << n_agents) - 1
    for chapter in reversed(chapters):
        for agent in reversed(chapter.inside):
            if still_inside >> agent & 1:
                still_inside ^= 1 << agent
                before[agent] = still_inside
    steps: list[Step] = []
    marks: list[Mark] = []
    place, last_leaver = 0, -1
    for number, chapter in enumerate(chapters):
        by_last_exit = tuple([before[speaker] & hearers for speaker, hearers in chapter.claims])
        inside = chapter.inside
        body = Chapter(inside, chapter.moved, chapter.watching, chapter.peeping, ())
        seen, seen_marks, place, watching = body_steps(order, number, body, place, last_leaver)
        claimed, claimed_marks = claim_steps(order, number, inside, watching, chapter.claims, by_last_exit)
        steps += seen + claimed
        marks += seen_marks + claimed_marks
        last_leaver = inside[-1]
    return steps, marks


@lru_cache(maxsize=1 << 10)
def body_steps(
    order: int, number: int, body: Chapter, place: int, last_leaver: int
) -> tuple[list[Step], list[Mark], int, int]:
    """Return the steps of a chapter but for its claims, their marks, where the thing is at its end, and who watches.

    place: where the thing is at its beginning. last_leaver: who left the room last before it.
    """
    inside, moved, watching, peeping, _ = body
    chain = (1 << order) - 1
    here = mask(inside)
    steps: list[Step] = []
    marks: list[Mark] = []

    def add(marked: tuple[Step, Mark]) -> None:
        steps.append(marked[0])
        marks.append(marked[1])

    if number:
        add(marked_enter(order, place, here & chain, 1 << last_leaver & chain))
    add(marked_sighting(order, place, here & chain, watching & chain, number > 0))
    for position, (agent, moves) in enumerate(zip(inside, moved, strict=True), 1):
        if moves:
            place = APART * number + position
            add(marked_sighting(order, place, here & chain, watching & chain, False))
        here ^= 1 << agent
        watching |= peeping & 1 << agent
    return steps, marks, place, watching


@lru_cache(maxsize=1 << 10)
def claim_steps(
    order: int,
    number: int,
    inside: tuple[int, ...],
    watching: int,
    claims: tuple[tuple[int, int], ...],
    by_last_exit: tuple[int, ...],
) -> tuple[list[Step], list[Mark]]:
    """Return the steps of the claims that follow a chapter, and their marks.

    by_last_exit: for each claim the mask of the hearers whose last exit of the story is before the speaker's.
    """
    chain = (1 << order) - 1
    everyone_inside = mask(inside)
    steps: list[Step] = []
    marks: list[Mark] = []
    earlier: list[tuple[int, int]] = []
    for position, ((speaker, hearers), last_exits) in enumerate(zip(claims, by_last_exit, strict=True)):
        rank = inside.index(speaker) if everyone_inside >> speaker & 1 else -1
        stayed = mask(inside[rank + 1 :])
        trusting = hearers & ~stayed if rank >= 0 else 0
        heard = (hearers | 1 << speaker) & chain
        outranking = 0
        for other, taught in earlier:
            outranking |= taught if other > rank else 0
        step, claim_mark = marked_claim(
            order,
            APART * number + APART // 2 + position,
            heard,
            speaker if speaker < order else -1,
            trusting & chain,
            watching & chain,
            stayed & chain,
            last_exits & chain,
            outranking,
        )
        earlier.append((rank, step.taught))
        steps.append(step)
        marks.append(claim_mark)
    return steps, marks


@lru_cache(maxsize=1 << 12)
def marked_enter(order: int, place: int, inside: int, last_leavers: int) -> tuple[Step, Mark]:
    """Return the step of those inside, who have just come in, and its mark."""
    step = enter_step(order, place, inside, inside, last_leavers)
    swapped = swapped_sighting(order, step.taught, inside, inside)
    return step, Mark(False, inside, step.taught, swapped, *bounds(step))


@lru_cache(maxsize=1 << 12)
def marked_sighting(order: int, place: int, inside: int, watching: int, placed_again: bool) -> tuple[Step, Mark]:
    """Return the step of a Move or a Place, and its mark."""
    step = sighting_step(order, place, inside, watching, placed_again)
    swapped = swapped_sighting(order, step.taught, inside, inside | watching)
    return step, Mark(False, inside, step.taught, swapped, *bounds(step))


@lru_cache(maxsize=1 << 12)
def marked_claim(
    order: int, container: int, heard: int, speaker: int, trusting: int, watching: int, *more: int
) -> tuple[Step, Mark]:
    """Return the step of a claim, given what `claim_step` takes, and its mark."""
    step = claim_step(order, container, heard, speaker, trusting, watching, *more)
    all_who_heard = subchain_sets(order).within[heard] & ~1
    swapped = all_who_heard & swapped_claim(order, speaker, trusting, watching)
    return step, Mark(True, heard, all_who_heard, swapped, *bounds(step))


def swapped_sighting(order: int, taught: int, inside: int, reached: int) -> int:
    """Return the set of subchains that a sighting teaches with their last two agents swapped.

    Only who is first matters to a sighting, so only chains of two can differ. It is right for the last two agents of
    the chain; no other two are asked for.
    """
    if order < 2:
        return taught
    pair = 1 << (0b11 << order - 2)
    sees = reached >> order - 1 & 1 and inside >> order - 2 & 1
    return taught | pair if sees else taught & ~pair


def swapped_claim(order: int, speaker: int, trusting: int, watching: int) -> int:
    """Return the set of subchains that a claim which they all heard convinces with their last two agents swapped.

    It is right for those that end in the last two agents of the chain; no others are asked for.
    """
    if order < 2:
        return 0
    last, before = order - 2, order - 1
    if speaker == before or speaker != last and trusting >> last & 1:
        return -1
    if speaker != last or not trusting >> before & 1:
        return 0
    # Where these two are alone, whoever is to trust is the first agent, who knows whether he watched.
    return ~(1 << (0b11 << last)) if watching >> before & 1 else -1


def bounds(step: Step) -> tuple[int, int]:
    """Return the sets of subchains whose belief a step may change under some reading, and always teaches."""
    sometimes = always = step.taught
    for learners in step[2:8]:
        sometimes |= learners
        always &= learners
    for heirs in step.heirs:
        moved = 0
        for subchain, heir in enumerate(heirs):
            moved |= (heir != subchain) << subchain
        sometimes |= moved
    return sometimes, always


def count_faults(steps: Sequence[Step], marks: Sequence[Mark], wishes: Wishes, most: float) -> int:
    """Return how many faults a draft has, or any number above `most` where it has more.

    One for each smaller selection of agents that believes what the last k agents of the chain believe; one for each
    reading and each k under which they believe something else; two for each wish that is not met.
    """
    order = len(wishes.kinds)
    asked = [(1 << order) - (1 << order - k) for k in range(1, order + 1)]
    teachers, faults = find_teachers(steps, asked, wishes.depth)
    if faults > most:
        return faults
    for k, (place, allowed) in enumerate(zip(teachers, wishes.kinds, strict=True)):
        mark = marks[place]
        kind = CLAIM if mark.claim else WATCH if asked[k] & ~mark.together else SIGHTING
        faults += 2 * (kind not in allowed)
    if faults > most:
        return faults
    faults += 2 * _unmet_wishes(steps, marks, wishes, asked, teachers)
    for place, subchain in zip(teachers, asked, strict=True):
        if faults > most:
            return faults
        faults += _disputes(steps, marks, subchain, place, most - faults)
    return faults


def find_teachers(steps: Sequence[Step], asked: list[int], depth: int) -> tuple[list[int], int]:
    """Return the place of the step that teaches each subchain asked, shortest first.

    Returns besides how many smaller selections share the beliefs of the first `depth` of them.
    """
    order = len(asked)
    untaught = (1 << (1 << order)) - 1
    believers: dict[int, int] = {}
    teachers = [0] * order
    for place in range(len(steps) - 1, -1, -1):
        new = steps[place].taught & untaught
        if new:
            container = steps[place].container
            believers[container] = believers.get(container, 0) | new
            for k, subchain in enumerate(asked):
                if new >> subchain & 1:
                    teachers[k] = place
            untaught ^= new
            if not untaught:
                break
    within = subchain_sets(order).within
    shared = 0
    for place, subchain in zip(teachers[:depth], asked, strict=False):
        shared += (believers[steps[place].container] & within[subchain]).bit_count() - 1
    return teachers, shared


def _disputes(steps: Sequence[Step], marks: Sequence[Mark], subchain: int, teacher: int, most: float) -> int:
    """Return under how many readings a subchain believes something else than what its teacher, a place, teaches.

    Any number above `most` where there are more.
    """
    if marks[teacher].always >> subchain & 1:
        for place in range(len(steps) - 1, teacher, -1):
            if marks[place].sometimes >> subchain & 1:
                break
        else:
            return 0
    container = steps[teacher].container
    disputes = 0
    for reading in READINGS:
        disputes += believed(steps, subchain, reading) != container
        if disputes > most:
            break
    return disputes


def _unmet_wishes(
    steps: Sequence[Step], marks: Sequence[Mark], wishes: Wishes, asked: list[int], teachers: list[int]
) -> int:
    """Return how many wishes about pairs and doubts are not met; each order counts for itself."""
    unmet = 0
    if wishes.doubted:
        for subchain, place in zip(asked[1:], teachers[1:], strict=True):
            container = steps[place].container
            unmet += (_last_in(steps, marks, "swapped", subchain) == container) + (
                _last_in(steps, marks, "aside", subchain) == container
            )
    return unmet


def _last_in(steps: Sequence[Step], marks: Sequence[Mark], field: str, subchain: int) -> int:
    """Return the container of the last step in whose mark a set holds a subchain, or the first place."""
    for step, mark in zip(reversed(steps), reversed(marks), strict=True):
        if getattr(mark, field) >> subchain & 1:
            return step.container
    return 0
