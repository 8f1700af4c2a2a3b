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
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub.community import Discussion
from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile

from builders import folder

ANSWER = 60.0
"""Seconds that one request may be without an answer."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, and at most between two: each wait is twice the one before."""
TRIES = 10
PASSING = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
"""The statuses that may pass: too much asked, or a fault of the server."""
TOKEN = re.compile(r"\b(hf|api)_[A-Za-z0-9]{8,}")
CACHES = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE", "HF_MODULES_CACHE", "HF_ASSETS_CACHE")
"""What, besides HF_HOME, says where downloads are kept."""


class Unpublished(Exception):
    """Say in one line why something is not published, and what to do."""


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

    add: tuple[str, ...]
    change: tuple[str, ...]
    delete: tuple[str, ...]
    stay: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.delete)


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
        be_patient(self.left)

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
                pause, said = max(wait, asked), self.scrub(error)
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

    def scrub(self, error: object) -> str:
        """Return the first telling line of an error, without the token."""
        told = [line.strip() for line in str(error).splitlines() if line.strip()]
        line = next((line for line in told if line[0] != "<"), "no reason given")
        return TOKEN.sub("hf_…", line.replace(self.token, "hf_…"))

    def refusal(self, error: Exception) -> str:
        """Return what the Hub refused, and what to do."""
        response = getattr(error, "response", None)
        status = getattr(response, "status_code", None)
        said = self.scrub(getattr(error, "server_message", None) or error)
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
        return f"{type(error).__name__}: {said}"

    # What is there.

    def check_access(self, namespace: str) -> None:
        """Raise Unpublished where the token cannot write to the namespace, as far as the Hub says so."""
        user = self.persist("who am I", self.api.whoami)
        mine = [user["name"], *(each["name"] for each in user.get("orgs", ()))]
        if namespace not in mine:
            others = f", and of {', '.join(mine[1:])}" if mine[1:] else ""
            raise Unpublished(f"{namespace} is not yours: the token is of {mine[0]}{others}; say NAMESPACE={mine[0]}")
        role = user.get("auth", {}).get("accessToken", {}).get("role")
        if role == "read":
            raise Unpublished(
                f"the token of {mine[0]} is read-only: make one with write access at {self.endpoint}/settings/tokens, "
                "then run hf auth login or set HF_TOKEN"
            )

    def state(self, repo: str, branch: str) -> State | None:
        """Return what a repository is at the head of a branch, or of main where that is not there; None for none."""
        asked = dict(repo_id=repo, repo_type="dataset")
        try:
            info = self.persist(repo, lambda: self.api.repo_info(**asked), RepositoryNotFoundError)
        except GatedRepoError as error:
            raise Unpublished(f"{repo}: {self.refusal(error)}") from None
        except RepositoryNotFoundError:
            return None
        if info.gated:
            self.persist(repo, lambda: self.api.auth_check(**asked))
        refs = self.persist(repo, lambda: self.api.list_repo_refs(**asked))
        branches = {ref.name: ref.target_commit for ref in refs.branches}
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        head = branches.get(branch) or branches.get("main")
        if head is None:
            raise Unpublished(f"{repo} has no branch main: make one at {self.endpoint}/datasets/{repo}")
        return State(head, bool(info.private), self.files(repo, head), branches, tags)

    def files(self, repo: str, revision: str) -> dict[str, RepoFile]:
        """Return the files of a revision."""

        def listed() -> dict[str, RepoFile]:
            tree = self.api.list_repo_tree(repo, repo_type="dataset", revision=revision, recursive=True)
            return {each.path: each for each in tree if isinstance(each, RepoFile)}

        return self.persist(f"{repo}, files of {revision[:7]}", listed)

    def contents(self, repo: str, revision: str, path: str) -> bytes:
        """Return the bytes of a file of a revision."""

        def read() -> bytes:
            with tempfile.TemporaryDirectory() as cache:
                asked = dict(repo_type="dataset", revision=revision, cache_dir=cache)
                return Path(self.api.hf_hub_download(repo, path, **asked)).read_bytes()

        return self.persist(f"{repo}, {path}", read)

    # What is to be done.

    def plan(self, repo: str, name: str, here: Path, known: dict, state: State | None) -> Plan:
        """Return what a commit would do; raise Unpublished where it would overwrite what others put there."""
        ours = {path: facts["sha256"] for path, facts in known["files"].items()}
        ours[folder.RECORD] = folder.checksum(here / folder.RECORD)
        there = state.files if state else {}
        recorded = self.recorded(repo, name, state) if folder.RECORD in there else {}

        def put(path: str) -> bool:
            """Return whether the file there is as the record there says."""
            if path not in recorded:
                return False
            if there[path].lfs:
                return there[path].lfs.sha256 == recorded[path]
            return hashlib.sha256(self.contents(repo, state.head, path)).hexdigest() == recorded[path]

        change = [path for path in sorted(ours) if path in there and not same(here / path, ours[path], there[path])]
        foreign = [path for path in change if not (path == folder.RECORD and recorded) and not put(path)]
        if foreign:
            raise Unpublished(
                f"{repo} has {', '.join(foreign)} that no publishing from here put there, or that changed since: it "
                f"would be overwritten; delete or rename it at {self.endpoint}/datasets/{repo}/tree/main and run again"
            )
        earlier = [path for path in sorted(recorded) if path in there and path not in ours]
        delete = [path for path in earlier if put(path)]
        return Plan(
            tuple(path for path in sorted(ours) if path not in there),
            tuple(change),
            tuple(delete),
            tuple(path for path in earlier if path not in delete),
        )

    def recorded(self, repo: str, name: str, state: State) -> dict[str, str]:
        """Return the SHA-256 of the files that the record there says were put there; none where it is not ours."""
        with tempfile.TemporaryDirectory() as copy:
            (Path(copy) / folder.RECORD).write_bytes(self.contents(repo, state.head, folder.RECORD))
            known = folder.record(Path(copy), name)
        return {path: facts["sha256"] for path, facts in known["files"].items()} if known else {}

    # What is done.

    def create(self, repo: str, order: Order) -> State:
        """Make the repository and return its state."""
        self.persist(
            f"{repo}, creating it",
            lambda: self.api.create_repo(repo, repo_type="dataset", private=order.private, exist_ok=True),
        )
        state = self.state(repo, order.revision)
        if state is None:
            raise Unpublished(
                f"{repo} exists, and is private so that this token may not see it: give the token access to it at "
                f"{self.endpoint}/settings/tokens, or publish under another namespace"
            )
        return state

    def branch(self, repo: str, state: State, order: Order) -> State:
        """Make the branch, at the head of main, and return the state there."""
        what = f"{repo}, branch {order.revision}"
        asked = dict(repo_type="dataset", branch=order.revision, revision=state.head, exist_ok=True)
        self.persist(what, lambda: self.api.create_branch(repo, **asked))
        return self.state(repo, order.revision)

    def commit(self, repo: str, here: Path, plan: Plan, state: State, order: Order, title: str) -> str:
        """Send one commit and return it; one whose answer was lost is recognised, never sent again.

        Raises Unpublished where somebody else committed since `state` was read.
        """
        sent = [*plan.add, *plan.change]

        def attempt() -> str:
            operations = [
                *(huggingface_hub.CommitOperationAdd(path, str(here / path)) for path in sent),
                *(huggingface_hub.CommitOperationDelete(path, is_folder=False) for path in plan.delete),
            ]
            try:
                return self.api.create_commit(
                    repo,
                    operations,
                    commit_message=title,
                    repo_type="dataset",
                    revision=None if order.pull_request else order.revision,
                    create_pr=order.pull_request,
                    parent_commit=state.head,
                ).oid
            except Exception as error:
                stale = getattr(getattr(error, "response", None), "status_code", None) in (409, 412)
                if isinstance(cause(error), Late) or not stale and passing(cause(error)) is None:
                    raise
                if not order.pull_request:
                    landed = self.landed(repo, here, plan, state, order.revision)
                else:
                    proposed = self.proposed(repo, here, plan, state)
                    landed = proposed and self.head(repo, proposed)
                if landed is None:
                    raise
                return landed

        return self.persist(f"{repo}, committing", attempt)

    def landed(self, repo: str, here: Path, plan: Plan, state: State, branch: str) -> str | None:
        """Return the commit that did what is planned since `state` was read, None where there is no commit since.

        Raises Unpublished where there are other commits, and says what they changed.
        """
        asked = dict(repo_type="dataset", revision=branch)
        since = []
        for commit in self.persist(repo, lambda: self.api.list_repo_commits(repo, **asked)):
            if commit.commit_id == state.head:
                break
            since.append(commit)
        if not since:
            return None
        for commit in since:
            if as_planned(self.files(repo, commit.commit_id), here, plan, state):
                return commit.commit_id
        now = self.files(repo, since[0].commit_id)
        touched = [
            path for path in sorted(now.keys() | state.files.keys()) if blob(now, path) != blob(state.files, path)
        ]
        titles = ", ".join(f"{each.commit_id[:7]} {each.title!r} by {' and '.join(each.authors)}" for each in since)
        raise Unpublished(
            f"{repo}: somebody else committed meanwhile ({titles}; {', '.join(touched) or 'no file'} changed): nothing "
            "was overwritten; run again to publish on top of that"
        )

    def proposed(self, repo: str, here: Path, plan: Plan, state: State) -> Discussion | None:
        """Return an open pull request that does what is planned, None where there is none."""
        asked = dict(repo_type="dataset", discussion_type="pull_request", discussion_status="open")
        for each in self.persist(repo, lambda: list(self.api.get_repo_discussions(repo, **asked))):
            if as_planned(self.files(repo, self.head(repo, each)), here, plan, state):
                return each
        return None

    def head(self, repo: str, proposed: Discussion) -> str:
        """Return the head of a pull request."""
        asked = dict(repo_type="dataset", revision=proposed.git_reference)
        return self.persist(repo, lambda: self.api.repo_info(repo, **asked).sha)

    def tag(self, repo: str, tag: str, commit: str) -> None:
        """Tag a commit; raise Unpublished where somebody else gave the name to another one meanwhile."""
        asked = dict(repo_type="dataset", tag=tag, revision=commit, exist_ok=True)
        self.persist(f"{repo}, tag {tag}", lambda: self.api.create_tag(repo, **asked))
        refs = self.persist(repo, lambda: self.api.list_repo_refs(repo, repo_type="dataset"))
        check_tag(repo, tag, {ref.name: ref.target_commit for ref in refs.tags}, commit)

    # What was done.

    def prove(self, repo: str, commit: str, here: Path) -> tuple[int, int]:
        """Load every config and split of a commit with fresh caches, and compare them with those of the folder.

        Returns how many configs and splits there are. The client reads where its caches are once, when it is imported:
        so the loading is done in a process of its own.
        """
        expected = local_fingerprints(here)
        context = get_context("spawn")
        receive, send = context.Pipe(duplex=False)
        with tempfile.TemporaryDirectory() as home:
            child = context.Process(
                target=read_back, args=(send, self.token, self.left(), repo, commit, list(expected)), daemon=True
            )
            with environment(HF_HOME=home, **dict.fromkeys(CACHES)), uninterrupted():
                child.start()
            send.close()
            try:
                answered = receive.poll(self.left() + ANSWER)
                found, fault = receive.recv() if answered else (None, "no answer within the time limit")
            except EOFError:
                found, fault = None, "the process that loads it was killed"
            finally:
                child.join(0 if sys.exc_info()[0] else ANSWER)
                child.terminate()
                child.join()
        if fault:
            raise Unpublished(
                f"{repo}, reading back {commit[:7]}: {fault}; what was sent is there: run again to prove it"
            )
        wrong = [
            f"{config} {split}".strip()
            for config in expected
            for split in sorted(expected[config].keys() | found[config].keys())
            if expected[config].get(split) != found[config].get(split)
        ]
        if wrong:
            raise Unpublished(f"{repo} at {commit[:7]} reads back otherwise than {here}: {', '.join(wrong)}")
        return len(expected), sum(map(len, expected.values()))


def token() -> str:
    """Return the user's token; raise Unpublished where there is none."""
    found = huggingface_hub.get_token()
    if not found:
        raise Unpublished(
            "there is no token: run hf auth login, or set HF_TOKEN to a token with write access, which is made at "
            f"{huggingface_hub.constants.ENDPOINT}/settings/tokens"
        )
    return found


def publish(hub: Hub, name: str, here: Path, known: dict, order: Order, example: str) -> None:
    """Publish a built folder, or say what publishing it would do; raise Unpublished where it is refused."""
    repo = f"{order.namespace}/{name}"
    state = hub.state(repo, order.revision)
    if state and order.private and not state.private:
        raise Unpublished(
            f"{repo} is there, and public: PRIVATE=1 is for new ones; make it private at "
            f"{hub.endpoint}/datasets/{repo}/settings, or leave PRIVATE out"
        )
    if state and order.revision in state.tags:
        raise Unpublished(f"{order.revision} is a tag of {repo}, and is never moved: name a branch")
    plan = hub.plan(repo, name, here, known, state)
    if state and order.tag:
        check_tag(repo, order.tag, state.tags, None if plan else state.head)
    if order.dry_run:
        print_plan(repo, here, plan, state, order)
        return
    if state is None:
        state = hub.create(repo, order)
        if order.private and not state.private:
            raise Unpublished(f"{repo} was made by somebody else meanwhile, and is public: nothing was sent")
        print(f"{repo}: created, {'private' if state.private else 'public'}")
        plan = hub.plan(repo, name, here, known, state)
    if order.revision not in state.branches:
        state = hub.branch(repo, state, order)
        print(f"{repo}: branch {order.revision} made at {state.head[:7]}")
        plan = hub.plan(repo, name, here, known, state)
    for path in plan.stay:
        print(f"{repo}: {path} stays: it was changed since it was put there")
    proposed = hub.proposed(repo, here, plan, state) if plan and order.pull_request else None
    commit = hub.head(repo, proposed) if proposed else state.head
    if proposed:
        print(f"{repo}: pull request {proposed.num} has all this already, at {commit[:7]}: no new commit")
    elif plan:
        title = f"{name} {known['generator_version']}, seed {next(iter(known['request'].values()))['seed']}"
        commit = hub.commit(repo, here, plan, state, order, title)
        done = f"{len(plan.add)} files added, {len(plan.change)} changed, {len(plan.delete)} deleted"
        print(f"{repo}: {done}: {'pull request with ' if order.pull_request else ''}commit {commit[:7]}")
    else:
        print(f"{repo}: all files are there as they are here, at {commit[:7]}: no new commit")
    if not as_planned(hub.files(repo, commit), here, plan, state):
        raise Unpublished(f"{repo} at {commit[:7]} does not hold the files of {here}: run again")
    if order.tag and order.tag in state.tags:
        print(f"{repo}: tagged {order.tag} already")
    elif order.tag:
        hub.tag(repo, order.tag, commit)
        print(f"{repo}: tagged {order.tag}")
    configs, splits = hub.prove(repo, commit, here)
    print(f"{repo}: {configs} configs, {splits} splits, read back from {commit[:7]}: every row as in {here}")
    page = f"{hub.endpoint}/datasets/{repo}"
    at = order.tag or (order.revision if order.revision != "main" else None)
    if plan and order.pull_request:
        proposed = hub.proposed(repo, here, plan, state)
        at = proposed.git_reference
        print(f"proposed: {page}/discussions/{proposed.num}")
    else:
        print(f"published: {page}" + (f"/tree/{at}" if at else ""))
    print(f'load_dataset("{repo}", "{example}"' + (f', revision="{at}")' if at else ")"))


def check_complete(here: Path, known: dict) -> None:
    """Raise Unpublished where a folder is not what its build wrote, to the byte."""
    for path in folder.present(here):
        if path not in known["files"]:
            raise Unpublished(f"{here / path} was not written by the build of {here}: move it away")
    for path, facts in known["files"].items():
        if not (here / path).is_file():
            raise Unpublished(f"{here / path} is missing: build again")
        if folder.checksum(here / path) != facts["sha256"]:
            raise Unpublished(f"{here / path} was changed after it was built: delete {here} and build again")


def check_tag(repo: str, tag: str, tags: dict[str, str], commit: str | None) -> None:
    """Raise Unpublished where a tag is at another commit."""
    if tag in tags and tags[tag] != commit:
        raise Unpublished(
            f"{repo} has the tag {tag} already, at {tags[tag][:7]}: a tag is never moved; choose another, or delete it "
            f"there"
        )


def print_plan(repo: str, here: Path, plan: Plan, state: State | None, order: Order) -> None:
    """Print what would be added, changed and deleted, with the sizes."""
    if state is None:
        print(f"{repo} would be created, {'private' if order.private else 'public'}")
    elif order.revision not in state.branches:
        print(f"{repo}: branch {order.revision} would be made at {state.head[:7]}")
    size = {path: (here / path).stat().st_size for path in (*plan.add, *plan.change)}
    for verb, paths in (("add", plan.add), ("change", plan.change)):
        for path in paths:
            print(f"{verb:<8}{size[path]:>12,}  {path}")
    for path in plan.delete:
        print(f"{'delete':<8}{state.files[path].size:>12,}  {path}")
    for path in plan.stay:
        print(f"{'keep':<8}{state.files[path].size:>12,}  {path} (changed since it was put there)")
    print(
        f"{repo}: {len(plan.add)} to add, {len(plan.change)} to change, {len(plan.delete)} to delete, "
        f"{sum(size.values()):,} bytes to send; this was a dry run: nothing was sent"
    )


def same(path: Path, sha256: str, there: RepoFile) -> bool:
    """Return whether a file has the contents of one on the Hub, which knows LFS files by SHA-256, others by Git's."""
    if there.lfs:
        return there.lfs.sha256 == sha256
    content = path.read_bytes()
    return there.blob_id == hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def blob(files: dict[str, RepoFile], path: str) -> str | None:
    """Return the Git name of a file's contents, None where it is not there."""
    return files[path].blob_id if path in files else None


def as_planned(files: dict[str, RepoFile], here: Path, plan: Plan, state: State) -> bool:
    """Return whether files are those that a plan makes of a state."""
    sent = {*plan.add, *plan.change}
    kept = state.files.keys() - sent - set(plan.delete)
    return (
        files.keys() == sent | kept
        and all(same(here / path, folder.checksum(here / path), files[path]) for path in sent)
        and all(blob(files, path) == blob(state.files, path) for path in kept)
    )


# How the network fails.


def cause(error: BaseException) -> BaseException:
    """Return what an upload or a download raised, which the client wraps."""
    while isinstance(error, (RuntimeError, FileNotFoundError)) and error.__cause__:
        error = error.__cause__
    return error


def passing(error: BaseException) -> float | None:
    """Return the seconds that an error asks to wait, 0 where it says nothing, None where waiting does not help."""
    if isinstance(error, Late):
        return math.inf
    if isinstance(error, OfflineModeIsEnabled):
        return None
    response = getattr(error, "response", None)
    if response is not None:
        return retry_after(response) if response.status_code in PASSING else None
    # Both clients, httpx from huggingface_hub 1.0 on and requests before; the first has other names by version.
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return 0.0 if kinds & {"TransportError", "RequestException", "TimeoutError", "ConnectionError"} else None


def retry_after(response) -> float:
    """Return the seconds that an answer's Retry-After asks to wait, given as a number or a date, else 0."""
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


def local_fingerprints(here: Path) -> dict[str, dict[str, str]]:
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


def read_back(send: Connection, token: str, seconds: float, repo: str, commit: str, configs: list[str]) -> None:
    """Send the fingerprints of each config and split of a commit, and None, or None and what went wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that what the libraries hold is let go
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
        fault = f"{type(error).__name__}: {hub.scrub(error)}"
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
