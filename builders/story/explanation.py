"""Own the explanation of a hi_tom row: which lines taught the asked chain its belief, and why later ones did not.

It has one step a line: every line that taught the chain, with what the chain believes from there on; then the later
lines about the thing, with why they teach the chain nothing; then the answer. docs/explanations.md says it in full.
"""

from collections.abc import Sequence
from itertools import groupby

from builders.story.meaning import Lesson, lessons_about, teacher, teaches
from builders.story.reasons import Obstacle, obstacle_of, reason_of, say_obstacle
from builders.story.record import loads
from builders.story.syntax import Enter, Event, Names
from builders.voice import Voice, voice

MOST_WORDS = 250
"""Where an explanation is longer, runs of later lines are told by who missed all of them."""

MISSED = ("absent", "unseen", "unheard")
"""The obstacles that one agent of several is enough for."""


def explain_story(
    text: str,
    events: Sequence[Event],
    lessons: Sequence[Lesson],
    chain: tuple[int, ...],
    names: Names,
    semantics: str,
    say: Voice,
) -> str:
    """Return why a chain believes what it does of the thing that `lessons` are about.

    text: the story's numbered lines, of which `events` are the meaning.
    """
    sentences = text.split("\n")
    reasons, steps = say.reasons, say.explanations
    if not chain:  # who comes in and sees the thing puts it nowhere
        lessons = [lesson for lesson in lessons if not isinstance(events[lesson.line], Enter)]
    teaching = [lesson for lesson in lessons if teaches(lesson, chain, semantics)]
    lines = []
    for lesson in teaching:
        sentence = sentences[lesson.line].partition(" ")[2]
        reason = reason_of(lesson, chain, names, reasons, told=True) if chain else ""
        lines.append(steps.taught(lesson.line + 1, sentence, reason, names.containers[lesson.container]))
    later = [
        (lesson.line + 1, obstacle_of(lesson, chain, semantics))
        for lesson in lessons
        if lesson.line > teaching[-1].line
    ]
    answer = steps.answer(names.containers[teaching[-1].container])
    for passed in (grouped(later), merged(later)):
        told = [steps.passed(numbers, say_obstacle(found, names, reasons, told=True)) for numbers, found in passed]
        explanation = "\n".join([*lines, *told, answer])
        if len(explanation.split()) <= MOST_WORDS:
            break
    return explanation


def grouped(later: list[tuple[int, Obstacle]]) -> list[tuple[list[int], Obstacle]]:
    """Return lines one after another with the same obstacle as one step."""
    return [
        ([line for line, _ in lines], obstacle)
        for obstacle, lines in groupby(later, key=lambda line_and_obstacle: line_and_obstacle[1])
    ]


def merged(later: list[tuple[int, Obstacle]]) -> list[tuple[list[int], Obstacle]]:
    """Return lines one after another that some agents all missed as one step, which names only these agents."""
    steps: list[tuple[list[int], Obstacle]] = []
    for line, obstacle in later:
        if steps and obstacle.kind in MISSED and steps[-1][1].kind == obstacle.kind:
            lines, before = steps[-1]
            shared = tuple([agent for agent in before.agents if agent in obstacle.agents])
            if shared:
                steps[-1] = [*lines, line], before._replace(agents=shared)
                continue
        steps.append(([line], obstacle))
    return steps


def explain_row(row: dict, language: str = "en") -> str:
    """Return the explanation of a row of hi_tom, from its columns `story`, `events`, `chain` and `answer`.

    It follows the printed rules, the semantics `recursive`, wherever they give the answer, else `published`. Raises
    ValueError for `events` that are no formal story.
    """
    story, names, thing = loads(row["events"])
    lessons = lessons_about(story, thing)
    chain = tuple([names.agents.index(agent) for agent in row["chain"]])
    recursive = teacher(lessons, chain, "recursive")
    agrees = recursive is not None and names.containers[recursive.container] == row["answer"]
    semantics = "recursive" if agrees else "published"
    return explain_story(row["story"], story.events, lessons, chain, names, semantics, voice(language))
