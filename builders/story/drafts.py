"""Drafts of deep stories: how chapters are drawn and changed, and what they become as events.

In a draft every move and every claim has a container of its own; which of them become one is settled by colouring
(`colouring`). Agents 0, 1, … are those of the chain, outermost first; the others follow. All agents enter the first
chapter. A set of agents is a bit mask. The thing is number 0, its first place container 0, its room 1.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..streams import Stream
from ..syntax.events import WAITING_ROOM, Enter, Event, Exit, Move, Place, Stay, Story, Tell, Watch

SIGHTING, WATCH, CLAIM = "sighting", "watch", "claim"
"""What can teach a chain.

A sighting that all its agents witnessed; a sighting that the first agent watched in secret and the others witnessed; a
claim.
"""


ANY_KIND = (SIGHTING, WATCH, CLAIM)


MOVES = 0.5
"""How likely an agent moves the thing before leaving."""


WATCHES, PEEPS = 0.3, 0.3
"""How likely an agent watches a chapter from outside, and how likely one watches after leaving the room."""


ABSENT = 0.85
"""How likely it is the last agent of the chain who is left out of a chapter.

Then others cannot wonder what that agent saw on a visit, which readers judge in several ways (`readings.VISIT`).
"""


JOINS, OTHERS_JOIN = 0.8, 0.6
"""How likely an agent of the chain, and another agent, enters a later chapter, the one left out aside."""


LEFT_OUT = 0.85
"""How likely a claim is kept from just one agent of the chain, who is not its last one."""


HEARS, OTHERS_HEAR = 0.93, 0.5
"""How likely an agent of the chain, and another agent, is among the hearers of a claim, the one left out aside."""


CLAIMS = (0.35, 0.45, 0.2)
"""How likely a chapter has one, two, or three claims."""


class Aim(NamedTuple):
    """Say what a draft is drawn for. It is a start: what the draft then lacks is counted by `faults`."""

    order: int  # agents of the chain
    n_agents: int  # agents of the story
    n_chapters: int  # chapters
    highest: str  # the kind of lesson that is to teach the chain
    second: str  # the same for the chain without its first agent
    claimed: tuple[int, int]  # the chapter after which a claim is to teach each of these two, where one is
    apart: bool  # whether no claim reaches the last two agents together, who share what one of them watched
    alone: bool  # whether the last agent watches the last chapter but one, and hears no claim after the last
    doubted: bool  # whether the last agent makes a claim at the end


class Chapter(NamedTuple):
    """Hold one chapter of a draft."""

    inside: tuple[int, ...]  # who enters, in the order of acting and leaving
    moved: tuple[bool, ...]  # for each of them whether he moves the thing before he leaves
    watching: int  # mask of who watches from outside, from the beginning
    peeping: int  # mask of who watches after leaving
    claims: tuple[tuple[int, int], ...]  # (speaker, mask of the hearers) of each claim that follows


def draw_aim(stream: Stream, kinds: tuple[tuple[str, ...], ...], n_agents: int, n_chapters: int, doubted: bool) -> Aim:
    """Draw an aim. `kinds`: for each order from 1 the kinds of lesson that may teach it."""
    order = len(kinds)
    highest = stream.draw(kinds[-1], 1)[0]
    second = stream.draw(kinds[-2], 1)[0] if order > 1 else highest
    first_claim = 0
    if highest == second == CLAIM:
        first_claim = stream.below(max(1, n_chapters - 1))
    second_claim = first_claim + stream.below(n_chapters - first_claim)
    alone = order > 1 and n_chapters > 2 and CLAIM not in kinds[0]
    if alone:
        first_claim, second_claim = (min(chapter, n_chapters - 2) for chapter in (first_claim, second_claim))
    apart = order > 2 and CLAIM not in kinds[1]
    return Aim(order, n_agents, n_chapters, highest, second, (first_claim, second_claim), apart, alone, doubted)


def draw_chapter(stream: Stream, aim: Aim, number: int) -> Chapter:
    """Draw chapter `number`, from 0, of a draft."""
    body = _draw_first_body(stream, aim) if number == 0 else _draw_later_body(stream, aim, number)
    return draw_claims(stream, aim, number, body)


def _draw_first_body(stream: Stream, aim: Aim) -> Chapter:
    """Draw the first chapter without claims, which all agents enter.

    Those who leave before the others of the chain miss a sighting that the others share, or watch it in secret.
    """
    order = aim.order
    front, leaving = _draw_leaving(stream, aim)
    inside = stream.shuffled(range(aim.n_agents))
    places = [place for place, agent in enumerate(inside) if agent < order]
    for place, agent in zip(places, leaving, strict=True):
        inside[place] = agent
    moved = [stream.random() < MOVES for _ in inside]
    for agent in front:
        # The next of the rest of the chain to leave moves the thing: this is the sighting that they share.
        moved[min(place for place, other in enumerate(inside) if agent < other < order)] = True
    peeping = _drawn_mask(stream, inside, PEEPS)
    for agent, kind in ((0, aim.highest), (1, aim.second)):
        if agent < order and kind == SIGHTING:
            peeping &= ~(1 << agent)
        if agent < order and kind == WATCH:
            peeping |= 1 << agent
    if aim.apart and aim.second == WATCH:
        peeping |= 1 << order - 2
    return settled(Chapter(tuple(inside), tuple(moved), 0, peeping, ()))


def _draw_leaving(stream: Stream, aim: Aim) -> tuple[list[int], list[int]]:
    """Draw in which order the agents of the chain leave the first chapter; return who must leave early, and all."""
    order = aim.order
    front = [0] if order > 1 and (aim.highest == WATCH or aim.highest == aim.second == SIGHTING) else []
    if order > 2 and aim.second == WATCH and aim.highest != CLAIM:
        front.append(1)
    back = []
    if aim.apart and aim.second == WATCH:
        front += [order - 2] if order - 2 not in front else []
        back = [order - 1]
    others = stream.shuffled(agent for agent in range(order) if agent not in front + back)
    before = 0 if 0 in front else stream.below(len(others) + 1)
    return front, [*others[:before], *front, *others[before:], *back]


def _draw_later_body(stream: Stream, aim: Aim, number: int) -> Chapter:
    """Draw a later chapter without claims.

    Where a claim after the first chapter teaches the chain, and something seen the chain without its first agents, the
    second chapter shows it to the others.
    """
    last = aim.order - 1
    needed = absent = watching = 0
    if number == 1 and aim.highest == CLAIM and aim.second != CLAIM and aim.order > 2:
        outside = 1 if aim.second == SIGHTING else 2
        absent = (1 << outside) - 1
        needed = (1 << aim.order) - 1 & ~absent
        watching = absent & ~1
    else:
        absent = 1 << (last if stream.random() < ABSENT else stream.below(aim.order))
    inside = [
        agent
        for agent in range(aim.n_agents)
        if not absent >> agent & 1
        and (needed >> agent & 1 or stream.random() < (JOINS if agent < aim.order else OTHERS_JOIN))
    ]
    others = [agent for agent in range(aim.n_agents) if agent not in inside]
    inside = stream.shuffled(inside + others[: max(0, 2 - len(inside))])
    moved = [stream.random() < MOVES for _ in inside]
    if needed:
        moved[min(place for place, agent in enumerate(inside) if needed >> agent & 1)] = True
    if aim.alone:
        moved[stream.below(len(moved))] = True
    watching |= _drawn_mask(stream, range(aim.n_agents), WATCHES)
    if needed:
        watching &= ~1
    if aim.alone and number == aim.n_chapters - 2:
        watching |= 1 << last
    peeping = _drawn_mask(stream, inside, PEEPS)
    return settled(Chapter(tuple(inside), tuple(moved), watching, peeping, ()))


def _drawn_mask(stream: Stream, agents: Iterable[int], share: float) -> int:
    """Draw which of some agents are in a mask, each with the same probability."""
    bits = 0
    for agent in agents:
        if stream.random() < share:
            bits |= 1 << agent
    return bits


def _agents_in(mask: int) -> list[int]:
    """Return the agents in a mask."""
    return [agent for agent in range(mask.bit_length()) if mask >> agent & 1]


def settled(chapter: Chapter) -> Chapter:
    """Return a chapter in which only those watch who are outside and see something."""
    watching, seeing = chapter.watching, 0
    moves_later = False
    for agent, moves in zip(reversed(chapter.inside), reversed(chapter.moved), strict=True):
        watching &= ~(1 << agent)
        if moves_later:
            seeing |= 1 << agent
        moves_later |= moves
    return chapter._replace(watching=watching, peeping=chapter.peeping & seeing)


def draw_claims(stream: Stream, aim: Aim, number: int, body: Chapter) -> Chapter:
    """Return a chapter with claims drawn anew: first those that are to teach the chain, then others."""
    x = stream.random()
    n_claims = 1 + (x > CLAIMS[0]) + (x > CLAIMS[0] + CLAIMS[1])
    claims = []
    everyone = (1 << aim.order) - 1
    for first, kind, chapter in ((0, aim.highest, aim.claimed[0]), (1, aim.second, aim.claimed[1])):
        if kind == CLAIM and chapter == number and first < aim.order:
            claims.append(_draw_teaching_claim(stream, aim, body.inside, everyone >> first << first, first == 0))
    while len(claims) < n_claims:
        claims.append(draw_claim(stream, aim, number, body.inside))
    return body._replace(claims=tuple(claims))


def _draw_teaching_claim(
    stream: Stream, aim: Aim, inside: tuple[int, ...], hearers: int, whole: bool
) -> tuple[int, int]:
    """Draw a claim that these agents of the chain hear and that its last agent trusts.

    `whole`: whether it teaches the whole chain. Where something seen later teaches less of it, its first agent trusts
    the claim too: so he takes nobody to have learned anything else (`readings.VISIT`).
    """
    truster = inside.index(aim.order - 1) if aim.order - 1 in inside else -1
    if whole and aim.second != CLAIM and 0 in inside:
        truster = max(truster, inside.index(0))
    speakers = [agent for agent in inside[truster + 1 :] if agent >= aim.order or hearers >> agent & 1]
    speaker = stream.draw(speakers or inside, 1)[0]
    others = _drawn_mask(stream, range(aim.order, aim.n_agents), OTHERS_HEAR)
    return speaker, _audience(aim, speaker, hearers | others)


def draw_claim(stream: Stream, aim: Aim, number: int, inside: tuple[int, ...]) -> tuple[int, int]:
    """Draw a claim: its speaker, who was inside, and the mask of its hearers.

    Where the aim is a claim to be doubted, the last agent of the chain may make it at the end, before all of the chain.
    """
    last = aim.order - 1
    if aim.doubted and number == aim.n_chapters - 1 and stream.random() < 0.5:
        others = _drawn_mask(stream, range(aim.order, aim.n_agents), OTHERS_HEAR)
        return last, _audience(aim, last, (1 << aim.order) - 1 | others)
    speaker = inside[stream.below(len(inside))]
    kept_from = stream.below(max(1, last)) if stream.random() < LEFT_OUT else stream.below(aim.order + 1)
    if aim.apart:
        kept_from = last if speaker == last - 1 or stream.random() < 0.4 else last - 1
    hearers = 0
    for agent in range(aim.n_agents):
        if agent != kept_from and stream.random() < (HEARS if agent < aim.order else OTHERS_HEAR):
            hearers |= 1 << agent
    if aim.alone and number == aim.n_chapters - 1:
        hearers &= ~(1 << last)
    return speaker, _audience(aim, speaker, hearers)


def _audience(aim: Aim, speaker: int, hearers: int) -> int:
    """Return the hearers of a claim without its speaker; the next agent where that leaves nobody."""
    return hearers & ~(1 << speaker) or 1 << (speaker + 1) % aim.n_agents


def change_chapter(stream: Stream, aim: Aim, number: int, chapter: Chapter) -> Chapter:
    """Return a chapter with a small change, or drawn anew."""
    inside, moved, watching, peeping, claims = chapter
    x = stream.random()
    if x < 0.15:
        return draw_chapter(stream, aim, number)
    if x < 0.3:
        return draw_claims(stream, aim, number, chapter)
    if x < 0.7:
        return chapter._replace(claims=_changed_claims(stream, aim, number, inside, list(claims)))
    if x < 0.8:
        place = stream.below(len(moved))
        moved = (*moved[:place], not moved[place], *moved[place + 1 :])
    elif x < 0.9:
        place = stream.below(len(inside) - 1)
        inside = (*inside[:place], inside[place + 1], inside[place], *inside[place + 2 :])
    else:
        agent = stream.below(aim.n_agents)
        if agent in inside:
            peeping ^= 1 << agent
        else:
            watching ^= 1 << agent
    return settled(Chapter(inside, moved, watching, peeping, claims))


def _changed_claims(
    stream: Stream, aim: Aim, number: int, inside: tuple[int, ...], claims: list[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Add, drop, reorder or redraw claims, or let one agent more or less hear one."""
    x = stream.random()
    if x < 0.25 and len(claims) < most_claims(aim.order):
        claims.insert(stream.below(len(claims) + 1), draw_claim(stream, aim, number, inside))
    elif x < 0.4 and len(claims) > 1:
        claims.pop(stream.below(len(claims)))
    elif x < 0.55 and len(claims) > 1:
        claims = stream.shuffled(claims)
    elif x < 0.8:
        place = stream.below(len(claims))
        speaker, hearers = claims[place]
        claims[place] = speaker, _audience(aim, speaker, hearers ^ 1 << stream.below(aim.n_agents))
    else:
        claims[stream.below(len(claims))] = draw_claim(stream, aim, number, inside)
    return tuple(claims)


def most_claims(order: int) -> int:
    """Return how many claims a chapter may have: three, more where the chain is longer than four."""
    return max(len(CLAIMS), order - 1)


def draft_story(stream: Stream, chapters: list[Chapter], n_agents: int) -> tuple[Story, list[int]]:
    """Return the story of some chapters, and the new number of each agent: they are numbered as they appear.

    Each move and each claim gets the next new container. Of watchers and hearers only the order is drawn here.
    """
    number = {agent: place for place, agent in enumerate(chapters[0].inside)}
    events: list[Event] = []
    place = last = 0
    for inside, moved, watching, peeping, claims in chapters:
        agents = tuple(number[agent] for agent in inside)
        events.append(Enter(agents, 1))
        events += [Watch(number[agent], 1) for agent in stream.shuffled(_agents_in(watching))]
        events.append(Place(0, place))
        for agent, moves in zip(inside, moved, strict=True):
            if moves:
                place = last = last + 1
            events.append(Move(number[agent], 0, place) if moves else Stay(number[agent], 1))
            events.append(Exit(number[agent], 1))
            if peeping >> agent & 1:
                events.append(Watch(number[agent], 1))
        events.append(Enter(agents, WAITING_ROOM))
        for speaker, hearing in claims:
            last += 1
            hearers = stream.shuffled(number[agent] for agent in _agents_in(hearing))
            public = len(hearers) == n_agents - 1
            events.append(Tell(number[speaker], () if public else tuple(hearers), 0, last))
    return Story(n_agents, tuple(events)), [number[agent] for agent in range(n_agents)]
