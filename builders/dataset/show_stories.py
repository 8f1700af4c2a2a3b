"""How `show` prints a story: its questions, the line that taught each answer, and why later lines did not."""

import re
from argparse import Namespace
from dataclasses import asdict
from typing import Any

from ..errors import UserError
from ..story.config import ALL, DEEP, FAMILIES, LADDER, ORDERS, REPRODUCTION, SPLITS, TOMH, order_name
from ..story.meaning import SEMANTICS, SLOTS, Lesson, lessons_about, teacher, teaching_line
from ..story.readings import believed, steps_of
from ..story.reasons import obstacle_of, reason_of, say_obstacle
from ..story.rows import plan_of, story_rows
from ..syntax.events import Names, Story
from ..syntax.record import loads
from ..wording.languages import templates
from .shown import DRAWN, Built, print_origin, rows_beside, shown_config

CONFIGS = (ALL, *ORDERS, TOMH, REPRODUCTION, DEEP, LADDER)
ID = re.compile(rf"(?:({'|'.join(FAMILIES[1:])})-)?({'|'.join(SPLITS)})-(\d{{6,}})(?:-(\d+))?")
"""The id of a question, or of a story without the order: its config, split, index and order."""


def show_story(dataset: Any, args: Namespace) -> None:
    """Print one story of the default sizes or of a build. Raises UserError where there is no such story."""
    rows, built = chosen_rows(dataset, args)
    story, names, thing = loads(rows[0]["events"])
    taught = lessons_about(story, thing)
    words = templates(built.fields["language"]).get_template("show.jinja").module
    print(f"{rows[0]['story_id']}\n\n{rows[0]['story']}")
    for row in rows:
        show_question(row, story, taught, names, built.fields["semantics"], words)
        if row["readings"]:
            print(f"  {words.disputed(other_answers(row, story, thing, names))}")
    print()
    print_origin("stories", built)


def chosen_rows(dataset: Any, args: Namespace) -> tuple[list[dict[str, Any]], Built]:
    """Return the rows of the questions that the options name, and where their story comes from."""
    config, split, index, order = args.config, args.split, args.index, None
    if args.id:
        config, split, index, order = parts_of(args.id)
    built = rows_of_build(dataset, args, config, split, index)
    if built is None:
        chosen = shown_config(CONFIGS, config, split, args.seed or 0, index)
        built = Built(story_rows(chosen, split, index, *plan_of(chosen, split)[index]), asdict(chosen), DRAWN)
    orders = sorted(row["order"] for row in built.rows)
    rows = [row for row in built.rows if order in (None, row["order"])]
    if not rows:
        raise UserError(f"{args.id} is no question; its story has the orders {', '.join(map(str, orders))}")
    return rows, built


def parts_of(name: str) -> tuple[str, str, int, int | None]:
    """Return the config, split, index and order of an id. Raises UserError for another text."""
    match = ID.fullmatch(name)
    if match is None:
        raise UserError(f"--id is {name!r}; expected the id of a row, such as deep-test-000404-4, or of a story")
    family, split, index, order = match.groups()
    return family or "all", split, int(index), None if order is None else int(order)


def rows_of_build(dataset: Any, args: Namespace, config: str, split: str, index: int) -> Built | None:
    """Return the rows of a story of a build in the order of their orders, None where they are to be drawn."""
    family = f"{config}-" if config in FAMILIES[1:] else ""
    built = rows_beside(dataset, args, split, "story_id", f"{family}{split}-{index:06d}")
    if built is None:
        return None
    rows = built.rows
    if not family and config != "all":
        rows = [row for row in rows if order_name(row["order"]) == config]
        if not rows:
            raise UserError(f"{args.out / dataset.name} has no {config}")
    return built._replace(rows=sorted(rows, key=lambda row: row["order"]))


def show_question(
    row: dict[str, Any], story: Story, taught: list[Lesson], names: Names, semantics: str, words: Any
) -> None:
    """Print a question, its choices and its answer, why its line taught it, and why no later line did."""
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    print(f"\n{row['question']}")
    print("  " + ", ".join(f"{chr(ord('A') + i)}. {choice}" for i, choice in enumerate(row["choices"])))
    line = teaching_line(story, taught, chain, semantics)
    print(f"  {chr(ord('A') + row['answer_index'])}. {row['answer']}, taught by line {line + 1}: ", end="")
    print(reason_of(teacher(taught, chain, semantics), chain, names, words))
    for lesson in taught:
        if lesson.line > line and (chain or lesson.speaker >= 0):  # who comes in later changes nothing real
            obstacle = say_obstacle(obstacle_of(lesson, chain, semantics), names, words)
            print(f"    not by line {lesson.line + 1}: {obstacle}")
    facts = [f"effective order {row['effective_order']}", f"slot: {SLOTS[row['answer_slot']]}"]
    if row["order_sensitive"]:
        facts.append("another order of the agents has another answer")
    if row["semantics_agree"] is False:
        other = next(name for name in SEMANTICS if name != semantics)
        lesson = teacher(taught, chain, other)
        facts.append(f"under {other} semantics: {names.containers[lesson.container]}, line {lesson.line + 1}")
    if row["undisputed"]:
        facts.append(words.undisputed())
    print(f"  {'; '.join(facts)}")


def other_answers(row: dict[str, Any], story: Story, thing: int, names: Names) -> list[tuple[list[str], str | None]]:
    """Return the answers that readings give to a disputed question, None for no answer, each after its readings."""
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    steps, whole = steps_of(story, chain, thing), (1 << len(chain)) - 1
    readings: dict[int | None, list[str]] = {}
    for reading in row["readings"]:
        readings.setdefault(believed(steps, whole, reading), []).append(reading)
    return [
        (agreeing, None if container is None else names.containers[container])
        for container, agreeing in readings.items()
    ]
