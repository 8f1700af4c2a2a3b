"""The world of an episode, line by line: who is where, where the thing is, and what each chain believes of it.

`step(world, line)` says what a line does. Stories, the game, its solver and its referee all go on by it. There is one
room with one thing in it; whoever is not in that room is outside. What a line teaches is the rule of `story.meaning`.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from ...syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Stay, Tell, Watch
from ...syntax.scan import mask
from ..meaning import RULES, Chain, Facts, Rule

ROOM, THING, PLAYER = 1, 0, 0
"""The room, the thing, and the agent who is the player."""
LONGEST = 3
"""The longest chain that a goal may be about."""
KEPT = 100_000
"""Kinds of lines whose lessons are kept."""

Act = Come | Exit | Move | Tell | Report | None
"""What a player may do in a turn; None is to wait."""
Secret = tuple[tuple[int, int], ...]
"""Agents in secret, each with a mask of those whom he noticed."""


@lru_cache(maxsize=KEPT)
def sighting(n_agents: int, rule: Rule, inside: int, watchers: Secret) -> int:
    """Return which of `chains_of` a sighting teaches by a rule, as bits."""
    facts = Facts(n_agents)
    facts.see(0, 0, inside, dict(watchers))
    return taught_by(facts, rule)


@lru_cache(maxsize=KEPT)
def hearing(n_agents: int, rule: Rule, told: tuple, trusting: int, watchers: Secret, listeners: Secret) -> int:
    """Return which of `chains_of` a claim (speaker, hearers, whose thoughts) teaches by a rule, as bits.

    trusting: who trusts the speaker by who left when. listeners: who overhears it.
    """
    speaker, hearers, content = told
    facts = Facts(n_agents)
    bit = facts.hear(Report(*told, THING, 0) if content else Tell(speaker, hearers, THING, 0), 0)
    facts.judge(bit, {agent: 0 for agent in range(n_agents) if not trusting >> agent & 1}, dict(watchers))
    for agent, others in listeners:
        facts.overhear(bit, agent, others)
    return taught_by(facts, rule)


def taught_by(facts: Facts, rule: Rule) -> int:
    """Return which of `chains_of` the one line of some facts teaches by a rule, as bits."""
    return sum(1 << place for place, chain in enumerate(chains_of(facts.n_agents)) if rule(facts, chain))


class Minds:
    """Hold the chains whose beliefs a world follows, and which of them lines teach by a rule."""

    def __init__(self, n_agents: int, chains: Iterable[Chain], rule: Rule = RULES["recursive"]) -> None:
        self.n_agents, self.chains, self.rule = n_agents, tuple(chains), rule
        self.place_of = {chain: place for place, chain in enumerate(self.chains)}
        self._bits = [chains_of(n_agents).index(chain) for chain in self.chains]
        self._places: dict[int, tuple[int, ...]] = {}

    def seen(self, inside: int, watchers: Secret) -> tuple[int, ...]:
        """Return the places of the chains that a sighting teaches."""
        return self._of(sighting(self.n_agents, self.rule, inside, watchers))

    def heard(self, world: "World", told: Tell | Report, listeners: Secret = ()) -> tuple[int, ...]:
        """Return the places of the chains that a claim teaches, overheard by these listeners."""
        claim = told.speaker, told.hearers, told.chain if isinstance(told, Report) else ()
        trusting = world.trusting(told.speaker)
        return self._of(hearing(self.n_agents, self.rule, claim, trusting, world.watchers, listeners))

    def _of(self, taught: int) -> tuple[int, ...]:
        if taught not in self._places:
            self._places[taught] = tuple(place for place, bit in enumerate(self._bits) if taught >> bit & 1)
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


@lru_cache(maxsize=8)
def chains_of(n_agents: int) -> tuple[Chain, ...]:
    """Return the chains that goals of an episode may be about: of agents other than the player."""
    return tuple(chain for order in range(1, LONGEST + 1) for chain in permutations(range(1, n_agents), order))
