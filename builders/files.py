"""Own how a file is written: under a temporary name beside it, then renamed, so that nobody sees half of it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written_beside(*paths: Path) -> Iterator[list[Path]]:
    """Yield a temporary path beside each path; rename those that exist at the end, and leave nothing after an error.

    The folders of the paths are made where they are missing. Raises OSError where a file cannot be written.
    """
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
