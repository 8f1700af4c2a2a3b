"""The explanation of a hi_tom row: which lines taught the asked chain its belief, and why later ones did not.

It has one step a line: every line that taught the chain, with what the chain believes from there on; then why no later
line about the thing changes that; then the answer. docs/explanations.md says it in full.
"""

from collections import Counter
from collections.abc import Sequence

from builders.story.meaning import Lesson, lessons_about, teacher, teaches
from builders.story.reasons import Obstacle, obstacle_of, reason_of, say_obstacle
from builders.story.record import loads
from builders.story.syntax import Enter, Event, Names
from builders.voice import Voice, voice


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
