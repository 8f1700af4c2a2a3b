"""Which two questions are one problem, whatever the names."""

from dataclasses import replace
from functools import cache

from tom_datasets.story.config import DEEP
from tom_datasets.story.rows import plan_of, problem_keys, story_rows
from tom_datasets.syntax.events import Lose, Names, Story
from tom_datasets.syntax.record import dumps, loads, spell

CONFIG = replace(DEEP, train=None, validation=None, test=6, scorer=None)
PLAN = plan_of(CONFIG, "test")


@cache
def rows_of(index):
    return story_rows(CONFIG, "test", index, *PLAN[index])


def renamed(rows):
    """Return rows with other names."""
    story, names, thing = loads(rows[0]["events"])
    others = Names(*(tuple(f"x{word}" if word != "waiting_room" else word for word in bank) for bank in (
        names.agents, names.rooms, names.things, names.containers, names.items, names.animals)))  # fmt: skip
    events = dumps([spell(event, others) for event in story.events], others.things[thing])
    return [{**row, "events": events, "chain": [f"x{agent}" for agent in row["chain"]]} for row in rows]


def test_names_do_not_count():
    for index in range(6):
        assert problem_keys(renamed(rows_of(index))) == problem_keys(rows_of(index))


def test_questions_and_stories_differ():
    keys = [key for index in range(6) for key in problem_keys(rows_of(index))]
    assert len(set(keys)) == 30


def test_a_distraction_changes_nothing_and_a_move_does():
    rows = rows_of(0)
    story, names, thing = loads(rows[0]["events"])
    words = replace_items(names)
    longer = Story(story.n_agents, (Lose(1, 0), *story.events))
    told = dumps([spell(event, words) for event in longer.events], names.things[thing])
    assert problem_keys([{**row, "events": told} for row in rows]) == problem_keys(rows)
    fewer = dumps([spell(event, names) for event in story.events[:-1]], names.things[thing])
    assert problem_keys([{**rows[0], "events": fewer}]) != problem_keys(rows[:1])


def replace_items(names):
    """Return names with a thing that can be lost."""
    return Names(names.agents, names.rooms, names.things, names.containers, ("watch", *names.items), names.animals)
