"""Own the columns that a probe fills, as a row has them before it is scored, and the name of the probe that fills them.

Needs nothing, so that a row without scores needs no numpy and no onnxruntime.
"""

EMBEDDED = "embedded"
"""Name of the probe that comes with the project."""

UNSCORED = {"deberta_pred": None, "deberta_confidence": None, "difficulty": None}
"""Values of the scored columns in a row that no probe scored, or that is longer than the probe's limit."""
