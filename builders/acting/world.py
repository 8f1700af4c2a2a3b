"""The world of an episode, line by line: who is where, where the thing is, and what each chain believes of it.

`step(world, line)` says what a line does. Stories, the game, its solver and its referee all go on by it. There is one
room with one thing in it; whoever is not in that room is outside. What a line teaches is the rule of `story.meaning`.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from math import inf
from typing import NamedTuple

from ..story.meaning import RULES, Chain, Facts, Rule
from ..syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Stay, Tell, Watch
from ..syntax.scan import mask

ROOM, THING, PLAYER = 1, 0, 0
"""The room, the thing, and the agent who is the player."""
LONGEST = 3
"""The longest chain that a goal may be about."""
KEPT = 100_000
"""Kinds of lines whose lessons are kept; then all are computed anew."""

Act = Come | Exit | Move | Tell | Report | None
"""What a player may do in a turn; None is to wait."""
Secret = tuple[tuple[int, int], ...]
"""Agents in secret, each with a mask of those whom he noticed."""


class Taught:
    """Know which chains of an episode's agents each kind of line teaches, by one rule; computed once."""

    def __init__(self, n_agents: int, rule: Rule) -> None:
        self.n_agents, self.rule = n_agents, rule
        self._chains: dict[tuple, frozenset[Chain]] = {}

    def seen(self, inside: int, watchers: Secret) -> frozenset[Chain]:
        """Return the chains that a sighting teaches."""
        key = inside, watchers
        if key not in self._chains:
            facts = Facts(self.n_agents)
            facts.see(0, 0, inside, dict(watchers))
            self._chains[key] = self._taught(facts)
        return self._chains[key]

    def heard(self, world: "World", told: Tell | Report, listeners: Secret) -> frozenset[Chain]:
        """Return the chains that a claim teaches, overheard by these listeners."""
        content = told.chain if isinstance(told, Report) else ()
        key = world.trusting(told.speaker), world.watchers, told.speaker, told.hearers, content, listeners
        if key not in self._chains:
            facts = Facts(self.n_agents)
            bit = facts.hear(told, 0)
            facts.judge(bit, world.left(), dict(world.watchers))
            for agent, others in listeners:
                facts.overhear(bit, agent, others)
            self._chains[key] = self._taught(facts)
        return self._chains[key]

    def _taught(self, facts: Facts) -> frozenset[Chain]:
        if len(self._chains) >= KEPT:
            self._chains.clear()
        return frozenset(chain for chain in chains_of(self.n_agents) if self.rule(facts, chain))


taught_by = lru_cache(maxsize=16)(Taught)
"""Return what is known of a number of agents and a rule, one object for each."""


class Minds:
    """Hold the chains whose beliefs a world follows, and which of them lines teach by a rule."""

    def __init__(self, n_agents: int, chains: Iterable[Chain], rule: Rule = RULES["recursive"]) -> None:
        self.n_agents, self.chains, self._taught = n_agents, tuple(chains), taught_by(n_agents, rule)
        self.place_of = {chain: place for place, chain in enumerate(self.chains)}
        self._places: dict[frozenset[Chain], tuple[int, ...]] = {}

    def seen(self, inside: int, watchers: Secret) -> tuple[int, ...]:
        """Return the places of the chains that a sighting teaches."""
        return self._of(self._taught.seen(inside, watchers))

    def heard(self, world: "World", told: Tell | Report, listeners: Secret = ()) -> tuple[int, ...]:
        """Return the places of the chains that a claim teaches, overheard by these listeners."""
        return self._of(self._taught.heard(world, told, listeners))

    def _of(self, taught: frozenset[Chain]) -> tuple[int, ...]:
        if taught not in self._places:
            self._places[taught] = tuple(place for place, chain in enumerate(self.chains) if chain in taught)
        return self._places[taught]


class World(NamedTuple):
    """Hold what lines so far have come to; sets of agents are bit masks."""

    minds: Minds
    beliefs: tuple[int | None, ...]  # of each chain of the minds
    place: int | None = None  # where the thing is
    inside: int = 0  # who is in the room
    gone: Chain = ()  # who was there in this chapter and is outside, by when each left
    watchers: Secret = ()  # who watches the room
    claim: Tell | Report | None = None  # the claim just made
    listeners: Secret = ()  # who overheard it

    def left(self) -> dict[int, float]:
        """Return when each agent of the chapter left, as a rank; infinity for who is inside."""
        here = {agent: inf for agent in range(self.minds.n_agents) if self.inside >> agent & 1}
        return here | {agent: rank for rank, agent in enumerate(self.gone)}

    def trusting(self, speaker: int) -> int:
        """Return who trusts a speaker by who left when."""
        apart = ~self.inside & (1 << self.minds.n_agents) - 1
        if self.inside >> speaker & 1:
            return apart
        return apart & ~mask(self.gone[self.gone.index(speaker) :]) if speaker in self.gone else 0

    def believed(self, chain: Chain) -> int | None:
        """Return where a chain believes the thing to be; the empty chain has it where it is."""
        return self.beliefs[self.minds.place_of[chain]] if chain else self.place

    def taught(self, places: tuple[int, ...], container: int | None) -> "World":
        """Return the world in which some chains believe the thing to be in a container."""
        if not places:
            return self
        beliefs = list(self.beliefs)
        for place in places:
            beliefs[place] = container
        return World(self.minds, tuple(beliefs), *self[2:])


def empty(minds: Minds) -> World:
    """Return the world before the first line."""
    return World(minds, (None,) * len(minds.chains))


def step(world: World, line: Event) -> World:
    """Return the world after a line. Raises TypeError for a kind of line that episodes do not have."""
    minds, beliefs, place, inside, gone, watchers, told, listeners = world
    match line:
        case Enter(agents, _):  # a chapter begins
            inside, gone, watchers = inside | mask(agents), (), ()
        case Come(agent, _):
            inside, gone = inside | 1 << agent, tuple(other for other in gone if other != agent)
        case Exit(agent, _):
            return World(minds, beliefs, place, inside & ~(1 << agent), (*gone, agent), watchers)
        case Place(_, container) | Move(_, _, container):
            place = container
        case Tell() | Report():
            world = World(minds, beliefs, place, inside, gone, watchers, line)
            return world.taught(minds.heard(world, line), line.container)
        case Overhear(agent, noticed):
            listeners = (*listeners, (agent, mask(noticed)))
            world = World(minds, beliefs, place, inside, gone, watchers, told, listeners)
            return world.taught(minds.heard(world, told, listeners), told.container)
        case Watch(agent, _, noticed):
            return World(minds, beliefs, place, inside, gone, (*watchers, (agent, mask(noticed))))
        case Stay():
            return World(minds, beliefs, place, inside, gone, watchers)
        case _:
            raise TypeError(f"no line of an episode: {line!r}")
    return World(minds, beliefs, place, inside, gone, watchers).taught(minds.seen(inside, watchers), place)


def together(world: World, agent: int, other: int) -> bool:
    """Return whether two agents are both in the room, or both outside."""
    return (world.inside >> agent ^ world.inside >> other) & 1 == 0


def fault(world: World, act: Act) -> str | None:
    """Return the name of the rule that an act breaks, or None where it can be done."""
    inside = world.inside >> PLAYER & 1
    match act:
        case Come():
            return "inside" if inside else None
        case Exit():
            return None if inside else "outside"
        case Move(_, _, container):
            return "outside" if not inside else "there" if container == world.place else None
        case Tell(_, hearers) | Report(_, hearers):
            return None if all(together(world, PLAYER, hearer) for hearer in hearers) else "apart"
    return None


@lru_cache(maxsize=8)
def acts_of(n_agents: int, n_containers: int) -> tuple[Act, ...]:
    """Return all acts that an episode of this size may have, waiting first."""
    others, containers = range(1, n_agents), range(n_containers)
    told = [*combinations(others, 1), *combinations(others, 2)]
    return (
        None, Come(PLAYER, ROOM), Exit(PLAYER, ROOM),
        *(Move(PLAYER, THING, container) for container in containers),
        *(Tell(PLAYER, hearers, THING, container) for hearers in [(), *told] for container in containers),
        *(
            Report(PLAYER, hearers, (mind,), THING, container)
            for hearers in told for mind in others if mind not in hearers for container in containers
        ),
    )  # fmt: skip


def chains_of(n_agents: int) -> Iterator[Chain]:
    """Yield the chains that goals of an episode may be about: of agents other than the player."""
    for order in range(1, LONGEST + 1):
        yield from permutations(range(1, n_agents), order)
