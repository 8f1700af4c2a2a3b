"""How a config of hi_tom becomes rows: what is settled of its stories first, and then story by story."""

from ..columns import Row
from ..garbage import seldom_collected
from ..story.config import StoryConfig
from ..story.rows import plan_of, story_rows
from ..work import steps

SPAN = 120
"""Stories that one task makes."""


def planned(configs: list[StoryConfig], processes: int) -> dict[tuple[str, str], list]:
    """Return, by config and split, what is settled of each story; see `plan_of`. One process is enough."""
    parts = {f"{config.name}, {split}": (config, split) for config in configs for split in config.sizes()}
    return {(parts[part][0].name, parts[part][1]): plan_of(*parts[part]) for part in steps(list(parts), "planning")}


@seldom_collected()
def span_rows(config: StoryConfig, split: str, span: range, settled: list) -> list[Row]:
    """Return the rows of the stories that have these indices, unscored, given what is settled of each."""
    return [
        row
        for index, (target, letters) in zip(span, settled, strict=True)
        for row in story_rows(config, split, index, target, letters)
    ]
