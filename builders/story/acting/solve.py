"""Exhaustive search for the fewest acts that reach the goals, and players who search by a wrong meaning.

A state is a turn, who is where and left when, the place of the thing, and what the chains of the goals believe. What a
line teaches whom does not depend on beliefs. So each turn and place has its *ways*, found once: what acts overwrite.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from ...streams import Stream
from ...syntax.events import Overhear, Report, Tell
from ..meaning import RULES, Chain, Facts, Rule
from .game import IS, Game, Round, play, told_of
from .world import (
    ELSEWHERE,
    FIELD,
    PLAYER,
    Act,
    World,
    acts_alike,
    acts_of,
    chains_of,
    every,
    fault,
    overwritten,
)

GOAL = 64
"""What a goal is worth to a plan; an act costs 1."""
KEPT_WAYS = 4096
"""Worlds of which it is kept what acts lead to."""


@dataclass(eq=False, slots=True)
class Node:
    """Hold a turn and a world without beliefs, and what is known of them."""

    turn: int
    world: World
    ways: list["Way"] = field(default_factory=list)  # found when they are first asked for
    values: dict[int, int] = field(default_factory=dict)  # by beliefs


Way = tuple[Node, int, int, list[Act]]
"""What some acts lead to: the next node, and beliefs that are kept or put; waiting is the first where it does so."""


class Plans:
    """Know the best that can be reached from each state of a game, by one meaning.

    The value of a state is GOAL for each goal met at the end, less the acts until then, by the best plan.
    """

    def __init__(self, game: Game, rule: Rule = RULES["recursive"]) -> None:
        self.game, self.start = game, told_of(game, rule)
        every = {*range(game.n_containers)}
        whole = {chain for goal in game.goals if goal.kind != IS for chain in goal.chains}
        named = {goal.container for goal in game.goals if goal.kind == IS}
        # The thing can be moved from one place that no goal names to another if there are two.
        self._places = every if whole or len(named) + 2 > game.n_containers else named
        self._codes: dict[int, list[int]] = {}  # by chain: all codes, with one for containers that no goal tells apart
        for chain in [chain for goal in game.goals for chain in goal.chains]:
            matter = every if chain in whole else {goal.container for goal in game.goals if goal.chain == chain}
            kept = {0, FIELD, *(container + 1 for container in matter)}
            codes = [code if code in kept else ELSEWHERE + 1 for code in range(FIELD + 1)]
            self._codes[chains_of(game.n_agents)[chain]] = codes
        self._chains = sum(1 << shift for shift in self._codes)
        self._coded, self._nodes = cache(self._code), cache(Node)

    def state(self, turn: int, world: World) -> tuple[Node, int]:
        """Return the node and the beliefs of a world before a turn, without what no goal looks at."""
        node = self._nodes(turn, bare(world, world.place if world.place in self._places else ELSEWHERE))
        return node, self._coded(world.beliefs & FIELD * self._chains)

    def _code(self, beliefs: int) -> int:
        return sum(codes[beliefs >> shift & FIELD] << shift for shift, codes in self._codes.items())

    def met(self, node: Node, beliefs: int) -> int:
        """Return how many goals hold in a state."""
        world = node.world._replace(beliefs=beliefs)
        return sum(goal.met(world) for goal in self.game.goals)

    def value(self, node: Node, beliefs: int) -> int:
        """Return the value of a state."""
        if beliefs not in node.values:
            if node.turn == self.game.turns:
                value = GOAL * self.met(node, beliefs)
            else:
                ways = node.ways or self.ways(node)
                worth = [
                    self.value(after, beliefs & keep | put) - (acts[0] is not None) for after, keep, put, acts in ways
                ]
                value = max(worth)
            node.values[beliefs] = value
        return node.values[beliefs]

    def ways(self, node: Node) -> list[Way]:
        """Return what all acts lead to that can be done at a node."""
        found: dict[tuple[Node, int], list[Act]] = {}
        for world, updates in ways_of(node.world, self.game.script[node.turn], self.game.n_containers).items():
            after, _ = self.state(node.turn + 1, world)
            for update, acts in updates.items():
                found.setdefault((after, self._coded(update & FIELD * self._chains)), []).extend(acts)
        for (after, update), acts in found.items():
            kept = FIELD * unchanged(update, self._chains)
            node.ways.append((after, kept, update & ~kept, acts))
        return node.ways

    def options(self, turn: int, world: World) -> dict[tuple[Node, int], list[Act]]:
        """Return the states after a turn, each with the acts that lead there; waiting is the first of its acts."""
        node, beliefs = self.state(turn, world)
        options: dict[tuple[Node, int], list[Act]] = {}
        for after, keep, put, acts in node.ways or self.ways(node):
            options.setdefault((after, beliefs & keep | put), []).extend(acts)
        return options

    def best(self, turn: int, world: World, sparing: bool = True) -> list[list[Act]]:
        """Return the groups of acts that are best in a world before a turn; who is not sparing does not mind acts."""
        options = self.options(turn, world)
        worth = [self.value(*state) - bool(acts[0]) for state, acts in options.items()]
        if not sparing:
            worth = [-(-value // GOAL) for value in worth]
        groups = [acts for value, acts in zip(worth, options.values(), strict=True) if value == max(worth)]
        return [acts[:1] if sparing and acts[0] is None else acts for acts in groups]

    def least(self) -> int | None:
        """Return the least number of acts that reach all goals, or None where nothing does."""
        missing = GOAL * len(self.game.goals) - self.value(*self.state(0, self.start))
        return missing if missing < GOAL else None

    def drawn(self, stream: Stream, script: tuple[Round, ...] = (), sparing: bool = True) -> list[Act]:
        """Return a best plan, drawn among all; `script` is what happens, if not what the game says."""

        def best(turn: int, world: World) -> list[Act]:
            groups = self.best(turn, world, sparing)
            return stream.shuffled(groups[stream.below(len(groups))])

        return followed(self.start, script or self.game.script, best)


@lru_cache(maxsize=16)
def plans_of(game: Game, rule: Rule = RULES["recursive"]) -> Plans:
    """Return the plans of a game, which several ask about one after another."""
    return Plans(game, rule)


def bare(world: World, place: int | None) -> World:
    """Return a world without beliefs, with the thing at a place."""
    return World(world.n_agents, world.rule, 0, place, world.inside, world.gone, world.watchers)


def unchanged(update: int, chains: int) -> int:
    """Return those of some chains that an update leaves as they are, which is what the code FIELD says."""
    return update & update >> 1 & update >> 2 & chains


@lru_cache(maxsize=KEPT_WAYS)
def claims_of(world: World, listener: Overhear | None, n_containers: int) -> dict[int, list[tuple[Act, ...]]]:
    """Return the claims that can be made in a world without beliefs and place, by the chains that they teach."""
    blank, chains = world._replace(beliefs=FIELD * every(world.n_agents)), every(world.n_agents)
    found: dict[int, list[tuple[Act, ...]]] = {}
    for alike in acts_alike(world.n_agents, n_containers):
        if isinstance(alike[0], Tell | Report) and fault(blank, alike[0]) is None:
            after = play(blank, alike[0], Round(listener, ())).beliefs
            found.setdefault(chains ^ unchanged(after, chains), []).append(alike)
    return found


@lru_cache(maxsize=KEPT_WAYS)
def ways_of(world: World, after: Round, n_containers: int) -> dict[World, dict[int, list[Act]]]:
    """Return the worlds after a turn, without beliefs, and for each the updates of beliefs with the acts that do this.

    world: without beliefs. The first act is to wait.
    """
    blank = world._replace(beliefs=FIELD * every(world.n_agents))
    found: dict[World, dict[int, list[Act]]] = {}
    for act in acts_of(world.n_agents, n_containers):
        if not isinstance(act, Tell | Report) and fault(blank, act) is None:
            end = play(blank, act, after)
            found.setdefault(bare(end, end.place), {}).setdefault(end.beliefs, []).append(act)
    updates = next(iter(found.values()))  # where the player waits
    update = next(iter(updates))
    for taught, kinds in claims_of(bare(world, None), after.listener, n_containers).items():
        for container in range(n_containers):
            told = overwritten(update, unchanged(update, taught), container)
            updates.setdefault(told, []).extend([alike[container] for alike in kinds])
    return found


def followed(world: World, script: tuple[Round, ...], choose: Callable[[int, World], list[Act]]) -> list[Act]:
    """Return the acts of a player who asks `choose` in each turn, and takes the first of its acts that can be done."""
    plan: list[Act] = []
    for turn, after in enumerate(script):
        plan.append(next(act for act in choose(turn, world) if fault(world, act) is None))
        world = play(world, plan[-1], after)
    return plan


def open_only(facts: Facts, chain: Chain) -> int:
    """Return the lines that a chain is aware of, as if nobody watched or overheard."""
    lines = -1
    for agent in chain:
        lines &= facts.open[agent]
    return lines


@dataclass(frozen=True)
class Model:
    """Say what a player makes of the game who searches all of it by a wrong meaning."""

    rule: Rule = RULES["recursive"]
    script: bool = True  # whether he reckons with the script
    minds: int = 0  # how many minds he leaves out of each goal

    def plans(self, game: Game) -> Plans:
        """Return the plans that he looks at."""
        goals = tuple(goal._replace(chain=goal.chain[self.minds :]) for goal in game.goals)
        script = game.script if self.script else (Round(None, ()),) * game.turns
        return plans_of(replace(game, goals=goals, script=script), self.rule)

    def __call__(self, game: Game) -> Callable[[Stream], list[Act]]:
        """Return what he does: what is best by his meaning, drawn among all that is."""
        plans = self.plans(game)
        return lambda stream: plans.drawn(stream, game.script)


def randomly(game: Game) -> Callable[[Stream], list[Act]]:
    """Return what a player does who draws each act among those that can be done."""
    start, acts = told_of(game), acts_of(game.n_agents, game.n_containers)
    return lambda stream: followed(start, game.script, lambda turn, world: stream.shuffled(acts))


def greedily(game: Game) -> Callable[[Stream], list[Act]]:
    """Return what a player does who meets as many goals as can be after each turn, whatever comes then."""
    plans = plans_of(game)

    @cache
    def most(turn: int, world: World) -> list[list[Act]]:
        options = plans.options(turn, world)
        met = {state: plans.met(*state) for state in options}
        best = [acts for state, acts in options.items() if met[state] == max(met.values())]
        return [acts if acts[0] else acts[:1] for acts in best]

    return lambda stream: followed(
        plans.start, game.script, lambda turn, world: stream.shuffled(stream.draw(most(turn, world), 1)[0])
    )


def saying(game: Game) -> Callable[[Stream], list[Act]]:
    """Return what a player does who claims each goal publicly; of what is to be right where the thing is."""
    place = told_of(game).place
    said = [Tell(PLAYER, (), 0, place if goal.container is None else goal.container) for goal in game.goals]
    return lambda stream: [said[turn % len(said)] for turn in range(game.turns)]


RULES_OF = {"no trust": Rule(convinced=lambda facts, chain: -1), "no secrecy": Rule(aware=open_only)}
"""Wrong meanings of players."""
MODELS = {
    **{name: Model(rule) for name, rule in RULES_OF.items()},
    "no script": Model(script=False),
    "one mind less": Model(minds=1),
}
"""Players who search all plans by a wrong meaning."""
PLAYERS: dict[str, Callable[[Game], Callable[[Stream], list[Act]]]] = {
    **MODELS,
    "greedy": greedily,
    "random": randomly,
    "say the goal": saying,
}
"""Players who must rarely win; each looks at a game, and returns how he draws what he does."""
