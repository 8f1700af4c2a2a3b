"""The description of a column, and what a probe answers about a row: its `Guess`, and the columns that this fills.

Imports little, so that making a row without scores needs neither numpy nor onnxruntime.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Row = dict[str, Any]  # a row: what each column holds


@dataclass(frozen=True, slots=True)
class Column:
    """Describe a column of a dataset: the type of its values, and what they mean."""

    name: str
    type: str  # the type of a value as Arrow calls it: string, bool, int32, int64 or float64
    meaning: str  # what the column holds, in the words of the dataset's page and card
    nullable: bool = False  # whether some rows hold nothing
    is_list: bool = False  # whether a row holds a list of values
    classes: tuple[str, ...] = ()  # the names that the numbers 0, 1, … stand for, where values are labels of classes


EMBEDDED = "embedded"  # name of the probe that comes with the project

NO_SCORER = "none"  # name that a scorer has where no probe scores: `datasets` passes over a field that is None

# Values of the scored columns in a row that no probe scored, or that exceeds the limit of the probe.
UNSCORED = {"deberta_pred": None, "deberta_confidence": None, "difficulty": None}


class Guess(NamedTuple):
    """Hold what a probe answers about a row."""

    place: int  # the place of the predicted option among the row's options
    confidence: float  # its probability, with four decimals


Guesses = Mapping[str, Guess]  # guesses by the fingerprint of the masked row

NOTHING_KNOWN: Guesses = {}
