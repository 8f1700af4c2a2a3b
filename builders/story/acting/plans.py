"""The family of `plans`: an episode of the game as one question, with four courses of action of which one is right.

The wrong ones are what players do who search all plans by a wrong meaning. The column `query` has the episode as JSON.
"""

import json
from collections.abc import Callable
from itertools import chain, islice
from string import ascii_uppercase
from typing import Any

from ...columns import Row
from ...splits import ENGLISH
from ...streams import Stream, stream
from ...syntax.events import Enter, Names, Overhear, Report, Story, Tell
from ...syntax.record import dumps, loads, spell
from ...wording.stories import voice
from ..abilities.rows import UNKNOWN
from ..family import Drawn, Family, lettered
from ..meaning import RULES
from .draw import CELLS, CONTAINERS, KINDS, draw_game, kind_of, readings
from .episode import Episode, words_of
from .game import Game, Goal, Round, met, play, told_of, wins
from .solve import MODELS, Plans, plans_of
from .world import Act, acts_of, fault

PLANNED = tuple(cell for cell in CELLS if min(cell) > 1)
"""The cells of episodes that are asked: those where players by a wrong meaning are made to fail."""
N_WRONG, DRAWS = 3, 6
"""How many courses are wrong; how often each of the players plays until there are as many."""
UNASKED = {**UNKNOWN, "kind": None, "explanation": None}
"""Columns of questions about one belief, which are empty here."""


def plan(config: Any, stream: Stream, size: int) -> list[tuple[tuple[int, int], dict[int, int]]]:
    """Plan a split: cells and letters in equal shares."""
    return lettered(stream, [PLANNED[place % len(PLANNED)] for place in stream.shuffled(range(size))], [0])


def check(config: Any) -> None:
    """Raise ValueError for a split that there is not."""
    if others := set(config.sizes()) - {"test"}:
        raise ValueError(
            f"{min(others)} is {getattr(config, min(others))!r}; plans has a test split alone: None is right"
        )


def winning(game: Game, plan: list[Act]) -> list[bool]:
    """Return whether a plan wins, first by the rules, then by each other reading of them."""
    rules = (RULES["recursive"], *readings(game))
    return [wins(game, plan, told_of(game, rule)) for rule in rules]


def courses(game: Game, drawn: Stream) -> list[list[Act]] | None:
    """Return a plan that wins, and three of players by a wrong meaning that do not, by no reading; None for none."""
    right = plans_of(game).drawn(drawn)
    wrong: list[list[Act]] = []
    models = {name: model.plans(game) for name, model in MODELS.items()}
    for name in [name for _ in range(DRAWS) for name in drawn.shuffled(MODELS)]:
        rival = filled(game, models[name], drawn) if len(wrong) < N_WRONG else None
        if rival and rival not in wrong and not any(winning(game, rival)):
            wrong.append(rival)
    return [right, *wrong] if all(winning(game, right)) and len(wrong) == N_WRONG else None


def can_be(game: Game, plan: list[Act]) -> bool:
    """Return whether each act of a plan can be done in its turn."""
    world = told_of(game)
    for act, after in zip(plan, game.script, strict=True):
        if fault(world, act):
            return False
        world = play(world, act, after)
    return True


def filled(game: Game, plans: Plans, drawn: Stream) -> list[Act] | None:
    """Return a plan that is best to a player and has as many acts as are enough, None for none.

    Where he needs fewer he adds some that he takes to be harmless: the number of acts must not give the answer away.
    """
    start, plan = plans.start, plans.drawn(drawn, game.script)
    hoped = met(plans.game, plan, start)
    while (lacking := plan.count(None) - (game.turns - game.acts)) > 0:
        kinds = drawn.shuffled(KINDS)
        others = sorted(
            drawn.shuffled(acts_of(game.n_agents, CONTAINERS)[1:]), key=lambda act: kinds.index(kind_of(act))
        )
        waits = [turn for turn, act in enumerate(plan) if act is None]
        tried = ([*plan[:turn], act, *plan[turn + 1 :]] for act in others for turn in drawn.shuffled(waits))
        plan = next((other for other in tried if can_be(game, other) and met(plans.game, other, start) >= hoped), None)
        if plan is None:
            return None
    return plan if lacking == 0 else None


def plan_rows(config: Any, split: str, index: int, cell: Any, letters: dict[int, int], tell: Callable) -> list[Row]:
    """Make the row of an episode of a cell, whose answer has a letter; `tell` names a story and gives its columns."""
    key, attempt, found = ("hi_tom", "plans", config.seed, split, index), 0, None
    while found is None:
        game = draw_game(stream(*key, attempt, "problem"), *cell)
        found, attempt = courses(game, stream(*key, attempt, "courses")), attempt + 1
    right, *wrong = found
    chapters = sum(isinstance(event, Enter) for event in game.story)
    claims = any(isinstance(event, Tell | Report) for event in game.story)
    story = Story(game.n_agents, game.story)
    names, shared = tell(index, Drawn(story, (), [game.depth], claims, game.n_agents, chapters, 2, 1, CONTAINERS))
    episode = Episode(game, names, config.language, cell, config.seed, index)
    place = letters[0] % len(found)
    choices = [episode.course(acts) for acts in (*wrong[:place], right, *wrong[place:])]
    return [
        {
            **shared,
            **UNASKED,
            "id": f"{shared['story_id']}-{game.depth}",
            "question": episode.question,
            "choices": choices,
            "answer": choices[place],
            "answer_index": place,
            "order": game.depth,
            "chain": [],
            "undisputed": True,
            "readings": [],
            "query": dumps_game(game, names),
        }
    ]


def dumps_game(game: Game, names: Names) -> str:
    """Return what follows a story as one line of JSON: agents, the player first; least acts, script and goals."""
    query = {
        "agents": names.agents,
        "containers": names.containers,
        "acts": game.acts,
        "script": [
            [spell(event, names) for event in (after.listener, *after.events) if event] for after in game.script
        ],
        "goals": [
            [kind, [names.agents[agent] for agent in minds], None if place is None else names.containers[place]]
            for kind, minds, place in game.goals
        ],
    }
    return json.dumps(query, ensure_ascii=False, separators=(",", ":"))


def episode_of_row(row: Row, language: str = ENGLISH) -> Episode:
    """Return the episode that a row of `plans` asks about. Raises ValueError for a row that cannot be read."""
    try:
        query, record = json.loads(row["query"]), json.loads(row["events"])
        asked, first = record["asked"], record["events"]
        # Agents and containers get their numbers in the order in which the query lists them.
        listed = [["Enter", query["agents"], first[0][2]], *(["Place", asked, name] for name in query["containers"])]
        told, names, _ = loads(dumps([*listed, *first, *chain.from_iterable(query["script"])], asked))
        events = iter(told.events[len(listed) :])
        story = tuple(islice(events, len(first)))
        script = [tuple(islice(events, len(after))) for after in query["script"]]
        heard = [tuple(line for line in after[:1] if isinstance(line, Overhear)) for after in script]
        goals = [
            Goal(kind, tuple(map(names.agents.index, agents)), name and names.containers.index(name))
            for kind, agents, name in query["goals"]
        ]
        game = Game(
            told.n_agents,
            len(names.containers),
            story,
            tuple(Round(*(own or (None,)), after[len(own) :]) for own, after in zip(heard, script, strict=True)),
            tuple(goals),
            query["acts"],
        )
    except (LookupError, TypeError) as error:
        raise ValueError(f"the query of a row cannot be read: {row['query']!r:.80} ({error})") from None
    return Episode(game, names, language, (game.acts, game.depth), row["seed"], 0)


def explain_plan_row(row: Row, language: str = ENGLISH) -> str:
    """Return which goals each course of action of a row reaches, and the answer."""
    episode, words = episode_of_row(row, language), words_of(language)
    lines = []
    for letter, choice in zip(ascii_uppercase, row["choices"], strict=False):
        episode.reset()
        for line in episode.lines_of(choice):
            episode.step(line)
        lines.append(words.outcome(letter, episode.goals()))
    return "\n".join([*lines, voice(language).explanations.answer(row["answer"])])


PLANS = Family(plan, None, ("language",), single=True, watched=True, claims_given=True, check=check, rows=plan_rows)
"""Episodes with four courses of action each."""
