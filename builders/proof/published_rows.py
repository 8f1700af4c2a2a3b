"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

import contextlib
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from builders.errors import UserError

AUDITED = {"hi_tom": ("story", "question", "answer"), "mindgames": ("premise", "hypothesis", "label")}
"""The fields that a published row must have to be audited, all strings."""


TEXTS = {
    "hi_tom": ("story", "question", "answer"),
    "mindgames": ("premise", "hypothesis", "smcdel_problem", "label"),
}
"""The fields that a published row must have to be reread, all strings."""


def published_rows(path: Path, *shapes: tuple[str, ...]) -> Iterator[tuple[str, dict]]:
    """Read JSON lines, plain or gzipped, or the published `{"data": [...]}`; yield where each row stands, and the row.

    shapes: the fields that a row must have; of several shapes all rows have that of the first.
    Raises UserError where there is none, and where one cannot be read or lacks a field.
    """
    expected = _expected(shapes)
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None)
        reason = reason or f"it is no whole gzip file ({error})"
        raise UserError(f"{path}: {reason}; expected JSON lines or the published JSON") from None
    whole = None
    with contextlib.suppress(ValueError, RecursionError):
        whole = json.loads(text)
    if isinstance(whole, dict) and "data" in whole:
        if not isinstance(whole["data"], list):
            raise UserError(f'{path}: "data" is not a list of rows')
        rows = [(f"{path}, row {number}", row) for number, row in enumerate(whole["data"], 1)]
    else:
        rows = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    rows.append((f"{path}, line {number}", json.loads(line)))
                except (ValueError, RecursionError) as error:
                    raise UserError(f"{path}, line {number}: not JSON ({error}); expected {expected}") from None
    if not rows:
        raise UserError(f"{path}: no rows; expected one on each line: {expected}")
    for where, row in rows:
        shapes = tuple(
            shape for shape in shapes if isinstance(row, dict) and all(isinstance(row.get(key), str) for key in shape)
        )[:1]
        if not shapes:
            raise UserError(f"{where}: expected {expected}")
        expected = _expected(shapes)
        yield where, row


def _expected(shapes: Iterable[tuple[str, ...]]) -> str:
    fields = " or ".join(f"{', '.join(shape[:-1])} and {shape[-1]}" for shape in shapes)
    return f"an object with {fields}, all strings"
