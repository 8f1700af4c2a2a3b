"""How an episode is drawn: a story, a script and a plan at random, then goals that this plan reaches, then proofs.

What an episode must be like is settled first, by its seed and index alone: its cell, the kinds of its acts, and the
players who must fail. Draws that fall short are thrown away.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import chain as joined
from itertools import cycle, islice
from operator import and_, or_

from ...groups import grouped_by
from ...streams import Stream
from ...syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Tell, Watch
from ..interpretations import speaker_everywhere
from ..meaning import Lines, each
from ..shortcuts import FORGETFUL
from .game import Game, Round, ended, goal_at, play, wins
from .solve import MISTAKEN, Plans, plans_of, ways_of
from .world import BITS, FIELD, MOST_CONTAINERS, PLAYER, ROOM, THING, Act, World, acts_of, every, step

CONTAINERS = MOST_CONTAINERS  # of an episode
# The least number of acts and the depth of episodes.
CELLS = tuple((acts, depth) for depth in (1, 2, 3) for acts in (1, 2, 3, 4) if (acts, depth) != (4, 1))
# Kinds of acts, and how often each is drawn where it can be done.
KINDS = {"move": 1, "claim": 2, "tell": 3, "thought": 3, "come": 1, "exit": 2}
GOALS = 3  # the most goals of an episode
# How often a player who must fail is let play, twice as often if he does not search: some acts are alike to him.
LUCK = 3
ROUNDS = 12  # rivals that are found and met by other goals before a plan is given up
STORIES, PLANS = 50, 24  # stories with scripts before other acts are wished for, and plans for each story
# Kinds of acts: each episode has an act of one of them for sure, in equal shares.
KEYS = ("move", "claim", "tell", "thought", "thought")
# Kinds of lines of the story so far, and of the script, as often as they are drawn.
TOLD, DONE = ("exit", "exit", "move", "move", "come", "tell"), ("exit", "exit", "come", "come", "move", "tell")
# On how many of a hundred episodes from depth 2 and two acts on each of these players is made to fail; the one who wins
# most often comes first, as his plans are asked first.
FAILS = {"greedy": 95, "no secrecy": 75, "no script": 65, "one mind less": 75, "no trust": 75}
# Players who must think that the plan itself misses a goal: in all plans but one of this many.
DISSUADED = {"no trust": 4, "no secrecy": 4, "no script": 2}
# Other ways to read what the rules say of watchers.
OF_WATCHERS = tuple(FORGETFUL[name] for name in ("watching trusts", "others' watching ignored", "all watching known"))


def kind_of(act: Act) -> str:
    """Return the kind of an act: one of KINDS, or "wait"."""
    if isinstance(act, Tell):
        return "tell" if act.hearers else "claim"
    return {Come: "come", Exit: "exit", Move: "move", Report: "thought"}.get(type(act), "wait")


def draw_line(stream: Stream, world: World, kind: str) -> Event | None:
    """Draw a line of a kind by one of the others, or of the player who leaves; None where it cannot be."""
    everyone, watching, container = range(1, world.n_agents), dict(world.watchers), stream.below(CONTAINERS)
    inside = [agent for agent in everyone if world.inside >> agent & 1]
    outside = [agent for agent in everyone if agent not in [*inside, *watching]]
    able = {"exit": inside, "move": inside, "tell": everyone, "leave": [PLAYER]}.get(kind, outside)
    if not able:
        return None
    agent = able[stream.below(len(able))]
    match kind:
        case "exit" | "leave":
            return Exit(agent, ROOM)
        case "come":
            return Come(agent, ROOM)
        case "move":
            return None if container == world.place else Move(agent, THING, container)
        case "watch":
            noticed = [other for other in watching if stream.below(2)]
            closed = {*noticed, *(third for other in noticed for third in watching if watching[other] >> third & 1)}
            return Watch(agent, ROOM, tuple(sorted(closed)))
        case "tell":
            near = [other for other in everyone if world.together(agent, other) and other != agent]
            return Tell(agent, tuple(stream.draw(near, 1)) if near and stream.below(3) else (), THING, container)
        case "chapter":
            return Enter(tuple(stream.draw(outside, 1 + stream.below(len(outside)))), ROOM)
    return None


def draw_lines(stream: Stream, world: World, kinds: Iterable[str]) -> tuple[tuple[Event, ...], World]:
    """Draw a line of each kind, one after another, without those that cannot be; return the world after them, too."""
    lines: list[Event] = []
    for kind in kinds:
        if line := draw_line(stream, world, kind):
            lines.append(line)
            world = step(world, line)
    return tuple(lines), world


def draw_story(stream: Stream, n_agents: int, watched: bool) -> tuple[tuple[Event, ...], World]:
    """Draw the story so far: all see the thing; some leave, move it, watch; perhaps a second chapter has begun."""
    entered = tuple(stream.shuffled(range(n_agents)))
    first: tuple[Event, ...] = Enter(entered, ROOM), Place(THING, stream.below(CONTAINERS))
    kinds = [TOLD[stream.below(len(TOLD))] for _ in range(5 + stream.below(4))]
    if stream.below(3) == 0:
        kinds.insert(4, "chapter")
    kinds.insert(stream.below(4), "leave")
    kinds += ["watch"] * (stream.below(2) + watched)
    lines, world = draw_lines(stream, reduce(step, first, World(n_agents)), kinds)
    return (*first, *lines), world


def draw_script(stream: Stream, world: World, turns: int, overheard: bool) -> tuple[Round, ...]:
    """Draw what the others do after each turn; overheard: whether there are listeners for sure."""
    rounds: list[Round] = []
    listeners: list[int] = []
    if overheard or stream.below(3) == 0:
        listeners = stream.shuffled(range(1, world.n_agents))[: 1 + stream.below(2)]
    for _ in range(turns):
        lines, world = draw_lines(stream, world, [DONE[stream.below(len(DONE))] for _ in range(1 + stream.below(2))])
        listener = Overhear(stream.draw(listeners, 1)[0], ()) if listeners and stream.below(3) else None
        rounds.append(Round(listener, lines))
    return tuple(rounds)


def simple_plans(game: Game, *kinds: str) -> Iterator[list[Act]]:
    """Yield the plans of at most two acts that need no thought, the last of a kind, with all names; first, to wait."""
    come, leave = Come(PLAYER, ROOM), Exit(PLAYER, ROOM)
    waits: list[Act] = [None] * (game.turns - 1)
    before: dict[str, list[list[Act]]] = {"claim": [[], waits, [come]], "move": [[come]], "thought": [[leave]]}
    yield []
    for act in acts_of(game.n_agents, game.n_containers):
        yield from ([*first, act] for first in (before[kind_of(act)] if kind_of(act) in kinds else ()))


@lru_cache(maxsize=8)
def simple_ends(game: Game, *kinds: str) -> set[int]:
    """Return the signs of the ends of `simple_plans`."""
    return {ended(game, plan).signs for plan in simple_plans(game, *kinds)}


@lru_cache(maxsize=64)
def doings(game: Game, turn: int, world: World, chains: int) -> dict[str, list[Act]]:
    """Return the acts in a `bare` world before a turn that make a difference to goals about some chains, by kind."""
    able: list[Act] = []
    ways = ways_of(world, game.script[turn], CONTAINERS)
    (quiet, (update, *_)), *_ = ways.items()
    for after, updates in ways.items():
        for other, acts in updates.items():
            if after != quiet or (other ^ update) & FIELD * chains:
                able += acts
    return grouped_by(kind_of, able)


def draw_plan(stream: Stream, game: Game, depth: int, key: str | None) -> tuple[list[Act], World] | None:
    """Draw acts that do something, each in a turn of its own, one of the kind `key`; None where none are found.

    The other part is the world at the end.
    """
    world, chains = game.start, every(game.n_agents, 1, depth)
    plan: list[Act] = []
    acting = stream.draw(range(game.turns), game.acts)
    for turn, after in enumerate(game.script):
        act = None
        if turn in acting:
            able = doings(game, turn, world.bare(), chains)
            if not able:
                return None
            kinds = [kind for kind in able for _ in range(KINDS[kind])]
            kind = key if turn >= acting[0] and key in able else kinds[stream.below(len(kinds))]
            key = None if kind == key else key
            act = able[kind][stream.below(len(able[kind]))]
        plan.append(act)
        world = play(world, act, after)
    return None if key else (plan, world)


def choose_goals(stream: Stream, missed: set[int], deep: int) -> list[int] | None:
    """Choose goals so that each rival misses one, the first among `deep`; None where none are found.

    missed: the goals that each rival misses. Who misses all that another one does is not looked at.
    """
    least = [goals for goals in missed if not any(other & goals == other != goals for other in missed)]
    for _ in range(4):
        chosen: list[int] = []
        lacking, able = least, deep
        while lacking and len(chosen) < GOALS:
            options = stream.shuffled(each(reduce(or_, lacking) & able))
            if not options:
                break
            options.sort(key=lambda goal: -sum(goals >> goal & 1 for goals in lacking))
            goal = options[stream.below(min(2 if chosen else 3, len(options)))]
            chosen.append(goal)
            able = ~sum(FIELD << goal // BITS * BITS for goal in chosen)
            lacking = [goals for goals in lacking if not goals >> goal & 1]
        if not lacking:
            return stream.shuffled(chosen)
    return None


@lru_cache(maxsize=8)
def interpretations(game: Game) -> tuple[Game, ...]:
    """Return a game by other ways to read the rules: each must have the same least number of acts, and be won by it."""
    watched = any(isinstance(event, Watch) for event in game.story)
    rules: tuple[Lines, ...] = (speaker_everywhere, *(OF_WATCHERS if watched else ()))
    return tuple([replace(game, rule=rule) for rule in rules])


def draw_game(stream: Stream, acts: int, depth: int) -> Game:
    """Draw an episode of a cell, one of CELLS."""
    fail = tuple(name for name, share in FAILS.items() if depth > 1 < acts and stream.below(100) < share)
    # The player must come in to move the thing. From depth 2 on neither these two acts nor a claim alone may win.
    least = {"move": 2 + (depth > 1), "claim": 1 + (depth > 1)}
    keys = [kind for kind in KEYS if acts >= least.get(kind, 1) and (kind, depth) != ("thought", 1)]
    while True:
        n_agents, turns, (key,) = 4 + stream.below(2), acts + stream.below(2), stream.draw(keys, 1)
        for _ in range(STORIES):
            story, world = draw_story(stream, n_agents, "no secrecy" in fail)
            script = draw_script(stream, world, turns, "no secrecy" in fail)
            told = Game(n_agents, CONTAINERS, story, script, (), acts)
            for _ in range(PLANS):
                drawn = draw_plan(stream, told, depth, key)
                game = drawn and with_goals(stream, told, *drawn, depth, fail)
                if game:
                    return game


def rival_signs(stream: Stream, game: Game, plan: list[Act], depth: int, fail: Iterable[str]) -> Iterator[int]:
    """Yield the signs of ends where some goal is to be missed: by wrong meanings, without thought."""
    for name in fail:
        if name in DISSUADED and stream.below(DISSUADED[name]):
            yield ended(plans_of(game, MISTAKEN[name]).game, plan).signs
    if depth > 1:
        yield from simple_ends(game, "claim") | simple_ends(game, "move", "thought")
    else:
        yield from simple_ends(game)


def with_goals(stream: Stream, told: Game, plan: list[Act], end: World, depth: int, fail: Iterable[str]) -> Game | None:
    """Return a game with goals that a plan reaches at its end and is needed for, None where none are found.

    Each plan that shows a fault of the goals becomes a rival, and other goals are chosen.
    """
    able = end.signs & FIELD * every(told.n_agents, 1, depth)
    fewer = [[*plan[:turn], None, *plan[turn + 1 :]] for turn, act in enumerate(plan) if act is not None]
    without = [ended(told, other).signs for other in fewer]
    if not all(able & ~signs for signs in without):
        return None  # an act does nothing: most plans end here, so the rest is not looked at before
    able &= ~reduce(and_, simple_ends(told, "claim"))
    for interpretation in interpretations(told):
        able &= ended(interpretation, plan).signs
    missed: set[int] = set()  # the goals that each rival misses
    for signs in joined(without, rival_signs(stream, told, plan, depth, fail)):
        missed.add(able & ~signs)
        if 0 in missed:
            return None
    for _ in range(ROUNDS):
        chosen = choose_goals(stream, missed, FIELD * every(told.n_agents, depth, depth))
        if chosen is None:
            return None
        game = replace(told, goals=tuple(goal_at(place, told.n_agents) for place in chosen))
        found = faulty(stream, game, fail)
        if not found:
            return game if found is None else None
        missed.add(able & ~ended(told, found).signs)
    return None


def saying(game: Game) -> list[Act]:
    """Return what a player does who claims each goal publicly; of what is to be right where the thing is."""
    place = game.start.place
    said = [Tell(PLAYER, (), THING, place if goal.container is None else goal.container) for goal in game.goals]
    return [*islice(cycle(said), game.turns)]


def plan_by(name: str, game: Game, stream: Stream) -> list[Act]:
    """Draw what one of the players of FAILS does."""
    mistaken = [MISTAKEN[name]] if name in MISTAKEN else []  # the cache of `plans_of` takes a None for another game
    return plans_of(game, *mistaken).drawn(stream, ahead=name != "greedy")


def faulty(stream: Stream, game: Game, fail: Iterable[str]) -> list[Act] | None:
    """Return a plan that shows what an episode falls short of, perhaps an empty one; None where it does of nothing."""
    if game.depth > 1 and wins(game, saying(game)):
        return saying(game)
    for name in fail:
        for _ in range(LUCK if name in MISTAKEN else 2 * LUCK):
            plan = plan_by(name, game, stream)
            if wins(game, plan):
                return plan
    least = plans_of(game).least()
    if least is not None and least < game.acts:  # nor is it above them: the plan that was drawn reaches the goals
        return plans_of(game).drawn(stream)
    for interpretation in interpretations(game):
        reader = Plans(interpretation)
        if reader.least() != game.acts or not wins(game, reader.drawn(stream)):
            return []
    return None
