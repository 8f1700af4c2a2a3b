"""How a publication ends at once: at an interrupt, and at the time limit, which is an interrupt by the clock."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

from ..errors import Interrupted
from .client import Hub
from .network import PublishError

GRACE = 5.0  # seconds that uploads under way have to end after an interrupt


@contextlib.contextmanager
def interruptible(hub: Hub) -> Iterator[None]:
    """Raise Interrupted at SIGINT or SIGTERM and PublishError at the time limit, also inside a request.

    The time limit runs within this context only. The client waits for its uploads before it lets an exception through,
    and Python waits for them before it exits. So the process exits GRACE seconds after an interrupt, whatever is under
    way.
    """
    came: list[int] = []  # the signals
    ended = threading.Event()
    late = PublishError(
        f"the time limit of {hub.limit:.0f} s was reached: run the command again to continue where it stopped "
        "(--time-limit gives more time)"
    )

    def exit_now() -> None:
        is_late = came[0] == signal.SIGALRM
        if not ended.is_set():  # otherwise the command itself says why it ended
            line = f"error: {late}" if is_late else "interrupted; nothing half-written was left"
            print(line, file=sys.stderr, flush=True)
        os._exit(1 if is_late else 130)

    grace = threading.Timer(GRACE, exit_now)
    grace.daemon = True

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        if len(came) == 1:  # later ones let the publication clear away what it began, within its grace
            grace.start()
            raise Interrupted

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    try:
        signal.setitimer(signal.ITIMER_REAL, hub.seconds_left)
        yield
        if came:  # Python swallows an exception that comes inside a destructor
            raise Interrupted
    except KeyboardInterrupt:
        if came and came[0] == signal.SIGALRM:
            raise late from None
        raise
    finally:
        hub.seconds_left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            if not came or number == signal.SIGALRM:  # once one came the command ends, and later ones do nothing
                signal.signal(number, handler)
        ended.set()
