"""The guesses of a probe that are kept beside a dataset's folder, so that no build scores the same rows again.

They are those of the rows of the last build. They hold for one probe, one version of onnxruntime and one machine, as
another may give other scores.
"""

import contextlib
import json
import platform
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..columns import NOTHING_KNOWN, Guess, Guesses
from ..files import write_text

if TYPE_CHECKING:
    from .probe import Probe  # numpy is slow to import


class Source(NamedTuple):
    """Say where guesses are kept, and which: a worker reads them by that, once."""

    file: Path
    maker: tuple[str, ...]  # what guesses depend on besides the row: probe, version, machine
    changed: int  # when the file was last written, in nanoseconds; 0 where there is none


class Kept:
    """Hold where the guesses of the last build are, and those about the rows of this one."""

    def __init__(self, folder: Path, probe: "Probe | None") -> None:
        """Look beside the folder of a dataset; without a probe nothing is known or kept."""
        from importlib.metadata import version  # slow to import

        file, self.source, self.guesses = kept_file(folder), None, {}
        if probe:
            maker = probe.identity, version("onnxruntime"), platform.machine(), platform.node()
            self.source = Source(file, maker, file.stat().st_mtime_ns if file.exists() else 0)

    def write(self) -> None:
        """Keep the guesses of this build instead of the last one's; a disk that is full is no reason to fail."""
        if self.source:
            with contextlib.suppress(OSError):
                record = {"made_by": self.source.maker, "guesses": self.guesses}
                write_text(self.source.file, json.dumps(record, separators=(",", ":")))


def kept_file(folder: Path) -> Path:
    """Return the file beside a dataset's folder that keeps its guesses."""
    return folder.with_name(f".{folder.name}.scores")


@lru_cache(maxsize=2)
def known_guesses(source: Source | None) -> Guesses:
    """Return the guesses of a source; none where the file cannot be read, or is of another probe or machine."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        record = json.loads(source.file.read_text(encoding="utf-8"))
        if record["made_by"] == list(source.maker):
            return {row: Guess(int(place), float(sure)) for row, (place, sure) in record["guesses"].items()}
    return NOTHING_KNOWN
