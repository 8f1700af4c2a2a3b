"""Own the command `prompts`: it prints what a model is asked, as JSON lines."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator

import pyarrow.parquet as pq

from builders import prompts
from builders.commands.folders import builds, chosen, layout_of
from builders.commands.options import Parser, add_dataset, add_out, add_split
from builders.dataset.interface import Dataset, Layout, Row
from builders.errors import UserError, located
from builders.folder.build import Build


def add_options(parser: Parser) -> None:
    """Add the options of `prompts`."""
    add_dataset(parser)
    add_split(parser, "test")
    styles = "; ".join(f"{', '.join(styles)} of {name}" for name, styles in prompts.STYLES.items())
    parser.add_argument("--style", help=f"{styles} (default: the first; mc for tomh)")
    about = "full: our own, which settle every label; paper: what the papers print (default for reproduction and tomh)"
    parser.add_argument("--rules", choices=prompts.RULES, help=about)
    about = "ask for this reply instead of the style's; final-line: reasoning, and a last line that `reward` pays"
    parser.add_argument("--reply", choices=prompts.REPLIES, help=about)
    add_out(parser)


def run(args: Namespace) -> None:
    """Print the prompts of a split in the order of its rows; print nothing where one cannot be made."""
    ((dataset, build),) = builds(args)
    layout = layout_of(dataset, build)
    config, files = chosen(build, layout, args.config, args.split)
    styles = prompts.STYLES[dataset.name]
    style = prompts.default_style(dataset.name, config) if args.style is None else args.style
    if style not in styles:
        raise UserError(f"unknown style {style!r}; the styles of {dataset.name} are {', '.join(styles)}")
    _ = build.tables  # all files are there
    columns, pools = prompts.COLUMNS[dataset.name], {}
    if style == "five-shot":
        columns = tuple(dict.fromkeys((*columns, *prompts.EXAMPLE_COLUMNS)))
        pools = pools_of(build, layout, files)
    for _ in shown_rows(dataset, build, files, columns, pools):
        pass  # nothing is printed unless every row can be read, and has examples enough
    language, rules = build.default["language"], args.rules or prompts.default_rules(config, build.request)
    print_lines(
        json.dumps({"id": str(row[columns[0]]), "prompt": prompts.ask(style, row, shots, language, rules, args.reply)})
        for row, shots in shown_rows(dataset, build, files, columns, pools)
    )


def shown_rows(
    dataset: Dataset, build: Build, files: list[str], columns: tuple[str, ...], pools: dict[str, prompts.Pool]
) -> Iterator[tuple[Row, list[Row]]]:
    """Yield the rows of files with the solved problems that each one's prompt shows. Raises UserError."""
    for file in files:
        with build.opened(file, list(dataset.features())) as table, located(f"{build.folder / file}: "):
            for batch in table.iter_batches(columns=columns):
                for row in batch.to_pylist():
                    yield row, prompts.shots(row, pools[row["setup"]]) if pools else []


def pools_of(build: Build, layout: Layout, files: list[str]) -> dict[str, prompts.Pool]:
    """Return for each setup in files the problems of its train split. Raises UserError where it has none."""
    folder = build.folder
    setups = {setup for file in files for setup in pq.read_table(folder / file, columns=["setup"])["setup"].to_pylist()}
    pools = {}
    for setup in sorted(setups):
        train = layout.get(setup, {}).get("train")
        if not train:
            raise UserError(f"{folder} has no train split of {setup}, from which the examples are taken: build one")
        columns = [*prompts.EXAMPLE_COLUMNS, "hypothesis", "label"]
        tables = [pq.read_table(folder / file, columns=columns) for file in train]
        pools[setup] = prompts.example_pool(row for table in tables for row in table.to_pylist())
    return pools


def print_lines(lines: Iterable[str]) -> None:
    """Print lines until the reader of standard output closes it."""
    for line in lines:
        try:
            print(line, flush=True)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else what is left fails again at exit
            if isinstance(error, BrokenPipeError):
                return
            raise UserError(f"standard output: {error.strerror}; what was printed is not whole") from None
