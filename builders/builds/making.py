"""How the rows of a build are made and scored, by any number of processes."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from ..columns import NOTHING_KNOWN, Guesses, Row
from ..configs import FamilyConfig, problems_of
from ..dataset import dataset_named
from ..difficulty import probe
from ..difficulty.kept import Kept
from ..groups import grouped_by
from ..splits import file_of, spans
from ..witness import Witnesses, recorded
from ..work import spread
from .witness_files import own_file, witnesses_of


def make(
    dataset: str,
    configs: Sequence[FamilyConfig],
    processes: int,
    kept: Kept | None = None,
    witnesses: Witnesses | None = None,
) -> Generator[tuple[str, Row], None, None]:
    """Yield each row once as (file, row), in the order of their indices, whatever the number of processes.

    Rows of `all` have the file of their order or setup. kept: has scores of earlier builds, and gets those of all
    rows. witnesses: know what earlier builds found, and take what is found.
    """
    witnesses = witnesses or Witnesses()
    rows = dataset_named(dataset)
    known = kept.known if kept else NOTHING_KNOWN
    twins = grouped_by(problems_of, configs).values()  # what has the same problems, which are drawn once for all
    plans, tasks = rows.planned([first for first, *_ in twins], processes, witnesses), []
    for first, *others in twins:
        for split, size in first.sizes().items():
            group = [first, *(twin for twin in others if split in twin.sizes())]
            settled = plans[first.name, split]
            cut = spans(size, rows.span)
            asked = witnesses.known(first.section), scored_span, dataset, group, split
            tasks += [(*asked, span, settled[span.start : span.stop], known) for span in cut]
    made = spread(recorded, tasks, processes, "building", "span")
    for (_, _, _, group, split, *_), (scored, found) in zip(tasks, made, strict=True):
        witnesses.take(group[0].section, found)
        for config, (of_config, guesses) in zip(group, scored, strict=True):
            if kept:
                kept.guesses.update(guesses)
            for row in of_config:
                yield file_of(config, split, row), row


def rows_of_split(dataset: str, config: FamilyConfig, split: str, parts: list[range] | None = None) -> Iterator[Row]:
    """Yield the scored rows of a split, or of parts of its indices, in this process."""
    rows, scorer = dataset_named(dataset), probe.scorer_for(config)
    known = witnesses_of([config], [own_file(dataset)]).known(config.section)
    plan, _ = recorded(known, rows.plan_of, config, split)
    for span in spans(len(plan), rows.span) if parts is None else parts:
        (of_config,), _ = recorded(known, rows.span_rows, [config], split, span, plan[span.start : span.stop])
        yield from probe.scored_rows(of_config, scorer, dataset)[0]


def scored_span(
    dataset: str, configs: Sequence[FamilyConfig], split: str, span: range, settled: Sequence[Any], known: Guesses
) -> list[tuple[list[Row], Guesses]]:
    """Make and score the rows of a span of a split of each config; return them, and the probe's guesses.

    known: guesses that the probe need not give again.
    """
    made = dataset_named(dataset).span_rows(configs, split, span, settled)
    return [
        probe.scored_rows(rows, probe.scorer_for(config), dataset, known)
        for config, rows in zip(configs, made, strict=True)
    ]
