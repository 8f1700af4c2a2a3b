"""How a publication ends at once: at an interrupt, and at the time limit.

Both are raised as exceptions from signal handlers, so that they also end a request that is under way.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from .client import Hub

GRACE = 5.0
"""Seconds that uploads under way have to end after an interrupt."""


def _raise_again(default_hook: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a hook that raises the interrupt again if Python swallowed it inside a destructor.

    default_hook: what shows any other exception that was swallowed.
    """

    def hook(swallowed: Any) -> None:
        if not issubclass(swallowed.exc_type, KeyboardInterrupt):
            return default_hook(swallowed)
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.daemon = True
        timer.start()

    return hook


@contextlib.contextmanager
def interruptible(hub: Hub) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT or SIGTERM and TimeLimitError at the time limit, also inside a request.

    The client waits for its uploads before it lets an exception through, and Python waits for them before it exits. So
    the process exits GRACE seconds after an interrupt, whatever is under way.
    """
    exits: list[threading.Timer] = []
    ended = threading.Event()

    def exit_now() -> None:
        if not ended.is_set():  # otherwise the command itself says that it was interrupted
            print("interrupted; nothing half-written was left", file=sys.stderr, flush=True)
        os._exit(130)

    def interrupt(*_) -> None:
        if not exits:
            exits.append(threading.Timer(GRACE, exit_now))
            exits[0].daemon = True
            exits[0].start()
        raise KeyboardInterrupt

    def check_time(*_) -> None:
        hub.seconds_left()

    hook_before, sys.unraisablehook = sys.unraisablehook, _raise_again(sys.unraisablehook)
    handlers_before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers_before[signal.SIGALRM] = signal.signal(signal.SIGALRM, check_time)
    signal.setitimer(signal.ITIMER_REAL, hub.seconds_left() + 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers_before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook_before
        ended.set()
