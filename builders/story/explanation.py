"""The explanation of a hi_tom row: which lines taught the asked chain its belief, and why later ones did not.

It has one step a line: every line that taught the chain, with what the chain believes from there on; then why no later
line about the thing changes that; then the answer. docs/explanations.md says it in full.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..syntax.events import Enter, Event, Names
from ..syntax.record import loads
from ..wording.stories import Voice, voice
from .meaning import SEMANTICS, Lesson, has_watchers, lessons_about, teacher, teaches
from .reasons import Obstacle, obstacle_of, reason_of, say_obstacle


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
    later = [lesson for lesson in lessons if lesson.line > teaching[-1].line]
    if later:
        obstacles = {lesson.line + 1: each_enough(obstacle_of(lesson, chain, semantics)) for lesson in later}
        grouped = [
            (say_obstacle(found, names, reasons, told=True), numbers) for found, numbers in folded(obstacles).items()
        ]
        lines.append(steps.later(grouped))
    return "\n".join([*lines, steps.answer(names.containers[teaching[-1].container])])


def each_enough(found: Obstacle) -> list[Obstacle]:
    """Return the obstacles of which each is enough to say why a line changes nothing: one who missed it is."""
    return [found._replace(agents=(agent,)) for agent in found.agents] or [found]


def folded(obstacles: dict[int, list[Obstacle]]) -> dict[Obstacle, list[int]]:
    """Return the lines of each obstacle, given for each line those that are enough.

    Of these a line has the one that most lines share, the first in the chain where several do.
    """
    shared = Counter([found for enough in obstacles.values() for found in enough])
    lines: dict[Obstacle, list[int]] = {}
    for line, enough in obstacles.items():
        lines.setdefault(max(enough, key=shared.__getitem__), []).append(line)
    return lines


def explain_row(row: Mapping[str, Any], language: str = "en") -> str:
    """Return the explanation of a row of hi_tom, from its columns `story`, `events`, `chain` and `answer`.

    It follows the printed rules, the semantics `recursive`, wherever they give the answer, else `published`. Raises
    ValueError for `events` that are no formal story, and for columns that do not fit them.
    """
    try:
        story, names, thing = loads(row["events"])
    except ValueError as error:
        raise ValueError(f"the events of a row cannot be read: {error}") from None
    if row["story"].count("\n") + 1 != len(story.events):
        raise ValueError(f"the story of a row has not one line for each of its {len(story.events)} events")
    if strangers := [agent for agent in row["chain"] if agent not in names.agents]:
        raise ValueError(f"the chain of a row names {strangers[0]}, who is not in its story")
    lessons = lessons_about(story, thing)
    chain = tuple([names.agents.index(agent) for agent in row["chain"]])
    for semantics in SEMANTICS[: 1 if has_watchers(story) else None]:
        lesson = teacher(lessons, chain, semantics)
        if lesson is not None and names.containers[lesson.container] == row["answer"]:
            return explain_story(row["story"], story.events, lessons, chain, names, semantics, voice(language))
    raise ValueError(f"the answer of a row is {row['answer']}, which its events do not give")
