"""Tasks shared out to worker processes, the end of these workers, and progress bars."""

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextvars import ContextVar
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tqdm import tqdm

from .errors import UserError

Result = TypeVar("Result")

STOPS = {signal.SIGINT, signal.SIGTERM}  # the signals that end a command
AHEAD = 4  # results of each worker that may be made before they are wanted
DELAY = 2  # seconds that pass before work that may be short has a bar
GRACE = 5  # seconds that a worker has to end the programs it started


class Bar(tqdm):  # type: ignore[misc]  # tqdm comes without types
    """Show progress without a thread of its own: a process that has threads is not safe to fork."""

    monitor_interval = 0


def spread(
    work: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    processes: int,
    label: str,
    unit: str,
    delay: float = DELAY,
) -> Iterator[Result]:
    """Yield the result of each task, in their order, from this process or from several.

    work: a function of a module, called with the parts of a task. A bar with the label shows progress on a terminal
    after `delay` seconds. Raises what a task raises, and UserError where a worker is killed.
    """
    n_workers = min(processes, len(tasks))
    results = in_workers(work, tasks, n_workers) if n_workers > 1 else (work(*task) for task in tasks)
    with contextlib.closing(results):
        if _WHOLE.get():
            yield from _in_whole(results, len(tasks), label)
        else:
            yield from Bar(results, total=len(tasks), desc=label, unit=unit, delay=delay, disable=None)


# The bar of work that has one for all of its stages, and how much of its time each of them takes, by label.
_WHOLE: ContextVar[tuple[Bar, Mapping[str, float]] | None] = ContextVar("whole", default=None)


@contextlib.contextmanager
def one_bar(label: str, shares: Mapping[str, float]) -> Iterator[None]:
    """Show one bar, with the time that is left, for all that is done until the end of a block.

    shares: about how much of the time each stage takes, by the label that it gives to `spread` or `steps`.
    """
    shown = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
    with Bar(total=sum(shares.values()), desc=label, bar_format=shown, disable=None) as bar:
        token = _WHOLE.set((bar, shares))
        try:
            yield
        finally:
            _WHOLE.reset(token)
        bar.set_postfix_str("")
        bar.update(bar.total - bar.n)


def _in_whole(things: Iterable[Result], n: int, label: str) -> Iterator[Result]:
    """Yield things, and move the one bar of all work on by the share of their stage."""
    bar, shares = _WHOLE.get() or (Bar(disable=True), {})
    bar.set_postfix_str(label)
    for thing in things:
        yield thing
        bar.update(shares.get(label, 0) / n)


def steps(names: Sequence[str], label: str) -> Iterator[str]:
    """Yield the names of steps that may take long each; a terminal shows at once which one is under way."""
    if _WHOLE.get():
        yield from _in_whole(names, len(names), label)
        return
    with Bar(total=len(names), desc=label, unit="step", disable=None) as bar:
        for name in names:
            bar.set_postfix_str(name)
            yield name
            bar.update()


class Assignment(NamedTuple):
    """Hold what a worker does. It has this by being forked: nothing is copied for each task."""

    work: Callable[..., Any]
    tasks: Sequence[tuple[Any, ...]]
    folder: Path  # takes a file for each result: a worker that is killed while it sends one would block the pool


ASSIGNMENT: ContextVar[Assignment] = ContextVar("assignment")  # set in workers alone


def in_workers(
    work: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], processes: int
) -> Generator[Result, None, None]:
    """Yield the result of each task, in their order, from worker processes that end with this generator.

    Raises what a task raises, and UserError where a worker is killed.
    """
    fork = get_context("fork")  # starting Python anew in each worker would cost more than most builds
    numbers = iter(range(len(tasks)))
    with tempfile.TemporaryDirectory() as folder:
        assignment = Assignment(work, tasks, Path(folder))
        pool = ProcessPoolExecutor(processes, fork, initializer=begin, initargs=(assignment,))
        others, workers = active_children(), []
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # each worker that is forked is noted
        try:
            try:
                made = deque(pool.submit(do_task, number) for number in islice(numbers, AHEAD * processes))
            finally:
                workers = [child for child in active_children() if child not in others]
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            while made:
                file = made.popleft().result()
                result: Result = pickle.loads(file.read_bytes())
                file.unlink()
                made.extend(pool.submit(do_task, number) for number in islice(numbers, 1))
                yield result
        except BrokenProcessPool:
            raise UserError(
                "a worker was killed, possibly out of memory; nothing half-written was left: run the command again, "
                "with fewer --processes (scale: --workers) if necessary"
            ) from None
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(GRACE)
                worker.kill()
            pool.shutdown()


def begin(assignment: Assignment) -> None:
    """Begin a worker, which works until SIGTERM comes or the process that started it is gone."""
    ASSIGNMENT.set(assignment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if parent := parent_process():
        threading.Thread(target=end_with, args=(parent,), daemon=True).start()  # it takes no signal, as all are blocked
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def do_task(number: int) -> Path:
    """Do the task of a number, which SIGTERM ends by an exception; return the file that holds its result."""
    work, tasks, folder = ASSIGNMENT.get()
    file = folder / str(number)
    try:
        signal.signal(signal.SIGTERM, leave)
        file.write_bytes(pickle.dumps(work(*tasks[number])))
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    except SystemExit:
        os._exit(1)  # the pool would take the exception as a result, and go on
    return file


def leave(*_: object) -> None:
    """End a task by an exception; a second signal must not interrupt it while it ends the programs it started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()


def end_with(parent: BaseProcess) -> None:
    """Wait until the process that started this one is gone, then end this one."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
