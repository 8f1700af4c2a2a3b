"""Own what the proofs of both datasets share: what a proof returns, which columns may be empty, the proof of scores."""

import zlib
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from builders.difficulty.probe import UNSCORED, fault
from builders.proof.steps import explanation_fault

MAY_BE_EMPTY = ("block", "order_matters", "rung", "explanation", *UNSCORED)
"""The columns that hold nothing in some rows."""

RESCORED = 10
"""One row in this many is scored again."""


class Proven(NamedTuple):
    """Hold what must not repeat of a row whose columns all agree."""

    owner: str  # the story or block that the text belongs to; "" for a single problem
    text: str  # the story, or the premise up to renaming: it belongs to one owner
    problem: str  # the whole problem, which occurs once in the dataset


def empty_fault(row: dict, may_be_empty: Collection[str]) -> str | None:
    """Return the first column that holds nothing though it must, as a fault."""
    empty = [column for column, value in row.items() if value is None and column not in may_be_empty]
    return f"{empty[0]} is empty" if empty else None


def explained_fault(row: dict, config: dict, file: str) -> str | None:
    """Return what is wrong with the explanation of a row, which rows of a test split and of some builds lack."""
    explained = Path(file).stem in config["explanations"]
    if explained != (row["explanation"] is not None):
        return "explanation is empty" if explained else "explanation is set, in a row that has none"
    return explanation_fault(row["explanation"], row) if explained else None


def score_fault(row: dict, row_id: str, config: dict, dataset: str) -> str | None:
    """Return what is wrong with the scores of a row; one row in RESCORED is scored again."""
    return fault(row, config["scorer"], dataset, zlib.crc32(row_id.encode()) % RESCORED == 0)
