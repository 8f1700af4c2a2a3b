"""Own how tasks are shared out to worker processes, how workers end, and the progress bar."""

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from builders.errors import UserError

STOPS = {signal.SIGINT, signal.SIGTERM}
"""The signals that end a command."""
AHEAD = 4
"""How many tasks of each worker are waiting or done before their results are wanted."""
DELAY = 2
"""Seconds that pass before work that may be short has a bar."""
REDRAWN = 1.0
"""Seconds after which the bar of a long step is drawn again."""
GRACE = 5
"""Seconds that a worker has to end the programs it started."""


class Bar(tqdm):
    """Show progress without a thread of its own: a process that has threads is not safe to fork."""

    monitor_interval = 0


class Whole(NamedTuple):
    """Hold the bar that shows several pieces of work as one."""

    bar: Bar
    shares: Mapping[str, int]  # the part of the bar that is for the work with a label
    names: list[str]  # what is being worked on, the last one at present


WHOLE: ContextVar[Whole | None] = ContextVar("WHOLE", default=None)
"""The bar that is open for several pieces of work, if there is one."""


@contextlib.contextmanager
def one_bar(label: str, names: Sequence[str], shares: Mapping[str, int]) -> Iterator[Iterator[str]]:
    """Show all work that is done inside as one bar, each name with the same shares; yield the names, one by one.

    shares: which part of a name's bar is for the work with a label. Work with another label only says what it is.
    """
    total = sum(shares.values())
    layout = "{l_bar}{bar}| {elapsed}{postfix}"
    with Bar(total=total * len(names), desc=label, delay=DELAY, disable=None, bar_format=layout) as bar:
        whole = Whole(bar, shares, [])

        def named() -> Iterator[str]:
            for number, name in enumerate(names, 1):
                whole.names.append(name)
                yield name
                bar.update(total * number - bar.n)

        token = WHOLE.set(whole)
        try:
            yield named()
        finally:
            WHOLE.reset(token)


@contextlib.contextmanager
def bar_for(total: int, label: str, unit: str, delay: float) -> Iterator[tuple[Bar, Callable[[str], None], float]]:
    """Yield a bar for work with a label, what shows the name of a step there, and how far a step of `total` moves it.

    This is the bar that is open for several pieces of work, where there is one.
    """
    whole = WHOLE.get()
    if whole is None:
        with Bar(total=total, desc=label, unit=unit, delay=delay, disable=None) as bar:
            yield bar, bar.set_postfix_str, 1
        return

    def show(step: str) -> None:
        whole.bar.set_postfix_str(" ".join([*whole.names[-1:], label, step]).rstrip(), refresh=False)

    show("")
    yield whole.bar, show, whole.shares.get(label, 0) / max(total, 1)


def say(text: str) -> None:
    """Print a line beside a bar."""
    with tqdm.external_write_mode():
        print(text)


def spread(
    work: Callable, tasks: list[tuple], processes: int, label: str, unit: str, delay: float = DELAY
) -> Iterator[Any]:
    """Yield the result of each task, in their order, from this process or from several.

    work: a function of a module, called with the parts of a task. A bar with the label shows progress on a terminal
    after `delay` seconds. Raises what a task raises, and UserError where a worker is killed.
    """
    n_workers = min(processes, len(tasks))
    results = in_workers(work, tasks, n_workers) if n_workers > 1 else (work(*task) for task in tasks)
    with (
        contextlib.closing(results),
        bar_for(len(tasks), label, unit, delay) as (bar, _, length),
        contextlib.ExitStack() as drawing,
    ):
        for number, result in enumerate(results):
            if number == 0:  # all workers are there now
                drawing.enter_context(redrawn(bar))
            yield result
            bar.update(length)


def steps(names: Sequence[str], label: str) -> Iterator[str]:
    """Yield the names of steps that may take long each; a terminal shows at once which one is under way.

    The time on the terminal goes on during a step. No step may start a worker: a thread draws the time.
    """
    with bar_for(len(names), label, "step", 0) as (bar, show, length), redrawn(bar):
        for name in names:
            show(name)
            yield name
            bar.update(length)


@contextlib.contextmanager
def redrawn(bar: Bar) -> Iterator[None]:
    """Draw a bar again every REDRAWN seconds from a thread, where it is shown at all, once its delay is over."""
    ended = threading.Event()

    def redraw() -> None:
        while not ended.wait(REDRAWN):
            if time.time() - bar.start_t >= bar.delay:
                bar.refresh()

    thread = threading.Thread(target=redraw, daemon=True)
    if not bar.disable:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()


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
                yield job.take(number)
        except BrokenProcessPool:
            raise UserError(
                "a worker was killed, perhaps for want of memory (fewer at once need less); nothing half-written was "
                "left: run the command again"
            ) from None
        finally:
            end_workers(set(active_children()) - others)
            pool.shutdown(cancel_futures=True)


class Job:
    """Hold the tasks that workers share, and the folder where they leave the results."""

    current: "Job"  # in a worker: the job that it was started for

    def __init__(self, work: Callable, tasks: list[tuple], folder: Path) -> None:
        """Hold what to call, with the parts of which tasks, and where to."""
        self.work, self.tasks, self.folder = work, tasks, folder

    def do(self, number: int) -> None:
        """Do a task and leave its result, or its error, in a file."""
        try:
            outcome = self.work(*self.tasks[number]), None
        except Exception as error:
            outcome = None, error
        (self.folder / str(number)).write_bytes(pickle.dumps(outcome))

    def take(self, number: int) -> Any:
        """Return the result of a task that was done, and delete its file. Raises the error of the task."""
        file = self.folder / str(number)
        result, error = pickle.loads(file.read_bytes())
        file.unlink()
        if error is not None:
            raise error
        return result


def do_task(number: int) -> None:
    """Do a task of this worker's job. SIGTERM ends the worker: the pool itself would take it for a failed task."""
    try:
        signal.signal(signal.SIGTERM, end_task)
        Job.current.do(number)
        signal.signal(signal.SIGTERM, end_worker)
    except SystemExit:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()  # it may have started a program just now, which it then ends
        os._exit(1)


def begin_worker(job: Job) -> None:
    """Let a worker end by SIGTERM, and when the process that started it is gone; an interrupt is not for it."""
    Job.current = job
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
