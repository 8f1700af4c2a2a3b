"""Interrupt commands, kill their workers, and close what they print to: each ends in one line."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands.underway import TABLE, underway_build, wait_for, workers
from support import ROOT, ended, listed, refused, start, tree

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("processes", "all_of_them"),
    [(1, False), (2, False), (2, True)],  # all of them: as Ctrl-C in a terminal does, and as `timeout` does
)
def test_an_interrupted_build_leaves_the_old_folder(stories_copy, number, processes, all_of_them):
    before = tree(stories_copy / "hi_tom")
    arguments = ["--seed", "1", "--processes", processes]
    with underway_build(stories_copy, *arguments, file=TABLE if processes == 2 else None) as process:
        (os.killpg if all_of_them else os.kill)(process.pid, number)
        assert ended(process) == (130, "", "interrupted; nothing half-written was left\n")
        with pytest.raises(ProcessLookupError):  # no worker of its session is left
            os.killpg(process.pid, 0)
    assert listed(stories_copy) == [".hi_tom.scores", "hi_tom"]
    assert tree(stories_copy / "hi_tom") == before


def test_an_interrupted_first_build_leaves_nothing(tmp_path):
    with underway_build(tmp_path, file=TABLE) as process:
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "", "interrupted; nothing half-written was left\n")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(("processes", "all_of_them"), [(1, False), (2, True)])
def test_a_build_that_is_interrupted_twice_leaves_nothing(tmp_path, processes, all_of_them):
    for gap in GAPS:
        with underway_build(tmp_path, "--processes", processes, file=TABLE) as process:
            interrupt_twice(process, gap, all_of_them)
        assert listed(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
@pytest.mark.parametrize(
    "words",
    [
        "check --out {stories}",
        "audit hi_tom --out {stories}",
        "explorer --out {stories}",
        "scale hi_tom --config deep --rows 100000 --tasks 4 --workers 2 --out {folder}/scaled",
        "stream hi_tom --config deep",
        "stream mindgames --config all",
        "smcdel {folder}/hard",
    ],
)
def test_a_command_that_is_interrupted_twice_ends_in_one_line(stories_copy, tmp_path, words):
    """At several moments: while it imports, when it begins, and when it is at work.

    It must be in `main`, whatever time Python takes to get there: an interrupt before that is a traceback.
    """
    (tmp_path / "hard").write_text(
        "VARS 0,1,2,3 LAW Top OBS a:1\n" + "WHERE? [ a ! 1 ] a knows whether (2 | 3)\n" * 99_999
    )
    before = listed(tmp_path)
    given = words.format(stories=stories_copy, folder=tmp_path).split()
    for moment, gap in zip((0, 0.4, 1.2), GAPS, strict=True):
        process = start(*given, start_new_session=True)
        wait_for(lambda process=process: process.poll() is not None or handles(process, signal.SIGTERM))
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            interrupt_twice(process, gap, all_of_them=True)
    assert set(listed(tmp_path)) <= {*before, "scaled"}  # which the same command takes up again


def handles(process, number):
    """Return whether a process has a handler for a signal."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)[1], 16) >> number - 1 & 1


GAPS = (0, 0.01, 0.1)  # seconds between two interrupts


def interrupt_twice(process, gap, all_of_them):
    """Interrupt a command that leads a session twice; it ends in one line, and leaves no process of its session."""
    for _ in range(2):
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if all_of_them else os.kill)(process.pid, signal.SIGINT)
        time.sleep(gap)
    code, _, errors = ended(process)
    assert (code, errors) == (130, "interrupted; nothing half-written was left\n")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_an_interrupt_that_was_swallowed_can_be_repeated(tmp_path):
    """As inside a destructor, where Python drops the exception; not at once, but when the grace is over."""
    (tmp_path / "program.py").write_text(
        "import os, signal, sys, time\n"
        "from tom_datasets import __main__ as program\n"
        "from tom_datasets.commands import smcdel\n"
        "def interrupt(): os.kill(os.getpid(), signal.SIGINT)\n"
        "class Swallowing:\n"
        "    def __del__(self): interrupt()\n"
        "def work(file):\n"
        "    Swallowing()\n"
        "    interrupt(); print('soon')\n"
        "    time.sleep(0.3)\n"
        "    interrupt(); print('late')\n"
        "program.GRACE = 0.2\n"
        "smcdel.run.callback = work\n"
        "sys.argv = ['program', 'smcdel', '-']\n"
        "sys.exit(program.main())\n"
    )
    done = subprocess.run([sys.executable, tmp_path / "program.py"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (130, "soon\n")
    assert done.stderr.endswith("\ninterrupted; nothing half-written was left\n")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")
def test_a_killed_worker_ends_the_build(tmp_path):
    """As when memory runs out."""
    with underway_build(tmp_path, "--processes", "2", file=TABLE) as process:
        os.kill(workers(process)[0], signal.SIGKILL)
        refused(ended(process), "a worker was killed", "nothing half-written was left")
    assert listed(tmp_path) == []


@pytest.mark.parametrize("arguments", [["check"], ["clean"], ["show"], ["--help"]])
def test_a_command_puts_back_what_it_set(run, tmp_path, arguments):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    run(*arguments, "--out", tmp_path)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")
def test_workers_end_with_a_killed_build(tmp_path):
    with underway_build(tmp_path, "--processes", "2", file=TABLE) as process:
        started = workers(process)
        assert len(started) == 2
        process.kill()
        process.communicate()
        wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in started))
