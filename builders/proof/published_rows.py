"""Own how files of published rows are read: JSON lines, plain or gzipped, or the published JSON."""

import contextlib
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from builders.errors import UserError

AUDITED = {"hi_tom": ("story", "question", "answer"), "mindgames": ("premise", "hypothesis", "label")}
"""The fields that a published row needs to be audited; all are strings."""

TEXTS = {
    "hi_tom": ("story", "question", "answer"),
    "mindgames": ("premise", "hypothesis", "smcdel_problem", "label"),
}
"""The fields that a published row needs to be reread; all are strings."""


def published_rows(path: Path, *shapes: tuple[str, ...]) -> Iterator[tuple[str, dict]]:
    """Yield (place in the file, row) for each row of a file of published rows.

    The file has JSON lines, plain or gzipped, or is the published `{"data": [...]}`.
    shapes: the fields that a row must have, all strings. Of several shapes, all rows have the shape of the first row.
    Raises UserError where the file has no rows, and where a row cannot be read or lacks a field.
    """
    expected = _describe(shapes)
    rows = _parse(path, _read_text(path), expected)
    if not rows:
        raise UserError(f"{path}: no rows; expected one on each line: {expected}")
    for where, row in rows:
        shapes = tuple(shape for shape in shapes if _has_shape(row, shape))[:1]
        if not shapes:
            raise UserError(f"{where}: expected {expected}")
        expected = _describe(shapes)
        yield where, row


def _read_text(path: Path) -> str:
    """Return the text of a file, unpacked where it is gzipped."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None)
        reason = reason or f"it is no whole gzip file ({error})"
        raise UserError(f"{path}: {reason}; expected JSON lines or the published JSON") from None


def _parse(path: Path, text: str, expected: str) -> list[tuple[str, Any]]:
    """Return (place in the file, value) for each value of a text."""
    whole = None
    with contextlib.suppress(ValueError, RecursionError):
        whole = json.loads(text)
    if isinstance(whole, dict) and "data" in whole:
        if not isinstance(whole["data"], list):
            raise UserError(f'{path}: "data" is not a list of rows')
        return [(f"{path}, row {number}", row) for number, row in enumerate(whole["data"], 1)]
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                rows.append((f"{path}, line {number}", json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise UserError(f"{path}, line {number}: not JSON ({error}); expected {expected}") from None
    return rows


def _has_shape(row: Any, shape: tuple[str, ...]) -> bool:
    """Return whether a row is an object with these fields, all strings."""
    return isinstance(row, dict) and all(isinstance(row.get(key), str) for key in shape)


def _describe(shapes: Iterable[tuple[str, ...]]) -> str:
    """Return what a row should be, for a message."""
    fields = " or ".join(f"{', '.join(shape[:-1])} and {shape[-1]}" for shape in shapes)
    return f"an object with {fields}, all strings"
