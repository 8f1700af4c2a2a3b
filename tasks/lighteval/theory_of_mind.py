"""The tasks for lighteval: one for each config of both datasets, whose replies are read as `score` reads them.

`lighteval accelerate "model_name=MODEL" hi_tom_4th_order --custom-tasks tasks/lighteval/theory_of_mind.py` asks the
test rows. The folders are those of the working directory; the variable TOM_WHERE names another folder that holds them,
or a namespace of the Hub.
"""

import os
from statistics import mean
from typing import Any

from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import SampleLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from tom_datasets.answers.reading import Reading
from tom_datasets.answers.rewards import dataset_of_row
from tom_datasets.answers.scores import read_reply
from tom_datasets.logic.config import CONFIGS as PROBLEM_CONFIGS
from tom_datasets.story.config import CONFIGS as STORY_CONFIGS
from tom_datasets.syntax.formula import LABELS
from tom_datasets.training.chat import prompt_of

TOKENS = 2048
"""Room for a reply that reasons first."""


def doc_of(row: dict[str, Any], task: str) -> Doc:
    """Return the question of a row."""
    if dataset_of_row(row) == "hi_tom":
        choices, gold = row["choices"], row["answer_index"]
    else:
        choices = list(LABELS.values())
        gold = choices.index(row["label"])
    query, language = prompt_of(row, reply=None), row["language"]
    return Doc(query=query, choices=choices, gold_index=gold, task_name=task, specific={"language": language})


def reading_of(doc: Doc, response: ModelResponse) -> Reading:
    """Return how a reply is read."""
    dataset = "mindgames" if doc.choices == list(LABELS.values()) else "hi_tom"
    return read_reply(dataset, response.final_text[0], doc.choices, doc.specific["language"])


class Right(SampleLevelComputation):
    """Say whether a reply is right; one that cannot be read is wrong."""

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> float:
        """Return 1.0 or 0.0."""
        return float(reading_of(doc, model_response).choice == doc.gold_index)


class Unread(SampleLevelComputation):
    """Say whether no rule could read a reply."""

    def compute(self, doc: Doc, model_response: ModelResponse, **_: Any) -> float:
        """Return 1.0 or 0.0."""
        return float(reading_of(doc, model_response).choice is None)


METRICS = [
    SampleLevelMetric(
        metric_name=name, higher_is_better=better, category=SamplingMethod.GENERATIVE, sample_level_fn=computation,
        corpus_level_fn=mean,
    )
    for name, better, computation in (("acc", True, Right()), ("unread", False, Unread()))
]  # fmt: skip
TASKS_TABLE = [
    LightevalTaskConfig(
        name=f"{dataset}_{config.name}",
        prompt_function=doc_of,
        hf_repo=f"{os.environ.get('TOM_WHERE', '.')}/{dataset}",
        hf_subset=config.name,
        metrics=METRICS,
        hf_avail_splits=list(config.sizes()),
        evaluation_splits=["test"],
        few_shots_split="test",  # never read: no examples are shown
        generation_size=TOKENS,
        stop_sequence=[],
        version=1,
    )
    for dataset, configs in (("hi_tom", STORY_CONFIGS), ("mindgames", PROBLEM_CONFIGS))
    for config in configs
]
