"""What the audit measures on a build: the table with gates, and the table that is only shown."""

from collections.abc import Iterator
from dataclasses import replace

from ..audit.learners import apply_rules, cross_validated
from ..audit.shares import ALL, Outcomes, Table, count_shares
from ..folder.build import Build
from ..story.config import order_name
from ..work import spread
from .interface import Dataset


def gated_table(dataset: Dataset, build: Build, processes: int, learn: bool = True) -> Table:
    """Measure the test splits that have gates: the orders from 1, or the setups.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    learn: whether to measure the rules that learn from the text too.
    """
    gated = [config for config in tested_configs(build) if config not in build.request and config != order_name(0)]
    outcomes = measured(dataset, build, gated, processes, "measuring what can be guessed", learn)
    return count_shares(with_all(dataset, [row for rows in outcomes for row in rows]))


def shown_table(dataset: Dataset, build: Build, processes: int) -> Table:
    """Measure the test splits that have no gates: order 0, and the configs besides the default one."""
    outcomes = []
    ungated = [
        config
        for config in tested_configs(build)
        if (config in build.request or config == order_name(0)) and config not in dataset.measured_apart
    ]
    measured_rows = measured(dataset, build, ungated, processes, "measuring what has no gate", True)
    for config, rows in zip(ungated, measured_rows, strict=True):
        named = [replace(row, group=f"{config} {row.group}") for row in rows]
        outcomes += named if config in build.request else rows
    return count_shares(outcomes)


def measured(
    dataset: Dataset, build: Build, configs: list[str], processes: int, label: str, learn: bool
) -> Iterator[list[Outcomes]]:
    """Yield what the rules answer on the test files of these folders, measured by so many processes."""
    tasks = [(dataset, build, config, learn) for config in configs]
    return spread(outcomes_of_test, tasks, processes, label, "config", delay=0)


def tested_configs(build: Build) -> list[str]:
    """Return the folders of a build that hold test rows, each row in one, in the order of the record."""
    return [file.removesuffix("/test.parquet") for file in build.distinct_tables if file.endswith("/test.parquet")]


def outcomes_of_test(dataset: Dataset, build: Build, config: str, learn: bool) -> list[Outcomes]:
    """Return what the rules answer on the test file of a folder of files, such as an order or a setup."""
    tested, train = dataset.questions(build, f"{config}/test.parquet", learn), f"{config}/train.parquet"
    if tested and not tested[0].features():  # nothing learns
        return apply_rules(tested)
    if train not in build.files:
        return cross_validated(tested)
    fitted = dataset.questions(build, train, learn)
    outcomes = []
    for group in dict.fromkeys(row.group for row in tested):
        ours, others = ([row for row in rows if row.group == group] for rows in (tested, fitted))
        outcomes += apply_rules(ours, others)
    return outcomes


def with_all(dataset: Dataset, outcomes: list[Outcomes]) -> list[Outcomes]:
    """Return outcomes, and all of them again as one group where the dataset is pooled."""
    return outcomes + [replace(row, group=ALL) for row in outcomes if dataset.pooled]
