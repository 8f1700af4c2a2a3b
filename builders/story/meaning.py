"""What a story means: which lines teach which chain of agents, and so where each chain believes the thing to be.

A *chain* (A1, …, An) asks where A1 thinks that A2 thinks … that An thinks the thing is. The empty chain asks where the
thing really is. One rule (`belief`) answers every chain:

    A chain believes the thing to be in the container of the last line that teaches the chain.

A chain that no line teaches has no belief. Each line about the thing reaches *open* minds, who know of one another to
any depth, and perhaps *secret* ones, each of whom knows of the open ones and of those secret ones whom he noticed. A
chain is *aware* of a line if its first agent is open or secret there and each next agent is known to the one before.

- A *sighting* is a Place, a Move, or an Enter or Come into the room where the thing is. Open are the agents in that
  room at that moment, secret those who watch it from outside. It teaches the chains that are aware of it. Place and
  Move also teach the empty chain; who enters moves nothing, and watchers do not see what was there before.
- A *claim* is open to its speaker and to those told, or to everyone; secret are those who overhear it. It teaches the
  chains that are aware of it and whose last agent is *convinced* in the eyes of the one before: he trusts the speaker,
  or the one before is the speaker, who takes all whom he tells to believe him. Nobody else shares that mistake. Of a
  chain that ends with the speaker, the one before must trust him; the speaker alone learns nothing.
- A *report*, a claim that C1 thinks … Cm thinks, teaches prefix + (C1, …, Cm) for each prefix of one agent or more that
  the plain claim would teach, and nothing else.
- A *trusts* the speaker s if s was in the chapter's room, and A was not there or left it before s. Who has not left
  counts as leaving last; two such agents do not trust each other. Everybody knows who left when. Who watched in that
  chapter trusts no claim of it; that counts only in the eyes of who knows of it, along a chain of watchers each of whom
  noticed the next.

This is the semantics `recursive`, the four assumptions printed with each story carried through to every order. Under
`published`, what the released generator does, a claim teaches no chain of three agents or more, and none of two without
its speaker. It has no rule for secret minds and reports.

Bit i of an integer stands for the i-th line about the thing. Sets of agents are bit masks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import and_, or_

from ..syntax.events import WAITING_ROOM, Come, Enter, Event, Move, Overhear, Place, Report, Story, Tell, Watch
from ..syntax.scan import Scene, mask, scan

Chain = tuple[int, ...]

# Which of the thing's distinct places an answer is, by first appearance; claimed: the thing was never there.
SLOTS = ("first", "second", "later", "claimed")


class Facts:
    """Hold what the lines of a story about one thing show to whom. All fields but the first three hold bits of lines.

    Lists are by agent, lists of lists by two agents.
    """

    def __init__(self, n_agents: int) -> None:
        nowhere = [0] * n_agents
        self.n_agents = n_agents
        self.containers: list[int] = []  # by line: where the thing is seen, or said to be
        self.lines: list[int] = []  # by line: the index of its event in the story
        self.sightings = 0
        self.entries = 0  # those sightings where somebody enters
        self.claims = 0  # reports included
        self.plain = 0  # claims about the thing itself
        self.reports: dict[Chain, int] = {}  # by the chain that they are about
        self.open = nowhere.copy()  # where the agent is one of the open minds
        self.secret = nowhere.copy()  # where he is a secret one
        self.notices = [nowhere.copy() for _ in nowhere]  # where the first, secret, noticed the second, secret
        self.speaks = nowhere.copy()  # the claims that he makes
        self.trusts = nowhere.copy()  # the claims whose speaker he trusts by who left when
        self.longer = nowhere.copy()  # the claims whose speaker left before him, if he was there at all
        self.members = nowhere.copy()  # the claims about a chapter in whose room he was
        self.watched = nowhere.copy()  # the claims about a chapter that he watched
        self.noticed = [nowhere.copy() for _ in nowhere]  # … and noticed that the second watched
        self.memo: dict[tuple[TeachingRule, Chain], int] = {}  # what each rule has computed for each chain
        self.awareness: dict[Chain, int] = {}  # what `aware` has
        self.n_events = 0  # of the whole story
        self.scene: Scene | None = None  # what they have come to

    def follow(
        self,
        story: Story,
        thing: int,
        look: Callable[..., None] | None = None,
        scene: Scene | None = None,
        first: int = 0,
    ) -> None:
        """Learn from all lines of a story that show or say where a thing is; `scene` and `first` as in `scan`.

        `look` is called for each of these lines with its bit, its number, its event and the scene before it, and with 0
        for a bit where somebody begins to watch.
        """
        self.n_events = first + len(story.events)
        self.memo, self.awareness = {}, {}
        learn = self.learn
        for line, (event, before) in enumerate(scan(story, scene, first), first):
            bit = learn(event, line, before, thing)
            if look and (bit or isinstance(event, Watch)):
                look(bit, line, event, before)
            self.scene = before

    def learn(self, event: Event, line: int, scene: Scene, thing: int) -> int:
        """Learn from a line, given the scene before it; return its bit, 0 where it does not show or say where it is."""
        if isinstance(event, Overhear):  # the most frequent one in the stories that are drawn most
            if scene.claim and scene.claim.thing == thing:
                self.overhear(1 << len(self.lines) - 1, event.agent, mask(event.noticed))
        elif isinstance(event, (Tell, Report)):
            if event.thing == thing:
                return self.hear(event, line, scene.left, scene.watchers)
        elif isinstance(event, (Place, Move)):
            if event.thing == thing:
                room = scene.entered if isinstance(event, Place) else scene.room_of.get(event.agent)
                watchers = scene.watchers if room == scene.chapter_room else None
                return self.see(event.container, line, scene.inside[room], watchers)
        elif isinstance(event, (Enter, Come)):
            if event.room == scene.thing_room.get(thing) != WAITING_ROOM:
                agents, begins = (event.agents, True) if isinstance(event, Enter) else ((event.agent,), False)
                watchers = None if begins or event.room != scene.chapter_room else scene.watchers
                bit = self.see(scene.place[thing], line, scene.inside[event.room] | mask(agents), watchers)
                self.entries |= bit
                return bit
        return 0

    def see(self, container: int, line: int, openly: int, watchers: Mapping[int, int] | None = None) -> int:
        """Add a sighting, given a mask of the open minds, and whom each watcher noticed; return its bit."""
        bit = self._add(container, line, openly)
        self.sightings |= bit
        for agent, others in watchers.items() if watchers else ():
            if not openly >> agent & 1:
                self.overhear(bit, agent, others)
        return bit

    def hear(self, claim: Tell | Report, line: int, left: Mapping[int, float], watchers: Mapping[int, int]) -> int:
        """Add a claim, given who left the chapter's room when, and whom each watcher noticed; return its bit.

        Trust follows the third assumption of the EMNLP paper (Table 8).
        """
        everyone = (1 << self.n_agents) - 1
        bit = self._add(claim.container, line, mask(claim.hearers) | 1 << claim.speaker if claim.hearers else everyone)
        self.claims |= bit
        self.speaks[claim.speaker] |= bit
        if isinstance(claim, Report):
            self.reports[claim.chain] = self.reports.get(claim.chain, 0) | bit
        else:
            self.plain |= bit
        when = left.get(claim.speaker, -1)
        for agent in range(self.n_agents):
            own = left.get(agent, -1)
            if own < when:
                self.trusts[agent] |= bit
            elif own > when:
                self.longer[agent] |= bit
        for agent in left:
            self.members[agent] |= bit
        for agent, others in watchers.items():
            self.watched[agent] |= bit
            for other in each(others):
                self.noticed[agent][other] |= bit
        return bit

    def overhear(self, bit: int, agent: int, others: int) -> None:
        """Let an agent be a secret mind of a line, who knows of others."""
        self.secret[agent] |= bit
        for other in each(others):
            self.notices[agent][other] |= bit

    def _add(self, container: int, line: int, openly: int) -> int:
        bit = 1 << len(self.containers)
        self.containers.append(container)
        self.lines.append(line)
        for agent in each(openly):
            self.open[agent] |= bit
        return bit

    def with_claims(self, claims: Iterable[Tell]) -> "Facts":
        """Return the facts of the story with further lines: claims about the thing that nobody overhears."""
        more = copy(self)
        lists = {name: [*value] for name, value in vars(self).items() if type(value) is list}
        vars(more).update(lists, noticed=[[*others] for others in self.noticed], memo={}, awareness={})
        scene = self.scene or Scene()
        for claim in claims:
            more.hear(claim, more.n_events, scene.left, scene.watchers)
            more.n_events += 1
        return more

    def copied(self) -> "Facts":
        """Return the same facts, which can go on otherwise; their scene stays the same."""
        more = copy(self)
        kept = {name: copy(value) for name, value in vars(self).items() if isinstance(value, (list, dict))}
        vars(more).update(kept, notices=[[*row] for row in self.notices], noticed=[[*row] for row in self.noticed])
        return more

    def only(self, place: int) -> "Facts":
        """Return the facts about one line alone, at a place: whom a line teaches depends on no other line."""
        one = Facts(self.n_agents)
        one.containers, one.lines = [self.containers[place]], [self.lines[place]]
        for name, value in vars(self).items():
            if name not in ("n_agents", "n_events") and isinstance(value, int):
                setattr(one, name, value >> place & 1)
        for name in ("open", "secret", "speaks", "trusts", "longer", "members", "watched"):
            setattr(one, name, [lines >> place & 1 for lines in getattr(self, name)])
        for name in ("notices", "noticed"):
            setattr(one, name, [[lines >> place & 1 for lines in row] for row in getattr(self, name)])
        one.reports = {chain: 1 for chain, lines in self.reports.items() if lines >> place & 1}
        return one

    def last(self, lines: int) -> int | None:
        """Return the container of the last of some lines, None where there is none."""
        return self.containers[lines.bit_length() - 1] if lines else None


def each(lines: int) -> Iterator[int]:
    """Yield the place of each of some lines, first to last."""
    while lines:
        low = lines & -lines
        yield low.bit_length() - 1
        lines ^= low


def facts_of(story: Story, thing: int, look: Callable[..., None] | None = None) -> Facts:
    """Return the facts about the lines of a story that show or say where a thing is; `look` as in `follow`."""
    facts = Facts(story.n_agents)
    facts.follow(story, thing, look)
    return facts


# The rule, in functions of facts and a chain of one agent or more that return bits of lines.

Lines = Callable[[Facts, Chain], int]


def linked(facts: Facts, agent: int, other: int) -> int:
    """Return the lines where the first agent, if they reach him, knows that the second sees or hears them."""
    known = facts.secret[agent] & facts.notices[agent][other]
    return (facts.open[agent] | facts.secret[agent]) & facts.open[other] | known


def aware(facts: Facts, chain: Chain) -> int:
    """Return the lines that a chain is aware of, computed once for each chain."""
    lines = facts.awareness.get(chain)
    if lines is None:
        before, agent = chain[:-1], chain[-1]
        lines = aware(facts, before) & linked(facts, before[-1], agent) if before else reached(facts, agent)
        facts.awareness[chain] = lines
    return lines


def known_watching(facts: Facts, chain: Chain) -> int:
    """Return the claims about a chapter that the last agent of a chain watched, as those before him know."""
    lines = facts.watched[chain[0]]
    for agent, other in pairwise(chain) if lines else ():
        lines &= facts.noticed[agent][other]
    return lines


def trusted(facts: Facts, chain: Chain) -> int:
    """Return the claims whose speaker the last agent of a chain trusts in the eyes of those before him."""
    return facts.trusts[chain[-1]] & ~known_watching(facts, chain)


def convinced(facts: Facts, chain: Chain, trusted: Lines = trusted) -> int:
    """Return the claims that convince the last agent of a chain in the eyes of the one before."""
    own = facts.speaks[chain[-1]]
    if len(chain) == 1:
        return trusted(facts, chain) & ~own
    return own & trusted(facts, chain[:-1]) | ~own & (facts.speaks[chain[-2]] | trusted(facts, chain))


def released(facts: Facts, chain: Chain) -> int:
    """Return the claims that convince the last agent of a chain in the released generator."""
    spoken = -1 if len(chain) == 1 else facts.speaks[chain[0]] | facts.speaks[chain[1]] if len(chain) == 2 else 0
    return spoken & convinced(facts, chain)


def claims_reaching(facts: Facts, chain: Chain) -> Iterator[tuple[int, Chain]]:
    """Yield the claims that may teach a chain, with the prefix of the chain that must believe them."""
    yield facts.plain, chain
    for end in range(1, len(chain)) if facts.reports else ():
        claims = facts.reports.get(chain[end:])
        if claims:
            yield claims, chain[:end]


@dataclass(frozen=True, slots=True, eq=False)
class TeachingRule:
    """Say which lines teach a chain; the defaults are the semantics `recursive`."""

    aware: Lines = aware
    convinced: Lines = convinced
    told: Callable[[Facts, Chain], Iterable[tuple[int, Chain]]] = claims_reaching

    def __call__(self, facts: Facts, chain: Chain) -> int:
        """Return the lines that teach a chain, computed once for each chain."""
        lines = facts.memo.get((self, chain))
        if lines is None:
            lines = facts.memo[self, chain] = self._taught(facts, chain)
        return lines

    def _taught(self, facts: Facts, chain: Chain) -> int:
        if not chain:
            return facts.sightings & ~facts.entries
        known = self.aware(facts, chain)
        lines = known & facts.sightings
        for claims, prefix in self.told(facts, chain) if facts.claims else ():
            heard = claims & (known if prefix is chain else self.aware(facts, prefix))
            if heard:
                lines |= heard & self.convinced(facts, prefix)
        return lines


by_rules = TeachingRule()


# How a claim reaches beliefs about beliefs: as the printed assumptions say, or as the released generator does.
RULES = {"recursive": by_rules, "published": TeachingRule(convinced=released)}


SEMANTICS = tuple(RULES)  # the names of the semantics


def belief(story: Story, chain: Chain, thing: int, semantics: str = "recursive") -> int | None:
    """Return the container in which a chain believes the thing to be, or None where no line teaches the chain.

    Raises ValueError for a chain that holds an agent twice or is longer than the story has agents: it asks what a
    shorter chain asks (workshop paper, Theorem C.5). Raises it too for unknown semantics, and for `published` where
    there are secret minds or reports.
    """
    if len(set(chain)) != len(chain) or len(chain) > story.n_agents:
        raise ValueError(f"a chain must have distinct agents, at most {story.n_agents} here (Theorem C.5): {chain}")
    require(story, semantics)
    facts = facts_of(story, thing)
    return facts.last(RULES[semantics](facts, chain))


def require(story: Story, semantics: str) -> None:
    """Raise ValueError for semantics that do not exist, or that have no rule for some event of a story."""
    check_semantics(semantics)
    if semantics == "published" and has_secrets(story):
        raise ValueError(
            "the published semantics has no rule for watchers, eavesdroppers or claims about thoughts, which the "
            "released generator does not have: use 'recursive'"
        )


def check_semantics(semantics: str) -> None:
    """Raise ValueError for semantics that do not exist."""
    if semantics not in SEMANTICS:
        raise ValueError(f"unknown semantics {semantics!r}; expected one of {', '.join(SEMANTICS)}")


def reached(facts: Facts, agent: int) -> int:
    """Return the lines that reach an agent, openly or in secret."""
    return facts.open[agent] | facts.secret[agent]


def together(facts: Facts, chain: Chain) -> int:
    """Return the lines that reach all agents of a chain, whoever knows of whom."""
    return reduce(and_, [reached(facts, agent) for agent in chain], -1)


def shared(bits: Sequence[int], chain: Chain) -> int:
    """Return the lines that every agent of a chain has, given those of each agent; all lines where there is nobody."""
    return reduce(and_, [bits[agent] for agent in chain], -1)


def some(bits: Sequence[int], agents: Iterable[int]) -> int:
    """Return the lines that some of these agents have, given those of each agent."""
    return reduce(or_, [bits[agent] for agent in agents], 0)


def first_chapter(facts: Facts) -> int:
    """Return the lines of the first chapter: those before somebody comes in and sees the thing."""
    return (facts.entries & -facts.entries) - 1


def last_chapter(facts: Facts) -> int:
    """Return the lines of the last chapter: from the last time that somebody comes in and sees the thing."""
    return -1 << max(facts.entries.bit_length() - 1, 0)


def speaker_of(facts: Facts, bit: int) -> int:
    """Return who makes a claim."""
    return next(agent for agent, lines in enumerate(facts.speaks) if lines & bit)


def subchains(chain: Chain) -> list[Chain]:
    """Return the chains that keep some agents of a chain, in order: those at 2^p and above keep the agent at place p.

    The subchains of the last k agents are those at multiples of 2^(len(chain) - k).
    """
    kept: list[Chain] = [()]
    for agent in chain:
        kept += [(*before, agent) for before in kept]
    return kept


def places(facts: Facts) -> list[int]:
    """Return the containers where the thing was, by first appearance."""
    return list(dict.fromkeys([facts.containers[place] for place in each(facts.sightings)]))


def answer_slot(visited: list[int], container: int) -> int:
    """Return the index in SLOTS of an answer, given the `places` of the thing."""
    return min(visited.index(container), SLOTS.index("later")) if container in visited else SLOTS.index("claimed")


def has_secrets(story: Story) -> bool:
    """Return whether a story has secret minds or reports, for which `published` has no rule."""
    return not {Watch, Overhear, Report}.isdisjoint(map(type, story.events))
