"""A repository of the Hub: what it holds, and how repositories, branches, tags and commits are made there.

No call that writes is made twice where the first one was carried out and its answer was lost: the repository is looked
at before each new try.
"""

import itertools
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from huggingface_hub import CommitOperationAdd, constants
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile

from ..folder.build import RECORD, Build
from .client import Hub
from .local import LocalFolder, sha256
from .network import TRANSIENT, PublishError, TimeLimitError, describe, root_cause, status_of

FAILING_SOON = {
    "HF_XET_CLIENT_RETRY_MAX_ATTEMPTS": "1",
    "HF_XET_CLIENT_CONNECT_TIMEOUT": "10sec",
    "HF_XET_CLIENT_READ_TIMEOUT": "20sec",
}
"""Variables that Xet reads at its first upload, with values that let it fail soon. The user's own values stay.

Xet is the Hub's newer storage. The client takes it where it is installed, gives up only after minutes where it cannot
be reached, and never takes LFS instead, which every Hub knows.
"""


@dataclass(slots=True)
class Repository:
    """Hold what a repository was when it was last looked at."""

    hub: Hub  # the Hub, with its token and time limit
    name: str  # with its namespace
    kind: str = "dataset"  # or a space
    head: str | None = None  # the branch's commit, main's where the branch is missing; None where the Hub has neither
    private: bool = False  # whether only its owners see it
    files: dict[str, RepoFile] = field(default_factory=dict)  # the files at the head, by path
    branches: dict[str, str] = field(default_factory=dict)  # commit of each branch, by name
    tags: dict[str, str] = field(default_factory=dict)  # commit of each tag, by name

    @property
    def page(self) -> str:
        """Return the address of its page."""
        return f"{self.hub.endpoint}/{self.kind}s/{self.name}"

    def ask(self, call: Callable, **options):
        """Return what a call of the client answers about the repository, trying again where that may help."""
        return self.hub.retry(self.name, lambda: call(self.name, repo_type=self.kind, **options))

    def look(self, branch: str = "main") -> bool:
        """Look at the head of a branch, and return whether there is such a repository.

        Where the branch does not exist, the head is that of main. Raises PublishError where the token may not read the
        repository, or where it was renamed or has no main.
        """
        try:
            info = self.ask(self.hub.api.repo_info)
        except PublishError as refusal:
            match refusal.__cause__:
                case RepositoryNotFoundError() as error if not isinstance(error, GatedRepoError):
                    return False
                case RevisionNotFoundError():
                    raise PublishError("no_main", there=self) from None
            raise
        if info.id != self.name:
            raise PublishError("renamed", there=self, name=info.id)
        if info.gated:
            self.ask(self.hub.api.auth_check)
        self.look_at_references()
        head = self.branches.get(branch) or self.branches.get("main")
        if head is None:
            raise PublishError("no_main", there=self)
        self.head, self.private, self.files = head, bool(info.private), self.files_at(head)
        return True

    def look_at_references(self) -> None:
        """Look at the branches and the tags."""
        refs = self.ask(self.hub.api.list_repo_refs)
        kinds = (refs.branches, refs.tags)
        self.branches, self.tags = ({ref.name: ref.target_commit for ref in kind} for kind in kinds)

    def files_at(self, revision: str) -> dict[str, RepoFile]:
        """Return the files of a revision, by path."""

        def ask() -> dict[str, RepoFile]:
            where = dict(repo_type=self.kind, revision=revision)
            tree = self.hub.api.list_repo_tree(self.name, recursive=True, **where)
            files = {entry.path: entry for entry in tree if isinstance(entry, RepoFile)}
            if files.keys() != {file.rfilename for file in self.hub.api.repo_info(self.name, **where).siblings}:
                raise ConnectionError("the list of its files is incomplete")  # a file not listed would be overwritten
            return files

        return self.hub.retry(f"{self.name}, files of {revision[:7]}", ask)

    def contents(self, path: str, revision: str | None = None) -> bytes:
        """Return the bytes of a file at a revision, or at the head."""

        def download() -> bytes:
            with tempfile.TemporaryDirectory() as cache:
                where = dict(repo_type=self.kind, revision=revision or self.head, cache_dir=cache)
                return Path(self.hub.api.hf_hub_download(self.name, path, **where)).read_bytes()

        return self.hub.retry(f"{self.name}, {path}", download)

    def held_build(self, dataset: str) -> Build | None:
        """Return the build that the record at the head tells of, or None where none of this dataset is there."""
        if RECORD not in self.files:
            return None
        with tempfile.TemporaryDirectory() as copy:
            Path(copy, RECORD).write_bytes(self.contents(RECORD))
            return Build.read(Path(copy), dataset)

    def sha256(self, path: str) -> str:
        """Return the SHA-256 of a file at the head."""
        large = self.files[path].lfs
        return large.sha256 if large else sha256(self.contents(path))

    def create(self, task: str, create: Callable[[], object], is_there: Callable[[str], bool]) -> None:
        """Create something, until the Hub shows it.

        The Hub answers 409 where the name is taken, and where another operation is under way. Looking tells which;
        `is_there` gets the text of such an answer, else "".
        """

        def create_and_look() -> None:
            conflict = None
            try:
                create()
            except Exception as raised:
                conflict = root_cause(raised)
                if status_of(conflict) != 409:
                    raise
            if not is_there(describe(conflict) if conflict else ""):
                raise conflict or ConnectionError("the Hub reported no error, but does not list it")

        self.hub.retry(task, create_and_look)

    def make(self, private: bool, branch: str = "main") -> None:
        """Make the repository, and look at it. Raises PublishError where it exists and this token may not see it."""
        options = dict(repo_type=self.kind, private=private) | ({"space_sdk": "static"} if self.kind == "space" else {})

        def is_there(conflict: str) -> bool:
            if not self.look(branch) and "already" in conflict:
                raise PublishError("hidden", there=self, tokens=self.hub.tokens)
            return self.head is not None

        self.create(f"{self.name}, creating it", lambda: self.hub.api.create_repo(self.name, **options), is_there)
        if private and not self.private:
            raise PublishError("made_meanwhile", there=self)
        print(f"{self.name}: created, {'private' if self.private else 'public'}")

    def make_reference(self, kind: str, name: str, commit: str) -> None:
        """Make a branch or a tag, `kind` says which, at a commit, until the Hub lists it."""
        create = {"branch": self.hub.api.create_branch, "tag": self.hub.api.create_tag}[kind]

        def is_there(_: str) -> bool:
            self.look_at_references()
            return name in self.branches | self.tags

        options = {"repo_type": self.kind, "revision": commit, kind: name}
        self.create(f"{self.name}, {kind} {name}", lambda: create(self.name, **options), is_there)

    def commit(
        self, task: str, operations: Callable[[], list], find: Callable[[Exception], str | None], **options
    ) -> str:
        """Make a commit on the head, and return it.

        operations: makes what the client takes, anew for each try. find: looks for a commit whose answer may be lost,
        given the error, as `made_since` does. options: those of the client's create_commit.
        """
        post = partial(self.hub.api.create_commit, repo_type=self.kind, parent_commit=self.head, **options)

        def attempt() -> str:
            made = operations()
            try:
                return self.by_xet_or_lfs(task, lambda: post(self.name, made)).oid
            except Exception as raised:
                error = root_cause(raised)
                # 412 tells of another commit. Any other lasting status is a refusal; all else may have been done.
                may_be_done = not isinstance(error, TimeLimitError) and status_of(error) in (None, 412, *TRANSIENT)
                if may_be_done and (commit := find(error)):
                    return commit
                raise

        return self.hub.retry(task, attempt)

    def made_since(self, branch: str, is_done: Callable[[dict[str, RepoFile]], bool]) -> str | None:
        """Return the first commit since the repository was looked at whose files are as `is_done` wants, or None.

        Raises PublishError where others committed, and says what they changed.
        """
        commits = self.ask(self.hub.api.list_repo_commits, revision=branch)
        newer = list(itertools.takewhile(lambda commit: commit.commit_id != self.head, commits))
        if not newer:
            return None
        for commit in reversed(newer):
            if is_done(self.files_at(commit.commit_id)):
                return commit.commit_id
        latest = self.files_at(newer[0].commit_id)
        before, after = ({(path, files[path].blob_id) for path in files} for files in (self.files, latest))
        changed = ", ".join(sorted({path for path, _ in before ^ after})) or "no file"
        titles = " and ".join(
            f"{commit.commit_id[:7]} {commit.title!r} by {' and '.join(commit.authors)}" for commit in newer
        )
        raise PublishError("others_commit", there=self, titles=titles, changed=changed)

    def upload(self, task: str, additions: list[CommitOperationAdd]) -> None:
        """Send large files to the storage, for a commit to come; the client skips those that are there."""
        send = partial(self.hub.api.preupload_lfs_files, repo_type=self.kind, free_memory=False)
        self.hub.retry(task, lambda: self.by_xet_or_lfs(task, lambda: send(self.name, additions)))

    def by_xet_or_lfs(self, task: str, send: Callable[[], Any]) -> Any:
        """Return what a call that sends files returns: by Xet where that works, otherwise by LFS until we end."""
        os.environ.update(FAILING_SOON | os.environ)
        try:
            return send()
        except Exception as error:
            functions = [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]
            by_xet = "_upload_xet_files" in functions  # Xet raises Python's own classes
            if isinstance(error, TimeLimitError) or constants.HF_HUB_DISABLE_XET or not by_xet:
                raise
            print(f"{task}: Xet failed ({describe(error)}); sending by LFS", file=sys.stderr)
        constants.HF_HUB_DISABLE_XET = True
        return send()

    def check_arrival(self, commit: str, local: LocalFolder, branch: str, deleted: Collection[str] = ()) -> None:
        """Raise PublishError where a commit does not hold a folder.

        The Hub leaves out what a .gitignore there names, and reports no error.
        """
        files = self.files_at(commit)
        missing = local.differing(files)
        if not missing and not files.keys() & set(deleted):
            return
        names = f", {shortened(missing)} among them" if missing else ""
        lacking = f"{self.name} at {commit[:7]} does not hold the files of {local.build.folder}{names}"
        for path in files:
            if missing and PurePosixPath(path).name == ".gitignore":
                raise PublishError("ignored", there=self, lacking=lacking, path=path, branch=branch)
        raise PublishError("lacking", lacking=lacking)


def shortened(paths: list[str], most: int = 3) -> str:
    """Name the first few paths, and how many more there are."""
    more = f" and {len(paths) - most} more" if len(paths) > most else ""
    return ", ".join(paths[:most]) + more
