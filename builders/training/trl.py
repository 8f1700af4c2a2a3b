"""What TRL's GRPOTrainer takes: examples with a conversational prompt, and a reward function of its signature.

It needs no TRL: its datasets are those of `datasets`, and its reward functions are plain functions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..answers.rewards import SHOWN, reward
from ..streaming.endless import endless
from .chat import prompt_of


def examples(
    dataset: str, config: str = "all", seed: int = 0, start: int = 0, style: str | None = None, **fields: Any
) -> Iterator[dict[str, Any]]:
    """Yield the endless rows of a config, from the index `start`, as TRL's examples.

    An example has `prompt`, one message of a user, and the columns that `answer_reward` needs. `fields` are those of
    `endless`, which also takes a curriculum. Raises UserError.
    """
    for row in endless(dataset, config, seed, **fields).rows_from(start):
        prompt = [{"role": "user", "content": prompt_of(row, style)}]
        yield {"prompt": prompt, **{column: row[column] for column in SHOWN[dataset]}}


def answer_reward(
    prompts: Sequence[Any], completions: Sequence[str | list[Mapping[str, str]]], **columns: Any
) -> list[float]:
    """Return the reward of each completion, given the columns of its example; a function of TRL's signature."""
    needed = {name for names in SHOWN.values() for name in names}
    return [
        reward(_text(completion), {name: columns[name][place] for name in columns.keys() & needed})
        for place, completion in enumerate(completions)
    ]


def _text(completion: str | list[Mapping[str, str]]) -> str:
    """Return the text of a completion; of a conversation, the text of its last message."""
    return completion if isinstance(completion, str) else completion[-1]["content"] or ""
