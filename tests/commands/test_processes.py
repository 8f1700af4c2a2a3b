"""Interrupt commands, kill their workers, and close what they print to: each ends in one line."""

import os
import signal
from pathlib import Path

import pytest
from commands.underway import TABLE, underway_build, wait_for, workers
from support import ended, listed, refused, tree

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
