"""How an episode with a partial view is drawn: a story, what may have happened, a script and goals, then a climb.

For each script many sets of goals are judged at once (`Reached`): on some alternatives, by how often players win who do
not find out first. From the best sets a climb goes on. Alternatives are added one by one: each must lose by the plan
that wins in most of those before, and leave them all to be won for sure. Where too few are found, or where such players
win too often, some are exchanged. What stands at the end is what `standing` finds no fault with.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from typing import NamedTuple

from ....streams import Stream
from ....syntax.events import Come, Enter, Event, Exit, Move, Overhear, Place, Report, Tell, Watch
from ...interpretations import speaker_everywhere
from ...meaning import Chain
from ...shortcuts import FORGETFUL
from ..game import IS, RIGHT, WRONG, Goal
from ..world import PLAYER, ROOM, THING, World, chains_of, step
from .game import Avowal, Deed, Partial, Response, play
from .players import hindsight_of, share_of
from .policy import Policy, policy_of
from .reached import Reached
from .solve import Policies, SinglePlan

AGENTS, CONTAINERS = 4, 4  # of an episode


class Cell(NamedTuple):
    """Say how large an episode is."""

    alternatives: int
    turns: int  # in which one policy wins whatever is true, and in no fewer
    depth: int  # the longest chain of a goal


CELLS = tuple(Cell(*cell) for cell in ((4, 3, 1), (6, 3, 2), (8, 4, 2), (8, 4, 3), (10, 5, 3), (12, 6, 3)))
ON_REQUEST = (Cell(16, 7, 3), Cell(24, 8, 3))
# How many of a hundred episodes let the player make public claims; and how many of those with more than three turns
# must have two questions on some branch.
PUBLIC, QUESTIONS = 50, 60
# The most of a hundred alternatives in which one plan may win, and these players may; of few alternatives it is half.
SINGLE, LURED, LOSERS = 40, 50, {"one alternative": 45, "no trust": 50, "no secrecy": 50}
FEW = 4
PATIENCE = 60  # after so many stories one question is enough
FIRSTS = 4  # the most first lines that keep the win
# Other ways to read what the rules say of watchers. That whoever watched trusts nobody is said outright.
OF_WATCHERS = FORGETFUL["others' watching ignored"], FORGETFUL["all watching known"]
POOL, DRAWS = 100, 400  # the most alternatives that a story has, and how many are drawn for that
ABLE = 4  # how many of them are tried at a time for each of an episode
SCRIPTS, GROWN = 2, 8  # scripts for each story, and how often alternatives are exchanged
CHAINS, GOALS, SETS, BEST = 5, 150, 6, 4  # chains of a script, sets of goals, of alternatives for each, and the best
MORE = 8  # alternatives besides those of an episode, for which goals are judged
LOOK, TRIED = 6, 30  # alternatives that are compared, and tried, before one is added
STATES = 6000  # states after which a search is given up, for each turn above the third
# Kinds of lines of the story, of what may have happened, and of what the others do, as often as they are drawn.
TOLD = ("exit", "exit", "move")
HAPPENED = ("exit",) * 2 + ("move",) * 2 + ("come",) + ("watch",) * 2 + ("tell",) * 4 + ("thought",) * 2
DONE = ("exit", "come", "come", "move", "tell", "avow", "avow", "avow")
KINDS = RIGHT, RIGHT, WRONG, IS  # of goals, as often as they are drawn
Score = tuple[int, int, int]  # how far alternatives came, how many they are, and less in how many of them one plan wins
TOO_LARGE, GROWING, TO_SPARE, UNASKED, WEAK = range(5)  # how far they came


def draw_line(stream: Stream, world: World, kind: str) -> Event | None:
    """Draw a line of a kind by one of the others; None where it cannot be."""
    others, watching = range(1, world.n_agents), dict(world.watchers)
    inside = [agent for agent in others if world.inside >> agent & 1]
    outside = [agent for agent in others if agent not in [*inside, *watching]]
    able = {"exit": inside, "move": inside, "tell": others, "thought": others}.get(kind, outside)
    if not able:
        return None
    agent, container = able[stream.below(len(able))], stream.below(CONTAINERS)
    match kind:
        case "exit":
            return Exit(agent, ROOM)
        case "come":
            return Come(agent, ROOM)
        case "move":
            return None if container == world.place else Move(agent, THING, container)
        case "watch":
            return Watch(agent, ROOM, tuple(sorted(watching)) if stream.below(2) else ())
    near = [other for other in others if world.together(agent, other) and other != agent]
    if not near:
        return None
    hearer = near[stream.below(len(near))]
    if kind == "tell":
        return Tell(agent, (hearer,), THING, container)
    minds = [other for other in others if other not in (agent, hearer)]
    return Report(agent, (hearer,), (minds[stream.below(len(minds))],), THING, container)


def draw_listener(stream: Stream, claim: Tell | Report) -> Overhear | None:
    """Draw who overhears a private claim that names neither him nor his thoughts."""
    named = (claim.speaker, *claim.hearers, *getattr(claim, "chain", ()))
    able = [agent for agent in range(1, AGENTS) if agent not in named]
    return Overhear(able[stream.below(len(able))], ()) if able else None


def draw_lines(stream: Stream, world: World, count: int, kinds: Sequence[str]) -> tuple[tuple[Event, ...], World]:
    """Draw some lines, perhaps fewer; return the world after them, too."""
    lines: list[Event] = []
    for _ in range(2 * count):
        if len(lines) == count:
            break
        if world.claim and stream.below(2):
            line: Event | None = draw_listener(stream, world.claim)
        else:
            line = draw_line(stream, world, kinds[stream.below(len(kinds))])
        if line:
            lines.append(line)
            world = step(world, line)
    return tuple(lines), world


@dataclass
class Setting:
    """Hold a story and what may have happened since, all with the same agents in the room at the end."""

    story: tuple[Event, ...]
    pool: list[tuple[Event, ...]]
    worlds: list[World]
    # By chain in how many pairs of the pool it believes differently: what is worth finding out.
    spread: dict[Chain, int]


def draw_setting(stream: Stream) -> Setting | None:
    """Draw a story and what may have happened since; None where all or none of the others would be in the room."""
    first: tuple[Event, ...] = Enter(tuple(range(AGENTS)), ROOM), Place(THING, stream.below(CONTAINERS))
    world = reduce(step, first, World(AGENTS))
    lines, world = draw_lines(stream, world, 1 + stream.below(3), TOLD)
    world = step(world, Exit(PLAYER, ROOM))
    pools: dict[int, dict[World, tuple[Event, ...]]] = {}
    for _ in range(DRAWS):
        happened, after = draw_lines(stream, world, 2 + stream.below(3), HAPPENED)
        pool = pools.setdefault(after.inside, {})
        if happened and len(pool) < POOL:
            pool.setdefault(after._replace(claim=None), happened)
    pool = max(pools.values(), key=len)
    worlds = [*pool]
    if not 0 < worlds[0].inside.bit_count() < AGENTS - 1 if worlds else True:
        return None
    spread = {}
    for chain in chains_of(AGENTS):
        counts = Counter(world.believed(chain) for world in worlds)
        spread[chain] = len(worlds) ** 2 - sum(count**2 for count in counts.values())
    return Setting((*first, *lines, Exit(PLAYER, ROOM)), [*pool.values()], worlds, spread)


def weighted(stream: Stream, weights: dict[Chain, int]) -> Chain:
    """Draw a chain, each as often as its weight."""
    chains, upto = [*weights], [*accumulate(weights.values())]
    return chains[bisect(upto, stream.below(upto[-1]))]


def draw_deed(stream: Stream) -> Deed:
    """Draw what one of the others may do."""
    kind, agent = DONE[stream.below(len(DONE))], 1 + stream.below(AGENTS - 1)
    match kind:
        case "exit":
            return Exit(agent, ROOM)
        case "come":
            return Come(agent, ROOM)
        case "move":
            return Move(agent, THING, stream.below(CONTAINERS))
        case "avow":
            return Avowal(agent)
    hearers = [other for other in range(AGENTS) if other != agent]
    return Tell(agent, tuple(stream.draw(hearers, 1)) if stream.below(3) else (), THING, stream.below(CONTAINERS))


def draw_response(stream: Stream, setting: Setting) -> Response:
    """Draw what the others do after a turn: nothing, something, or something that hangs on a mind."""
    listener = Overhear(1 + stream.below(AGENTS - 1), ()) if stream.below(4) == 0 else None
    kind = stream.below(5)
    if kind < 2:
        return Response(listener, (), 0, draw_deed(stream) if kind else None)
    minds = {chain: spread**2 // (len(chain) or 1) for chain, spread in setting.spread.items() if 1 <= len(chain) <= 2}
    chain = weighted(stream, minds)
    deed, container = draw_deed(stream), stream.below(CONTAINERS)
    other = draw_deed(stream) if stream.below(2) else None
    return Response(listener, chain, container, deed, None if other == deed else other)


def draw_script(stream: Stream, setting: Setting, turns: int) -> tuple[Response, ...]:
    """Draw what the others do after each turn; nothing that could never be done, whatever is true."""
    script: list[Response] = []
    inside = {setting.worlds[0].inside}  # who may be in the room
    while len(script) < turns:
        response = draw_response(stream, setting)
        deeds = [deed for deed in (response.deed, response.otherwise) if deed is not None]
        if all(any(may_be_done(deed, some) for some in inside) for deed in deeds):
            script.append(response)
            ways = [deed for deed in deeds if isinstance(deed, (Come, Exit))]
            inside |= {some ^ 1 << way.agent for way in ways for some in inside if may_be_done(way, some)}
    return tuple(script)


def may_be_done(deed: Deed, inside: int) -> bool:
    """Return whether somebody may do something while some are in the room, and the player anywhere."""
    if isinstance(deed, (Come, Exit, Move)):
        return bool(inside >> deed.agent & 1) != isinstance(deed, Come)
    if isinstance(deed, Tell):
        others = [agent for agent in (deed.speaker, *deed.hearers) if deed.hearers and agent != PLAYER]
        return len({inside >> agent & 1 for agent in others}) < 2
    return True


def draw_chains(stream: Stream, setting: Setting, depth: int) -> list[Chain]:
    """Draw the chains that goals may be about, the first of them as long as the longest may be."""
    square = len(setting.worlds) ** 2
    # What others are to be right or wrong about should be worth finding out.
    weights = {
        chain: 20 * setting.spread[chain[1:]] ** 2 + square**2 for chain in setting.spread if 1 <= len(chain) <= depth
    }
    drawn = [weighted(stream, {chain: weight for chain, weight in weights.items() if len(chain) == depth})]
    while len(drawn) < min(CHAINS, len(weights)):
        drawn.append(weighted(stream, {chain: weight for chain, weight in weights.items() if chain not in drawn}))
    return drawn


def draw_goals(stream: Stream, chains: Sequence[Chain], count: int) -> tuple[Goal, ...]:
    """Draw goals about some chains; one of them is about a longest one."""
    longest = max(map(len, chains))
    while True:
        chosen = stream.draw(chains, min(count, len(chains)))
        if max(map(len, chosen)) == longest:
            kinds = [KINDS[stream.below(len(KINDS))] for _ in chosen]
            return tuple(
                Goal(kind, chain, stream.below(CONTAINERS) if kind == IS else None)
                for kind, chain in zip(kinds, chosen, strict=True)
            )


class Growing:
    """Choose alternatives for a script and goals, among those of a setting."""

    def __init__(self, game: Partial, setting: Setting, cell: Cell, able: Sequence[int]) -> None:
        self.game, self.setting, self.cell, self.able = game, setting, cell, able
        self.policies = Policies(game)
        self.single = SinglePlan(self.policies)
        self.allowed, self.allowed_lured = most_single(cell), most_lured(cell)
        self.states: dict[int, int] = {}
        self.hopeless: set[int] = set()  # alternatives that need all turns or more even if they are known
        self.limit = states_of(cell)

    def state(self, place: int) -> int:
        """Return the state of an alternative of the pool."""
        if place not in self.states:
            self.states[place] = self.policies.state(self.setting.worlds[place])
            if self.policies.least_known(0, self.states[place]) >= self.game.turns:
                self.hopeless.add(place)
        return self.states[place]

    def node(self, places: Sequence[int]) -> frozenset[int]:
        """Return the states of some alternatives."""
        return frozenset(map(self.state, places))

    def most(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives one plan wins."""
        return self.single.most([self.state(place) for place in places]) if places else 0

    def lured(self, places: Sequence[int]) -> int:
        """Return in how many of some alternatives, which are all there are, the player `hindsight` wins."""
        return self._lured(0, [self.state(place) for place in places])

    def _lured(self, turn: int, states: list[int]) -> int:
        policies = self.policies
        if turn == policies.turns:
            return sum(map(policies.met, states))
        parts: dict[int, list[int]] = {}
        number = hindsight_of(policies, turn, states)
        for state in states:
            seen, then = policies.moved(turn, state, number)
            parts.setdefault(seen, []).append(then)
        return sum(self._lured(turn + 1, part) for part in parts.values())

    def grown(self, stream: Stream, kept: Sequence[int]) -> tuple[Score, list[int]]:
        """Return alternatives among which are some, and how good they are."""
        policies, cell, single = self.policies, self.cell, self.single
        chosen = [*kept]
        node = self.node(chosen)
        if chosen and (self.hopeless.intersection(chosen) or not policies.sure(0, node, cell.turns)):
            chosen = []
        order, most = stream.shuffled(self.able), self.most(chosen)
        refused: set[int] = set()
        while len(chosen) < cell.alternatives:
            node, few = self.node(chosen), len(chosen) < 3
            plan = single.plan(node) if chosen else []
            options: list[tuple[int, int, int]] = []
            tried = 0
            for place in order:
                if len(policies.states) > self.limit:
                    return (TOO_LARGE, len(chosen), -most), chosen
                state = self.state(place)
                if place in self.hopeless or place in refused or state in node or chosen and single.wins(state, plan):
                    continue
                tried += 1
                if tried > TRIED:
                    break
                if not policies.sure(0, node | {state}, cell.turns):
                    refused.add(place)
                    continue
                more = [*chosen, place]
                options.append((0 if few else self.most(more) + self.lured(more), len(options), place))
                if len(options) == (1 if few else LOOK):
                    break
            if not options:
                return (GROWING, len(chosen), -most), chosen
            _, _, place = min(options)
            chosen.append(place)
            most = self.most(chosen)
            if most > max(self.allowed, (len(chosen) + 1) // 2 + (len(chosen) < 5)):
                return (GROWING, len(chosen), -most), chosen
        lured = self.lured(chosen)
        return (self._stage(self.node(chosen), most, lured), len(chosen), -most - lured), chosen

    def _stage(self, node: frozenset[int], most: int, lured: int) -> int:
        if most > self.allowed or lured > self.allowed_lured:
            return GROWING
        if self.policies.sure(0, node, self.cell.turns - 1):
            return TO_SPARE
        return UNASKED if self.policies.sure(0, node, self.cell.turns, asking=False) else WEAK


class Wishes(NamedTuple):
    """Say what an episode must be like besides its cell."""

    public: bool  # whether the player may claim something publicly
    questions: int  # that some branch must have


def draw_wishes(stream: Stream, cell: Cell) -> Wishes:
    """Draw what an episode must be like. In three turns there is seldom time for a second question."""
    public, questions = stream.below(100) < PUBLIC, stream.below(100) < QUESTIONS
    return Wishes(public, 1 + (cell.turns > 3 and questions))


def draw_partial(stream: Stream, cell: Cell) -> tuple[Partial, Policy]:
    """Draw an episode of a cell, and a policy that wins it whatever is true."""
    wishes = draw_wishes(stream, cell)
    attempts = 0
    while True:
        attempts += 1
        if attempts == PATIENCE:
            wishes = Wishes(wishes.public, 1)
        setting = draw_setting(stream)
        if setting and len(setting.pool) >= 3 * cell.alternatives:
            for _ in range(SCRIPTS):
                found = found_in(stream, setting, cell, wishes)
                if found:
                    return found


def found_in(stream: Stream, setting: Setting, cell: Cell, wishes: Wishes) -> tuple[Partial, Policy] | None:
    """Return an episode of a setting that stands, None where one script with many sets of goals gives none."""
    script = draw_script(stream, setting, cell.turns)
    game = Partial(
        AGENTS, CONTAINERS, setting.story, tuple(setting.pool), script, (), wishes.public, pairs=cell.depth > 2
    )
    places = stream.draw(range(len(setting.pool)), min(len(setting.pool), cell.alternatives + MORE))
    chains = draw_chains(stream, setting, cell.depth)
    reached = Reached(game, chains, [setting.worlds[place] for place in places], states_of(cell))
    if reached.large:
        return None
    ends = [idle(script, setting.worlds[place]) for place in places]
    options = []
    long = max(0, cell.turns - 4)  # whoever has more turns can do more: he gets more goals, and good ones are rarer
    for number in range(GOALS * (1 + long)):
        goals = draw_goals(stream, chains, 3 + stream.below(2) + min(long, 1))
        if not needed(goals, ends):
            continue
        needs = reached.judge(goals)
        able = [place for place, need in enumerate(needs) if need < cell.turns]
        if len(able) < cell.alternatives or sum(need == 0 for need in needs) > cell.alternatives // 3:
            continue
        sets = [stream.draw(able, cell.alternatives) for _ in range(SETS)]
        lured, chosen = min((reached.lured(some), some) for some in sets)
        most = reached.most(chosen) if lured <= most_lured(cell) else cell.alternatives
        if most <= most_single(cell) + 1 and needed(goals, [ends[place] for place in chosen]):
            options.append((lured + 2 * most, number, goals, [places[place] for place in chosen]))
    for _, _, goals, chosen in sorted(options, key=lambda option: option[:2])[:BEST]:
        found = grown_best(stream, replace(game, goals=goals), setting, cell, chosen, wishes)
        if found:
            return found
    return None


def idle(script: tuple[Response, ...], world: World) -> World:
    """Return the world at the end where the player waits."""
    for response in script:
        _, world = play(world, None, response)
    return world


def needed(goals: tuple[Goal, ...], ends: Sequence[World]) -> bool:
    """Return whether each goal is missed at some end where the player waited."""
    return all(any(not goal.met(end) for end in ends) for goal in goals)


def most_single(cell: Cell) -> int:
    """Return in how many alternatives one plan may win."""
    return cell.alternatives // 2 if cell.alternatives <= FEW else cell.alternatives * SINGLE // 100


def most_lured(cell: Cell) -> int:
    """Return in how many alternatives the player `hindsight` may win."""
    return cell.alternatives * (75 if cell.alternatives <= FEW else LURED) // 100


def states_of(cell: Cell) -> int:
    """Return after how many states a search is given up."""
    return STATES * max(1, cell.turns - 3)


def grown_best(
    stream: Stream, game: Partial, setting: Setting, cell: Cell, chosen: list[int], wishes: Wishes
) -> tuple[Partial, Policy] | None:
    """Return an episode that stands, with the best alternatives of some tries; None where none does."""
    pool = range(len(setting.pool))
    tried = stream.draw(pool, min(ABLE * cell.alternatives, len(pool)))
    growing = Growing(game, setting, cell, [*chosen, *(place for place in tried if place not in chosen)])
    best: Score = (TOO_LARGE, 0, 0)
    for number in range(GROWN):
        score, places = growing.grown(stream, stream.draw(chosen, len(chosen) // 2))
        if score[0] == WEAK:
            whole = replace(game, alternatives=tuple(setting.pool[place] for place in stream.shuffled(places)))
            policy = standing(whole, growing.policies, wishes)
            if policy:
                return whole, policy
        if score[0] == TOO_LARGE:
            return None
        if score >= best:
            best, chosen = score, places
        if number == 0 and score[1] < FEW or number == 3 and best[1] < cell.alternatives:
            return None
    return None


def interpretations(game: Partial) -> list[Partial]:
    """Return an episode by other ways to read the rules: each must be won by the same policy."""
    watched = any(isinstance(line, Watch) for lines in game.alternatives for line in lines)
    return [replace(game, rule=rule) for rule in (speaker_everywhere, *(OF_WATCHERS if watched else ()))]


def standing(game: Partial, policies: Policies, wishes: Wishes) -> Policy | None:
    """Return a policy that wins an episode, None where something is wrong with the episode.

    policies: those of an episode that differs in its alternatives alone.
    """
    node = frozenset(map(policies.state, game.starts))
    if not needed(game.goals, [idle(game.script, start) for start in game.starts]):
        return None
    if len(policies.winning_firsts(node)) > FIRSTS:
        return None
    policy = policy_of(policies, game)
    if policy.questions() < wishes.questions:
        return None
    if any(not policy.wins(read) for read in interpretations(game)):
        return None
    if len(game.alternatives) > FEW:
        fresh = Policies(game)
        if any(share_of(fresh, name) * 100 > most for name, most in LOSERS.items()):
            return None
    return policy
