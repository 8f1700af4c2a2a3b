"""What scores the steps of a text about a row of either dataset: how many are right, and which is the first wrong.

No model is asked. `story_steps`, `path_steps`, `problem_steps` and `puzzle_steps` say what an explanation must say, by
the second meaning.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..columns import Row
from ..rows import known_row
from ..splits import language_of
from . import path_steps, problem_steps, puzzle_steps, story_steps
from .expected import ExpectedSteps, JudgedSteps
from .read_abilities import AbilityTruth
from .read_languages import in_english, step_in_english
from .read_puzzles import is_puzzle

# The columns that the steps of a text are judged by.
NEEDED = {"hi_tom": ("story", "question", "answer", "config"), "mindgames": ("premise", "hypothesis", "names")}
# What says the steps of a row of hi_tom, by config; None where rows have none. Those of others are about one belief.
OF_CONFIGS: dict[str, Callable[[Row], ExpectedSteps] | None] = {
    "abilities": lambda row: AbilityTruth(row).known(),
    "plans": None,
    "woven": path_steps.known_steps,
}


def judged_steps(text: str, row: Mapping[str, Any]) -> JudgedSteps:
    """Return which steps of a text about a row are right, in the form of docs/reference/explanations.md.

    A step that is said again, once it was right, is left out. Raises ValueError for a row without the columns
    of NEEDED, or one that cannot be read.
    """
    known, of_row = _known(row)
    steps: list[tuple[str, bool]] = []
    told: set[str] = set()
    rest = known.steps  # what may come next of an explanation
    covered = 0  # how many steps of it come right before the first wrong step
    for written in map(str.strip, text.split("\n")):
        line = step_in_english(written, of_row)
        if line not in known.steps and not known.begins.match(line):
            continue
        others = (step for step, says in known.reworded.items() if says(line))
        step = line if line in known.steps else next(others, line)
        if step in told and step not in rest:
            continue
        right = step in rest or step in known.anywhere
        if step in rest:
            rest = rest[rest.index(step) + 1 :]
            covered += all(right for _, right in steps)
        if right:
            told.add(step)
        steps.append((written, right))
    return JudgedSteps(tuple(steps), covered / max(1, len(known.steps)))


def share_of_right_steps(text: str, row: Mapping[str, Any]) -> float:
    """Return what the steps of a text about a row are worth to a reward, from 0 to 1; raise as `judged_steps`.

    The first steps of an explanation are easily copied, so half of it is worth nothing. Beyond that the worth is the
    cube of the share of the other half, by `JudgedSteps.share_before_wrong`.
    """
    return max(0.0, 2 * judged_steps(text, row).share_before_wrong - 1) ** 3


def explanation_fault(text: str, row: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the explanation of a row; None where it says each step, in order, in these words.

    Raises as `judged_steps`.
    """
    known, of_row = _known(row)
    return english_fault("\n".join(step_in_english(line, of_row) for line in text.split("\n")), known)


def english_fault(text: str, known: ExpectedSteps) -> str | None:
    """Return what is wrong with an explanation in English, given what it must say."""
    needed, lines = [*known.steps, known.answer], text.split("\n")
    for number, line in enumerate(lines, 1):
        if number > len(needed) or line != needed[number - 1]:
            return f"step {number} of its explanation is wrong: {line!r}"
    return f"its explanation ends before step {len(lines) + 1}" if len(lines) < len(needed) else None


def _known(row: Mapping[str, Any]) -> tuple[ExpectedSteps, Row]:
    """Return what an explanation of a row must say, in English, and the row."""
    dataset, row = known_row(row, NEEDED)
    return known_in_english(in_english({**row, "explanation": None}, language_of(row)), dataset), row


def known_in_english(row: Row, dataset: str) -> ExpectedSteps:
    """Return what an explanation of a row must say, in English; the row has been read into English."""
    if dataset == "mindgames":
        if is_puzzle(row["premise"]):
            return puzzle_steps.known_steps(row)
        return problem_steps.known_steps(row)
    known = OF_CONFIGS.get(row["config"], story_steps.known_steps)
    if known is None:
        raise ValueError(f"rows of {row['config']} have no steps; take rows of another config")
    return known(row)
