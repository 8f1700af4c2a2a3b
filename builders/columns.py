"""What a probe answers about a row, the columns that it fills, and the name of the project's own probe.

Imports little, so that making a row without scores needs neither numpy nor onnxruntime.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

Row = dict[str, Any]  # a row: what each column holds

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
