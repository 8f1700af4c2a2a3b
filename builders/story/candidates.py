"""Chapters of deep stories: who comes, leaves and watches, and the moves and claims that a chapter may have.

The thing asked about is thing 0, its room 1. Events name no container yet: `climb` deals them out at the end.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain as joined
from itertools import pairwise
from math import inf
from typing import NamedTuple

from ..streams import Stream
from ..syntax.events import WAITING_ROOM, Enter, Event, Exit, Move, Overhear, Place, Report, Story, Tell, Watch
from .meaning import Chain, Facts, facts_of

ROOM, THING = 1, 0  # the chapters' room, and the thing asked about


UNNAMED = 0  # the container of all events


# What may teach an answer.
OPEN, SECRET, CLAIM, THOUGHT = "open sighting", "secret sighting", "plain claim", "claim about thoughts"


# How a claim convinces: by trust; the one before made it; the last made it, and the one before trusts him.
TRUST, MISTAKE, OWN = "trust", "mistake", "own"


SIGHTINGS = (OPEN, SECRET)  # those of them that show the thing


BLIND = 0.3, 0.8  # how often the agent whom all questions end with watches no chapter, and not the last one


# How often those asked about see the thing before a claim teaches them, and how often nobody trusts all others.
SHOWN, OUTSIDE = 0.9, 0.6


# Claims that a chapter may have: drawn at random; for each question those that may teach it, and distrusted ones.
RANDOM, GRANTED, DISTRUSTED_ONES = 6, 4, 2


CLOSE = 0.75  # how often the first two of a chain overhear the claim that teaches it before a sighting does


# Why a claim fails to teach a chain: one does not hear it, overhears it (so that nobody knows it, or only the first of
# the chain, who notices him), or distrusts; others' thoughts are told, or those of the last two the other way round.
MISSED, OVERHEARD, NOTICED, DISTRUSTED, OTHERS, SWAPPED = range(6)


class May(NamedTuple):
    """Say what the agents of a story may do."""

    links: float = inf  # the most secret minds in a row that notice the next
    overhearing: bool = True  # whether anybody overhears claims
    thoughts: bool = True  # whether there are claims about thoughts


ANYTHING = May()  # agents may do all that deep stories have


class Size(NamedTuple):
    """Say how large a story is."""

    n_agents: int
    n_chapters: int
    n_containers: int  # of the room, all of them choices
    may: May = ANYTHING


class TargetLine(NamedTuple):
    """Say which line is to teach a question's answer."""

    teacher: str  # OPEN, SECRET, CLAIM or THOUGHT
    pairs: int  # secret minds next to one another in its chain there
    how: str  # how a claim convinces
    content: int = 0  # how many agents at the end of the chain a claim about thoughts names
    links: tuple[int, ...] = ()  # links of its chain that must be looked at
    home: int = 0  # the number of the chapter that is to teach it


Claim = tuple[Event, ...]  # a claim and who overhears it; nothing where it cannot be


Agents = Sequence[int]  # agents in some order


Minds = dict[int, tuple[set[int], int]]  # the secret minds of a line: whom each notices, and how many of them in a row


Asked = Sequence[tuple[Chain, TargetLine]]  # the questions of a story: the chain of each, and what is to teach it


@dataclass(frozen=True, slots=True, eq=False)
class CandidateChapter:
    """Hold a chapter with all moves and claims that it may have. Some of its lines are chosen, as bits of `facts`."""

    entering: Chain  # in the order in which they enter, and leave
    events: tuple[Event, ...]
    facts: Facts  # of all events


def draw_chapter(stream: Stream, size: Size, number: int, asked: Asked) -> CandidateChapter:
    """Draw the chapter of a number, for the questions that it is to teach; all agents enter in the first one."""
    here = [(chain, target) for chain, target in asked if target.home == number]
    here += _taught_before(stream, size, number, asked)
    entering, forced, blind = _cast(stream, size, number, asked, here)
    steps = _steps(stream, size, entering, forced, blind)
    watching = {event.agent for event in steps if isinstance(event, Watch)}
    claims = stream.shuffled(_claims(stream, size, entering, watching, number, asked, here))
    events = Enter(entering, ROOM), *steps, Enter(entering, WAITING_ROOM), *joined.from_iterable(claims)
    facts = facts_of(Story(size.n_agents, events), THING)
    facts.entries = int(number > 0)  # as in the story, where the first chapter is the one without
    return CandidateChapter(entering, events, facts)


def _taught_before(stream: Stream, size: Size, number: int, asked: Asked) -> Asked:
    """Draw what a chapter is to teach before the next one teaches it otherwise: by a claim what is seen then, or seen.

    So who takes a line of one kind, wherever there is one, is misled where one of the other kind teaches the answer.
    """
    later = [(chain, target.teacher in SIGHTINGS) for chain, target in asked if target.home == number + 1 and chain[1:]]
    shows = any(target.home == number and target.teacher in SIGHTINGS for _, target in asked)
    before = []
    for chain, is_seen in later:
        if is_seen:
            pairs = int(len(chain) > 2 and stream.random() < CLOSE)
            before.append((chain, TargetLine(THOUGHT, pairs, TRUST, int(size.may.thoughts), home=number)))
        elif not shows and len(chain) == 2:
            before.append((chain, TargetLine(SECRET, 0, TRUST, home=number)))
    return before


def _cast(stream: Stream, size: Size, number: int, asked: Asked, here: Asked) -> tuple[Chain, list[Chain], set[int]]:
    """Draw who enters a chapter, in the order in which they leave, who must watch (`_steps`), and who must not."""
    before = [(chain, target) for chain, target in asked if target.home < number]
    shown = [(chain, target) for chain, target in here if target.teacher in SIGHTINGS]
    told = [(chain, target) for chain, target in here if target.teacher not in SIGHTINGS]
    persons = [_speaker(chain, target) for chain, target in told]
    speakers = [speaker for _, speaker in persons]
    forced = [chain[: target.pairs + 1] if target.teacher == SECRET else () for chain, target in shown]
    # Who is to be convinced must not watch. Nor, mostly, he who is asked about in all questions: he would come to know
    # where the thing really is.
    subject = asked[0][0][-1]
    blind = {truster for truster, _ in persons}
    if stream.random() < BLIND[number == size.n_chapters - 1]:
        blind.add(subject)
    blind.difference_update(*forced)
    late, between = _misled(stream, number, asked)
    blind.difference_update(late)
    # Where he comes back, what claims told of his thoughts is supposed anew (the interpretation VISIT). The outermost
    # agent of the question taught last misses the chapter, or it would be taught again.
    barred = any(target.teacher not in SIGHTINGS or len(chain) - 2 in target.links for chain, target in before)
    away = [chain[0] for chain, _ in before][-1:] if not (shown and forced[0] and stream.below(2)) else []
    if shown:
        leaving = sorted(_showing(stream, shown, forced, blind), key=lambda agent: agent not in late)
    elif late:
        leaving = stream.shuffled(between)
    else:
        seeing = stream.shuffled(here[0][0]) if here and stream.random() < SHOWN else []
        leaving = _sighted_last(stream, [agent for agent in seeing if not barred or agent != subject], blind)
    secret = forced[0] if forced else ()
    settled = (*secret, *leaving, *late)
    away = [agent for agent in [*away, *[subject] * barred] if agent not in settled]
    others = [agent for agent in stream.shuffled(range(size.n_agents)) if agent not in (*settled, *away)]
    trusting = any(target.how == TRUST and chain[2:] for chain, target in told)
    if trusting:
        others.sort(key=lambda agent: agent in asked[0][0])
    misses = bool(shown and leaving and leaving[-1] in blind)  # he must miss what somebody else does
    if number:
        others = others[: misses + stream.below(3 - misses) if leaving[1:] else 2 + stream.below(2)]
    else:
        others += away
    # Who comes to no chapter, or leaves first, is trusted by nobody. He must often be in the room: else who was there
    # would tell whom to trust.
    outside = not trusting and stream.random() < OUTSIDE
    for agent in others:
        is_last = agent in speakers or trusting and agent not in asked[0][0]
        if outside and agent not in asked[0][0]:
            leaving[:0] = [agent] if not number or stream.below(3) else []
        elif agent in blind:
            leaving.insert(stream.below(len(leaving) or 1), agent)
        elif is_last or shown and leaving and leaving[-1] in blind or stream.below(2):
            leaving.append(agent)
        else:
            leaving.insert(stream.below(len(leaving) + 1), agent)
    leaving = leaving or [agent for agent in [*others, *away] if agent not in secret][:1]
    if not shown:
        for (truster, speaker), (_, target) in zip(persons, told, strict=True):
            if target.how == OWN and speaker is not None and {truster, speaker} <= set(leaving):
                one, other = sorted((leaving.index(truster), leaving.index(speaker)))
                leaving[one], leaving[other] = truster, speaker
    return (*(stream.shuffled(secret) if not number else ()), *leaving), [*forced, late], blind.union(away) - {*late}


def _misled(stream: Stream, number: int, asked: Asked) -> tuple[Chain, Chain]:
    """Draw who watches a chapter, and who is inside, so that it looks as if it taught a chain that is taught already.

    The first of the chain watches, and notices another watching whom the one before him, inside, does not know of.
    Both are empty where no chain can be misled so.
    """
    here = [target.teacher for _, target in asked if target.home == number]
    ways = [
        ((chain[0], chain[link + 1]), chain[1 : link + 1] + chain[link + 2 :])
        for chain, target in asked
        if target.home < number and not here or target.home == number and here == [OPEN]
        for link in target.links
        if link
    ]
    return stream.draw(ways, 1)[0] if ways else ((), ())


def _speaker(chain: Chain, target: TargetLine) -> tuple[int, int | None]:
    """Return who is to be convinced by a claim, and who makes it, or None where he is none of the chain."""
    prefix = chain[: len(chain) - target.content]
    if target.how == OWN:
        return prefix[-2], prefix[-1]
    return prefix[-1], prefix[-2] if target.how == MISTAKE else None


def _showing(stream: Stream, shown: Asked, forced: list[Chain], blind: set[int]) -> list[int]:
    """Draw in which order agents leave whom a chapter shows the thing, first those of the longer chain."""
    leaving: list[int] = []
    for (chain, _), secret, (following, _), next_secret in zip(shown, forced, shown[1:], forced[1:], strict=False):
        leaving += [agent for agent in chain if agent not in (*secret, *following)]
        leaving += [agent for agent in reversed(next_secret) if agent not in leaving]
    inside = stream.shuffled(agent for agent in shown[-1][0] if agent not in forced[-1])
    return leaving + _sighted_last(stream, [agent for agent in inside if agent not in leaving], blind)


def _sighted_last(stream: Stream, leaving: list[int], blind: set[int]) -> list[int]:
    """Return agents in the order in which they leave, one before the others if he would leave last and is blind."""
    if leaving[1:] and leaving[-1] in blind:
        leaving.insert(stream.below(len(leaving) - 1), leaving.pop())
    return leaving


def _steps(stream: Stream, size: Size, entering: Chain, forced: Sequence[Chain], blind: set[int]) -> list[Event]:
    """Draw what happens from entering to the claims: each moves the thing and leaves, and some begin to watch.

    forced: agents who watch as soon as they can, the last first, each noticing the next. blind: others who do not.
    """
    absent = stream.shuffled(set(range(size.n_agents)) - set(entering))
    wanted, free = [(agent, chain) for chain in forced for agent in reversed(chain)], set(absent)
    bound = {agent for agent, _ in wanted}
    minds: Minds = {}
    steps: list[Event] = []
    for left, leaving in pairwise((-1, *entering)):
        free.add(left)
        willing = absent if left < 0 else [left, *(absent if stream.random() < 0.2 else ())]
        while wanted and wanted[0][0] in free:
            agent, chain = wanted.pop(0)
            if agent not in minds:
                behind = chain[chain.index(agent) + 1 :]
                steps.append(Watch(agent, ROOM, _notice(stream, size, minds, agent, behind, 0.5)))
        for agent in willing:
            if agent not in (*minds, *bound, *blind) and stream.random() < 0.5:
                steps.append(Watch(agent, ROOM, _notice(stream, size, minds, agent, (), 0.5)))
        if left < 0:
            steps.append(Place(THING, UNNAMED))
        steps += [Move(leaving, THING, UNNAMED), Exit(leaving, ROOM)]
    return steps


def _notice(stream: Stream, size: Size, minds: Minds, agent: int, behind: Agents, chance: float) -> tuple[int, ...]:
    """Add a secret mind to those of a line, and draw whom he notices; he knows whom they noticed.

    behind: agents whom he notices for sure, as far as links go.
    """
    noticed: set[int] = set()
    in_row = 0
    for other, (others, links) in minds.items():
        if links < size.may.links and (other in behind or stream.random() < chance):
            noticed |= {other} | others
            in_row = max(in_row, links + 1)
    minds[agent] = noticed, in_row
    return tuple(sorted(noticed))


def _claims(
    stream: Stream, size: Size, entering: Chain, watching: Container[int], number: int, asked: Asked, here: Asked
) -> list[Claim]:
    """Draw the claims that the chapter of a number may have."""
    later = dict.fromkeys(range(size.n_agents), entering)  # by agent: those who leave after him
    later |= {agent: entering[place:] for place, agent in enumerate(entering, 1)}
    trusted = {agent: () if agent in watching else speakers for agent, speakers in later.items()}
    claims = [_random_claim(stream, size) for _ in range(RANDOM)]
    for chain, target in here:
        if target.teacher not in SIGHTINGS:
            claims += [_granted(stream, size, trusted, chain, target) for _ in range(GRANTED)]
        if target.teacher == SECRET and target.pairs and chain[2:]:
            watched = target._replace(how=TRUST, content=1)
            claims += [_granted(stream, size, later, chain, watched) for _ in range(GRANTED)]
    for chain, target in asked:
        if target.home <= number:  # what comes before cannot mislead
            failures = [(MISSED, place) for place in (*range(len(chain)), *range(len(chain) - 1))]
            for link in target.links:
                failures += [(NOTICED, link + 1)] * 3 if link else [(OVERHEARD, 1)] * 2
            failures += [*[(DISTRUSTED, 0)] * DISTRUSTED_ONES, *[(OTHERS, 0)] * 3, (SWAPPED, 0)]
            claims += [_doubted(stream, size, trusted, chain, *failure) for failure in failures]
    return [claim for claim in claims if claim]


def _random_claim(stream: Stream, size: Size) -> Claim:
    """Draw any claim."""
    speaker, *others = stream.shuffled(range(size.n_agents))
    if stream.random() < 0.05:
        return (Tell(speaker, (), THING, UNNAMED),)
    hearers = others[: 1 + stream.below(min(3, size.n_agents - 2))]
    rest = others[len(hearers) :]
    content = rest[: 1 + stream.below(2)] if stream.random() < 0.45 else []
    secret = [agent for agent in rest if agent not in content]
    return _claim(stream, size, speaker, hearers, content, secret[: (0, 0, 1, 1, 2)[stream.below(5)]], 0.6)


def _granted(stream: Stream, size: Size, trusted: dict[int, Chain], chain: Chain, target: TargetLine) -> Claim:
    """Draw a claim that may teach a chain as its question needs."""
    prefix, content = chain[: len(chain) - target.content], chain[len(chain) - target.content :]
    secret = prefix[: target.pairs + 1] if target.pairs or stream.random() < 0.4 else ()
    secret = secret if size.may.overhearing else ()
    if target.how == MISTAKE:
        speakers = prefix[-2:-1]
    elif target.how == OWN:
        speakers = prefix[-1:] if prefix[-1] in trusted[prefix[-2]] else ()
    else:
        speakers = tuple([agent for agent in trusted[prefix[-1]] if agent not in prefix[-2:-1]])
    return _to_chain(stream, size, chain, speakers, prefix[len(secret) :], secret[::-1], content)


def _doubted(stream: Stream, size: Size, trusted: dict[int, Chain], chain: Chain, why: int, place: int) -> Claim:
    """Draw a claim that fails to teach a chain by one thing only; `place` says which agent this is about."""
    n_content = stream.below(min(3, len(chain) - place)) if size.may.thoughts else 0
    prefix, content = chain[: len(chain) - n_content], chain[len(chain) - n_content :]
    if why == SWAPPED and size.may.thoughts and chain[2:]:
        prefix, content = chain[:-2], chain[:-3:-1]
    # It is overheard as claims are that teach, and by one whom nobody notices.
    secret: Agents = prefix[: stream.below(2 if why == OVERHEARD else 3)] if size.may.overhearing else ()
    told: Agents = prefix[len(secret) :]
    speakers: Agents = trusted[prefix[-1]]
    unnoticed: Chain = ()
    if why == NOTICED:
        told = [agent for agent in prefix[1:] if agent != prefix[place]]
        return _to_chain(stream, size, chain, speakers, told, (prefix[place], prefix[0]), content)
    if why == OTHERS and size.may.thoughts:
        others = [agent for agent in range(size.n_agents) if agent not in chain]
        content = tuple(stream.draw(others, min(len(others), 1 + stream.below(2))))
        told = chain[len(secret) :]
        if chain[1:]:  # the last does not trust: he would learn where the thing is (the interpretation PLACE_TOLD)
            speakers = [agent for agent in trusted[chain[-2]] if agent not in trusted[chain[-1]]]
    elif why in (MISSED, OVERHEARD):
        one = prefix[place : place + 1]
        told, secret = ([agent for agent in minds if agent not in one] for minds in (told, secret))
        if why == OVERHEARD and size.may.overhearing:
            unnoticed = one
        elif place and place == len(prefix) - 1:
            speakers = trusted[prefix[-2]]
    elif why == DISTRUSTED:
        # None of them trusts him: who does would suppose that those who left later do (the interpretation LONGER).
        speakers = sorted(set(range(size.n_agents)).difference(prefix, *(trusted[agent] for agent in prefix)))
    return _to_chain(stream, size, chain, speakers, told, (*reversed(secret), *unnoticed), content)


def _to_chain(
    stream: Stream, size: Size, chain: Chain, speakers: Agents, told: Agents, secret: Chain, content: Chain
) -> Claim:
    """Draw a claim by one of some speakers to those of a chain who are told, and perhaps to somebody else."""
    speakers = [agent for agent in speakers if agent not in (*secret, *content)]
    if not speakers:
        return ()
    speaker = speakers[stream.below(len(speakers))]
    hearers = [agent for agent in told if agent != speaker]
    free = [agent for agent in range(size.n_agents) if agent not in (speaker, *chain, *content)]
    if free and (not hearers or stream.random() < 0.4):
        hearers += stream.draw(free, 1)
    return _claim(stream, size, speaker, hearers, content, secret, 1) if hearers else ()


def _claim(
    stream: Stream, size: Size, speaker: int, hearers: Agents, content: Agents, secret: Agents, chance: float
) -> Claim:
    """Return a claim; who overhears it notices each earlier listener with a chance."""
    claim: Event = Tell(speaker, tuple(hearers), THING, UNNAMED)
    if content and size.may.thoughts:
        claim = Report(speaker, tuple(hearers), tuple(content), THING, UNNAMED)
    minds: Minds = {}
    overheard = secret if size.may.overhearing else ()
    return (claim, *[Overhear(agent, _notice(stream, size, minds, agent, (), chance)) for agent in overheard])
