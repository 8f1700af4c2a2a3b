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
