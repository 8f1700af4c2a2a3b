"""How an error of the client is told in one line: what failed, why, and what to do, without secrets.

Two clients are supported: huggingface_hub sends by httpx from 1.0 on, and by requests before.
"""

import contextlib
import errno
import re
import tempfile
import traceback
from collections.abc import Iterator
from urllib.parse import urlsplit

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import GatedRepoError, OfflineModeIsEnabled, RepositoryNotFoundError

from ..errors import UserError

# Statuses that pass: another operation is under way (409), too many requests, or a fault of the server.
TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524)

LATER = "run the command again later, it continues where it stopped"  # what to do about a fault that passes

TOKEN = re.compile(r"\b(hf|api)_[A-Za-z0-9]{8,}")  # what looks like a token of the Hub


def without_secrets(text: object) -> str:
    """Return the first line of a text that is no markup, without tokens and without the queries of signed addresses."""
    lines = [line.strip() for line in str(text).splitlines() if line.strip()]
    line = next((line for line in lines if line[0] != "<"), "no reason given")
    if secret := huggingface_hub.get_token():
        line = line.replace(secret, "hf_…")
    return TOKEN.sub("hf_…", re.sub(r"(https?://[^\s?]*)\?\S*", r"\1", line))


def tokens_page() -> str:
    """Return the address at which the Hub makes tokens."""
    return f"{constants.ENDPOINT}/settings/tokens"


class PublishError(UserError):
    """Say in one line why a folder is not published, and what to do."""

    def __init__(self, message: str) -> None:
        """Take the message, which loses the secrets that it quotes."""
        super().__init__(without_secrets(message))


@contextlib.contextmanager
def refusing(task: str) -> Iterator[None]:
    """Turn an error of the client into a PublishError, with that error as its cause.

    task: what the client does meanwhile, as the line names it.
    """
    try:
        yield
    except PublishError:
        raise
    except Exception as error:
        cause = root_cause(error)
        raise PublishError(f"{task}: {why(cause)}") from cause


def root_cause(error: BaseException) -> BaseException:
    """Return the error of an upload or a download that the client wrapped in another."""
    while isinstance(error, (RuntimeError, FileNotFoundError)) and error.__cause__:
        error = error.__cause__
    return error


def why(error: BaseException) -> str:
    """Say why a call failed, and what to do: the first cause that fits."""
    status = status_of(error)
    kinds = {kind.__name__ for kind in type(error).__mro__}  # httpx is called httpx2 with some versions of the client
    reason = describe(error)
    if is_full_disk(error):  # everything that comes from the Hub is written to a temporary folder
        folder = tempfile.gettempdir()
        return f"the disk that holds {folder} is full: make room there, or set TMPDIR to a folder of another disk"
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set: unset it to publish"
    if is_from_xet(error):
        again = "run the command again; HF_HUB_DISABLE_XET=1 sends by LFS, which every Hub knows"
        return f"Xet failed ({reason}): {again}"
    if isinstance(error, GatedRepoError):
        return f"it is gated, and this token may not read it ({reason}): ask for access on its page, or end gating"
    if isinstance(error, RepositoryNotFoundError):
        access = "give the token access, or publish under another namespace"
        return f"it does not exist, or is private and this token may not see it ({reason}): {access}"
    if status == 401:
        new_token = f"make a token with write access at {tokens_page()}, then run hf auth login or set HF_TOKEN"
        return f"the token is not valid, or has expired ({reason}): {new_token}"
    if status == 403 and is_from_storage(error):
        causes = "the address for it has expired, a proxy blocks it, or the owner has no space left"
        return f"a file is refused ({reason}): {causes}; run the command again"
    if status == 403:
        return f"the token may not do that ({reason}): it needs write access to the namespace; see {tokens_page()}"
    if isinstance(error, ValueError | ImportError) and "proxy" in str(error).lower():
        proxies = "check the addresses in HTTP_PROXY, HTTPS_PROXY and ALL_PROXY"
        return f"the connection cannot be set up ({reason}): {proxies}"
    if kinds & {"JSONDecodeError", "UnicodeDecodeError", "DecodingError"}:
        return f"the answer is not JSON, or was cut short ({reason}): {LATER}"
    if status in TRANSIENT or status is None and kinds & {"OSError", "TransportError"}:
        return f"{reason}: {LATER}"
    if status is not None:
        return reason
    kind = type(error).__name__
    if isinstance(error, KeyError | TypeError | AttributeError):
        return f"the answer cannot be read ({kind}: {reason}): check that {constants.ENDPOINT} is a Hub"
    return f"{kind}: {reason}"


def status_of(error: BaseException | None) -> int | None:
    """Return the HTTP status that caused an error, or None where no answer came."""
    return getattr(getattr(error, "response", None), "status_code", None)


def is_full_disk(error: BaseException | None) -> bool:
    """Return whether a full disk caused an error, or an error behind it."""
    while error is not None:
        is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if is_full or re.search("No space left on device|Not enough disk space", str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def is_from_xet(error: BaseException) -> bool:
    """Return whether an error ended an upload by Xet, which raises Python's own classes."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code.co_name == "_upload_xet_files" for frame, _ in frames)


def is_from_storage(error: BaseException) -> bool:
    """Return whether the storage of large files sent the answer that caused an error, or the Hub on its behalf."""
    url = urlsplit(str(getattr(getattr(error, "response", None), "url", "")))
    other_host = url.netloc != urlsplit(constants.ENDPOINT).netloc
    return bool(url.netloc) and (other_host or "/info/lfs/" in url.path or "complete_multipart" in url.path)


def describe(error: BaseException) -> str:
    """Describe an error in one line: the status and the reason that came with it, or the error's own text."""
    if (status := status_of(error)) is None:
        return without_secrets(error)
    sender, reason = "Hub", getattr(error, "server_message", None)
    if is_from_storage(error):
        sender = "storage"
        with contextlib.suppress(Exception):  # the body of an answer may not have been read
            text = getattr(getattr(error, "response", None), "text", "")
            if found := re.search("<Message>(.*?)</Message>", text):
                reason = found[1]
    return f"the {sender} answered {status}" + (f": {without_secrets(reason)}" if reason else "")
