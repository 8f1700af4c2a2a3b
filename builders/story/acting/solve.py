"""Exhaustive search for the fewest acts that reach the goals, also as players do who take the game wrongly.

A state is a turn, who is where and left when, the place of the thing, and what the chains of the goals believe. What a
line teaches whom does not depend on beliefs. So each turn and place has its *ways*, found once: what acts overwrite.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial, reduce
from itertools import chain as joined

from ...streams import Stream
from ...syntax.events import Overhear
from ..meaning import Rule, shared
from ..shortcuts import FORGETFUL
from .game import IS, Game, Round, heard_by, play
from .world import DOINGS, FIELD, Act, World, acts_alike, chains_of, differing, every, fault, overwritten, step

GOAL = 64  # what a goal is worth to a plan; an act costs 1
ELSEWHERE = 6  # the code of all containers that no goal tells apart
KEPT_WAYS = 4096  # worlds whose ways are kept


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """Hold a turn and a `bare` world before it."""

    turn: int
    world: World


# What some acts lead to: the next node, and beliefs that are kept or put; waiting is the first where it does so.
Way = tuple[Node, int, int, list[Act]]


class Plans:
    """Know the best that a player can reach from each state of a game, if the game is what he takes it to be.

    The value of a state is GOAL for each goal met at the end, less the acts until then, by the best plan.
    """

    def __init__(self, game: Game, mistaken: Callable[[Game], Game] | None = None) -> None:
        """Take a game as it is, or as one of MISTAKEN does; its script is played all the same."""
        self.game, self.script = mistaken(game) if mistaken else game, game.script
        codes, apart = range(FIELD + 1), defaultdict(lambda: {0, FIELD})  # by chain: the codes that are told apart
        for goal in self.game.goals:
            for chain in goal.chains:
                apart[chain].update([goal.container + 1] if goal.kind == IS else codes)
        named = {0, FIELD}.union(*apart.values())
        # The thing can be moved from one place that no goal names to another if there are two.
        apart[()] = named if len(named - {0, FIELD}) + 2 <= game.n_containers else codes
        self._codes = {  # by the shift of a chain: what each code becomes
            chains_of(game.n_agents)[chain]: [code if code in kept else ELSEWHERE for code in codes]
            for chain, kept in apart.items()
        }
        self._chains = sum(1 << shift for shift in self._codes)
        self._fields = FIELD * self._chains
        self.ways, self.value = cache(self._ways), cache(self._value)
        self.best, self._coded, self._node = cache(self._best), cache(self._code), cache(Node)

    def state(self, turn: int, world: World) -> tuple[Node, int]:
        """Return the node and the beliefs of a world before a turn, without what no goal looks at."""
        beliefs = self._coded(world.beliefs & self._fields)
        return self._node(turn, world.bare(beliefs & FIELD)), beliefs

    def _code(self, beliefs: int) -> int:
        return sum(codes[beliefs >> shift & FIELD] << shift for shift, codes in self._codes.items())

    def met(self, node: Node, beliefs: int) -> int:
        """Return how many goals hold in a state."""
        return self.game.met(node.world._replace(beliefs=beliefs))

    def _value(self, node: Node, beliefs: int) -> int:
        """Return the value of a state."""
        if node.turn == self.game.turns:
            return GOAL * self.met(node, beliefs)
        ways = self.ways(node)
        return max([self.value(after, beliefs & keep | put) - bool(acts[0]) for after, keep, put, acts in ways])

    def _ways(self, node: Node) -> list[Way]:
        """Return what all acts lead to that can be done at a node."""
        found: dict[tuple[Node, int], list[Act]] = defaultdict(list)
        for world, updates in ways_of(node.world, self.game.script[node.turn], self.game.n_containers).items():
            after, _ = self.state(node.turn + 1, world)
            for update, acts in updates.items():
                found[after, self._coded(update & self._fields)] += acts
        ways = []
        for (after, update), acts in found.items():
            put = FIELD * differing(update, self._fields, self._chains)
            ways.append((after, ~put, update & put, acts))
        return ways

    def _best(self, turn: int, world: World, sparing: bool = True, ahead: bool = True) -> list[list[Act]]:
        """Return the groups of acts that are best in a world before a turn.

        sparing: whether acts are minded. ahead: whether later turns count, or just the goals met after this one.
        """
        node, beliefs = self.state(turn, world)
        options: dict[tuple[Node, int], list[Act]] = defaultdict(list)
        for after, keep, put, acts in self.ways(node):
            options[after, beliefs & keep | put] += acts
        if ahead:
            worth = [self.value(*state) - bool(acts[0]) for state, acts in options.items()]
        else:
            worth = [GOAL * self.met(*state) for state in options]
        if not sparing:
            worth = [-(-value // GOAL) for value in worth]
        groups = [acts for value, acts in zip(worth, options.values(), strict=True) if value == max(worth)]
        return [acts[:1] if sparing and acts[0] is None else acts for acts in groups]

    def least(self) -> int | None:
        """Return the least number of acts that reach all goals, or None where nothing does."""
        missing = GOAL * len(self.game.goals) - self.value(*self.state(0, self.game.start))
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
    "no secrecy": partial(replace, rule=Rule(aware=lambda facts, chain: shared(facts.open, chain))),
    "no script": lambda game: replace(game, script=(Round(None, ()),) * game.turns),
    "one mind less": lambda game: replace(
        game, goals=tuple(goal._replace(chain=goal.chain[1:]) for goal in game.goals)
    ),
}


@lru_cache(maxsize=KEPT_WAYS)
def claims_of(world: World, listener: Overhear | None, n_containers: int) -> dict[int, list[tuple[Act, ...]]]:
    """Return the claims that can be made in a `bare` world without a place, by the chains that they teach."""
    found: dict[int, list[tuple[Act, ...]]] = {}
    for alike in acts_alike(world.n_agents, n_containers)[DOINGS:]:
        if fault(world, alike[0]) is None:
            end = reduce(step, (alike[0], *heard_by(listener, alike[0])), world)
            found.setdefault(differing(end.beliefs, world.beliefs, every(world.n_agents)), []).append(alike)
    return found


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
    as_before = ~differing(update, world.beliefs, every(world.n_agents))
    for taught, kinds in claims_of(world.bare(0), after.listener, n_containers).items():
        for container in range(n_containers):
            told = overwritten(update, taught & as_before, container)
            updates.setdefault(told, []).extend([alike[container] for alike in kinds])
    return found
