"""The endless stories of hi_tom, and the keys of the problems in its test splits."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..columns import Row
from ..configs import ChunkedUnits
from ..dataset import dataset_named
from ..story.config import FAMILIES, StoryConfig
from ..story.rows import plan_of, problem_keys, story_rows

CHUNK = 120  # stories of a chunk: lengths, letters and rungs come in equal shares within each


# Numbers that name a chunk of questions of many kinds in the names of its stories; digits of a story's own number.
NAMED, ID_DIGITS = 10**6, 6


class Units(ChunkedUnits[StoryConfig]):
    """Draw the stories of one config, each from its chunk and its place there alone."""

    unit = "story"
    chunk = CHUNK
    knobs = "n_agents, lengths or max_order"  # the fields to change where stories cannot be drawn

    def __init__(self, name: str, seed: int, fields: Mapping[str, Any]) -> None:
        """Hold the config. Raises UserError for a config that cannot be."""
        super().__init__("hi_tom", dataset_named("hi_tom").configs, name, seed, fields, CHUNK)
        self._is_mixed = FAMILIES[self.config.family].of_story is not None  # whether a unit is about several stories
        orders = 1 if FAMILIES[self.config.family].single else len(self.config.orders)
        self.size = len(self.config.kinds) if self._is_mixed else orders
        self._plan_of = lru_cache(maxsize=1)(lambda chunk: plan_of(self._seeded(chunk, 0), self.split))

    def draw(self, number: int, attempt: int) -> tuple[list[Row], list[str]]:
        """Return the rows of the story of a number, named as those of its chunk, and the keys of their problems.

        Further attempts are stories for the same target.
        """
        chunk, place = divmod(number, CHUNK)
        target, config = self._plan_of(chunk)[place], self._seeded(chunk, attempt)
        drawn = self._recalled((chunk, attempt), story_rows, config, self.split, place, *target)
        return drawn, problem_keys(drawn)

    def named(self, rows: list[Row], number: int, first: int) -> list[Row]:
        """Return the columns that a stream names anew in rows, as those of the story of a number."""
        named = []
        for row in rows:
            # Where a unit is about several stories, each keeps its name in all units of the chunk.
            own = f"{row['seed'] % NAMED:06d}{row['story_id'][-ID_DIGITS:]}" if self._is_mixed else f"{number:06d}"
            story = f"{self.config.prefix}endless-{own}"
            new_id = row["id"].replace(row["story_id"], story)
            named.append({"story_id": story, "id": new_id, "seed": self.config.seed})
        return named


def problems_in_test(config: StoryConfig) -> list[str]:
    """Return the keys of all problems in the test split of a config, each the same for all renamings."""
    return [
        key
        for index, settled in enumerate(plan_of(config, "test"))
        for key in problem_keys(story_rows(config, "test", index, *settled))
    ]
