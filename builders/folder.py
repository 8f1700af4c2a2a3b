"""Own the folder that is a Hub repository: Parquet files, beside them the card, and the record of the build.

A folder is written under a temporary name and renamed when it is whole, so that its own name never holds half of
one. The record, `build.json`, says what was asked for, from which sources, and the checksum of every file: by it a
build with the same arguments is found done, and a folder that is not ours, or was changed, is left alone.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

from builders import GENERATOR_VERSION, card

ROOT = Path(__file__).resolve().parent.parent
RECORD = "build.json"
AWAY = "move it away or build elsewhere (OUT=another/folder)"
ROW_GROUP = 1000


class NotOurs(ValueError):
    """Say why a folder must not be replaced."""


def sources() -> str:
    """Return one checksum of all code and templates that rows and cards are made from."""
    made_from = ("*.py", "builders/**/*.py", "builders/**/*.json", "dataset_card.md", "templates/**/*", "probe/*")
    files = [file for pattern in made_from for file in ROOT.glob(pattern) if file.is_file()]
    together = hashlib.sha256()
    for file in sorted(files):
        together.update(f"{file.relative_to(ROOT).as_posix()}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return together.hexdigest()


def checksum(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def record(folder: Path, dataset: str) -> dict | None:
    """Return the record of a folder that a build of the dataset made, or None where there is none to be relied on."""
    try:
        found = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        files = found["files"]
        whole = found["dataset"] == dataset and isinstance(found["request"], dict) and isinstance(files, dict) and files
        within = all(not Path(file).is_absolute() and ".." not in Path(file).parts for file in files)
        counted = all(isinstance(facts["sha256"], str) and isinstance(facts["rows"], int) for facts in files.values())
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
    return found if whole and within and counted and isinstance(found.get("sources"), str) else None


def present(folder: Path) -> list[str]:
    """Return all files of a folder but the record, links too, relative to it."""
    inside = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted({path.relative_to(folder).as_posix() for path in inside} - {RECORD})


def claim(folder: Path, dataset: str, request: dict) -> bool:
    """Return whether `folder` already holds what is requested, whole and unchanged.

    Raises NotOurs where building there would lose something: what is there is no folder of ours, or holds a file that
    no build wrote, or one that was changed since.
    """
    if not folder.exists() and not folder.is_symlink():
        return False
    if folder.is_symlink() or not folder.is_dir():
        raise NotOurs(f"{folder} exists and is no folder of this program: {AWAY}")
    if not any(folder.iterdir()):
        return False
    known = record(folder, dataset)
    if known is None:
        raise NotOurs(f"{folder} exists and was not made by this program (it has no {RECORD} of {dataset}): {AWAY}")
    whole = untouched(folder, known)
    return whole and known["request"] == request and known["sources"] == sources()


def untouched(folder: Path, known: dict) -> bool:
    """Return whether a folder has all files of its record.

    Raises NotOurs where it holds a file that its build did not write, or one that was changed since.
    """
    here = present(folder)
    for file in here:
        if file not in known["files"]:
            raise NotOurs(f"{folder / file} was not written by the build of {folder}: {AWAY}")
        if checksum(folder / file) != known["files"][file]["sha256"]:
            raise NotOurs(f"{folder / file} was changed after it was built: {AWAY}, or delete the folder")
    return here == sorted(known["files"])


def write(
    folder: Path,
    dataset: str,
    request: dict,
    features: datasets.Features,
    layout: dict[str, dict[str, list[str]]],
    rows: Iterable[tuple[str, dict]],
    metadata: dict,
    about: dict,
    describe: Callable[[Path, dict], dict],
) -> None:
    """Write a dataset's folder whole, or leave nothing behind.

    `layout` names the Parquet files of each config and split, the default config first; `rows` yields (file, row), the
    rows of a file in their order; `metadata` opens the card's YAML, and `about` is what else `dataset_card.md` says,
    with what `describe` makes of the Parquet, given its folder, where it may write pictures, and its record.
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
        kept = {
            "dataset": dataset,
            "generator_version": GENERATOR_VERSION,
            "request": request,
            "sources": sources(),
            "files": files,
        }
        about = about | describe(partial, kept)
        text = card.render(partial, dataset, request, features, layout, files, metadata, about)
        (partial / "README.md").write_text(text, encoding="utf-8")
        for file in present(partial):
            facts = files.setdefault(file, {"rows": 0, "bytes": (partial / file).stat().st_size})
            facts["sha256"] = checksum(partial / file)
        kept["files"] = dict(sorted(files.items()))
        (partial / RECORD).write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
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


def remove(folder: Path, dataset: str) -> list[str]:
    """Delete what a build of the dataset wrote into `folder` and nobody changed since; return what is still there."""
    for partial in folder.parent.glob(f".{folder.name}.partial-*"):
        shutil.rmtree(partial, ignore_errors=True)
    known = record(folder, dataset) if not folder.is_symlink() else None
    if known is None:
        return [folder.name] if folder.exists() else []
    for file in present(folder):
        path = folder / file
        if not path.is_symlink() and file in known["files"] and checksum(path) == known["files"][file]["sha256"]:
            path.unlink()
    (folder / RECORD).unlink()
    for inner in sorted(folder.rglob("*"), reverse=True):
        if inner.is_dir() and not inner.is_symlink() and not any(inner.iterdir()):
            inner.rmdir()
    left = present(folder)
    if not left:
        folder.rmdir()
    return left
