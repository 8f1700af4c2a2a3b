"""The command `audit`: it prints how often guessing without reading is right."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ..audit import gates
from ..audit.page import page_tables, render_table, with_tables
from ..audit.rules import cross_validated
from ..audit.search import with_found
from ..audit.shares import count_shares, table_as_json
from ..builds.measured import main_tables, spoken_table, with_all
from ..builds.pictures import draw
from ..dataset import NAMES, dataset_named
from ..errors import UserError, located
from ..files import write_text
from ..folder.build import Build, checksum
from ..proof.left_out import LeftOut
from ..proof.published_rows import AUDITED, published_rows
from ..wording.languages import page as spelled
from ..work import steps
from .folders import builds
from .options import command, out, processes, strict, unread
from .published import UNREAD, hold_apart, hold_list, list_left_out
from .values import PATH


@command("audit")
@click.argument(
    "what",
    nargs=-1,
    metavar="[hi_tom|mindgames|FILE]...",
    help="datasets, or files of published data as for reread (default: every dataset whose folder is there)",
)
@out
@click.option(
    "--record",
    type=PATH,
    metavar="JSON",
    help="where to write the figures of files, in the form of builders/audit/published.json",
)
@click.option(
    "--docs",
    type=PATH,
    metavar="PAGE",
    help="a page with markers, such as docs/reference/audit_tables.md, to fill with the tables of default builds",
)
@processes
@strict
@unread
def run(
    what: tuple[str, ...],
    out: Path,
    record: Path | None,
    docs: Path | None,
    processes: int,
    strict: bool,
    unread: Path | None,
) -> None:
    """Print the tables of builds, and whether their gates hold; print the tables of files."""
    files = [PATH.convert(word, None, None) for word in what if word not in NAMES]
    if record and (not files or len(files) < len(what)):
        raise UserError("--record is for files of published data: name only those")
    if docs and files:
        raise UserError("--docs is for builds: leave out the files of published data")
    if not files and (strict or unread):
        raise UserError("--strict and --unread are for files of published data: name one")
    datasets: list[str | None] = [word for word in what if word in NAMES]
    for name in datasets or ([] if files else [None]):
        for build in builds(name, out):
            audit_build(build, out / "pictures", docs, processes)
    if files:
        audit_files(files, record, strict, unread)


def audit_files(files: list[Path], record: Path | None, strict: bool, unread: Path | None) -> None:
    """Print the tables of files of published data; write their figures, and the rows that cannot be read.

    record: where the figures are written. unread: where the rows are written. strict: whether such a row is an error.
    """
    hold_list(unread or UNREAD, [*files, record], "--unread")
    if record:
        hold_apart(record, files, "--record")
    measured: dict[str, dict[str, Any]] = {}
    printed = []
    left_out = [LeftOut(strict) for _ in files]
    for file, faults in zip(files, left_out, strict=True):
        name, figures, table = audit_file(file, faults)
        printed.append(table)
        if record and name in measured:
            raise UserError(
                f"{file} and {measured[name]['file']} both have rows of {name}; --record takes one file of each dataset"
            )
        measured[name] = figures
    told = list_left_out(unread, left_out)
    if record:
        write_text(record, json.dumps(measured, indent=1) + "\n")
    print("\n".join(printed))
    print(told, end="")


def audit_build(build: Build, pictures: Path, page: Path | None, processes: int) -> None:
    """Print the tables of a build and whether its gates hold; draw its pictures, and fill a page if there is one."""
    dataset, audit = build.dataset, dataset_named(build.dataset).audit
    measured = {**main_tables(build, processes), "spoken": spoken_table(build, processes)}
    found, apart = audit.searched(build), audit.apart(build)
    measured |= {"deep": with_found(measured["deep"], found), "readings": audit.readings(build)}
    bounds = gates.gates_of(dataset, build.default)
    tables = page_tables(dataset, bounds, measured, found)
    said = [spelled("audit", "build", build.folder, dataset, tables, audit.tables_apart(apart)).rstrip("\n")]
    if build.has_enough(gates.GATED_STORIES):
        drawn = draw(build, measured["gated"], pictures, f"{dataset}_", processes, found)
        said.append(f"drawn under {pictures.parent}: {', '.join(drawn.values())}")
    if page:
        said.append(write_page(page, build, tables))
    print("\n".join(said))  # at last: who reads it may stop, as head does
    audit.hold_gates(build, measured["gated"], measured["deep"], apart)
    if build.has_enough(gates.GATED_STORIES):
        gates.hold(measured["spoken"], dict.fromkeys(measured["spoken"], bounds), "other languages", "")


def write_page(page: Path, build: Build, tables: Mapping[str, str]) -> str:
    """Write the tables of a default build into a page; leave it as it is for any other build. Return what was done."""
    from .build import is_default  # it imports what only builds need, which is slow

    if not is_default(build):
        return f"{page} stays as it is: {build.folder} is not a default build"
    with located(f"{page}: "):
        write_text(page, with_tables(page.read_text(encoding="utf-8"), tables))
    return f"tables written into {page}"


def audit_file(file: Path, left_out: LeftOut) -> tuple[str, dict[str, Any], str]:
    """Return the name of the dataset of a file of published data, its figures, and its table.

    Rows that cannot be read go to `left_out`. Raises UserError where no row can be read.
    """
    rows = list(published_rows(file, *AUDITED.values(), left_out=left_out))
    name = next(name for name, columns in AUDITED.items() if set(columns) <= set(rows[0][1]))
    audit = dataset_named(name).audit
    bar = tqdm(rows, desc="auditing", unit="row", delay=2, disable=None)
    questions = list(audit.published_questions(bar, left_out))
    for _ in steps([file.name], "measuring what can be guessed"):
        table = count_shares(with_all(name, cross_validated(questions)))
    heading = f"{file}, read as {name}: per cent of the rows that a rule answers correctly, with its 95 % interval."
    figures = {"file": file.name, "sha256": checksum(file), "rows": len(questions), "groups": table_as_json(table)}
    return name, figures | audit.published_figures(questions), f"{heading}\n\n{render_table(table)}\n"
