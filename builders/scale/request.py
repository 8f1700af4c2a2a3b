"""What a scaled build is asked for: its rows, and which of them each task makes.

A *task* makes whole chunks of the endless stream, so no two tasks plan the same chunk. Its *rank* is its number.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import GENERATOR_VERSION
from ..columns import Row
from ..configs import ChunkedUnits
from ..dataset import dataset_named
from ..errors import UserError
from ..folder.build import Build, sources
from ..streaming.endless import Endless, endless

# Of small configs: the rows after which about every second new one repeats a problem, and how many differ until then,
# as docs/how_to/scale.md measures. Other configs have no such bound.
SUPPLY = {
    ("mindgames", "forehead"): (128_000, 74_600),
    ("mindgames", "forehead_mirror"): (114_000, 67_500),
    ("mindgames", "reproduction"): (38_000, 24_200),
}

SPLIT = "train"  # the split that the rows are for: none of them is a problem of the default test builds


@dataclass(frozen=True, slots=True)
class Request:
    """Hold what is asked for. The bytes of a shard depend on these fields, its rank, and the versions in `record`."""

    dataset: str  # hi_tom or mindgames
    config: str  # a published config
    seed: int  # of the stream
    fields: Mapping[str, Any]  # fields of the config with other values
    rows: int  # how many rows of the stream, before repeated problems are removed
    tasks: int  # how many tasks share them, each with a file of its own
    prove: float  # the share of stories or blocks that are proven

    def check(self) -> None:
        """Raise UserError for what cannot be made."""
        for name, number in (("rows", self.rows), ("tasks", self.tasks)):
            if number < 1:
                raise UserError(f"--{name} is {number}; it must be 1 or more")
        if not 0 <= self.prove <= 1:
            raise UserError(f"--prove is {self.prove}; it must be a share from 0 to 1")
        units, chunks = self.units(), self.chunks()
        if over := self.rows % units.size:
            right = self.rows + units.size - over
            raise UserError(
                f"--rows is {self.rows}; a {units.unit} of {self.config} has {units.size} rows: say {right}"
            )
        if self.tasks > chunks:
            raise UserError(
                f"--tasks is {self.tasks}; {self.rows:,} rows are {chunks} chunks of {self.chunk_rows():,}, and a task "
                f"makes whole chunks: say {chunks} or less"
            )
        most, different = (0, 0) if self.fields else SUPPLY.get((self.dataset, self.config), (0, 0))
        if 0 < most < self.rows:
            raise UserError(
                f"--rows is {self.rows}; the first {most:,} rows of {self.config} have about {different:,} different "
                f"problems, and about every second further row repeats one: say {most} or less, or another config"
            )

    def units(self) -> ChunkedUnits[Any]:
        """Return the stories or blocks of the stream. Raises UserError."""
        return dataset_named(self.dataset).units(self.config, self.seed, dict(self.fields))

    def stream(self) -> Endless:
        """Return the stream. Raises UserError."""
        return endless(self.dataset, self.config, self.seed, **self.fields)

    def chunk_rows(self) -> int:
        """Return the number of rows of a chunk."""
        units = self.units()
        return units.chunk * units.size

    def chunks(self) -> int:
        """Return how many chunks the rows are; the last one may be cut."""
        return -(-self.rows // self.chunk_rows())

    def span(self, rank: int) -> range:
        """Return the indices of the rows of a task."""
        chunks, size = self.chunks(), self.chunk_rows()
        first, end = (size * (number * chunks // self.tasks) for number in (rank, rank + 1))
        return range(first, min(end, self.rows))

    def file(self, rank: int) -> str:
        """Return the path of a task's file in the folder."""
        return f"{self.config}/{SPLIT}-{rank:05d}-of-{self.tasks:05d}.parquet"

    def build(self, folder: Path) -> Build:
        """Return what a folder that holds these rows has as its record, but for its files."""
        return Build(folder, self.dataset, GENERATOR_VERSION, self.record(), sources(), {})

    def record(self) -> dict[str, Row]:
        """Return what the record of the folder keeps: the fields of the config, and those of this request."""
        import pyarrow

        config = {**asdict(self.units().config), "version": GENERATOR_VERSION, "scorer": None}
        asked = {"rows": self.rows, "tasks": self.tasks, "prove": self.prove, "pyarrow": pyarrow.__version__}
        record: dict[str, Row] = json.loads(json.dumps({self.config: config | asked}))
        return record


def option_of(config: str, field: str) -> str:
    """Return the option that sets a field of the record."""
    if field in ("seed", "rows", "tasks", "prove"):
        return f"--{field}"
    return field if field == "pyarrow" else f"--field {field}"
