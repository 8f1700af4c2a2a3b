"""Prove that what takes long says on a terminal what it is doing, and elsewhere says nothing."""

import sys
from io import StringIO

import pytest

from builders.work import steps


class Terminal(StringIO):
    """Claim to be a terminal."""

    def isatty(self):
        return True


def test_a_step_is_shown_before_it_is_done(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in steps(["1st_order", "2nd_order"], "measuring"):
        last = terminal.getvalue().rpartition("\r")[2]
        assert last.startswith("measuring: ") and name in last
    assert "2/2" in terminal.getvalue().rpartition("\r")[2]


def test_steps_are_for_terminals_only(capsys):
    assert list(steps(["1st_order"], "measuring")) == ["1st_order"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("command", "labels"),
    [
        ("audit", ["measuring what can be guessed", "measuring what has no gate", "measuring depth"]),
        ("check", ["measuring what can be guessed", "measuring depth"]),
    ],
)
def test_every_long_part_of_a_command_has_a_bar(run, tiny_build, monkeypatch, command, labels):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(command, "hi_tom", "--out", tiny_build("hi_tom"))[0] == 0
    for label in labels:
        assert f"{label}: 100%" in terminal.getvalue()
