"""The questions to the Hub: one token, one time limit, and another try where the network or the Hub fails.

A call that fails for the moment is repeated with growing waits until the time limit. A refusal ends in one line that
says what to do.
"""

import contextlib
import copy
import math
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import huggingface_hub
from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile

from .network import (
    TRANSIENT,
    PublishError,
    TimeLimitError,
    describe,
    full_disk,
    is_from_storage,
    limit_waits,
    root_cause,
    status_of,
    wanted_wait,
)

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, and the most between two tries. Each wait is twice the one before."""

TRIES = 10
"""How often one call is tried."""

FIRST_ANSWER = 10.0
"""Seconds until the first answer in which a dry run gives up; a publication has its whole time limit."""


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """Hold what a repository was when the Hub was asked."""

    head: str  # commit of the branch to publish to; of main where that branch does not exist
    private: bool  # whether only its owners see it
    files: dict[str, RepoFile]  # the files at the head, by path
    branches: dict[str, str]  # commit of each branch, by name
    tags: dict[str, str]  # commit of each tag, by name


def read_token(optional: bool = False) -> str | None:
    """Return the user's token. Raises PublishError where there is none that can be sent.

    optional: whether to return None instead where there is no token at all.
    """
    text = huggingface_hub.get_token()
    page = f"{huggingface_hub.constants.ENDPOINT}/settings/tokens"
    if not text and optional:
        return None
    if not text:
        raise PublishError(
            f"there is no token: run hf auth login, or set HF_TOKEN to a token with write access, made at {page}"
        )
    if not re.fullmatch("[!-~]+", text):
        raise PublishError(f"the token has characters that no token has: copy it again from {page}")
    return text


class Hub:
    """Ask the Hub, with one token and within one time limit for all calls together."""

    def __init__(self, token: str | None, seconds: float, first: float = math.inf) -> None:
        """Set up the client. The time limit runs from now. Raises PublishError where no connection can be set up.

        token: None asks as somebody who is not logged in, who may only read what is public. first: the time limit until
        the first answer, in seconds, where it is less.
        """
        self.token = token
        self.seconds = min(first, seconds)  # the time limit
        self.deadline = time.monotonic() + self.seconds
        self.more = seconds - self.seconds  # seconds that the first answer adds
        self.last_status: int | None = None  # of the last answer to the call under way, where another try may help
        self.kind = "dataset"  # the kind of repository that all calls mean
        self.namespaces: list[str] | None = None  # the token's user and organisations; None where nobody was asked
        self.endpoint = huggingface_hub.constants.ENDPOINT
        self.api = huggingface_hub.HfApi(token=token or False)
        huggingface_hub.utils.logging.set_verbosity_error()  # `retry` reports each failed try
        huggingface_hub.utils.disable_progress_bars()
        try:
            limit_waits(self.seconds_left, self._note_status)
        except (ValueError, ImportError, OSError) as error:
            raise PublishError(
                f"the connection cannot be set up (does HTTP_PROXY, HTTPS_PROXY or ALL_PROXY hold no usable address?): "
                f"{error}"
            ) from None

    def seconds_left(self) -> float:
        """Return the seconds until the time limit. Raises TimeLimitError where none are left."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            last = f", the last one had the status {self.last_status}" if self.last_status else ""
            raise TimeLimitError(f"no usable answer came{last}")
        return seconds

    def of(self, kind: str) -> "Hub":
        """Return the same Hub, with the same token and time limit, to ask about repositories of a kind."""
        if kind == self.kind:
            return self
        other = copy.copy(self)
        other.kind = kind
        return other

    def page(self, repo: str) -> str:
        """Return the address of a repository's page."""
        return f"{self.endpoint}/{self.kind}s/{repo}"

    def _note_status(self, status: int) -> None:
        """Keep the status of an answer, to tell it where time runs out before a better one.

        A better one shows that the Hub can be reached.
        """
        if status in TRANSIENT:
            self.last_status = status
        else:
            self.seconds, self.deadline, self.more = self.seconds + self.more, self.deadline + self.more, 0.0

    @contextlib.contextmanager
    def stop_the_clock(self) -> Iterator[None]:
        """Do not count what is done meanwhile towards the time limit."""
        start = time.monotonic()
        yield
        self.deadline += time.monotonic() - start

    def retry(self, task: str, call: Callable[[], Any], *expected: type[Exception]) -> Any:
        """Return what `call` returns, trying again where that may help.

        task: what the call does, as messages name it. expected: errors that are passed on as they are.
        Raises PublishError where the Hub refuses, or where tries or time run out.
        """
        wait, self.last_status = FIRST_WAIT, None
        for tries in range(1, TRIES + 1):
            try:
                self.seconds_left()
                return call()
            except (PublishError, *expected):
                raise
            except Exception as raised:
                error = root_cause(raised)
                wanted = wanted_wait(error)
                if wanted is None:
                    raise PublishError(f"{task}: {self.refusal(error)}") from None
                pause, reason = max(wait, wanted), describe(error)
            if time.monotonic() + pause >= self.deadline:
                end = f"the time limit of {self.seconds:.0f} s allows no other try"
                break
            if tries == TRIES:
                end = f"gave up after {tries} tries"
                break
            print(f"{task}: {reason}; trying again in {pause:.0f} s", file=sys.stderr)
            time.sleep(pause)
            wait = min(LONGEST_WAIT, 2 * wait)
        raise PublishError(
            f"{task}: {reason}; {end}: run the command again later, it goes on from what is done "
            "(--time-limit gives more time)"
        )

    def create(self, task: str, create: Callable[[], object], look: Callable[[str | None], Any]) -> Any:
        """Create something, and return what the Hub shows of it: what `look` returns, None where it shows nothing.

        The Hub answers 409 where the name is taken, and where another operation is under way. Looking tells which;
        `look` gets the text of such an answer, else None.
        """

        def create_and_look() -> Any:
            conflict = None
            try:
                create()
            except Exception as raised:
                conflict = root_cause(raised)
                if status_of(conflict) != 409:
                    raise
            there = look(describe(conflict) if conflict else None)
            if there is None:
                raise conflict or ConnectionError("the Hub reported no error, but does not list it")
            return there

        return self.retry(task, create_and_look)

    def refusal(self, error: Exception) -> str:
        """Say why the Hub refused, and what to do."""
        status, reason = status_of(error), describe(error)
        if disk := full_disk(error):
            return disk
        match error, status:
            case OfflineModeIsEnabled(), _:
                return "HF_HUB_OFFLINE is set: unset it to publish"
            case GatedRepoError(), _:
                return (
                    f"it is gated, and this token may not read it ({reason}): ask for access on its page, or end gating"
                )
            case RepositoryNotFoundError(), _:
                return (
                    f"it does not exist, or is private and this token may not see it ({reason}): give the token "
                    "access, or publish under another namespace"
                )
            case _, 401:
                return (
                    f"the token is not valid, or has expired ({reason}): make a token with write access at "
                    f"{self.endpoint}/settings/tokens, then run hf auth login or set HF_TOKEN"
                )
            case _, 403 if is_from_storage(error):
                return (
                    f"a file is refused ({reason}): the address for it has expired, a proxy keeps it away, or the "
                    "owner has no space left; run the command again"
                )
            case _, 403:
                return (
                    f"the token may not do that ({reason}): it needs write access to the namespace; see "
                    f"{self.endpoint}/settings/tokens"
                )
            case KeyError() | TypeError() | AttributeError(), _:
                return f"the answer cannot be read ({type(error).__name__}: {reason}): is {self.endpoint} a Hub?"
        return reason if status else f"{type(error).__name__}: {reason}"

    def check_access(self, namespace: str, pull_request: bool = False) -> None:
        """Ask the Hub who owns the token. Raises PublishError where the token cannot write to the namespace.

        Without a token, ask only whether there is a Hub.
        pull_request: whether to propose a change only, which the Hub allows in repositories of others too.
        """
        if not self.token:
            self.retry(self.endpoint, lambda: self.api.repo_exists(f"{namespace}/any", repo_type=self.kind))
            return

        def ask() -> tuple[list[str], str | None]:
            user = self.api.whoami()
            role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
            return [user["name"], *(organisation["name"] for organisation in user.get("orgs") or ())], role

        (user, *organisations), role = self.retry("who am I", ask)
        self.namespaces = [user, *organisations]
        if namespace not in self.namespaces and not pull_request:
            owner = f"{user}, a member of {', '.join(organisations)}" if organisations else user
            raise PublishError(
                f"{namespace} is not yours: the token belongs to {owner}; say NAMESPACE={user}, or propose it to "
                f"{namespace} by PR=1"
            )
        if role == "read":
            raise PublishError(
                f"the token of {user} is read-only: make one with write access at {self.endpoint}/settings/tokens, "
                "then run hf auth login or set HF_TOKEN"
            )

    def state(self, repo: str, branch: str) -> RepositoryState | None:
        """Return what a repository is at the head of a branch, or None where there is no such repository.

        Where the branch does not exist, the head is that of main. Raises PublishError where the token may not read the
        repository, or where it was renamed or has no main.
        """
        where = dict(repo_id=repo, repo_type=self.kind)
        page = self.page(repo)
        expected = (RepositoryNotFoundError, RevisionNotFoundError)
        try:
            info = self.retry(repo, lambda: self.api.repo_info(**where), *expected)
        except GatedRepoError as error:
            raise PublishError(f"{repo}: {self.refusal(error)}") from None
        except RepositoryNotFoundError:
            return None
        except RevisionNotFoundError:
            raise PublishError(f"{repo} has no branch main: make one at {page}") from None
        if info.id != repo:
            raise PublishError(
                f"{repo} is called {info.id} now: publish there, or give the name back at {page}/settings"
            )
        if info.gated:
            self.retry(repo, lambda: self.api.auth_check(**where))
        branches, tags = self.references(repo)
        head = branches.get(branch) or branches.get("main")
        if head is None:
            raise PublishError(f"{repo} has no branch main: make one at {page}")
        return RepositoryState(head, bool(info.private), self.files(repo, head), branches, tags)

    def references(self, repo: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return the commits of the branches and of the tags, by name."""
        refs = self.retry(repo, lambda: self.api.list_repo_refs(repo, repo_type=self.kind))
        branches, tags = ({ref.name: ref.target_commit for ref in kind} for kind in (refs.branches, refs.tags))
        return branches, tags

    def commit_of(self, repo: str, revision: str, *expected: type[Exception]) -> str:
        """Return the commit of a branch, a tag or a pull request. `expected` errors are passed on as they are."""
        where = dict(repo_type=self.kind, revision=revision)
        return self.retry(repo, lambda: self.api.repo_info(repo, **where).sha, *expected)

    def files(self, repo: str, revision: str) -> dict[str, RepoFile]:
        """Return the files of a revision, by path."""

        def ask() -> dict[str, RepoFile]:
            where = dict(repo_type=self.kind, revision=revision)
            tree = self.api.list_repo_tree(repo, recursive=True, **where)
            files = {entry.path: entry for entry in tree if isinstance(entry, RepoFile)}
            if files.keys() != {file.rfilename for file in self.api.repo_info(repo, **where).siblings}:
                raise ConnectionError("the list of its files is incomplete")  # a file not listed would be overwritten
            return files

        return self.retry(f"{repo}, files of {revision[:7]}", ask)

    def contents(self, repo: str, revision: str, path: str) -> bytes:
        """Return the bytes of a file at a revision."""

        def download() -> bytes:
            with tempfile.TemporaryDirectory() as cache:
                where = dict(repo_type=self.kind, revision=revision, cache_dir=cache)
                return Path(self.api.hf_hub_download(repo, path, **where)).read_bytes()

        return self.retry(f"{repo}, {path}", download)
