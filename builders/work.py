"""Own how tasks are shared out to worker processes, and their progress bar."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection

from tqdm import tqdm

from builders.errors import UserError

STOPS = (signal.SIGINT, signal.SIGTERM)
"""What stops a command."""


def spread(work, tasks: list[tuple], processes: int, what: str, unit: str) -> Iterator:
    """Do tasks in order, in this process or in several, with a progress bar after two seconds on a terminal.

    Each worker takes every n-th task and has a pipe of its own, so that the death of one is seen at once: a pool would
    wait for a result that never comes.
    """
    workers: list[tuple[Process, Connection]] = []
    with tqdm(total=len(tasks), desc=what, unit=unit, delay=2, disable=None) as bar:
        try:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # a worker that was not noted would go on alone
            try:
                for first in range(processes if processes > 1 else 0):
                    receive, send = Pipe(duplex=False)
                    ours = [receive, *(each for _, each in workers)]
                    worker = Process(target=labour, args=(work, tasks[first::processes], send, ours), daemon=True)
                    worker.start()
                    send.close()
                    workers.append((worker, receive))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            for number, task in enumerate(tasks):
                yield hear(workers[number % processes][1]) if workers else work(*task)
                bar.update()
        finally:
            for worker, receive in workers:
                receive.close()
                worker.terminate()
                worker.join()


def labour(work, tasks: list[tuple], send: Connection, others: list[Connection]) -> None:
    """Do a worker's tasks and send each result, or the error that ended the work.

    `others` are ends of pipes that only the process that started it reads: while a worker holds one, its writer does
    not find it broken.
    """
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # through all that is to be ended, such as a program asked
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    with contextlib.suppress(BrokenPipeError):
        for task in tasks:
            try:
                result, error = work(*task), None
            except Exception as caught:
                result, error = None, caught
            send.send((result, error))


def hear(receive: Connection):
    """Return a worker's next result; raise what ended its work."""
    try:
        result, error = receive.recv()
    except (EOFError, OSError):
        raise UserError("a worker was killed, perhaps for want of memory; nothing half-written was left") from None
    if error is not None:
        raise error
    return result
