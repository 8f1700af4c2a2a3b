"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import contextlib
import email.utils
import functools
import hashlib
import json
import math
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub.community import Discussion
from huggingface_hub.errors import (
    GatedRepoError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from builders import folder

ANSWER = 60.0
"""Seconds that one request may be without an answer."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, and at most between two: each wait is twice the one before."""
TRIES = 10
GRACE = 5.0
"""Seconds that an interrupt waits for uploads under way to end."""
PASSING = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
"""The statuses that may pass: too much asked, or a fault of the server."""
TOKEN = re.compile(r"\b(hf|api)_[A-Za-z0-9]{8,}")
LAID_OUT = re.compile(r"[\w-]+/[\w-]+\.parquet|pictures/[\w-]+\.png")
"""What a build writes besides what every one has: whatever a record says, nothing else is an earlier layout's."""
APART = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE", "HF_MODULES_CACHE", "HF_ASSETS_CACHE",
         "HF_DATASETS_DOWNLOADED_DATASETS_PATH", "HF_DATASETS_OFFLINE")  # fmt: skip
"""What, besides HF_HOME, says where downloads are kept, or that there are none."""


def scrubbed(text: object) -> str:
    """Return the first telling line of a text, without tokens and without what signs an address."""
    told = [line.strip() for line in str(text).splitlines() if line.strip()]
    line = next((line for line in told if line[0] != "<"), "no reason given")
    if secret := huggingface_hub.get_token():
        line = line.replace(secret, "hf_…")
    return TOKEN.sub("hf_…", re.sub(r"(https?://[^\s?]*)\?\S*", r"\1", line))


class Unpublished(Exception):
    """Say in one line why something is not published, and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(scrubbed(why))


class Late(TimeoutError):
    """Say that the time limit is reached, or would be by waiting as long as was asked."""


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
    """Return what a folder is; raise NotOurs or Unpublished where it is not what its build wrote, to the byte."""
    if not folder.untouched(here, known):
        missing = next(path for path in known["files"] if not (here / path).is_file())
        raise Unpublished(f"{here / missing} is missing: build again")
    checksums = {path: facts["sha256"] for path, facts in known["files"].items()}
    files = {}
    for path, sha256 in {**checksums, folder.RECORD: folder.checksum(here / folder.RECORD)}.items():
        content = (here / path).read_bytes()
        files[path] = Digest(sha256, git_hash(content), len(content))
    seed = next(iter(known["request"].values()))["seed"]
    try:
        prints = fingerprints(here)
    except (ValueError, KeyError, TypeError, OSError, pa.ArrowException) as error:
        raise Unpublished(f"{here} cannot be read by datasets {datasets.__version__}: {error}") from None
    return Local(name, here, f"{name} {known['generator_version']}, seed {seed}", files, prints)


@dataclass(frozen=True, slots=True)
class State:
    """Hold what a repository is at the head of a branch: the head, its files, and the commits of branches and tags."""

    head: str
    private: bool
    files: dict[str, RepoFile]
    branches: dict[str, str]
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold which files a commit adds, changes and deletes, and which of an earlier layout stay: others changed them."""

    add: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    stay: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.delete)


def token() -> str:
    """Return the user's token; raise Unpublished where there is none that can be sent."""
    found = huggingface_hub.get_token()
    page = f"{huggingface_hub.constants.ENDPOINT}/settings/tokens"
    if not found:
        raise Unpublished(
            f"there is no token: run hf auth login, or set HF_TOKEN to a token with write access, made at {page}"
        )
    if not re.fullmatch("[!-~]+", found):
        raise Unpublished(f"the token has characters that no token has: copy it again from {page}")
    return found


class Hub:
    """Speak to the Hub: one token, one time limit for all that is asked."""

    def __init__(self, token: str, seconds: float) -> None:
        """Begin; the time limit runs from now."""
        self.token = token
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds
        self.endpoint = huggingface_hub.constants.ENDPOINT
        self.api = huggingface_hub.HfApi(token=token)
        huggingface_hub.utils.logging.set_verbosity_error()  # what is tried again is said by `persist`
        huggingface_hub.utils.disable_progress_bars()
        try:
            be_patient(self.left)
        except (ValueError, ImportError, OSError) as error:
            raise Unpublished(f"the connection cannot be set up (is a proxy set that cannot be?): {error}") from None

    def left(self) -> float:
        """Return the seconds left; raise Late where there are none."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise Late("nothing came that could be used")
        return seconds

    def persist(self, what: str, call: Callable[[], Any], *expected: type[Exception]) -> Any:
        """Return what `call` returns, tried again where that may help; raise Unpublished, or what is expected."""
        wait = FIRST_WAIT
        for tries in range(1, TRIES + 1):
            try:
                self.left()
                return call()
            except (Unpublished, *expected):
                raise
            except Exception as raised:
                error = cause(raised)
                asked = passing(error)
                if asked is None:
                    raise Unpublished(f"{what}: {self.refusal(error)}") from None
                pause, said = max(wait, asked), told(error)
            if time.monotonic() + pause >= self.deadline:
                ended = f"the time limit of {self.seconds:.0f} s allows no other try"
                break
            if tries == TRIES:
                ended = f"gave up after {tries} tries"
                break
            print(f"{what}: {said}; trying again in {pause:.0f} s", file=sys.stderr)
            time.sleep(pause)
            wait = min(LONGEST_WAIT, 2 * wait)
        raise Unpublished(
            f"{what}: {said}; {ended}: run it again later, it goes on from what is done (--time-limit gives more time)"
        )

    def refusal(self, error: Exception) -> str:
        """Return what the Hub refused, and what to do."""
        status, said = status_of(error), told(error)
        match error, status:
            case OfflineModeIsEnabled(), _:
                return "HF_HUB_OFFLINE is set: unset it to publish"
            case GatedRepoError(), _:
                return (
                    f"it is gated, and this token may not read it ({said}): ask for access on its page, or end gating"
                )
            case RepositoryNotFoundError(), _:
                return (
                    f"it is not there, or is private and this token may not see it ({said}): give the token access, "
                    "or publish under another namespace"
                )
            case _, 401:
                return (
                    f"the token is not valid, or has expired ({said}): make a token with write access at "
                    f"{self.endpoint}/settings/tokens, then run hf auth login or set HF_TOKEN"
                )
            case _, 403:
                return (
                    f"the token may not do that ({said}): it needs write access to the namespace; see "
                    f"{self.endpoint}/settings/tokens"
                )
            case KeyError() | TypeError() | AttributeError(), _:
                return f"the answer cannot be read ({type(error).__name__}: {said}): is {self.endpoint} a Hub?"
        return said if status else f"{type(error).__name__}: {said}"

    def check_access(self, namespace: str) -> None:
        """Raise Unpublished where the token cannot write to the namespace, as far as the Hub says so."""

        def asked() -> tuple[list[str], str | None]:
            user = self.api.whoami()
            role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
            return [user["name"], *(each["name"] for each in user.get("orgs") or ())], role

        mine, role = self.persist("who am I", asked)
        if namespace not in mine:
            others = f", and of {', '.join(mine[1:])}" if mine[1:] else ""
            raise Unpublished(f"{namespace} is not yours: the token is of {mine[0]}{others}; say NAMESPACE={mine[0]}")
        if role == "read":
            raise Unpublished(
                f"the token of {mine[0]} is read-only: make one with write access at {self.endpoint}/settings/tokens, "
                "then run hf auth login or set HF_TOKEN"
            )

    def state(self, repo: str, branch: str) -> State | None:
        """Return what a repository is at the head of a branch, or of main where that is not there; None for none."""
        asked = dict(repo_id=repo, repo_type="dataset")
        page = f"{self.endpoint}/datasets/{repo}"
        expected = (RepositoryNotFoundError, RevisionNotFoundError)
        try:
            info = self.persist(repo, lambda: self.api.repo_info(**asked), *expected)
        except GatedRepoError as error:
            raise Unpublished(f"{repo}: {self.refusal(error)}") from None
        except RepositoryNotFoundError:
            return None
        except RevisionNotFoundError:
            raise Unpublished(f"{repo} has no branch main: make one at {page}") from None
        if info.id != repo:
            raise Unpublished(
                f"{repo} is called {info.id} now: publish there, or give the name back at {page}/settings"
            )
        if info.gated:
            self.persist(repo, lambda: self.api.auth_check(**asked))
        refs = self.persist(repo, lambda: self.api.list_repo_refs(**asked))
        branches = {ref.name: ref.target_commit for ref in refs.branches}
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        head = branches.get(branch) or branches.get("main")
        if head is None:
            raise Unpublished(f"{repo} has no branch main: make one at {page}")
        return State(head, bool(info.private), self.files(repo, head), branches, tags)

    def head(self, repo: str, revision: str, *expected: type[Exception]) -> str:
        """Return the commit of a revision."""
        asked = dict(repo_type="dataset", revision=revision)
        return self.persist(repo, lambda: self.api.repo_info(repo, **asked).sha, *expected)

    def files(self, repo: str, revision: str) -> dict[str, RepoFile]:
        """Return the files of a revision."""

        def listed() -> dict[str, RepoFile]:
            asked = dict(repo_type="dataset", revision=revision)
            tree = self.api.list_repo_tree(repo, recursive=True, **asked)
            found = {each.path: each for each in tree if isinstance(each, RepoFile)}
            if found.keys() != {each.rfilename for each in self.api.repo_info(repo, **asked).siblings}:
                raise ConnectionError("the list of its files is not whole")  # what is not listed would be overwritten
            return found

        return self.persist(f"{repo}, files of {revision[:7]}", listed)

    def contents(self, repo: str, revision: str, path: str) -> bytes:
        """Return the bytes of a file of a revision."""

        def read() -> bytes:
            with tempfile.TemporaryDirectory() as cache:
                asked = dict(repo_type="dataset", revision=revision, cache_dir=cache)
                return Path(self.api.hf_hub_download(repo, path, **asked)).read_bytes()

        return self.persist(f"{repo}, {path}", read)


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
        """Settle what a commit would do; raise Unpublished where it is refused."""
        order, hub = self.order, self.hub
        self.state = state = hub.state(self.repo, order.revision)
        if state and order.private and not state.private:
            raise Unpublished(
                f"{self.repo} is there, and public: PRIVATE=1 is for new ones; make it private at {self.page}/settings "
                "or leave PRIVATE out"
            )
        if state and order.revision in state.tags:
            raise Unpublished(f"{order.revision} is a tag of {self.repo}, and is never moved: name a branch")
        if order.tag in ("main", order.revision, *(state.branches if state else ())):
            raise Unpublished(f"{order.tag} is a branch of {self.repo}: give the tag another name")
        self.settle()
        if state and order.tag:
            self.check_tag(state.tags, None if self.plan else state.head)

    def settle(self) -> None:
        """Settle the plan for the state, and whether a pull request has it already."""
        there = self.state.files if self.state else {}
        ours = self.local.files
        recorded = self.recorded() if folder.RECORD in there else {}
        change = [path for path in sorted(ours) if path in there and not ours[path].is_of(there[path])]
        foreign = [
            path for path in change if not (path == folder.RECORD and recorded) and not self.was_put(path, recorded)
        ]
        if foreign:
            raise Unpublished(
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
            record = self.hub.contents(self.repo, self.state.head, folder.RECORD)
            (Path(copy) / folder.RECORD).write_bytes(record)
            known = folder.record(Path(copy), self.local.name)
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
        """Raise Unpublished where the tag is at another commit."""
        tag = self.order.tag
        if tag in tags and tags[tag] != commit:
            raise Unpublished(
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
        """Publish what was prepared, and prove it; raise Unpublished where something is in the way."""
        if self.state is None:
            self.create()
        if self.order.revision not in self.state.branches:
            self.branch()
        for path in self.plan.stay:
            print(f"{self.repo}: {path} stays: it was changed since it was put there")
        commit = self.send()
        if not self.is_done(self.hub.files(self.repo, commit)):
            raise Unpublished(f"{self.repo} at {commit[:7]} does not hold the files of {self.local.here}: run again")
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
            raise Unpublished(
                f"{self.repo} exists, and is private so that this token may not see it: give the token access to it at "
                f"{self.hub.endpoint}/settings/tokens, or publish under another namespace"
            )
        if self.order.private and not self.state.private:
            raise Unpublished(f"{self.repo} was made by somebody else meanwhile, and is public: nothing was sent")
        print(f"{self.repo}: created, {'private' if self.state.private else 'public'}")
        self.settle()

    def branch(self) -> None:
        """Make the branch, at the head of main."""
        asked = dict(repo_type="dataset", branch=self.order.revision, revision=self.state.head, exist_ok=True)
        what = f"{self.repo}, branch {self.order.revision}"
        self.hub.persist(what, lambda: self.hub.api.create_branch(self.repo, **asked))
        self.state = self.hub.state(self.repo, self.order.revision)
        if self.state is None or self.order.revision not in self.state.branches:
            raise Unpublished(f"{what}: it is gone again: run again")
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
                raise Unpublished(f"{self.repo}: the pull request with {commit[:7]} was closed meanwhile: run again")
        plan = self.plan
        done = f"{len(plan.add)} files added, {len(plan.change)} changed, {len(plan.delete)} deleted"
        print(f"{self.repo}: {done}: {'pull request with ' if self.proposed else ''}commit {commit[:7]}")
        return commit

    def commit(self) -> str:
        """Try to send one commit and return it; one whose answer was lost is recognised, not sent again.

        Raises Unpublished where somebody else committed since the state was read.
        """
        added = [
            huggingface_hub.CommitOperationAdd(path, str(self.local.here / path))
            for path in (*self.plan.add, *self.plan.change)
        ]
        for operation in added:
            if operation.upload_info.sha256.hex() != self.local.files[operation.path_in_repo].sha256:
                changed = self.local.here / operation.path_in_repo
                raise Unpublished(f"{changed} was changed after it was checked: nothing was sent; run again")
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
            if refused or isinstance(cause(error), Late):
                raise
            landed = self.landed(sure=status_of(cause(error)) is not None)
            if landed is None:
                raise
            return landed

    def landed(self, sure: bool) -> str | None:
        """Return the commit that did what is planned since the state was read, None where there is no commit since.

        Unless it is `sure` that the Hub is done with it, a pull request is looked for for a while: nothing keeps a
        second one from being opened, as the parent does for a commit. Raises Unpublished where there are other commits,
        and says what they changed.
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
        raise Unpublished(
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
        """Tag a commit; raise Unpublished where somebody else gave the name to another one meanwhile."""
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
            except Late:
                found, fault = {}, "the time limit is reached"
            except EOFError:
                found, fault = {}, "the process that loads it was killed"
            finally:
                with contextlib.suppress(Late):
                    child.join(0 if sys.exc_info()[0] else GRACE)
                child.terminate()
                child.join()
        if fault:
            raise Unpublished(f"{where}: {fault}; what was sent is there: run again to prove it")
        wrong = [
            f"{config} {split}"
            for config in expected
            for split in sorted(expected[config].keys() | found[config].keys())
            if expected[config].get(split) != found[config].get(split)
        ]
        if wrong:
            raise Unpublished(f"{self.repo} at {commit[:7]} reads back otherwise than here: {', '.join(wrong)}")
        splits = sum(map(len, expected.values()))
        print(
            f"{self.repo}: {len(expected)} configs, {splits} splits, read back from {commit[:7]}: every row as in "
            f"{self.local.here}"
        )


def publish(hub: Hub, folders: list[tuple[Local, str]], order: Order) -> None:
    """Publish folders, each with the config that its line shows; none where one of them is refused.

    Raises Unpublished, also where the time limit is reached.
    """
    publications = [Publication(hub, local, order, example) for local, example in folders]
    try:
        for each in publications:
            each.prepare()
        for each in publications:
            each.show() if order.dry_run else each.carry_out()
    except Late:
        raise Unpublished(
            f"the time limit of {hub.seconds:.0f} s is reached: run it again, it goes on from what is done"
        ) from None


def blob(files: dict[str, RepoFile], path: str) -> str | None:
    """Return the Git name of a file's contents, None where it is not there."""
    return files[path].blob_id if path in files else None


# How the network fails.


def cause(error: BaseException) -> BaseException:
    """Return what an upload or a download raised, which the client wraps."""
    while isinstance(error, (RuntimeError, FileNotFoundError)) and error.__cause__:
        error = error.__cause__
    return error


def status_of(error: BaseException) -> int | None:
    """Return the status of the answer that an error is about, None where there was no answer."""
    return getattr(getattr(error, "response", None), "status_code", None)


def told(error: BaseException) -> str:
    """Return in one line what an error says, and the status of its answer."""
    status, said = status_of(error), getattr(error, "server_message", None)
    if status is None:
        return scrubbed(error)
    return f"the Hub answered {status}" + (f": {scrubbed(said)}" if said else "")


def passing(error: BaseException) -> float | None:
    """Return the seconds that an error asks to wait, 0 where it says nothing, None where waiting does not help."""
    match error, status_of(error):
        case Late(), _:
            return math.inf
        case OfflineModeIsEnabled(), _:
            return None
        case _, int(status):
            return retry_after(error.response) if status in PASSING else None
    # Both clients, httpx from huggingface_hub 1.0 on and requests before; the first has other names by version.
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, ValueError) or kinds & {"UnsupportedProtocol", "LocalProtocolError"}:
        return None  # what is asked cannot be
    return 0.0 if kinds & {"TransportError", "RequestException", "TimeoutError", "ConnectionError"} else None


def retry_after(response) -> float:
    """Return the seconds that an answer asks to wait, else 0: its Retry-After, a number or a date, or its RateLimit."""
    if limited := re.search(r"\br=0\b.*\bt=(\d+)", response.headers.get("RateLimit", "")):
        return float(limited[1])
    asked = response.headers.get("Retry-After", "")
    with contextlib.suppress(ValueError):
        return max(0.0, float(asked))
    with contextlib.suppress(ValueError):
        return max(0.0, email.utils.parsedate_to_datetime(asked).timestamp() - time.time())
    return 0.0


def be_patient(left: Callable[[], float]) -> None:
    """Have the client wait ANSWER seconds at most for an answer, and never beyond what is left.

    `left` raises Late, which the client does not try again, where nothing is left. By itself the client waits
    for ever (huggingface_hub 2), and as long as a 429 asks for.
    """

    def ends(response, *_, **__) -> None:
        if response.status_code in PASSING and retry_after(response) > left():
            raise Late(f"the answer was {response.status_code}, and to wait {retry_after(response):,.0f} s")

    session = huggingface_hub.utils.get_session()
    if hasattr(huggingface_hub, "set_client_factory"):
        hooks = {  # without those of another time limit
            event: [hook for hook in hooks if hook.__module__ != __name__]
            for event, hooks in session.event_hooks.items()
        }

        def begins(request) -> None:
            limits = request.extensions.get("timeout", {})
            request.extensions["timeout"] = {kind: min(limit or ANSWER, left()) for kind, limit in limits.items()}

        def client():
            events = {"request": [*hooks["request"], begins], "response": [*hooks["response"], ends]}
            return type(session)(event_hooks=events, follow_redirects=True, timeout=ANSWER)

        huggingface_hub.set_client_factory(client)
        return

    kinds = type(session.get_adapter("https://")).__mro__
    adapter = next(kind for kind in kinds if kind.__module__ != __name__)

    class Patient(adapter):
        def send(self, request, *args, timeout=None, **kwargs):
            return super().send(request, *args, timeout=min(ANSWER, left()), **kwargs)

    def backend():
        made = type(session)()
        made.hooks["response"] = [ends]
        for scheme in ("http://", "https://"):
            made.mount(scheme, Patient())
        return made

    huggingface_hub.configure_http_backend(backend)


# What is read back.


def fingerprints(here: Path) -> dict[str, dict[str, str]]:
    """Return the fingerprint of each config and split of a folder, by its card, read from the Parquet alone."""
    configs = huggingface_hub.DatasetCard.load(here / "README.md").data.to_dict()["configs"]
    return {
        config["config_name"]: {
            split["split"]: fingerprint([pq.read_table(here / path) for path in split["path"]])
            for split in config["data_files"]
        }
        for config in configs
    }


def fingerprint(tables: list[pa.Table]) -> str:
    """Return a checksum of the columns, with their types, and of all rows in their order, however they are stored."""
    features = datasets.Features.from_arrow_schema(tables[0].schema)
    digest = hashlib.sha256(json.dumps(features.to_dict(), sort_keys=True).encode())
    for table in tables:
        for batch in table.to_batches(1000):
            for row in batch.to_pylist():
                digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def read_back(
    send: Connection, token: str, seconds: float, home: str, repo: str, commit: str, configs: list[str]
) -> None:
    """Send the fingerprints of each config and split of a commit, and None, or None and what went wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that what the libraries hold is let go
    sys.unraisablehook = insisting(SystemExit, signal.SIGTERM)
    os.chdir(home)  # a folder of the repository's name here would be loaded instead
    os.environ["HF_TOKEN"] = token
    datasets.disable_progress_bars()
    hub = Hub(token, seconds)
    found, fault = {}, None
    try:
        for config in configs:
            load = functools.partial(datasets.load_dataset, repo, config, revision=commit, token=token)
            loaded = hub.persist(config, load)
            found[config] = {split: fingerprint([rows.data.table]) for split, rows in loaded.items()}
    except Unpublished as error:
        fault = str(error)
    except Exception as error:  # a traceback could hold the token
        fault = f"{type(error).__name__}: {scrubbed(error)}"
    with contextlib.suppress(BrokenPipeError):
        send.send((found, fault))


@contextlib.contextmanager
def environment(**variables: str | None) -> Iterator[None]:
    """Give the environment other variables, or none where they are None, for what is started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}

    def become(values: dict[str, str | None]) -> None:
        for name, value in values.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    try:
        become(variables)
        yield
    finally:
        become(before)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let what is started meanwhile not hear an interrupt, which is for the process that started it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def insisting(kind: type[BaseException], number: int) -> Callable[[Any], None]:
    """Return a hook that sends a signal again whose exception was lost, as it came while an object was let go."""
    printed = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, kind):
            return printed(lost)
        again = threading.Timer(0.05, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()

    return hook


@contextlib.contextmanager
def heeded(hub: Hub) -> Iterator[None]:
    """Have an interrupt end what is under way at once, and the time limit too, however slowly something comes.

    The client waits for its uploads before it lets an interrupt through: after GRACE the process ends without that.
    """
    leaving: list[threading.Timer] = []

    def leave() -> None:
        print("interrupted; nothing half-written was left", file=sys.stderr, flush=True)
        os._exit(130)

    def stop(*_) -> None:
        if not leaving:
            leaving.append(threading.Timer(GRACE, leave))
            leaving[0].daemon = True
            leaving[0].start()
        raise KeyboardInterrupt

    def late(*_) -> None:
        hub.left()

    printed, sys.unraisablehook = sys.unraisablehook, insisting(KeyboardInterrupt, signal.SIGINT)
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, hub.left() + 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, found in before.items():
            signal.signal(number, found)
        sys.unraisablehook = printed
