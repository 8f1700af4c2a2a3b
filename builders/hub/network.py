"""How errors of the network are judged: which of them may pass, how long to wait, and what may be printed of them.

Two clients are supported: huggingface_hub sends by httpx from 1.0 on, and by requests before.
"""

import contextlib
import email.utils
import errno
import math
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import huggingface_hub
from huggingface_hub.errors import OfflineModeIsEnabled

from ..errors import UserError

ANSWER_TIMEOUT = 60.0
"""Seconds that one request waits for its answer."""

TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
"""Statuses worth another try: another operation is under way (409), too many requests, or a fault of the server."""

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


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and the errors that it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def full_disk(error: BaseException) -> str | None:
    """Say which disk is full where that caused an error, and what to do; else return None.

    Everything that comes from the Hub is written to the folder for temporary files.
    """
    for cause in causes(error):
        is_full = getattr(cause, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if is_full or re.search("No space left on device|Not enough disk space", str(cause)):
            return (
                f"the disk that holds {tempfile.gettempdir()} is full: make room there, or set TMPDIR to a folder of "
                "another disk"
            )
    return None


def is_from_storage(error: BaseException) -> bool:
    """Return whether the storage of large files sent the answer that caused an error, or the Hub on its behalf."""
    url = urlsplit(str(getattr(getattr(error, "response", None), "url", "")))
    other_host = url.netloc != urlsplit(huggingface_hub.constants.ENDPOINT).netloc
    return bool(url.netloc) and (other_host or "/info/lfs/" in url.path or "complete_multipart" in url.path)


def is_no_json(error: BaseException) -> bool:
    """Return whether an answer came that is no JSON: a page of a proxy, or only the beginning of an answer."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    return bool(kinds & {"JSONDecodeError", "UnicodeDecodeError", "DecodingError"})


def describe(error: BaseException) -> str:
    """Describe an error in one line: the status and the reason that came with it, or the error's own text."""
    status, reason = status_of(error), getattr(error, "server_message", None)
    if is_no_json(error):
        return f"the answer is no JSON, or was cut short ({without_secrets(error)})"
    if status is None:
        return without_secrets(error)
    if is_from_storage(error):
        with contextlib.suppress(Exception):  # the body of an answer may not have been read
            reason = re.search("<Message>(.*?)</Message>", error.response.text)[1]
        return f"the storage answered {status}" + (f": {without_secrets(reason)}" if reason else "")
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
    if is_no_json(error) or "Consistency check failed" in str(error):  # a file that came short, as the client says it
        return 0.0
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


def limit_waits(seconds_left: Callable[[], float], note_status: Callable[[int], None]) -> None:
    """Have the client wait at most ANSWER_TIMEOUT seconds for an answer, and never beyond the time limit.

    By itself huggingface_hub 2 waits for ever, and as long as a 429 asks. `seconds_left` raises TimeLimitError where
    no time is left; the client does not try that again. `note_status` gets the status of every answer, as the client
    tries some calls again without a word.
    """

    def refuse_long_waits(response, *_, **__) -> None:
        note_status(response.status_code)
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
