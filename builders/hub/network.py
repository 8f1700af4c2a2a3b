"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
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

ANSWER = 60.0
"""Seconds that one request may be without an answer."""


PASSING = (408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)
"""The statuses that may pass: too much asked, or a fault of the server."""


TOKEN = re.compile(r"\b(hf|api)_[A-Za-z0-9]{8,}")


def scrubbed(text: object) -> str:
    """Return the first telling line of a text, without tokens and without what signs an address."""
    told = [line.strip() for line in str(text).splitlines() if line.strip()]
    line = next((line for line in told if line[0] != "<"), "no reason given")
    if secret := huggingface_hub.get_token():
        line = line.replace(secret, "hf_…")
    return TOKEN.sub("hf_…", re.sub(r"(https?://[^\s?]*)\?\S*", r"\1", line))


class PublishError(UserError):
    """Say in one line why something is not published, and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(scrubbed(why))


class TimeLimitError(TimeoutError):
    """Say that the time limit is reached, or would be by waiting as long as was asked."""


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
        case TimeLimitError(), _:
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

    `left` raises TimeLimitError, which the client does not try again, where nothing is left. By itself the client waits
    for ever (huggingface_hub 2), and as long as a 429 asks for.
    """

    def ends(response, *_, **__) -> None:
        if response.status_code in PASSING and retry_after(response) > left():
            raise TimeLimitError(f"the answer was {response.status_code}, and to wait {retry_after(response):,.0f} s")

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
