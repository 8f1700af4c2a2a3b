"""The family of `plans`: an episode of the game as one question, with four courses of action, one of them right.

The wrong ones are what players do who search all plans by a wrong meaning. The column `query` has the episode as JSON.
"""

import json
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import accumulate, count
from typing import Any

from ...columns import Row
from ...splits import ENGLISH
from ...streams import Stream, stream
from ...syntax.events import Enter, Event, Names, Overhear, Report, Story, Tell
from ...syntax.record import Interned, event_of, numbered_event, numbers_of, spell
from ...witness import UnfitError, searched
from ..abilities.rows import UNKNOWN, Telling
from ..family import DrawnStory, Family, lettered
from ..interpretations import INTERPRETATIONS, LAST_EXIT, believed
from .draw import CELLS, CONTAINERS, draw_game, interpretations, kind_of
from .episode import Episode
from .game import IS, RIGHT, Game, Goal, Round, ended, heard_by, lines_of, minds_of, wins
from .solve import MISTAKEN, plans_of
from .world import THING, Act, step

# The cells of episodes that are asked: those where players by a wrong meaning are made to fail.
PLANNED = tuple(cell for cell in CELLS if min(cell) > 1)
# How many courses are wrong; how often each player plays; from how many wrong plans they are drawn, and how often.
N_WRONG, DRAWS, POOL, BALANCED = 3, 128, 48, 12
# Kinds of acts that are counted together.
COUNTED = {"claims": ("claim",), "moves": ("move",), "told": ("tell", "thought"), "ways": ("come", "exit")}
# What the first or the last act of a course may be.
ENDS = {"coming first": (0, "come")} | {f"{kind} last": (-1, kind) for kind in ("exit", "come", "move", "claim")}
# How much more likely each of what is `counted` makes a course to be right, in powers of two.
#
# They were fitted on what players plan. Wrong courses are drawn so much more often, and right ones less.
LOOKS = {
    "coming first": 7, "exit last": -11, "come last": -5, "move last": -3, "claim last": -4, "goals said": -2,
    "containers of goals": 2, "overheard": 4, "told": -2,
}  # fmt: skip
# How many of the wrong courses shall have less than the right one, where that is not any number.
WISHES = {"claims": (1, 2, 3), "containers of goals": (0, 1)}
# Columns of questions about one belief, which are empty here.
UNASKED: Row = {**UNKNOWN, "kind": None, "explanation": None, "chain": []}
# The interpretation that may give another answer. The rules of the game say that of several exits the latest one before
# a claim counts; this interpretation looks at exits after the claim too, and so would dispute most episodes.
SETTLED = LAST_EXIT


def plan(config: Any, stream: Stream, size: int) -> list[tuple[tuple[int, int], dict[int, int]]]:
    """Plan a split: cells and letters in equal shares."""
    return lettered(stream, [PLANNED[place % len(PLANNED)] for place in stream.shuffled(range(size))], [0])


def check(config: Any) -> None:
    """Raise ValueError where a config has another split than test."""
    for split, size in config.sizes().items():
        if split != "test":
            raise ValueError(f"{split} is {size!r}; plans has only a test split: leave it None")


def whole_story(game: Game, plan: list[Act]) -> Story:
    """Return the story of an episode with all that happens in its turns."""
    world, events = game.start, [*game.story]
    for act, after in zip(plan, game.script, strict=True):
        lines = lines_of(world, act, after)
        events += lines
        world = reduce(step, lines, world)
    return Story(game.n_agents, tuple(events))


def disputing(game: Game, plan: list[Act]) -> list[str]:
    """Return the interpretations of the whole story under which a plan wins although it does not, or the reverse."""
    story, won = whole_story(game, plan), wins(game, plan)

    def met(goal: Goal, interpretation: str) -> bool:
        own = believed(story, goal.chain, THING, interpretation)
        if goal.kind == IS:
            return own == goal.container
        return (own == believed(story, goal.chain[1:], THING, interpretation)) == (goal.kind == RIGHT)

    return [
        interpretation
        for interpretation in INTERPRETATIONS
        if all(met(goal, interpretation) for goal in game.goals) != won
    ]


def winning(game: Game, plan: list[Act]) -> list[bool]:
    """Return whether a plan wins, first by the rules, then by each other interpretation of them."""
    return [wins(read, plan) for read in (game, *interpretations(game))]


def courses(game: Game, drawn: Stream) -> tuple[list[list[Act]], list[list[Act]]]:
    """Return plans that win, and plans of players by a wrong meaning that do not, by no interpretation.

    All have as many acts as are enough. A player who needs fewer adds some that he takes to be harmless: the number of
    acts must not give the answer away.
    """
    right: list[list[Act]] = []
    wrong: list[list[Act]] = []
    for number in range(DRAWS):
        if len(wrong) >= POOL:
            break
        plan = plans_of(game).drawn(drawn)
        if plan not in right and all(winning(game, plan)):
            right.append(plan)
        for mistaken in MISTAKEN.values():
            plan = plans_of(game, mistaken).drawn(drawn, sparing=number % 2 == 0)
            enough = plan.count(None) == game.turns - game.acts
            if enough and plan not in wrong and not any(winning(game, plan)):
                wrong.append(plan)
    return right, wrong


def counted(episode: Episode, plans: list[list[Act]]) -> Iterator[dict[str, int]]:
    """Yield what can be counted of each of some courses of action without a thought of what they lead to."""
    goals, script, lines = episode.game.goals, episode.game.script, Counter(act for plan in plans for act in plan)
    named, said = {goal.container for goal in goals}, {(goal.chain, goal.container) for goal in goals}
    minds = {agent for goal in goals for agent in goal.chain}
    for plan in plans:
        kinds = [kind_of(act) for act in plan if act]
        contents = [(getattr(act, "chain", ()), getattr(act, "container", None)) for act in plan]
        yield {
            "characters": len(episode.course(plan)),
            **{name: int(kinds[place] == kind) for name, (place, kind) in ENDS.items()},
            "goals said": sum(content in said for content in contents),
            **{name: sum(kind in alike for kind in kinds) for name, alike in COUNTED.items()},
            "lines of others": sum(lines[act] for act in plan),
            "overheard": sum(bool(heard_by(after.listener, act)) for act, after in zip(plan, script, strict=True)),
            "containers of goals": sum(container in named for _, container in contents),
            "minds of goals": sum(len(minds.intersection(minds_of(act))) for act in plan),
        }


def chosen(drawn: Stream, episode: Episode, right: list[list[Act]], wrong: list[list[Act]]) -> list[list[Act]]:
    """Return a right plan and wrong ones, drawn so that nothing that is `counted` tells which one is right.

    Wrong ones that look right are drawn more often. How many of them shall have less of each than the right one is
    drawn, too; the best of some draws is taken.
    """
    likely, unlikely = looks(episode, wrong), [-look // 2 for look in looks(episode, right)]
    sets = [[*weighted(drawn, right, unlikely, 1), *weighted(drawn, wrong, likely, N_WRONG)] for _ in range(BALANCED)]
    names = next(counted(episode, right))
    wished = {name: drawn.draw(WISHES.get(name, range(N_WRONG + 1)), 1)[0] for name in names}

    def distance(plans: list[list[Act]]) -> float:
        """Return how far some courses are from what is wished; one near wish is worth more than two nearly met."""
        own, *others = counted(episode, plans)
        less = {name: sum((other[name] < own[name]) + (other[name] <= own[name]) for other in others) for name in own}
        return float(sum(abs(less[name] / 2 - wished[name]) ** 0.5 for name in own))

    return min(sets, key=distance)


def agreed(
    drawn: Stream, episode: Episode, right: list[list[Act]], wrong: list[list[Act]]
) -> tuple[list[list[Act]], list[str]]:
    """Return what is `chosen` of plans on which all interpretations but SETTLED agree, and which of them dispute it.

    There are no plans where too few are left.
    """
    while right and len(wrong) >= N_WRONG:
        plans = chosen(drawn, episode, right, wrong)
        disputed = [disputing(episode.game, plan) for plan in plans]
        refused = [
            plan for plan, interpretations in zip(plans, disputed, strict=True) if {*interpretations} - {SETTLED}
        ]
        if not refused:
            return plans, [SETTLED] if any(disputed) else []
        right, wrong = ([plan for plan in some if plan not in refused] for some in (right, wrong))
    return [], []


def looks(episode: Episode, plans: list[list[Act]]) -> list[int]:
    """Return how much each of some plans looks like a right one, by LOOKS."""
    return [sum(LOOKS[name] * counts[name] for name in LOOKS) for counts in counted(episode, plans)]


def weighted(drawn: Stream, plans: list[list[Act]], powers: list[int], count: int) -> list[list[Act]]:
    """Draw some plans, each with a weight that is a power of two."""
    weights, left, taken = [1 << power - min(powers) for power in powers], [*plans], []
    for _ in range(count):
        upto = [*accumulate(weights)]
        place = bisect(upto, drawn.below(upto[-1]))
        taken.append(left.pop(place))
        del weights[place]
    return taken


# An episode, its courses of action, the right one first, and which interpretations dispute one of them.
Courses = tuple[Game, list[list[Act]], list[str]]


def drawn_courses(seed: int, split: str, index: int, cell: Any, tell: Callable[[Game], tuple[Names, Row]]) -> Courses:
    """Draw an episode of a cell with a right course of action and wrong ones, by rejection sampling."""
    attempts = count()
    while True:
        key = "hi_tom", "plans", seed, split, index, next(attempts)
        game, drawn = draw_game(stream(*key, "problem"), *cell), stream(*key, "courses")
        names, _ = tell(game)
        plans, disputed = agreed(drawn, Episode(game, names, seed, index), *courses(game, drawn))
        if plans:
            return game, plans, disputed


def spelled_courses(drawn: Courses) -> list[Any]:
    """Return an episode with its courses of action as what JSON can hold, by numbers."""
    game, plans, _ = drawn
    script = [[told and numbers_of(told), [*map(numbers_of, lines)]] for told, lines in game.script]
    acts = [[act and numbers_of(act) for act in plan] for plan in plans]
    return [game.n_agents, [*map(numbers_of, game.story)], script, game.goals, game.acts, acts]


def numbered_act(numbers: list[Any] | None) -> Act:
    """Return the act of which `numbers_of` gave the numbers, None for none. Raises UnfitError for another event."""
    act = numbered_event(numbers) if numbers else None
    if not isinstance(act, Act):
        raise UnfitError(f"an act of the player is {numbers}; expected what he may do")
    return act


def read_courses(spelled: list[Any]) -> Courses:
    """Return the episode of which `spelled_courses` gave the numbers.

    Raises UnfitError where it has another least number of acts, where some course does not do what it should by all
    interpretations of the rules, and where interpretations of the story other than SETTLED dispute one.
    """
    n_agents, story, script, goals, acts, numbers = spelled
    rounds = [Round(listener_of(told, numbered_event), tuple(map(numbered_event, lines))) for told, lines in script]
    reached = tuple(Goal(kind, tuple(chain), container) for kind, chain, container in goals)
    game = Game(n_agents, CONTAINERS, tuple(map(numbered_event, story)), tuple(rounds), reached, acts)
    plans = [[numbered_act(act) for act in plan] for plan in numbers]
    if plans_of(game).least() != acts:
        raise UnfitError(f"the episode has another least number of acts; expected {acts}")
    right, *wrong = plans
    if not all(winning(game, right)) or any(won for plan in wrong for won in winning(game, plan)):
        raise UnfitError("some course of action wins or fails by one interpretation alone; expected all to agree")
    disputed = {interpretation for plan in plans for interpretation in disputing(game, plan)}
    if disputed - {SETTLED}:
        raise UnfitError(f"interpretations of the story other than {SETTLED} dispute a course; expected none")
    return game, plans, [*disputed]


def plan_rows(config: Any, split: str, index: int, cell: Any, letters: dict[int, int], tell: Telling) -> list[Row]:
    """Make the row of an episode of a cell, whose answer has a letter; `tell` names a story and gives its columns."""

    def told(game: Game) -> tuple[Names, Row]:
        chapters = sum(isinstance(event, Enter) for event in game.story)
        claims = any(isinstance(event, Tell | Report) for event in game.story)
        story = Story(game.n_agents, game.story)
        return tell(index, DrawnStory(story, (), [game.depth], claims, game.n_agents, chapters, 2, 1, CONTAINERS))

    search = partial(drawn_courses, config.seed, split, index, cell, told)
    game, plans, disputed = searched(f"{split} {index}", search, spelled_courses, read_courses)
    names, shared = told(game)
    episode = Episode(game, names, config.seed, index)
    first, *others = map(episode.course, plans)
    place = letters[0] % (N_WRONG + 1)
    return [
        {
            **shared,
            **UNASKED,
            "id": f"{shared['story_id']}-{game.depth}",
            "question": episode.question,
            "choices": [*others[:place], first, *others[place:]],
            "answer": first,
            "answer_index": place,
            "order": game.depth,
            "undisputed": not disputed,
            "readings": disputed,
            "query": dumps_game(game, names),
        }
    ]


def dumps_game(game: Game, names: Names) -> str:
    """Return what follows a story as one line of JSON: agents, the player first; least acts, script and goals."""
    script = [[told and spell(told, names), [spell(line, names) for line in lines]] for told, lines in game.script]
    query = {
        "agents": names.agents,
        "containers": names.containers,
        "acts": game.acts,
        "script": script,
        "goals": [goal.spelled(names) for goal in game.goals],
    }
    return json.dumps(query, ensure_ascii=False, separators=(",", ":"))


def episode_of_row(row: Row) -> Episode:
    """Return the episode that a row of `plans` asks about. Raises ValueError for a row that cannot be read."""
    try:
        query = json.loads(row["query"])
        interned = Interned(agents=query["agents"], containers=query["containers"])
        read = partial(event_of, number=0, interned=interned)
        story = tuple(map(read, json.loads(row["events"])["events"]))
        script = tuple(Round(listener_of(told, read), tuple(map(read, events))) for told, events in query["script"])
        names = interned.names()
        goals = tuple(
            Goal(kind, tuple(map(names.agents.index, agents)), place and names.containers.index(place))
            for kind, agents, place in query["goals"]
        )
        game = Game(len(names.agents), len(names.containers), story, script, goals, query["acts"])
    except (LookupError, TypeError) as error:
        raise ValueError(
            f"the query of a row cannot be read: {row['query']!r:.80} ({error}); expected one that a build wrote"
        ) from None
    return Episode(game, names, row["seed"], 0)


def listener_of(spelled: list[Any] | None, read: Callable[[list[Any]], Event]) -> Overhear | None:
    """Return who overhears what a player tells in private. Raises TypeError for another line."""
    listener = read(spelled) if spelled else None
    if not isinstance(listener, Overhear | None):
        raise TypeError(f"not a listener: {spelled!r}; expected an event Overhear")
    return listener


def keys(rows: list[Row]) -> list[str]:
    """Return the key of each question: the game that it asks about."""
    return [repr(episode_of_row(row).game) for row in rows]


def explain_plan_row(row: Row, language: str = ENGLISH) -> str:
    """Return which goals each course of action of a row reaches, and the answer; plans are in English only."""
    episode = episode_of_row(row)
    ends = [ended(episode.game, episode.plan_of(choice)) for choice in row["choices"]]
    return str(episode.words.explained([*map(episode.goals, ends)], row["answer"]))


# Episodes with four courses of action each.
PLANS = Family(
    plan,
    None,
    ("language",),
    casts=6,
    single=True,
    watched=True,
    check=check,
    rows=plan_rows,
    explain=explain_plan_row,
    keys=keys,
    chapter=Enter,
)
