"""Exhaustive search for the fewest acts that reach the goals, and players who search by a wrong meaning.

A state is a turn, who is where and left when, the place of the thing, and what the chains of the goals believe. What a
line teaches whom does not depend on beliefs. So each turn and place has its *ways*, found once: what acts overwrite.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from itertools import chain as joined
from itertools import cycle, islice
from operator import and_

from ...streams import Stream
from ...syntax.events import Overhear, Tell
from ..meaning import RULES, Chain, Facts, Rule
from ..shortcuts import FORGETFUL
from .game import IS, Game, Round, play, told_of
from .world import (
    DOINGS,
    ELSEWHERE,
    FIELD,
    PLAYER,
    THING,
    Act,
    World,
    acts_alike,
    acts_of,
    bare,
    chains_of,
    differing,
    every,
    fault,
    overwritten,
)

GOAL = 64  # what a goal is worth to a plan; an act costs 1
KEPT_WAYS = 4096  # worlds of which it is kept what acts lead to


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """Hold a turn and a `bare` world before it."""

    turn: int
    world: World


# What some acts lead to: the next node, and beliefs that are kept or put; waiting is the first where it does so.
Way = tuple[Node, int, int, list[Act]]


class Plans:
    """Know the best that can be reached from each state of a game, by one meaning.

    The value of a state is GOAL for each goal met at the end, less the acts until then, by the best plan.
    """

    def __init__(self, game: Game, rule: Rule = RULES["recursive"]) -> None:
        self.game, self.start = game, told_of(game, rule)
        every, apart = {*range(game.n_containers)}, defaultdict(set)  # by chain: the containers that goals tell apart
        for goal in game.goals:
            for chain in goal.chains:
                apart[chain] |= {goal.container} if goal.kind == IS else every
        named = {goal.container for goal in game.goals if goal.kind == IS}.union(*apart.values())
        # The thing can be moved from one place that no goal names to another if there are two.
        self._places = named if len(named) + 2 <= game.n_containers else every
        self._codes = {  # by the shift of a chain: all codes, with one for containers that no goal tells apart
            chains_of(game.n_agents)[chain]: [
                code if code - 1 in containers or code in (0, FIELD) else ELSEWHERE + 1 for code in range(FIELD + 1)
            ]
            for chain, containers in apart.items()
        }
        self._chains = sum(1 << shift for shift in self._codes)
        self._fields = FIELD * self._chains
        self.ways, self.value = cache(self._ways), cache(self._value)
        self.best, self._coded, self._node = cache(self._best), cache(self._code), cache(Node)

    def state(self, turn: int, world: World) -> tuple[Node, int]:
        """Return the node and the beliefs of a world before a turn, without what no goal looks at."""
        node = self._node(turn, bare(world, world.place if world.place in self._places else ELSEWHERE))
        return node, self._coded(world.beliefs & self._fields)

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
        missing = GOAL * len(self.game.goals) - self.value(*self.state(0, self.start))
        return missing if missing < GOAL else None


@lru_cache(maxsize=16)
def plans_of(game: Game, rule: Rule = RULES["recursive"]) -> Plans:
    """Return the plans of a game, which several ask about one after another."""
    return Plans(game, rule)


@lru_cache(maxsize=KEPT_WAYS)
def claims_of(world: World, listener: Overhear | None, n_containers: int) -> dict[int, list[tuple[Act, ...]]]:
    """Return the claims that can be made in a `bare` world without a place, by the chains that they teach."""
    found: dict[int, list[tuple[Act, ...]]] = {}
    for alike in acts_alike(world.n_agents, n_containers)[DOINGS:]:
        if fault(world, alike[0]) is None:
            end = play(world, alike[0], Round(listener, ()))
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
            found.setdefault(bare(end, end.place), {}).setdefault(end.beliefs, []).append(act)
    (updates, *_) = found.values()  # where the player waits
    (update, *_) = updates
    as_before = ~differing(update, world.beliefs, every(world.n_agents))
    for taught, kinds in claims_of(bare(world, None), after.listener, n_containers).items():
        for container in range(n_containers):
            told = overwritten(update, taught & as_before, container)
            updates.setdefault(told, []).extend([alike[container] for alike in kinds])
    return found


def followed(world: World, script: tuple[Round, ...], choose: Callable[[int, World], list[Act]]) -> list[Act]:
    """Return the acts of a player who asks `choose` in each turn, and takes the first of its acts that can be done."""
    plan: list[Act] = []
    for turn, after in enumerate(script):
        plan.append(next(act for act in choose(turn, world) if fault(world, act) is None))
        world = play(world, plan[-1], after)
    return plan


def nobody_in_secret(facts: Facts, chain: Chain) -> int:
    """Return the lines that a chain is aware of, as if nobody watched or overheard."""
    return reduce(and_, [facts.open[agent] for agent in chain])


@dataclass(frozen=True)
class Model:
    """Say what a player makes of the game who searches all of it: by default, what is right."""

    rule: Rule = RULES["recursive"]
    script: bool = True  # whether he reckons with the script
    minds: int = 0  # how many minds he leaves out of each goal
    ahead: bool = True  # whether he thinks of later turns

    def taken(self, game: Game) -> Game:
        """Return the game that he takes a game to be."""
        goals = tuple(goal._replace(chain=goal.chain[self.minds :]) for goal in game.goals)
        return replace(game, goals=goals, script=game.script if self.script else (Round(None, ()),) * game.turns)

    def plans(self, game: Game) -> Plans:
        """Return the plans that he looks at."""
        return plans_of(self.taken(game), self.rule)

    def __call__(self, game: Game, stream: Stream, sparing: bool = True) -> list[Act]:
        """Return what he does: what is best by his meaning, drawn among all that is; who is not sparing acts freely."""
        plans = self.plans(game)

        def best(turn: int, world: World) -> list[Act]:
            return stream.shuffled(stream.draw(plans.best(turn, world, sparing, self.ahead), 1)[0])

        return followed(plans.start, game.script, best)


def randomly(game: Game, stream: Stream) -> list[Act]:
    """Return what a player does who draws each act among those that can be done."""
    acts = acts_of(game.n_agents, game.n_containers)
    return followed(plans_of(game).start, game.script, lambda turn, world: stream.shuffled(acts))


def saying(game: Game, stream: Stream) -> list[Act]:
    """Return what a player does who claims each goal publicly; of what is to be right where the thing is."""
    place = plans_of(game).start.place
    said = [Tell(PLAYER, (), THING, place if goal.container is None else goal.container) for goal in game.goals]
    return [*islice(cycle(said), game.turns)]


# Players who search all plans by a wrong meaning.
MODELS = {
    "no trust": Model(FORGETFUL["trust ignored"]),
    "no secrecy": Model(Rule(aware=nobody_in_secret)),
    "no script": Model(script=False),
    "one mind less": Model(minds=1),
}
# Players who must rarely win; each draws what he does in a game.
PLAYERS: dict[str, Callable[[Game, Stream], list[Act]]] = {
    **MODELS,
    "greedy": Model(ahead=False),  # he meets as many goals as can be after each turn, whatever comes then
    "random": randomly,
    "say the goal": saying,
}
