"""What the commands that read published data share: their options, and the lists of rows that they write."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import UserError
from ..files import hold_files, write_lines
from ..proof.left_out import LeftOut
from ..wording.languages import page

OWN = b'{"where": '  # how each line of the lists begins that these commands write

UNREAD = Path("unread.jsonl")  # where the rows that cannot be read are written by default

# How many rows that cannot be read, and kinds of sentences and lines, are printed; the file has all rows.
#
# The file also has the examples of sentences with which a reason may end.
SHOWN = 10


def hold_list(path: Path, others: Iterable[Path | None], option: str) -> None:
    """Raise as `hold_apart`, and where a file to write is there that the commands did not write; empty it is no loss.

    option: the option that names another path.
    """
    if path.is_file() and not all(line.startswith(OWN) for line in path.read_bytes().splitlines()):
        raise UserError(f"{path} exists, and was not written by this command; name another file with {option}")
    hold_apart(path, others, option)


def hold_apart(written: Path, others: Iterable[Path | None], option: str) -> None:
    """Raise UserError where a file to write is one of the others that the command reads or writes, or is no file."""
    hold_files(written)
    for other in others:
        if other and written.resolve() == other.resolve():
            raise UserError(f"{written} is named twice; name another file with {option}")


def list_left_out(unread: Path | None, files: list[LeftOut]) -> str:
    """Write the rows of files that could not be read; return them with their reasons, and what else was left out.

    unread: where they are written, None for UNREAD. A list that an earlier run wrote is emptied where nothing is left
    out now.
    """
    unread = unread or UNREAD
    rows = [row for file in files for row in file.rows]
    if rows or unread.is_file():
        write_lines(unread, rows)
    told = page("left_out", "left_out", files, unread, SHOWN)
    return told.encode("utf-8", "backslashreplace").decode("utf-8")
