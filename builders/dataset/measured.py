"""Own what the audit measures on a build: the gated table, the table that is only shown, and the published ones."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from builders.audit import learners, published
from builders.audit.gates import GATES
from builders.audit.shares import ALL, Answered, Table, tally
from builders.audit.tables import side_by_side
from builders.dataset.interface import Dataset
from builders.folder.build import Build
from builders.story.config import order_name

COTP = " (CoTP)"
"""How the published groups of Hi-ToM that stand beside ours end."""

Figures = TypeVar("Figures")


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
        answered = answered_test(dataset, build, config, not gates_only)
        if requested:
            shown += [replace(row, group=f"{config} {row.group}") for row in answered]
        else:
            (shown if config == order_name(0) else gated).extend(answered)
    return tally(with_all(dataset, gated)), tally(shown)


def answered_test(dataset: Dataset, build: Build, config: str, fit: bool) -> list[Answered]:
    """Return what the rules answer on the test file of a folder of files, such as an order or a setup."""
    tested, train = dataset.questions(build, f"{config}/test.parquet", fit), f"{config}/train.parquet"
    if tested and not tested[0].seen():  # nothing learns
        return learners.answer(tested)
    if train not in build.files:
        return learners.crossed(tested)
    fitted = dataset.questions(build, train, fit)
    answered = []
    for group in dict.fromkeys(row.group for row in tested):
        ours, others = ([row for row in rows if row.group == group] for rows in (tested, fitted))
        answered += learners.answer(ours, others)
    return answered


def with_all(dataset: Dataset, answered: list[Answered]) -> list[Answered]:
    """Return what was answered, and all of it again as one group where the dataset is pooled."""
    return answered + [replace(row, group=ALL) for row in answered if dataset.pooled]


def published_table(name: str) -> Table:
    """Return the table of the published data that stands beside ours.

    Of Hi-ToM that is the CoTP release, whose labels follow from the text (see `reread`); both releases together would
    count every question twice.
    """
    return without_release(published.of_published(name))


def without_release(groups: Mapping[str, Figures]) -> dict[str, Figures]:
    """Return figures by group, with the name of the release taken off."""
    return {group.removesuffix(COTP): figures for group, figures in groups.items()}


def depth_table(depth: Table) -> str:
    """Return the depth of deep stories as text, each order beside the published one, with the gates."""
    return side_by_side(depth, published.of_published_deep(), GATES["deep"])
