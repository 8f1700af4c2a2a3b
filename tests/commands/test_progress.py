"""Prove that what takes long says on a terminal what it is doing, and elsewhere says nothing."""

import functools
import json
import sys
import threading
import time
from io import StringIO

import pytest

from builders import work
from builders.commands.options import Parser, add_processes, cores


class Terminal(StringIO):
    """Claim to be a terminal."""

    def isatty(self):
        return True


def test_a_step_is_shown_before_it_is_done(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in work.steps(["1st_order", "2nd_order"], "measuring"):
        last = terminal.getvalue().rpartition("\r")[2]
        assert last.startswith("measuring: ") and name in last
    assert "2/2" in terminal.getvalue().rpartition("\r")[2]


def test_a_long_step_is_not_silent(monkeypatch):
    """The bar is drawn again during a step, and by nothing that outlives the steps."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(work, "REDRAWN", 0.01)
    threads = threading.active_count()
    for name in work.steps(["1st_order"], "measuring"):
        before, deadline = terminal.getvalue(), time.monotonic() + 10
        while terminal.getvalue().count(name) < before.count(name) + 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert terminal.getvalue().count(name) >= before.count(name) + 3
    assert threading.active_count() == threads


@pytest.mark.parametrize("processes", [1, 2])
def test_a_long_task_is_not_silent(monkeypatch, processes):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(work, "REDRAWN", 0.01)
    monkeypatch.setattr(work, "Bar", functools.partial(work.Bar, mininterval=60))
    threads = threading.active_count()
    numbers = work.spread(int, [("1",), ("2",)], processes, "checking", "row group")
    assert next(numbers) == 1
    assert "checking" not in terminal.getvalue(), "what takes less than two seconds has no bar"
    deadline = time.monotonic() + 10
    while terminal.getvalue().count("checking") < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert terminal.getvalue().count("checking") >= 3
    assert list(numbers) == [2] and threading.active_count() == threads


def test_steps_are_for_terminals_only(capsys, monkeypatch):
    monkeypatch.setattr(work, "REDRAWN", 0.01)
    threads = threading.active_count()
    for name in work.steps(["1st_order"], "measuring"):
        time.sleep(0.05)
        assert name == "1st_order" and threading.active_count() == threads
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("command", "labels"),
    [
        ("audit", ["measuring what can be guessed", "measuring what has no gate", "measuring depth"]),
        ("check", ["measuring what can be guessed", "measuring depth"]),
        ("score", ["scoring"]),
        ("score both", ["scoring", "comparing"]),
    ],
)
def test_every_long_part_of_a_command_has_a_bar(run, tiny_build, tmp_path, monkeypatch, command, labels):
    replies = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    answers = {"score": ["--responses", replies[0]], "score both": ["--responses", *replies]}.get(command, [])
    for file in replies if answers else ():
        asked = run("prompts", "hi_tom", "--out", tiny_build("hi_tom"))[1].splitlines()
        file.write_text("".join(json.dumps({"id": json.loads(line)["id"], "response": "A"}) + "\n" for line in asked))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(command.split()[0], "hi_tom", "--out", tiny_build("hi_tom"), *answers)[0] == 0
    for label in labels:
        assert f"{label}: 100%" in terminal.getvalue()


@pytest.mark.parametrize("processes", [1, 2])
def test_several_pieces_of_work_are_one_bar(monkeypatch, capsys, processes):
    """Each name has its half of the bar, whatever of its work was announced."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(work, "DELAY", 0)
    seen = []
    with work.one_bar("building", ["first", "second"], {"planning": 20, "making": 80}) as names:
        for name in names:
            for _ in work.steps(["part"], "planning"):
                whole = work.WHOLE.get()
                seen.append((name, whole.bar.postfix, whole.bar.n))
            for _ in work.spread(int, [("1",), ("2",), ("3",)], processes, "making", "row"):
                seen.append((name, whole.bar.postfix, round(whole.bar.n)))
            work.say(f"made {name}")
    assert seen == [
        (name, f"{name} {what}", half + done)
        for name, half in (("first", 0), ("second", 100))
        for what, done in (("planning part", 0), ("making", 20), ("making", 47), ("making", 73))
    ]
    assert capsys.readouterr().out == "made first\nmade second\n"
    assert "building: 100%" in terminal.getvalue() and "making: " not in terminal.getvalue()
    assert work.WHOLE.get() is None


def test_work_is_for_all_cores_unless_said():
    parser = Parser([])
    add_processes(parser)
    assert parser.parse_args([]).processes == cores() >= 1
    assert parser.parse_args(["--processes", "3"]).processes == 3
