"""The guesses of a probe that are kept beside a dataset's folder, so that no build scores the same rows again.

They are those of the rows of the last build. They hold for one probe, one version of onnxruntime and one machine, as
another may give other scores.
"""

import contextlib
import json
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from ..columns import NOTHING_KNOWN, Guess, Guesses
from ..files import write_text

if TYPE_CHECKING:
    from .probe import Probe  # numpy is slow to import


class Kept:
    """Hold the guesses of the last build, and those about the rows of this one."""

    def __init__(self, folder: Path, probe: "Probe | None") -> None:
        """Look beside the folder of a dataset; without a probe nothing is known or kept."""
        from importlib.metadata import version  # slow to import

        self.file = kept_file(folder)
        self.maker: list[str] | None = None
        self.guesses: dict[str, Guess] = {}
        if probe:  # what guesses depend on besides the row: probe, version, machine
            self.maker = [probe.identity, version("onnxruntime"), platform.machine(), platform.node()]
        self.known = known_guesses(self.file, self.maker)

    def write(self) -> None:
        """Keep the guesses of this build instead of the last one's; a disk that is full is no reason to fail."""
        if self.maker:
            with contextlib.suppress(OSError):
                record = {"made_by": self.maker, "guesses": self.guesses}
                write_text(self.file, json.dumps(record, separators=(",", ":")))


def kept_file(folder: Path) -> Path:
    """Return the file beside a dataset's folder that keeps its guesses."""
    return folder.with_name(f".{folder.name}.scores")


def known_guesses(file: Path, maker: list[str] | None) -> Guesses:
    """Return the guesses of a file; none where it cannot be read, or is of another probe or machine."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["made_by"] == maker:
            return {row: Guess(int(place), float(sure)) for row, (place, sure) in record["guesses"].items()}
    return NOTHING_KNOWN
