"""What a commit would change: the files here and on the Hub, and which of them it adds, replaces or deletes.

A repository holds `build.json`, the record of the build that was published last. A file there may be replaced or
deleted only where it still is as that record says.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import datasets
import pyarrow as pa
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from ..folder.build import RECORD, Build
from .fingerprints import Fingerprints, folder_fingerprints
from .network import PublishError

BUILT = re.compile(r"[\w-]+/[\w-]+\.parquet|pictures/[\w-]+\.png|data/[\w-]+\.js")
"""Paths of files that some builds write and others do not. Nothing else is deleted, whatever a record lists."""


CARD = "README.md"
"""The path of a dataset's card."""

NAMING = (CARD, "eval.yaml")
"""The paths of files that name their repository."""

PUBLIC_SEED = 0
"""The default seed of a build, which is no secret."""


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """Hold where the user publishes, and how."""

    namespace: str  # the user or organisation that owns the repositories
    private: bool = False  # whether new repositories are made private
    public: bool = False  # whether a public repository may show a seed that it does not hold yet
    replace: bool = False  # whether a build with other arguments may be replaced
    pull_request: bool = False  # whether to open a pull request instead of committing to the branch
    tag: str | None = None  # the tag that the commit gets
    revision: str = "main"  # the branch; it is made where it does not exist
    dry_run: bool = False  # whether to say only what would change


class Digest(NamedTuple):
    """Hold what identifies the contents of a file as it is published."""

    sha256: str  # by which the Hub knows large files
    blob: str  # Git's name of the contents, by which the Hub knows all others
    size: int  # in bytes

    @classmethod
    def make(cls, content: bytes) -> "Digest":
        """Compute the digest of a file's contents."""
        return cls(hashlib.sha256(content).hexdigest(), git_hash(content), len(content))

    def matches(self, file: RepoFile) -> bool:
        """Return whether a file on the Hub has these contents."""
        return file.lfs.sha256 == self.sha256 if file.lfs else file.blob_id == self.blob


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """Hold what a built folder was when it was checked."""

    build: Build  # its record
    name: str  # of the repository, without its namespace
    files: dict[str, Digest]  # every file as it is published, by path
    rewritten: dict[str, bytes]  # contents of the files that are published otherwise than they lie here, by path
    fingerprints: Fingerprints  # the rows of each config and split; of a page, none
    kind: str = "dataset"  # what the repository is: a dataset, or a space

    @property
    def folder(self) -> Path:
        """Return where it lies."""
        return self.build.folder

    @property
    def title(self) -> str:
        """Return the title of the commit: the dataset, the version of the program, and the seed."""
        return f"{self.build.dataset} {self.build.version}, seed {self.build.default['seed']}"


def read_folder(build: Build, repo: str) -> LocalFolder:
    """Return what a folder holds, given its build and the repository that it goes to, with its namespace.

    Raises FolderError or PublishError where the folder is not what its build wrote, to the byte.
    """
    check_whole(build)
    rewritten = rewrite(build, build.dataset, repo)
    try:
        fingerprints = folder_fingerprints(build.folder)
    except (ValueError, KeyError, TypeError, OSError, pa.ArrowException) as error:
        raise PublishError(f"{build.folder} cannot be read by datasets {datasets.__version__}: {error}") from None
    return LocalFolder(build, repo.partition("/")[2], digests(build, rewritten), rewritten, fingerprints)


def read_page(build: Build, name: str) -> LocalFolder:
    """Return what the folder of a page holds, which goes to a static Space of this name as it is.

    Raises FolderError or PublishError where the folder is not what this program wrote, to the byte.
    """
    check_whole(build)
    return LocalFolder(build, name, digests(build, {}), {}, {}, kind="space")


def check_whole(build: Build) -> None:
    """Raise FolderError or PublishError where a folder is not what was written there, to the byte."""
    if not build.is_whole():
        raise PublishError(f"{build.folder / build.missing()[0]} is missing: build again")


def digests(build: Build, rewritten: dict[str, bytes]) -> dict[str, Digest]:
    """Return the digest of every file of a folder as it is published, by path."""
    return {
        path: Digest.make(rewritten[path] if path in rewritten else (build.folder / path).read_bytes())
        for path in (*build.files, RECORD)
    }


def rewrite(build: Build, local: str, repo: str) -> dict[str, bytes]:
    """Return the files that name their repository, and the record with the checksums of these.

    Here a card's lines load the folder beside the reader, as in load_dataset("./hi_tom"). On the Hub they must name the
    repository. A repository that is not named like its dataset says its name in its titles too.

    local: what the card calls the folder. repo: the repository, with its namespace.
    """
    name, contents, files = repo.partition("/")[2], {}, dict(build.files)
    changes = {rf'\bload_dataset\("([\w.-]+/)?{local}"': f'load_dataset("{repo}"', rf"\bNAMESPACE/{local}\b": repo}
    if local == build.dataset != name:
        changes |= {rf"(?m)^# {local}$": f"# {name}", r"(?m)^((?:pretty_)?name: .*)$": rf"\1 ({name})"}
    for path in NAMING:
        if path in files:
            text = (build.folder / path).read_bytes().decode()
            for pattern, words in changes.items():
                text = re.sub(pattern, words, text)
            contents[path] = text.encode()
            files[path] = files[path] | {"bytes": len(contents[path]), "sha256": Digest.make(contents[path]).sha256}
    return {**contents, RECORD: replace(build, files=files).record().encode()}


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold what a commit does to the files of a repository, each by its path."""

    add: tuple[str, ...] = ()  # files that are not there
    change: tuple[str, ...] = ()  # files that are there with other contents
    delete: tuple[str, ...] = ()  # files of an earlier build that this one does not write
    keep: tuple[str, ...] = ()  # the same, but changed by others since

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.delete)


def plan_commit(
    ours: dict[str, Digest], theirs: dict[str, RepoFile], recorded: set[str], unchanged: Callable[[str], bool]
) -> tuple[Plan, list[str]]:
    """Return the plan that makes the Hub's files ours, and the files of others that it would overwrite.

    ours: the files here. theirs: the files there. recorded: the paths that the record there lists.
    unchanged: whether a file there still is as the record says.
    """
    change = [path for path in sorted(ours) if path in theirs and not ours[path].matches(theirs[path])]
    foreign = [path for path in change if not (path == RECORD and recorded) and not unchanged(path)]
    earlier = [path for path in sorted(recorded) if path in theirs.keys() - ours.keys() and BUILT.fullmatch(path)]
    delete = tuple(path for path in earlier if unchanged(path))
    add = tuple(path for path in sorted(ours) if path not in theirs)
    return Plan(add, tuple(change), delete, tuple(path for path in earlier if path not in delete)), foreign


def changed_paths(before: dict[str, RepoFile], after: dict[str, RepoFile]) -> list[str]:
    """Return the paths of files whose contents differ between two commits, or which only one of them has."""

    def contents(files: dict[str, RepoFile]) -> dict[str, str]:
        return {path: file.blob_id for path, file in files.items()}

    return sorted({path for path, _ in contents(before).items() ^ contents(after).items()})
