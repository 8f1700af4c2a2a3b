"""How errors of the network are judged: which of them may pass, how long to wait, and what may be printed of them.

Two clients are supported: huggingface_hub sends by httpx from 1.0 on, and by requests before.
"""

import contextlib
import email.utils
import errno
import math
import re
import time
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import huggingface_hub
from huggingface_hub.errors import OfflineModeIsEnabled
from huggingface_hub.utils import _http

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


@lru_cache(maxsize=1)
def refusals() -> dict[str, Any]:
    """Return the lines of refusals.toml by their names."""
    return tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))


class PublishError(UserError):
    """Say in one line why a folder is not published, and what to do: in the words of refusals.toml, without secrets."""

    def __init__(self, refusal: str, **facts: Any) -> None:
        """Take the name of a refusal, and what its line mentions."""
        super().__init__(without_secrets(refusals()[refusal].format(**facts)))


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


def kinds_of(error: BaseException) -> set[str]:
    """Return the names of an error's classes; httpx is called httpx2 with some versions of the client."""
    return {kind.__name__ for kind in type(error).__mro__}


def is_full_disk(error: BaseException | None) -> bool:
    """Return whether a full disk caused an error, or one that it was raised from."""
    while error is not None:
        is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if is_full or re.search("No space left on device|Not enough disk space", str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def is_from_storage(error: BaseException) -> bool:
    """Return whether the storage of large files sent the answer that caused an error, or the Hub on its behalf."""
    url = urlsplit(str(getattr(getattr(error, "response", None), "url", "")))
    other_host = url.netloc != urlsplit(huggingface_hub.constants.ENDPOINT).netloc
    return bool(url.netloc) and (other_host or "/info/lfs/" in url.path or "complete_multipart" in url.path)


def is_no_json(error: BaseException) -> bool:
    """Return whether an answer came that is no JSON: a page of a proxy, or only the beginning of an answer."""
    return bool(kinds_of(error) & {"JSONDecodeError", "UnicodeDecodeError", "DecodingError"})


def describe(error: BaseException) -> str:
    """Describe an error in one line: the status and the reason that came with it, or the error's own text."""
    if is_no_json(error):
        return f"the answer is no JSON, or was cut short ({without_secrets(error)})"
    if (status := status_of(error)) is None:
        return without_secrets(error)
    sender, reason = "Hub", getattr(error, "server_message", None)
    if is_from_storage(error):
        sender = "storage"
        with contextlib.suppress(Exception):  # the body of an answer may not have been read
            reason = re.search("<Message>(.*?)</Message>", error.response.text)[1]
    return f"the {sender} answered {status}" + (f": {without_secrets(reason)}" if reason else "")


def wanted_wait(error: BaseException) -> float | None:
    """Return the seconds to wait before another try: 0 where the error names none, None where no try can help."""
    kinds = kinds_of(error)
    if isinstance(error, TimeLimitError):
        return math.inf
    if status := status_of(error):
        return retry_after(error.response) if status in TRANSIENT else None
    if is_no_json(error) or "Consistency check failed" in str(error):  # a file that came short, as the client says it
        return 0.0
    if kinds & {"ValueError", "UnsupportedProtocol", "LocalProtocolError"} or isinstance(error, OfflineModeIsEnabled):
        return None  # the request itself is invalid
    return 0.0 if kinds & {"TransportError", "RequestException", "TimeoutError", "ConnectionError"} else None


def retry_after(response: Any) -> float:
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
    by_httpx = hasattr(huggingface_hub, "set_client_factory")
    default = _http.default_client_factory if by_httpx else _http._default_backend_factory

    def limited_session() -> Any:
        session = default()
        send = session.send

        def send_limited(request: Any, **options: Any) -> Any:
            seconds = min(ANSWER_TIMEOUT, seconds_left())
            if by_httpx:
                limits = request.extensions["timeout"]  # of each phase of a request
                limits.update({phase: min(limit or seconds, seconds) for phase, limit in limits.items()})
            else:
                options["timeout"] = seconds
            response = send(request, **options)
            note_status(response.status_code)
            if response.status_code in TRANSIENT and retry_after(response) > seconds_left():
                raise TimeLimitError(f"the Hub answered {response.status_code}: wait {retry_after(response):,.0f} s")
            return response

        session.send = send_limited
        return session

    (huggingface_hub.set_client_factory if by_httpx else huggingface_hub.configure_http_backend)(limited_session)
    huggingface_hub.utils.get_session()  # raises where there is a proxy that is none
