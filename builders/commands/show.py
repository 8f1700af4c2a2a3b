"""The command `show`: it prints one problem of a build or of the default sizes, and what made its answers."""

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

from ..columns import Row
from ..configs import Built
from ..errors import UserError
from ..splits import SPLITS, split_file
from ..syntax.formula import SETUPS
from ..topics import NAMES, topic
from .options import Parser, add_listed, listed


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `show`, which say which problem of the dataset that is named first to show."""
    name = parser.named_dataset(words)
    if name is None:
        parser.add_argument("dataset", choices=NAMES, help="comes first, as each has options of its own")
    else:
        parser.description = listed()["shown"][name]
        others = ", ".join(config.name for config in topic(name, "config").PUBLISHED[1:])
        add_listed(parser, f"show {name}", {"SPLITS": SPLITS, "SETUPS": SETUPS, "others": others})


def run(args: Namespace) -> None:
    """Print one problem of a dataset, and where it comes from: its seed, the sizes of its config, its folder."""
    rows, built = chosen_rows(args)
    topic(args.dataset, "show").show(rows, built)
    sizes = ", ".join(f"{built.fields[split]:,} {split}" for split in built.fields["splits"] if built.fields.get(split))
    units = topic(args.dataset, "config").Config(name=built.fields["name"]).units
    print(f"seed {built.fields['seed']}; {units}: {sizes}; {built.origin}")


def chosen_rows(args: Namespace) -> tuple[list[Row], Built]:
    """Return the rows that the options of `show` name, and where they come from. Raises UserError for no such row."""
    return topic(args.dataset, "show").chosen_rows(args, partial(rows_beside, args))


def rows_beside(args: Namespace, config: str, split: str, column: str, value: Any) -> Built | None:
    """Return the rows of the build to show, or None where they are to be drawn.

    That is the build in --out. Without --out it is the one in the working directory, if --id names a row that it has
    and --seed no other seed. Raises UserError for --out with --seed, for no build there, and for no such row there.
    """
    if args.out:
        if args.seed is not None:
            raise UserError("--out names a build, which has a seed of its own; leave out --seed")
        return built_rows(args.dataset, args.out, config, split, column, value)
    if not args.id or not (Path(args.dataset) / "build.json").is_file():
        return None
    try:
        found = built_rows(args.dataset, Path(), config, split, column, value)
    except UserError:
        return None
    return found if args.seed in (None, found.fields["seed"]) else None


def built_rows(dataset: str, out: Path, config: str, split: str, column: str, value: Any) -> Built:
    """Return the rows of a config of a build with this value in a column.

    out: the folder that holds the datasets. Raises UserError where there is no build, or no such row.
    """
    from .folders import build_in  # only a build needs Parquet, which is slow to import

    build, file = build_in(out, dataset), split_file(config, split)
    rows = [row for row in build.rows(file) if row[column] == value] if file in build.tables else []
    if not rows:
        raise UserError(
            f"{build.folder} has no row whose {column} is {value}; leave out --out to see that of a default size"
        )
    return Built(rows, build.config_of(file), f"from {build.folder.absolute()}")
