"""Score the steps of replies to either dataset, as rewards do."""

from collections import namedtuple
from dataclasses import replace

import pytest
from copies import COPIES, pairs_of, worths
from support import OF_ALL

from tom_datasets.answers.rewards import reward
from tom_datasets.explanations import explain
from tom_datasets.logic import config as problem_configs
from tom_datasets.logic.rows import part_rows
from tom_datasets.logic.rows import plan_of as plan_problems
from tom_datasets.reader.steps import NEEDED, explanation_fault, judged_steps, share_of_right_steps
from tom_datasets.story import config as story_configs
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.streaming.endless import endless


@pytest.fixture(scope="module")
def rows():
    """Return a few rows of both datasets."""
    stories = replace(story_configs.DEEP, train=2, scorer=None)
    problems = replace(problem_configs.ALL, train=6, validation=None, test=None, checker="embedded", scorer=None)
    blocks = plan_problems(problems, "internal")["train"]
    made = [
        row for i, settled in enumerate(plan_of(stories, "train")) for row in story_rows(stories, "train", i, *settled)
    ]
    return made + part_rows(problems, "internal", "train", range(6), blocks)


def test_an_explanation_is_worth_1_and_its_first_half_less(rows):
    for row in rows:
        steps = row["explanation"].split("\n")
        assert explanation_fault(row["explanation"], row) is None
        assert share_of_right_steps(row["explanation"], row) == 1
        assert judged_steps(row["explanation"], row).first_wrong is None
        half = "\n".join(steps[: len(steps) // 2])
        assert judged_steps(half, row).first_wrong is None and share_of_right_steps(half, row) < 0.2


@pytest.mark.parametrize(
    ("dataset", "config"),
    [("hi_tom", "deep_fr"), ("hi_tom", "woven_zh"), ("mindgames", "deep_zh"), ("mindgames", "rounds_fr")],
)
def test_steps_in_other_languages_are_judged_as_they_are_said(dataset, config):
    stream = endless(dataset, config, seed=7)
    for row in (stream[index] for index in range(3)):
        text = explain(row)
        first, _, rest = text.partition("\n")
        assert explanation_fault(text, row) is None and share_of_right_steps(text, row) == 1
        assert judged_steps(text, row).steps[0] == (first, True)
        assert explanation_fault(rest, row).startswith("step 1 of its explanation is wrong")
        assert share_of_right_steps(f"Bien sûr.\n{text}", row) == 1, "other lines are no steps"
        assert reward(text, row, steps=True) == 2.0


def test_a_row_may_be_a_named_tuple(rows):
    for row in rows:
        columns = ["language", *NEEDED["hi_tom" if "story" in row else "mindgames"]]
        named = namedtuple("Row", columns)(*(row[column] for column in columns))
        assert explanation_fault(row["explanation"], named) is None
        assert share_of_right_steps(row["explanation"], named) == 1


def test_steps_are_paid_with_a_right_answer_only(rows):
    for row in rows:
        steps, _, answer = row["explanation"].rpartition("\n")
        others = {f"Answer: {other}" for other in row.get("choices", ("True", "False"))} - {answer}
        assert reward(row["explanation"], row, steps=True) == 2.0 and reward(answer, row, steps=True) == 1.0
        assert {reward(f"{steps}\n{other}", row, steps=True) for other in others} == {0.0}


def test_steps_that_are_said_again_or_invented_are_worth_nothing(rows):
    for row in rows:
        first = row["explanation"].split("\n")[0]
        alone = share_of_right_steps(first, row)
        assert share_of_right_steps("\n".join([first] * 9), row) == alone < 1
        for reply in ("", row["answer"] if "story" in row else row["label"], row.get("story", row.get("premise"))):
            assert share_of_right_steps(reply, row) == 0


def test_a_row_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="the story is empty"):
        share_of_right_steps("", {"story": "", "question": "Where is the pear really?", "answer": "box", **OF_ALL})


@pytest.mark.parametrize(("name", "configs"), [("hi_tom", ("all", "deep")), ("mindgames", ("all",))])
def test_copies_are_worth_little(name, configs):
    """tests/bench/rewards.py measures more rows."""
    measured = worths(name, configs, 50)
    assert set(measured) == set(COPIES[name])
    assert all(sum(worth) / len(worth) < 0.2 for worth in measured.values())
    assert all(share_of_right_steps(row["explanation"], row) == 1 for row, _ in pairs_of(name, "all", 20))
