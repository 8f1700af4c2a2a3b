"""Score people's answers with `score --reader human`: literal choices, samples, seconds, and several people."""

import json

import pytest
from answering import replies_to, right_reply, write_lines
from support import refused

from tom_datasets.answers.people import literal
from tom_datasets.syntax.formula import LABELS

HUMAN = ("--reader", "human")


@pytest.fixture
def person(rows_of, tmp_path):
    """Write the file of a person who answers some rows of a dataset; rightly unless told otherwise."""

    def person(file, name="hi_tom", rows=slice(None), reply_to=right_reply, **more):
        lines = [reply | more for reply in replies_to(rows_of(name)[rows], reply_to)]
        return write_lines(tmp_path / file, lines)

    return person


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        *((said, 1) for said in ("B", "b", " red_box\n", "B. red_box", "Red_Box")),
        *((said, None) for said in ("", "A. red_box", "Answer: B", "red box", "B or A", "Z", "C", "I think B")),
    ],
)
def test_a_choice_is_taken_literally(text, choice):
    assert literal("hi_tom", text, ("blue_box", "red_box")).choice == choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("True", 0),
        ("t", 0),
        ("entailment", 0),
        ("False", 1),
        ("F", 1),
        ("not_entailment", 1),
        ("Yes", None),
        ("A", None),
    ],
)
def test_labels_of_people_are_true_and_false(text, choice):
    assert literal("mindgames", text, tuple(LABELS.values())).choice == choice


def test_a_sample_needs_no_partial_and_says_its_mean_seconds(score, person, tmp_path):
    """A story of five questions, and two of the next: these have joint accuracy too, as all lower orders are there."""
    report, rows = tmp_path / "report.json", tmp_path / "rows.jsonl"
    file = person("ann.jsonl", rows=slice(0, 7), seconds=12)
    code, printed, errors = score("hi_tom", file, *HUMAN, "--report", report, "--rows", rows)
    assert (code, errors) == (0, "")
    assert printed.startswith("1 person, answers to hi_tom, all, test split, seed 0: per cent, with 95 % intervals")
    assert "| rows of | person | answers | accuracy |" in printed
    assert "| all | ann | 7 | 100.0 (34–100) | 6.7 | 100.0 (34–100) | " in printed and " | 12.0 |\n" in printed
    written = json.loads(report.read_text())
    assert (written["reader"], written["people"], written["left_out"]) == ("human", 1, {"ann": []})
    assert written["table"][0]["seconds"] == 12
    (first, *_) = map(json.loads, rows.read_text().splitlines())
    assert (first["person"], first["seconds"], first["right"]) == ("ann", 12, True)


def test_several_people_stand_in_one_table_with_all_of_them(score, person, tmp_path):
    """They answered different stories; one of them does not say how long she took."""
    ann = person("ann.jsonl", rows=slice(0, 5), seconds=10)
    ben = person("ben.jsonl", rows=slice(5, 15), reply_to=lambda row: "none of these")
    code, printed, errors = score("hi_tom", ann, ben, *HUMAN)
    assert (code, errors) == (0, "") and printed.startswith("2 people, answers to hi_tom, all")
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines() if line.startswith("| ")]
    table = {(line[0], line[1]): (line[2], line[3].split()[0], line[7].split()[0], line[8]) for line in lines[2:]}
    assert table["all", "ann"] == ("5", "100.0", "0.0", "10.0")
    assert table["all", "ben"] == ("10", "0.0", "100.0", "not noted")
    assert table["all", "all people"] == ("15", "33.3", "66.7", "10.0")
    assert table["0th_order", "all people"][0] == "3" and len(table) == 3 + 5


def test_a_block_that_was_not_asked_whole_has_no_block_accuracy(score, person):
    file = person("ann.jsonl", "mindgames", slice(0, 3), seconds=1.5)
    printed = score("mindgames", file, *HUMAN)[1]
    assert "| all | ann | 3 | 100.0 (21–100) | 50.0 | not defined |  | 0.0 (0–79) | 1.5 |" in printed


def test_what_people_cannot_be_scored_on(score, person, tmp_path):
    file = person("ann.jsonl", rows=slice(0, 5))
    for option in ("--steps", "--style=all-at-once", "--prompt=vp", f"--data={tmp_path / 'd'}"):
        flag = option.split("=")[0]
        message = f"error: --reader human cannot be combined with {flag}; leave it out\n"
        refused(score("hi_tom", file, *HUMAN, option), is_whole=message)
    refused(score("hi_tom", file, file, *HUMAN), f"{file} is named twice with --responses; name each file once")
    wrong = person("wrong.jsonl", rows=slice(0, 1), seconds="long")
    said = f"error: {wrong}, line 1: its seconds is 'long'; expected a number of 0 or more, or null\n"
    refused(score("hi_tom", wrong, *HUMAN), is_whole=said)
    lines = [{"id": "nobody", "response": "A"}]
    strange = write_lines(tmp_path / "strange.jsonl", lines)
    refused(score("hi_tom", strange, *HUMAN), "none of its 1 ids names a row here (first id: 'nobody'; ")
    twice = write_lines(tmp_path / "twice.jsonl", [*map(json.loads, file.read_text().splitlines()), *lines])
    refused(score("hi_tom", twice, *HUMAN), "1 unknown ids (first: 'nobody'); add --partial to score the rest")
    assert "left out of twice: 1 unknown ids" in score("hi_tom", twice, *HUMAN, "--partial")[1]
