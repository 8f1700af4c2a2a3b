"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import datasets
import pyarrow as pa
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from builders.folder.build import RECORD, checksum, untouched
from builders.hub.network import PublishError
from builders.hub.read_back import fingerprints

LAID_OUT = re.compile(r"[\w-]+/[\w-]+\.parquet|pictures/[\w-]+\.png")
"""What a build writes besides what every one has: whatever a record says, nothing else is an earlier layout's."""


@dataclass(frozen=True, slots=True)
class Order:
    """Hold what is asked for: whose, private if new, as a pull request, a tag, a branch; or only what it would do."""

    namespace: str
    private: bool = False
    pull_request: bool = False
    tag: str | None = None
    revision: str = "main"
    dry_run: bool = False


class Digest(NamedTuple):
    """Hold what tells a file's contents: the SHA-256 by which the Hub knows large ones, Git's name, the size."""

    sha256: str
    blob: str
    size: int

    def is_of(self, there: RepoFile) -> bool:
        """Return whether a file on the Hub has these contents."""
        return there.lfs.sha256 == self.sha256 if there.lfs else there.blob_id == self.blob


@dataclass(frozen=True, slots=True)
class Local:
    """Hold what a folder was when it was checked: its files, and the fingerprint of each config and split."""

    name: str
    here: Path
    title: str
    files: dict[str, Digest]
    fingerprints: dict[str, dict[str, str]]


def take(name: str, here: Path, known: dict) -> Local:
    """Return what a folder is; raise FolderError or PublishError where it is not what its build wrote, to the byte."""
    if not untouched(here, known):
        missing = next(path for path in known["files"] if not (here / path).is_file())
        raise PublishError(f"{here / missing} is missing: build again")
    checksums = {path: facts["sha256"] for path, facts in known["files"].items()}
    files = {}
    for path, sha256 in {**checksums, RECORD: checksum(here / RECORD)}.items():
        content = (here / path).read_bytes()
        files[path] = Digest(sha256, git_hash(content), len(content))
    seed = next(iter(known["request"].values()))["seed"]
    try:
        prints = fingerprints(here)
    except (ValueError, KeyError, TypeError, OSError, pa.ArrowException) as error:
        raise PublishError(f"{here} cannot be read by datasets {datasets.__version__}: {error}") from None
    return Local(name, here, f"{name} {known['generator_version']}, seed {seed}", files, prints)


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold which files a commit adds, changes and deletes, and which of an earlier layout stay: others changed them."""

    add: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    stay: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.delete)


def blob(files: dict[str, RepoFile], path: str) -> str | None:
    """Return the Git name of a file's contents, None where it is not there."""
    return files[path].blob_id if path in files else None
