"""The other ways in which a careful person may read a story, and what a chain believes under each of them.

The printed rules settle every label. An *interpretation* is what somebody may hold who knows only the story. It changes
one clause of `meaning` under `recursive` and keeps the rest. A question is *undisputed* where all interpretations give
its answer.

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
- EARLIER: watchers notice all who watch already, and eavesdroppers all who overhear already.
- PLACE_TOLD: a claim about thoughts also tells where the thing is.
- UNKNOWN: nobody knows whom somebody noticed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from math import inf

from ..syntax.events import Enter, Event, Exit, Overhear, Place, Report, Story, Tell, Watch
from ..syntax.scan import Scene, mask, scan
from .meaning import (
    Chain,
    Facts,
    TeachingRule,
    aware,
    by_rules,
    claims_reaching,
    convinced,
    has_secrets,
    known_watching,
    shared,
    some,
    trusted,
)

VISIT, LAST_LEAVER, BOTH = "visit", "last leaver", "visit and last leaver"
SPEAKER, LONGER, LAST_EXIT, OUTRANKED = "speaker everywhere", "stayed longer", "last exit", "outranked"
PRESENT, PLACED = "watch sees the present state", "placed only"
EARLIER, PLACE_TOLD = "earlier minds are noticed", "thoughts tell the place"
UNKNOWN = "noticing stays unknown"


class InterpretedStory:
    """Hold a story about one thing as interpretations look at it; bits are lines, and lists by agent, as in `Facts`."""

    def __init__(self, story: Story, thing: int) -> None:
        self.story, self.thing = Story(story.n_agents, ()), thing
        self.facts, self.scene = Facts(story.n_agents), Scene()
        self.present = Facts(story.n_agents)  # lines that only PRESENT has: where somebody begins to watch
        self.watching = [0] * story.n_agents  # his lines of `present`
        self.placed = 0  # the sentences of later chapters on where the thing is
        self.outranking: dict[int, int] = {}  # by claim: those of later leavers before it
        self.claims: list[
            tuple[Mapping[int, float], int, int]
        ] = []  # who left the chapter's room when; the speaker; the claim
        self.enters: list[tuple[int, int, int, int]] = []  # line; who is inside, returned, left last
        self.differing: dict[tuple[Chain, int | None], list[str]] = {}  # what `differing_from` has, by chain and answer
        self.left = dict.fromkeys(range(story.n_agents), inf)  # when each agent left a room last
        self._all_noticed = Facts(story.n_agents), Scene(), Scene()  # as far as they were asked for
        self.add(story.events)

    def add(self, events: Sequence[Event]) -> None:
        """Let a story go on with further events. A claim comes with all who overhear it."""
        first, n_agents = len(self.story.events), self.story.n_agents
        self.facts.follow(Story(n_agents, tuple(events)), self.thing, self._look, self.scene, first)
        self.story = Story(n_agents, (*self.story.events, *events))
        left = self.left
        left |= {event.agent: line for line, event in enumerate(events, first) if type(event) is Exit}
        self.last_exit = by_last_exit({agent: [other for other in left if left[other] > left[agent]] for agent in left})
        self.differing = {}
        self.present.memo, self.present.awareness = {}, {}

    def copied(self) -> "InterpretedStory":
        """Return the same story, which can go on otherwise; between chapters."""
        more = copy(self)
        more.facts, more.present = self.facts.copied(), self.present.copied()
        more.scene, more.left = self.scene.copied(), {**self.left}
        more.facts.scene = more.scene
        noticed, *scenes = self._all_noticed
        more._all_noticed = noticed.copied(), scenes[0].copied(), scenes[1].copied()
        more.watching, more.outranking = [*self.watching], {**self.outranking}
        more.claims, more.enters = [*self.claims], [*self.enters]
        return more

    @property
    def all_noticed(self) -> Facts:
        """The facts where everybody in secret notices all before him."""
        facts, scene, told = self._all_noticed
        first, n_agents = facts.n_events, self.story.n_agents
        if first < len(self.story.events):
            further = Story(n_agents, self.story.events[first:])
            facts.follow(all_noticed(further, told, first), self.thing, None, scene, first)
        return facts

    def with_claim(self, claim: Tell) -> "InterpretedStory":
        """Return the story with a further line, a claim about the thing, as interpretations look at it."""
        more = copy(self)
        more.story = Story(self.story.n_agents, (*self.story.events, claim))
        more.differing, more.outranking, more.claims = {}, {**self.outranking}, [*self.claims]
        more.facts = self.facts.with_claims([claim])
        more._all_noticed = self.all_noticed.with_claims([claim]), *self._all_noticed[1:]
        more._look(more.facts.claims & ~self.facts.claims, len(self.story.events), claim, self.facts.scene or Scene())
        return more

    def _look(self, bit: int, line: int, event: Event, scene: Scene) -> None:
        """Look at a line, as `facts_of` asks."""
        match event:
            case Enter(agents, room):
                returned = mask(agents) & scene.visitors[room]
                _, last_leavers = scene.last_left.get(room, (0, 0))
                self.enters.append((bit, scene.inside[room] | mask(agents), returned, last_leavers))
            case Place() if self.thing in scene.place:
                self.placed |= bit
            case Tell(speaker) | Report(speaker):
                left, when = scene.left, scene.left.get(speaker, -1)
                outranking = [claim for of, by, claim in self.claims if of is left and left.get(by, -1) > when]
                self.outranking[bit] = sum(outranking)
                self.claims.append((left, speaker, bit))
            case Watch(agent, room, noticed) if room == scene.chapter_room == scene.thing_room.get(self.thing):
                watchers = {agent: mask(noticed)} | {other: scene.watchers[other] for other in noticed}
                place = scene.place[self.thing]
                self.watching[agent] |= self.present.see(place, line, scene.inside[room], watchers)

    def differing_from(self, chain: Chain, answer: int | None) -> list[str]:
        """Return the interpretations under which a chain has another belief than an answer, computed once for each.

        Where the rules give that answer, only interpretations that the story gives something to differ by are asked.
        """
        names = self.differing.get((chain, answer))
        if names is None:
            other, secrets = self.facts.last(by_rules(self.facts, chain)) != answer, has_secrets(self.story)
            asked = OF_ENTERING * bool(other or self.enters) + OF_CLAIMS * bool(other or self.facts.claims)
            asked += OF_WATCHING * (other or secrets) + OF_SECRETS * secrets
            names = self.differing[chain, answer] = [
                name for name in asked if INTERPRETATIONS[name](self, chain) != answer
            ]
        return names


def all_noticed(story: Story, scene: Scene | None = None, first: int = 0) -> Story:
    """Return a story where each line names all who watch or overhear already, as EARLIER takes it.

    `scene` and `first` are as in `scan`.
    """
    events: list[Event] = []
    for event, before in scan(story, scene, first):
        if isinstance(event, Overhear):
            event = Overhear(event.agent, tuple(before.listeners))
        elif isinstance(event, Watch):
            event = Watch(event.agent, event.room, tuple(before.watchers))
        events.append(event)
    return Story(story.n_agents, tuple(events))


read = lru_cache(maxsize=1)(InterpretedStory)  # a sampler asks about a story, and then its row does


def differing_interpretations(story: Story, chain: Chain, thing: int, answer: int | None) -> list[str]:
    """Return the interpretations under which a chain does not believe the thing to be in the container `answer`."""
    return [*read(story, thing).differing_from(chain, answer)]


def is_undisputed(story: Story, chain: Chain, thing: int) -> bool:
    """Return whether all interpretations agree with the rules on what each tail of a chain believes."""
    return not any(disputes(story, chain[first:], thing) for first in range(len(chain)))


def disputes(story: Story, chain: Chain, thing: int) -> list[str]:
    """Return the interpretations that do not agree with the rules on what a chain believes."""
    found = read(story, thing)
    return found.differing_from(chain, found.facts.last(by_rules(found.facts, chain)))


def believed(story: Story, chain: Chain, thing: int, interpretation: str) -> int | None:
    """Return where a chain believes the thing to be under an interpretation, or None if nowhere."""
    return INTERPRETATIONS[interpretation](read(story, thing), chain)


def _visited(found: InterpretedStory, chain: Chain, visit: bool, last_leaver: bool) -> int | None:
    """Return the belief under VISIT, LAST_LEAVER or BOTH: at an Enter a chain may take over a shorter one's.

    Under VISIT a chain that goes on with agents inside believes what it believes without them. Under LAST_LEAVER one
    that ends in a last leaver, after agents inside the last of whom came back, believes what they see; so it does under
    BOTH wherever the agent before the last leaver came back.
    """
    before = -1  # the lines that are still to be looked at
    for bit, inside, returned, last_leavers in reversed(found.enters):
        if by_rules(found.facts, chain) & before & -bit & ~bit:
            break
        shorter = chain
        while shorter:
            supposed = last_leaver and shorter[1:] and last_leavers >> shorter[-1] & 1 and returned >> shorter[-2] & 1
            if not (inside >> shorter[-1] & 1 or supposed and (visit or shorter is chain)):
                break
            shorter = shorter[:-1]
        # Whoever is inside sees where the thing really is: this is what the empty chain believes.
        if visit or not shorter:
            chain = shorter
        if by_rules(found.facts, chain) & bit:
            before &= bit * 2 - 1
            break
        before &= bit - 1
    return found.facts.last(by_rules(found.facts, chain) & before)


def by_last_exit(later: Mapping[int, Iterable[int]]) -> TeachingRule:
    """Return the rule of LAST_EXIT, given for each agent those whose last exit comes after his."""

    def trusted(facts: Facts, chain: Chain) -> int:
        return some(facts.speaks, later[chain[-1]]) & ~known_watching(facts, chain)

    return TeachingRule(convinced=partial(convinced, trusted=trusted))


def _everywhere(facts: Facts, chain: Chain) -> int:
    """Return `convinced`, with the mistake of every speaker in the chain."""
    return convinced(facts, chain) | some(facts.speaks, chain[:-1]) & ~facts.speaks[chain[-1]]


def stayed_longer(facts: Facts, chain: Chain) -> int:
    """Return the lines that teach a chain under LONGER."""
    lines = by_rules(facts, chain)
    for claims, prefix in claims_reaching(facts, chain):
        for end in range(len(prefix) - 1, 0, -1):
            claims &= facts.longer[prefix[end]]
            if claims:
                lines |= claims & aware(facts, prefix[:end]) & convinced(facts, prefix[:end])
    return lines


def _outranked(found: InterpretedStory, chain: Chain) -> int | None:
    """Return the belief under OUTRANKED."""
    lines = by_rules(found.facts, chain)
    return found.facts.last(lines & ~sum([claim for claim, better in found.outranking.items() if lines & better]))


def _present(found: InterpretedStory, chain: Chain) -> int | None:
    """Return the belief under PRESENT."""
    facts, present = found.facts, found.present
    lines = by_rules(facts, chain)
    shown = chain and aware(present, chain) & found.watching[chain[0]]
    if shown and (not lines or facts.lines[lines.bit_length() - 1] < present.lines[shown.bit_length() - 1]):
        return present.last(shown)
    return facts.last(lines)


def _placed(found: InterpretedStory, chain: Chain) -> int | None:
    """Return the belief under PLACED."""
    facts = found.facts
    return facts.last(by_rules(facts, chain) & (~found.placed | shared(facts.open, chain)))


def _first_link_aware(facts: Facts, chain: Chain) -> int:
    """Return `aware`, where nobody knows whom somebody noticed."""
    return aware(facts, chain[:2]) & shared(facts.open, chain[2:])


def _first_link_trusted(facts: Facts, chain: Chain) -> int:
    """Return `trusted`, where nobody knows whom somebody noticed."""
    return trusted(facts, chain) if len(chain) < 3 else facts.trusts[chain[-1]]


def _told_twice(facts: Facts, chain: Chain) -> Iterator[tuple[int, Chain]]:
    """Yield `told`, where a claim about thoughts is one about the thing too."""
    yield from claims_reaching(facts, chain)
    yield facts.claims & ~facts.plain, chain


speaker_everywhere = TeachingRule(convinced=_everywhere)
place_told = TeachingRule(told=_told_twice)
unknown = TeachingRule(_first_link_aware, partial(convinced, trusted=_first_link_trusted))

# What a chain believes under each interpretation, by the name that the column `readings` has.
INTERPRETATIONS: dict[str, Callable[[InterpretedStory, Chain], int | None]] = {
    VISIT: partial(_visited, visit=True, last_leaver=False),
    LAST_LEAVER: partial(_visited, visit=False, last_leaver=True),
    BOTH: partial(_visited, visit=True, last_leaver=True),
    SPEAKER: lambda found, chain: found.facts.last(speaker_everywhere(found.facts, chain)),
    LONGER: lambda found, chain: found.facts.last(stayed_longer(found.facts, chain)),
    LAST_EXIT: lambda found, chain: found.facts.last(found.last_exit(found.facts, chain)),
    OUTRANKED: _outranked,
    PRESENT: _present,
    PLACED: _placed,
    EARLIER: lambda found, chain: found.facts.last(by_rules(found.all_noticed, chain)),
    PLACE_TOLD: lambda found, chain: found.facts.last(place_told(found.facts, chain)),
    UNKNOWN: lambda found, chain: found.facts.last(unknown(found.facts, chain)),
}


# Readings of lines where somebody enters, of claims, and of what watchers see: by the rules where there are none.
OF_ENTERING = (VISIT, LAST_LEAVER, BOTH)
OF_CLAIMS = (SPEAKER, LONGER, LAST_EXIT, OUTRANKED)
OF_WATCHING = (PRESENT, PLACED)


# Readings of stories with secret minds or reports; of other stories nobody asks them.
OF_SECRETS = (EARLIER, PLACE_TOLD, UNKNOWN)
