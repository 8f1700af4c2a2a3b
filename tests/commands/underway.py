"""Builds that are underway while a test interrupts them, and processes that may not write long files."""

import contextlib
import os
import resource
import signal
import time
from io import StringIO
from pathlib import Path

from support import sized, start

LONG = sized("hi_tom", train=8000, validation=3, test=6, tomh=27, reproduction=6, deep=3)
"""The sizes of a build that takes longer than any test waits."""


def wait_for(condition):
    """Wait until a condition holds."""
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def workers(process):
    """Return the processes that a process has started."""
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@contextlib.contextmanager
def underway_build(out, *arguments, file=None):
    """Start a long build in a session of its own, wait until it is underway, and leave none of its processes."""
    process = start(
        "build", "hi_tom", *LONG, "--probe", "none", "--force", "--out", out, *arguments, start_new_session=True
    )
    try:
        wait_for(lambda: process.poll() is not None or any(out.glob(f".hi_tom.partial-*/new/{file or ''}")))
        assert process.poll() is None, process.communicate()
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


TABLE = "0th_order/train.parquet"  # the first table that a build begins, so one that is there in mid-build


# For processes that may write few bytes only: Python 3.11 would leave cut modules behind, which break all later ones.
UNCOMPILED = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


def few_bytes():
    """Let a process write no file longer than this, and measure no coverage: the file of that would be longer."""
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


class Terminal(StringIO):
    """Claim to be a terminal."""

    def isatty(self):
        return True
