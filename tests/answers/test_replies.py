"""Read every message about a response file that does not fit, and follow the page that tells how to make one."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from answering import replies_to, write_lines
from support import ROOT, listed, refused

from tom_datasets.answers.reading import EMPTY, SILENT


def test_ids_that_do_not_fit(rows_of, score, tmp_path):
    lines = replies_to(rows_of("hi_tom"))
    strange = [{"id": "mine", "response": "A"}, {"id": "yours", "response": "B"}]
    path = write_lines(tmp_path / "answers.jsonl", lines[3:] + strange + lines[5:6])
    asked = ("hi_tom", path, "--report", tmp_path / "r", "--pictures", tmp_path / "p")
    refused(
        score(*asked),
        "2 unknown ids (first: 'mine')",
        f"3 of 120 ids are missing (first: '{lines[0]['id']}')",
        f"1 extra replies: all ids need the same number, and '{lines[6]['id']}' has 1, '{lines[5]['id']}' has 2; "
        "add --partial to score the rest",
    )
    assert listed(tmp_path) == ["answers.jsonl"]
    code, printed, errors = score(*asked, "--partial")
    assert (code, errors) == (0, "") and "left out: 2 unknown ids" in printed
    assert len(json.loads((tmp_path / "r").read_text())["left_out"]) == 4


def test_missing_ids_are_those_of_each_prompt(rows_of, score, tmp_path):
    lines = replies_to(rows_of("hi_tom"), prompt="vp")
    path = write_lines(tmp_path / "answers.jsonl", [*lines, {**lines[0], "prompt": "cotp"}])
    refused(score("hi_tom", path), f"119 of 240 ids are missing (first: '{lines[1]['id']}' of cotp)")


@pytest.mark.parametrize("partial", [(), ("--partial",)])
def test_answers_to_another_dataset(answered, score, partial):
    unknown = "none of its 96 ids names a row here (first id: '"
    refused(score("hi_tom", answered("mindgames"), *partial), unknown, "); name their dataset, --config and --split")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no responses, the file is empty; expected id and response on each line"),
        (b"\n \n", "no responses"),
        ('{"id": "a", "response": "é"}'.encode("latin-1"), "it is not UTF-8 text (byte 25)"),
        (b'{"id": "a", "response": "b"', "line 1: not JSON"),
        (b"[" * 100_000, "line 1: not JSON"),
        (b'{"id": "a"}', "line 1: expected an object with id and response, a text"),
        (b'{"response": "a"}', "line 1: expected an object with id and response"),
        (b'{"id": "a", "response": 3}', "line 1: expected an object with id and response, a text"),
        (b'["a"]', "line 1: expected an object"),
        (b'{"id": "a", "response": "b", "prompt": 3}', "line 1: its prompt is 3; expected a name"),
    ],
)
def test_files_that_cannot_be_read(score, tmp_path, content, message):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    refused(score("hi_tom", path, "--report", tmp_path / "r.json", "--partial"), "answers.jsonl", message)
    assert listed(tmp_path) == ["answers.jsonl"]


def test_other_things_that_a_user_can_get_wrong(answered, published, score, run, tmp_path):
    right, (data, replies, problems, labels) = answered("hi_tom"), published
    named = write_lines(tmp_path / "one.jsonl", [{"id": "a", "response": "b", "prompt": "vp"}])
    empty = write_lines(tmp_path / "empty.jsonl", [{}])
    twice = write_lines(tmp_path / "twice.jsonl", [json.loads(data.read_text().splitlines()[0])] * 2)
    fields = "prompting_type, deception, story_length, sample, question_order (or sample_id, id, index)"
    for words, message in (
        (("hi_tom", right, "--config", "5th_order"), "unknown config '5th_order'; "),
        (("hi_tom", right, "--split", "train"), "all has no split 'train'; it has test"),
        (("hi_tom", right, "--out", tmp_path), "run make build first"),
        (("hi_tom", tmp_path / "no.jsonl"), "no.jsonl: No such file or directory"),
        (("hi_tom", tmp_path), f"{tmp_path}: Is a directory"),
        (("hi_tom", named, "--prompt", "cotp"), "no responses of cotp, only of vp"),
        (("hi_tom", right, "--data", data), "none of its 120 ids names a row here"),
        (("hi_tom", empty, "--data", data), f"line 1: expected an object with {fields} and response, a text"),
        (("hi_tom", replies, "--data", problems), "problems.jsonl, line 1: expected an object"),
        (("mindgames", labels, "--data", data), "data.jsonl, line 1: expected an object"),
        (
            ("hi_tom", replies, "--data", twice, "--strict"),
            "/sample=1/question_order=0 occurs more than once; keep one row with this id",
        ),
    ):
        refused(score(*words), message)
    refused(run("score", "hi_tom"), "Missing option '--responses'", code=2)
    refused(score("hi_tom", right, "--strict"), "--strict needs --data too", code=2)
    refused(score("hi_tom", right, "--unread", tmp_path / "u"), "--unread needs --data too", code=2)
    both = score("hi_tom", right, "--data", data, "--config", "all")
    refused(both, "--data cannot be combined with --config; leave it out", code=2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"index": None}, "it has no index; add the column index, by which responses name a row"),
        ({"setup": 3}, "it has no setup; expected a string such as forehead"),
        ({"label": "maybe"}, "label is 'maybe'; expected entailment or not_entailment"),
    ],
)
def test_published_problems_that_have_no_name_setup_or_label(published, score, tmp_path, change, message):
    row = json.loads(published[2].read_text().splitlines()[0]) | change
    if row["index"] is None:
        del row["index"]
    data = write_lines(tmp_path / "data.jsonl", [row])
    refused(score("mindgames", published[3], "--data", data), f"{data}, line 1: {message}")


LABELLED = {
    "entailment": ("entailment.", "Entailment", " TRUE ", "True", "yes", True),
    "not_entailment": ("not_entailment.", "Not entailment", "non-entailment", "False", "no", False),
}
"""Labels as files spell them."""


def test_labels_in_any_spelling_are_read(published, scored, tmp_path):
    rows = [json.loads(line) for line in published[2].read_text().splitlines()]
    for place in range(6):
        spelled = [{**row, "label": LABELLED[row["label"]][place]} for row in rows]
        data = write_lines(tmp_path / "data.jsonl", spelled)
        _, report = scored("mindgames", published[3], "--data", data)
        assert report["scores"]["all"]["tables"]["all"]["all"]["accuracy"]["share"] == 1.0, spelled[0]["label"]


@pytest.mark.parametrize(
    "form", ["{name}.", " {name}\n", "the {name}", '"{name}"', "{letter}", "{letter}.", "({small})", "{letter}: {name}"]
)
@pytest.mark.parametrize("listed", ["{name}", "{letter}. {name}", "{name}."])
def test_answers_in_any_spelling_are_read(published, scored, tmp_path, form, listed):
    def spelled(row):
        forms = {
            choice: {"name": choice.replace("_", " ").title(), "letter": letter, "small": letter.lower()}
            for letter, choice in zip("ABCDEFGHIJKLMNO", row["choices"], strict=False)
        }
        choices = [listed.format(**{**told, "name": choice}) for choice, told in forms.items()]
        return {**row, "choices": choices, "answer": form.format(**forms[row["answer"]])}

    rows, replies = (
        [line for line in map(json.loads, file.read_text().splitlines()) if line["prompting_type"] == "VP"]
        for file in published[:2]
    )
    data = write_lines(tmp_path / "data.jsonl", map(spelled, rows))
    path = write_lines(tmp_path / "answers.jsonl", replies)
    _, report = scored("hi_tom", path, "--data", data)
    assert report["scores"]["VP"]["tables"]["all"]["all"]["accuracy"]["share"] == 1.0


STRINGS = "expected an object with story, question and answer, all strings"


@pytest.mark.parametrize(
    ("dataset", "column", "value", "message"),
    [
        ("mindgames", "label", 1, "label is 1; expected entailment or not_entailment; a number does not say which"),
        ("mindgames", "label", 0.0, "label is 0.0; expected entailment or not_entailment; a number does not say which"),
        ("mindgames", "label", "neutral", "label is 'neutral'; expected entailment or not_entailment"),
        ("mindgames", "label", ["entailment"], "label is ['entailment']; expected entailment or not_entailment"),
        (
            "mindgames",
            "label",
            None,
            "hypothesis and label, all strings; label is None",
        ),
        ("hi_tom", "answer", 1, f"{STRINGS}; answer is 1"),
        ("hi_tom", "answer", True, f"{STRINGS}; answer is True"),
        ("hi_tom", "answer", ["red_box"], f"{STRINGS}; answer is ['red_box']"),
        ("hi_tom", "answer", "Z", "answer is 'Z'; expected one of its choices, or the letter of one"),
        ("hi_tom", "answer", "purple_tub.", "answer is 'purple_tub.'; expected one of its choices"),
        ("hi_tom", "answer", "", "answer is ''; expected one of its choices"),
    ],
)
def test_labels_that_no_reply_could_give_are_refused(published, score, tmp_path, dataset, column, value, message):
    """What a label means is never guessed; the message names the row and the value."""
    first, second = (0, 1) if dataset == "hi_tom" else (2, 3)
    rows = [json.loads(line) | {column: value} for line in published[first].read_text().splitlines()[:2]]
    data = write_lines(tmp_path / "data.jsonl", rows)
    refused(score(dataset, published[second], "--data", data), f"{data}, line 1: ", message)


def test_an_answer_without_choices_is_a_container(published, score, tmp_path):
    row = json.loads(published[0].read_text().splitlines()[0])
    del row["choices"]
    data = write_lines(tmp_path / "data.jsonl", [{**row, "answer": "B."}])
    message = "answer is 'B.'; expected a container, as the row has no choices"
    refused(score("hi_tom", published[1], "--data", data), f"{data}, line 1: {message}")


def test_nothing_half_written_is_left(answered, score, tmp_path, monkeypatch):
    path = answered("hi_tom")
    (tmp_path / "file").write_text("")
    result = score("hi_tom", path, "--report", tmp_path / "file" / "r.json")
    assert result[0] == 1 and "nothing half-written was left" in result[2]
    replace, done = os.replace, []

    def once(source, to):
        if done:
            raise OSError(28, "No space left on device")
        done.append(to)
        replace(source, to)

    monkeypatch.setattr(os, "replace", once)
    code, _, errors = score("hi_tom", path, "--pictures", tmp_path / "p")
    assert code == 1 and "No space left on device" in errors
    assert listed(tmp_path / "p") == [Path(done[0]).name]


def test_a_reply_that_is_no_text_is_empty_and_odd_characters_are_shown(rows_of, scored, tmp_path):
    lines = replies_to(rows_of("hi_tom"))
    lines[0]["response"], lines[1]["response"] = None, "\ud800 ?"
    printed, report = scored("hi_tom", write_lines(tmp_path / "answers.jsonl", lines))
    assert report["scores"]["all"]["read"]["unread"] == {EMPTY: 1, SILENT: 1}
    assert "2 of 120 replies are unread, and scored wrong: 1 empty, 1 names no choice" in printed
    assert "\\ud800 ?" in printed


def test_replies_that_hit_the_limit_of_tokens_are_counted_apart(rows_of, scored, score, tmp_path):
    """As servers say it: `finish_reason` of chat completions, `stop_reason` of messages."""
    lines = replies_to(rows_of("hi_tom"))
    lines[0] |= {"response": "Let me think step by step.", "finish": "length"}
    lines[1] |= {"finish": "max_tokens"}
    lines[2] |= {"response": "Hm.", "finish": "stop"}
    lines[3] |= {"finish": None}
    path, rows = write_lines(tmp_path / "answers.jsonl", lines), tmp_path / "rows.jsonl"
    printed, report = scored("hi_tom", path)
    assert report["scores"]["all"]["read"]["cut"] == {"replies": 2, "unread": 1}
    assert "2 ended at a limit of tokens, 1 of them unread\n" in printed
    assert score("hi_tom", path, "--rows", rows)[0] == 0
    assert [json.loads(line)["cut"] for line in rows.read_text().splitlines()[:4]] == [True, True, False, False]
    lines[4]["finish"] = 7
    code, _, errors = score("hi_tom", write_lines(tmp_path / "odd.jsonl", lines))
    assert code == 1 and errors.endswith("line 5: its finish is 7; expected why the reply ended, such as length\n")


def test_all_files_are_written_though_nobody_reads_what_is_printed(folder, answered, tmp_path):
    """As where `score … | head` ends it."""
    words = ["score", "hi_tom", "--out", folder, "--responses", answered("hi_tom")]
    words += ["--rows", "rows.jsonl", "--report", "report.json", "--pictures", "pictures"]
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tom_datasets", *map(str, words)]
    done = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
    assert (
        listed(tmp_path) == ["answers.jsonl", "pictures", "report.json", "rows.jsonl"]
        and len(listed(tmp_path / "pictures")) == 5
    )


def test_the_lines_of_the_page(run, tmp_path, monkeypatch):
    """From nothing to a table, with the mock model of the page; our commands run in this process."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "how_to" / "evaluate.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^## 1\. .*?^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    install, *lines = block.splitlines()
    assert install == 'pip install ".[build]"' and len(lines) == 4
    for line in lines:
        command, _, file = re.sub(r" +#.*", "", line).partition(" > ")
        if not command.startswith("python -m tom_datasets "):
            subprocess.run(line, shell=True, cwd=tmp_path, check=True)
            continue
        code, printed, errors = run(*shlex.split(command)[3:])
        assert code == 0, errors
        if file:
            Path(file).write_text(printed, encoding="utf-8")
    assert "joint" in printed and "report: report.json" in printed
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["scores"] and report["unread"] == []
    assert len(list((tmp_path / "try" / "pictures").glob("hi_tom_score_*.png"))) >= 4
