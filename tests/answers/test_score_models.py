"""Run `score` on the response files of several models."""

import json

import pytest
from answering import right_reply, row_id, write_lines
from support import refused


@pytest.fixture
def files(rows_of, tmp_path):
    """Write the replies of two models: one knows every answer, one says the first letter."""
    rows = rows_of("hi_tom")
    (tmp_path / "again").mkdir()
    return [
        write_lines(tmp_path / name, [{"id": row_id(row), "response": reply(row)} for row in rows])
        for name, reply in (("guess.jsonl", lambda row: "A"), ("knows.jsonl", right_reply))
    ]


def test_several_files_are_compared_in_one_table(run, folder, files, tmp_path):
    report = tmp_path / "report.json"
    words = ("score", "hi_tom", "--out", folder, "--report", report)
    code, printed, errors = run(*words, "--responses", *files)
    assert (code, errors) == (0, "")
    assert printed.startswith(
        "2 models, answers to hi_tom, all, test split, seed 0: per cent, with 95 % intervals; the rows that all"
    )
    assert printed.count("\n| rows of | model | rows | accuracy |") == 1
    assert "| all | knows | 120 | 100.0 (86–100) | 100.0 (86–100) | 0.0 (0–14) | +9" in printed
    assert [line.split(" | ")[1] for line in printed.splitlines() if line.startswith("| 4th_")] == ["guess", "knows"]
    written = json.loads(report.read_text())
    assert list(written["models"]) == ["guess", "knows"] and len(written["comparison"]) == 2 * 6
    above = written["comparison"][1]["above"]["accuracy"]
    assert 0 < above["low"] < above["share"] < above["high"] <= 1
    again = run("score", "hi_tom", "--out", folder, "--responses", files[0], "--responses", files[1])[1]
    assert printed.startswith(again.rstrip("\n")), "the option may stand twice"


def test_what_cannot_be_compared(run, folder, files, tmp_path):
    words = ("score", "hi_tom", "--out", folder, "--responses")
    refused(run(*words, files[0], files[0]), f"{files[0]} is named twice with --responses; name each file once")
    drawn = run(*words, *files, "--pictures", tmp_path / "p")
    refused(drawn, "--pictures takes one model; name one file with --responses")
    other = tmp_path / "again" / "guess.jsonl"
    other.write_bytes(files[0].read_bytes())
    assert f"| all | {other} |" in run(*words, files[0], other)[1]
