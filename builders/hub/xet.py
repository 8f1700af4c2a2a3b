"""Whether large files travel by Xet, the Hub's newer storage, or by LFS, which every Hub knows.

The client takes Xet where it is installed, and gives up only after minutes where it cannot be reached. Here one failure
is enough: the process then sends by LFS.
"""

import contextlib
import os
from collections.abc import Iterator

from huggingface_hub import constants

SETTINGS = {
    "HF_XET_CLIENT_RETRY_MAX_ATTEMPTS": "1",
    "HF_XET_CLIENT_CONNECT_TIMEOUT": "10sec",
    "HF_XET_CLIENT_READ_TIMEOUT": "20sec",
}
"""Variables that Xet reads at its first upload, with values that let it fail soon. The user's own values stay."""


@contextlib.contextmanager
def failing_soon() -> Iterator[None]:
    """Let uploads by Xet fail soon. Downloads, in a process of their own, keep Xet's patience."""
    added = {name: value for name, value in SETTINGS.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def has_failed(error: BaseException) -> bool:
    """Return whether an error was raised in the client's upload by Xet. Xet raises Python's own classes."""
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_name == "_upload_xet_files":
            return True
        frame = frame.tb_next
    return False


def is_switched_off() -> bool:
    """Return whether files travel by LFS, as the user or an earlier failure decided."""
    return constants.HF_HUB_DISABLE_XET


def switch_off() -> None:
    """Have the client send by LFS until this process ends."""
    constants.HF_HUB_DISABLE_XET = True
