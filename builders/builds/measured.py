"""What the audit measures on a build: the table with gates, and the table that is only shown."""

from collections.abc import Iterator
from dataclasses import replace

from ..audit import problems, stories
from ..audit.rules import outcomes_of_test
from ..audit.shares import ALL, Outcomes, Table, count_shares
from ..folder.build import Build
from ..splits import plain_name
from ..story.config import order_name
from ..topics import topic
from ..work import spread


def gated_table(build: Build, processes: int, learn: bool = True) -> Table:
    """Measure the test splits that have gates: the orders from 1, or the setups.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    learn: whether to measure the rules that learn from the text too.
    """
    outcomes = [row for _, rows in measured(build, True, processes, learn) for row in rows]
    return count_shares(with_all(build.dataset, outcomes))


def shown_table(build: Build, processes: int) -> Table:
    """Measure the test splits that have no gates: order 0, and the configs besides the default one."""
    outcomes = []
    for config, rows in measured(build, False, processes, True):
        named = config in build.request
        outcomes += [replace(row, group=f"{config} {row.group}") for row in rows] if named else rows
    return count_shares(outcomes)


def spoken_table(build: Build, processes: int) -> Table:
    """Measure the rules that learn from texts on those of other languages, where the English ones have gates."""
    learning = {rule.name for rule in (*problems.RULES, *stories.RULES) if rule.learner}
    outcomes = []
    for config, rows in measured(build, True, processes, True, spoken=True):
        for row in rows:
            right = {rule: is_right for rule, is_right in row.right.items() if rule in learning}
            outcomes.append(replace(row, group=config, constant={}, right=right))
    return count_shares(outcomes)


def measured(
    build: Build, gated: bool, processes: int, learn: bool, spoken: bool = False
) -> Iterator[tuple[str, list[Outcomes]]]:
    """Yield each folder whose test file has gates, or has none, with what the rules answer there.

    spoken: whether to take the files of other languages than that of the build, where rules look at texts alone.
    """
    audit = topic(build.dataset, "audit")
    tested = [file.removesuffix("/test.parquet") for file in build.distinct_tables if file.endswith("/test.parquet")]
    configs = [
        config
        for config in tested
        if (plain_name(config) != config) is spoken
        and (plain_name(config) in build.request or plain_name(config) == order_name(0)) is not gated
        and config not in audit.MEASURED_APART
    ]
    label = "measuring what can be guessed" if gated else "measuring what has no gate"
    tasks = [(audit.questions, build, config, learn) for config in configs]
    yield from zip(configs, spread(outcomes_of_test, tasks, processes, label, "config", delay=0), strict=True)


def with_all(dataset: str, outcomes: list[Outcomes]) -> list[Outcomes]:
    """Return outcomes, and all of them again as one group where the dataset is pooled."""
    return outcomes + [replace(row, group=ALL) for row in outcomes if topic(dataset, "audit").POOLED]
