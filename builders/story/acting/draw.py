"""How an episode is drawn: a story, a script and a plan at random, then goals that this plan reaches, then proofs.

What an episode must be like is settled first, by its seed and index alone: its cell, the kinds of its acts, and the
players who must fail. Draws that fall short are thrown away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ...streams import Stream
from ...syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Tell, Watch
from ..meaning import RULES, Chain, Rule
from ..readings import speaker_everywhere
from ..shortcuts import FORGETFUL
from .game import IS, RIGHT, WRONG, Game, Goal, Round, ended, play, told_of, wins
from .solve import MODELS, PLAYERS, RULES_OF, Model, kinds_of, saying
from .world import PLAYER, ROOM, THING, Act, Minds, World, acts_of, chains_of, empty, fault, step

CONTAINERS = 5
CELLS = tuple((acts, depth) for depth in (1, 2, 3) for acts in (1, 2, 3, 4) if (acts, depth) != (4, 1))
"""The least number of acts and the depth of episodes."""
KINDS = {"move": 1, "claim": 2, "tell": 3, "thought": 3, "come": 1, "exit": 2}
"""Kinds of acts, and how often each is drawn where it can be done."""
GOALS = 3
"""The most goals of an episode."""
LUCK = 3
"""How often a player who must fail is let play: he draws among acts that are alike to him."""
ROUNDS = 12
"""Rivals that are found and met by other goals before a plan is given up."""
PATIENCE, STORIES, PLANS = 5, 10, 6
"""Tries before other acts are wished for; stories with scripts in each try; plans for each story."""
KEYS = ("move", "claim", "tell", "thought", "thought")
"""Kinds of which an episode has one act for sure, in equal shares."""
FAILS = {"no secrecy": 85, "no script": 80, "greedy": 95, "one mind less": 75, "no trust": 75}
"""On how many of a hundred episodes from depth 2 and two acts on each of these players is made to fail."""
OF_WATCHERS = tuple(FORGETFUL[name] for name in ("watching trusts", "others' watching ignored", "all watching known"))
"""Other ways to read what the rules say of watchers."""


class Wish(NamedTuple):
    """Say what an episode is to be like."""

    acts: int
    depth: int
    fail: tuple[str, ...]  # players who must fail
    n_agents: int
    turns: int
    key: str  # the kind of one act


def failing(stream: Stream, acts: int, depth: int) -> tuple[str, ...]:
    """Draw the players who must fail in an episode of a cell."""
    return tuple(name for name, share in FAILS.items() if depth > 1 < acts and stream.below(100) < share)


def wished(stream: Stream, acts: int, depth: int, fail: tuple[str, ...]) -> Wish:
    """Draw what else an episode of a cell is to be like."""
    keys = [kind for kind in KEYS if not (kind == "thought" and depth == 1 or kind == "claim" and acts == 1 < depth)]
    return Wish(acts, depth, fail, 4 + stream.below(2), acts + stream.below(2), keys[stream.below(len(keys))])


def kind_of(act: Act) -> str | None:
    """Return the kind of an act, one of KINDS; None of waiting."""
    if isinstance(act, Tell):
        return "tell" if act.hearers else "claim"
    return {Come: "come", Exit: "exit", Move: "move", Report: "thought"}.get(type(act))


class Scenes:
    """Draw the lines of a story one after another, and follow what they come to."""

    def __init__(self, stream: Stream, world: World) -> None:
        self.stream, self.n_agents, self.world = stream, world.minds.n_agents, world
        self.lines: list[Event] = []

    def add(self, line: Event | None) -> None:
        """Add a line, if there is one."""
        if line is not None:
            self.lines.append(line)
            self.world = step(self.world, line)

    def where(self, inside: int) -> list[int]:
        """Return who is in the room, or is not, besides the player."""
        return [agent for agent in range(1, self.n_agents) if self.world.inside >> agent & 1 == inside]

    def one(self, bank: Sequence[Any]) -> Any:
        """Draw one of some."""
        return bank[self.stream.below(len(bank))]

    def of_kind(self, kind: str) -> Event | None:
        """Draw a line of a kind by one of the others, None where nobody can do it."""
        stream, watching = self.stream, dict(self.world.watchers)
        inside, outside = self.where(1), [agent for agent in self.where(0) if agent not in watching]
        container = stream.below(CONTAINERS)
        if kind == "exit" and inside:
            return Exit(self.one(inside), ROOM)
        if kind == "come" and outside:
            return Come(self.one(outside), ROOM)
        if kind == "move" and inside and container != self.world.place:
            return Move(self.one(inside), THING, container)
        if kind == "watch" and outside:
            noticed = [agent for agent in watching if stream.below(2)]
            closed = {*noticed, *(other for agent in noticed for other in watching if watching[agent] >> other & 1)}
            return Watch(self.one(outside), ROOM, tuple(sorted(closed)))
        if kind == "tell":
            speaker = 1 + stream.below(self.n_agents - 1)
            near = [agent for agent in self.where(self.world.inside >> speaker & 1) if agent != speaker]
            hearers = () if stream.below(3) == 0 or not near else (self.one(near),)
            return Tell(speaker, hearers, THING, container)
        return None


def draw_story(stream: Stream, minds: Minds, watched: bool) -> tuple[Event, ...]:
    """Draw the story so far: all see the thing; some leave, move it, watch; perhaps a second chapter has begun."""
    scenes = Scenes(stream, empty(minds))
    scenes.add(Enter(tuple(stream.shuffled(range(minds.n_agents))), ROOM))
    scenes.add(Place(THING, stream.below(CONTAINERS)))
    leaves = stream.below(4)
    for number in range(5 + stream.below(4)):
        if number == leaves:
            scenes.add(Exit(PLAYER, ROOM))
        scenes.add(scenes.of_kind(scenes.one(("exit", "exit", "move", "move", "come", "tell"))))
        outside = scenes.where(0) + ([] if scenes.world.inside & 1 else [PLAYER])
        if number == 3 and outside and stream.below(3) == 0:
            scenes.add(Enter(tuple(stream.draw(outside, 1 + stream.below(len(outside)))), ROOM))
    for _ in range(1 + stream.below(2) if watched else stream.below(2)):
        scenes.add(scenes.of_kind("watch"))
    return tuple(scenes.lines)


def draw_script(stream: Stream, world: World, wish: Wish) -> tuple[Round, ...]:
    """Draw what the others do after each turn."""
    scenes = Scenes(stream, world)
    rounds, listeners = [], []
    if "no secrecy" in wish.fail or stream.below(3) == 0:
        listeners = stream.shuffled(range(1, scenes.n_agents))[: 1 + stream.below(2)]
    for _ in range(wish.turns):
        scenes.lines = []
        for _ in range(1 + stream.below(2)):
            scenes.add(scenes.of_kind(scenes.one(("exit", "exit", "come", "come", "move", "tell"))))
        listener = Overhear(scenes.one(listeners), ()) if listeners and stream.below(3) else None
        rounds.append(Round(listener, tuple(scenes.lines)))
    return tuple(rounds)


def draw_plan(stream: Stream, setting: "Setting", wish: Wish) -> list[Act] | None:
    """Draw acts that do something, each in a turn of its own, one of the kind wished for; None where none are found."""
    acting, world = stream.draw(range(wish.turns), wish.acts), setting.start()
    plan: list[Act] = []
    for turn, after in enumerate(setting.game.script):
        act = None
        if turn in acting:
            able = useful(world, wish.depth, setting.memo)
            kinds = [kind for kind in able for _ in range(KINDS[kind])]
            if wish.key in able and wish.key not in map(kind_of, plan):
                kinds.append(wish.key)
            alike = able[kinds[stream.below(len(kinds))]]
            act = alike[stream.below(len(alike))]
        plan.append(act)
        world = play(world, act, after)
    return plan if wish.key in map(kind_of, plan) else None


def useful(world: World, depth: int, memo: dict[tuple, dict]) -> dict[str, list[Act]]:
    """Return the acts that can be done and, if they are claims, teach a chain of a goal something, by kind."""
    key = world.inside, world.gone, world.watchers, world.place
    if key in memo:
        return memo[key]
    able: dict[str, list[Act]] = memo.setdefault(key, {})
    claims, others = kinds_of(world.minds.n_agents, CONTAINERS)
    for alike in (*claims, *([act] for act in others)):
        if fault(world, alike[0]) is None:
            claim = isinstance(alike[0], Tell | Report)
            taught = world.minds.heard(world, alike[0]) if claim else ()
            if not claim or taught and len(world.minds.chains[taught[0]]) <= depth:
                able.setdefault(kind_of(alike[0]), []).extend(alike)
    return able


class Setting:
    """Know where a story with its script starts by each meaning, and what plans that need no thought come to."""

    def __init__(self, game: Game) -> None:
        self.game, self.memo = game, {}
        self.start = lru_cache(self._start)

    def _start(self, rule: Rule = RULES["recursive"]) -> World:
        return told_of(self.game, Minds(self.game.n_agents, chains_of(self.game.n_agents), rule))

    @cached_property
    def natural(self) -> list[World]:
        """The ends of natural plans: to wait, and to claim a container publicly at once, at last, or having come in."""
        said = [Tell(PLAYER, (), THING, container) for container in range(CONTAINERS)]
        before = [[], [None] * (self.game.turns - 1), [Come(PLAYER, ROOM)]]
        plans = [[], *([*first, act] for first in before for act in said)]
        return [ended(self.game, plan, self.start()) for plan in plans]


class Rivals:
    """Choose goals among some of which each rival end misses one; rivals are added as they are found."""

    def __init__(self, options: list[Goal]) -> None:
        self.options, self.n_rivals = options, 0
        self.broken = [0] * len(options)  # by goal: the rivals that miss it, as bits

    def unlike(self, end: World) -> bool:
        """Let some goal be missed at this end, too; return whether one can be."""
        for place, goal in enumerate(self.options):
            self.broken[place] |= (not goal.met(end)) << self.n_rivals
        self.n_rivals += 1
        return any(broken >> self.n_rivals - 1 for broken in self.broken)

    def goals(self, stream: Stream, depth: int) -> tuple[Goal, ...] | None:
        """Return goals of which each rival misses one, the longest of a depth; None where none are found."""
        for _ in range(4):
            chosen: list[int] = []
            lacking = (1 << self.n_rivals) - 1
            places = stream.shuffled(range(len(self.options)))
            while lacking and len(chosen) < GOALS:
                chains = {place: self.options[place].chain for place in places if self.broken[place] & lacking}
                used = [self.options[place].chain for place in chosen]
                able = [place for place in chains if chains[place] not in used]
                able = able if chosen else [place for place in able if len(chains[place]) == depth]
                if not able:
                    break
                able.sort(key=lambda place: -(self.broken[place] & lacking).bit_count())
                chosen.append(able[stream.below(min(3 if not chosen else 2, len(able)))])
                lacking &= ~self.broken[chosen[-1]]
            if not lacking:
                return tuple(self.options[place] for place in stream.shuffled(chosen))
        return None


def readings(game: Game) -> tuple[Rule, ...]:
    """Return other ways to read the rules: each must find the same least number of acts, and win by it."""
    watched = any(isinstance(event, Watch) for event in game.story)
    return (speaker_everywhere, *(OF_WATCHERS if watched else ()))


def goals_about(chain: Chain, end: World) -> list[Goal]:
    """Return what holds of a chain at the end."""
    right = end.believed(chain) == end.believed(chain[1:])
    return [Goal(IS, chain, end.believed(chain)), Goal(RIGHT if right else WRONG, chain)]


def templates(game: Game) -> Iterator[list[Act]]:
    """Yield the plans of at most two acts that need no thought, with all names filled in."""
    come, leave = Come(PLAYER, ROOM), Exit(PLAYER, ROOM)
    first = {"move": [[come]], "claim": [[come], []], "thought": [[leave]]}
    for act in acts_of(game.n_agents, game.n_containers):
        yield from ([*before, act] for before in first.get(kind_of(act), []))


def draw_game(stream: Stream, acts: int, depth: int) -> Game:
    """Draw an episode of a cell. Raises ValueError for a cell that does not exist."""
    if (acts, depth) not in CELLS:
        raise ValueError(f"no episodes have {acts} acts and depth {depth}; (acts, depth) is one of {CELLS}")
    fail = failing(stream, acts, depth)
    while True:
        wish = wished(stream, acts, depth, fail)
        for _ in range(PATIENCE):
            game = drawn_game(stream, wish)
            if game:
                return game


def drawn_game(stream: Stream, wish: Wish) -> Game | None:
    """Draw some stories, scripts and plans; return the first game of them that is as wished for, None for none."""
    minds = Minds(wish.n_agents, chains_of(wish.n_agents))
    for _ in range(STORIES):
        story = draw_story(stream, minds, "no secrecy" in wish.fail)
        world = told_of(Game(wish.n_agents, CONTAINERS, story, (), ()), minds)
        setting = Setting(Game(wish.n_agents, CONTAINERS, story, draw_script(stream, world, wish), (), wish.acts))
        for _ in range(PLANS):
            plan = draw_plan(stream, setting, wish)
            chosen = plan and with_goals(stream, setting, plan, wish)
            if chosen:
                return chosen
    return None


def rival_ends(stream: Stream, setting: Setting, plan: list[Act], wish: Wish) -> Iterator[World]:
    """Yield ends at which some goal is to be missed: what wrong meanings expect, without an act, and natural ones."""
    game, start = setting.game, setting.start()
    for name in wish.fail:
        if name in RULES_OF and stream.below(4):
            yield ended(game, plan, setting.start(RULES_OF[name]))
        elif name == "no script" and stream.below(2):
            yield ended(replace(game, script=(Round(None, ()),) * game.turns), plan, start)
    for turn, act in enumerate(plan):
        if act is not None:
            yield ended(game, [*plan[:turn], None, *plan[turn + 1 :]], start)
    yield from setting.natural if wish.depth > 1 else setting.natural[:1]


def with_goals(stream: Stream, setting: Setting, plan: list[Act], wish: Wish) -> Game | None:
    """Return a game with goals that a plan reaches and is needed for, None where none are found.

    Each plan that shows a fault of the goals becomes a rival, and other goals are chosen.
    """
    game, end = setting.game, ended(setting.game, plan, setting.start())
    read = [ended(game, plan, setting.start(rule)) for rule in readings(game)]
    options = [goal for chain in end.minds.chains if len(chain) <= wish.depth for goal in goals_about(chain, end)]
    options = [goal for goal in options if all(map(goal.met, read)) and not all(map(goal.met, setting.natural))]
    rivals = Rivals(options)
    if not all(map(rivals.unlike, rival_ends(stream, setting, plan, wish))):
        return None
    for _ in range(ROUNDS):
        goals = rivals.goals(stream, wish.depth)
        if goals is None:
            break
        found = faults(stream, replace(game, goals=goals), wish)
        if not found:
            return replace(game, goals=goals) if found is None else None
        for rival in found:
            rivals.unlike(ended(game, rival, setting.start()))
    return None


def faults(stream: Stream, game: Game, wish: Wish) -> list[list[Act]] | None:
    """Return plans that show what an episode falls short of, perhaps none; None where it falls short of nothing."""
    start = told_of(game, game.minds())
    simple = [saying(game), *templates(game)] if wish.depth > 1 else []
    if won := [plan for plan in simple if wins(game, plan, start)]:
        return won
    truth = Model().plans(game)
    least = truth.least()
    if least != wish.acts:
        return [truth.drawn(stream)] if least is not None else []
    for name in wish.fail:
        if name in MODELS:
            plans = MODELS[name].plans(game)
            drawn = [plans.drawn(stream, game.script) for _ in range(LUCK)]
        else:
            drawn = [PLAYERS[name](game, stream) for _ in range(2 * LUCK)]
        if won := [plan for plan in drawn if wins(game, plan, start)]:
            return won
    for rule in readings(game):
        other = Model(rule).plans(game)
        if other.least() != wish.acts or not wins(game, other.drawn(stream), start):
            return []
    return None
