"""The command `show`: it prints one problem of a build or of the default sizes, and what made its answers."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from ..columns import Row
from ..configs import Built, Selection
from ..dataset import NAMES, dataset_named
from ..errors import UserError
from ..splits import SPLITS, split_file
from ..syntax.formula import SETUPS
from ..syntax.rounds import MARKS
from .options import DatasetCommand, Option, command
from .values import INTEGER, PATH

ABOUT = {
    "hi_tom": "Print one story, its questions, the line that taught each answer, and why no later line did.",
    "mindgames": "Print one block: its problems, their labels, and the worlds that the announcements leave.",
}
OUT_HELP = (
    "folder that holds the datasets, to show a row of the build there (default: of the build here if it has the --id, "
    "else a row drawn as in a default build)"
)


def own_options(dataset: str) -> list[click.Option]:
    """Return the options of a dataset, which say what to show of it."""
    split = Option(["--split"], type=click.Choice(SPLITS), default="test", help="default: test")
    seed = Option(["--seed"], type=INTEGER, help="default: 0")
    out = Option(["--out"], type=PATH, metavar="DIR", help=OUT_HELP)
    if dataset == "hi_tom":
        configs = "all (default), an order such as 4th_order, tomh, reproduction, deep, abilities, deep_fr, …"
        kinds = "of abilities, the kind of questions to show, such as past (default: all of the story)"
        ids = (
            "id of a row, such as deep-test-000404-4, or of a story, instead of the above, but for --config's language"
        )
        return [
            Option(["--config"], default="all", metavar="NAME", help=configs),
            Option(["--kind"], metavar="KIND", help=kinds),
            split,
            seed,
            Option(["--index"], type=INTEGER, default=0, help="which story, from 0 (default: 0)"),
            Option(["--id"], metavar="ID", help=ids),
            out,
        ]
    others = ", ".join(config.name for config in dataset_named(dataset).configs[1:])
    setups = "of a config with several (default: forehead)"
    places = "which block, or in reproduction which problem, from 0 (default: 0)"
    ids = "index of a row, or name of a block such as internal-test-000003, instead of the options above"
    return [
        Option(["--config"], default="all", metavar="NAME", help=f"all (default), or one of: {others}"),
        Option(["--setup"], type=click.Choice([*SETUPS, *MARKS]), help=setups),
        split,
        seed,
        Option(["--index"], type=INTEGER, default=0, help=places),
        Option(["--id"], metavar="ID", help=ids),
        out,
    ]


@command("show", cls=DatasetCommand, own=own_options, abouts=ABOUT)
@click.argument("dataset", type=click.Choice(NAMES), help="comes first, because each dataset has its own options")
def run(dataset: str, **options: Any) -> None:
    """Print one problem of a dataset, and where it comes from: its seed, the sizes of its config, its folder."""
    selection = Selection(dataset, **options)
    rows, built = chosen_rows(selection)
    dataset_named(dataset).show(rows, built)
    sizes = ", ".join(f"{built.fields[split]:,} {split}" for split in built.fields["splits"] if built.fields.get(split))
    units = dataset_named(dataset).config(name=built.fields["name"]).units
    print(f"seed {built.fields['seed']}; {units}: {sizes}; {built.origin}")


def chosen_rows(selection: Selection) -> tuple[list[Row], Built]:
    """Return the rows that the user selects, and where they come from. Raises UserError for no such row."""
    return dataset_named(selection.dataset).chosen_rows(selection, partial(rows_beside, selection))


def rows_beside(selection: Selection, config: str, split: str, column: str, value: Any) -> Built | None:
    """Return the rows of the build to show, or None where they are to be drawn.

    That is the build in --out. Without --out it is the one in the working directory, if --id names a row that it has
    and --seed no other seed. Raises UserError for --out with --seed, for no build there, and for no such row there.
    """
    if selection.out:
        if selection.seed is not None:
            raise UserError("--out names a build, which has its own seed; leave out --seed")
        return built_rows(selection.dataset, selection.out, config, split, column, value)
    if not selection.id or not (Path(selection.dataset) / "build.json").is_file():
        return None
    try:
        found = built_rows(selection.dataset, Path(), config, split, column, value)
    except UserError:
        return None
    return found if selection.seed in (None, found.fields["seed"]) else None


def built_rows(dataset: str, out: Path, config: str, split: str, column: str, value: Any) -> Built:
    """Return the rows of a config of a build with this value in a column.

    out: the folder that holds the datasets. Raises UserError where there is no build, or no such row.
    """
    from .folders import build_in  # only a build needs Parquet, which is slow to import

    build, file = build_in(out, dataset), split_file(config, split)
    rows = [row for row in build.rows(file) if row[column] == value] if file in build.tables else []
    if not rows:
        raise UserError(
            f"{build.folder} has no row whose {column} is {value}; leave out --out to see the row of a default build"
        )
    return Built(rows, build.config_of(file), f"from {build.folder.absolute()}")
