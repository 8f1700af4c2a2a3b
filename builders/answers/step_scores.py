"""The scores of the steps in replies: how many are right, how far they go, and which is the first wrong one.

A step is a line in the form of an explanation (docs/explanations.md). No model judges it: it is read back and checked.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..markdown import markdown_table
from ..proof.steps import JudgedSteps, judged_steps
from .replies import Key


class StepScore(NamedTuple):
    """Hold the steps of all replies to one prompt."""

    judged: dict[str, JudgedSteps]  # by the id of the row

    @property
    def stepping(self) -> list[JudgedSteps]:
        """Return the steps of the replies that have any."""
        return [judged for judged in self.judged.values() if judged.steps]

    @property
    def share(self) -> float:
        """Return the share of all steps that are right; 0 where there are none."""
        right = [right for judged in self.stepping for _, right in judged.steps]
        return sum(right) / len(right) if right else 0.0

    @property
    def share_before_wrong(self) -> float:
        """Return how much of a whole explanation comes right before the first wrong step, on average over replies."""
        return sum(judged.share_before_wrong for judged in self.judged.values()) / len(self.judged)

    @property
    def wrong(self) -> dict[str, str]:
        """Return the first wrong step of each reply that has one, by the id of the row."""
        return {row_id: judged.first_wrong for row_id, judged in self.judged.items() if judged.first_wrong is not None}


def score_steps(texts: Mapping[Key, str], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, StepScore]:
    """Return the scores of the steps of replies by prompt, "all" for the prompt without a name; `rows` are by id."""
    prompts: dict[str, dict[str, JudgedSteps]] = defaultdict(dict)
    for (prompt, row_id), text in texts.items():
        prompts[prompt or "all"][row_id] = judged_steps(text, rows[row_id])
    return {prompt: StepScore(judged) for prompt, judged in prompts.items()}


def step_table(scores: Mapping[str, StepScore]) -> str:
    """Return the scores of steps as a Markdown table, in per cent."""
    lines = [
        [
            prompt,
            f"{len(score.stepping):,} of {len(score.judged):,}",
            f"{sum(len(judged.steps) for judged in score.stepping):,}",
            f"{100 * score.share:.1f}",
            f"{100 * score.share_before_wrong:.1f}",
        ]
        for prompt, score in scores.items()
    ]
    header = ["prompt", "replies with steps", "steps", "right", "of the explanation, before the first wrong step"]
    return markdown_table(header, lines)


def steps_as_json(scores: Mapping[str, StepScore]) -> dict[str, Any]:
    """Return the scores of steps as JSON can hold them."""
    return {
        prompt: {
            "replies": len(score.judged),
            "with_steps": len(score.stepping),
            "share": score.share,
            "share_before_wrong": score.share_before_wrong,
            "first_wrong": score.wrong,
        }
        for prompt, score in scores.items()
    }
