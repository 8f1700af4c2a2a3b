"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from builders.hub.client import Hub

GRACE = 5.0
"""Seconds that an interrupt waits for uploads under way to end."""


def insisting(kind: type[BaseException], number: int) -> Callable[[Any], None]:
    """Return a hook that sends a signal again whose exception was lost, as it came while an object was let go."""
    printed = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, kind):
            return printed(lost)
        again = threading.Timer(0.05, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()

    return hook


@contextlib.contextmanager
def heeded(hub: Hub) -> Iterator[None]:
    """Have an interrupt end what is under way at once, and the time limit too, however slowly something comes.

    The client waits for its uploads before it lets an interrupt through: after GRACE the process ends without that.
    """
    leaving: list[threading.Timer] = []

    def leave() -> None:
        print("interrupted; nothing half-written was left", file=sys.stderr, flush=True)
        os._exit(130)

    def stop(*_) -> None:
        if not leaving:
            leaving.append(threading.Timer(GRACE, leave))
            leaving[0].daemon = True
            leaving[0].start()
        raise KeyboardInterrupt

    def late(*_) -> None:
        hub.left()

    printed, sys.unraisablehook = sys.unraisablehook, insisting(KeyboardInterrupt, signal.SIGINT)
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, hub.left() + 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, found in before.items():
            signal.signal(number, found)
        sys.unraisablehook = printed
