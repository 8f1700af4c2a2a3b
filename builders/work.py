"""Own how tasks are shared out to worker processes, how workers end, and the progress bar.

`concurrent.futures` is no choice here: a worker of its pool that is ended while it sends a result leaves half a message
in the pipe that all workers share, and the pool waits for the other half for ever.
"""

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Any

from tqdm import tqdm

from builders.errors import UserError

STOPS = {signal.SIGINT, signal.SIGTERM}
"""The signals that end a command."""


class Bar(tqdm):
    """Show progress without a thread: a process that has threads is not safe to fork."""

    monitor_interval = 0


def spread(work: Callable, tasks: list[tuple], processes: int, label: str, unit: str) -> Iterator[Any]:
    """Yield the result of each task, in their order, from this process or from several.

    A bar with the label shows progress on a terminal after two seconds. Raises what a task raises, and UserError where
    a worker is killed.
    """
    results = in_workers(work, tasks, processes) if processes > 1 else (work(*task) for task in tasks)
    with contextlib.closing(results), Bar(total=len(tasks), desc=label, unit=unit, delay=2, disable=None) as bar:
        for result in results:
            yield result
            bar.update()


def in_workers(work: Callable, tasks: list[tuple], processes: int) -> Iterator[Any]:
    """Yield the result of each task, in their order, from workers that end with this generator.

    Each worker does every n-th task and has a pipe of its own. So the death of one is seen at once.
    """
    workers: list[tuple[Process, Connection]] = []
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # each worker is noted before a signal can come
        try:
            for first in range(processes):
                receiver, sender = Pipe(duplex=False)
                receivers = [receiver, *(other for _, other in workers)]
                worker = Process(target=do_tasks, args=(work, tasks[first::processes], sender, receivers), daemon=True)
                worker.start()
                sender.close()
                workers.append((worker, receiver))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number in range(len(tasks)):
            yield next_result(workers[number % processes][1])
    finally:
        for worker, receiver in workers:
            receiver.close()
            worker.terminate()
            worker.join()


def do_tasks(work: Callable, tasks: list[tuple], sender: Connection, receivers: list[Connection]) -> None:
    """Do the tasks of a worker, and send each result or error.

    receivers: ends of pipes that belong to the starting process alone. While a worker holds one, the pipe never breaks,
    and its worker goes on after the starting process is gone.
    """
    for receiver in receivers:
        receiver.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the starting process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # ends programs that the task started, too
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    with contextlib.suppress(BrokenPipeError):
        for task in tasks:
            try:
                result, error = work(*task), None
            except Exception as caught:
                result, error = None, caught
            sender.send((result, error))


def next_result(receiver: Connection) -> Any:
    """Return the next result of a worker. Raises the error of its task, and UserError where it was killed."""
    try:
        result, error = receiver.recv()
    except (EOFError, OSError):
        raise UserError("a worker was killed, perhaps for want of memory; nothing half-written was left") from None
    if error is not None:
        raise error
    return result
