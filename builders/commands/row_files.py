"""Rows as JSON lines: how commands write them, and that they never overwrite a file of others."""

import json
from pathlib import Path

from ..columns import Row
from ..errors import UserError
from ..files import write_text

DISAGREEING = (("read_recursive", "read_published"), ("read_formal", "read_english", "why"))
"""The columns that `reread` puts behind those of a row that disagrees; `where` stands before them."""

LEFT_OUT = (("where", "why", "row"),)
"""The columns of a row that cannot be read."""


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write rows as JSON lines."""
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    # Half a surrogate pair, which JSON may have and UTF-8 cannot, becomes its escape again.
    write_text(path, lines.encode("utf-8", "backslashreplace").decode("utf-8"))


def hold_own(path: Path, shapes: tuple[tuple[str, ...], ...], option: str) -> None:
    """Raise UserError where something stands at a path that the commands did not write; an empty file is no loss.

    shapes: the last columns of such a row; its first is `where`. option: the option that names another path.
    """
    if not path.exists() or path.is_dir():
        return  # writing to a folder fails by itself
    if not path.is_file() or not all(_is_own(line, shapes) for line in _lines(path)):
        raise UserError(f"{path} would be overwritten, and this command did not write it; name another file: {option}")


def _lines(path: Path) -> list[bytes]:
    """Return the lines of a file. Raises UserError where it cannot be read."""
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def _is_own(line: bytes, shapes: tuple[tuple[str, ...], ...]) -> bool:
    """Return whether a line is a row with the columns of one of these shapes, in their order."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    columns = tuple(row) if isinstance(row, dict) else ()
    return columns[:1] == ("where",) and any(columns[-len(shape) :] == shape for shape in shapes)
