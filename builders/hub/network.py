"""Own how errors of the network are judged: which of them may pass, how long to wait, and what may be printed of them.

Two clients are supported: huggingface_hub sends by httpx from 1.0 on, and by requests before.
"""

import contextlib
import email.utils
import math
import re
import time
from collections.abc import Callable

import huggingface_hub
from huggingface_hub.errors import OfflineModeIsEnabled

from builders.errors import UserError

ANSWER_TIMEOUT = 60.0
"""Seconds that one request waits for its answer."""

TRANSIENT = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
"""Statuses worth another try: too many requests, or a fault of the server."""

TOKEN = re.compile(r"\b(hf|api)_[A-Za-z0-9]{8,}")
"""What looks like a token of the Hub."""


def without_secrets(text: object) -> str:
    """Return the first line of a text that is no markup, without tokens and without the queries of signed addresses."""
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    line = next((line for line in lines if line[0] != "<"), "no reason given")
    if secret := huggingface_hub.get_token():
        line = line.replace(secret, "hf_…")
    return TOKEN.sub("hf_…", re.sub(r"(https?://[^\s?]*)\?\S*", r"\1", line))


class PublishError(UserError):
    """Say in one line why a folder is not published, and what to do. Secrets in the reason are removed."""

    def __init__(self, reason: str) -> None:
        super().__init__(without_secrets(reason))


class TimeLimitError(TimeoutError):
    """Say that the time limit is reached, or would pass during a wait that the Hub asks for."""


def root_cause(error: BaseException) -> BaseException:
    """Return the error of an upload or a download that the client wrapped in another."""
    while isinstance(error, (RuntimeError, FileNotFoundError)) and error.__cause__:
        error = error.__cause__
    return error


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that caused an error, or None where no answer came."""
    return getattr(getattr(error, "response", None), "status_code", None)


def describe(error: BaseException) -> str:
    """Describe an error in one line: the status and the Hub's reason, or the error's own text."""
    status, reason = status_of(error), getattr(error, "server_message", None)
    if status is None:
        return without_secrets(error)
    return f"the Hub answered {status}" + (f": {without_secrets(reason)}" if reason else "")


def wanted_wait(error: BaseException) -> float | None:
    """Return the seconds to wait before another try: 0 where the error names none, None where no try can help."""
    match error, status_of(error):
        case TimeLimitError(), _:
            return math.inf
        case OfflineModeIsEnabled(), _:
            return None
        case _, int(status):
            return retry_after(error.response) if status in TRANSIENT else None
    # Judged by name, as httpx is called httpx2 with some versions of the client.
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, ValueError) or kinds & {"UnsupportedProtocol", "LocalProtocolError"}:
        return None  # the request itself is invalid
    return 0.0 if kinds & {"TransportError", "RequestException", "TimeoutError", "ConnectionError"} else None


def retry_after(response) -> float:
    """Return the seconds that an answer asks to wait, by `RateLimit` or `Retry-After` (a number or a date), else 0."""
    if exhausted := re.search(r"\br=0\b.*\bt=(\d+)", response.headers.get("RateLimit", "")):
        return float(exhausted[1])
    header = response.headers.get("Retry-After", "")
    with contextlib.suppress(ValueError):
        return max(0.0, float(header))
    with contextlib.suppress(ValueError):
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    return 0.0


def limit_waits(seconds_left: Callable[[], float]) -> None:
    """Have the client wait at most ANSWER_TIMEOUT seconds for an answer, and never beyond the time limit.

    By itself huggingface_hub 2 waits for ever, and as long as a 429 asks. `seconds_left` raises TimeLimitError where
    no time is left; the client does not try that again.
    """

    def refuse_long_waits(response, *_, **__) -> None:
        if response.status_code in TRANSIENT and retry_after(response) > seconds_left():
            raise TimeLimitError(f"the Hub answered {response.status_code}: wait {retry_after(response):,.0f} s")

    if hasattr(huggingface_hub, "set_client_factory"):
        _limit_httpx(seconds_left, refuse_long_waits)
    else:
        _limit_requests(seconds_left, refuse_long_waits)


def _limit_httpx(seconds_left: Callable[[], float], on_answer: Callable) -> None:
    """Give huggingface_hub from 1.0 on a client with hooks, besides its own, that keep to the time limit."""
    session = huggingface_hub.utils.get_session()
    hooks = {  # not those of an earlier call, which keep to an earlier time limit
        event: [hook for hook in hooks if hook.__module__ != __name__] for event, hooks in session.event_hooks.items()
    }

    def on_request(request) -> None:
        limits = request.extensions.get("timeout", {})
        request.extensions["timeout"] = {
            phase: min(limit or ANSWER_TIMEOUT, seconds_left()) for phase, limit in limits.items()
        }

    def client():
        events = {"request": [*hooks["request"], on_request], "response": [*hooks["response"], on_answer]}
        return type(session)(event_hooks=events, follow_redirects=True, timeout=ANSWER_TIMEOUT)

    huggingface_hub.set_client_factory(client)


def _limit_requests(seconds_left: Callable[[], float], on_answer: Callable) -> None:
    """Give huggingface_hub before 1.0 a session whose adapter keeps to the time limit."""
    session = huggingface_hub.utils.get_session()
    adapters = type(session.get_adapter("https://")).__mro__
    client_adapter = next(kind for kind in adapters if kind.__module__ != __name__)

    class LimitedAdapter(client_adapter):
        def send(self, request, *args, timeout=None, **kwargs):
            return super().send(request, *args, timeout=min(ANSWER_TIMEOUT, seconds_left()), **kwargs)

    def backend():
        made = type(session)()
        made.hooks["response"] = [on_answer]
        for scheme in ("http://", "https://"):
            made.mount(scheme, LimitedAdapter())
        return made

    huggingface_hub.configure_http_backend(backend)
