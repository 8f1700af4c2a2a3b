"""A repository of the Hub: what it holds, and how repositories, branches, tags and commits are made there."""

import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from huggingface_hub import CommitOperationDelete
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.hf_api import CommitInfo, RepoFile

from ..errors import UserError
from ..folder.build import RECORD, Build
from .client import Hub
from .local import LocalFolder, sha256
from .network import PublishError, refusing, status_of, tokens_page


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold what a commit does to the files of a repository, each by its path."""

    add: list[str]  # files that are not there
    change: list[str]  # files that are there with other contents
    delete: list[str]  # files of an earlier build that this one does not write
    keep: list[str]  # the same, but changed by others since

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.delete)


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

    @property
    def known_head(self) -> str:
        """Return the head. Raises PublishError where the Hub has none."""
        if self.head is None:
            raise self._without_main()
        return self.head

    def ask(self, call: str, *given: Any, task: str = "", **options: Any) -> Any:
        """Return what a method of the client, `call`, answers about the repository. `task` names it where it fails."""
        with refusing(f"{self.name}, {task}" if task else self.name):
            answer = getattr(self.hub.api, call)(self.name, *given, repo_type=self.kind, **options)
            return list(answer) if isinstance(answer, Iterator) else answer

    def look(self, branch: str = "main") -> bool:
        """Look at the head of a branch, and return whether there is such a repository.

        Where the branch does not exist, the head is main's. Raises PublishError where the token may not read the
        repository, or where it was renamed or has no main.
        """
        try:
            info = self.ask("repo_info")
        except PublishError as refusal:
            match refusal.__cause__:
                case RepositoryNotFoundError() as error if not isinstance(error, GatedRepoError):
                    return False
                case RevisionNotFoundError():
                    raise self._without_main() from None
            raise
        if info.id != self.name:
            raise PublishError(
                f"{self.name} is called {info.id} now: publish there, or change the name back at {self.page}/settings"
            )
        if info.gated:
            self.ask("auth_check")
        self.look_at_references()
        head = self.branches.get(branch) or self.branches.get("main")
        if head is None:
            raise self._without_main()
        self.head, self.private, self.files = head, bool(info.private), self.files_at(head)
        return True

    def look_at_references(self) -> None:
        """Look at the branches and the tags."""
        refs = self.ask("list_repo_refs")
        kinds = (refs.branches, refs.tags)
        self.branches, self.tags = ({ref.name: ref.target_commit for ref in kind} for kind in kinds)

    def files_at(self, revision: str) -> dict[str, RepoFile]:
        """Return the files of a revision, by path. Raises PublishError where not all are listed."""
        where = dict(task=f"files of {revision[:7]}", revision=revision)
        tree = self.ask("list_repo_tree", recursive=True, **where)
        files = {entry.path: entry for entry in tree if isinstance(entry, RepoFile)}
        if files.keys() != {file.rfilename for file in self.ask("repo_info", **where).siblings}:
            # A file that is not listed would be overwritten.
            raise PublishError(
                f"{self.name}, files of {revision[:7]}: the list is incomplete: run the command again later"
            )
        return files

    def contents(self, path: str, revision: str | None = None) -> bytes:
        """Return the bytes of a file at a revision, or at the head."""
        with tempfile.TemporaryDirectory() as cache:
            where = dict(revision=revision or self.head, cache_dir=cache)
            return Path(self.ask("hf_hub_download", path, task=path, **where)).read_bytes()

    def held_build(self, dataset: str) -> Build | None:
        """Return the build that the record at the head tells of, or None where none of this dataset is there.

        A record that is damaged, or of another program, counts as one of others.
        """
        if RECORD not in self.files:
            return None
        with tempfile.TemporaryDirectory() as copy:
            Path(copy, RECORD).write_bytes(self.contents(RECORD))
            try:
                return Build.read(Path(copy), dataset)
            except UserError:
                return None

    def sha256(self, path: str) -> str:
        """Return the SHA-256 of a file at the head."""
        large = self.files[path].lfs
        return large.sha256 if large else sha256(self.contents(path))

    def make(self, private: bool, branch: str = "main") -> None:
        """Make the repository, and look at it. Raises PublishError where it exists and this token may not see it."""
        options = {"space_sdk": "static"} if self.kind == "space" else {}
        try:
            self.ask("create_repo", task="creating it", private=private, **options)
        except PublishError as refusal:
            if status_of(refusal.__cause__) == 409 and "already" in str(refusal):
                raise PublishError(
                    f"{self.name} exists, but is private, and this token cannot see it: give the token access to "
                    f"it at {tokens_page()}, or publish under another namespace"
                ) from None
            raise
        if not self.look(branch):
            raise self._unlisted("creating it")
        if private and not self.private:
            raise PublishError(
                f"{self.name} was created by somebody else in the meantime, and is public: nothing was sent; choose "
                "another name (--name)"
            )
        print(f"{self.name}: created, {'private' if self.private else 'public'}")

    def make_reference(self, kind: str, name: str, commit: str) -> None:
        """Make a branch or a tag at a commit; `kind` says which. Raises PublishError where the Hub does not list it."""
        self.ask(f"create_{kind}", task=f"{kind} {name}", revision=commit, exist_ok=True, **{kind: name})
        self.look_at_references()
        if name not in self.branches | self.tags:
            raise self._unlisted(f"{kind} {name}")

    def commit(self, local: LocalFolder, plan: Plan, branch: str, proposed: bool) -> CommitInfo:
        """Make one commit on the head, and look whether it arrived.

        branch: where it goes. proposed: whether a pull request is opened instead. Raises PublishError where somebody
        else committed meanwhile.
        """
        build, gone = local.build, [CommitOperationDelete(path, is_folder=False) for path in plan.delete]
        operations = [*local.additions([*plan.add, *plan.change]), *gone]
        options: dict[str, Any] = {"create_pr": True} if proposed else {"revision": branch}
        options["commit_message"] = f"{build.dataset} {build.version}, seed {build.default['seed']}"
        try:
            made: CommitInfo = self.ask(
                "create_commit", operations, task="committing", parent_commit=self.head, **options
            )
        except PublishError as refusal:
            if status_of(refusal.__cause__) == 412:
                raise PublishError(
                    f"{self.name}: somebody else committed in the meantime ({self.page}/commits/{branch}): nothing was "
                    "overwritten; run the command again to publish on top of that"
                ) from None
            raise
        self.check_arrival(made.oid, local, branch, plan.delete)
        return made

    def check_arrival(self, commit: str, local: LocalFolder, branch: str, deleted: Collection[str]) -> None:
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
                raise PublishError(
                    f"{lacking}: the Hub ignores the files that {path} names there; remove the line at "
                    f"{self.page}/blob/{branch}/{path} and run the command again"
                )
        raise PublishError(f"{lacking}: run the command again")

    # Messages that two methods raise.

    def _without_main(self) -> PublishError:
        """Return the error of a repository that has no branch main."""
        return PublishError(f"{self.name} has no branch main: make one at {self.page}")

    def _unlisted(self, task: str) -> PublishError:
        """Return the error of a task after which the Hub does not list what was made."""
        return PublishError(
            f"{self.name}, {task}: the Hub reported no error, but does not list it: run the command again later"
        )


def shortened(paths: list[str], most: int = 3) -> str:
    """Name the first few paths, and how many more there are."""
    more = f" and {len(paths) - most} more" if len(paths) > most else ""
    return ", ".join(paths[:most]) + more
