"""Score the steps of replies with the command, and by hand."""

import pytest
from answering import row_id
from support import refused

from tom_datasets.explanations import explain


def one_step_wrong(row):
    """Return an explanation whose second step is wrong."""
    first, second, *others = explain(row).split("\n")
    wrong = second.replace("Line ", "Line 9") if "story" in row else second.replace("leaves", "leaves 0,")
    return "\n".join([first, wrong, *others])


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_explanations_are_all_right(scored, answered, name):
    printed, report = scored(name, answered(name, explain), "--steps")
    steps = report["steps"]["all"]
    assert (steps["share"], steps["share_before_wrong"], steps["first_wrong"]) == (1.0, 1.0, {})
    assert steps["with_steps"] == steps["replies"] == report["scores"]["all"]["read"]["replies"]
    assert not report["unread"]
    assert "| 100.0 | 100.0 |" in printed and "first wrong steps" not in printed


def test_the_first_wrong_step_is_named(scored, answered, rows_of):
    printed, report = scored("mindgames", answered("mindgames", one_step_wrong), "--steps")
    steps, (row, *_) = report["steps"]["all"], rows_of("mindgames")
    assert 0 < steps["share_before_wrong"] < steps["share"] < 1
    wrong = one_step_wrong(row).split("\n")[1]
    assert steps["first_wrong"][row_id(row)] == wrong
    assert f'first wrong steps, of {steps["replies"]:,} replies:\n  {row_id(row)}: "{wrong}"\n' in printed
    listed = printed.split("first wrong steps")[1].partition("\n\n")[0]
    assert listed.count("\n") == 5


def test_replies_without_steps_are_worth_nothing(scored, answered):
    printed, report = scored("hi_tom", answered("hi_tom"), "--steps")
    replies = report["steps"]["all"]["replies"]
    none = {"with_steps": 0, "share": 0.0, "share_before_wrong": 0.0, "first_wrong": {}}
    assert report["steps"]["all"] == {"replies": replies, **none}
    assert f"| all | 0 of {replies} | 0 | 0.0 | 0.0 |" in printed


def test_steps_are_of_one_file_about_a_build(score, tmp_path):
    messages = {
        "--data": (2, "--steps cannot be combined with --data; leave it out"),
        "--responses": (1, "--steps takes one file of responses"),
    }
    for option, (code, message) in messages.items():
        refused(score("hi_tom", tmp_path / "a", option, tmp_path / "b", "--steps"), message, code=code)
