"""How a publication ends at once: at an interrupt, and at the time limit.

Both are raised as exceptions from signal handlers, so that they also end a request that is under way.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

from .client import Hub
from .network import PublishError, TimeLimitError

GRACE = 5.0
"""Seconds that uploads under way have to end after an interrupt."""


@contextlib.contextmanager
def interruptible(hub: Hub) -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGINT or SIGTERM and PublishError at the time limit, also inside a request.

    The client waits for its uploads before it lets an exception through, and Python waits for them before it exits. So
    the process exits GRACE seconds after an interrupt, whatever is under way.
    """
    ended = threading.Event()

    def exit_now() -> None:
        if not ended.is_set():  # otherwise the command itself says that it was interrupted
            print("interrupted; nothing half-written was left", file=sys.stderr, flush=True)
        os._exit(130)

    grace = threading.Timer(GRACE, exit_now)
    grace.daemon = True

    def interrupt(*_) -> None:
        if grace.ident is None:
            grace.start()
        raise KeyboardInterrupt

    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: interrupt, signal.SIGALRM: lambda *_: hub.seconds_left()}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        signal.setitimer(signal.ITIMER_REAL, hub.seconds_left() + 0.1)
        yield
        if grace.ident is not None:  # Python swallows an exception that comes inside a destructor
            raise KeyboardInterrupt
    except TimeLimitError:
        raise PublishError("late", hub=hub) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        ended.set()
