"""The world of an episode, line by line: who is where, where the thing is, and what each chain believes of it.

`step(world, line)` says what a line does. Stories, the game, its solver and its referee all go on by it. There is one
room with one thing in it; whoever is not in that room is outside. What a line teaches is the rule of `story.meaning`.

Beliefs are one integer with a field of BITS bits for each chain of `chains_of`: one bit for each container, set where
the chain believes the thing to be. The empty chain has the lowest field, and believes the thing to be where it is. A
set of chains has the lowest bit of each field. So what holds in one world and not in another is one operation on bits.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import chain as joined
from itertools import combinations, permutations
from typing import NamedTuple

from ...syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Tell, Watch
from ...syntax.scan import mask
from ..meaning import Chain, Facts, Lines, by_rules

ROOM, THING, PLAYER = 1, 0, 0  # the room, the thing, and the agent who is the player
LONGEST = 3  # the longest chain that a goal may be about
BITS = 8  # how many bits the field of a chain has
FIELD = (1 << BITS) - 1  # all of them
MOST_CONTAINERS = 5  # the most containers of an episode; they have the lowest bits of a field
# The bits of a field above those of containers: the belief is as before; the chain's first agent is right, or wrong,
# on the rest.
AS_BEFORE, IS_RIGHT, IS_WRONG = 5, 6, 7
DOINGS = 4  # how many kinds of acts are no claims: to wait, to come in, to exit, to move the thing
KEPT = 100_000  # kinds of lines whose lessons are kept


def check_bits(n_containers: int, others: Iterable[int]) -> None:
    """Raise ValueError where two things have one bit of a field: containers, which have the lowest, and some others."""
    bits = [*range(n_containers), *others]
    if len(set(bits)) < len(bits) or max(bits) >= BITS:
        raise ValueError(
            f"the bits {bits} of a field of beliefs collide, {n_containers} for containers and then the others; "
            f"each must be another one below {BITS}"
        )


check_bits(MOST_CONTAINERS, (AS_BEFORE, IS_RIGHT, IS_WRONG))

Act = Come | Exit | Move | Tell | Report | None  # what a player may do in a turn; None is to wait
Secret = tuple[tuple[int, int], ...]  # agents in secret, each with a mask of those whom he noticed
Told = tuple[int, tuple[int, ...], Chain]  # of a claim: its speaker, its hearers, and whose thoughts it is about


@lru_cache(maxsize=KEPT)
def sighting(n_agents: int, rule: Lines, inside: int, watchers: Secret) -> int:
    """Return the chains that a sighting teaches by a rule."""
    facts = Facts(n_agents)
    facts.see(0, 0, inside, dict(watchers))
    return taught_by(facts, rule)


@lru_cache(maxsize=KEPT)
def hearing(n_agents: int, rule: Lines, told: Told, trusting: int, watchers: Secret, listeners: Secret) -> int:
    """Return the chains that a claim (speaker, hearers, whose thoughts) teaches by a rule.

    trusting: who trusts the speaker by who left when. listeners: who overhears it.
    """
    speaker, hearers, content = told
    facts = Facts(n_agents)
    claim = Report(speaker, hearers, content, THING, 0) if content else Tell(speaker, hearers, THING, 0)
    left = {agent: 0 for agent in range(n_agents) if not trusting >> agent & 1}
    bit = facts.hear(claim, 0, left, dict(watchers))
    for agent, others in listeners:
        facts.overhear(bit, agent, others)
    return taught_by(facts, rule)


def taught_by(facts: Facts, rule: Lines) -> int:
    """Return the chains that the one line of some facts teaches by a rule."""
    return sum(1 << shift for chain, shift in chains_of(facts.n_agents).items() if rule(facts, chain))


class World(NamedTuple):
    """Hold what lines so far have come to; sets of agents are bit masks."""

    n_agents: int
    rule: Lines = by_rules  # what lines teach
    beliefs: int = 0
    inside: int = 0  # who is in the room
    gone: Chain = ()  # who was there in this chapter and is outside, by when each left
    watchers: Secret = ()  # who watches the room
    claim: Tell | Report | None = None  # the claim just made, which one agent at most overhears

    def beliefs_after(self, claim: Tell | Report, listeners: Secret = ()) -> int:
        """Return the beliefs after a claim, overheard by these listeners."""
        speaker, hearers, watchers, gone = claim.speaker, claim.hearers, self.watchers, self.gone
        trusting = ~self.inside & (1 << self.n_agents) - 1  # who trusts him by who left when
        if not self.inside >> speaker & 1:
            trusting &= ~mask(gone[gone.index(speaker) :]) if speaker in gone else 0
        if hearers:  # whom a claim does not reach has no say in what it teaches
            minds = mask((speaker, *hearers, *dict(listeners)))
            watchers = tuple([(agent, others & minds) for agent, others in watchers if minds >> agent & 1])
            trusting &= minds
        told = speaker, hearers, claim.chain if isinstance(claim, Report) else ()
        taught = hearing(self.n_agents, self.rule, told, trusting, watchers, listeners)
        return overwritten(self.beliefs, taught, claim.container)

    def believed(self, chain: Chain) -> int:
        """Return where a chain believes the thing to be, -1 for nowhere."""
        return (self.beliefs >> chains_of(self.n_agents)[chain] & FIELD).bit_length() - 1

    @property
    def place(self) -> int:
        """Return where the thing is, -1 where it is not there yet."""
        return self.believed(())

    @property
    def signs(self) -> int:
        """Return all goals that hold, as bits: all beliefs and, at IS_RIGHT or IS_WRONG, how the first agent judges."""
        rest = sum([(self.beliefs >> shift & FIELD) * chains for shift, chains in judging(self.n_agents).items()])
        chains = every(self.n_agents)
        right = filled(self.beliefs & rest, chains)
        return self.beliefs | right << IS_RIGHT | (chains & ~right) << IS_WRONG

    def together(self, agent: int, other: int) -> bool:
        """Return whether two agents are both in the room, or both outside."""
        return (self.inside >> agent ^ self.inside >> other) & 1 == 0

    def bare(self, place: int | None = None) -> "World":
        """Return the world with beliefs that say that all are as before, except where the thing is.

        place: the field of the empty chain, if it shall be another one.
        """
        beliefs = every(self.n_agents, 1) << AS_BEFORE | (self.beliefs & FIELD if place is None else place)
        return World(self.n_agents, self.rule, beliefs, self.inside, self.gone, self.watchers)


def step(world: World, line: Event) -> World:
    """Return the world after a line. Raises TypeError for a kind of line that episodes do not have."""
    n_agents, rule, beliefs, inside, gone, watchers, _ = world
    claim: Tell | Report | None = None
    seen = -1
    if isinstance(line, (Tell, Report)):
        claim, beliefs = line, world.beliefs_after(line)
    elif isinstance(line, Exit):
        inside, gone = inside & ~(1 << line.agent), (*gone, line.agent)
    elif isinstance(line, Come):
        inside, gone = inside | 1 << line.agent, tuple([other for other in gone if other != line.agent])
        seen = world.place
    elif isinstance(line, (Move, Place)):
        seen = line.container
    elif isinstance(line, Overhear) and world.claim:
        beliefs = world.beliefs_after(world.claim, ((line.agent, mask(line.noticed)),))
    elif isinstance(line, Watch):
        watchers = (*watchers, (line.agent, mask(line.noticed)))
    elif isinstance(line, Enter):  # a chapter begins
        inside, gone, watchers, seen = inside | mask(line.agents), (), (), world.place
    else:
        raise TypeError(f"not a line of an episode: {line!r}; expected an event that a game has")
    if seen >= 0:
        beliefs = overwritten(beliefs, sighting(n_agents, rule, inside, watchers), seen)
    return World(n_agents, rule, beliefs, inside, gone, watchers, claim)


def filled(beliefs: int, chains: int) -> int:
    """Return those of some chains whose field is not empty; the highest bit of each must be free."""
    return (beliefs + (FIELD >> 1) * chains) >> BITS - 1 & chains


def overwritten(beliefs: int, chains: int, container: int) -> int:
    """Return beliefs in which some chains believe the thing to be in a container."""
    return beliefs & ~(FIELD * chains) | chains << container


def fault(world: World, act: Act) -> str | None:
    """Return the name of the rule that an act breaks, or None where it can be done."""
    inside = world.inside >> PLAYER & 1
    if isinstance(act, (Tell, Report)):
        return None if all([world.together(PLAYER, hearer) for hearer in act.hearers]) else "apart"
    if isinstance(act, Come):
        return "inside" if inside else None
    if isinstance(act, Exit) or isinstance(act, Move) and not inside:
        return None if inside else "outside"
    return "there" if isinstance(act, Move) and act.container == world.place else None


def acts_of(n_agents: int, n_containers: int) -> tuple[Act, ...]:
    """Return all acts that an episode of this size may have, waiting first."""
    return tuple(joined.from_iterable(acts_alike(n_agents, n_containers)))


@lru_cache(maxsize=8)
def acts_alike(n_agents: int, n_containers: int) -> tuple[tuple[Act, ...], ...]:
    """Return all acts, waiting first; those that differ in their container alone are together, by that container."""
    others, containers = range(1, n_agents), range(n_containers)
    told = [*combinations(others, 1), *combinations(others, 2)]
    kinds: list[Callable[[int], Act]] = [partial(Move, PLAYER, THING)]
    kinds += [partial(Tell, PLAYER, hearers, THING) for hearers in [(), *told]]
    for hearers in told:
        kinds += [partial(Report, PLAYER, hearers, (mind,), THING) for mind in others if mind not in hearers]
    return (None,), (Come(PLAYER, ROOM),), (Exit(PLAYER, ROOM),), *(tuple(map(kind, containers)) for kind in kinds)


@lru_cache(maxsize=8)
def chains_of(n_agents: int) -> dict[Chain, int]:
    """Return the empty chain and those of others that goals may be about, each with the shift of its field."""
    chains = [chain for order in range(LONGEST + 1) for chain in permutations(range(1, n_agents), order)]
    return {chain: BITS * place for place, chain in enumerate(chains)}


@lru_cache(maxsize=32)
def every(n_agents: int, least: int = 0, most: int = LONGEST) -> int:
    """Return the set of the chains of `least` to `most` agents, by default all."""
    return sum(1 << shift for chain, shift in chains_of(n_agents).items() if least <= len(chain) <= most)


@lru_cache(maxsize=8)
def judging(n_agents: int) -> dict[int, int]:
    """Return the chains that say what another agent thinks of a chain, by the shift of that chain."""
    found: dict[int, int] = defaultdict(int)
    for agents, shift in chains_of(n_agents).items():
        if agents:
            found[chains_of(n_agents)[agents[1:]]] |= 1 << shift
    return found
