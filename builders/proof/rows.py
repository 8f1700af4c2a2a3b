"""What the proofs of both datasets share: what a proof returns, and the proof of columns, explanations and scores."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..difficulty.probe import fault
from ..reader.steps import english_fault, known_in_english

RESCORED = 10  # of this many rows, one is scored again


class Proven(NamedTuple):
    """Hold what no other row may have, of a row whose columns all agree."""

    owner: str  # the story or block that the text belongs to; "" for a single problem
    text: str  # the story, or the premise up to renaming: it belongs to one owner
    problem: str  # the whole problem, which occurs once in the dataset


def first_fault(*faults: tuple[bool, str]) -> str | None:
    """Return the first message of pairs (whether something is wrong, its message) where something is; None if not."""
    return next((message for wrong, message in faults if wrong), None)


def differing_column(row: Mapping[str, Any], columns: Mapping[str, Any], source: str) -> str | None:
    """Return which column of a row is not what its source gives, None where all are."""
    differing = (name for name, value in columns.items() if row[name] != value)
    return next((f"{name} is {row[name]!r}, {source} {columns[name]!r}" for name in differing), None)


def explained_fault(row: Mapping[str, Any], config: Mapping[str, Any], file: str) -> str | None:
    """Return what is wrong with the explanation of a row in English, which rows of test and of some builds lack."""
    explained = Path(file).stem in config["explanations"]
    if explained != (row["explanation"] is not None):
        return (
            "explanation is empty" if explained else "explanation is set, but rows of this config and split have none"
        )
    if not explained:
        return None
    known = known_in_english(dict(row), "hi_tom" if "story" in row else "mindgames")
    return english_fault(row["explanation"], known)


def score_fault(row: Mapping[str, Any], row_id: str, config: Mapping[str, Any], dataset: str) -> str | None:
    """Return what is wrong with the scores of a row; one row in RESCORED is scored again."""
    return fault(row, config["scorer"], dataset, zlib.crc32(row_id.encode()) % RESCORED == 0)
