"""A row as messages: a prompt, and the reply that it asks for, which is paid."""

import pytest

from tom_datasets import prompts
from tom_datasets.answers.rewards import reward
from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import answer_of, messages_of, prompt_of

CONFIGS = [("hi_tom", "all"), ("hi_tom", "deep"), ("hi_tom", "tomh"), ("mindgames", "all")]


@pytest.mark.parametrize(("dataset", "config"), CONFIGS)
def test_the_reply_is_paid_and_is_what_the_prompt_asks_for(dataset, config):
    rows = endless(dataset, config, seed=7)
    style, rules = prompts.default_style(dataset, config), prompts.default_rules(config, {})
    for index in range(20):
        row = rows[index]
        explained, answered = messages_of(row), messages_of(row, reply="answer")
        for reply, (user, assistant) in {"explained": explained, "answer": answered}.items():
            assert user["content"] == prompts.ask(style, row, rules=rules, reply=reply)
            assert (user["role"], assistant["role"]) == ("user", "assistant")
            assert reward(assistant["content"], row) == 1.0
        assert "Explain" in explained[0]["content"] and "without explanation" not in explained[0]["content"]
        assert "no explanation" in answered[0]["content"] and answered[1]["content"] == answer_of(row)
        assert explained[1]["content"] == row["explanation"] and row["explanation"].endswith(f"\n{answer_of(row)}")


def test_a_row_without_an_explanation_is_not_explained():
    row = endless("hi_tom", "all", seed=7, explanations=[])[0]
    with pytest.raises(ValueError, match="a row has no explanation, like all rows of test splits; use --reply answer"):
        messages_of(row)


def test_a_style_rules_and_no_contract_can_be_asked_for():
    row = endless("hi_tom", "all", seed=7)[0]
    assert prompt_of(row, rules="paper") != prompt_of(row)
    assert "'Answer: X'" in prompt_of(row) and prompt_of(row, reply=None) == prompts.ask("vp", row)
    assert "Think step-by-step" in prompt_of(row, "cotp", reply=None) and "Think" not in prompt_of(row, "cotp")


@pytest.mark.parametrize(
    ("dataset", "style", "allowed"), [("hi_tom", "5", "vp, cotp, mc, cot"), ("mindgames", "five-shot", "zero-shot")]
)
def test_an_unknown_style(dataset, style, allowed):
    with pytest.raises(ValueError) as error:
        prompt_of(endless(dataset, "all", seed=7)[0], style)
    assert str(error.value) == f"unknown style '{style}'; expected a style of {dataset} without examples: {allowed}"


def test_a_row_of_neither_dataset():
    known = "choices, config and language, or premise, hypothesis, setup and language; this one has story"
    with pytest.raises(ValueError, match=known):
        prompt_of({"story": ""})
