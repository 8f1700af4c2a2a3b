"""The shards: the files that tasks write, what is recorded of each, and how repeated problems are taken out.

They lie in the folder WORK until all are complete. A task that failed may leave a file that looks whole, so a shard is
read only where datatrove marks its task as completed, and only while it has the checksum that the task recorded.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import UserError
from ..files import write_text
from ..folder.build import checksum
from ..folder.writing import ROW_GROUP
from ..topics import features_of
from .rows import PROBLEM

WORK = ".scale"  # the folder within the output folder where tasks work; `datasets` reads no hidden folder

# The folders within WORK: the files of the tasks, datatrove's logs and marks, what is recorded of each file.
SHARDS, LOGS, FACTS = "shards", "logs", "facts"

COMPRESSION = "zstd"


def schema_of(name: str) -> pa.Schema:
    """Return the columns of a shard: those of a build, and the hash of the problem."""
    import datasets

    features = datasets.Features({**features_of(name), PROBLEM: datasets.Value("string")})
    return features.arrow_schema


@dataclass(frozen=True, slots=True)
class Shard:
    """Find what a task wrote."""

    work: Path  # the folder WORK
    rank: int  # the number of the task

    @property
    def file(self) -> Path:
        """Return where the task writes its rows."""
        return self.work / SHARDS / f"{self.rank:05d}.parquet"

    @property
    def mark(self) -> Path:
        """Return the file by which datatrove marks the task as completed."""
        return self.work / LOGS / "completions" / f"{self.rank:05d}"

    def record(self, rows: int, proven: int) -> None:
        """Record the checksum and the sizes of the file, and how many of its rows are proven.

        Raises RuntimeError where the file has other rows than the task made.
        """
        facts = measured(self.file)
        if facts["rows"] != rows:
            raise RuntimeError(f"{self.file} has {facts['rows']} rows, its task made {rows}")
        write_text(self.work / FACTS / f"{self.rank:05d}.json", json.dumps(facts | {"proven": proven}))

    def facts(self) -> dict[str, Any]:
        """Return what the completed task recorded. Raises UserError where the file is another one now."""
        try:
            facts = json.loads((self.work / FACTS / f"{self.rank:05d}.json").read_text(encoding="utf-8"))
            same = checksum(self.file) == facts["sha256"] and pq.read_metadata(self.file).num_rows == facts["rows"]
            same = same and 0 <= facts["proven"] <= facts["rows"] and facts["memory"] > 0
        except (OSError, ValueError, LookupError, TypeError):
            same = False
        if not same:
            raise UserError(f"{self.file} is not what its task wrote: delete {self.mark} and run the command again")
        return facts

    def hashes(self) -> np.ndarray:
        """Return the hashes of the problems, in the order of the rows."""
        column = pq.read_table(self.file, columns=[PROBLEM], use_threads=False)[PROBLEM]
        return np.frombuffer(bytes.fromhex("".join(column.to_pylist())), dtype=np.uint64)

    def write_kept(self, target: Path, kept: np.ndarray) -> None:
        """Write the rows that are kept into another file, ROW_GROUP at a time, in their order."""
        table = pq.read_table(self.file, use_threads=False).filter(pa.array(kept))
        pq.write_table(table, target, compression=COMPRESSION, row_group_size=ROW_GROUP)


def measured(file: Path) -> dict[str, Any]:
    """Return the rows of a Parquet file, its bytes in memory and on disk, and its checksum."""
    with pq.ParquetFile(file) as table:
        memory = sum(table.read_row_group(group, use_threads=False).nbytes for group in range(table.num_row_groups))
        rows = table.metadata.num_rows
    return {"rows": rows, "memory": memory, "bytes": file.stat().st_size, "sha256": checksum(file)}


def firsts(shards: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return for each shard which of its rows to keep, as a mask: those whose problem no row before has.

    shards: the hashes of each one's problems. It takes about 44 bytes a row.
    """
    kept = ~pd.Series(np.concatenate(shards)).duplicated().to_numpy()
    return np.split(kept, np.cumsum([len(rows) for rows in shards])[:-1])
