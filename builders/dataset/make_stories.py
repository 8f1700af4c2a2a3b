"""Own how all rows of a hi_tom build are made, by any number of processes."""

from collections.abc import Iterator

from builders.dataset.interface import Row
from builders.difficulty import probe
from builders.story.config import StoryConfig
from builders.story.rows import file_of, plan_of, spans, story_rows
from builders.work import spread, steps


def made_stories(configs: list[StoryConfig], processes: int) -> Iterator[tuple[str, Row]]:
    """Yield all rows as (file, row), in the order of their indices, whatever the number of processes."""
    parts = {f"{config.name}, {split}": (config, split) for config in configs for split in config.sizes()}
    tasks = []
    for part in steps(list(parts), "planning"):
        config, split = parts[part]
        settled = plan_of(config, split)
        tasks += [(config, split, span, settled[span.start : span.stop]) for span in spans(config.sizes()[split])]
    for rows in spread(span_rows, tasks, processes, "building", "span"):
        yield from rows


def span_rows(config: StoryConfig, split: str, span: range, settled: list) -> list[tuple[str, Row]]:
    """Make and score the rows of a span of stories, as (file, row). See `plan_of` for what is settled of each."""
    return [
        (file_of(config, split, row["order"]), probe.with_scores(row, config.scorer, "hi_tom"))
        for index, (target, letters) in zip(span, settled, strict=True)
        for row in story_rows(config, split, index, target, letters)
    ]
