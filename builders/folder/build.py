"""Own the folder that is a Hub repository: Parquet files, beside them the card, and the record of the build.

A folder is written under a temporary name and renamed when it is whole, so that its own name never holds half of
one. The record, `build.json`, says what was asked for, from which sources, and the checksum of every file: by it a
build with the same arguments is found done, and a folder that is not ours, or was changed, is left alone.
"""

import hashlib
import json
import shutil
from pathlib import Path

from builders.errors import FolderError

ROOT = Path(__file__).resolve().parents[2]


RECORD = "build.json"


AWAY = "move it away or build elsewhere (OUT=another/folder)"


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

    Raises FolderError where building there would lose something: what is there is no folder of ours, or holds a file
    that no build wrote, or one that was changed since.
    """
    if not folder.exists() and not folder.is_symlink():
        return False
    if folder.is_symlink() or not folder.is_dir():
        raise FolderError(f"{folder} exists and is no folder of this program: {AWAY}")
    if not any(folder.iterdir()):
        return False
    known = record(folder, dataset)
    if known is None:
        raise FolderError(f"{folder} exists and was not made by this program (it has no {RECORD} of {dataset}): {AWAY}")
    whole = untouched(folder, known)
    return whole and known["request"] == request and known["sources"] == sources()


def untouched(folder: Path, known: dict) -> bool:
    """Return whether a folder has all files of its record.

    Raises FolderError where it holds a file that its build did not write, or one that was changed since.
    """
    here = present(folder)
    for file in here:
        if file not in known["files"]:
            raise FolderError(f"{folder / file} was not written by the build of {folder}: {AWAY}")
        if checksum(folder / file) != known["files"][file]["sha256"]:
            raise FolderError(f"{folder / file} was changed after it was built: {AWAY}, or delete the folder")
    return here == sorted(known["files"])


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
