"""Interrupt commands, kill their workers, and close what they print to: each ends in one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands.underway import TABLE, Terminal, underway_build, wait_for, workers
from support import ROOT, TINY, ended, listed, refused, tree
from tqdm import tqdm

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("number", "processes", "all_of_them"),
    [
        (signal.SIGINT, 1, False),
        (signal.SIGTERM, 1, False),
        (signal.SIGINT, 2, False),
        (signal.SIGTERM, 2, False),
        (signal.SIGINT, 2, True),  # as Ctrl-C in a terminal does
        (signal.SIGTERM, 2, True),  # as `timeout` and service managers do
    ],
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


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_is_for_terminals_only(run, tmp_path, monkeypatch, processes):
    at_once = lambda *given, **named: tqdm(*given, **{**named, "delay": 0})  # noqa: E731
    monkeypatch.setattr("tom_datasets.work.Bar", at_once)
    code, _, said = run("build", "hi_tom", "--out", tmp_path / "a", *TINY["hi_tom"], "--processes", processes)
    assert (code, said) == (0, "")
    assert run("check", "--out", tmp_path / "a", "--processes", processes)[2] == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("build", "hi_tom", "--out", tmp_path / "b", *TINY["hi_tom"], "--processes", processes)[0] == 0
    assert "building: 100%" in terminal.getvalue()


def test_output_that_cannot_be_written_is_no_traceback(stories):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    for arguments in (["show", "hi_tom"], ["check", "--out", stories]):
        with open("/dev/full", "w") as full:
            process = subprocess.run(
                [sys.executable, "-m", "tom_datasets", *map(str, arguments)],
                cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
            )  # fmt: skip
        assert process.returncode not in (0, None)
        assert "Traceback" not in process.stderr and process.stderr.count("\n") == 1, arguments


def test_a_reader_that_has_enough_is_no_error():
    """As in `… show hi_tom | head -1`: the exit code is that of other programs."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "tom_datasets", "show", "hi_tom"],
        cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert (process.returncode, process.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")
def test_workers_end_with_a_killed_build(tmp_path):
    with underway_build(tmp_path, "--processes", "2", file=TABLE) as process:
        started = workers(process)
        assert len(started) == 2
        process.kill()
        process.communicate()
        wait_for(lambda: not any(Path(f"/proc/{worker}").exists() for worker in started))
