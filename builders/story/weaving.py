"""How a woven story is drawn: chapter by chapter, with lines that name their containers by what somebody thinks.

A line is named by the chain whose belief is farthest from a container that is said outright, so that whoever wants to
know the container has to work out one line after another. Of several chapters that may follow, the one that leaves the
farthest belief is taken. What every chain up to an order believes is noted after each line.
"""

from collections.abc import Sequence
from copy import copy
from itertools import permutations
from math import ceil, inf
from typing import NamedTuple

from ..streams import Stream
from ..syntax.events import (
    WAITING_ROOM,
    Enter,
    Event,
    Exit,
    Move,
    MoveBy,
    Overhear,
    Place,
    Report,
    ReportBy,
    Still,
    Story,
    Tell,
    TellBy,
    Watch,
)
from ..syntax.scan import mask
from .candidates import CLAIM, OPEN, ROOM, SECRET, THING, THOUGHT
from .interpretations import disputes
from .meaning import Chain, Facts, by_rules, each

LONGEST = 3  # the order of the longest chain that names a container
MOST_LINES = 450  # a story that gets longer is given up
CHAPTERS = 2  # the fewest of a story
TRIED = 4  # how many chapters are drawn for one that is taken, where a question has many hops; else one
FEW_HOPS = 8
# How often an agent moves the thing before he leaves, watches from the beginning, watches after he left; and how often
# one in secret notices each of the others.
MOVES, WATCHES, WATCHES_LATER, NOTICES = 0.9, 0.65, 0.5, 0.6
CLAIMS = 6  # after each chapter
# How often a claim is public, and a private one about thoughts; how often each other agent overhears it.
PUBLIC, THOUGHTS, OVERHEARD = 0.04, 0.5, 0.2
# How often a line names its container outright in chapter 1, while it has not named all; and in later chapters.
OUTRIGHT_FIRST, OUTRIGHT = 0.8, 0.1
DIVERSE = 5  # the least number of containers that somebody believes in, where lines are named by beliefs
UNNAMEABLE = 3  # of how many beliefs it is asked whether interpretations agree on them, before a line is said outright

# What teaches the beliefs on a path, in turn.
KINDS = (OPEN, SECRET, CLAIM, THOUGHT)

# The mistakes that are to change the answer: for a belief, take where the thing is; or forget the first mind, or the
# last; or take the last line about the thing.
MISTAKES = ("reality", "first mind forgotten", "last mind forgotten", "last line")
# How much a step is worth beside a mistake that changes nothing more often than in a quarter, and a kind too frequent.
HARMLESS, FREQUENT = 3.0, 1.0
LACKING = 2.0  # beside a container that nobody believes in


class Path(NamedTuple):
    """Hold the way from a container that is said outright to a belief: how long it is, and of what it is made."""

    length: int = 0  # how many lines must be worked out
    kinds: tuple[int, ...] = (0,) * len(KINDS)  # how many of the beliefs a line of each kind taught
    harmless: tuple[int, ...] = (0,) * len(MISTAKES)  # on how many of them each mistake changes nothing


class Held(NamedTuple):
    """Hold what a chain believes."""

    container: int
    place: int  # in `Facts`, of the line that taught it
    path: Path  # to the container of that line


class WovenSize(NamedTuple):
    """Say what a woven story and its question are like."""

    n_hops: int  # how many steps the answer takes
    order: int  # of the question
    n_agents: int
    n_containers: int
    kind: str | None = None  # of KINDS, what teaches the chain of the question; None for any


class Weaver:
    """Hold a story that is being drawn, and what every chain up to LONGEST believes."""

    def __init__(self, stream: Stream, size: WovenSize) -> None:
        self.stream, self.size = stream, size
        self.n_agents, self.n_containers = size.n_agents, size.n_containers
        self.asked: tuple[Story, Chain] | None = None  # the story up to a claim, and a chain that fits its question
        self.chains = [chain for order in range(1, LONGEST + 1) for chain in permutations(range(size.n_agents), order)]
        self.events: list[Event] = []
        self.facts = Facts(size.n_agents)
        self.held: dict[Chain, Held] = {}
        self.said = [0] * size.n_containers  # how often each container was said outright
        self.last = -1  # the container of the last line about the thing
        self.n_chapters = 0
        # Of the chapter: who is inside, when each left, whom each watcher noticed.
        self.inside: set[int] = set()
        self.left: dict[int, float] = {}
        self.watchers: dict[int, int] = {}

    def copied(self) -> "Weaver":
        """Return the same story, which can go on otherwise; between chapters."""
        more, facts = copy(self), copy(self.facts)
        for name, value in vars(facts).items():
            if isinstance(value, (list, dict)):
                vars(facts)[name] = copy(value)
        facts.noticed, facts.notices = [[*row] for row in facts.noticed], [[*row] for row in facts.notices]
        more.facts, more.events, more.held, more.said = facts, [*self.events], {**self.held}, [*self.said]
        return more

    @property
    def story(self) -> Story:
        """Return the story so far."""
        return Story(self.n_agents, tuple(self.events))

    def add_chapter(self) -> None:
        """Draw a chapter: agents enter, move the thing, leave and watch, and then make claims in the waiting room."""
        stream, first = self.stream, not self.n_chapters
        members = stream.draw(range(self.n_agents), self.n_agents if first else 3 + stream.below(self.n_agents - 3))
        self.n_chapters += 1
        self.inside, self.left, self.watchers = set(members), dict.fromkeys(members, inf), {}
        self.events.append(Enter(tuple(members), ROOM))
        if first:
            container = stream.below(self.n_containers)
            self.said[container] += 1
            self._see(Place(THING, container), Path())
        else:
            there = self.held[()]
            bit = self.facts.see(there.container, len(self.events) - 1, mask(members))
            self.facts.entries |= bit
            self._learn(bit, there.path)
            self._see(Still(THING, there.container), there.path)
        for agent in stream.shuffled(set(range(self.n_agents)) - self.inside):
            self._perhaps_watch(agent, WATCHES)
        for agent in members:
            if stream.random() < MOVES:
                container, by, path = self._name()
                self._see(MoveBy(agent, THING, container, by) if by else Move(agent, THING, container), path)
            self.left[agent] = len(self.events)
            self.events.append(Exit(agent, ROOM))
            self.inside.discard(agent)
            self._perhaps_watch(agent, WATCHES_LATER)
        self.events.append(Enter(tuple(stream.shuffled(members)), WAITING_ROOM))
        for _ in range(CLAIMS):
            self._claim(members)
            if self.asked is None and self.n_chapters >= CHAPTERS:
                self.asked = self._question()

    def _perhaps_watch(self, agent: int, likely: float) -> None:
        """Let an agent who is outside watch."""
        if self.stream.random() < likely:
            noticed = self._noticing(self.watchers)
            self.watchers[agent] = mask(noticed)
            self.events.append(Watch(agent, ROOM, noticed))

    def _noticing(self, secret: dict[int, int]) -> tuple[int, ...]:
        """Draw whom of those in secret one more notices, given whom each of them noticed."""
        noticed = 0
        for other in secret:
            if self.stream.random() < NOTICES:
                noticed |= 1 << other | secret[other]
        return tuple(each(noticed))

    def _see(self, event: Move | Place, path: Path) -> None:
        """Add a line that shows the thing in the room."""
        bit = self.facts.see(event.container, len(self.events), mask(self.inside), self.watchers)
        self.events.append(event)
        self._learn(bit, path)

    def _claim(self, members: Sequence[int]) -> None:
        """Draw a claim, by somebody who was in the room, and who overhears it."""
        stream = self.stream
        speaker = stream.draw(members, 1)[0]
        others = stream.shuffled(set(range(self.n_agents)) - {speaker})
        told = 0 if stream.random() < PUBLIC else 1 + stream.below(2)
        hearers, others = tuple(others[:told]), others[told:]
        content = tuple(others[: 1 + stream.below(2)]) if told and others and stream.random() < THOUGHTS else ()
        container, by, path = self._name()
        claim: Tell | Report
        if content:
            about = speaker, hearers, content, THING, container
            claim = ReportBy(*about, by) if by else Report(*about)
        else:
            claim = TellBy(speaker, hearers, THING, container, by) if by else Tell(speaker, hearers, THING, container)
        bit = self.facts.hear(claim, len(self.events), self.left, self.watchers)
        self.events.append(claim)
        secret: dict[int, int] = {}
        for agent in others if hearers else ():
            if agent not in content and stream.random() < OVERHEARD:
                noticed = self._noticing(secret)
                secret[agent] = mask(noticed)
                self.facts.overhear(bit, agent, secret[agent])
                self.events.append(Overhear(agent, noticed))
        self._learn(bit, path)

    def _learn(self, bit: int, path: Path) -> None:
        """Note what chains believe after a line about the thing and those who overhear it."""
        facts = self.facts
        facts.memo, facts.awareness = {}, {}  # of the lines before
        place = bit.bit_length() - 1
        held = Held(facts.containers[place], place, path)
        if bit & facts.sightings & ~facts.entries:
            self.held[()] = held
        for chain in self.chains:
            if by_rules(facts, chain) & bit:
                self.held[chain] = held
        self.last = held.container

    def believed(self) -> list[int]:
        """Return for each container how many chains believe in it."""
        count = [0] * self.n_containers
        for held in self.held.values():
            count[held.container] += 1
        return count

    def _name(self) -> tuple[int, Chain, Path]:
        """Return the container that the next line names, the chain that it is named by, () for outright, and its path.

        The thing is never moved to where it is, and no claim says where it is.
        """
        stream, there = self.stream, self.held[()].container
        count, unsaid = self.believed(), not all(self.said)
        outright = OUTRIGHT_FIRST if unsaid else max(OUTRIGHT, 0.7 - self.size.n_hops / 10)
        if stream.random() >= outright and sum(map(bool, count)) >= DIVERSE:
            options = [
                (self.worth(path), stream.random(), chain, path)
                for chain, held in self.held.items()
                if chain and held.container != there and held.path.length + 1 < self.size.n_hops
                for path in [self.longer(chain, held)]
            ]
            story = self.story
            for _, _, chain, path in sorted(options, reverse=True)[:UNNAMEABLE]:
                if not disputes(story, chain, THING):
                    return self.held[chain].container, chain, path
        spare = stream.shuffled(container for container in range(self.n_containers) if container != there)
        container = min(spare, key=lambda container: self.said[container] + count[container] / self.n_containers)
        self.said[container] += 1
        return container, (), Path()

    def longer(self, chain: Chain, held: Held) -> Path:
        """Return the path to what a chain believes, as far as the container's own name."""
        facts, bit, container = self.facts, 1 << held.place, held.container
        if facts.sightings & bit:
            kind = SECRET if any([facts.secret[agent] & bit for agent in chain]) else OPEN
        else:
            kind = CLAIM if facts.plain & bit else THOUGHT
        others = [self.held.get(part) for part in ((), chain[1:], chain[:-1])]
        same = [other is None or other.container == container for other in others] + [self.last == container]
        return Path(
            held.path.length + 1,
            tuple([n + (name == kind) for n, name in zip(held.path.kinds, KINDS, strict=True)]),
            tuple([n + one for n, one in zip(held.path.harmless, same, strict=True)]),
        )

    def worth(self, path: Path) -> float:
        """Return how good a path is: how long, but for mistakes that change nothing and kinds that are too frequent."""
        quarter = path.length / 4
        harmless = sum([max(0, n - quarter) for n in path.harmless])
        frequent = sum([max(0, n - quarter - 0.75) for n in path.kinds])
        return path.length - HARMLESS * harmless - FREQUENT * frequent

    def value(self) -> float:
        """Return how good the story is to go on with."""
        lacking = max(0, DIVERSE - sum(map(bool, self.believed())))
        return max([self.worth(held.path) for held in self.held.values()]) - LACKING * lacking

    def _question(self) -> tuple[Story, Chain] | None:
        """Return the story and a chain that fits its question: where three of four mistakes change the answer."""
        if not all(self.said):
            return None
        n_hops, order, _, _, kind = self.size
        fitting = []
        for chain, held in self.held.items():
            if len(chain) == order and held.path.length + 1 == n_hops:
                path = self.longer(chain, held)
                if sum(path.harmless) <= n_hops and max(path.harmless) <= ceil(n_hops / len(MISTAKES)):
                    taught = [
                        name for name, n, before in zip(KINDS, path.kinds, held.path.kinds, strict=True) if n > before
                    ]
                    if kind is None or kind in taught:
                        fitting.append(chain)
        story = self.story
        return next(
            ((story, chain) for chain in self.stream.shuffled(fitting) if not disputes(story, chain, THING)), None
        )


def sample_woven(stream: Stream, size: WovenSize) -> tuple[Story, Chain, int]:
    """Draw a story, and the chain that its question asks about; return also how many chapters the story has."""
    tries = TRIED if size.n_hops > FEW_HOPS else 1
    while True:
        weaver = Weaver(stream, size)
        while len(weaver.events) <= MOST_LINES and weaver.n_chapters < CHAPTERS + 1 + size.n_hops / 2:
            further = [weaver.copied() for _ in range(tries)]
            for one in further:
                one.add_chapter()
                if one.asked and len(one.asked[0].events) <= MOST_LINES:
                    return *one.asked, one.n_chapters
            weaver = max(further, key=Weaver.value)
