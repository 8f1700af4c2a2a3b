"""How a folder is written: beside its place, so that nobody sees half of one; with its Parquet files and its record."""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..columns import Row
from ..errors import UserError
from .build import Build, checksum

if TYPE_CHECKING:
    import datasets

# What `load_dataset` does not take as it is in the full path of a folder: patterns of names, chains of addresses,
# variables; and what it does not so take at the start of a path.
MISREAD, MISREAD_FIRST = re.compile(r"[*?]|\[[^/]*\]|::|\$(?=[\w{])"), re.compile("~|file:")

ROW_GROUP = 1000  # rows of a row group of a Parquet file


def check_loadable(folder: Path) -> None:
    """Raise UserError where `load_dataset` would look elsewhere for what is written into a folder."""
    path = os.path.realpath(folder)
    if found := MISREAD.search(path) or MISREAD_FIRST.match(folder.as_posix()):
        raise UserError(
            f"{folder} cannot hold a dataset: load_dataset gives {found[0]!r} in the path {path} another meaning, and "
            "would look elsewhere; name another folder (--out FOLDER; make: OUT=another/folder)"
        )


@contextlib.contextmanager
def written(build: Build) -> Iterator[Build]:
    """Yield a build in an empty folder beside its own, with no files; then write its record, and put it in its place.

    The caller writes the files, and may say in `files` what the record tells of them. The folder is replaced if it is
    there, so `claim` it first. After an error nothing is left: neither the new folder, nor the parents that were made
    for it. Raises OSError where a file cannot be written.
    """
    folder = build.folder
    made = [parent for parent in folder.parents if not parent.exists()]
    folder.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{folder.name}.partial-"
    try:
        with tempfile.TemporaryDirectory(prefix=prefix, dir=folder.parent, ignore_cleanup_errors=True) as partial:
            new = replace(build, folder=Path(partial, "new"), files={})
            new.folder.mkdir()
            yield new
            new.write_record()
            exchange(folder, new.folder)
    except BaseException:
        with contextlib.suppress(OSError):  # somebody else may use them by now
            for parent in made:
                parent.rmdir()
        raise


def exchange(folder: Path, new: Path) -> None:
    """Give `new` the name of `folder`, and only then delete what had it; after an error that has it again."""
    old = folder.with_name(f"{new.parent.name}-old")  # not beside `new`, whose folder is deleted after an error
    try:
        if folder.exists():
            os.rename(folder, old)
        os.rename(new, folder)
    finally:
        if not folder.exists() and old.exists():
            os.rename(old, folder)
        shutil.rmtree(old, ignore_errors=True)


def readable_schema(features: "datasets.Features") -> pa.Schema:
    """Return the Arrow schema of features, whose metadata call a list Sequence, as `datasets` before 4 does.

    Newer ones call it List, which older ones do not know, and read both.
    """
    schema = features.arrow_schema
    described = schema.metadata[b"huggingface"].replace(b'"_type": "List"', b'"_type": "Sequence"')
    return schema.with_metadata({**schema.metadata, b"huggingface": described})


def write_tables(
    folder: Path, features: "datasets.Features", rows: Iterable[tuple[str, Row]], **layout: Any
) -> dict[str, dict[str, Any]]:
    """Write rows into their Parquet files, ROW_GROUP rows at a time. `layout` is what else Parquet's writer is given.

    `rows` yields (file, row), the rows of a file in their order. Returns each file's rows, bytes in memory, bytes on
    disk and checksum. Raises RuntimeError where a row has other columns than the features.
    """
    schema = readable_schema(features)
    files: dict[str, dict[str, Any]] = {}
    writers: dict[str, pq.ParquetWriter] = {}
    waiting: dict[str, list[Row]] = {}
    with contextlib.ExitStack() as opened:

        def flush(file: str) -> None:
            if file not in writers:
                path = (folder / file).absolute()
                path.parent.mkdir(parents=True, exist_ok=True)
                writers[file] = opened.enter_context(pq.ParquetWriter(path, schema, compression="zstd", **layout))
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
        facts |= {"bytes": (folder / file).stat().st_size, "sha256": checksum(folder / file)}
    return files
