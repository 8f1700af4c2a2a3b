"""How all rows of a mindgames build are planned and made, by any number of processes."""

from collections.abc import Iterator
from itertools import islice

from ..columns import Guesses
from ..difficulty import probe
from ..difficulty.kept import Kept, Source, known_guesses
from ..logic.config import ProblemConfig
from ..logic.rows import SPAN, file_of, joined_plan, plan_part, plan_parts, span_rows
from ..splits import spans
from ..work import spread
from .interface import Row

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
    """Yield each planned row once as (file, row), the setups in turn, whatever the number of processes.

    kept: knows scores, and takes those of all rows.
    """
    source = kept.source if kept else None
    tasks = [
        (config, split, span, [planned[config.name, setup][split][span.start : span.stop] for setup in config.setups],
         source)
        for config in configs
        for split, size in config.sizes().items()
        for span in spans(size, SPAN)
    ]  # fmt: skip
    made = spread(scored_span, tasks, processes, "building", "span")
    for (config, split, *_), (rows, guesses) in zip(tasks, made, strict=True):
        if kept:
            kept.take(guesses)
        for row in rows:
            yield file_of(config, row["setup"], split), row


def scored_span(
    config: ProblemConfig, split: str, span: range, settled: list[list], source: Source | None
) -> tuple[list[Row], Guesses]:
    """Make and score the rows of a span of a split; return them, and the probe's guesses."""
    rows = span_rows(config, split, span, settled)
    return probe.scored_rows(rows, config.scorer, "mindgames", known_guesses(source))
