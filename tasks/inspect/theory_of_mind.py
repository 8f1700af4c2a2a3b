"""The tasks for Inspect on a build in a local folder: those of its eval.yaml, which Inspect reads on the Hub only.

`inspect eval tasks/inspect/theory_of_mind.py@hi_tom -T config=4th_order -T where=FOLDER --model MODEL` asks the test
rows of a config. FOLDER holds the datasets (default: this clone); it is absolute, or relative to this clone, because
Inspect runs a task in the folder of its file. Replies are read as `tom-datasets score` reads them, so a reply without
an ANSWER line may be right too, and what no rule reads is counted as unread.
"""

from collections import Counter
from collections.abc import Iterable
from math import nan
from pathlib import Path
from statistics import fmean
from string import ascii_uppercase
from typing import Any

import yaml
from datasets import load_dataset
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate, multiple_choice, prompt_template

from tom_datasets.answers.scores import read_reply
from tom_datasets.splits import language_of_name
from tom_datasets.syntax.formula import LABELS

CLONE = Path(__file__).resolve().parents[2]
SOLVERS = {"prompt_template": prompt_template, "multiple_choice": multiple_choice, "generate": generate}


@task
def hi_tom(config: str = "all", where: str = ".") -> Task:
    """Ask the questions of a config of hi_tom by their letters."""
    return task_of(CLONE / where / "hi_tom", config)


@task
def mindgames(config: str = "all", where: str = ".") -> Task:
    """Ask the problems of a config of mindgames by their labels."""
    return task_of(CLONE / where / "mindgames", config)


def task_of(folder: Path, config: str) -> Task:
    """Return the task of a config that the eval.yaml of a built folder describes. Raises ValueError without one."""
    try:
        described = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no build: run make build, or name its folder with -T where=FOLDER") from None
    tasks = {entry["config"]: entry for entry in described}
    if config not in tasks:
        raise ValueError(f"{folder} has no config {config}; it has {', '.join(tasks)}")
    entry = tasks[config]
    rows = load_dataset(str(folder), config, split=entry["split"])
    return Task(
        dataset=MemoryDataset([sample_of(row, entry["field_spec"]) for row in rows], name=f"{folder.name}/{config}"),
        solver=[SOLVERS[solver["name"]](**solver.get("args", {})) for solver in entry["solvers"]],
        scorer=as_score_reads(language_of_name(config)),
        name=f"{folder.name}_{config}",
    )


def sample_of(row: dict[str, Any], spec: dict[str, Any]) -> Sample:
    """Return the sample of a row; spec: which column is which field of the sample, as in eval.yaml."""
    target = row[spec["target"]]
    return Sample(
        input=row[spec["input"]],
        target=chr(ord("A") + target) if isinstance(target, int) else target,
        choices=row[spec["choices"]] if "choices" in spec else None,
        id=row["id"] if "id" in row else row["index"],
        metadata={column: row[column] for column in spec["metadata"]},
    )


def mean(values: Iterable[float]) -> float:
    """Return the mean of values; not a number where there is none: Inspect asks before the first reply is scored."""
    values = list(values)
    return fmean(values) if values else nan


@metric
def unread() -> Metric:
    """Measure the share of replies that no rule reads; they count as wrong."""

    def share(scores: list[SampleScore]) -> float:
        return mean(sample.score.answer is None for sample in scores)

    return share


@metric
def chance() -> Metric:
    """Measure what a blind choice would get."""

    def share(scores: list[SampleScore]) -> float:
        return mean(sample.score.metadata["chance"] for sample in scores)

    return share


@metric
def commonest() -> Metric:
    """Measure the share of the one answer that is given most often."""

    def share(scores: list[SampleScore]) -> float:
        answers = Counter(sample.score.answer for sample in scores if sample.score.answer)
        return max(answers.values(), default=0) / len(scores) if scores else nan

    return share


@scorer(metrics=[accuracy(), stderr(), chance(), commonest(), unread()])
def as_score_reads(language: str) -> Scorer:
    """Score a reply by the letter, or in mindgames the label, that `tom-datasets score` reads in it."""

    async def score(state: TaskState, target: Target) -> Score:
        containers = [each.value for each in state.choices]
        dataset, names = ("hi_tom", ascii_uppercase) if containers else ("mindgames", [*LABELS.values()])
        reading = read_reply(dataset, state.output.completion, containers or names, language)
        answer = None if reading.choice is None else names[reading.choice]
        return Score(
            value=CORRECT if answer == target.text else INCORRECT,
            answer=answer,
            explanation=reading.why or state.output.completion,
            metadata={"chance": 1 / len(containers or names)},
        )

    return score
