"""What the audit measures on a build: the table with gates, and the table that is only shown."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ..audit import problems, stories
from ..audit.figures import published_depth, published_table
from ..audit.gates import DEEP_GATES, GATES, gates_of
from ..audit.rules import Gate, outcomes_of_test
from ..audit.shares import ALL, Outcomes, Table, count_shares, table_as_json, table_of_json
from ..dataset import dataset_named
from ..files import write_text
from ..folder.build import Build, checksum, sources
from ..splits import in_language_of, language_of_name, plain_name, world_of
from ..story.config import order_name
from ..work import spread

# The names of the rules that learn from texts.
LEARNING = {rule.name for rule in (*stories.RULES, *problems.RULES) if rule.learner}

AUDIT_FILE = "audit.json"  # the file at the root of a folder that says what its build measured


def main_tables(build: Build, processes: int) -> dict[str, Table]:
    """Measure what the card and the explorer show: the table with gates, how deep rows are, and the table without."""
    return {
        "gated": gated_table(build, processes),
        "deep": dataset_named(build.dataset).audit.depth(build, True, processes),
        "shown": shown_table(build, processes),
    }


def write_tables(folder: Path, tables: Mapping[str, Table]) -> None:
    """Write tables into AUDIT_FILE of a folder, on how many rows each rule is right."""
    record = {name: table_as_json(table) for name, table in tables.items()}
    write_text(folder / AUDIT_FILE, json.dumps(record, indent=1) + "\n")


def known_tables(build: Build, processes: int) -> dict[str, Table]:
    """Return the `main_tables` that a build wrote; measure them where it wrote none, or by other sources than these."""
    file, facts = build.folder / AUDIT_FILE, build.files.get(AUDIT_FILE)
    if not (facts and file.is_file() and facts["sha256"] == checksum(file) and build.sources == sources()):
        return main_tables(build, processes)
    record = json.loads(file.read_text(encoding="utf-8"))
    return {name: table_of_json(groups) for name, groups in record.items()}


def compared(build: Build, tables: Mapping[str, Table]) -> dict[str, tuple[Table, Table, Mapping[str, Gate]]]:
    """Return the tables that have gates, each with the published one and the gate of each rule."""
    dataset = build.dataset
    return {
        "gated": (tables["gated"], published_table(dataset), gates_of(dataset, build.default)),
        "deep": (tables["deep"], published_depth(dataset), GATES[DEEP_GATES[dataset]]),
    }


def gated_table(build: Build, processes: int, learn: bool = True) -> Table:
    """Measure the test splits that have gates: the orders from 1, or the setups.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    learn: whether to measure the rules that learn from the text too.
    """
    return count_shares(with_all(build.dataset, [row for _, row in measured(build, True, processes, learn)]))


def shown_table(build: Build, processes: int) -> Table:
    """Measure the test splits that have no gates: order 0, and the configs besides the default one."""
    return count_shares(
        replace(row, group=f"{config} {row.group}") if config in build.request else row
        for config, row in measured(build, False, processes, True)
    )


def spoken_table(build: Build, processes: int) -> Table:
    """Measure the rules that learn from texts on those of other languages, where the English ones have gates.

    In the worlds of English all rules are measured.
    """
    return count_shares(
        replace(row, group=config)
        if world_of(language_of_name(config))
        else replace(
            row, group=config, constant={}, right={rule: row.right[rule] for rule in row.right if rule in LEARNING}
        )
        for config, row in measured(build, True, processes, True, spoken=True)
    )


def measured(
    build: Build, gated: bool, processes: int, learn: bool, spoken: bool = False
) -> Iterator[tuple[str, Outcomes]]:
    """Yield what the rules answer on each row of the test files that have gates, or have none, with its folder.

    spoken: whether to take the files of other languages than that of the build, where rules look at texts alone.
    """
    audit, default = dataset_named(build.dataset).audit, next(iter(build.request))
    tested = [file.removesuffix("/test.parquet") for file in build.distinct_tables if file.endswith("/test.parquet")]
    configs = [
        config
        for config in tested
        if (config != in_language_of(plain_name(config), default)) is spoken
        and bool({config, plain_name(config)} & {*build.request, order_name(0)}) is not gated
        and plain_name(config) not in audit.measured_apart
    ]
    label = "measuring what can be guessed" if gated else "measuring what has no gate"
    tasks = [(audit.questions, build, config, learn) for config in configs]
    of_configs = spread(outcomes_of_test, tasks, processes, label, "config", delay=0)
    yield from ((config, row) for config, rows in zip(configs, of_configs, strict=True) for row in rows)


def with_all(dataset: str, outcomes: list[Outcomes]) -> list[Outcomes]:
    """Return outcomes, and all of them again as one group where the dataset is pooled."""
    return outcomes + [replace(row, group=ALL) for row in outcomes if dataset_named(dataset).audit.pooled]
