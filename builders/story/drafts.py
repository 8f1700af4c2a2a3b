"""Chapters of deep stories: who comes, leaves and watches, and the moves and claims that a chapter may have.

The thing asked about is thing 0, its room 1. Events name no container yet: `climb` deals them out at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..streams import Stream
from ..syntax.events import WAITING_ROOM, Enter, Event, Exit, Move, Overhear, Place, Report, Story, Tell, Watch
from .meaning import Chain, Facts, facts_of

ROOM, THING = 1, 0
"""The chapters' room, and the thing asked about."""


UNNAMED = 0
"""The container of all events."""


OPEN, SECRET, CLAIM, THOUGHT = "open sighting", "secret sighting", "plain claim", "claim about thoughts"
"""What may teach an answer."""


TRUST, MISTAKE, OWN = "trust", "mistake", "own"
"""How a claim convinces: by trust; the one before made it; the last made it, and the one before trusts him."""


RANDOM, GRANTED = 8, 3
"""Claims that a chapter may have: drawn at random; for each question those that may teach it."""


MISSED, OVERHEARD, DISTRUSTED, OTHER_CONTENT = range(4)
"""Why a claim fails to teach a chain: one does not hear it, overhears it, or distrusts; others' thoughts are told."""


class May(NamedTuple):
    """Say what the agents of a story may do."""

    links: int | None = None  # the most secret minds in a row that notice the next; None for any number
    overhearing: bool = True  # whether anybody overhears claims
    thoughts: bool = True  # whether there are claims about thoughts


ANYTHING = May()
"""Agents may do all that deep stories have."""


class Size(NamedTuple):
    """Say how large a story is."""

    n_agents: int
    n_chapters: int
    n_containers: int  # of the room, all of them choices
    may: May = ANYTHING


class Lesson(NamedTuple):
    """Say which line is to teach a question's answer."""

    teacher: str  # OPEN, SECRET, CLAIM or THOUGHT
    pairs: int  # secret minds next to one another in its chain there
    how: str  # how a claim convinces
    content: int = 0  # how many agents at the end of the chain a claim about thoughts names
    links: tuple[int, ...] = ()  # links of its chain that must be looked at


Claim = tuple[Event, ...]
"""A claim and who overhears it; nothing where it cannot be."""


Asked = Sequence[tuple[Chain, Lesson]]
"""The questions of a story: the chain of each, and what is to teach it."""


@dataclass(frozen=True, slots=True, eq=False)
class Chapter:
    """Hold a chapter with all moves and claims that it may have. Some of its lines are chosen, as bits of `facts`."""

    entering: Chain  # in the order in which they enter, and leave
    events: tuple[Event, ...]
    facts: Facts  # of all events

    def chosen(self, lines: int) -> list[tuple[int, Event]]:
        """Return the events of some lines, with those that are no lines; each with its line, or -1."""
        place_of = {line: place for place, line in enumerate(self.facts.lines)}
        kept: list[tuple[int, Event]] = []
        place = -1
        for number, event in enumerate(self.events):
            if not isinstance(event, Overhear):  # which goes with the claim before it
                place = place_of.get(number, -1)
            if place < 0 or lines >> place & 1:
                kept.append((-1 if isinstance(event, Overhear) else place, event))
        return kept


def draw_chapter(stream: Stream, size: Size, first: bool, asked: Asked, aim: int) -> Chapter:
    """Draw a chapter; all agents enter in the first one.

    aim: the number of the question to which it shows the thing, where that is to see it.
    """
    everyone = range(size.n_agents)
    chain, lesson = asked[aim]
    # Who is asked about in all questions mostly misses the end of a chapter, or all beliefs would come to be reality.
    blind = set() if stream.random() < 0.2 else {asked[0][0][-1]}
    secret, seeing = (), []
    if lesson.teacher in (OPEN, SECRET):
        secret = chain[: lesson.pairs + 1] if lesson.teacher == SECRET else ()
        seeing = [agent for agent in chain if agent not in secret]
        blind = blind.difference(secret)
    others = [agent for agent in stream.shuffled(everyone) if agent not in secret and agent not in seeing]
    if not first:
        others = others[: stream.below(3) if seeing[1:] else 2 + stream.below(2)]
    # Who leaves first misses the moves of the others.
    together = stream.shuffled([*seeing, *others]) if stream.below(2) else [*stream.shuffled(seeing), *others]
    if lesson.teacher in (CLAIM, THOUGHT):  # the one who is to be convinced is absent, or leaves before the speaker
        prefix = chain[: len(chain) - lesson.content]
        truster, own = (prefix[-2], prefix[-1:]) if lesson.how == OWN and prefix[1:] else (prefix[-1], ())
        blind.add(truster)
        together = [agent for agent in together if agent not in own]
        together.sort(key=lambda agent: agent != truster)
        together += own
    elif together[-1] in blind and together[1:]:
        together.insert(stream.below(len(together) - 1), together.pop())
    entering = (*(stream.shuffled(secret) if first else ()), *together)
    watches = _watches(stream, size, entering, secret, blind)
    steps: list[Event] = [*watches.get(-1, []), Place(THING, UNNAMED)]
    for agent in entering:
        steps += [Move(agent, THING, UNNAMED), Exit(agent, ROOM), *watches.get(agent, [])]
    watching = {event.agent for event in steps if isinstance(event, Watch)}
    claims = stream.shuffled(_claims(stream, size, entering, watching, asked))
    said = [event for claim in claims for event in claim]
    events = (Enter(entering, ROOM), *steps, Enter(entering, WAITING_ROOM), *said)
    return Chapter(entering, events, facts_of(Story(size.n_agents, events), THING))


def _watches(stream: Stream, size: Size, entering: Chain, forced: Chain, blind: set[int]) -> dict[int, list[Event]]:
    """Draw who watches a chapter, and whom each notices: by the agent after whose leaving it is, -1 at the start.

    forced: agents who watch as soon as they can, the last first, each noticing the next. blind: others who do not.
    """
    absent = stream.shuffled(set(range(size.n_agents)) - set(entering))
    secret = _Secret(stream, size, 0.5)
    wanted, free = list(reversed(forced)), set(absent)
    watches: dict[int, list[Event]] = {}
    for left in (-1, *entering[:-1]):
        free.add(left)
        willing = [left] if left >= 0 else []
        willing += absent if left < 0 or stream.random() < 0.2 else []
        while wanted and wanted[0] in free:
            watches.setdefault(left, []).append(Watch(wanted[0], ROOM, secret.add(wanted.pop(0), forced)))
        for agent in willing:
            if agent not in (*secret.noticed, *forced, *blind) and stream.random() < 0.5:
                watches.setdefault(left, []).append(Watch(agent, ROOM, secret.add(agent)))
    return watches


class _Secret:
    """Draw whom each new secret mind of a line notices; what it notices of others is closed."""

    def __init__(self, stream: Stream, size: Size, chance: float) -> None:
        self.stream, self.links, self.chance = stream, size.may.links, chance
        self.noticed: dict[int, set[int]] = {}
        self.depth: dict[int, int] = {}

    def add(self, agent: int, following: Chain = ()) -> tuple[int, ...]:
        """Return whom an agent notices; those behind him in `following` for sure, as far as links go."""
        noticed: set[int] = set()
        behind = following[following.index(agent) + 1 :] if agent in following else ()
        for other in self.noticed:
            if self.links is not None and self.depth[other] >= self.links:
                continue
            if other in behind or self.stream.random() < self.chance:
                noticed |= {other} | self.noticed[other]
        self.noticed[agent] = noticed
        self.depth[agent] = 1 + max((self.depth[other] for other in noticed), default=-1)
        return tuple(sorted(noticed))


def _claims(stream: Stream, size: Size, entering: Chain, watching: set[int], asked: Asked) -> list[Claim]:
    """Draw the claims that a chapter may have."""
    trusted = {
        agent: () if agent in watching else entering[entering.index(agent) + 1 :] if agent in entering else entering
        for agent in range(size.n_agents)
    }
    claims = [_random_claim(stream, size) for _ in range(RANDOM)]
    for chain, lesson in asked:
        if lesson.teacher in (CLAIM, THOUGHT):
            claims += [_granted(stream, size, trusted, chain, lesson) for _ in range(GRANTED)]
        failures = [(MISSED, place) for place in (*range(len(chain)), *range(len(chain) - 1))]
        failures += [(OVERHEARD, link + 1) for link in lesson.links]
        failures += [(DISTRUSTED, 0), (DISTRUSTED, 0), (OTHER_CONTENT, 0), (OTHER_CONTENT, 1)]
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


def _granted(stream: Stream, size: Size, trusted: dict[int, Chain], chain: Chain, lesson: Lesson) -> Claim:
    """Draw a claim that may teach a chain as its question wishes."""
    prefix, content = chain[: len(chain) - lesson.content], chain[len(chain) - lesson.content :]
    secret = prefix[: lesson.pairs + 1] if lesson.pairs or stream.random() < 0.4 else ()
    secret = secret if size.may.overhearing else ()
    how = lesson.how if len(prefix) > 1 else TRUST
    if how == MISTAKE:
        speakers = prefix[-2:-1]
    elif how == OWN:
        speakers = prefix[-1:] if prefix[-1] in trusted[prefix[-2]] else ()
    else:
        speakers = tuple([agent for agent in trusted[prefix[-1]] if agent not in prefix[-2:-1]])
    return _to_chain(stream, size, chain, speakers, prefix[len(secret) :], secret[::-1], content)


def _doubted(stream: Stream, size: Size, trusted: dict[int, Chain], chain: Chain, why: int, place: int) -> Claim:
    """Draw a claim that fails to teach a chain by one thing only; `place` is that of the agent whom this is about."""
    n_content = stream.below(min(3, len(chain) - place)) if size.may.thoughts else 0
    prefix, content = chain[: len(chain) - n_content], chain[len(chain) - n_content :]
    told, secret, speakers = prefix, (), trusted[prefix[-1]]
    if why in (MISSED, OVERHEARD):
        told = (*prefix[:place], *prefix[place + 1 :])
        if why == OVERHEARD and size.may.overhearing:
            secret = prefix[place : place + 1]
        elif told:
            speakers = trusted[told[-1]]
    elif why == DISTRUSTED:
        speakers = tuple([agent for agent in range(size.n_agents) if agent not in (*speakers, *prefix[-2:])])
    elif size.may.thoughts and place and chain[2:]:  # the thoughts of the last two, the other way round
        prefix, content = chain[:-2], chain[:-3:-1]
        told, speakers = prefix, trusted[prefix[-1]]
    elif size.may.thoughts:
        others = [agent for agent in range(size.n_agents) if agent not in prefix]
        content = tuple(stream.draw(others, min(len(others) - 1, max(1, n_content)))) if others[1:] else ()
    return _to_chain(stream, size, chain, speakers, told, secret, content)


def _to_chain(
    stream: Stream, size: Size, chain: Chain, speakers: Chain, told: Chain, secret: Chain, content: Chain
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
    stream: Stream,
    size: Size,
    speaker: int,
    hearers: Sequence[int],
    content: Sequence[int],
    secret: Sequence[int],
    chance: float,
) -> Claim:
    """Return a claim; those who overhear it notice each of those before with a chance."""
    claim: Event = Tell(speaker, tuple(hearers), THING, UNNAMED)
    if content and size.may.thoughts:
        claim = Report(speaker, tuple(hearers), tuple(content), THING, UNNAMED)
    noticing = _Secret(stream, size, chance)
    return (claim, *(Overhear(agent, noticing.add(agent)) for agent in secret if size.may.overhearing))
