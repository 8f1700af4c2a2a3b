"""How `show` prints a story: its questions, the line that taught each answer, and why later lines did not."""

import re
from argparse import Namespace
from collections import defaultdict
from dataclasses import asdict
from string import ascii_uppercase
from typing import Any

from ..columns import Row
from ..configs import DRAWN, Built, Find, shown_config
from ..errors import UserError
from ..story.config import CONFIGS, SPLITS, StoryConfig, order_name
from ..story.meaning import SEMANTICS, SLOTS, lessons_about, teacher, teaching_line
from ..story.readings import believed, steps_of
from ..story.reasons import obstacle_of, reason_of, say_obstacle
from ..story.rows import plan_of, story_rows
from ..syntax.record import question_of
from ..wording.languages import templates

ID = re.compile(rf"(?:([a-z_]+)-)?({'|'.join(SPLITS)})-(\d{{6,}})(?:-(\d+))?")
"""The id of a question, or of a story without the order: its config, split, index and order."""


def show(rows: list[Row], built: Built) -> None:
    """Print one story, its questions, the line that taught each answer, and why no later line did."""
    words = templates(built.fields["language"]).get_template("show.jinja").module
    print(f"{rows[0]['story_id']}\n\n{rows[0]['story']}")
    for row in rows:
        show_question(row, built.fields["semantics"], words)
    print()


def chosen_rows(args: Namespace, find: Find) -> tuple[list[Row], Built]:
    """Return the rows of the questions that the options name, and where their story comes from."""
    config, split, index, order = args.config, args.split, args.index, None
    if args.id:
        config, split, index, order = parts_of(args.id)
    built = rows_of_build(args, find, config, split, index)
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
    if match is None or match[1] and not StoryConfig(name=match[1]).prefix:
        raise UserError(f"--id is {name!r}; expected the id of a row, such as deep-test-000404-4, or of a story")
    family, split, index, order = match.groups()
    return family or "all", split, int(index), None if order is None else int(order)


def rows_of_build(args: Namespace, find: Find, config: str, split: str, index: int) -> Built | None:
    """Return the rows of a story of a build in the order of their orders, None where they are to be drawn."""
    family = StoryConfig(name=config).prefix
    built = find(split, "story_id", f"{family}{split}-{index:06d}")
    if built is None:
        return None
    rows = built.rows
    if not family and config != "all":
        rows = [row for row in rows if order_name(row["order"]) == config]
        if not rows:
            raise UserError(f"{args.out / args.dataset} has no {config}")
    return built._replace(rows=sorted(rows, key=lambda row: row["order"]))


def show_question(row: dict[str, Any], semantics: str, words: Any) -> None:
    """Print a question, its choices and its answer, why its line taught it, and why no later line did."""
    story, names, question = question_of(row)
    chain, taught = question.chain, lessons_about(story, question.thing)
    choices = [f"{letter}. {choice}" for letter, choice in zip(ascii_uppercase, row["choices"], strict=False)]
    line = teaching_line(story, taught, chain, semantics)
    reason = reason_of(teacher(taught, chain, semantics), chain, names, words)
    print(f"\n{row['question']}\n  {', '.join(choices)}")
    print(f"  {choices[row['answer_index']]}, taught by line {line + 1}: {reason}")
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
    if row["readings"]:
        print(f"  {words.disputed(other_answers(row))}")


def other_answers(row: dict[str, Any]) -> list[tuple[list[str], str | None]]:
    """Return the answers that readings give to a disputed question, None for no answer, each after its readings."""
    story, names, question = question_of(row)
    steps, whole = steps_of(story, question.chain, question.thing), (1 << len(question.chain)) - 1
    answers: dict[str | None, list[str]] = defaultdict(list)
    for reading in row["readings"]:
        container = believed(steps, whole, reading)
        answers[None if container is None else names.containers[container]].append(reading)
    return [(readings, container) for container, readings in answers.items()]
