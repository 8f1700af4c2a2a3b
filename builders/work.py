"""Own how tasks are shared out to worker processes, how workers end, and the progress bar."""

import contextlib
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any

from tqdm import tqdm

from builders.errors import UserError

STOPS = {signal.SIGINT, signal.SIGTERM}
"""The signals that end a command."""
AHEAD = 4
"""How many tasks of each worker are waiting or done before their results are wanted."""
GRACE = 5
"""Seconds that a worker has to end the programs it started."""


class Bar(tqdm):
    """Show progress without a thread: a process that has threads is not safe to fork."""

    monitor_interval = 0


def spread(work: Callable, tasks: list[tuple], processes: int, label: str, unit: str) -> Iterator[Any]:
    """Yield the result of each task, in their order, from this process or from several.

    work: a function of a module, called with the parts of a task. A bar with the label shows progress on a terminal
    after two seconds. Raises what a task raises, and UserError where a worker is killed.
    """
    results = in_workers(work, tasks, processes) if processes > 1 else (work(*task) for task in tasks)
    with contextlib.closing(results), Bar(total=len(tasks), desc=label, unit=unit, delay=2, disable=None) as bar:
        for result in results:
            yield result
            bar.update()


def in_workers(work: Callable, tasks: list[tuple], processes: int) -> Iterator[Any]:
    """Yield the result of each task, in their order, from worker processes that end with this generator."""
    waiting: deque = deque()
    others = set(active_children())
    # Workers are forked: starting Python anew in each would cost more than most builds. Each process is forked at the
    # first task, before the pool has a thread, and while no signal can come between a fork and its being noted.
    pool = ProcessPoolExecutor(processes, get_context("fork"), begin_worker)
    rest = iter(tasks)
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            waiting.extend(pool.submit(do, work, task) for task in islice(rest, 1))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while waiting:
            waiting.extend(pool.submit(do, work, task) for task in islice(rest, AHEAD * processes - len(waiting)))
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise UserError("a worker was killed, perhaps for want of memory; nothing half-written was left") from None
    finally:
        end_workers(set(active_children()) - others)
        pool.shutdown(cancel_futures=True)


def end_workers(workers: set[BaseProcess]) -> None:
    """End workers at once, whatever they are doing; each one first ends the programs it started."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        if worker.is_alive():
            worker.kill()


def begin_worker() -> None:
    """Let a worker end by SIGTERM, and when the process that started it is gone; an interrupt is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait until the process that started this one is gone, then end this one."""
    parent_process().join()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)


def do(work: Callable, task: tuple) -> Any:
    """Do a task in a worker. After SIGTERM the worker ends: the pool itself would take it for a failed task."""
    try:
        return work(*task)
    except SystemExit:
        os._exit(1)
