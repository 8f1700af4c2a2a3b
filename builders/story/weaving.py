"""How a woven story is drawn: chapter by chapter, with lines that name their containers by what somebody thinks.

A line is named by the chain whose belief is farthest from a container that is said outright, so that whoever wants to
know the container has to work out one line after another. Several containers are named equally often, and all are said
outright equally often: whoever works out some lines, early or late ones, does not know by which the answer is named.
The container of the answer is drawn before the story. The *tip* is the undisputed belief in it that is farthest; one of
its agents, the keeper, is kept away from each line, so that the belief lasts. A line is named by the answer only where
every mistake gives the step another container. What every chain up to an order believes is noted after each line.
"""

from collections.abc import Sequence
from copy import copy
from itertools import islice, permutations
from operator import add
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
from .shortcuts import FORGETFUL

LONGEST = 3  # the order of the longest chain that names a container
MOST_LINES, LINES_A_HOP = 450, 7  # a story that gets longer is given up; one of very many hops may have more lines
CHAPTERS = 2  # the fewest of a story
LONG = 32  # hops; where a question has more, of TRIED chapters the one that leaves the farthest belief is taken
TRIED = 6
# How often an agent moves the thing before he leaves, watches from the beginning, watches after he left; and how often
# one in secret notices each of the others.
MOVES, WATCHES, WATCHES_LATER, NOTICES = 0.9, 0.65, 0.5, 0.6
CLAIMS, CLAIMS_OF_LONG = 9, 20  # after each chapter
# How often a claim is public, and a private one about thoughts; how often each other agent overhears it.
PUBLIC, THOUGHTS, OVERHEARD = 0.04, 0.5, 0.25
# How often a line names its container outright in chapter 1, while it has not named all; and in later chapters.
OUTRIGHT_FIRST, OUTRIGHT = 0.8, 0.1
DIVERSE = 5  # the least number of containers that somebody believes in, where lines are named by beliefs

# What teaches the beliefs on a path, in turn.
KINDS = (OPEN, SECRET, CLAIM, THOUGHT)

# The rules of `shortcuts` that forget who was noticed, trust, the speaker's mistake or thoughts; and on which share of
# the steps each is to change the answer.
FORGOTTEN = {
    "one level deep": 0.15,
    "trust ignored": 0.2,
    "watching trusts": 0.1,
    "mistake ignored": 0.2,
    "content as plain": 0.2,
}
# How much a step is worth beside a kind too frequent, and a forgetful rule that changes the answer too rarely.
FREQUENT, RARE = 0.5, 0.5
LACKING = 2.0  # beside a container that nobody believes in
# Only the LOOKED_AT chains with the best paths are compared. The first WEIGHED undisputed ones among them are also
# compared by which rules of FORGOTTEN change the answer.
LOOKED_AT, WEIGHED = 12, 3
PLAIN = 1  # how many of four mistakes may give the answer of the question's own step; of the steps before, none
ASKED = 0.4  # how often a question may come after a claim
ROUNDS = 4  # in how many rounds the first lines are named by each of these containers
WOVEN = 3  # how many containers are named equally often; the answer is one of them
ON_PATHS = 0.9  # how often a line is named by a belief in one of these


class Path(NamedTuple):
    """Hold the way from a container that is said outright to a belief: how long it is, and of what it is made."""

    length: int = 0  # how many lines must be worked out
    kinds: tuple[int, ...] = (0,) * len(KINDS)  # how many of the beliefs a line of each kind taught
    forgotten: tuple[int, ...] = (0,) * len(FORGOTTEN)  # on how many each of FORGOTTEN changes the answer


class Held(NamedTuple):
    """Hold what a chain believes."""

    container: int
    place: int  # in `Facts`, of the line that taught it
    path: Path  # to the container of that line
    worth: float  # of that path


class WovenSize(NamedTuple):
    """Say what a woven story and its question are like."""

    n_hops: int  # how many steps the answer takes
    order: int  # of the question
    n_agents: int
    n_containers: int
    kind: str | None = None  # of KINDS, what teaches the chain of the question; None for any


class Wished(NamedTuple):
    """Say what the lines of a story show of its answer. All attempts to draw the story have the same wishes."""

    woven: tuple[int, ...]  # the containers that are named equally often; first the answer
    first: tuple[int, ...]  # those that the first lines are named by, in order
    last: bool  # whether the last line that is named by thoughts is named by the answer
    most: bool  # whether more lines may be named by the answer than by any other


class Weaver:
    """Hold a story that is being drawn, and what every chain up to LONGEST believes."""

    def __init__(self, stream: Stream, size: WovenSize, wished: Wished) -> None:
        self.stream, self.size, self.wished = stream, size, wished
        self.n_agents, self.n_containers = size.n_agents, size.n_containers
        self.asked: tuple[Story, Chain] | None = None  # the story up to some claim, and what its question asks
        chains = [chain for order in range(1, LONGEST + 1) for chain in permutations(range(size.n_agents), order)]
        self.chains = [(chain, mask(chain)) for chain in chains]
        self.read = InterpretedStory(Story(size.n_agents, ()), THING)
        self.held: dict[Chain, Held] = {}
        self.unsaid: list[int] = []  # the containers that are to be said outright before any is once more
        self.said: set[int] = set()  # those that were
        self.woven, self.answer = wished.woven, wished.woven[0]
        self.latest = -1  # the container of the last line that was named by thoughts
        self.named = [0] * size.n_containers  # how often each container was named by a belief
        self.last = -1  # the container of the last line about the thing
        self.n_chapters = 0
        self.tip: tuple[int, Chain] = -1, ()  # what `_tip` found, behind how many lines it looked

    def copied(self) -> "Weaver":
        """Return the same story, which can go on otherwise; between chapters."""
        more = copy(self)
        more.read, more.held, more.said, more.unsaid = self.read.copied(), {**self.held}, {*self.said}, [*self.unsaid]
        more.named = [*self.named]
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
        # One interpretation has those who are not in a room suppose that all who enter it see what they believe.
        keeper = self._tip()[-1] if self._tip() else None
        others = [agent for agent in range(self.n_agents) if agent != keeper]
        members = stream.draw(others, len(others) if first else 3 + stream.below(len(others) - 2))
        self.n_chapters += 1
        entering = Enter(tuple(members), ROOM)
        if first:
            self.read.add([entering])
            self._add(Path(), Place(THING, self._say(-1)))
        else:
            there = self.held[()]
            self._add(there.path, entering)
            self._add(there.path, Still(THING, there.container))
        for agent in stream.shuffled(set(others) - set(members)):
            self._perhaps_watch(agent, WATCHES)
        for agent in members:
            if stream.random() < MOVES:
                reached = self.read.scene.inside[ROOM] | mask(self.read.scene.watchers)
                settled = sum(self.named) < len(self.wished.first)
                breaks = self._tip() and not mask(self._tip()) & ~reached
                named = [self.answer] if breaks and not settled else self._next()
                container, by, path = self._name(named)
                self._add(path, MoveBy(agent, THING, container, by) if by else Move(agent, THING, container))
            self.read.add([Exit(agent, ROOM)])
            self._perhaps_watch(agent, WATCHES_LATER)
        self.read.add([Enter(tuple(stream.shuffled(members)), WAITING_ROOM)])
        for _ in range(CLAIMS if self.size.n_hops <= LONG else CLAIMS_OF_LONG):
            self._claim(members)
            if self.asked is None and self.n_chapters >= CHAPTERS and stream.random() < ASKED:
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
        container, by, path = self._name(self._next())
        # Whatever the claim says, somebody of the tip does not hear it. So who hears a claim, and how many do, says
        # nothing of the answer.
        keeper = stream.choice(self._tip()) if self._tip() else None
        speaker = stream.draw([agent for agent in members if agent != keeper], 1)[0]
        others = stream.shuffled(set(range(self.n_agents)) - {speaker, keeper})
        told = 0 if keeper is None and stream.random() < PUBLIC else 1 + stream.below(2)
        hearers, others = tuple(others[:told]), others[told:]
        content = tuple(others[: 1 + stream.below(2)]) if told and others and stream.random() < THOUGHTS else ()
        listening = [agent for agent in others if told and agent not in content and stream.random() < OVERHEARD]
        claim: Tell | Report
        if content:
            about = speaker, hearers, content, THING, container
            claim = ReportBy(*about, by) if by else Report(*about)
        else:
            claim = TellBy(speaker, hearers, THING, container, by) if by else Tell(speaker, hearers, THING, container)
        overhearing: list[Event] = []
        secret: dict[int, int] = {}
        for agent in listening:
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
        container = facts.containers[place]
        held = Held(container, place, path, self.worth(path))
        if bit & facts.sightings & ~facts.entries:
            self.held[()] = held
        reached = mask([agent for agent in range(self.n_agents) if (facts.open[agent] | facts.secret[agent]) & bit])
        # Those whose thoughts a claim tells need not hear it.
        reached |= mask(event.chain) if isinstance(event, Report) else 0
        one = facts.only(place)
        for chain, agents in self.chains:
            if not agents & ~reached and by_rules(one, chain):
                self.held[chain] = held
        self.last = held.container

    def believed(self) -> list[int]:
        """Return for each container how many chains believe in it."""
        count = [0] * self.n_containers
        for held in self.held.values():
            count[held.container] += 1
        return count

    def _say(self, there: int) -> int:
        """Return the container that the next line says outright, not where the thing is: all come equally often."""
        if not [container for container in self.unsaid if container != there]:
            self.unsaid += self.stream.shuffled(range(self.n_containers))
        due = [container for container in self.unsaid if container != there]
        lost = {*self.woven} if len(self.said) == self.n_containers else set[int]()
        lost.difference_update([held.container for held in self.held.values()])
        container = next((one for one in due if one in lost), due[0])
        self.unsaid.remove(container)
        self.said.add(container)
        return container

    def _tip(self) -> Chain:
        """Return the chain that believes in the answer by the best path, and undisputedly; () where none is found."""
        n_lines, tip = self.tip
        if n_lines != self.n_lines:
            held = [(held.worth, chain) for chain, held in self.held.items() if chain and held.container == self.answer]
            best = [chain for _, chain in sorted(held, reverse=True)[:LOOKED_AT]]
            tip = next(filter(self._undisputed, best), ())
            self.tip = self.n_lines, tip
        return tip

    def _next(self) -> list[int]:
        """Return the containers that the next line may be named by, the best first; none for it to say one outright."""
        stream, there, count = self.stream, self.held[()].container, self.believed()
        outright = OUTRIGHT_FIRST if len(self.said) < self.n_containers else max(OUTRIGHT, 0.7 - self.size.n_hops / 10)
        if stream.random() < outright or sum(map(bool, count)) < DIVERSE:
            return []
        if sum(self.named) < len(self.wished.first):
            woven = [self.wished.first[sum(self.named)]]
        else:
            if stream.random() < ON_PATHS:
                # Two lines in a row that are named by the answer make a step without thought: the last line says it.
                woven = sorted(stream.shuffled(self.woven), key=lambda one: (one == self.last, self.named[one]))
            else:
                woven = stream.shuffled(range(self.n_containers))
            if not self.wished.most and self.named[self.answer] >= max(self._others()):
                woven = [container for container in woven if container != self.answer]
        return [container for container in woven if count[container] and container != there]

    def _others(self) -> list[int]:
        """Return how often each woven container but the answer was named by a belief."""
        return [self.named[container] for container in self.woven[1:]]

    def _name(self, named: Sequence[int]) -> tuple[int, Chain, Path]:
        """Return the container that the next line names, the chain that it is named by, () for outright, and its path.

        named: the containers that it may be named by, the best first. The thing is never moved to where it is, and no
        claim says where it is.
        """
        for container in named:
            options = [
                (held.worth, self.stream.random(), chain, held.path)
                for chain, held in self.held.items()
                if chain and held.container == container and self._may_name(chain, held)
            ]
            options.sort(reverse=True)
            best = [(number, chain, self.longer(chain, path)) for _, number, chain, path in options[:LOOKED_AT]]
            options = [(self.worth(path), number, chain, path) for number, chain, path in best]
            options.sort(reverse=True)
            undisputed = islice((option for option in options if self._undisputed(option[2])), WEIGHED)
            best = [(number, chain, self.forgetting(chain, path)) for _, number, chain, path in undisputed]
            if best:
                _, _, chain, path = max((self.worth(path), number, chain, path) for number, chain, path in best)
                self.named[container] += 1
                self.latest = container
                return container, chain, path
        return self._say(self.held[()].container), (), Path()

    def _may_name(self, chain: Chain, held: Held) -> bool:
        """Return whether a chain's belief may name a line.

        The path of the answer ends with the question, and every mistake makes another container of each of its steps.
        """
        if held.container != self.answer:
            return True
        return held.path.length + 1 < self.size.n_hops and not self._harmless(chain)

    def _harmless(self, chain: Chain) -> int:
        """Return how many of four mistakes give what a chain believes.

        They are to take where the thing is, to forget the first mind, or the last, and to take the last line about it.
        """
        container = self.held[chain].container
        others = [self.held.get(part) for part in ((), chain[1:], chain[:-1])]
        return sum([other is None or other.container == container for other in others]) + (self.last == container)

    def longer(self, chain: Chain, path: Path) -> Path:
        """Return the path to what a chain believes, given that to the container of the line that taught it.

        It lacks what `forgetting` adds.
        """
        facts, bit = self.facts, 1 << self.held[chain].place
        if facts.sightings & bit:
            kind = SECRET if any([facts.secret[agent] & bit for agent in chain]) else OPEN
        else:
            kind = CLAIM if facts.plain & bit else THOUGHT
        kinds = tuple([n + (name == kind) for n, name in zip(path.kinds, KINDS, strict=True)])
        return Path(path.length + 1, kinds, path.forgotten)

    def forgetting(self, chain: Chain, path: Path) -> Path:
        """Return a path with the rules of FORGOTTEN that give its last step another container."""
        facts, container = self.facts, self.held[chain].container
        others = [facts.last(FORGETFUL[name](facts, chain)) != container for name in FORGOTTEN]
        return path._replace(forgotten=tuple(map(add, path.forgotten, others)))

    def worth(self, path: Path) -> float:
        """Return how good a path is: how long, but for what there is too much or too little of on it."""
        length = path.length
        frequent = sum([max(0, n - length / 4 - 0.75) for n in path.kinds])
        rare = sum([max(0, length * share - n) for n, share in zip(path.forgotten, FORGOTTEN.values(), strict=True)])
        return length - FREQUENT * frequent - RARE * rare

    def value(self) -> float:
        """Return how good the story is to go on with."""
        lacking = max(0, DIVERSE - sum(map(bool, self.believed())))
        tip = self._tip()
        return (self.held[tip].worth if tip else -LACKING) - LACKING * lacking

    def _question(self) -> tuple[Story, Chain] | None:
        """Return the story and a chain that fits its question: where three of four mistakes change the answer."""
        if len(self.said) < self.n_containers:
            return None
        if not self.wished.most and self.named[self.answer] > max(self._others()):
            return None
        if self.wished.last != (self.latest == self.answer) and self.size.n_hops > 1:
            return None
        n_hops, order, _, _, kind = self.size
        fitting = []
        for chain, held in self.held.items():
            if held.container == self.answer and len(chain) == order and held.path.length + 1 == n_hops:
                path = self.longer(chain, held.path)
                taught = [
                    name for name, n, before in zip(KINDS, path.kinds, held.path.kinds, strict=True) if n > before
                ]
                if self._harmless(chain) <= PLAIN and (kind is None or kind in taught):
                    fitting.append(chain)
        asked = next((chain for chain in self.stream.shuffled(fitting) if self._undisputed(chain)), None)
        return (self.read.story, asked) if asked else None

    def _undisputed(self, chain: Chain) -> bool:
        """Return whether all interpretations agree on what a chain believes."""
        return not self.read.differing_from(chain, self.held[chain].container)


def wishes(stream: Stream, size: WovenSize) -> Wished:
    """Draw what a story is to show of its answer: by no rule about few lines is it right more often than another."""
    woven = stream.draw(range(size.n_containers), WOVEN)
    first = [container for _ in range(ROUNDS) for container in stream.shuffled(woven)]
    last, most = (stream.below(WOVEN) == 0 for _ in range(2))
    # A line that is named by the answer is one step of the path, so a question of few steps has few such lines.
    return Wished(tuple(woven), tuple(first[: ROUNDS * (size.n_hops - 1)]), last, most)


def sample_woven(stream: Stream, size: WovenSize) -> tuple[Story, Chain, int]:
    """Draw a story, and the chain that its question asks about; return also how many chapters the story has."""
    tries = 1 if size.n_hops <= LONG else TRIED
    most = max(MOST_LINES, LINES_A_HOP * size.n_hops)
    wished = wishes(stream, size)
    while True:
        weaver = Weaver(stream, size, wished)
        while weaver.n_lines <= most and weaver.n_chapters < CHAPTERS + 3 + size.n_hops:
            further = [weaver.copied() for _ in range(tries)] if tries > 1 else [weaver]
            for one in further:
                one.add_chapter()
                if one.asked and len(one.asked[0].events) <= most:
                    return *one.asked, one.n_chapters
            weaver = max(further, key=Weaver.value)
