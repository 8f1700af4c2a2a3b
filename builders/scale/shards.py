"""The shards: the files that tasks write, what is recorded of each, and how repeated problems are taken out.

They lie in the folder WORK until all are complete. A task that failed may leave a file that looks whole, so a shard is
read only where its task is marked as completed, and only while it has the checksum that the task recorded.
"""

import json
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ..dataset import dataset_named
from ..errors import UserError
from ..files import write_text
from ..folder.build import checksum
from ..folder.writing import ROW_GROUP, write_tables
from ..work import in_workers
from .request import Request
from .rows import PROBLEM, checked, published

WORK = ".scale"  # the folder within the output folder where tasks work; `datasets` reads no hidden folder

# The folders within WORK: the files of the tasks, datatrove's logs and marks, what is recorded of each file.
SHARDS, LOGS, FACTS = "shards", "logs", "facts"

# How Parquet files are laid out for the Hub, as datatrove writes them: files that share rows share stored parts.
LAYOUT = {
    "use_content_defined_chunking": {"min_chunk_size": 256 * 1024, "max_chunk_size": 1024 * 1024, "norm_level": 0},
    "write_page_index": True,
}


class Shard(NamedTuple):
    """Find what a task wrote."""

    rank: int  # the number of the task
    file: Path  # its rows
    mark: Path  # marks the task as completed, here as by datatrove
    recorded: Path  # keeps what is recorded of its rows

    def facts(self) -> dict[str, Any]:
        """Return what the completed task recorded. Raises UserError where the file is another one now."""
        try:
            facts: dict[str, Any] = json.loads(self.recorded.read_text(encoding="utf-8"))
            if checksum(self.file) == facts["sha256"]:
                return facts
        except (OSError, ValueError, LookupError, TypeError):
            pass
        raise UserError(f"{self.file} is not what its task wrote: delete {self.mark} and run the command again")

    def hashes(self) -> np.ndarray:
        """Return the hashes of the problems, in the order of the rows."""
        column = pq.read_table(self.file, columns=[PROBLEM], use_threads=False)[PROBLEM]
        return np.frombuffer(bytes.fromhex("".join(column.to_pylist())), dtype=np.uint64)

    def write_kept(self, target: Path, kept: np.ndarray) -> None:
        """Write the rows that are kept into another file, ROW_GROUP at a time, in their order."""
        table = pq.read_table(self.file, use_threads=False).filter(pa.array(kept))
        pq.write_table(table, target, compression="zstd", row_group_size=ROW_GROUP)


def shard_of(work: Path, rank: int) -> Shard:
    """Return where a task writes, within the folder WORK."""
    name = f"{rank:05d}"
    mark = work / LOGS / "completions" / name
    return Shard(rank, work / SHARDS / f"{name}.parquet", mark, work / FACTS / f"{name}.json")


def make_shards(request: Request, work: Path, workers: int) -> None:
    """Run the tasks that are not complete in worker processes of this machine.

    Raises UserError for a row that fails, and where a worker is killed.
    """
    tasks = [(request, work, rank) for rank in range(request.tasks) if not shard_of(work, rank).mark.is_file()]
    if tasks:
        deque(in_workers(make_shard, tasks, min(workers, len(tasks))), maxlen=0)


def make_shard(request: Request, work: Path, rank: int) -> None:
    """Run a task: make its rows, prove and write them, and record what was written. Raises UserError."""
    import datasets

    shard = shard_of(work, rank)
    features = datasets.Features({**dataset_named(request.dataset).features, PROBLEM: datasets.Value("string")})
    rows = ((shard.file.name, published(drawn)) for drawn in checked(request, rank))
    write_tables(shard.file.parent, features, rows, **LAYOUT)
    write_text(shard.recorded, json.dumps(measured(shard.file)))
    write_text(shard.mark, "")
    print(f"task {rank} of {request.tasks} is complete", file=sys.stderr)


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
