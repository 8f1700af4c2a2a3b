"""What a user says of the replies to score: where they are, what they answer, and where the scores go."""

from dataclasses import dataclass
from pathlib import Path

from ..columns import Row
from ..splits import HOUSE, WORLDS, language_tag, named_in, plain_name
from .folders import builds, chosen


@dataclass(frozen=True, slots=True)
class Answered:
    """Hold which rows of a build were answered."""

    dataset: str
    out: Path  # the folder that holds the build
    config: str | None = None  # None: the default config of the build
    split: str | None = None  # None: test


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Hold what the user says of an evaluation whose scores go to others."""

    model_id: str | None  # the model's repository on the Hub
    dataset_id: str | None  # the dataset's repository there
    revision: str | None  # the commit there that holds the rows
    date: str | None  # the day it was evaluated, None for today
    source: str | None  # the address of a page about it
    notes: str | None  # how the model was asked


@dataclass(frozen=True, slots=True)
class Scoring:
    """Hold what is scored, how, and what is written."""

    answered: Answered
    responses: tuple[Path, ...]
    languages: tuple[str, ...]  # the language or world of each file of responses; empty for the config's
    data: Path | None  # published data that were answered instead of a build
    prompt: str | None  # the name of the prompt of responses that give none
    style: str | None  # all-at-once where whole stories were asked about
    partial: bool  # whether responses may be missing or too many
    steps: bool  # whether the steps of responses are scored too
    strict: bool  # whether a published row that cannot be read is an error
    unread: Path | None  # where such rows are written
    report: Path | None  # where all figures are written
    rows: Path | None  # where what was read in each response is written
    pictures: Path | None  # the folder to draw in
    eval_results: Path | None  # where the entries of the Hub's leaderboard are written
    every_eval_ever: Path | None  # where the scores for Every Eval Ever are written
    evaluation: Evaluation

    @property
    def compares(self) -> str:
        """Return what several files of responses are: models, languages or worlds."""
        if not self.languages:
            return "models"
        return "worlds" if {*self.languages} & {HOUSE, *WORLDS} else "languages"


def asked_rows(answered: Answered, language: str | None = None) -> tuple[str, list[Row]]:
    """Return which rows of a build were answered, in words, and these rows. language: the config's, or its world."""
    (build,) = builds(answered.dataset, answered.out)
    split = answered.split or "test"
    config = answered.config
    if language:
        config = named_in(plain_name(config or next(iter(build.request))), language_tag(language))
    config, file = chosen(build, config, split)
    return f"{answered.dataset}, {config}, {split} split, seed {build.default['seed']}", list(build.rows(file))
