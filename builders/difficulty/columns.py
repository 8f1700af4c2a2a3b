"""Own the columns that a probe fills, as a row has them before it is scored, and the name of the project's own probe.

Imports nothing, so that making a row without scores needs neither numpy nor onnxruntime.
"""

EMBEDDED = "embedded"
"""Name of the probe that comes with the project."""

NO_SCORER = "none"
"""Name that a scorer has where no probe scores: `datasets` passes over a field that is None."""

UNSCORED = {"deberta_pred": None, "deberta_confidence": None, "difficulty": None}
"""Values of the scored columns in a row that no probe scored, or that exceeds the limit of the probe."""
