"""Own how `show` prints a story: its questions, the line that taught each answer, and why later lines did not."""

from typing import Any

from builders.dataset.shown import shown_config
from builders.story.config import ALL, DEEP, ORDERS, REPRODUCTION, TOMH
from builders.story.meaning import SEMANTICS, SLOTS, Lesson, lessons_about, obstacle, teacher
from builders.story.record import loads
from builders.story.rows import plan_of, story_rows
from builders.story.syntax import Names
from builders.voice import templates


def show_story(config: str, split: str, seed: int, index: int) -> None:
    """Print one story of the default sizes. Raises UserError where there is no such story."""
    settings = shown_config((ALL, *ORDERS, TOMH, REPRODUCTION, DEEP), config, split, seed, index)
    rows = story_rows(settings, split, index, *plan_of(settings, split)[index])
    story, names, thing = loads(rows[0]["events"])
    taught = lessons_about(story, thing)
    words = templates(settings.language).get_template("show.jinja").module if settings.family == "deep" else None
    print(f"{rows[0]['story_id']}\n\n{rows[0]['story']}")
    for row in rows:
        show_question(row, taught, names, settings.semantics, words)


def show_question(row: dict[str, Any], taught: list[Lesson], names: Names, semantics: str, words: Any) -> None:
    """Print a question, its choices and its answer; where there are words for it, also why each line taught or not."""
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    print(f"\n{row['question']}")
    print("  " + ", ".join(f"{chr(ord('A') + i)}. {choice}" for i, choice in enumerate(row["choices"])))
    line = teacher(taught, chain, semantics).line
    print(f"  {chr(ord('A') + row['answer_index'])}. {row['answer']}, taught by line {line + 1}", end="")
    print(f": {reason_of(taught, chain, names, words)}" if words else "")
    for lesson in taught if words else []:
        if lesson.line > line:
            print(f"    not by line {lesson.line + 1}: {obstacle_of(lesson, chain, names, words)}")
    facts = [f"effective order {row['effective_order']}", f"slot: {SLOTS[row['answer_slot']]}"]
    if row["order_sensitive"]:
        facts.append("another order of the agents has another answer")
    if row["semantics_agree"] is False:
        other = next(name for name in SEMANTICS if name != semantics)
        lesson = teacher(taught, chain, other)
        facts.append(f"under {other} semantics: {names.containers[lesson.container]}, line {lesson.line + 1}")
    print(f"  {'; '.join(facts)}")


def reason_of(taught: list[Lesson], chain: tuple[int, ...], names: Names, words: Any) -> str:
    """Return how a chain was taught what it believes, in the words of the macros of show.jinja."""
    lesson = teacher(taught, chain, "recursive")
    minds = [names.agents[agent] for agent in chain]
    if not chain:
        return words.placed()
    if lesson.speaker < 0:
        return words.saw(minds) if lesson.minds >> chain[0] & 1 else words.watched(minds[0], minds[1:])
    speaker, means = names.agents[lesson.speaker], chain[-1] == lesson.speaker
    last = len(chain) - 1 - means
    if not lesson.trusting >> chain[last] & 1:
        return words.taken(speaker, minds[last])
    return words.trusts(minds[last], speaker, means, minds[:last] if lesson.watching >> chain[last] & 1 else [])


def obstacle_of(lesson: Lesson, chain: tuple[int, ...], names: Names, words: Any) -> str:
    """Return why a lesson did not teach a chain, in the words of the macros of show.jinja."""
    kind, agents = obstacle(lesson, chain)
    return words.obstacle(kind, [names.agents[agent] for agent in agents], names.agents[lesson.speaker])
