"""Prove that what takes long says on a terminal what it is doing, and elsewhere says nothing."""

import json
import sys
import threading

import pytest
from commands.underway import Terminal

from tom_datasets import work


def test_a_step_is_shown_before_it_is_done(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in work.steps(["1st_order", "2nd_order"], "measuring"):
        last = terminal.getvalue().rpartition("\r")[2]
        assert last.startswith("measuring: ") and name in last
    assert "2/2" in terminal.getvalue().rpartition("\r")[2]


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_short_has_no_bar(monkeypatch, processes):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(work.spread(int, [("1",), ("2",)], processes, "checking", "row group")) == [1, 2]
    assert "checking" not in terminal.getvalue(), "what takes less than two seconds has no bar"
    assert list(work.spread(int, [("1",), ("2",)], processes, "checking", "row group", delay=0)) == [1, 2]
    assert "checking: 100%" in terminal.getvalue()


def test_bars_are_for_terminals_only(capsys):
    threads = threading.active_count()
    assert list(work.steps(["1st_order"], "measuring")) == ["1st_order"]
    assert list(work.spread(int, [("1",), ("2",)], 2, "checking", "row group", delay=0)) == [1, 2]
    assert capsys.readouterr() == ("", "") and threading.active_count() == threads


@pytest.mark.parametrize(
    ("command", "labels"),
    [
        ("audit", ["measuring what can be guessed", "measuring what has no gate", "measuring depth"]),
        ("check", ["measuring what can be guessed", "measuring depth"]),
        ("score", ["scoring", "comparing"]),
    ],
)
def test_every_long_part_of_a_command_has_a_bar(run, nested, tmp_path, monkeypatch, command, labels):
    replies = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    answers = ["--responses", *replies] if command == "score" else []
    for file in replies if answers else ():
        asked = run("prompts", "hi_tom", "--out", nested)[1].splitlines()
        file.write_text("".join(json.dumps({"id": json.loads(line)["id"], "response": "A"}) + "\n" for line in asked))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(command, "hi_tom", "--out", nested, *answers)[0] == 0
    for label in labels:
        assert f"{label}: 100%" in terminal.getvalue()
