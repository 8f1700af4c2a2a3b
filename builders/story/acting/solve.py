"""Exhaustive search for the fewest acts that reach the goals, and players who search by a wrong meaning.

A state is a turn and a world that holds the beliefs of the goals' chains alone. Acts that lead to one state are one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from ...streams import Stream
from ...syntax.events import Overhear, Report, Tell
from ..meaning import RULES, Chain, Facts, Rule
from .game import IS, Game, Round, heard_by, play, told_of
from .world import PLAYER, Act, World, acts_of, fault, step

ELSEWHERE = -1
"""In a state: any container that no goal names."""
GOAL = 64
"""What a goal is worth to a plan; an act costs 1."""


class Plans:
    """Know the best that can be reached from each state of a game, by one meaning.

    The value of a state is GOAL for each goal met at the end, less the acts until then, by the best plan.
    """

    def __init__(self, game: Game, rule: Rule = RULES["recursive"]) -> None:
        self.game, self.minds = game, game.minds(rule=rule)
        every = {None, ELSEWHERE, *range(game.n_containers)}
        whole = {chain for goal in game.goals if goal.kind != IS for chain in goal.chains}
        named = {goal.container for goal in game.goals}
        # The thing can be moved from one place that no goal names to another if there are two.
        exact = whole or len(named) + 2 > game.n_containers
        matter = [
            every if chain in whole else {goal.container for goal in game.goals if goal.chain == chain}
            for chain in self.minds.chains
        ]
        self._place, *self._kept = (
            {container: container if container in some else ELSEWHERE for container in every}
            for some in (every if exact else named, *matter)
        )
        self._values: dict[tuple[int, World], int] = {}
        self._teaching: dict[tuple, dict[tuple[int, ...], list[list[Act]]]] = {}

    def start(self) -> World:
        """Return the world before the first turn, in full."""
        return told_of(self.game, self.minds)

    def state(self, world: World) -> World:
        """Return a world without what no goal looks at."""
        beliefs = tuple([kept[belief] for kept, belief in zip(self._kept, world.beliefs, strict=True)])
        return World(self.minds, beliefs, self._place[world.place], *world[3:])

    def value(self, turn: int, state: World) -> int:
        """Return the value of a state."""
        if turn == self.game.turns:
            return GOAL * sum(goal.met(state) for goal in self.game.goals)
        key = turn, state
        if key not in self._values:
            self._values[key] = max(self._worth(turn, *option) for option in self.options(turn, state).items())
        return self._values[key]

    def best(self, turn: int, state: World) -> list[list[Act]]:
        """Return the groups of acts that are best in a state."""
        options, value = self.options(turn, state), self.value(turn, state)
        return [acts for after, acts in options.items() if self._worth(turn, after, acts) == value]

    def _worth(self, turn: int, after: World, acts: list[Act]) -> int:
        return self.value(turn + 1, after) - (acts[0] is not None)

    def options(self, turn: int, state: World) -> dict[World, list[Act]]:
        """Return the states after a turn, each with the acts that lead there; only waiting where it does too."""
        listener, events = self.game.script[turn]
        now: dict[World, list[Act]] = {state: [None]}
        claims, others = kinds_of(self.game.n_agents, self.game.n_containers)
        for act in others:
            if fault(state, act) is None:
                now.setdefault(self.state(step(state, act)), []).append(act)
        for places, kinds in self._claims(state, listener, claims).items():
            for container in range(self.game.n_containers):
                after = self.state(state.taught(places, container))
                now.setdefault(after, []).extend([alike[container] for alike in kinds])
        then: dict[World, list[Act]] = {}
        for world, acts in now.items():
            acts = acts[:1] if acts[0] is None else acts
            after = self.state(play(world, None, Round(None, events)))
            if then.setdefault(after, acts) is not acts and then[after][0] is not None:
                then[after] = then[after] + acts
        return then

    def _claims(
        self, state: World, listener: Overhear | None, claims: list[list[Act]]
    ) -> dict[tuple[int, ...], list[list[Act]]]:
        """Return the claims that teach chains, by these; together those that differ in their container."""
        key = state.inside, state.gone, state.watchers, listener
        if key not in self._teaching:
            found = self._teaching[key] = {}
            for alike in claims:
                if fault(state, alike[0]) is None:
                    listeners = tuple((line.agent, 0) for line in heard_by(listener, alike[0]))
                    if places := self.minds.heard(state, alike[0], listeners):
                        found.setdefault(places, []).append(alike)
        return self._teaching[key]

    def least(self) -> int | None:
        """Return the least number of acts that reach all goals, or None where nothing does."""
        missing = GOAL * len(self.game.goals) - self.value(0, self.state(self.start()))
        return missing if missing < GOAL else None

    def drawn(self, stream: Stream, script: tuple[Round, ...] = ()) -> list[Act]:
        """Return a best plan, drawn among all; `script` is what happens, if not what the game says."""

        def best(turn: int, world: World) -> list[Act]:
            groups = self.best(turn, self.state(world))
            return stream.shuffled(groups[stream.below(len(groups))])

        return followed(self.start(), script or self.game.script, best)


def followed(world: World, script: tuple[Round, ...], choose: Callable[[int, World], list[Act]]) -> list[Act]:
    """Return the acts of a player who asks `choose` in each turn, and takes the first of its acts that can be done."""
    plan: list[Act] = []
    for turn, after in enumerate(script):
        plan.append(next(act for act in choose(turn, world) if fault(world, act) is None))
        world = play(world, plan[-1], after)
    return plan


@lru_cache(maxsize=8)
def kinds_of(n_agents: int, n_containers: int) -> tuple[list[list[Act]], list[Act]]:
    """Return the claims of an episode of this size, those together that differ in a container, and its other acts."""
    acts = acts_of(n_agents, n_containers)
    others = [act for act in acts[1:] if not isinstance(act, Tell | Report)]
    claims = [act for act in acts if isinstance(act, Tell | Report)]
    return [list(alike) for alike in zip(*[iter(claims)] * n_containers, strict=True)], others


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
        return Plans(replace(game, goals=goals, script=script), self.rule)

    def plan(self, game: Game, stream: Stream) -> list[Act]:
        """Return what he does: what is best by his meaning, drawn among all that is."""
        return self.plans(game).drawn(stream, game.script)


def randomly(game: Game, stream: Stream) -> list[Act]:
    """Return the acts of a player who draws each among those that can be done."""
    acts = acts_of(game.n_agents, game.n_containers)
    return followed(told_of(game, game.minds()), game.script, lambda turn, world: stream.shuffled(acts))


def greedily(game: Game, stream: Stream) -> list[Act]:
    """Return the acts of a player who meets as many goals as can be after each turn, whatever comes then."""
    plans = Plans(game)

    def choose(turn: int, world: World) -> list[Act]:
        options = plans.options(turn, plans.state(world))
        met = {state: sum(goal.met(state) for goal in game.goals) for state in options}
        most = [acts for state, acts in options.items() if met[state] == max(met.values())]
        return stream.shuffled(stream.draw(most, 1)[0])

    return followed(plans.start(), game.script, choose)


def saying(game: Game) -> list[Act]:
    """Return the acts of a player who claims each goal publicly; of what is to be right where the thing is."""
    place = told_of(game, game.minds()).place
    said = [Tell(PLAYER, (), 0, place if goal.container is None else goal.container) for goal in game.goals]
    return [said[turn % len(said)] for turn in range(game.turns)]


RULES_OF = {"no trust": Rule(convinced=lambda facts, chain: -1), "no secrecy": Rule(aware=open_only)}
"""Wrong meanings of players."""
MODELS = {
    **{name: Model(rule) for name, rule in RULES_OF.items()},
    "no script": Model(script=False),
    "one mind less": Model(minds=1),
}
"""Players who search all plans by a wrong meaning."""
PLAYERS: dict[str, Callable[[Game, Stream], list[Act]]] = {
    **{name: model.plan for name, model in MODELS.items()},
    "greedy": greedily,
    "random": randomly,
    "say the goal": lambda game, stream: saying(game),
}
"""Players who must rarely win."""
