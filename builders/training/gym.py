"""Both datasets as `ProceduralDataset` of reasoning-gym, with curricula, and scored by our own reward.

reasoning-gym keeps datasets by name: `register` adds `hi_tom` and `mindgames`. Its own scoring pays for an answer that
stands somewhere in a reply; `score_answer` here does not.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition, ScalarAttributeDefinition
from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset

from ..answers.rewards import reward
from ..errors import UserError
from ..streaming.endless import Endless, endless
from .chat import answer_of, prompt_of


@dataclass
class EndlessConfig(ABC):
    """Choose endless rows. A dataset adds its configs, and the fields that its `chosen` reads."""

    dataset: ClassVar[str]
    style: str | None = None  # the style of the prompt; None for the config's style
    seed: int = 0  # an integer of 64 bits
    size: int = 500  # nominal size of the dataset

    @property
    @abstractmethod
    def config(self) -> str:
        """Return the name of a published config: a field."""

    @abstractmethod
    def chosen(self) -> dict[str, Any]:
        """Return the fields of the endless rows that can be chosen here."""

    def rows(self) -> Endless:
        """Return the endless rows. Raises UserError for a field with a wrong value."""
        return endless(self.dataset, self.config, self.seed, **self.fields())

    def fields(self) -> dict[str, Any]:
        """Return the fields of the rows. A config that our defaults do not suit keeps those that are not chosen."""
        usual = type(self)()
        suited, defaults = self.config == usual.config, usual.chosen()
        return {field: value for field, value in self.chosen().items() if suited or value != defaults[field]}

    def validate(self) -> None:
        """Raise AssertionError, as reasoning-gym's configs do, for a field with a wrong value."""
        if self.size <= 0:
            raise AssertionError(f"size is {self.size}; it must be 1 or more")
        try:
            self.rows()
        except UserError as error:
            raise AssertionError(str(error)) from None


@dataclass
class StoriesConfig(EndlessConfig):
    """Choose the stories of hi_tom."""

    dataset = "hi_tom"
    config: str = "deep"  # a published config
    n_agents: int = 5  # agents of a story
    max_order: int = 4  # the highest order asked
    min_chapters: int = 2  # the fewest chapters of a story
    max_chapters: int = 3  # the most
    links: int | None = None  # secret minds in a row that notice the next one, at most; None for no limit
    overhearing: bool = True  # whether agents overhear private claims
    thoughts: bool = True  # whether agents make claims about thoughts

    def chosen(self) -> dict[str, Any]:
        """Return the fields of the endless rows that can be chosen here."""
        lengths = tuple(range(self.min_chapters, self.max_chapters + 1))
        orders = {"n_agents": self.n_agents, "max_order": self.max_order, "lengths": lengths}
        return orders | {"links": self.links, "overhearing": self.overhearing, "thoughts": self.thoughts}


@dataclass
class ProblemsConfig(EndlessConfig):
    """Choose the problems of mindgames."""

    dataset = "mindgames"
    config: str = "all"  # a published config
    min_agents: int = 2  # the fewest agents of a problem
    max_agents: int = 4  # the most
    max_order: int = 2  # the highest order of a hypothesis

    def chosen(self) -> dict[str, Any]:
        """Return the fields of the endless rows that can be chosen here."""
        return {"n_agents": tuple(range(self.min_agents, self.max_agents + 1)), "max_order": self.max_order}


class EndlessDataset(ProceduralDataset):  # type: ignore[misc]  # .venv has no reasoning-gym
    """Give endless rows as items of reasoning-gym."""

    category = "theory_of_mind"  # what reports group datasets by

    def __init__(self, config: EndlessConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._rows = config.rows()

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return the item of an index: the endless row of that index, whatever the size."""
        row, config = self._rows[idx], self.config
        about = {"source_dataset": config.dataset, "source_index": idx, "difficulty": config.fields(), "row": row}
        return {"question": prompt_of(row, config.style), "answer": answer_of(row), "metadata": about}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return our own reward of a reply; None counts as an empty one."""
        return reward(answer or "", entry["metadata"]["row"])


class StoriesCurriculum(BaseCurriculum):  # type: ignore[misc]  # as above
    """Raise the order, the agents, the chapters and the links of stories."""

    def __init__(self) -> None:
        super().__init__(StoriesCurriculum.__name__, StoriesConfig)
        self._define_attributes(
            ScalarAttributeDefinition(name="max_order", field_name="max_order", levels=[1, 2, 3, 4, 5]),
            ScalarAttributeDefinition(name="n_agents", field_name="n_agents", levels=[5, 5, 5, 6, 7]),
            ScalarAttributeDefinition(name="links", field_name="links", levels=[0, 1, 2, 3, 4]),
            _range("chapters", [2, 3, 4, 5, 6]),
        )


class ProblemsCurriculum(BaseCurriculum):  # type: ignore[misc]  # as above
    """Raise the agents of problems and the order of hypotheses."""

    def __init__(self) -> None:
        super().__init__(ProblemsCurriculum.__name__, ProblemsConfig)
        self._define_attributes(
            ScalarAttributeDefinition(name="max_order", field_name="max_order", levels=[1, 2, 3, 4]),
            _range("agents", [2, 3, 4, 5]),
        )


def _range(name: str, levels: list[int]) -> RangeAttributeDefinition:
    """Return the definition of two fields, such as min_agents and max_agents."""
    return RangeAttributeDefinition(
        name=name, levels=levels, lower_field_name=f"min_{name}", upper_field_name=f"max_{name}"
    )


def register() -> None:
    """Let reasoning-gym find `hi_tom` and `mindgames` by their names; do so once a process."""
    if "hi_tom" not in DATASETS:
        register_dataset("hi_tom", EndlessDataset, StoriesConfig, StoriesCurriculum)
        register_dataset("mindgames", EndlessDataset, ProblemsConfig, ProblemsCurriculum)
