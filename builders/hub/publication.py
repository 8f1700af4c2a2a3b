"""How a folder is published: prepare one commit, refuse what would lose something, send it, and prove it arrived.

A repository holds what a build wrote, its record `build.json` included. The record tells which files were published
from here: only those are replaced or deleted.
"""

import contextlib
import hashlib
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import huggingface_hub
from huggingface_hub.community import Discussion
from huggingface_hub.errors import RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile

from ..folder.build import RECORD, Build, differing_arguments
from . import xet
from .client import FIRST_WAIT, Hub, RepositoryState
from .ignored import GIT_IGNORE, describe_ignored, ignoring_lines, shortened
from .network import (
    ANSWER_TIMEOUT,
    TRANSIENT,
    PublishError,
    TimeLimitError,
    describe,
    root_cause,
    status_of,
)
from .plan import PUBLIC_SEED, LocalFolder, Plan, PublishOptions, changed_paths, plan_commit
from .read_back import differing_files, differing_splits, read_back


@dataclass(slots=True)
class Publication:
    """Publish one folder: `prepare` writes nothing, `carry_out` sends what was prepared and proves it."""

    hub: Hub  # the Hub, with its token and time limit
    local: LocalFolder  # the folder
    options: PublishOptions  # where and how
    example: str  # the config that the line to load the dataset shows
    state: RepositoryState | None = field(init=False)  # what the repository was when last asked; None where it is not
    plan: Plan = field(init=False)  # what the commit does
    pull_request: Discussion | None = field(init=False, default=None)  # the open one that does what is planned
    commit: str | None = field(init=False, default=None)  # the one that was made, or that holds all files already

    @property
    def repo(self) -> str:
        """Return the repository's name, with its namespace."""
        return f"{self.options.namespace}/{self.local.name}"

    @property
    def page(self) -> str:
        """Return the address of the repository's page."""
        return self.hub.page(self.repo)

    # What a commit would do.

    def prepare(self) -> None:
        """Ask the Hub for the repository, and plan the commit. Raises PublishError where it must not be made."""
        options, hub = self.options, self.hub
        self.state = state = hub.state(self.repo, options.revision)
        if state is None and hub.namespaces is not None and options.namespace not in hub.namespaces:
            raise PublishError(
                f"{self.repo} does not exist, or is private and this token may not see it: a pull request needs a "
                f"repository, which {options.namespace} must make first"
            )
        if state and options.private and not state.private:
            raise PublishError(
                f"{self.repo} exists, and is public: PRIVATE=1 (--private) makes new repositories; name one with "
                f"NAME={self.local.name}_private (--name)"
            )
        if state and options.revision in state.tags:
            raise PublishError(f"{options.revision} is a tag of {self.repo}, and is never moved: name a branch")
        if options.tag in ("main", options.revision, *(state.branches if state else ())):
            raise PublishError(f"{options.tag} is a branch of {self.repo}: give the tag another name")
        self.make_plan()
        if state and options.tag:
            self.check_tag(state.tags, None if self.plan else state.head)

    def make_plan(self) -> None:
        """Plan the commit on the repository's head, and look for a pull request that does the same."""
        theirs = self.state.files if self.state else {}
        there = self.recorded_build() if RECORD in theirs else None
        recorded = {path: facts["sha256"] for path, facts in there.files.items()} if there else {}
        self.plan, foreign = plan_commit(
            self.local.files, theirs, set(recorded), lambda path: self.is_unchanged(path, recorded)
        )
        if foreign and not self.is_new():
            raise PublishError(
                f"{self.repo} has {', '.join(foreign)} that was not published from here, or was changed since: it "
                f"would be overwritten; delete or rename it at {self.page}/tree/{self.options.revision}, and run the "
                "command again"
            )
        if self.plan:
            self.check_replacing(there)
        if self.plan and self.options.pull_request and self.state:
            self.pull_request = self.find_pull_request()

    def is_new(self) -> bool:
        """Return whether a Space holds nothing but what the Hub itself put there when it was made."""
        if self.hub.kind == "dataset":
            return False
        where = dict(repo_type=self.hub.kind, revision=self.state.head)
        commits = self.hub.retry(self.repo, lambda: self.hub.api.list_repo_commits(self.repo, **where))
        return len(commits) == 1

    def check_replacing(self, there: Build | None) -> None:
        """Raise PublishError where the plan would replace another build, or show everybody a seed, without being asked.

        there: the build that the repository holds, None where it holds none of this dataset.
        """
        if there and self.options.replace:
            return
        build = self.local.build
        differences = differing_arguments(there, build) if there and self.hub.kind == "dataset" else []
        if differences:
            raise PublishError(
                f"{self.repo} holds another build: {'; '.join(differences)}; publish beside it under another NAME "
                "(--name), or replace it with REPLACE=1 (--replace)"
            )
        is_private = self.state.private if self.state else self.options.private
        new = seeds(build) - {PUBLIC_SEED} - (seeds(there) if there else set())
        if new and not is_private and not self.options.public:
            elsewhere = " and another NAME (--name)" if self.state else ""
            raise PublishError(
                f"{self.repo} would show everybody the rows of seed {min(new)}: keep them to yourself with "
                f"PRIVATE=1 (--private){elsewhere}, or show them with PUBLIC=1 (--public)"
            )

    def recorded_build(self) -> Build | None:
        """Return the build that the record there tells of, or None where it is no record of this dataset."""
        with tempfile.TemporaryDirectory() as copy:
            content = self.hub.contents(self.repo, self.state.head, RECORD)
            (Path(copy) / RECORD).write_bytes(content)
            return Build.read(Path(copy), self.local.build.dataset)

    def is_unchanged(self, path: str, recorded: dict[str, str]) -> bool:
        """Return whether a file there has the SHA-256 that was recorded for it."""
        if path not in recorded:
            return False
        file = self.state.files[path]
        if file.lfs:
            return file.lfs.sha256 == recorded[path]
        return hashlib.sha256(self.hub.contents(self.repo, self.state.head, path)).hexdigest() == recorded[path]

    def check_tag(self, tags: dict[str, str], commit: str | None) -> None:
        """Raise PublishError where the tag exists at another commit."""
        tag = self.options.tag
        if tag in tags and tags[tag] != commit:
            raise PublishError(
                f"{self.repo} has the tag {tag} already, at {tags[tag][:7]}: a tag is never moved; choose another, or "
                "delete it there"
            )

    def show(self) -> None:
        """Print which files would be added, changed, deleted and kept, with their sizes in bytes."""
        plan, theirs = self.plan, self.state.files if self.state else {}
        if self.state is None:
            unseen = "" if self.hub.token else " (unless it is private: without a token it would not be seen)"
            print(f"{self.repo} would be created, {'private' if self.options.private else 'public'}{unseen}")
        elif self.options.revision not in self.state.branches:
            print(f"{self.repo}: branch {self.options.revision} would be made at {self.state.head[:7]}")
        if self.pull_request:
            print(f"{self.repo}: pull request {self.pull_request.num} has all this already")
        elif self.options.pull_request and plan:
            print(f"{self.repo}: a pull request would be opened")
        for verb, paths in (("add", plan.add), ("change", plan.change)):
            for path in paths:
                print(f"{verb:<8}{self.local.files[path].size:>12,}  {path}")
        for path in plan.delete:
            print(f"{'delete':<8}{theirs[path].size:>12,}  {path}")
        for path in plan.keep:
            print(f"{'keep':<8}{theirs[path].size:>12,}  {path} (changed since it was published)")
        size = sum(self.local.files[path].size for path in (*plan.add, *plan.change))
        print(
            f"{self.repo}: {len(plan.add)} to add, {len(plan.change)} to change, {len(plan.delete)} to delete, "
            f"{size:,} bytes to send; this was a dry run: nothing was sent"
        )

    # What is sent.

    def carry_out(self) -> None:
        """Send what was prepared, tag it, prove that it arrived, and print how to load it.

        Raises PublishError where the Hub refuses, where others changed something, or where the proof fails.
        """
        if self.state is None:
            self.create_repository()
        if self.options.revision not in self.state.branches:
            self.create_branch()
        for path in self.plan.keep:
            print(f"{self.repo}: {path} stays: it was changed since it was published")
        try:
            commit = self.send()
            if self.options.tag and self.options.tag in self.state.tags:
                print(f"{self.repo}: tagged {self.options.tag} already")
            elif self.options.tag:
                self.create_tag(commit)
                print(f"{self.repo}: tagged {self.options.tag}")
            self.prove(commit)
        except KeyboardInterrupt:
            if self.commit:
                line = f"commit {self.commit[:7]} is there, but not proven: run the command again to prove it"
                print(f"{self.repo}: {line}", file=sys.stderr)
            raise
        revision = self.options.tag or (self.options.revision if self.options.revision != "main" else None)
        if self.pull_request:
            revision = self.pull_request.git_reference
            print(f"proposed: {self.page}/discussions/{self.pull_request.num}")
        else:
            print(f"published: {self.page}" + (f"/tree/{revision}" if revision else ""))
        if self.hub.kind == "space":
            return
        print(f'load_dataset("{self.repo}", "{self.example}"' + (f', revision="{revision}")' if revision else ")"))

    def create_repository(self) -> None:
        """Make the repository, and plan again. Raises PublishError where it exists and this token may not see it."""
        arguments = dict(repo_type=self.hub.kind, private=self.options.private)
        if self.hub.kind == "space":
            arguments["space_sdk"] = "static"

        def look(conflict: str | None) -> RepositoryState | None:
            state = self.hub.state(self.repo, self.options.revision)
            if state is None and conflict and "already" in conflict:
                raise PublishError(
                    f"{self.repo} exists, and is private so that this token may not see it: give the token access to "
                    f"it at {self.hub.endpoint}/settings/tokens, or publish under another namespace"
                )
            return state

        self.state = self.hub.create(
            f"{self.repo}, creating it", lambda: self.hub.api.create_repo(self.repo, **arguments), look
        )
        if self.options.private and not self.state.private:
            raise PublishError(f"{self.repo} was made by somebody else meanwhile, and is public: nothing was sent")
        print(f"{self.repo}: created, {'private' if self.state.private else 'public'}")
        self.make_plan()

    def create_branch(self) -> None:
        """Make the branch at the head of main, and plan again."""
        branch, task = self.options.revision, f"{self.repo}, branch {self.options.revision}"
        arguments = dict(repo_type=self.hub.kind, branch=branch, revision=self.state.head)
        self.create_reference(task, lambda: self.hub.api.create_branch(self.repo, **arguments), branch)
        self.state = self.hub.state(self.repo, self.options.revision)
        if self.state is None or self.options.revision not in self.state.branches:
            raise PublishError(f"{task}: somebody deleted it meanwhile: run the command again")
        print(f"{self.repo}: branch {self.options.revision} made at {self.state.head[:7]}")
        self.make_plan()

    def send(self) -> str:
        """Make one commit where there is something to send. Return the commit that holds all files."""
        if self.pull_request:
            number = self.pull_request.num
            self.commit = commit = self.hub.commit_of(self.repo, self.pull_request.git_reference)
            print(f"{self.repo}: pull request {number} has all this already, at {commit[:7]}: no new commit")
            return commit
        if not self.plan:
            self.commit = commit = self.state.head
            print(f"{self.repo}: all files are there as they are here, at {commit[:7]}: no new commit")
            return commit
        self.commit = commit = self.hub.retry(f"{self.repo}, committing", self.create_commit)
        self.check_arrival(commit)
        if self.options.pull_request:
            self.pull_request = self.pull_request or self.find_pull_request()
            if self.pull_request is None:
                raise PublishError(
                    f"{self.repo}: the pull request with {commit[:7]} was closed meanwhile: run the command again"
                )
        plan = self.plan
        counts = f"{len(plan.add)} files added, {len(plan.change)} changed, {len(plan.delete)} deleted"
        print(f"{self.repo}: {counts}: {'pull request with ' if self.pull_request else ''}commit {commit[:7]}")
        return commit

    def create_commit(self) -> str:
        """Try once to make the commit, and return it. Find a commit whose answer was lost, instead of sending it again.

        Raises PublishError where a file here changed since the check, or where somebody else committed meanwhile.
        """
        added = [
            huggingface_hub.CommitOperationAdd(path, self.local.rewritten.get(path, str(self.local.folder / path)))
            for path in (*self.plan.add, *self.plan.change)
        ]
        for operation in added:
            if operation.upload_info.sha256.hex() != self.local.files[operation.path_in_repo].sha256:
                changed = self.local.folder / operation.path_in_repo
                raise PublishError(
                    f"{changed} was changed after it was checked: nothing was sent; run the command again"
                )
        deleted = [huggingface_hub.CommitOperationDelete(path, is_folder=False) for path in self.plan.delete]
        try:
            return self.post_commit([*added, *deleted])
        except Exception as raised:
            error = root_cause(raised)
            # 412 tells of another commit. Any other lasting status is a refusal; all else may have been done.
            refused = status_of(error) not in (None, 412, *TRANSIENT)
            if refused or isinstance(error, TimeLimitError):
                raise
            commit = self.find_commit(answered=status_of(error) is not None)
            if commit is None:
                raise
            return commit

    def post_commit(self, operations: list) -> str:
        """Send one commit and return it: by Xet where that works, otherwise by LFS."""
        try:
            with xet.failing_soon():
                return self.hub.api.create_commit(
                    self.repo,
                    operations,
                    commit_message=self.local.title,
                    repo_type=self.hub.kind,
                    revision=None if self.options.pull_request else self.options.revision,
                    create_pr=self.options.pull_request,
                    parent_commit=self.state.head,
                ).oid
        except Exception as error:
            if isinstance(error, TimeLimitError) or xet.is_switched_off() or not xet.has_failed(error):
                raise
            reason = describe(error)
        print(f"{self.repo}, committing: Xet failed ({reason}); sending by LFS", file=sys.stderr)
        xet.switch_off()
        return self.post_commit(operations)

    def find_commit(self, answered: bool) -> str | None:
        """Return the commit made since the state was read that does what is planned, or None where none was made.

        answered: whether the Hub answered, so that it is done with the request. Raises PublishError where others
        committed, and says what they changed.
        """
        if self.options.pull_request:
            self.pull_request = self.await_pull_request(0 if answered else ANSWER_TIMEOUT)
            if self.pull_request:
                return self.hub.commit_of(self.repo, self.pull_request.git_reference)
        where = dict(repo_type=self.hub.kind, revision=self.options.revision)
        newer = []
        for commit in self.hub.retry(self.repo, lambda: self.hub.api.list_repo_commits(self.repo, **where)):
            if commit.commit_id == self.state.head:
                break
            newer.append(commit)
        if not newer:
            return None
        for commit in reversed(newer) if not self.options.pull_request else ():
            if self.is_done(self.hub.files(self.repo, commit.commit_id)):
                return commit.commit_id
        changed = changed_paths(self.state.files, self.hub.files(self.repo, newer[0].commit_id))
        titles = ", ".join(
            f"{commit.commit_id[:7]} {commit.title!r} by {' and '.join(commit.authors)}" for commit in newer
        )
        raise PublishError(
            f"{self.repo}: somebody else committed meanwhile ({titles}; {', '.join(changed) or 'no file'} changed): "
            "nothing was overwritten; run the command again to publish on top of that"
        )

    def await_pull_request(self, seconds: float) -> Discussion | None:
        """Return the pull request that does what is planned, looking for it for some seconds.

        A request without an answer may still be under way. Nothing but this wait keeps a second pull request from being
        opened; a second commit is kept out by its parent.
        """
        wait, until = FIRST_WAIT, time.monotonic() + seconds
        while True:
            found = self.find_pull_request()
            if found or time.monotonic() + wait > until:
                return found
            time.sleep(wait)
            wait *= 2

    def find_pull_request(self) -> Discussion | None:
        """Return an open pull request that does what is planned, or None."""
        where = dict(repo_type=self.hub.kind, discussion_type="pull_request", discussion_status="open")
        pulls = self.hub.retry(self.repo, lambda: list(self.hub.api.get_repo_discussions(self.repo, **where)))
        for pull in pulls:
            with contextlib.suppress(RevisionNotFoundError):
                head = self.hub.commit_of(self.repo, pull.git_reference, RevisionNotFoundError)
                if self.is_done(self.hub.files(self.repo, head)):
                    return pull
        return None

    def check_arrival(self, commit: str) -> None:
        """Raise PublishError where a commit does not hold what was planned, and say what a .gitignore keeps out."""
        files = self.hub.files(self.repo, commit)
        if self.is_done(files):
            return
        missing = [
            path for path, digest in self.local.files.items() if path not in files or not digest.matches(files[path])
        ]
        for path in files:
            folder, slash, name = path.rpartition("/")
            if name != GIT_IGNORE:
                continue
            inside = [path.removeprefix(folder + slash) for path in missing if path.startswith(folder + slash)]
            contents = self.hub.contents(self.repo, commit, path).decode(errors="replace")
            if ignored := ignoring_lines(contents, inside):
                raise PublishError(
                    f"{self.repo} at {commit[:7]} lacks {len(missing)} files: in {path} there, "
                    f"{describe_ignored(ignored)}; remove the line at {self.page}/blob/{self.options.revision}/{path} "
                    "and run the command again"
                )
        names = f", {shortened(missing)} among them" if missing else ""
        raise PublishError(
            f"{self.repo} at {commit[:7]} does not hold the files of {self.local.folder}{names}: run the command again"
        )

    def is_done(self, files: dict[str, RepoFile]) -> bool:
        """Return whether files on the Hub hold all files here, and none that is to be deleted."""
        return not files.keys() & set(self.plan.delete) and all(
            path in files and digest.matches(files[path]) for path, digest in self.local.files.items()
        )

    def create_tag(self, commit: str) -> None:
        """Tag a commit. Raises PublishError where somebody else gave the tag to another commit meanwhile."""
        tag, task = self.options.tag, f"{self.repo}, tag {self.options.tag}"
        arguments = dict(repo_type=self.hub.kind, tag=tag, revision=commit)
        tags = self.create_reference(task, lambda: self.hub.api.create_tag(self.repo, **arguments), tag)
        self.check_tag(tags, commit)

    def create_reference(self, task: str, create: Callable[[], object], name: str) -> dict[str, str]:
        """Create a branch or a tag, and return the commits of all, by name, once the Hub lists it."""

        def look(_: str | None) -> dict[str, str] | None:
            branches, tags = self.hub.references(self.repo)
            return branches | tags if name in branches | tags else None

        return self.hub.create(task, create, look)

    def prove(self, commit: str) -> None:
        """Load every config and split of a commit, and compare its rows with those of the folder.

        Of a Space, load every file. Raises PublishError where something cannot be loaded, or differs.
        """
        if self.hub.kind == "space":
            wrong = shortened(differing_files(self.hub, self.repo, commit, self.local.files))
            proof = f"{len(self.local.files)} files, read back from {commit[:7]}: every byte"
        else:
            ours = self.local.fingerprints
            wrong = ", ".join(differing_splits(ours, read_back(self.hub, self.repo, commit, list(ours))))
            splits = sum(map(len, ours.values()))
            proof = f"{len(ours)} configs, {splits} splits, read back from {commit[:7]}: every row"
        if wrong:
            raise PublishError(f"{self.repo} at {commit[:7]} reads back otherwise than here: {wrong}")
        print(f"{self.repo}: {proof} as in {self.local.folder}")


def seeds(build: Build) -> set[int]:
    """Return the seeds that a build, or a page of builds, was made from."""
    return {fields["seed"] for fields in build.request.values() if "seed" in fields}


def publish(hub: Hub, folders: list[tuple[LocalFolder, str]], options: PublishOptions) -> None:
    """Publish folders, each given with the config that its last line shows. Where one is refused, send none.

    Raises PublishError, also where the time limit is reached.
    """
    publications = [Publication(hub.of(local.kind), local, options, example) for local, example in folders]
    try:
        for publication in publications:
            publication.prepare()
        for publication in publications:
            publication.show() if options.dry_run else publication.carry_out()
    except TimeLimitError:
        raise PublishError(
            f"the time limit of {hub.seconds:.0f} s is reached: run the command again, it goes on from what is done"
        ) from None
