"""The command line: `python -m tom_datasets COMMAND`, or `tom-datasets COMMAND` where the project is installed.

A user's mistake ends in one line and a non-zero exit code; a traceback is a bug of ours. Nothing else of ours is
imported before `main`, and neither is click: an interrupt that comes before `main` is a traceback.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal

ENVIRONMENT = "use .venv/bin/python, which make build makes"
if sys.version_info < (3, 11):  # noqa: UP036, whoever runs this has read no requirement
    sys.exit(f"error: Python 3.11 or newer is needed, {sys.executable} is {sys.version.split()[0]}; {ENVIRONMENT}")

INTERRUPTED = "interrupted; nothing half-written was left"
CUT_SHORT = 141  # the exit code where nobody reads the output to its end, as SIGPIPE gives it
GRACE = 5  # seconds that a command has to clear away what it began, before another interrupt ends that too


def main(argv: Iterable[str] | None = None) -> int:
    """Run a command; return the exit code."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    after = before  # how signals are handled after the command
    if argv is None:  # the process is ours
        open_streams()
        after = dict.fromkeys(before, signal.SIG_IGN)  # Python takes a moment to end
    try:
        if before[signal.SIGINT] is signal.SIG_IGN:  # as under nohup
            del before[signal.SIGINT]
        handle(leave, before)
        code = imported_and_run(sys.argv[1:] if argv is None else list(argv), before)
        handle(signal.SIG_IGN, before)
        return code
    except KeyboardInterrupt:
        handle(signal.SIG_IGN, before)
        print(INTERRUPTED, file=sys.stderr)
        return 130
    finally:
        for number in before:
            signal.signal(number, after[number])


def open_streams() -> None:
    """Let all that is read and printed be UTF-8, whatever the locale says: JSON in another encoding is not JSON.

    A terminal keeps its encoding. It may lack the letters of a language, and then shows their codes.
    """
    streams: dict[str, tuple[Literal["r", "w"], str]] = {
        "stdin": ("r", "surrogateescape"),
        "stdout": ("w", "backslashreplace"),
        "stderr": ("w", "backslashreplace"),
    }
    for name, (mode, errors) in streams.items():
        stream = getattr(sys, name) or open(os.devnull, mode, encoding="utf-8")  # None where it is closed
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors=errors)
        setattr(sys, name, stream)


def handle(handler: Any, numbers: Iterable[int]) -> None:
    """Let a handler handle some signals."""
    for number in numbers:
        signal.signal(number, handler)


def leave(number: int, _: Any) -> None:
    """End this process at once: imports may swallow an exception, and nothing was begun."""
    signal.signal(number, signal.SIG_IGN)
    os.write(2, f"{INTERRUPTED}\n".encode())
    os._exit(130)


def stop(numbers: Iterable[int], *_: Any) -> None:
    """End the command by an exception, so that it clears away what it began, which a second signal lets it do."""
    from .errors import Interrupted

    handle(partial(stop_late, time.monotonic() + GRACE), numbers)
    raise Interrupted


def stop_late(deadline: float, *_: Any) -> None:
    """Raise the exception again after a time: the command hangs, or Python swallowed the first one in a destructor."""
    from .errors import Interrupted

    if time.monotonic() > deadline:
        raise Interrupted


def imported_and_run(words: list[str], interrupts: Iterable[int]) -> int:
    """Import what the command needs, let these signals end it by an exception from then on, and run it."""
    from .commands import IN_REPOSITORY
    from .errors import UserError
    from .garbage import seldom_collected

    called = "tom-datasets" if Path(sys.argv[0]).stem == "tom-datasets" else f"python -m {__package__}"
    try:
        with seldom_collected():
            from .commands.program import run

            code = run(words, called, partial(handle, partial(stop, interrupts), interrupts))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # nobody reads on, as after `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python writes at its end
        return CUT_SHORT
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        lacking = (error.name or __package__).partition(".")[0]
        if lacking == __package__:
            raise
        remedy = ENVIRONMENT if IN_REPOSITORY else "pip install 'tom-datasets[build]'"
        print(f"error: {sys.executable} lacks the package {lacking}: {remedy}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"error: {where}{error.strerror or error}; nothing half-written was left", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
