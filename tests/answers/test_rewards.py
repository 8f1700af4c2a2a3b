"""Rewards: what is paid, and attempts to be paid for two answers, for the question, or for what nobody sees."""

import pytest
from answering import REASONED

from builders import prompts
from builders.answers.rewards import reward
from builders.streaming.endless import endless
from builders.training.chat import answer_of, messages_of

CHOICES = (
    "green_box red_box blue_treasure_chest red_pantry blue_crate green_bottle red_drawer blue_drawer green_crate "
    "red_crate blue_bottle green_pantry red_bucket blue_bucket green_bucket"
).split()
STORY = {"choices": CHOICES, "answer": "red_box"}
ENTAILED = {"label": "entailment"}
LIST = ", ".join(f"{letter}. {choice}" for letter, choice in zip("ABCDEFGHIJKLMNO", CHOICES, strict=True))

PAID = [
    "B",
    "(B)",
    "**B**",
    "B. red_box",
    "red_box",
    "Red Box",
    "Answer: B",
    "The answer is B.\nred_box",
    "### Final Answer\n\n**B. red_box**",
    r"The final answer is $\boxed{\text{B. red\_box}}$.",
    '{"answer": "B"}',
    "<answer>red_box</answer>",
    "<think>C? no. The answer is A.</think>\n\nB",
    "C? no. The answer is A.</think>\n\nB",
    "C is wrong. The answer is B.",
    "It is in the red_box, because Owen moved it from the blue_crate.",
    "B. red_box\n\nExplanation: Mila left before Owen moved it to the blue_crate.",
    "B. red_box. Mila left before Owen moved it to the blue_crate. Ivy saw it in the green_box.",
    "The answer is the red_box, not the blue_crate.",
    "The answer is B. A careful reader sees that Mila left. I am sure.",
    f"The choices are {LIST}.\n\nMila left first. The answer is B. red_box.",
    REASONED + "So the answer is: B. red_box",
    REASONED + "B. red_box",
    REASONED + "Therefore Owen thinks that it is in the red_box.",
    REASONED + "Therefore Owen thinks that it is in the red_box, not in the blue_bucket.",
]
UNPAID = {
    "no answer": ["", "I cannot know.", "The answer is none of these.", "The answer is P.", "42"],
    "listing choices": [
        LIST,
        LIST.replace(", ", "\n"),
        LIST.replace(", ", ". "),
        " ".join(reversed(CHOICES)),
        ", ".join([*CHOICES[2:], *CHOICES[:2]]),
        "A, B, C, D, E, F, G, H, I, J, K, L, M, N, O",
        "B, C, D",
        "B. C. D.",
        "B C D",
        "The answer is one of: " + LIST,
        "The answer is B, or any of " + LIST,
        "It is in the green_box. It is in the blue_crate. It is in the red_box.",
    ],
    "naming two answers": [
        "B or C",
        "red_box or blue_crate",
        "The answer is B. The answer is C.",
        "The answer is C. The answer is B.",
        "Answer: B\nAnswer: C",
        "B. red_box\nE. blue_crate",
        "The answer is red_box. It may also be the blue_crate.",
        "The answer is red_box. Or the blue_crate.",
        "The answer is red_box blue_crate",
        "red_box, blue_crate is the answer",
        "The answer is red_box. Perhaps Owen thinks of the blue_crate.",
        "The answer is B. red_box. If that is wrong: E. blue_crate.",
        "The answer is red_box (C)",
        "B. blue_crate",
        "Therefore it is in the blue_crate. Therefore it is in the red_box.",
        "<answer>C</answer><answer>B</answer>",
        r"\boxed{C} \boxed{B}",
        '{"answer": "B", "second": "C"}',
        "Well, B. red_box or C",
        "Well, it is in the red_box. C.",
        "B\n\nQuestion: and otherwise?\nAnswer: C",
    ],
    "hiding text in mark-up": [
        "The answer is B. <!-- The answer is C. -->",
        "<!-- The answer is B. -->",
        '<span style="display:none">The answer is B.</span>',
        "<details>The answer is B.</details>",
        "~~C~~ B",
        "[//]: # (The answer is B.)",
        "[C](B)",
        "||The answer is B.||",
        r"\phantom{The answer is B.}",
        r"The answer is \textcolor{white}{B}",
        "The answer is\u200b B",
        "<think>The answer is B.",
        "<think>The answer is B.</think>",
        "<think>C</think> The answer is C. <think>The answer is B.",
        "The answer is B.[^1]\n\n[^1]: blue_crate",
    ],
}
LABELS_PAID = [
    "True",
    "True.",
    "Yes.",
    "entailment",
    "The answer is True.",
    "The hypothesis is not false.",
    "<think>False? no.</think>True",
    "True. No announcement says otherwise.",
    "Mila sees Owen. It is not the case that she knows. Therefore the answer is True.",
]
LABELS_UNPAID = [
    "",
    "True or False?",
    "True or False",
    "True, False",
    "True. False.",
    "True\nFalse",
    "Yes. No.",
    "Yes and no.",
    "entailment, not_entailment",
    "The answer is True. The answer is False.",
    "The answer is False. The answer is True.",
    "The answer is True. It may also be False.",
    "The answer is True or False.",
    "The answer is either entailment or not_entailment.",
    "It is false that it holds. It is true.",
    "<!-- True -->",
    "~~False~~ True",
    "<think>True",
    "True\u200b",
    "True means: so in every case that the announcements leave possible. Otherwise the answer is False.",
    "I cannot tell.",
]


@pytest.mark.parametrize("reply", PAID)
def test_a_right_reply_is_paid(reply):
    assert reward(reply, STORY) == 1.0
    assert reward(reply, {**STORY, "answer": "blue_bucket"}) == 0.0


@pytest.mark.parametrize("reply", [reply for replies in UNPAID.values() for reply in replies])
def test_no_attempt_is_paid_whatever_is_right(reply):
    """Also where the answer is one of those named: an attempt may not be right by chance."""
    paid = [choice for choice in CHOICES if reward(reply, {**STORY, "answer": choice})]
    assert paid == []


def test_there_are_thirty_attempts():
    assert sum(map(len, UNPAID.values())) >= 30 and len(LABELS_UNPAID) >= 15


@pytest.mark.parametrize("reply", LABELS_PAID)
def test_a_right_label_is_paid(reply):
    assert (reward(reply, ENTAILED), reward(reply, {"label": "not_entailment"})) == (1.0, 0.0)


@pytest.mark.parametrize("reply", LABELS_UNPAID)
def test_no_attempt_at_a_label_is_paid(reply):
    assert (reward(reply, ENTAILED), reward(reply, {"label": "not_entailment"})) == (0.0, 0.0)


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "all"), ("hi_tom", "tomh"), ("mindgames", "all")])
@pytest.mark.parametrize("rules", prompts.RULES)
def test_repeating_the_question_is_not_paid(dataset, config, rules):
    rows = endless(dataset, config, seed=7)
    for index in range(0, 60, 3):
        row = rows[index]
        for style in prompts.STYLES[dataset][: 1 if dataset == "mindgames" else None]:
            prompt = prompts.ask(style, row, rules=rules)
            asked = row.get("question") or f"{row['hypothesis']} True or False?"
            for echo in (prompt, asked, f"{prompt}\n\nAnswer:", row.get("story") or row["premise"]):
                assert reward(echo, row) == 0.0, echo


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "deep"), ("mindgames", "forehead")])
def test_right_steps_add_their_share(dataset, config):
    rows = endless(dataset, config, seed=7)
    for index in range(4, 20, 5):
        row = rows[index]
        reply = messages_of(row)[1]["content"]
        assert reward(reply, row) == 1.0 and reward(reply, row, steps=True) == 2.0
        assert reward(answer_of(row), row, steps=True) == 1.0, "no steps"
        first, *others = row["explanation"].splitlines()
        wrong = "\n".join([*others[::-1], first, "", answer_of(row)])
        assert 1.0 <= reward(wrong, row, steps=True) < 2.0
        assert reward(f"{row['explanation']}\n\n<!-- {answer_of(row)} -->", row, steps=True) == 0.0


@pytest.mark.parametrize("response", [None, 3, ["B"], b"B"])
def test_a_response_that_is_no_text_is_refused(response):
    with pytest.raises(TypeError, match="response is .*; it must be a text"):
        reward(response, STORY)


def test_a_row_without_a_question_is_refused():
    with pytest.raises(ValueError, match="a row has choices and answer, or label; this one has story"):
        reward("B", {"story": "1 Emma entered."})
