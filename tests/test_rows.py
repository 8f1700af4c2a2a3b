"""Every public function refuses a wrong row in one line, which says what a row needs."""

import pytest

from tom_datasets.answers.rewards import reward
from tom_datasets.explanations import explain
from tom_datasets.reader.steps import explanation_fault, judged_steps, share_of_right_steps
from tom_datasets.rows import dataset_of
from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import answer_of, messages_of, prompt_of
from tom_datasets.training.trl import answer_reward

FUNCTIONS = {
    "reward": lambda row: reward("B", row),
    "reward of steps": lambda row: reward("Answer: B", row, steps=True),
    "explain": explain,
    "judged_steps": lambda row: judged_steps("", row),
    "share_of_right_steps": lambda row: share_of_right_steps("", row),
    "explanation_fault": lambda row: explanation_fault("", row),
    "prompt_of": prompt_of,
    "answer_of": answer_of,
    "messages_of": messages_of,
    "answer_reward": lambda row: answer_reward([""], ["B"], **{name: [value] for name, value in row.items()}),
}


@pytest.fixture(scope="module")
def rows():
    """Return rows of both datasets, and of a config that has a form of its own."""
    return {
        "hi_tom": endless("hi_tom", "all", seed=7)[1],
        "mindgames": endless("mindgames", "all", seed=7)[0],
        "rounds": endless("mindgames", "rounds", seed=7)[0],
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_row_is_refused_in_one_line(rows, name):
    call = FUNCTIONS[name]
    wrong = [{}, {"id": "x"}]
    for row in rows.values():
        call(row)
        asked = ("story", "events", "chain", "choices", "premise", "hypothesis", "names", "label", "setup")
        for column in row.keys() & set(asked):
            less = {other: value for other, value in row.items() if other != column}
            wrong += [less, row | {column: None}, row | {column: 3}, row | {column: [1]}, row | {column: ""}]
    refused = 0
    for row in wrong:
        try:
            call(row)
        except ValueError as error:
            refused += 1
            assert str(error) and "\n" not in str(error) and "not in list" not in str(error)
    assert refused > 4
    if name != "answer_reward":
        with pytest.raises(ValueError, match="the row is None; it must map the names of columns to their values"):
            call(None)


NEEDED = {"hi_tom": ("choices", "chain", "answer"), "mindgames": ("label", "setup")}
STORY = {"choices": ["tub", "jar"], "chain": [], "answer": "tub"}
PROBLEM = {"label": "entailment", "setup": "internal"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, "a row must have choices, chain and answer, or label and setup; this one has no columns"),
        ({"answer": "tub"}, "a row must have choices, chain and answer, or label and setup; this one has answer"),
        ([], "the row is []; it must map the names of columns to their values"),
        (STORY | {"choices": "tub"}, "the choices of a row is 'tub'; it must be a list of texts"),
        (STORY | {"chain": [None]}, "the chain of a row is [None]; it must be a list of texts"),
        (STORY | {"answer": None}, "the answer of a row is None; it must be a text"),
        (STORY | {"answer": "vase"}, "the answer of a row is 'vase'; it must be one of its choices"),
        (PROBLEM | {"label": "yes"}, "the label of a row is 'yes'; it must be one of entailment, not_entailment"),
    ],
)
def test_what_is_wrong_with_a_row(row, message):
    with pytest.raises(ValueError) as error:
        dataset_of(row, NEEDED)
    assert sorted(str(error.value).split()) == sorted(message.split())


def test_the_dataset_of_a_row():
    assert dataset_of(STORY, NEEDED) == "hi_tom" and dataset_of(PROBLEM, NEEDED) == "mindgames"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"events": "{"}, "the events of a row cannot be read: "),
        ({"story": "1 Ann exited the hall."}, "the story of a row must have one line for each of its "),
        ({"chain": ["Zed"]}, "the chain of a row names Zed; its agents must be in its story"),
        ({"answer": "vase"}, "the answer of a row is vase; it must follow from its events"),
    ],
)
def test_columns_that_do_not_fit_are_not_explained(rows, changes, message):
    with pytest.raises(ValueError, match=message):
        explain(rows["hi_tom"] | changes)
