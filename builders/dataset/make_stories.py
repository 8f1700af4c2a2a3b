"""How all rows of a hi_tom build are made, by any number of processes."""

from collections.abc import Iterator

from ..columns import Guesses
from ..difficulty import probe
from ..difficulty.kept import Kept, Source, known_guesses
from ..splits import spans
from ..story.config import StoryConfig
from ..story.rows import SPAN, file_of, plan_of, story_rows
from ..work import spread, steps
from .interface import Row


def made_stories(configs: list[StoryConfig], processes: int, kept: Kept | None) -> Iterator[tuple[str, Row]]:
    """Yield each row once as (file, row), in the order of their indices, whatever the number of processes.

    kept: knows scores, and takes those of all rows.
    """
    source = kept.source if kept else None
    parts = {f"{config.name}, {split}": (config, split) for config in configs for split in config.sizes()}
    tasks = []
    for part in steps(list(parts), "planning"):
        config, split = parts[part]
        settled = plan_of(config, split)
        tasks += [
            (config, split, span, settled[span.start : span.stop], source)
            for span in spans(config.sizes()[split], SPAN)
        ]
    made = spread(span_rows, tasks, processes, "building", "span")
    for (config, split, *_), (rows, guesses) in zip(tasks, made, strict=True):
        if kept:
            kept.take(guesses)
        for row in rows:
            yield file_of(config, split, row["order"]), row


def span_rows(
    config: StoryConfig, split: str, span: range, settled: list, source: Source | None
) -> tuple[list[Row], Guesses]:
    """Make and score the rows of a span of stories; return them, and the probe's guesses.

    See `plan_of` for what is settled of each story.
    """
    rows = [
        row
        for index, (target, letters) in zip(span, settled, strict=True)
        for row in story_rows(config, split, index, target, letters)
    ]
    return probe.scored_rows(rows, config.scorer, "hi_tom", known_guesses(source))
