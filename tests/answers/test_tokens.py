"""Score replies by the tokens that they took, by hand and with the command."""

import json
from dataclasses import replace

import pytest
from answering import replies_to, right_reply, write_lines, wrong_reply
from support import refused

from tom_datasets.answers.items import problem_items
from tom_datasets.answers.scores import score
from tom_datasets.answers.tokens import SPENT, Tokens


def problems(tokens):
    """Return items with replies of these tokens; those with ten tokens or more are right."""
    row = dict(block=None, setup="internal", label="entailment")
    items = problem_items({**row, "index": place} for place in range(len(tokens)))
    return [
        replace(item, tokens=number, text=str((number or 0) >= 10)) for item, number in zip(items, tokens, strict=True)
    ]


def test_quarters_and_means_by_hand():
    of_prompt = score("mindgames", problems([1200, 8, None, 10, 9, 30, 20, 40, 8]))["all"]
    assert of_prompt.tokens == {
        "all": Tokens(8, 165.625, 260, 25 / 3),
        "quarter 1: 8 to 8": Tokens(2, 8, None, 8),
        "quarter 2: 8 to 15": Tokens(2, 9.5, 10, 9),
        "quarter 3: 15 to 32": Tokens(2, 25, 25, None),
        "quarter 4: 32 to 1,200": Tokens(2, 620, 620, None),
    }
    table = of_prompt.tables[SPENT]
    assert [*table] == [*of_prompt.tokens] and [*table["all"]] == ["accuracy", "unread"]
    assert [rates["accuracy"].share for rates in table.values()] == [5 / 8, 0, 1 / 2, 1, 1]
    assert of_prompt.tables["all"]["all"]["accuracy"].total == 9, (
        "a reply that says nothing of tokens is no less scored"
    )


def test_few_replies_have_no_quarters_and_no_tokens_no_table():
    few = score("mindgames", problems([0, None, 12, 14]))["all"]
    assert few.tokens == {"all": Tokens(3, 26 / 3, 13, 0)} and [*few.tables[SPENT]] == ["all"]
    none = score("mindgames", problems([None] * 9))["all"]
    assert not none.tokens and SPENT not in none.tables


def test_the_command_prints_and_reports_them(rows_of, scored, tmp_path):
    """Wrong replies are three times as long; each row is asked twice."""
    rows = rows_of("hi_tom")
    lines = replies_to(rows, usage={"prompt_tokens": 900, "completion_tokens": 1000, "total_tokens": 1900})
    details = {"completion_tokens": 3000, "completion_tokens_details": {"reasoning_tokens": 2990}}
    lines += replies_to(rows, wrong_reply, usage=details)
    printed, report = scored("hi_tom", write_lines(tmp_path / "answers.jsonl", lines))
    of_prompt = report["scores"]["all"]
    assert of_prompt["tokens"]["all"] == {"replies": 240, "all": 2000, "right": 1000, "wrong": 3000}
    assert of_prompt["tables"][SPENT]["all"]["accuracy"]["share"] == 0.5
    table = printed.split("\ntokens spent:\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0].startswith("|  | all | quarter ") and table[2].startswith("| replies | 240 | ")
    assert [line.split(" | ")[:2] for line in table[-3:]] == [
        ["| tokens of all replies, mean", "2,000.0"],
        ["| tokens of right replies, mean", "1,000.0"],
        ["| tokens of wrong replies, mean", "3,000.0"],
    ]


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 5}, {"prompt_tokens": None, "completion_tokens": None}])
def test_lines_that_do_not_say_them_are_scored_as_before(rows_of, scored, tmp_path, usage):
    lines = replies_to(rows_of("mindgames"), right_reply)
    bare = scored("mindgames", write_lines(tmp_path / "answers.jsonl", lines))
    written = write_lines(tmp_path / "answers.jsonl", [{**line, "usage": usage} for line in lines])
    assert scored("mindgames", written) == bare and SPENT not in bare[0] and "tokens" not in json.dumps(bare[1])


@pytest.mark.parametrize(
    ("usage", "message"),
    [
        (34, "its usage is 34; expected an object with completion_tokens"),
        (0, "its usage is 0; expected an object with completion_tokens"),
        ([], "its usage is []; expected an object with completion_tokens"),
        ({"completion_tokens": -1}, "its usage has completion_tokens -1; expected an integer of 0 or more"),
        ({"completion_tokens": 3.0}, "its usage has completion_tokens 3.0; expected an integer of 0 or more"),
        ({"completion_tokens": True}, "its usage has completion_tokens True; expected an integer of 0 or more"),
        ({"prompt_tokens": "12"}, "its usage has prompt_tokens '12'; expected an integer of 0 or more"),
        ({"total_tokens": [1]}, "its usage has total_tokens [1]; expected an integer of 0 or more"),
    ],
)
def test_odd_usage_is_one_line(rows_of, score, tmp_path, usage, message):
    lines = replies_to(rows_of("hi_tom"))
    lines[2]["usage"] = usage
    path = write_lines(tmp_path / "answers.jsonl", lines)
    refused(score("hi_tom", path, "--report", tmp_path / "r.json", "--partial"), f"{path}, line 3: {message}")
    assert not (tmp_path / "r.json").exists()
