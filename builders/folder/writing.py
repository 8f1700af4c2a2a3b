"""Own the folder that is a Hub repository: Parquet files, beside them the card, and the record of the build.

A folder is written under a temporary name and renamed when it is whole, so that its own name never holds half of
one. The record, `build.json`, says what was asked for, from which sources, and the checksum of every file: by it a
build with the same arguments is found done, and a folder that is not ours, or was changed, is left alone.
"""

import contextlib
import dataclasses
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from builders import GENERATOR_VERSION
from builders.folder import card
from builders.folder.build import RECORD, Build, checksum, present, sources

ROW_GROUP = 1000


def write(
    folder: Path,
    dataset: str,
    request: dict,
    features: datasets.Features,
    layout: dict[str, dict[str, list[str]]],
    rows: Iterable[tuple[str, dict]],
    metadata: dict,
    about: dict,
    describe: Callable[[Build], dict],
) -> None:
    """Write a dataset's folder whole, or leave nothing behind.

    `layout` names the Parquet files of each config and split, the default config first; `rows` yields (file, row), the
    rows of a file in their order; `metadata` opens the card's YAML, and `about` is what else `dataset_card.md` says,
    with what `describe` makes of the build in its temporary folder, where it may write pictures.
    What stood under the folder's name is replaced, so `claim` it first. Raises OSError where the disk is full.
    """
    made = [parent for parent in folder.parents if not parent.exists()]
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = folder.with_name(f".{folder.name}.partial-{os.getpid()}")
    try:
        shutil.rmtree(partial, ignore_errors=True)  # of a process long dead that had our number
        partial.mkdir()
        files = write_tables(partial, features, rows)
        expected = {file for splits in layout.values() for paths in splits.values() for file in paths}
        if set(files) != expected:
            raise RuntimeError(f"rows were made for {sorted(files)}, the layout has {sorted(expected)}")
        for file, facts in files.items():
            facts["bytes"] = (partial / file).stat().st_size
        build = Build(partial, dataset, GENERATOR_VERSION, request, sources(), files)
        about = about | describe(build)
        text = card.render(partial, dataset, request, features, layout, files, metadata, about)
        (partial / "README.md").write_text(text, encoding="utf-8")
        for file in present(partial):
            facts = files.setdefault(file, {"rows": 0, "bytes": (partial / file).stat().st_size})
            facts["sha256"] = checksum(partial / file)
        build = dataclasses.replace(build, files=dict(sorted(files.items())))
        (partial / RECORD).write_text(build.record(), encoding="utf-8")
        replace(folder, partial)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        with contextlib.suppress(OSError):  # somebody else may use them by now
            for parent in made:
                parent.rmdir()
        raise


def replace(folder: Path, partial: Path) -> None:
    """Give `partial` the name of `folder`, whose old contents are deleted only then."""
    old = partial.with_name(f"{partial.name}-old")
    try:
        if folder.exists():
            os.rename(folder, old)
        os.rename(partial, folder)
    finally:
        if not folder.exists() and old.exists():
            os.rename(old, folder)
        shutil.rmtree(old, ignore_errors=True)


def write_tables(folder: Path, features: datasets.Features, rows: Iterable[tuple[str, dict]]) -> dict[str, dict]:
    """Write rows into their Parquet files, ROW_GROUP rows at a time, and return each file's rows and size in memory."""
    schema = features.arrow_schema
    files: dict[str, dict] = {}
    writers: dict[str, pq.ParquetWriter] = {}
    waiting: dict[str, list[dict]] = {}

    def flush(file: str) -> None:
        if file not in writers:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            writers[file] = pq.ParquetWriter(folder / file, schema, compression="zstd")
        table = pa.Table.from_pylist(waiting[file], schema=schema)
        writers[file].write_table(table)
        files[file]["rows"] += table.num_rows
        files[file]["memory"] += table.nbytes
        waiting[file] = []

    try:
        for file, row in rows:
            if row.keys() != features.keys():
                raise RuntimeError(f"a row's columns are not the features: {sorted(row.keys() ^ features.keys())}")
            files.setdefault(file, {"rows": 0, "memory": 0})
            waiting.setdefault(file, []).append(row)
            if len(waiting[file]) == ROW_GROUP:
                flush(file)
        for file in files:
            if waiting[file]:
                flush(file)
    finally:
        for writer in writers.values():
            writer.close()
    return files
