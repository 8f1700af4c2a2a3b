"""Both datasets as `ProceduralDataset` of reasoning-gym, with curricula, and scored by our own reward.

reasoning-gym keeps datasets by name: `register` adds `hi_tom` and `mindgames`. Its own scoring pays for an answer that
stands somewhere in a reply; `score_answer` here does not.
"""

from dataclasses import dataclass
from typing import Any

from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition, ScalarAttributeDefinition
from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

from ..answers.rewards import reward
from ..errors import UserError
from ..streaming.endless import endless
from .chat import answer_of, prompt_of


@dataclass
class StoriesConfig:
    """Choose the stories of hi_tom."""

    config: str = "deep"  # a published config
    n_agents: int = 5  # agents of a story
    max_order: int = 4  # the highest order asked
    min_chapters: int = 2  # the fewest chapters of a story
    max_chapters: int = 3  # the most
    style: str | None = None  # the style of the prompt; None for that of the config
    seed: int = 0  # an integer of 64 bits
    size: int = 500  # the length that the dataset pretends to have

    def fields(self) -> dict[str, Any]:
        """Return the fields of the endless rows."""
        lengths = tuple(range(self.min_chapters, self.max_chapters + 1))
        return _chosen(self, {"n_agents": self.n_agents, "max_order": self.max_order, "lengths": lengths})

    def validate(self) -> None:
        """Raise AssertionError, as reasoning-gym's configs do, for a field with a wrong value."""
        _validate("hi_tom", self)


@dataclass
class ProblemsConfig:
    """Choose the problems of mindgames."""

    config: str = "all"  # a published config
    min_agents: int = 2  # the fewest agents of a problem
    max_agents: int = 4  # the most
    max_order: int = 2  # the highest order of a hypothesis
    style: str | None = None  # the style of the prompt; None for that of the config
    seed: int = 0  # an integer of 64 bits
    size: int = 500  # the length that the dataset pretends to have

    def fields(self) -> dict[str, Any]:
        """Return the fields of the endless rows."""
        n_agents = tuple(range(self.min_agents, self.max_agents + 1))
        return _chosen(self, {"n_agents": n_agents, "max_order": self.max_order})

    def validate(self) -> None:
        """Raise AssertionError, as reasoning-gym's configs do, for a field with a wrong value."""
        _validate("mindgames", self)


def _chosen(config: StoriesConfig | ProblemsConfig, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields to set. Our defaults are those of one config; another keeps its own where nothing is chosen."""
    usual = type(config)()
    if config.config == usual.config:
        return fields
    return {field: value for field, value in fields.items() if value != usual.fields()[field]}


def _validate(dataset: str, config: StoriesConfig | ProblemsConfig) -> None:
    assert config.size > 0, f"size is {config.size}; it must be 1 or more"
    try:
        endless(dataset, config.config, config.seed, **config.fields())
    except UserError as error:
        raise AssertionError(str(error)) from None


class _Endless(ProceduralDataset):
    """Give endless rows as items of reasoning-gym."""

    dataset: str

    def __init__(self, config: StoriesConfig | ProblemsConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._rows = endless(self.dataset, config.config, config.seed, **config.fields())

    @property
    def category(self) -> str:
        """Return the category that reports group datasets by."""
        return "theory_of_mind"

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return the item of an index; it is that of the endless row, whatever the size."""
        row = self._rows[idx]
        about = {"source_dataset": self.dataset, "source_index": idx, "difficulty": self.config.fields(), "row": row}
        return {"question": prompt_of(row, self.config.style), "answer": answer_of(row), "metadata": about}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return our own reward of a reply; None counts as an empty one."""
        return reward(answer or "", entry["metadata"]["row"])


class StoriesDataset(_Endless):
    """Give the questions of hi_tom."""

    dataset = "hi_tom"


class ProblemsDataset(_Endless):
    """Give the problems of mindgames."""

    dataset = "mindgames"


class StoriesCurriculum(BaseCurriculum):
    """Raise the order, the agents and the chapters of stories."""

    def __init__(self) -> None:
        super().__init__(StoriesCurriculum.__name__, StoriesConfig)
        self._define_attributes(
            ScalarAttributeDefinition(name="max_order", field_name="max_order", levels=[1, 2, 3, 4, 5]),
            ScalarAttributeDefinition(name="n_agents", field_name="n_agents", levels=[5, 5, 5, 6, 7]),
            RangeAttributeDefinition(
                name="chapters",
                levels=[2, 3, 4, 5, 6],
                lower_field_name="min_chapters",
                upper_field_name="max_chapters",
            ),
        )


class ProblemsCurriculum(BaseCurriculum):
    """Raise the agents of problems and the order of hypotheses."""

    def __init__(self) -> None:
        super().__init__(ProblemsCurriculum.__name__, ProblemsConfig)
        self._define_attributes(
            ScalarAttributeDefinition(name="max_order", field_name="max_order", levels=[1, 2, 3, 4]),
            RangeAttributeDefinition(
                name="agents", levels=[2, 3, 4, 5], lower_field_name="min_agents", upper_field_name="max_agents"
            ),
        )


def register() -> None:
    """Let reasoning-gym find `hi_tom` and `mindgames` by their names; do so once a process."""
    if "hi_tom" not in DATASETS:
        register_dataset("hi_tom", StoriesDataset, StoriesConfig, StoriesCurriculum)
        register_dataset("mindgames", ProblemsDataset, ProblemsConfig, ProblemsCurriculum)
