"""What the audit measures on a build: the table with gates, and the table that is only shown."""

from collections.abc import Iterator
from dataclasses import replace

from ..audit.rules import apply_rules, cross_validated
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
    outcomes = [row for _, rows in measured(dataset, build, True, processes, learn) for row in rows]
    return count_shares(with_all(dataset, outcomes))


def shown_table(dataset: Dataset, build: Build, processes: int) -> Table:
    """Measure the test splits that have no gates: order 0, and the configs besides the default one."""
    outcomes = []
    for config, rows in measured(dataset, build, False, processes, True):
        named = config in build.request
        outcomes += [replace(row, group=f"{config} {row.group}") for row in rows] if named else rows
    return count_shares(outcomes)


def measured(
    dataset: Dataset, build: Build, gated: bool, processes: int, learn: bool
) -> Iterator[tuple[str, list[Outcomes]]]:
    """Yield each folder whose test file has gates, or has none, with what the rules answer there."""
    tested = [file.removesuffix("/test.parquet") for file in build.distinct_tables if file.endswith("/test.parquet")]
    configs = [
        config
        for config in tested
        if (config in build.request or config == order_name(0)) is not gated and config not in dataset.measured_apart
    ]
    label = "measuring what can be guessed" if gated else "measuring what has no gate"
    tasks = [(dataset, build, config, learn) for config in configs]
    yield from zip(configs, spread(outcomes_of_test, tasks, processes, label, "config", delay=0), strict=True)


def outcomes_of_test(dataset: Dataset, build: Build, config: str, learn: bool) -> list[Outcomes]:
    """Return what the rules answer on the test file of a folder of files, such as an order or a setup."""
    tested, train = dataset.questions(build, f"{config}/test.parquet", learn), f"{config}/train.parquet"
    if tested and not tested[0].features():  # nothing learns
        return apply_rules(tested)
    if train not in build.files:
        return cross_validated(tested)
    fitted = dataset.questions(build, train, learn)
    groups = dict.fromkeys(row.group for row in tested)
    parts = [[[row for row in rows if row.group == group] for rows in (tested, fitted)] for group in groups]
    return [outcome for ours, others in parts for outcome in apply_rules(ours, others)]


def with_all(dataset: Dataset, outcomes: list[Outcomes]) -> list[Outcomes]:
    """Return outcomes, and all of them again as one group where the dataset is pooled."""
    return outcomes + [replace(row, group=ALL) for row in outcomes if dataset.pooled]
