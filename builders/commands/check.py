"""The command `check`: it proves every row of a build twice, and holds the audit's gates."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from ..builds.measured import gated_table
from ..builds.requests import layout
from ..columns import Row
from ..dataset import dataset_named
from ..difficulty.probe import load_probe
from ..errors import UserError, located
from ..folder.build import Build
from ..splits import split_file, world_of
from ..wording.languages import page
from ..work import spread
from .folders import builds
from .options import command, datasets, out, probe, processes, scorer_of

# The id of a row, the story or block that its text belongs to, and the digests of its text and whole problem.
ProvenRow = tuple[str, str, bytes, bytes]


@command("check")
@datasets
@out
@processes
@probe
def run(dataset: str | None, out: Path, processes: int, probe: str) -> None:
    """Prove every row of the builds, that none occurs twice or in two splits, that gates hold, and no file changed."""
    for build in builds(dataset, out):
        check(build, processes, scorer_of(probe))
        if not build.is_whole():
            build.check_there(build.missing()[0])


def check(build: Build, processes: int, scorer: str | None) -> None:
    """Prove every row of a build, and hold the gates. Raises UserError for the first row or gate that fails."""
    check_rows(build, processes, scorer)
    gated, audit = gated_table(build, processes, learn=False), dataset_named(build.dataset).audit
    audit.hold_gates(build, gated, audit.depth(build, False, processes), audit.apart(build))


def check_rows(build: Build, processes: int, scorer: str | None) -> None:
    """Prove every row of a build, and that no row occurs twice or in two splits.

    No row of a split that models are trained on may be told in a world, unless all are.
    """
    for file in build.distinct_tables:
        world = world_of(build.config_of(file)["language"])
        if world and not world_of(build.default["language"]) and Path(file).stem != "test":
            raise UserError(
                f"{build.folder / file}: rows of {Path(file).stem} are told in the world {world}: build again"
            )
    tasks = row_groups(build, scorer)
    agreed, seen = 0, set()  # ids and problems are the same in every language
    places: dict[bytes, tuple[str, str]] = {}  # the owner and split of each text, by its digest
    groups = spread(prove_group, tasks, processes, "checking", "row group")
    for (_, file, _, config), (fault, rows) in zip(tasks, groups, strict=True):
        agreed += len(rows)
        if fault:
            raise UserError(f"{agreed:,} of {build.total:,} rows agree, then {fault}: build again")
        for row_id, owner, text, problem in rows:
            where, here = f"{build.folder / file}, row {row_id}", (owner, Path(file).stem)
            for part in (("id", row_id), ("problem", problem)):
                if (config["language"], part) in seen:
                    raise UserError(f"{where}: its {part[0]} occurs twice: build again")
                seen.add((config["language"], part))
            if places.setdefault(text, here) != here:
                text_column = dataset_named(build.dataset).text
                raise UserError(f"{where}: its {text_column} occurs in {' '.join(places[text])} too: build again")
    check_repeated(build)
    owners = {owner for owner, _ in places.values()} - {""}
    print(page("check", build.dataset, build.folder, agreed, build.total, len(places), len(owners)))


def row_groups(build: Build, scorer: str | None) -> list[tuple[Build, str, int, dict[str, Any]]]:
    """Return what `prove_group` is given for each row group. Raises UserError where another probe scored the build."""
    with located(""):
        given = scorer and load_probe(scorer, build.dataset).identity
    scored = build.default["scorer"]
    if scored not in (None, given):
        raise UserError(f"{build.folder} was scored by {scored}; give its folder with --probe, not {given}")
    tasks = []
    for file in build.distinct_tables:
        config = build.config_of(file)
        config = {**config, "scorer": config["scorer"] and scorer}
        with build.opened(file) as table:
            tasks += [(build, file, group, config) for group in range(table.num_row_groups)]
    return tasks


def check_repeated(build: Build) -> None:
    """Raise UserError unless the files of `all` hold the rows of its orders or setups, which take turns."""
    facts = dataset_named(build.dataset)
    for file in sorted({*build.tables} - {*build.distinct_tables}):
        parts = [config for config in layout(build) if build.repeat_of(split_file(config, Path(file).stem)) == file]
        sources = [build.rows(split_file(config, Path(file).stem)) for config in parts]
        pairs = zip_longest(build.rows(file), in_turn(sources, facts.turn))
        for number, (ours, theirs) in enumerate(pairs, 1):
            if ours != theirs:
                owner = f"row {(theirs or ours)[facts.id_column]} of {' or '.join(parts)}"
                raise UserError(f"{build.folder / file}: its row {number:,} differs from {owner}: build again")


def in_turn(sources: Sequence[Iterator[Row]], turn: int) -> Iterator[Row]:
    """Yield the rows of several sources: `turn` rows of each, again and again."""
    while rows := [row for source in sources for row in islice(source, turn)]:
        yield from rows


def prove_group(build: Build, file: str, group: int, config: dict[str, Any]) -> tuple[str | None, list[ProvenRow]]:
    """Prove the rows of one row group; return the fault of the first row that has one, and the rows before it."""
    facts, prove = dataset_named(build.dataset), dataset_named(build.dataset).prove
    rows = list(build.rows(file, group=group))
    proven: list[ProvenRow] = []
    for row, found in zip(rows, prove(rows, config, file), strict=True):
        row_id = str(row[facts.id_column])
        if isinstance(found, str):
            return f"{build.folder / file}, row {row_id}: {found}", proven
        owner, text, problem = found
        proven.append((row_id, owner, digest(text), digest(problem)))
    return None, proven


def digest(text: str) -> bytes:
    """Return 128 bits that stand for a text."""
    return hashlib.sha256(text.encode()).digest()[:16]
