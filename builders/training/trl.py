"""What TRL's GRPOTrainer takes: examples with a conversational prompt, and a reward function of its signature.

It needs no TRL: its datasets are those of `datasets`, and its reward functions are plain functions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..answers.rewards import KEPT, reward
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
        yield {"prompt": prompt, **{column: row[column] for column in KEPT[dataset]}}


def answer_reward(
    prompts: Sequence[Any], completions: Sequence[str | list[Mapping[str, str]]], **columns: Any
) -> list[float]:
    """Return the reward of each completion, given the columns of its example; a function of TRL's signature.

    Where both datasets are mixed, an example has null in the columns of the other one. Raises ValueError for columns of
    another length, and for an example without the columns of a question.
    """
    kept = {name: values for name, values in columns.items() if any(name in names for names in KEPT.values())}
    for name, values in kept.items():
        if len(values) != len(completions):
            raise ValueError(f"{len(completions)} completions and {len(values)} values of {name}; give one for each")
    rows = [{name: values[place] for name, values in kept.items()} for place in range(len(completions))]
    return [reward(_text(completion), row) for completion, row in zip(completions, rows, strict=True)]


def _text(completion: str | Sequence[Mapping[str, Any]] | None) -> str:
    """Return the text of a completion; of a conversation the text of its last message, which may come in parts."""
    said = completion if isinstance(completion, str) else completion[-1]["content"] if completion else ""
    return said if isinstance(said, str) else "".join([part.get("text") or "" for part in said or ()])
