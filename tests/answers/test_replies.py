"""Read every message about a response file that does not fit, and follow the page that tells how to make one."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from answering import NO_DEEP, right_reply, row_id, write_lines
from support import ROOT, refused

from tom_datasets.answers.reading import EMPTY, SILENT


def test_ids_that_do_not_fit(folder, rows_of, run, tmp_path):
    lines = [{"id": row_id(row), "response": right_reply(row)} for row in rows_of("hi_tom")]
    strange = [{"id": "mine", "response": "A"}, {"id": "yours", "response": "B"}]
    path = write_lines(tmp_path / "answers.jsonl", lines[3:] + strange + lines[5:6])
    asking = (
        "score",
        "hi_tom",
        "--out",
        folder,
        "--responses",
        path,
        "--report",
        tmp_path / "r",
        "--pictures",
        tmp_path / "p",
    )
    refused(
        run(*asking),
        "2 ids that no row here has (first: 'mine')",
        f"1 ids that occur again (first: '{lines[5]['id']}')",
        f"3 of 120 ids are missing (first: '{lines[0]['id']}')",
        "--partial scores the rest",
    )
    assert os.listdir(tmp_path) == ["answers.jsonl"]
    code, printed, errors = run(*asking, "--partial")
    assert (code, errors) == (0, "") and "left out: 2 ids that no row here has" in printed
    assert len(json.loads((tmp_path / "r").read_text())["left_out"]) == 4


def test_missing_ids_are_those_of_each_prompt(folder, rows_of, run, tmp_path):
    lines = [{"id": row_id(row), "response": right_reply(row), "prompt": "vp"} for row in rows_of("hi_tom")]
    path = write_lines(tmp_path / "answers.jsonl", [*lines, {**lines[0], "prompt": "cotp"}])
    message = f"119 of 240 ids are missing (first: '{lines[1]['id']}' of cotp)"
    refused(run("score", "hi_tom", "--out", folder, "--responses", path), message)


@pytest.mark.parametrize("partial", [(), ("--partial",)])
def test_answers_to_another_dataset(folder, answered, run, partial):
    path = answered("mindgames")
    result = run("score", "hi_tom", "--out", folder, "--responses", path, *partial)
    refused(
        result,
        "none of its 96 ids is that of a row here (first: '",
        "); name their dataset, --config and --split",
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["no responses, the file is empty; expected id and response on each line"]),
        (b"\n \n", ["no responses"]),
        ('{"id": "a", "response": "é"}'.encode("latin-1"), ["it is not UTF-8 text (byte 25)"]),
        (b'{"id": "a", "response": "b"', ["line 1: not JSON"]),
        (b"[" * 100_000, ["line 1: not JSON"]),
        (b'{"id": "a"}', ["line 1: expected an object with id and response, a text"]),
        (b'{"response": "a"}', ["line 1: expected an object with id and response"]),
        (b'{"id": "a", "response": 3}', ["line 1: expected an object with id and response, a text"]),
        (b'["a"]', ["line 1: expected an object"]),
        (b'{"id": "a", "response": "b", "prompt": 3}', ["line 1: its prompt is 3; expected a name"]),
    ],
)
def test_files_that_cannot_be_read(folder, run, tmp_path, content, words):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    result = run("score", "hi_tom", "--out", folder, "--responses", path, "--report", tmp_path / "r.json", "--partial")
    refused(result, "answers.jsonl", *words)
    assert os.listdir(tmp_path) == ["answers.jsonl"]


def test_other_things_that_a_user_can_get_wrong(folder, answered, published, run, tmp_path):
    path = answered("hi_tom")
    asking = ("score", "hi_tom", "--out", folder, "--responses", path)
    refused(run(*asking, "--config", "5th_order"), "unknown config '5th_order'; ", "all, 0th_order, 1st_order")
    refused(run(*asking, "--split", "train"), "all has no split 'train'; it has test")
    refused(run("score", "hi_tom", "--responses", path, "--out", tmp_path), "run make build first")
    refused(run(*asking[:-1], tmp_path / "no.jsonl"), "no.jsonl: No such file or directory")
    refused(run(*asking[:-1], tmp_path), "Is a directory")
    refused(run("score", "hi_tom"), "the following arguments are required: --responses", code=2)
    said = [{"id": "a", "response": "b", "prompt": "vp"}]
    one = write_lines(tmp_path / "one.jsonl", said)
    refused(run(*asking[:-1], one, "--prompt", "cotp"), "no responses of cotp, only of vp")
    data, replies, problems, labels = published
    refused(run(*asking, "--data", data, "--config", "all"), "leave out --config and --split")
    refused(run(*asking, "--data", data), "none of its 120 ids is that of a row here")
    (tmp_path / "empty.jsonl").write_text("{}\n")
    refused(
        run(*asking[:-1], tmp_path / "empty.jsonl", "--data", data),
        "line 1: expected an object with prompting_type, deception, story_length, sample, question_order (or "
        "sample_id, id, index) and response, a text",
    )
    for option in (("--strict",), ("--unread", tmp_path / "u")):
        refused(run(*asking, *option), "--strict and --unread are for published data: name its file with --data")
    refused(
        run("score", "hi_tom", "--data", problems, "--responses", replies), "problems.jsonl, line 1: expected an object"
    )
    refused(run("score", "mindgames", "--data", data, "--responses", labels), "data.jsonl, line 1: expected an object")
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    twice = write_lines(tmp_path / "twice.jsonl", rows[:2] * 2)
    strict = ("--responses", replies, "--strict")
    refused(run("score", "hi_tom", "--data", twice, *strict), "line 3: ", "stands more than once")


def test_nothing_half_written_is_left(folder, answered, run, tmp_path, monkeypatch):
    path = answered("hi_tom")
    (tmp_path / "file").write_text("")
    result = run("score", "hi_tom", "--out", folder, "--responses", path, "--report", tmp_path / "file" / "r.json")
    assert result[0] == 1 and "nothing half-written was left" in result[2]
    replace, done = os.replace, []

    def once(source, to):
        if done:
            raise OSError(28, "No space left on device")
        done.append(to)
        replace(source, to)

    monkeypatch.setattr(os, "replace", once)
    code, _, errors = run("score", "hi_tom", "--out", folder, "--responses", path, "--pictures", tmp_path / "p")
    assert code == 1 and "No space left on device" in errors
    assert [Path(file).name for file in os.listdir(tmp_path / "p")] == [done[0].name]


def test_a_reply_that_is_no_text_is_empty_and_odd_characters_are_shown(rows_of, scored, tmp_path):
    lines = [{"id": row_id(row), "response": right_reply(row)} for row in rows_of("hi_tom")]
    lines[0]["response"], lines[1]["response"] = None, "\ud800 ?"
    printed, report = scored("hi_tom", write_lines(tmp_path / "answers.jsonl", lines))
    assert report["scores"]["all"]["read"]["unread"] == {EMPTY: 1, SILENT: 1}
    assert "2 of 120 replies are unread, and scored wrong: 1 empty, 1 names no choice" in printed
    assert "\\ud800 ?" in printed


MODEL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert "Think step-by-step" in asked["prompt"]
    print(json.dumps({"id": asked["id"], "response": "So the answer is B."}))
"""
"""A model that always says B."""


def test_the_lines_of_the_page(tmp_path):
    """From nothing to a table, with a model of ours and a small build."""
    root = ROOT
    page = (root / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^## 1\. .*?^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    install, build, *lines = block.splitlines()
    assert install == "pip install ." and len(lines) == 3
    (tmp_path / "model.py").write_text(MODEL)
    sizes = f"--probe none --train 0 --validation 0 --test 6 --tomh 3 --reproduction 1 {' '.join(NO_DEEP)}"
    for line in (f"{build} {sizes}", *lines):
        command = re.sub(r"^python\b", sys.executable, line.replace("your-model", f"{sys.executable} model.py"))
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert "joint" in done.stdout and "report: report.json" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["scores"] and report["unread"] == []
    assert len(list((tmp_path / "pictures").glob("hi_tom_score_*.png"))) >= 4
