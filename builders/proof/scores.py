"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

import zlib

from builders.difficulty.probe import UNSCORED, fault

MAY_BE_EMPTY = ("block", *UNSCORED)
"""The columns that hold nothing in some rows."""


RESCORED = 10
"""One row in so many is scored again."""


def _score_fault(row: dict, row_id: str, config: dict, dataset: str) -> str | None:
    """Return what is wrong with the scores of a row; one in RESCORED is scored again."""
    return fault(row, config["scorer"], dataset, zlib.crc32(row_id.encode()) % RESCORED == 0)
