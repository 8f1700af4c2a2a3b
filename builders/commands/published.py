"""What the commands that read published data share: their options, and the lists of rows that they write."""

import json
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from ..columns import Row
from ..errors import UserError
from ..files import hold_files, write_lines, written_beside
from ..proof.left_out import LeftOut
from ..wording.languages import page

# The columns that `reread` puts behind those of a row that disagrees; `where` stands before them.
DISAGREEING = (("read_recursive", "read_published"), ("read_formal", "read_english", "why"))

LEFT_OUT = (("where", "why", "row"),)  # the columns of a row that cannot be read

UNREAD = Path("unread.jsonl")  # where the rows that cannot be read are written by default

# How many rows that cannot be read, and kinds of sentences and lines, are printed; the file has all rows.
#
# The file also has the examples of sentences with which a reason may end.
SHOWN = 10


def hold_unread(args: Namespace, *others: Path | None) -> None:
    """Raise UserError where the list of unread rows would overwrite another file; `others` are those of the command."""
    unread = args.unread or UNREAD
    hold_own(unread, LEFT_OUT, "--unread")
    hold_apart(unread, others, "--unread")


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines, all or none."""
    with written_beside(path) as (partial,):
        write_lines(partial, rows)


def hold_own(path: Path, shapes: tuple[tuple[str, ...], ...], option: str) -> None:
    """Raise UserError where something stands at a path that the commands did not write; an empty file is no loss.

    shapes: the last columns of such a row; its first is `where`. option: the option that names another path.
    """
    if not path.exists() or path.is_dir():
        return  # writing to a folder fails by itself
    try:
        lines = path.read_bytes().splitlines() if path.is_file() else [b"a pipe"]
        rows = [tuple(dict(json.loads(line))) for line in lines]
        own = all(row[:1] == ("where",) and any(row[-len(shape) :] == shape for shape in shapes) for row in rows)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError):
        own = False  # a line that is no object
    if not own:
        raise UserError(f"{path} would be overwritten, and this command did not write it; name another file: {option}")


def hold_apart(written: Path, others: Iterable[Path | None], option: str) -> None:
    """Raise UserError where a file to write is one of the others that the command reads or writes, or is no file."""
    hold_files(written)
    for other in others:
        if other and written.resolve() == other.resolve():
            raise UserError(f"{written} is named twice; name another file: {option}")


def list_left_out(args: Namespace, files: list[LeftOut]) -> None:
    """Write the rows of files that could not be read; print them with their reasons, and what else was left out.

    A list that an earlier run wrote is emptied where nothing is left out now.
    """
    unread = args.unread or UNREAD
    rows = [row for file in files for row in file.rows]
    if rows or unread.is_file():
        write_rows(unread, rows)
    told = page("left_out", "left_out", files, unread, SHOWN)
    print(told.encode("utf-8", "backslashreplace").decode("utf-8"), end="")
