"""Both datasets as an environment of verifiers: endless tasks, and the reward of a reply.

`vf-eval theory-of-mind --env.taskset.dataset hi_tom --env.taskset.config deep` asks them. It needs the package
`tom-datasets`.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import verifiers.v1 as vf

from tom_datasets.answers.rewards import KEPT, final_lines, reward
from tom_datasets.streaming.endless import endless
from tom_datasets.training.chat import answer_of, prompt_of

__all__ = ["TheoryOfMindTaskset"]


class TheoryOfMindConfig(vf.TasksetConfig):
    """Choose the endless rows."""

    dataset: str = "hi_tom"
    """The dataset: hi_tom or mindgames."""
    config: str = "deep"
    """A published config of it."""
    seed: int = 0
    """An integer of 64 bits."""
    start: int = 0
    """Index of the first row."""
    style: str | None = None
    """The style of the prompt; None for that of the config."""
    fields: dict[str, Any] = {}
    """Fields of the config with other values, such as n_agents."""
    curriculum: list[tuple[dict[str, Any], float]] | None = None
    """Stages, each (fields, weight), instead of one config throughout."""


class TheoryOfMindData(vf.TaskData):
    """Hold a question."""

    row: dict[str, Any]
    """What the reward needs of the row."""


class TheoryOfMindTask(vf.Task[TheoryOfMindData]):
    """Ask one question."""

    @property
    def key(self) -> str:
        """Return the same for the same prompt, wherever the question stands among the tasks."""
        return sha256(self.data.prompt.encode()).hexdigest()

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the right answer is paid, and no other choice or label is."""
        row = self.data.row
        lines = final_lines(row)
        return lines[answer_of(row)] and all(reward(line, row) == right for line, right in lines.items())

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        """Return 1.0 for a right reply, else 0.0."""
        return reward(trace.last_reply or "", self.data.row)


class TheoryOfMindTaskset(vf.Taskset[TheoryOfMindTask, TheoryOfMindConfig]):
    """Ask the rows of a config for ever."""

    INFINITE = True

    def load(self) -> Iterator[TheoryOfMindTask]:
        """Yield the tasks, from the index `start`."""
        chosen = self.config
        rows = endless(chosen.dataset, chosen.config, chosen.seed, chosen.curriculum, **chosen.fields)
        for row in rows.rows_from(chosen.start):
            name = str(row["id"] if "id" in row else row["index"])
            shown = {column: row[column] for column in KEPT[chosen.dataset]}
            yield TheoryOfMindTask(
                TheoryOfMindData(id=f"{chosen.seed}/{name}", name=name, prompt=prompt_of(row, chosen.style), row=shown),
                chosen.task,
            )
