"""Hold that tasks are shared out in order, and that their workers end with them."""

import io
import os
import re
import signal
import threading
import time
from functools import partial
from multiprocessing import active_children

import pytest

from tom_datasets import work
from tom_datasets.errors import UserError
from tom_datasets.work import AHEAD, in_workers

TASKS = [(number,) for number in range(4 * AHEAD)]


def numbered(number):
    """Return a number and a process; the first tasks take longest."""
    time.sleep(0.05 / (1 + number))
    return number, os.getpid()


def failed(number):
    """Fail at one task."""
    if number == 3:
        raise ValueError(f"task {number} fails")
    return number


def killed(number):
    """End the worker at one task as the system does where memory runs out, with a result half made."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return bytes(10**6)


def left(number):
    """End the worker at one task as a program ends."""
    return exit() if number == 3 else number


def waiting(folder, number):
    """Take long; the second of two tasks interrupts the parent. Each leaves a file behind where it is ended."""
    (folder / f"{number} begun").touch()
    try:
        if number == 1:
            while not (folder / "0 begun").exists():
                time.sleep(0.01)
            os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)
    finally:
        (folder / f"{number} cleared").touch()


@pytest.fixture(autouse=True)
def nothing_left():
    """Hold that a test leaves no process, no thread, and the signals as they were."""
    before = active_children(), threading.active_count(), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    assert (active_children(), threading.active_count(), signal.pthread_sigmask(signal.SIG_BLOCK, ())) == before


def test_results_come_in_order_from_all_workers():
    results = list(in_workers(numbered, TASKS, 2))
    assert [number for number, _ in results] == [number for (number,) in TASKS]
    assert len({process for _, process in results}) == 2 and os.getpid() not in {process for _, process in results}


def test_tasks_and_what_does_them_are_not_copied_for_each():
    """A function that cannot be pickled is no hindrance, as workers have it by being forked."""
    held = threading.Lock()
    assert list(in_workers(lambda number: (number, held.locked()), TASKS[:3], 2)) == [(n, False) for n in range(3)]


def test_an_error_of_a_task_comes_in_its_turn():
    results = in_workers(failed, TASKS, 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="^task 3 fails$"):
        next(results)


@pytest.mark.parametrize("work", [killed, left])
def test_a_worker_that_ends_early_is_named_in_one_line(work):
    with pytest.raises(UserError, match="^a worker was killed, .* run the command again, .*$"):
        list(in_workers(work, TASKS, 2))


def test_an_interrupt_ends_tasks_by_an_exception(tmp_path):
    """So that they end the programs that they started."""
    usual, begun = signal.signal(signal.SIGINT, signal.default_int_handler), time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(in_workers(waiting, [(tmp_path, number) for number in range(2)], 2))
    finally:
        signal.signal(signal.SIGINT, usual)
    assert time.monotonic() - begun < 30
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0 begun", "0 cleared", "1 begun", "1 cleared"]


def test_workers_end_where_nobody_wants_the_other_results():
    results = in_workers(numbered, TASKS, 2)
    assert next(results)[0] == 0
    results.close()


def test_work_in_stages_has_one_bar_that_says_what_is_left(monkeypatch):
    shown = io.StringIO()
    shown.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr("tom_datasets.work.Bar", partial(work.Bar, ncols=80, mininterval=0))
    with work.one_bar("building it", {"first": 30, "last": 70}):
        assert list(work.spread(abs, [(-1,), (-2,), (-3,)], 1, "first", "task")) == [1, 2, 3]
        assert list(work.steps(["one", "two"], "last")) == ["one", "two"]
        assert list(work.steps(["unknown"], "another stage")) == ["unknown"]
    lines = [line.strip() for line in shown.getvalue().split("\r") if line.strip()]
    assert all(line.startswith("building it: ") for line in lines)
    shares = [int(line.split(":")[1].split("%")[0]) for line in lines]
    assert shares == sorted(shares) and {0, 10, 20, 30, 65, 100} <= set(shares)
    assert re.search(r"\d\d:\d\d<\d\d:\d\d, last$", next(line for line in lines if " 65%" in line))
