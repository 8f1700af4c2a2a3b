"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import huggingface_hub
from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.hf_api import RepoFile

from builders.hub.network import PublishError, TimeLimitError, be_patient, cause, passing, status_of, told

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, and at most between two: each wait is twice the one before."""


TRIES = 10


@dataclass(frozen=True, slots=True)
class State:
    """Hold what a repository is at the head of a branch: the head, its files, and the commits of branches and tags."""

    head: str
    private: bool
    files: dict[str, RepoFile]
    branches: dict[str, str]
    tags: dict[str, str]


def token() -> str:
    """Return the user's token; raise PublishError where there is none that can be sent."""
    found = huggingface_hub.get_token()
    page = f"{huggingface_hub.constants.ENDPOINT}/settings/tokens"
    if not found:
        raise PublishError(
            f"there is no token: run hf auth login, or set HF_TOKEN to a token with write access, made at {page}"
        )
    if not re.fullmatch("[!-~]+", found):
        raise PublishError(f"the token has characters that no token has: copy it again from {page}")
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
            raise PublishError(f"the connection cannot be set up (is a proxy set that cannot be?): {error}") from None

    def left(self) -> float:
        """Return the seconds left; raise TimeLimitError where there are none."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise TimeLimitError("nothing came that could be used")
        return seconds

    def persist(self, what: str, call: Callable[[], Any], *expected: type[Exception]) -> Any:
        """Return what `call` returns, tried again where that may help; raise PublishError, or what is expected."""
        wait = FIRST_WAIT
        for tries in range(1, TRIES + 1):
            try:
                self.left()
                return call()
            except (PublishError, *expected):
                raise
            except Exception as raised:
                error = cause(raised)
                asked = passing(error)
                if asked is None:
                    raise PublishError(f"{what}: {self.refusal(error)}") from None
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
        raise PublishError(
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
        """Raise PublishError where the token cannot write to the namespace, as far as the Hub says so."""

        def asked() -> tuple[list[str], str | None]:
            user = self.api.whoami()
            role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
            return [user["name"], *(each["name"] for each in user.get("orgs") or ())], role

        mine, role = self.persist("who am I", asked)
        if namespace not in mine:
            others = f", and of {', '.join(mine[1:])}" if mine[1:] else ""
            raise PublishError(f"{namespace} is not yours: the token is of {mine[0]}{others}; say NAMESPACE={mine[0]}")
        if role == "read":
            raise PublishError(
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
            self.persist(repo, lambda: self.api.auth_check(**asked))
        refs = self.persist(repo, lambda: self.api.list_repo_refs(**asked))
        branches = {ref.name: ref.target_commit for ref in refs.branches}
        tags = {ref.name: ref.target_commit for ref in refs.tags}
        head = branches.get(branch) or branches.get("main")
        if head is None:
            raise PublishError(f"{repo} has no branch main: make one at {page}")
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
