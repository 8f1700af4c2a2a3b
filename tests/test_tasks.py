"""Test the tasks for lm-evaluation-harness as far as that is possible without it: their files, and their metrics."""

import math
from types import SimpleNamespace

import pytest
import yaml
from support import ROOT

from tasks.lm_eval import _generate, harness

FOLDER = ROOT / "tasks" / "lm_eval"


class Loader(yaml.SafeLoader):
    """Read YAML as the harness does, with the name of a function for each `!function`."""


Loader.add_constructor("!function", lambda loader, node: SimpleNamespace(function=node.value))


def settings(name: str) -> dict:
    """Return what a task has, with all that it includes."""
    own = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader)
    return {**(settings(own.pop("include")) if "include" in own else {}), **own}


def test_every_file_is_what_the_generator_writes():
    """After a change of _generate.py, run `make tasks`."""
    for name, text in _generate.files().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make tasks"


def test_no_file_is_left_over():
    assert _generate.left_over(list(_generate.files())) == []


def test_writing_deletes_what_is_left_over(tmp_path, monkeypatch):
    monkeypatch.setattr(_generate, "FOLDER", tmp_path)
    for name in ("hi_tom_13th_order.yaml", "_hi_tom_yaml", "tomh.yaml"):
        (tmp_path / name).write_text("by hand")
    _generate.main()
    assert not (tmp_path / "hi_tom_13th_order.yaml").exists()
    assert (tmp_path / "_hi_tom_yaml").read_text() == "by hand"
    assert (tmp_path / "tomh.yaml").read_text() == _generate.files()["tomh.yaml"]
    assert len(list(tmp_path.iterdir())) == len(_generate.files()) + 1


@pytest.mark.parametrize("name", sorted(_generate.files()))
def test_a_file_names_only_tasks_and_functions_that_exist(name):
    found = settings(name)
    if "group" in found:
        assert found["group"] == name.removesuffix(".yaml")
        assert {f"{task}.yaml" for task in found["task"]} <= set(_generate.files())
        return
    assert found["task"] == name.removesuffix(".yaml")
    values = [*found.values(), *(metric["aggregation"] for metric in found["metric_list"])]
    named = [value.function for value in values if isinstance(value, SimpleNamespace)]
    assert named
    for function in named:
        module, _, attribute = function.partition(".")
        assert module == "harness" and callable(getattr(harness, attribute)), function


def test_joint_accuracy_counts_a_question_with_all_lower_orders():
    verdicts = [("s", 0, True), ("s", 1, False), ("s", 2, True), ("t", 0, True), ("t", 1, True)]
    assert harness.joint(verdicts) == 3 / 5
    assert [harness.joint(verdicts, only=order) for order in (0, 1, 2)] == [1, 1 / 2, 0]
    assert harness.joint_1(verdicts) == 1 / 2


def test_joint_accuracy_leaves_out_what_was_not_asked_whole():
    assert harness.joint([("s", 0, True), ("s", 2, True)]) == 1
    assert math.isnan(harness.joint([("s", 2, True)]))
    assert math.isnan(harness.joint([]))


def test_block_accuracy_counts_whole_blocks():
    verdicts = [(block, (block, place) != ("q", 3)) for block in "pq" for place in range(4)]
    assert harness.whole_blocks(verdicts) == 1 / 2
    assert harness.whole_blocks([*verdicts, ("r", True)]) == 1 / 2
    assert math.isnan(harness.whole_blocks([("r", True)]))


def test_replies_are_read_as_score_reads_them():
    row = {"story_id": "s", "order": 0, "choices": ["red_box", "blue_box"], "answer_index": 1}
    assert harness.hi_tom_reply(row, ["B. blue_box"]) == {"acc": 1, "unread": 0}
    assert harness.hi_tom_reply(row, ["Who knows?"]) == {"acc": 0, "unread": 1}
    assert harness.story_reply(row, ["A"])["joint_acc"] == ("s", 0, False)
    problem = {"block": "b", "label": "not_entailment"}
    assert harness.block_reply(problem, ["False"]) == {"acc": 1, "block_acc": ("b", True), "unread": 0}
    assert harness.block_likelihood(problem, [(-1.0, False), (-2.0, False)])["acc"] == 0
