"""What the audit measures on a build: the table with gates, and the table that is only shown."""

from collections.abc import Iterator
from dataclasses import replace

from ..audit.learners import outcomes_of_test
from ..audit.shares import ALL, Outcomes, Table, count_shares
from ..folder.build import Build
from ..story.config import order_name
from ..topics import topic
from ..work import spread


def gated_table(build: Build, processes: int, learn: bool = True) -> Table:
    """Measure the test splits that have gates: the orders from 1, or the setups.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    learn: whether to measure the rules that learn from the text too.
    """
    gated = [config for config in tested_configs(build) if config not in build.request and config != order_name(0)]
    outcomes = measured(build, gated, processes, "measuring what can be guessed", learn)
    return count_shares(with_all(build.dataset, [row for rows in outcomes for row in rows]))


def shown_table(build: Build, processes: int) -> Table:
    """Measure the test splits that have no gates: order 0, and the configs besides the default one."""
    outcomes = []
    ungated = [
        config
        for config in tested_configs(build)
        if (config in build.request or config == order_name(0))
        and config not in topic(build.dataset, "audit").MEASURED_APART
    ]
    measured_rows = measured(build, ungated, processes, "measuring what has no gate", True)
    for config, rows in zip(ungated, measured_rows, strict=True):
        named = [replace(row, group=f"{config} {row.group}") for row in rows]
        outcomes += named if config in build.request else rows
    return count_shares(outcomes)


def measured(build: Build, configs: list[str], processes: int, label: str, learn: bool) -> Iterator[list[Outcomes]]:
    """Yield what the rules answer on the test files of these folders, measured by so many processes."""
    tasks = [(topic(build.dataset, "audit").questions, build, config, learn) for config in configs]
    return spread(outcomes_of_test, tasks, processes, label, "config", delay=0)


def tested_configs(build: Build) -> list[str]:
    """Return the folders of a build that hold test rows, each row in one, in the order of the record."""
    return [file.removesuffix("/test.parquet") for file in build.distinct_tables if file.endswith("/test.parquet")]


def with_all(dataset: str, outcomes: list[Outcomes]) -> list[Outcomes]:
    """Return outcomes, and all of them again as one group where the dataset is pooled."""
    return outcomes + [replace(row, group=ALL) for row in outcomes if topic(dataset, "audit").POOLED]
