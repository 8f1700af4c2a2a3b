"""An episode as integers: the story so far, the script of the others, the goals, and how a turn goes."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import Any, NamedTuple

from ...syntax.events import Event, Move, Names, Overhear
from ..meaning import Chain, Lines, by_rules
from .world import AS_BEFORE, BITS, IS_RIGHT, IS_WRONG, MOST_CONTAINERS, Act, World, chains_of, fault, step

KEPT_TURNS = 2048  # turns whose ends are kept: plans of one episode begin alike

# Kinds of goals: a chain believes the thing to be in a container; its first agent is right, or wrong, on the rest.
IS, RIGHT, WRONG = "is", "right", "wrong"


class Goal(NamedTuple):
    """Say what is to hold at the end."""

    kind: str  # IS, RIGHT or WRONG
    chain: Chain  # of one agent or more, the player not among them
    container: int | None = None  # where the chain is to believe the thing to be, of a goal of kind IS

    def met(self, world: World) -> bool:
        """Return whether the goal holds."""
        belief = world.believed(self.chain)
        if self.kind == IS:
            return belief == self.container
        return (belief == world.believed(self.chain[1:])) == (self.kind == RIGHT)

    def spelled(self, names: Names) -> list[Any]:
        """Return the goal with its names, such as ["is", ["Emma", "Jack"], "red_box"]."""
        container = None if self.container is None else names.containers[self.container]
        return [self.kind, [names.agents[agent] for agent in self.chain], container]

    @property
    def chains(self) -> tuple[Chain, ...]:
        """Return the chains that the goal looks at; whether reality is right about itself needs none."""
        if self.kind == IS:
            return (self.chain,)
        return (self.chain, self.chain[1:]) if self.chain else ()


def goal_at(place: int, n_agents: int) -> Goal:
    """Return the goal that the bit at a place of `World.signs` stands for."""
    chain, kind = [*chains_of(n_agents)][place // BITS], place % BITS
    return Goal({IS_RIGHT: RIGHT, IS_WRONG: WRONG}[kind], chain) if kind > AS_BEFORE else Goal(IS, chain, kind)


class Round(NamedTuple):
    """Say what the others do after one turn of the player."""

    listener: Overhear | None  # who overhears what the player tells in private in that turn, if he may
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Game:
    """Hold an episode without its names. Two games are never equal, so that what is known of one is found fast."""

    n_agents: int
    n_containers: int
    story: tuple[Event, ...]  # what happened before the first turn
    script: tuple[Round, ...]  # one round after each turn
    goals: tuple[Goal, ...]
    acts: int = 0  # the least number of acts that reach the goals
    rule: Lines = field(default=by_rules, repr=False)  # what lines teach

    def __post_init__(self) -> None:
        """Raise ValueError for more containers than a field of beliefs has bits for."""
        if self.n_containers > MOST_CONTAINERS:
            raise ValueError(f"the episode has {self.n_containers} containers; it must have at most {MOST_CONTAINERS}")

    @cached_property
    def start(self) -> World:
        """Return the world after the story so far."""
        return reduce(step, self.story, World(self.n_agents, self.rule))

    @property
    def turns(self) -> int:
        """Return how many lines the player writes."""
        return len(self.script)

    @property
    def depth(self) -> int:
        """Return the longest chain of a goal."""
        return max(len(goal.chain) for goal in self.goals)

    def met(self, world: World) -> int:
        """Return how many goals hold."""
        return sum(goal.met(world) for goal in self.goals)


def minds_of(act: Act) -> tuple[int, ...]:
    """Return whom an act names: those told in private, and whose thoughts it is about."""
    return (*getattr(act, "hearers", ()), *getattr(act, "chain", ()))


def heard_by(listener: Overhear | None, act: Act) -> tuple[Overhear, ...]:
    """Return the line that says who overhears an act, if it is a private claim, and he is neither told nor meant."""
    minds = minds_of(act)  # of a public claim there are none
    return (listener,) if minds and listener and listener.agent not in minds else ()


def lines_of(world: World, act: Act, after: Round) -> tuple[Event, ...]:
    """Return the lines of a turn: the player's, if it can be done, and those of the others.

    A move of the script is left out where the thing is in that container already.
    """
    done = act is not None and fault(world, act) is None
    lines: list[Event] = [act, *heard_by(after.listener, act)] if act is not None and done else []
    place = act.container if done and isinstance(act, Move) else world.place
    for event in after.events:
        if isinstance(event, Move):
            if event.container == place:
                continue
            place = event.container
        lines.append(event)
    return tuple(lines)


@lru_cache(maxsize=KEPT_TURNS)
def play(world: World, act: Act, after: Round) -> World:
    """Return the world after a turn."""
    return reduce(step, lines_of(world, act, after), world)


def ended(game: Game, acts: list[Act]) -> World:
    """Return the world at the end of an episode; turns without an act are waits."""
    world = game.start
    for turn, after in enumerate(game.script):
        world = play(world, acts[turn] if turn < len(acts) else None, after)
    return world


def wins(game: Game, acts: list[Act]) -> bool:
    """Return whether acts reach all goals."""
    return game.met(ended(game, acts)) == len(game.goals)
