"""An episode with a partial view as integers: what may have happened, what the others do, what the player perceives.

The player left the room and went away; while he was away, one of some *alternatives* happened. Everything else is as in
the game with a full view: `step` says what a line means. The script may hang on minds, and the player may ask.

A state is who is where and left when and who watches (a `bare` world, without beliefs) and the beliefs. What a line
teaches whom does not depend on beliefs. So `Effects` finds it once for each bare world and kind of line.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import combinations
from typing import NamedTuple

from ....syntax.events import Come, Event, Exit, Move, Overhear, Report, Tell
from ...meaning import Chain, Lines, by_rules
from ..game import Goal, heard_by
from ..world import PLAYER, ROOM, THING, World, step


class Ask(NamedTuple):
    """Say whom the player asks in private, and whose belief: Ian privately asked Bob where Cid thinks the pear is."""

    chain: Chain  # the agent who is asked, and perhaps one whose thoughts he is asked for

    @property
    def hearers(self) -> tuple[int, ...]:
        """Return who is asked."""
        return self.chain[:1]


class Avowal(NamedTuple):
    """Say that an agent publicly claims that the thing is where he thinks it is."""

    agent: int

    def claim(self, container: int) -> Tell:
        """Return the claim where the agent thinks that the thing is in a container."""
        return Tell(self.agent, (), THING, container)


Deed = Event | Avowal | None  # what the script has somebody do
Doing = Come | Exit | Move | Tell | Report | Ask | None  # what the player does in a turn; None is to wait


class Response(NamedTuple):
    """Say what the others do after a turn: one thing if somebody thinks something, else another."""

    listener: Overhear | None  # who overhears what the player tells in private in that turn, if he may
    chain: Chain  # whose belief decides; the empty one where `deed` is done in any case
    container: int  # what the chain must believe
    deed: Deed
    otherwise: Deed = None


# What the player perceives of a turn: the answer to a question or the place that he sees, and what the others did.
Seen = tuple[int, Event | None]
Bare = World  # a world without beliefs


@dataclass(frozen=True, eq=False)
class Partial:
    """Hold an episode without its names. Two are never equal, so that what is known of one is found fast."""

    n_agents: int
    n_containers: int
    story: tuple[Event, ...]  # what the player perceived before he went away
    alternatives: tuple[tuple[Event, ...], ...]  # of which one happened
    script: tuple[Response, ...]  # one response after each turn
    goals: tuple[Goal, ...]
    public: bool = False  # whether the player may claim something publicly
    pairs: bool = False  # whether he may tell two agents at once
    rule: Lines = field(default=by_rules, repr=False)  # what lines teach

    @cached_property
    def before(self) -> World:
        """Return the world when the player goes away."""
        return reduce(step, self.story, World(self.n_agents, self.rule))

    @cached_property
    def starts(self) -> tuple[World, ...]:
        """Return the world before the first turn, by alternative."""
        return tuple([reduce(step, lines, self.before)._replace(claim=None) for lines in self.alternatives])

    @property
    def turns(self) -> int:
        """Return how many lines the player writes."""
        return len(self.script)

    @property
    def doings(self) -> tuple[Doing, ...]:
        """Return all that the player may do, waiting first and questions last."""
        return doings_of(self.n_agents, self.n_containers, self.public, self.pairs)

    @property
    def depth(self) -> int:
        """Return the longest chain of a goal."""
        return max(len(goal.chain) for goal in self.goals)

    def won(self, world: World) -> bool:
        """Return whether all goals hold."""
        return all(goal.met(world) for goal in self.goals)


@lru_cache(maxsize=16)
def doings_of(n_agents: int, n_containers: int, public: bool, pairs: bool) -> tuple[Doing, ...]:
    """Return all that the player may do in an episode of this size, waiting first and questions last."""
    others, containers = range(1, n_agents), range(n_containers)
    told = [*combinations(others, 1), *(combinations(others, 2) if pairs else ())]
    found: list[Doing] = [None, Come(PLAYER, ROOM), Exit(PLAYER, ROOM)]
    found += [Move(PLAYER, THING, container) for container in containers]
    found += [Tell(PLAYER, hearers, THING, box) for hearers in ([()] if public else []) + told for box in containers]
    for hearers in told:
        minds = [mind for mind in others if mind not in hearers]
        found += [Report(PLAYER, hearers, (mind,), THING, box) for mind in minds for box in containers]
    found += [Ask((agent,)) for agent in others]
    found += [Ask((agent, mind)) for agent in others for mind in others if mind != agent]
    return tuple(found)


def fault(world: World, doing: Doing) -> str | None:
    """Return the name of the rule that breaks what the player does, or None where it can be done."""
    if doing is None:
        return None
    if isinstance(doing, (Tell, Report, Ask)):
        return None if all(world.together(PLAYER, hearer) for hearer in doing.hearers) else "apart"
    return barred(world, doing)


def barred(world: World, line: Event) -> str | None:
    """Return the name of the rule that a line breaks, or None where it can happen."""
    if isinstance(line, (Tell, Report)):
        return None if all(world.together(line.speaker, hearer) for hearer in line.hearers) else "apart"
    inside = world.inside >> line.agent & 1  # type: ignore[union-attr]
    if isinstance(line, Come):
        watches = any(agent == line.agent for agent, _ in world.watchers)
        return "inside" if inside else "watching" if watches else None
    if not inside:
        return "outside"
    return "there" if isinstance(line, Move) and line.container == world.place else None


def responded(world: World, response: Response) -> Event | None:
    """Return what the others do in a world, None for nothing."""
    believes = not response.chain or world.believed(response.chain) == response.container
    deed = response.deed if believes else response.otherwise
    if isinstance(deed, Avowal):
        return deed.claim(world.believed((deed.agent,)))
    return None if deed is None or barred(world, deed) else deed


def perceived(world: World, line: Event | None) -> Event | None:
    """Return what the player perceives of a line of the others, in the world in which it is done."""
    if isinstance(line, Move):
        return line if world.inside >> PLAYER & 1 else None
    if isinstance(line, (Tell, Report)):
        return line if not line.hearers or PLAYER in line.hearers else None
    return line


def play(world: World, doing: Doing, response: Response) -> tuple[Seen, World]:
    """Return what the player perceives of a turn, and the world after it. What cannot be done does nothing."""
    answer = -1
    if isinstance(doing, Ask):
        if fault(world, doing) is None:
            answer = world.believed(doing.chain)
    elif doing is not None and fault(world, doing) is None:
        world = reduce(step, (doing, *heard_by(response.listener, doing)), world)
        answer = world.place if isinstance(doing, Come) else -1
    line = responded(world, response)
    seen = perceived(world, line)
    if line is not None:
        world = step(world, line)
    return (answer, seen), world._replace(claim=None)


class Effects:
    """Know what each line does in each bare world, found once."""

    def __init__(self, n_agents: int, rule: Lines) -> None:
        self.empty = World(n_agents, rule)
        self._found: dict[tuple[Bare, Event, Overhear | None], tuple[Bare, int]] = {}

    def bare(self, world: World) -> Bare:
        """Return a world without its beliefs."""
        return self.empty._replace(inside=world.inside, gone=world.gone, watchers=world.watchers)

    def of(self, bare: Bare, line: Event, listener: Overhear | None = None) -> tuple[Bare, int]:
        """Return the bare world after a line and the chains that it teaches, the empty one for a move.

        line: about container 0; what a line teaches does not hang on that.
        """
        key = bare, line, listener
        found = self._found.get(key)
        if found is None:
            here = bare._replace(beliefs=1) if isinstance(line, Come) else bare
            then = step(here, line)
            if listener:
                then = step(then, listener)
            found = self._found[key] = self.bare(then), then.beliefs & ~int(isinstance(line, Come))
        return found
