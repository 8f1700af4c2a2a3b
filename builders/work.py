"""Tasks shared out to worker processes, the end of these workers, and progress bars."""

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .errors import UserError

STOPS = {signal.SIGINT, signal.SIGTERM}
"""The signals that end a command."""
AHEAD = 4
"""How many tasks of each worker are waiting or done before their results are wanted."""
DELAY = 2
"""Seconds that pass before work that may be short has a bar."""
GRACE = 5
"""Seconds that a worker has to end the programs it started."""


class Bar(tqdm):
    """Show progress without a thread of its own: a process that has threads is not safe to fork."""

    monitor_interval = 0


def spread(
    work: Callable, tasks: list[tuple], processes: int, label: str, unit: str, delay: float = DELAY
) -> Iterator[Any]:
    """Yield the result of each task, in their order, from this process or from several.

    work: a function of a module, called with the parts of a task. A bar with the label shows progress on a terminal
    after `delay` seconds. Raises what a task raises, and UserError where a worker is killed.
    """
    n_workers = min(processes, len(tasks))
    results = in_workers(work, tasks, n_workers) if n_workers > 1 else (work(*task) for task in tasks)
    with contextlib.closing(results):
        yield from Bar(results, total=len(tasks), desc=label, unit=unit, delay=delay, disable=None)


def steps(names: Sequence[str], label: str) -> Iterator[str]:
    """Yield the names of steps that may take long each; a terminal shows at once which one is under way."""
    with Bar(total=len(names), desc=label, unit="step", disable=None) as bar:
        for name in names:
            bar.set_postfix_str(name)
            yield name
            bar.update()


def in_workers(work: Callable, tasks: list[tuple], processes: int) -> Iterator[Any]:
    """Yield the result of each task, in their order, from worker processes that end with this generator.

    All workers of a pool share one pipe, and one that is killed while it writes would leave half a message there, for
    whose other half the pool waits for ever. So results travel as files, and messages are too short to be halved.
    """
    others = set(active_children())
    with tempfile.TemporaryDirectory() as folder:
        job = Job(work, tasks, Path(folder))
        # Workers are forked: starting Python anew in each would cost more than most builds. Each is forked at the first
        # task, before the pool has a thread, and while no signal can come between a fork and its being noted.
        pool = ProcessPoolExecutor(processes, get_context("fork"), begin_worker, (job,))
        try:
            numbers = iter(range(len(tasks)))
            before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
            try:
                waiting = deque((number, pool.submit(do_task, number)) for number in islice(numbers, 1))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            while waiting:
                more = islice(numbers, AHEAD * processes - len(waiting))
                waiting.extend((number, pool.submit(do_task, number)) for number in more)
                number, future = waiting.popleft()
                future.result()
                result, error = pickle.loads(job.file(number).read_bytes())
                job.file(number).unlink()
                if error is not None:
                    raise error
                yield result
        except BrokenProcessPool:
            raise UserError(
                "a worker was killed, possibly out of memory; nothing half-written was left: run the command again, "
                "with fewer --processes (scale: --workers) if need be"
            ) from None
        finally:
            end_workers(set(active_children()) - others)
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Job:
    """Hold the tasks that workers share, and the folder where they leave the results."""

    work: Callable
    tasks: list[tuple]
    folder: Path

    def file(self, number: int) -> Path:
        """Return where the result of a task, or its error, is left."""
        return self.folder / str(number)


JOBS: list[Job] = []
"""In a worker: the job that it was started for."""


def do_task(number: int) -> None:
    """Do a task of this worker's job. SIGTERM ends the worker: the pool itself would take it for a failed task."""
    try:
        signal.signal(signal.SIGTERM, end_task)
        (job,) = JOBS
        try:
            outcome = job.work(*job.tasks[number]), None
        except Exception as error:
            outcome = None, error
        job.file(number).write_bytes(pickle.dumps(outcome))
        signal.signal(signal.SIGTERM, end_worker)
    except SystemExit:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()  # it may have started a program just now, which it then ends
        os._exit(1)


def begin_worker(job: Job) -> None:
    """Let a worker end by SIGTERM, and when the process that started it is gone; an interrupt is not for it."""
    JOBS[:] = [job]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_worker)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_worker(*_: Any) -> None:
    """End a worker that does no task: the pool would print an exception that came between tasks."""
    os._exit(1)


def end_task(*_: Any) -> None:
    """End a task by an exception; a second signal must not interrupt it while it ends the programs it started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()


def end_with_parent() -> None:
    """Wait until the process that started this one is gone, then end this one."""
    parent_process().join()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)


def end_workers(workers: set[BaseProcess]) -> None:
    """End workers at once, whatever they are doing; each one first ends the programs it started."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(GRACE)
        if worker.is_alive():
            worker.kill()
