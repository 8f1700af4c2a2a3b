"""The command `prompts`: it prints what a model is asked, as JSON lines."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator

from .. import prompts
from ..dataset.interface import Dataset, Layout, Row
from ..errors import UserError, located
from ..folder.build import Build
from .folders import builds, chosen, layout_of
from .options import Parser, add_dataset, add_out, add_split, positive


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
    about = "stop after N prompts, but print the last story or block whole (default: all)"
    parser.add_argument("--limit", type=positive, metavar="N", help=about)
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
    columns, pools = (*prompts.COLUMNS[dataset.name], dataset.unit_column), {}
    if style == "five-shot":
        columns = tuple(dict.fromkeys((*columns, *prompts.EXAMPLE_COLUMNS)))
        pools = pools_of(dataset, build, layout, files)

    def shown_rows() -> Iterator[tuple[str, Row, list[Row]]]:
        """Yield the rows, each with its story or block and the solved problems that its prompt shows."""
        for file in files:
            with located(f"{build.folder / file}: "):
                for row in build.rows(file, dataset.features(), columns):
                    unit = row[dataset.unit_column] or str(row[dataset.id_column])
                    yield unit, row, prompts.shots(row, pools[row["setup"]]) if pools else []

    units = [unit for unit, *_ in shown_rows()]  # nothing is printed unless every row can be read, and has its examples
    begun = set(units[: args.limit])
    language, rules = build.default["language"], args.rules or prompts.default_rules(config, build.request)
    print_lines(
        json.dumps({"id": str(row[columns[0]]), "prompt": prompts.ask(style, row, shots, language, rules, args.reply)})
        for unit, row, shots in shown_rows()
        if unit in begun
    )


def pools_of(dataset: Dataset, build: Build, layout: Layout, files: list[str]) -> dict[str, prompts.Pool]:
    """Return for each setup in files the problems of its train split. Raises UserError where it has none."""
    features, pools = dataset.features(), {}
    setups = {row["setup"] for file in files for row in build.rows(file, features, ["setup"])}
    for setup in sorted(setups):
        train = layout.get(setup, {}).get("train")
        if not train:
            where = f"{build.folder} has no train split of {setup}"
            raise UserError(f"{where}, from which the examples are taken: build one")
        columns = [*prompts.EXAMPLE_COLUMNS, "hypothesis", "label"]
        pools[setup] = prompts.example_pool(row for file in train for row in build.rows(file, features, columns))
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
