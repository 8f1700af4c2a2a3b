"""One token, one time limit for all calls to the Hub, and another try where the network or the Hub fails.

A call that fails for the moment is repeated with growing waits until the time limit. A refusal ends in one line that
says what to do. The client itself tries only some calls again: uploads, and from 2.0 on lists. It repeats no call that
writes, as it cannot tell whether the first one was carried out.
"""

import contextlib
import itertools
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import huggingface_hub
from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError

from .network import (
    TRANSIENT,
    PublishError,
    TimeLimitError,
    describe,
    is_from_storage,
    is_full_disk,
    limit_waits,
    refusals,
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


def read_token(optional: bool = False) -> str | None:
    """Return the user's token. Raises PublishError where there is none that can be sent.

    optional: whether to return None instead where there is no token at all.
    """
    text = huggingface_hub.get_token()
    page = f"{huggingface_hub.constants.ENDPOINT}/settings/tokens"
    if not text and optional:
        return None
    if not text:
        raise PublishError("no_token", page=page)
    if not re.fullmatch("[!-~]+", text):
        raise PublishError("strange_token", page=page)
    return text


class Hub:
    """Ask the Hub, with one token and within one time limit for all calls together."""

    def __init__(self, token: str | None, seconds: float) -> None:
        """Set up the client. The time limit runs from now. Raises PublishError where no connection can be set up.

        token: None asks as somebody who is not logged in, who may only read what is public.
        """
        self.token = token
        self.limit_time(seconds)
        self.last_status: int | None = None  # of the last answer to the call under way, where another try may help
        self.namespaces: list[str] | None = None  # the token's user and organisations; None where nobody was asked
        self.endpoint = huggingface_hub.constants.ENDPOINT
        self.tokens = f"{self.endpoint}/settings/tokens"
        self.api = huggingface_hub.HfApi(token=token or False)
        huggingface_hub.utils.logging.set_verbosity_error()  # `retry` reports each failed try
        huggingface_hub.utils.disable_progress_bars()
        try:
            limit_waits(self.seconds_left, self._note_status)
        except (ValueError, ImportError, OSError) as error:
            raise PublishError("no_connection", error=error) from None

    def limit_time(self, seconds: float) -> None:
        """Set the time limit, which runs from now."""
        self.seconds, self.deadline = seconds, time.monotonic() + seconds

    def seconds_left(self) -> float:
        """Return the seconds until the time limit. Raises TimeLimitError where none are left."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            last = f", the last one had the status {self.last_status}" if self.last_status else ""
            raise TimeLimitError(f"no usable answer came{last}")
        return seconds

    def _note_status(self, status: int) -> None:
        """Keep the status of an answer, to tell it where time runs out before a better one."""
        self.last_status = status if status in TRANSIENT else self.last_status

    @contextlib.contextmanager
    def stop_the_clock(self) -> Iterator[None]:
        """Do not count what is done meanwhile towards the time limit."""
        start = time.monotonic()
        yield
        self.deadline += time.monotonic() - start

    def retry(self, task: str, call: Callable[[], Any]) -> Any:
        """Return what `call` returns, trying again where that may help.

        task: what the call does, as messages name it. Raises PublishError where the Hub refuses, with the refusal as
        its cause, or where tries or time run out.
        """
        self.last_status = None
        for tries in itertools.count(1):
            try:
                self.seconds_left()
                return call()
            except PublishError:
                raise
            except Exception as raised:
                error = root_cause(raised)
            wanted, reason = wanted_wait(error), describe(error)
            if wanted is None:
                raise PublishError("refused", task=task, why=self.why(error)) from error
            pause = max(wanted, min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1)))
            is_late = time.monotonic() + pause >= self.deadline
            if is_late or tries == TRIES:
                late = f"the time limit of {self.seconds:.0f} s allows no other try"
                end = late if is_late else f"gave up after {tries} tries"
                raise PublishError("gave_up", task=task, reason=reason, end=end)
            print(f"{task}: {reason}; trying again in {pause:.0f} s", file=sys.stderr)
            time.sleep(pause)

    def why(self, error: Exception) -> str:
        """Say why the Hub refused, and what to do."""
        status = status_of(error)
        causes = {
            "full_disk": is_full_disk(error),  # everything that comes from the Hub is written to a temporary folder
            "offline": isinstance(error, OfflineModeIsEnabled),
            "gated": isinstance(error, GatedRepoError),
            "missing": isinstance(error, RepositoryNotFoundError),
            "bad_token": status == 401,
            "storage": status == 403 and is_from_storage(error),
            "forbidden": status == 403,
            "no_hub": isinstance(error, KeyError | TypeError | AttributeError),
            "answered": status is not None,
            "unknown": True,
        }
        known = {"reason": describe(error), "kind": type(error).__name__, "folder": tempfile.gettempdir()}
        cause = next(name for name, holds in causes.items() if holds)
        return refusals()["why"][cause].format(tokens=self.tokens, endpoint=self.endpoint, **known)

    def check_access(self, namespace: str, pull_request: bool = False) -> None:
        """Ask the Hub who owns the token. Raises PublishError where the token cannot write to the namespace.

        Without a token, ask only whether there is a Hub.
        pull_request: whether to propose a change only, which the Hub allows in repositories of others too.
        """
        if not self.token:
            self.retry(self.endpoint, lambda: self.api.repo_exists(f"{namespace}/any", repo_type="dataset"))
            return

        def ask() -> tuple[list[str], str | None]:
            user = self.api.whoami()
            role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
            return [user["name"], *(organisation["name"] for organisation in user.get("orgs") or ())], role

        self.namespaces, role = self.retry("who am I", ask)
        user, *organisations = self.namespaces
        if namespace not in self.namespaces and not pull_request:
            owner = f"{user}, a member of {', '.join(organisations)}" if organisations else user
            raise PublishError("others_namespace", namespace=namespace, owner=owner, user=user)
        if role == "read":
            raise PublishError("read_only", user=user, tokens=self.tokens)
