"""What the proofs of both datasets share: what a proof returns, and the proof of explanations and scores."""

import zlib
from pathlib import Path
from typing import NamedTuple

from ..difficulty.probe import fault
from .steps import explanation_fault

RESCORED = 10
"""One row in this many is scored again."""


class Proven(NamedTuple):
    """Hold what must not repeat of a row whose columns all agree."""

    owner: str  # the story or block that the text belongs to; "" for a single problem
    text: str  # the story, or the premise up to renaming: it belongs to one owner
    problem: str  # the whole problem, which occurs once in the dataset


def explained_fault(row: dict, config: dict, file: str) -> str | None:
    """Return what is wrong with the explanation of a row, which rows of a test split and of some builds lack."""
    explained = Path(file).stem in config["explanations"]
    if explained != (row["explanation"] is not None):
        return "explanation is empty" if explained else "explanation is set, in a row that has none"
    return explanation_fault(row["explanation"], row) if explained else None


def score_fault(row: dict, row_id: str, config: dict, dataset: str) -> str | None:
    """Return what is wrong with the scores of a row; one row in RESCORED is scored again."""
    return fault(row, config["scorer"], dataset, zlib.crc32(row_id.encode()) % RESCORED == 0)
