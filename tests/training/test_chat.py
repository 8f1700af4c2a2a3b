"""A row as messages: the prompt of the evaluation, and a reply that is paid."""

import pytest

from builders import prompts
from builders.answers.rewards import reward
from builders.streaming.endless import endless
from builders.training.chat import answer_of, messages_of, prompt_of

CONFIGS = [("hi_tom", "all"), ("hi_tom", "deep"), ("hi_tom", "tomh"), ("mindgames", "all")]


@pytest.mark.parametrize(("dataset", "config"), CONFIGS)
def test_the_reply_is_right_and_the_prompt_that_of_the_evaluation(dataset, config):
    rows = endless(dataset, config, seed=7)
    for index in range(20):
        row = rows[index]
        user, assistant = messages_of(row)
        style = prompts.default_style(dataset, config)
        assert user["content"] == prompts.ask(style, row, rules=prompts.default_rules(config, {}))
        assert (user["role"], assistant["role"]) == ("user", "assistant")
        assert assistant["content"] == f"{row['explanation']}\n\n{answer_of(row)}"
        assert reward(assistant["content"], row) == reward(answer_of(row), row) == 1.0


def test_a_row_without_an_explanation_has_the_answer_alone():
    row = endless("hi_tom", "all", seed=7, explanations=[])[0]
    assert messages_of(row)[1]["content"] == answer_of(row)


def test_a_style_and_rules_can_be_named():
    row = endless("hi_tom", "all", seed=7)[0]
    assert "Think step-by-step" in prompt_of(row, "cotp") and prompt_of(row, rules="paper") != prompt_of(row)


@pytest.mark.parametrize(
    ("config", "style", "message"),
    [
        (("hi_tom", "all"), "5", "unknown style '5'; the styles of hi_tom without examples are vp, cotp, mc, cot"),
        (
            ("mindgames", "all"), "five-shot",
            "unknown style 'five-shot'; the styles of mindgames without examples are zero-shot",
        ),
    ],
)  # fmt: skip
def test_an_unknown_style(config, style, message):
    with pytest.raises(ValueError) as error:
        prompt_of(endless(*config, seed=7)[0], style)
    assert str(error.value) == message


def test_a_row_of_neither_dataset():
    with pytest.raises(
        ValueError,
        match="a row has id, story, question and choices, or premise, hypothesis and setup; this one has story",
    ):
        prompt_of({"story": ""})
