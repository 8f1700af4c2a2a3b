"""Own what the audit measures on a build: the gated table, and the table that is only shown."""

from dataclasses import replace

from builders.audit.figures import published_depth
from builders.audit.gates import GATES
from builders.audit.learners import apply_rules, cross_validated
from builders.audit.shares import ALL, Outcomes, Table, count_shares
from builders.audit.tables import side_by_side
from builders.dataset.interface import Dataset
from builders.folder.build import Build
from builders.story.config import order_name


def gated_and_shown(dataset: Dataset, build: Build, gates_only: bool = False) -> tuple[Table, Table]:
    """Measure the test splits: the gated table, and the table of the other configs and of order 0, which is only shown.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    gates_only: whether to leave out what no gate needs, such as the second table.
    """
    gated, shown = [], []
    for file in build.tables:
        config, split = file.removesuffix(".parquet").split("/")
        requested = config in build.request  # else it is an order or a setup of the default config
        if split != "test" or (gates_only and requested):
            continue
        outcomes = outcomes_of_test(dataset, build, config, not gates_only)
        if requested:
            shown += [replace(row, group=f"{config} {row.group}") for row in outcomes]
        else:
            (shown if config == order_name(0) else gated).extend(outcomes)
    return count_shares(with_all(dataset, gated)), count_shares(shown)


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


def depth_table(depth: Table) -> str:
    """Return the depth of deep stories as text, each order beside the published one, with the gates."""
    return side_by_side(depth, published_depth(), GATES["deep"])
