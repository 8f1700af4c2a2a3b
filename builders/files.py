"""How files are read as text; and how they are written: under a temporary name, then renamed."""

import contextlib
import gzip
import importlib.resources
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .errors import UserError

# A picture to draw: the name of a function of `audit.pictures`, and what it is given besides the file.
Drawing = tuple[Any, ...]
Drawings = dict[str, Drawing]  # pictures by the names of their files


def data_folder(name: str) -> Path:
    """Return a folder of the package's data, such as templates, wherever the package is installed; "" is the code."""
    return Path(str(importlib.resources.files(".".join(filter(None, (__package__, name))))))


def text_of(path: Path, expected: str = "") -> str:
    """Return the text of a file, unpacked where it is gzipped.

    Raises UserError where it cannot be read, or is not UTF-8. expected: how the message ends.
    """
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"it is not UTF-8 text (byte {error.start}); save it as UTF-8"
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or f"it is not a complete gzip file ({error})"
    raise UserError(f"{path}: {why}{expected}")


def lines_of(path: Path, text: str) -> Iterator[tuple[str, str]]:
    """Yield (place in the file, line) for each line of the text of a file that is not blank."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"{path}, line {number}", line


def hold_files(*paths: Path) -> None:
    """Raise UserError where something other than a file stands at a path, such as a folder or a device."""
    for path in paths:
        if path.exists() and not path.is_file():
            raise UserError(f"{path} is not a file, and nothing was written there; name another path")


@contextlib.contextmanager
def written_beside(*paths: Path) -> Iterator[list[Path]]:
    """Yield a temporary path beside each path; rename those that exist at the end, and leave nothing after an error.

    The folders of the paths are made where they are missing. Raises as `hold_files`, and OSError where a file cannot be
    written.
    """
    hold_files(*paths)
    partials = [path.with_name(f".partial-{os.getpid()}-{path.name}") for path in paths]
    try:
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield partials
        for partial, path in zip(partials, paths, strict=True):
            if partial.exists():
                os.replace(partial, path)
    finally:
        for partial in partials:
            partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all."""
    with written_beside(path) as (partial,):
        partial.write_text(text, encoding="utf-8")


def write_lines(file: Path, rows: Iterable[object]) -> int:
    """Write rows as JSON lines, all or none; return how many.

    Half a surrogate pair, which JSON may have and UTF-8 cannot, becomes its escape again.
    """
    count = 0
    with written_beside(file) as (partial,), partial.open("w", encoding="utf-8", errors="backslashreplace") as opened:
        for row in rows:
            opened.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count
