"""What TRL takes: examples, and a reward function of its signature (test_trainers.py trains with them)."""

from itertools import islice

import pytest

from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import answer_of, prompt_of
from tom_datasets.training.trl import answer_reward, examples


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "deep"), ("mindgames", "forehead")])
def test_examples_are_paid_by_their_columns(dataset, config):
    rows = list(islice(endless(dataset, config, seed=7), 8))
    batch = list(islice(examples(dataset, config, seed=7), 8))
    assert [example["prompt"] for example in batch] == [[{"role": "user", "content": prompt_of(row)}] for row in rows]
    assert next(examples(dataset, config, seed=7, start=5)) == batch[5]
    columns = {name: [example[name] for example in batch] for name in batch[0]}
    columns |= {"completion_ids": [[1]] * 8, "trainer_state": None}
    texts = [answer_of(row) if number % 2 else "I cannot know." for number, row in enumerate(rows)]
    asked = {"prompts": columns.pop("prompt"), **columns}
    for completions in (texts, [[{"role": "assistant", "content": text}] for text in texts]):
        assert answer_reward(completions=completions, **asked) == [0.0, 1.0] * 4
    silent = [[{"role": "assistant", "content": None}]] * 8
    assert answer_reward(completions=silent, **asked) == [0.0] * 8


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "all"), ("mindgames", "forehead")])
def test_an_example_is_paid_in_its_language(dataset, config, language):
    rows = list(islice(endless(dataset, config, seed=7, language=language), 4))
    batch = list(islice(examples(dataset, config, seed=7, language=language), 4))
    columns = {name: [example[name] for example in batch] for name in batch[0]}
    assert answer_reward(columns.pop("prompt"), [answer_of(row) for row in rows], **columns) == [1.0] * 4


NULLS = (None, float("nan"), [], "")
"""What a table of both datasets may hold in the columns of the other one."""


@pytest.mark.parametrize("null", NULLS, ids=repr)
def test_both_datasets_may_be_mixed(null):
    stories, problems = ([*islice(examples(*which, seed=7), 3)] for which in (("hi_tom",), ("mindgames", "forehead")))
    mixed = [*stories[:2], *problems, stories[2]]
    columns = {
        name: [example.get(name, null) for example in mixed] for name in ("choices", "answer", "label", "premise")
    }
    right = [answer_of(example) for example in mixed]
    assert answer_reward([[]] * 6, right, **columns) == [1.0] * 6
    assert answer_reward([[]] * 6, right[1:] + right[:1], **columns) == [
        float(one == other) for one, other in zip(right, right[1:] + right[:1], strict=True)
    ]
    assert answer_reward([[]], ["Answer: entailment"], choices=[null], answer=[null], label=["entailment"]) == [1.0]
    assert answer_reward([[]], ["Answer: A"], choices=[["tub", "jar"]], answer=["tub"], label=[null]) == [1.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"choices": [None], "answer": [None], "label": [None]},
            "the choices of a row is None; it must be a list of te",
        ),
        (
            {"choices": [None], "answer": ["tub"], "label": [None]},
            "the choices of a row is None; it must be a list of t",
        ),
        ({"label": [None]}, "a row must have choices and answer, or label; this one has label"),
        ({"label": ["yes"]}, "the label of a row is 'yes'; it must be one of entailment, not_entailment"),
        ({"label": ["entailment"] * 2}, "1 completions and 2 values of label; give one for each"),
        ({"label": []}, "1 completions and 0 values of label; give one for each"),
        ({}, "a row must have choices and answer, or label; this one has no columns"),
    ],
)
def test_examples_that_cannot_be_paid_are_refused(columns, message):
    with pytest.raises(ValueError) as error:
        answer_reward([[]], ["Answer: A"], **columns)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("completion", "paid"),
    [
        (
            [{"role": "assistant", "content": [{"type": "text", "text": "Answer: "}, {"type": "text", "text": "A"}]}],
            1.0,
        ),
        ([{"role": "assistant", "content": "Answer: B"}, {"role": "assistant", "content": "Answer: A"}], 1.0),
        ([{"role": "assistant", "content": [{"type": "image"}]}], 0.0),
        ([{"role": "assistant", "content": []}], 0.0),
        ([], 0.0),
        (None, 0.0),
        ("", 0.0),
    ],
)
def test_completions_come_in_many_shapes(completion, paid):
    assert answer_reward([[]], [completion], choices=[["tub", "jar"]], answer=["tub"]) == [paid]
