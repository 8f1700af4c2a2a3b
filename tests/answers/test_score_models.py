"""Run `score` on the response files of several models."""

import json

import pytest
from support import refused


@pytest.fixture
def files(answered):
    """Write the replies of two models: one says the first letter, one knows every answer."""
    return [answered("hi_tom", lambda row: "A", "guess.jsonl"), answered("hi_tom", file="knows.jsonl")]


def test_several_files_are_compared_in_one_table(score, files, tmp_path):
    report = tmp_path / "report.json"
    code, printed, errors = score("hi_tom", *files, "--report", report)
    assert (code, errors) == (0, "")
    assert printed.startswith(
        "2 models, answers to hi_tom, all, test split, seed 0: per cent, with 95 % intervals; the rows that all"
    )
    assert printed.count("\n| rows of | model | rows | accuracy |") == 1
    assert "| all | knows | 120 | 100.0 (86–100) | 6.7 | 100.0 (86–100) | 1.4 | 0.0 (0–14) | " in printed
    assert [line.split(" | ")[1] for line in printed.splitlines() if line.startswith("| 4th_")] == ["guess", "knows"]
    written = json.loads(report.read_text())
    assert list(written["models"]) == ["guess", "knows"] and len(written["comparison"]) == 2 * 6
    above = written["comparison"][1]["above"]["accuracy"]
    assert 0 < above["low"] < above["share"] < above["high"] <= 1
    again = score("hi_tom", files[0], "--responses", files[1])[1]
    assert printed.startswith(again.rstrip("\n")), "the option may stand twice"


def test_what_cannot_be_compared(score, files, tmp_path):
    same = f"{files[0]} is named twice with --responses; name each file once"
    refused(score("hi_tom", files[0], files[0]), same)
    for option in ("--pictures", "--rows"):
        message = f"{option} takes one file of responses; name one with --responses"
        refused(score("hi_tom", *files, option, tmp_path / "p"), message)
    one = "--style takes one file of responses; name one with --responses"
    refused(score("hi_tom", *files, "--config", "deep", "--style", "all-at-once"), one)
    (tmp_path / "again").mkdir()
    other = tmp_path / "again" / "guess.jsonl"
    other.write_bytes(files[0].read_bytes())
    assert f"| all | {other} |" in score("hi_tom", files[0], other)[1]
