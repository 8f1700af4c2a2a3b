"""Exhaustive search for the fewest acts that reach the goals, also as players do who take the game wrongly.

A state is a turn, who is where and left when, the place of the thing, and what the chains of the goals believe. What a
line teaches whom does not depend on beliefs. So each turn and place has its *ways*, found once: what acts overwrite.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial, reduce
from itertools import chain as joined
from operator import or_

from ...groups import grouped_by
from ...streams import Stream
from ...syntax.events import Event, Move, Overhear
from ..meaning import Chain, TeachingRule, shared
from ..shortcuts import FORGETFUL
from .game import Game, Round, heard_by, play
from .world import (
    AS_BEFORE,
    DOINGS,
    FIELD,
    MOST_CONTAINERS,
    Act,
    World,
    acts_alike,
    chains_of,
    check_bits,
    fault,
    filled,
    overwritten,
    step,
)

GOAL = 64  # what a goal is worth to a plan; an act costs 1
# All containers, and the bit of a field that stands for those that no goal tells apart.
ANYWHERE, ELSEWHERE = (1 << MOST_CONTAINERS) - 1, 6
check_bits(MOST_CONTAINERS, (AS_BEFORE, ELSEWHERE))
KEPT_WAYS = 4096  # worlds whose ways are kept


# Acts by what they lead to: a `bare` world and beliefs; where waiting does so, it is first.
Options = dict[tuple[World, int], list[Act]]


class Plans:
    """Know the best that a player can reach from each state of a game, if the game is what he takes it to be.

    The value of a state is GOAL for each goal met at the end, less the acts until then, by the best plan.
    """

    def __init__(self, game: Game, mistaken: Callable[[Game], Game] | None = None) -> None:
        """Take a game as it is, or as one of MISTAKEN does; its script is played all the same."""
        self.game, self.script = mistaken(game) if mistaken else game, game.script
        apart: dict[Chain, int] = defaultdict(int)  # by chain: the containers that are told apart
        for goal in self.game.goals:
            for chain in goal.chains:
                apart[chain] |= ANYWHERE if goal.container is None else 1 << goal.container
        moves = [event for after in self.game.script for event in after.events if isinstance(event, Move)]
        named = reduce(or_, [*apart.values(), *(1 << move.container for move in moves)], 0)
        # Places that neither a goal nor the script names are alike; there must be two, to move from one to the other.
        apart[()] = named if named.bit_count() + 2 <= game.n_containers else ANYWHERE
        shifts = chains_of(game.n_agents)
        self._chains = sum(1 << shifts[chain] for chain in apart)
        self._apart = sum((containers | 1 << AS_BEFORE) << shifts[chain] for chain, containers in apart.items())
        self.ways, self.value = cache(self._ways), cache(self._value)
        self.best = cache(self._best)

    def state(self, world: World) -> tuple[World, int]:
        """Return a world, `bare`, and its beliefs, without what no goal looks at."""
        beliefs = self._coded(world.beliefs)
        return world.bare(beliefs & FIELD), beliefs

    def _coded(self, beliefs: int) -> int:
        known = beliefs & self._apart
        return known | (self._chains & ~filled(known, self._chains)) << ELSEWHERE

    def _value(self, turn: int, world: World, beliefs: int) -> int:
        """Return the value of a state before a turn."""
        if turn == self.game.turns:
            return GOAL * self.game.met(World(self.game.n_agents, beliefs=beliefs))
        then, value = turn + 1, self.value
        ways = self.ways(turn, world)
        return max([value(then, after, beliefs & kept | new) - bool(acts[0]) for after, kept, new, acts in ways])

    def options(self, turn: int, world: World, beliefs: int) -> Options:
        """Return the states that acts lead to from a state."""
        options: Options = defaultdict(list)
        for after, kept, new, acts in self.ways(turn, world):
            options[after, beliefs & kept | new] += acts
        return options

    def _ways(self, turn: int, before: World) -> list[tuple[World, int, int, list[Act]]]:
        """Return what acts lead to in a `bare` world: the one after it, the beliefs that stay, and the new ones."""
        found: Options = defaultdict(list)
        for world, updates in ways_of(before, self.game.script[turn], self.game.n_containers).items():
            after, _ = self.state(world)
            for update, acts in updates.items():
                found[after, self._coded(update)] += acts
        ways = []
        for (after, update), acts in found.items():
            new = FIELD * (self._chains & ~(update >> AS_BEFORE))
            ways.append((after, ~new, update & new, acts))
        return ways

    def _best(self, turn: int, world: World, sparing: bool = True, ahead: bool = True) -> list[list[Act]]:
        """Return the groups of acts that are best in a world before a turn.

        sparing: whether acts are minded. ahead: whether later turns count, or just the goals met after this one.
        """
        options = self.options(turn, *self.state(world))
        then = turn + 1 if ahead else self.game.turns  # at the end a state is worth the goals that it meets
        worth = [self.value(then, *state) - bool(ahead and acts[0]) for state, acts in options.items()]
        if not sparing:
            worth = [-(-value // GOAL) for value in worth]
        groups = [acts for value, acts in zip(worth, options.values(), strict=True) if value == max(worth)]
        return [acts[:1] if sparing and acts[0] is None else acts for acts in groups]

    def least(self) -> int | None:
        """Return the least number of acts that reach all goals, or None where nothing does."""
        missing = GOAL * len(self.game.goals) - self.value(0, *self.state(self.game.start))
        return missing if missing < GOAL else None

    def drawn(self, stream: Stream, sparing: bool = True, ahead: bool = True) -> list[Act]:
        """Draw what the player does: in each turn what is best then, of all that can be done; options as of `best`."""
        world, plan = self.game.start, []
        for turn, after in enumerate(self.script):
            acts = stream.shuffled(stream.draw(self.best(turn, world, sparing, ahead), 1)[0])
            plan.append(next(act for act in acts if fault(world, act) is None))
            world = play(world, plan[-1], after)
        return plan


plans_of = lru_cache(maxsize=32)(Plans)  # several ask for the plans of a game, one after another
# What players take a game to be who take it wrongly.
MISTAKEN: dict[str, Callable[[Game], Game]] = {
    "no trust": partial(replace, rule=FORGETFUL["trust ignored"]),
    "no secrecy": partial(replace, rule=TeachingRule(aware=lambda facts, chain: shared(facts.open, chain))),
    "no script": lambda game: replace(game, script=(Round(None, ()),) * game.turns),
    "one mind less": lambda game: replace(
        game, goals=tuple(goal._replace(chain=goal.chain[1:]) for goal in game.goals)
    ),
}


@lru_cache(maxsize=KEPT_WAYS)
def claims_of(world: World, listener: Overhear | None, n_containers: int) -> dict[int, list[tuple[Act, ...]]]:
    """Return the claims that can be made in a world without beliefs, by the chains that they teach."""

    def taught(alike: tuple[Act, ...]) -> int:
        """Return the chains that believe anything after a claim; that of container 0 makes the lowest bit of each."""
        lines: list[Event] = [line for act in alike[:1] if act for line in (act, *heard_by(listener, act))]
        return reduce(step, lines, world).beliefs

    claims = acts_alike(world.n_agents, n_containers)[DOINGS:]
    return grouped_by(taught, [alike for alike in claims if fault(world, alike[0]) is None])


@lru_cache(maxsize=KEPT_WAYS)
def ways_of(world: World, after: Round, n_containers: int) -> dict[World, dict[int, list[Act]]]:
    """Return the worlds after a turn, `bare` as the one before it, each with the acts that lead there, by new beliefs.

    The first act is to wait.
    """
    found: dict[World, dict[int, list[Act]]] = {}
    for act in joined.from_iterable(acts_alike(world.n_agents, n_containers)[:DOINGS]):
        if fault(world, act) is None:
            end = play(world, act, after)
            found.setdefault(end.bare(), {}).setdefault(end.beliefs, []).append(act)
    (updates, *_) = found.values()  # where the player waits
    (update, *_) = updates
    for taught, kinds in claims_of(world._replace(beliefs=0), after.listener, n_containers).items():
        for container in range(n_containers):
            told = overwritten(update, taught & update >> AS_BEFORE, container)
            updates.setdefault(told, []).extend([alike[container] for alike in kinds])
    return found
