"""Own what scores the steps of a text about a row of either dataset: how many are right, and which is the first wrong.

No model is asked: the steps are read by `story_steps` and `problem_steps`, and checked by the second meaning.
"""

from builders.proof import problem_steps, story_steps
from builders.proof.judged import JudgedSteps


def judged_steps(text: str, row: dict) -> JudgedSteps:
    """Return which steps of a text about a row are right, in the form of docs/explanations.md.

    Needs of the row what is asked: story, question and answer, or premise, hypothesis and names. Raises ValueError for
    a row that cannot be read.
    """
    return (story_steps if "story" in row else problem_steps).judged_steps(text, row)


def share_of_right_steps(text: str, row: dict) -> float:
    """Return how much of a whole explanation of a row a text says rightly before its first wrong step, from 0 to 1.

    Further steps that are right add nothing, and steps that are said twice are wrong: only a whole explanation is
    worth 1. Raises as `judged_steps`.
    """
    return judged_steps(text, row).share_before_wrong


def explanation_fault(text: str, row: dict) -> str | None:
    """Return what is wrong with the explanation of a row, None where it is right and whole; raise as `judged_steps`."""
    return (story_steps if "story" in row else problem_steps).explanation_fault(text, row)
