"""How a woven story is drawn: chapter by chapter, with lines that name their containers by what somebody thinks.

A line is named by the chain whose belief is farthest from a container that is said outright, so that whoever wants to
know the container has to work out one line after another. Of several chapters that may follow, the one that leaves the
farthest belief is taken. What every chain up to an order believes is noted after each line.
"""

from collections.abc import Sequence
from copy import copy
from itertools import permutations
from math import ceil
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
from .interpretations import InterpretedStory
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
UNNAMEABLE = 3  # how many beliefs may turn out disputed before the line names its container outright

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
        self.asked: tuple[Story, Chain] | None = None  # the story up to some claim, and what its question asks
        chains = [chain for order in range(1, LONGEST + 1) for chain in permutations(range(size.n_agents), order)]
        self.chains = [(chain, mask(chain)) for chain in chains]
        self.read = InterpretedStory(Story(size.n_agents, ()), THING)
        self.held: dict[Chain, Held] = {}
        self.said = [0] * size.n_containers  # how often each container was said outright
        self.last = -1  # the container of the last line about the thing
        self.n_chapters = 0

    def copied(self) -> "Weaver":
        """Return the same story, which can go on otherwise; between chapters."""
        more = copy(self)
        more.read, more.held, more.said = self.read.copied(), {**self.held}, [*self.said]
        return more

    @property
    def facts(self) -> Facts:
        """The facts about the thing so far."""
        return self.read.facts

    @property
    def n_lines(self) -> int:
        """How many lines there are."""
        return len(self.read.story.events)

    def add_chapter(self) -> None:
        """Draw a chapter: agents enter, move the thing, leave and watch, and then make claims in the waiting room."""
        stream, first = self.stream, not self.n_chapters
        members = stream.draw(range(self.n_agents), self.n_agents if first else 3 + stream.below(self.n_agents - 3))
        self.n_chapters += 1
        entering = Enter(tuple(members), ROOM)
        if first:
            self.read.add([entering])
            container = stream.below(self.n_containers)
            self.said[container] += 1
            self._add(Path(), Place(THING, container))
        else:
            there = self.held[()]
            self._add(there.path, entering)
            self._add(there.path, Still(THING, there.container))
        for agent in stream.shuffled(set(range(self.n_agents)) - set(members)):
            self._perhaps_watch(agent, WATCHES)
        for agent in members:
            if stream.random() < MOVES:
                container, by, path = self._name()
                self._add(path, MoveBy(agent, THING, container, by) if by else Move(agent, THING, container))
            self.read.add([Exit(agent, ROOM)])
            self._perhaps_watch(agent, WATCHES_LATER)
        self.read.add([Enter(tuple(stream.shuffled(members)), WAITING_ROOM)])
        for number in range(CLAIMS + 1):
            if number:
                self._claim(members)
            if self.asked is None and self.n_chapters >= CHAPTERS:
                self.asked = self._question()

    def _perhaps_watch(self, agent: int, likely: float) -> None:
        """Let an agent who is outside watch."""
        if self.stream.random() < likely:
            self.read.add([Watch(agent, ROOM, self._noticing(self.read.scene.watchers))])

    def _noticing(self, secret: dict[int, int]) -> tuple[int, ...]:
        """Draw whom of those in secret one more notices, given whom each of them noticed."""
        noticed = 0
        for other in secret:
            if self.stream.random() < NOTICES:
                noticed |= 1 << other | secret[other]
        return tuple(each(noticed))

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
        overhearing: list[Event] = []
        secret: dict[int, int] = {}
        for agent in others if hearers else ():
            if agent not in content and stream.random() < OVERHEARD:
                noticed = self._noticing(secret)
                secret[agent] = mask(noticed)
                overhearing.append(Overhear(agent, noticed))
        self._add(path, claim, *overhearing)

    def _add(self, path: Path, event: Event, *overhearing: Event) -> None:
        """Add a line about the thing and those who overhear it, and note what chains believe then.

        path: to the container that the line shows or says.
        """
        self.read.add([event, *overhearing])
        facts, place = self.facts, len(self.facts.lines) - 1
        bit = 1 << place
        held = Held(facts.containers[place], place, path)
        if bit & facts.sightings & ~facts.entries:
            self.held[()] = held
        reached = mask([agent for agent in range(self.n_agents) if (facts.open[agent] | facts.secret[agent]) & bit])
        # Those whose thoughts a claim tells need not hear it.
        reached |= mask(event.chain) if isinstance(event, Report) else 0
        for chain, agents in self.chains:
            if not agents & ~reached and by_rules(facts, chain) & bit:
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
            options: list[tuple[float, float, Chain, Path]] = []
            for chain, held in sorted(self.held.items(), key=lambda item: -item[1].path.length):
                if chain and held.container != there and held.path.length + 1 < self.size.n_hops:
                    if len(options) >= UNNAMEABLE and held.path.length + 1 < sorted(options)[-UNNAMEABLE][0]:
                        break  # no path is worth more than its length
                    path = self.longer(chain, held)
                    options.append((self.worth(path), stream.random(), chain, path))
            for _, _, chain, path in sorted(options, reverse=True)[:UNNAMEABLE]:
                if self._undisputed(chain):
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
        asked = next((chain for chain in self.stream.shuffled(fitting) if self._undisputed(chain)), None)
        return (self.read.story, asked) if asked else None

    def _undisputed(self, chain: Chain) -> bool:
        """Return whether all interpretations agree on what a chain believes."""
        return not self.read.differing_from(chain, self.held[chain].container)


def sample_woven(stream: Stream, size: WovenSize) -> tuple[Story, Chain, int]:
    """Draw a story, and the chain that its question asks about; return also how many chapters the story has."""
    tries = TRIED if size.n_hops > FEW_HOPS else 1
    while True:
        weaver = Weaver(stream, size)
        while weaver.n_lines <= MOST_LINES and weaver.n_chapters < CHAPTERS + 1 + size.n_hops / 2:
            further = [weaver.copied() for _ in range(tries)]
            for one in further:
                one.add_chapter()
                if one.asked and len(one.asked[0].events) <= MOST_LINES:
                    return *one.asked, one.n_chapters
            weaver = max(further, key=Weaver.value)
