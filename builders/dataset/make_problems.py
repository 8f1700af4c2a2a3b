"""Own how all rows of a mindgames build are planned and made, by any number of processes."""

from collections.abc import Iterator
from itertools import islice

from builders.dataset.interface import Row
from builders.difficulty import probe
from builders.difficulty.columns import Guesses
from builders.difficulty.kept import Kept, Source, known_guesses
from builders.logic.config import ProblemConfig
from builders.logic.rows import file_of, joined_plan, part_rows, parts, plan_part, plan_parts
from builders.work import spread

Planned = dict[tuple[str, str], dict[str, list]]  # by config and setup, the blocks of each split


def planned_setups(configs: list[ProblemConfig], processes: int) -> Planned:
    """Plan every setup of every config."""
    setups = [(config, setup) for config in configs for setup in config.setups]
    tasks = [(config, setup, part) for config, setup in setups for part in plan_parts(config)]
    made = spread(plan_part, tasks, processes, "planning", "part")
    return {
        (config.name, setup): joined_plan(config, setup, list(islice(made, len(plan_parts(config)))))
        for config, setup in setups
    }


def made_problems(
    configs: list[ProblemConfig], planned: Planned, processes: int, kept: Kept | None
) -> Iterator[tuple[str, Row]]:
    """Yield all planned rows as (file, row), in the order of their indices, whatever the number of processes.

    kept: knows scores, and takes those of all rows.
    """
    source = kept.source if kept else None
    tasks = [
        (config, setup, split, span, planned[config.name, setup][split][span.start : span.stop], source)
        for config in configs
        for split in config.sizes()
        for setup, span in parts(config, split)
    ]
    made = spread(scored_part, tasks, processes, "building", "part")
    for (config, setup, split, *_), (rows, guesses) in zip(tasks, made, strict=True):
        if kept:
            kept.take(guesses)
        yield from ((file_of(config, setup, split), row) for row in rows)


def scored_part(
    config: ProblemConfig, setup: str, split: str, span: range, settled: list, source: Source | None
) -> tuple[list[Row], Guesses]:
    """Make and score the rows of a part of a setup and split; return them, and the probe's guesses."""
    rows = part_rows(config, setup, split, span, settled)
    return probe.scored_rows(rows, config.scorer, "mindgames", known_guesses(source))
