"""Tasks shared out to worker processes, the end of these workers, and progress bars."""

import contextlib
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .errors import UserError

STOPS = {signal.SIGINT, signal.SIGTERM}  # the signals that end a command
AHEAD = 4  # results of each worker that may be made before they are wanted
DELAY = 2  # seconds that pass before work that may be short has a bar
GRACE = 5  # seconds that a worker has to end the programs it started


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

    Workers take the numbers of tasks from one queue, which gets another as each result is taken. A worker writes its
    result into a file and says the number on its own pipe, which ends where the worker is killed.
    """
    fork = get_context("fork")  # starting Python anew in each worker would cost more than most builds
    numbers, coming = fork.SimpleQueue(), iter(range(len(tasks)))
    workers, outcomes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # each worker that is forked is noted
        try:
            for _ in range(processes):
                reading, writing = fork.Pipe(duplex=False)
                given = work, tasks, Path(folder), numbers, writing
                worker = fork.Process(target=do_tasks, args=given, daemon=True)
                worker.start()
                workers[reading] = worker
                writing.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            for number in islice(coming, AHEAD * processes):
                numbers.put(number)
            for number in range(len(tasks)):
                while number not in outcomes:
                    outcomes |= [outcome_on(pipe) for pipe in wait(workers)]
                if error := outcomes.pop(number):
                    raise error
                file = Path(folder, str(number))
                result = pickle.loads(file.read_bytes())
                file.unlink()
                for later in islice(coming, 1):
                    numbers.put(later)
                yield result
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            for worker in workers.values():
                worker.terminate()
            for worker in workers.values():
                worker.join(GRACE)
                worker.kill()


def outcome_on(pipe: Connection) -> tuple[int, Exception | None]:
    """Return the number of a task that is done, and what it raised. Raises UserError where its worker was killed."""
    try:
        return pipe.recv()
    except (EOFError, OSError):
        raise UserError(
            "a worker was killed, possibly out of memory; nothing half-written was left: run the command again, "
            "with fewer --processes (scale: --workers) if need be"
        ) from None


def do_tasks(work: Callable, tasks: list[tuple], folder: Path, numbers: SimpleQueue, pipe: Connection) -> None:
    """Do the tasks whose numbers come, until SIGTERM comes or the process that started this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=end_with_parent, daemon=True).start()  # while signals are blocked: it takes none
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    while True:
        number, error = numbers.get(), None
        try:
            (folder / str(number)).write_bytes(pickle.dumps(work(*tasks[number])))
        except Exception as raised:
            error = raised
        pipe.send((number, error))


def leave(*_: Any) -> None:
    """End a worker by an exception; a second signal must not interrupt it while it ends the programs it started."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()


def end_with_parent() -> None:
    """Wait until the process that started this one is gone, then end this one."""
    parent_process().join()
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)
