"""The endless stories of hi_tom: how a number becomes a story with its questions."""

from dataclasses import replace

from ..story.config import CONFIGS, StoryConfig
from ..story.identity import problem_keys
from ..story.rows import file_of, plan_of, story_rows
from ..streams import derived_seed
from .interface import Row
from .units import Unit, chosen_fields, chunk_split, with_fields

CHUNK = 120
"""Stories of a chunk: lengths, letters and rungs come in equal shares within each."""


class StoryUnits:
    """Draw the stories of one config. See `units.Units`."""

    unit = "story"
    chunk = CHUNK
    knobs = "n_agents, lengths or max_order"

    def __init__(self, name: str, seed: int, fields: dict) -> None:
        """Hold the config. Raises UserError for one that cannot be."""
        self.config = with_fields(CONFIGS, name, seed, fields, CHUNK)
        self._split = chunk_split(self.config)
        self._key = "hi_tom", name, chosen_fields(self.config, CONFIGS), seed
        single = self.config.family in ("tomh", "ladder") or self.config.order is not None
        self.size = 1 if single else self.config.depth + 1
        self._chunk, self._plan = -1, []

    def draw(self, number: int, attempt: int) -> Unit:
        """Return the story of a number; further attempts are stories for the same target."""
        chunk, place = divmod(number, CHUNK)
        if chunk != self._chunk:
            self._chunk, self._plan = chunk, plan_of(self._seeded(chunk, 0), self._split)
        target, letters = self._plan[place]
        rows = story_rows(self._seeded(chunk, attempt), self._split, place, target, letters)
        return Unit(rows, problem_keys(rows))

    def _seeded(self, chunk: int, attempt: int) -> StoryConfig:
        return replace(self.config, seed=derived_seed(*self._key, chunk, attempt))

    def file_of(self, row: Row) -> str:
        """Return the file of a row's order."""
        return file_of(self.config, self._split, row["order"])

    def name(self, rows: list[Row], number: int, first: int) -> None:
        """Name rows by the number of their story."""
        prefix = "" if self.config.family == "chapters" else f"{self.config.family}-"
        for row in rows:
            row["story_id"] = f"{prefix}endless-{number:06d}"
            row["id"] = f"{row['story_id']}-{row['order']}"
            row["seed"] = self.config.seed


def problems_in_test(config: StoryConfig) -> list[str]:
    """Return the keys of all problems in the test split of a config."""
    planned = plan_of(config, "test") if "test" in config.sizes() else []
    return [
        key
        for index, (target, letters) in enumerate(planned)
        for key in problem_keys(story_rows(config, "test", index, target, letters))
    ]
