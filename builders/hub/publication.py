"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import contextlib
import hashlib
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import huggingface_hub
from huggingface_hub.community import Discussion
from huggingface_hub.errors import RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile

from builders.folder import build
from builders.folder.build import RECORD
from builders.hub.client import FIRST_WAIT, Hub, State
from builders.hub.interrupts import GRACE
from builders.hub.network import ANSWER, PASSING, PublishError, TimeLimitError, cause, status_of
from builders.hub.plan import LAID_OUT, Local, Order, Plan, blob
from builders.hub.read_back import APART, environment, read_back, uninterrupted


@dataclass(slots=True)
class Publication:
    """Publish one folder: `prepare` asks and writes nothing, `carry_out` does what was prepared."""

    hub: Hub
    local: Local
    order: Order
    example: str
    state: State | None = field(init=False)
    plan: Plan = field(init=False)
    proposed: Discussion | None = field(init=False, default=None)

    @property
    def repo(self) -> str:
        """Return the repository."""
        return f"{self.order.namespace}/{self.local.name}"

    @property
    def page(self) -> str:
        """Return the address of the repository."""
        return f"{self.hub.endpoint}/datasets/{self.repo}"

    # What is to be done.

    def prepare(self) -> None:
        """Settle what a commit would do; raise PublishError where it is refused."""
        order, hub = self.order, self.hub
        self.state = state = hub.state(self.repo, order.revision)
        if state and order.private and not state.private:
            raise PublishError(
                f"{self.repo} is there, and public: PRIVATE=1 is for new ones; make it private at {self.page}/settings "
                "or leave PRIVATE out"
            )
        if state and order.revision in state.tags:
            raise PublishError(f"{order.revision} is a tag of {self.repo}, and is never moved: name a branch")
        if order.tag in ("main", order.revision, *(state.branches if state else ())):
            raise PublishError(f"{order.tag} is a branch of {self.repo}: give the tag another name")
        self.settle()
        if state and order.tag:
            self.check_tag(state.tags, None if self.plan else state.head)

    def settle(self) -> None:
        """Settle the plan for the state, and whether a pull request has it already."""
        there = self.state.files if self.state else {}
        ours = self.local.files
        recorded = self.recorded() if RECORD in there else {}
        change = [path for path in sorted(ours) if path in there and not ours[path].is_of(there[path])]
        foreign = [path for path in change if not (path == RECORD and recorded) and not self.was_put(path, recorded)]
        if foreign:
            raise PublishError(
                f"{self.repo} has {', '.join(foreign)} that no publishing from here put there, or that changed since: "
                f"it would be overwritten; delete or rename it at {self.page}/tree/{self.order.revision}, and run again"
            )
        earlier = [path for path in sorted(recorded) if path in there.keys() - ours.keys() and LAID_OUT.fullmatch(path)]
        delete = tuple(path for path in earlier if self.was_put(path, recorded))
        add = tuple(path for path in sorted(ours) if path not in there)
        self.plan = Plan(add, tuple(change), delete, tuple(path for path in earlier if path not in delete))
        if self.plan and self.order.pull_request and self.state:
            self.proposed = self.look_for_proposal()

    def recorded(self) -> dict[str, str]:
        """Return the SHA-256 of the files that the record there says were put there; none where it is not ours."""
        with tempfile.TemporaryDirectory() as copy:
            record = self.hub.contents(self.repo, self.state.head, RECORD)
            (Path(copy) / RECORD).write_bytes(record)
            known = build.record(Path(copy), self.local.name)
        return {path: facts["sha256"] for path, facts in known["files"].items()} if known else {}

    def was_put(self, path: str, recorded: dict[str, str]) -> bool:
        """Return whether the file there is as the record there says."""
        there = self.state.files[path]
        if path not in recorded:
            return False
        if there.lfs:
            return there.lfs.sha256 == recorded[path]
        return hashlib.sha256(self.hub.contents(self.repo, self.state.head, path)).hexdigest() == recorded[path]

    def check_tag(self, tags: dict[str, str], commit: str | None) -> None:
        """Raise PublishError where the tag is at another commit."""
        tag = self.order.tag
        if tag in tags and tags[tag] != commit:
            raise PublishError(
                f"{self.repo} has the tag {tag} already, at {tags[tag][:7]}: a tag is never moved; choose another, or "
                "delete it there"
            )

    def show(self) -> None:
        """Print what would be added, changed and deleted, with the sizes."""
        plan, there = self.plan, self.state.files if self.state else {}
        if self.state is None:
            print(f"{self.repo} would be created, {'private' if self.order.private else 'public'}")
        elif self.order.revision not in self.state.branches:
            print(f"{self.repo}: branch {self.order.revision} would be made at {self.state.head[:7]}")
        if self.proposed:
            print(f"{self.repo}: pull request {self.proposed.num} has all this already")
        elif self.order.pull_request and plan:
            print(f"{self.repo}: a pull request would be opened")
        for verb, paths in (("add", plan.add), ("change", plan.change)):
            for path in paths:
                print(f"{verb:<8}{self.local.files[path].size:>12,}  {path}")
        for path in plan.delete:
            print(f"{'delete':<8}{there[path].size:>12,}  {path}")
        for path in plan.stay:
            print(f"{'keep':<8}{there[path].size:>12,}  {path} (changed since it was put there)")
        size = sum(self.local.files[path].size for path in (*plan.add, *plan.change))
        print(
            f"{self.repo}: {len(plan.add)} to add, {len(plan.change)} to change, {len(plan.delete)} to delete, "
            f"{size:,} bytes to send; this was a dry run: nothing was sent"
        )

    # What is done.

    def carry_out(self) -> None:
        """Publish what was prepared, and prove it; raise PublishError where something is in the way."""
        if self.state is None:
            self.create()
        if self.order.revision not in self.state.branches:
            self.branch()
        for path in self.plan.stay:
            print(f"{self.repo}: {path} stays: it was changed since it was put there")
        commit = self.send()
        if not self.is_done(self.hub.files(self.repo, commit)):
            raise PublishError(f"{self.repo} at {commit[:7]} does not hold the files of {self.local.here}: run again")
        if self.order.tag and self.order.tag in self.state.tags:
            print(f"{self.repo}: tagged {self.order.tag} already")
        elif self.order.tag:
            self.tag(commit)
            print(f"{self.repo}: tagged {self.order.tag}")
        self.prove(commit)
        at = self.order.tag or (self.order.revision if self.order.revision != "main" else None)
        if self.proposed:
            at = self.proposed.git_reference
            print(f"proposed: {self.page}/discussions/{self.proposed.num}")
        else:
            print(f"published: {self.page}" + (f"/tree/{at}" if at else ""))
        print(f'load_dataset("{self.repo}", "{self.example}"' + (f', revision="{at}")' if at else ")"))

    def create(self) -> None:
        """Make the repository."""
        asked = dict(repo_type="dataset", private=self.order.private, exist_ok=True)
        self.hub.persist(f"{self.repo}, creating it", lambda: self.hub.api.create_repo(self.repo, **asked))
        self.state = self.hub.state(self.repo, self.order.revision)
        if self.state is None:
            raise PublishError(
                f"{self.repo} exists, and is private so that this token may not see it: give the token access to it at "
                f"{self.hub.endpoint}/settings/tokens, or publish under another namespace"
            )
        if self.order.private and not self.state.private:
            raise PublishError(f"{self.repo} was made by somebody else meanwhile, and is public: nothing was sent")
        print(f"{self.repo}: created, {'private' if self.state.private else 'public'}")
        self.settle()

    def branch(self) -> None:
        """Make the branch, at the head of main."""
        asked = dict(repo_type="dataset", branch=self.order.revision, revision=self.state.head, exist_ok=True)
        what = f"{self.repo}, branch {self.order.revision}"
        self.hub.persist(what, lambda: self.hub.api.create_branch(self.repo, **asked))
        self.state = self.hub.state(self.repo, self.order.revision)
        if self.state is None or self.order.revision not in self.state.branches:
            raise PublishError(f"{what}: it is gone again: run again")
        print(f"{self.repo}: branch {self.order.revision} made at {self.state.head[:7]}")
        self.settle()

    def send(self) -> str:
        """Send one commit where there is something to send; return the commit that holds all files."""
        if self.proposed:
            commit = self.hub.head(self.repo, self.proposed.git_reference)
            print(f"{self.repo}: pull request {self.proposed.num} has all this already, at {commit[:7]}: no new commit")
            return commit
        if not self.plan:
            commit = self.state.head
            print(f"{self.repo}: all files are there as they are here, at {commit[:7]}: no new commit")
            return commit
        commit = self.hub.persist(f"{self.repo}, committing", self.commit)
        if self.order.pull_request:
            self.proposed = self.proposed or self.look_for_proposal()
            if self.proposed is None:
                raise PublishError(f"{self.repo}: the pull request with {commit[:7]} was closed meanwhile: run again")
        plan = self.plan
        done = f"{len(plan.add)} files added, {len(plan.change)} changed, {len(plan.delete)} deleted"
        print(f"{self.repo}: {done}: {'pull request with ' if self.proposed else ''}commit {commit[:7]}")
        return commit

    def commit(self) -> str:
        """Try to send one commit and return it; one whose answer was lost is recognised, not sent again.

        Raises PublishError where somebody else committed since the state was read.
        """
        added = [
            huggingface_hub.CommitOperationAdd(path, str(self.local.here / path))
            for path in (*self.plan.add, *self.plan.change)
        ]
        for operation in added:
            if operation.upload_info.sha256.hex() != self.local.files[operation.path_in_repo].sha256:
                changed = self.local.here / operation.path_in_repo
                raise PublishError(f"{changed} was changed after it was checked: nothing was sent; run again")
        deleted = [huggingface_hub.CommitOperationDelete(path, is_folder=False) for path in self.plan.delete]
        try:
            return self.hub.api.create_commit(
                self.repo,
                [*added, *deleted],
                commit_message=self.local.title,
                repo_type="dataset",
                revision=None if self.order.pull_request else self.order.revision,
                create_pr=self.order.pull_request,
                parent_commit=self.state.head,
            ).oid
        except Exception as error:
            # A status that neither passes nor tells of another commit is a refusal; all else may have been done.
            refused = status_of(cause(error)) not in (None, 409, 412, *PASSING)
            if refused or isinstance(cause(error), TimeLimitError):
                raise
            landed = self.landed(sure=status_of(cause(error)) is not None)
            if landed is None:
                raise
            return landed

    def landed(self, sure: bool) -> str | None:
        """Return the commit that did what is planned since the state was read, None where there is no commit since.

        Unless it is `sure` that the Hub is done with it, a pull request is looked for for a while: nothing keeps a
        second one from being opened, as the parent does for a commit. Raises PublishError where there are other
        commits, and says what they changed.
        """
        wait, until = FIRST_WAIT, time.monotonic() + (0 if sure else ANSWER)
        while self.order.pull_request:
            self.proposed = self.look_for_proposal()
            if self.proposed:
                return self.hub.head(self.repo, self.proposed.git_reference)
            if time.monotonic() + wait > until:
                break
            time.sleep(wait)
            wait *= 2
        asked = dict(repo_type="dataset", revision=self.order.revision)
        since = []
        for commit in self.hub.persist(self.repo, lambda: self.hub.api.list_repo_commits(self.repo, **asked)):
            if commit.commit_id == self.state.head:
                break
            since.append(commit)
        if not since:
            return None
        for commit in reversed(since) if not self.order.pull_request else ():
            if self.is_done(self.hub.files(self.repo, commit.commit_id)):
                return commit.commit_id
        now, before = self.hub.files(self.repo, since[0].commit_id), self.state.files
        touched = [path for path in sorted(now.keys() | before.keys()) if blob(now, path) != blob(before, path)]
        titles = ", ".join(f"{each.commit_id[:7]} {each.title!r} by {' and '.join(each.authors)}" for each in since)
        raise PublishError(
            f"{self.repo}: somebody else committed meanwhile ({titles}; {', '.join(touched) or 'no file'} changed): "
            "nothing was overwritten; run again to publish on top of that"
        )

    def look_for_proposal(self) -> Discussion | None:
        """Return an open pull request that does what is planned, None where there is none."""
        asked = dict(repo_type="dataset", discussion_type="pull_request", discussion_status="open")
        for each in self.hub.persist(self.repo, lambda: list(self.hub.api.get_repo_discussions(self.repo, **asked))):
            with contextlib.suppress(RevisionNotFoundError):
                head = self.hub.head(self.repo, each.git_reference, RevisionNotFoundError)
                if self.is_done(self.hub.files(self.repo, head)):
                    return each
        return None

    def is_done(self, there: dict[str, RepoFile]) -> bool:
        """Return whether files have all that is here, and nothing that was to be deleted."""
        return not there.keys() & set(self.plan.delete) and all(
            path in there and digest.is_of(there[path]) for path, digest in self.local.files.items()
        )

    def tag(self, commit: str) -> None:
        """Tag a commit; raise PublishError where somebody else gave the name to another one meanwhile."""
        asked = dict(repo_type="dataset", tag=self.order.tag, revision=commit, exist_ok=True)
        self.hub.persist(f"{self.repo}, tag {self.order.tag}", lambda: self.hub.api.create_tag(self.repo, **asked))
        refs = self.hub.persist(self.repo, lambda: self.hub.api.list_repo_refs(self.repo, repo_type="dataset"))
        self.check_tag({ref.name: ref.target_commit for ref in refs.tags}, commit)

    def prove(self, commit: str) -> None:
        """Load every config and split of a commit with fresh caches, and compare them with those of the folder.

        The client reads where its caches are once, when it is imported: so the loading is done in a process of its own.
        """
        expected = self.local.fingerprints
        where = f"{self.repo}, reading back {commit[:7]}"
        context = get_context("spawn")
        receive, send = context.Pipe(duplex=False)
        with tempfile.TemporaryDirectory() as home:
            asked = (send, self.hub.token, self.hub.left() - 1, home, self.repo, commit, list(expected))
            child = context.Process(target=read_back, args=asked, daemon=True)
            with environment(HF_HOME=home, **dict.fromkeys(APART)), uninterrupted():
                child.start()
            send.close()
            try:
                found, fault = receive.recv() if receive.poll(self.hub.left()) else ({}, "the time limit is reached")
            except TimeLimitError:
                found, fault = {}, "the time limit is reached"
            except EOFError:
                found, fault = {}, "the process that loads it was killed"
            finally:
                with contextlib.suppress(TimeLimitError):
                    child.join(0 if sys.exc_info()[0] else GRACE)
                child.terminate()
                child.join()
        if fault:
            raise PublishError(f"{where}: {fault}; what was sent is there: run again to prove it")
        wrong = [
            f"{config} {split}"
            for config in expected
            for split in sorted(expected[config].keys() | found[config].keys())
            if expected[config].get(split) != found[config].get(split)
        ]
        if wrong:
            raise PublishError(f"{self.repo} at {commit[:7]} reads back otherwise than here: {', '.join(wrong)}")
        splits = sum(map(len, expected.values()))
        print(
            f"{self.repo}: {len(expected)} configs, {splits} splits, read back from {commit[:7]}: every row as in "
            f"{self.local.here}"
        )


def publish(hub: Hub, folders: list[tuple[Local, str]], order: Order) -> None:
    """Publish folders, each with the config that its line shows; none where one of them is refused.

    Raises PublishError, also where the time limit is reached.
    """
    publications = [Publication(hub, local, order, example) for local, example in folders]
    try:
        for each in publications:
            each.prepare()
        for each in publications:
            each.show() if order.dry_run else each.carry_out()
    except TimeLimitError:
        raise PublishError(
            f"the time limit of {hub.seconds:.0f} s is reached: run it again, it goes on from what is done"
        ) from None
