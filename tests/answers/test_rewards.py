"""Rewards: who is refused, the question said back, and steps. What is paid for which reply is in replies.jsonl."""

import pytest

from tom_datasets import prompts
from tom_datasets.answers.rewards import reward
from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import answer_of, prompt_of


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "all"), ("hi_tom", "tomh"), ("mindgames", "all")])
@pytest.mark.parametrize("reply", (None, *prompts.REPLIES))
def test_repeating_the_question_is_not_paid(dataset, config, reply):
    rows = endless(dataset, config, seed=7)
    for index in range(0, 60, 3):
        prompt = prompt_of(rows[index], reply=reply)
        for echo in (prompt, prompt.split("\n")[-1], f"{prompt}\n\nAnswer:", f"{prompt}\n\nAnswer: X"):
            assert reward(echo, rows[index]) == 0.0, echo


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "deep"), ("mindgames", "forehead")])
def test_right_steps_add_their_share_where_the_contract_is_kept(dataset, config):
    rows = endless(dataset, config, seed=7)
    for index in range(4, 20, 5):
        row = rows[index]
        reply = row["explanation"]
        assert (reward(reply, row), reward(reply, row, steps=True)) == (1.0, 2.0)
        assert reward(f"{reply}.", row, steps=True) == 0.0, "its last line ends with a full stop"
        assert reward(answer_of(row), row, steps=True) == 1.0, "no steps"
        first, *others = reply.splitlines()
        wrong = "\n".join([*others[::-1], first, "", answer_of(row)])
        assert 1.0 <= reward(wrong, row, steps=True) < 2.0


@pytest.mark.parametrize("response", [None, 3, ["B"], b"B"])
def test_a_response_that_is_no_text_is_refused(response):
    with pytest.raises(TypeError, match="response is .*; it must be a text"):
        reward(response, {"label": "entailment"})


def test_a_row_without_a_question_is_refused():
    with pytest.raises(ValueError, match="a row must have choices and answer, or label; this one has story"):
        reward("Answer: B", {"story": "1 Emma entered."})
