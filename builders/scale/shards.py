"""Own the shards: the files that tasks write, what is recorded of each, and how repeated problems are taken out.

They lie in the folder WORK until all are complete. A task that failed may leave a file that looks whole, so a shard is
read only where datatrove marks its task as completed, and only while it has the checksum that the task recorded.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from builders.dataset.catalogue import dataset_of
from builders.errors import UserError
from builders.files import write_text, written_beside
from builders.folder.build import checksum
from builders.folder.writing import ROW_GROUP
from builders.scale.rows import PROBLEM
from builders.streaming.sealed import WIDTH

WORK = ".scale"
"""The folder within the output folder where tasks work; `datasets` reads no hidden folder."""

SHARDS, LOGS, FACTS = "shards", "logs", "facts"
"""The folders within WORK: the files of the tasks, datatrove's logs and marks, what is recorded of each file."""

COMPRESSION = "zstd"


def schema_of(name: str) -> pa.Schema:
    """Return the columns of a shard: those of a build, and the hash of the problem."""
    import datasets

    features = datasets.Features({**dataset_of(name).features(), PROBLEM: datasets.Value("string")})
    return features.arrow_schema


def shard(work: Path, rank: int) -> Path:
    """Return where a task writes its file."""
    return work / SHARDS / f"{rank:05d}.parquet"


def write_facts(work: Path, rank: int, problems: bytes, proven: int) -> None:
    """Record a shard: its checksum, its sizes, how many of its rows are proven, and the hashes of its problems.

    Raises RuntimeError where the file has other rows than the task made.
    """
    facts = measured(shard(work, rank))
    if facts["rows"] * WIDTH != len(problems):
        raise RuntimeError(f"{shard(work, rank)} has {facts['rows']} rows, its task made {len(problems) // WIDTH}")
    hashes = work / FACTS / f"{rank:05d}.bin"
    with written_beside(hashes) as (partial,):
        partial.write_bytes(problems)
    write_text(hashes.with_suffix(".json"), json.dumps(facts | {"proven": proven}))


def measured(file: Path) -> dict[str, Any]:
    """Return the rows of a Parquet file, its bytes in memory and on disk, and its checksum."""
    with pq.ParquetFile(file) as table:
        memory = sum(table.read_row_group(group, use_threads=False).nbytes for group in range(table.num_row_groups))
        rows = table.metadata.num_rows
    return {"rows": rows, "memory": memory, "bytes": file.stat().st_size, "sha256": checksum(file)}


def is_complete(work: Path, rank: int) -> bool:
    """Return whether datatrove marks a task as completed."""
    return (work / LOGS / "completions" / f"{rank:05d}").is_file()


def incomplete(work: Path, tasks: int) -> list[int]:
    """Return the ranks of the tasks that are not completed."""
    return [rank for rank in range(tasks) if not is_complete(work, rank)]


def facts_of(work: Path, rank: int) -> dict[str, Any]:
    """Return what a completed task recorded of its shard. Raises UserError where the shard is another one now."""
    file = shard(work, rank)
    mark = work / LOGS / "completions" / f"{rank:05d}"
    try:
        facts = json.loads((work / FACTS / f"{rank:05d}.json").read_text(encoding="utf-8"))
        same = checksum(file) == facts["sha256"]
    except (OSError, ValueError, LookupError):
        same = False
    if not same:
        raise UserError(f"{file} is not what its task wrote: delete {mark} and run the command again")
    return facts


def repeated(work: Path, sizes: Sequence[int], unit: int) -> list[np.ndarray]:
    """Return for each shard which of its rows to keep, as a mask: units without a problem that came before.

    sizes: the rows of each shard. unit: the rows of a unit; it stays or goes as a whole. Of units that share a problem
    the first stays. All hashes are held in memory: about 24 bytes a row.
    """
    files = [work / FACTS / f"{rank:05d}.bin" for rank in range(len(sizes))]
    hashes = np.concatenate([np.fromfile(file, dtype=np.uint64) for file in files])
    ordered = np.sort(hashes)
    shared = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    kept = np.ones(len(hashes), dtype=bool)
    if len(shared):
        met: set[int] = set()
        suspects = np.isin(hashes, shared).reshape(-1, unit)
        for number in np.flatnonzero(suspects.any(axis=1)):
            rows = slice(number * unit, (number + 1) * unit)
            problems = set(hashes[rows].tolist())
            if problems & met:
                kept[rows] = False
            else:
                met |= problems
    return np.split(kept, np.cumsum(sizes)[:-1])


def rewritten(source: Path, target: Path, kept: np.ndarray) -> None:
    """Write the rows of a shard that are kept, ROW_GROUP at a time, in their order."""
    with pq.ParquetFile(source) as shard_file:
        table = shard_file.read(use_threads=False).filter(pa.array(kept))
    pq.write_table(table, target, compression=COMPRESSION, row_group_size=ROW_GROUP)
