"""The scores of the steps in replies: how many are right, how far they go, and which is the first wrong one.

A step is a line in the form of an explanation (docs/reference/explanations.md). No model judges it:
it is read back and checked.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..reader.steps import judged_steps
from ..splits import ENGLISH, language_of
from .scores import Score


class StepScore(NamedTuple):
    """Hold the scores of the steps of all replies to one prompt."""

    replies: int
    with_steps: int  # replies that have any
    steps: int  # of all replies
    share: float  # how many of all steps are right; 0 where there are none
    share_before_wrong: float  # of a whole explanation, before the first wrong step, on average over replies
    first_wrong: dict[str, str]  # the first wrong step of each reply that has one, by the name of the reply


def score_steps(scores: Mapping[str, Score], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, StepScore]:
    """Return the scores of the steps of replies by prompt, given the scores of the replies; `rows` are by id.

    Wrong steps are in the order of the rows. Raises ValueError for rows whose steps no proof knows: those of `plans`,
    and those in other languages.
    """
    if other := {*map(language_of, rows.values())} - {ENGLISH}:
        raise ValueError(
            f"--steps scores replies to English rows only; leave it out, as these are in {', '.join(sorted(other))}"
        )
    of_steps = {}
    for prompt in filter(None, scores):
        judged = {reply.name: judged_steps(reply.text, rows[reply.id]) for reply in scores[prompt].replies}
        right = [right for reply in judged.values() for _, right in reply.steps]
        share = sum(right) / len(right) if right else 0.0
        before_wrong = sum(reply.share_before_wrong for reply in judged.values()) / len(judged)
        wrong = {name: step for name, reply in judged.items() if (step := reply.first_wrong) is not None}
        with_steps = sum(bool(reply.steps) for reply in judged.values())
        of_steps[prompt] = StepScore(len(judged), with_steps, len(right), share, before_wrong, wrong)
    return of_steps


def steps_as_json(scores: Mapping[str, StepScore]) -> dict[str, Any]:
    """Return the scores of steps as JSON can hold them."""
    return {
        prompt: {name: value for name, value in score._asdict().items() if name != "steps"}
        for prompt, score in scores.items()
    }
