"""Make the rows of a config of hi_tom: plan all stories of a split, then make each from its plan."""

from collections.abc import Sequence

from ..columns import Row
from ..garbage import seldom_collected
from ..story.config import StoryConfig
from ..story.family import Planned
from ..story.rows import plan_of, twin_rows
from ..work import steps


def planned(configs: Sequence[StoryConfig]) -> dict[tuple[str, str], Sequence[Planned]]:
    """Return, by config and split, what is settled of each story; see `plan_of`."""
    parts = {f"{config.name}, {split}": (config, split) for config in configs for split in config.sizes()}
    return {(parts[part][0].name, parts[part][1]): plan_of(*parts[part]) for part in steps(list(parts), "planning")}


@seldom_collected()
def span_rows(configs: Sequence[StoryConfig], split: str, span: range, settled: Sequence[Planned]) -> list[list[Row]]:
    """Return the rows of the stories that have these indices, unscored, for each of some configs with the same stories.

    settled: what is settled of each story.
    """
    stories = [twin_rows(configs, split, index, *one) for index, one in zip(span, settled, strict=True)]
    return [[row for rows in of_config for row in rows] for of_config in zip(*stories, strict=True)]
