"""What a build writes into its folder: Parquet files, and the record of all that stands there."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..files import folder_written_beside
from .build import Build

if TYPE_CHECKING:
    import datasets

ROW_GROUP = 1000  # rows of a row group of a Parquet file


@contextlib.contextmanager
def written(build: Build, features: "datasets.Features", rows: Iterable[tuple[str, dict]]) -> Iterator[Build]:
    """Write the tables of a build into a temporary folder, and yield the build there: the caller adds what else it has.

    Then write the record, and put the folder in its place; leave nothing behind after an error. `rows` yields (file,
    row), the rows of a file in their order. The folder is replaced if it is there, so `claim` it first. Raises OSError
    where the disk is full.
    """
    with folder_written_beside(build.folder) as partial:
        files = write_tables(partial, features, rows)
        yield replace(build, folder=partial, files=files)
        replace(build, files=files).recorded(partial)


def write_tables(
    folder: Path, features: "datasets.Features", rows: Iterable[tuple[str, dict]], **layout: Any
) -> dict[str, dict]:
    """Write rows into their Parquet files, ROW_GROUP rows at a time. `layout` is what else Parquet's writer is given.

    Returns each file's rows, bytes in memory and bytes on disk. Raises RuntimeError where a row has other columns than
    the features.
    """
    schema = features.arrow_schema
    files: dict[str, dict] = {}
    writers: dict[str, pq.ParquetWriter] = {}
    waiting: dict[str, list[dict]] = {}
    with contextlib.ExitStack() as opened:

        def flush(file: str) -> None:
            if file not in writers:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                writers[file] = opened.enter_context(
                    pq.ParquetWriter(folder / file, schema, compression="zstd", **layout)
                )
            table = pa.Table.from_pylist(waiting.pop(file), schema=schema)
            writers[file].write_table(table)
            files[file]["rows"] += table.num_rows
            files[file]["memory"] += table.nbytes

        for file, row in rows:
            if row.keys() != features.keys():
                raise RuntimeError(f"a row's columns are not the features: {sorted(row.keys() ^ features.keys())}")
            files.setdefault(file, {"rows": 0, "memory": 0})
            waiting.setdefault(file, []).append(row)
            if len(waiting[file]) == ROW_GROUP:
                flush(file)
        for file in list(waiting):
            flush(file)
    for file, facts in files.items():
        facts["bytes"] = (folder / file).stat().st_size
    return files
