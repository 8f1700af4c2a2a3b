"""Where `show` takes its problem from: a config of the default size, or the rows of a build."""

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..errors import UserError
from ..splits import SPLITS
from .units import config_named

Config = TypeVar("Config")
DRAWN = "drawn now, as a build of the default sizes has it"


class Built(NamedTuple):
    """Hold rows to show, and where they come from."""

    rows: list[dict]
    fields: dict[str, Any]  # the fields of their config
    origin: str  # the folder of their build, or DRAWN


def shown_config(configs: Iterable[Config], name: str, split: str, seed: int, index: int) -> Config:
    """Return the config of that name with the seed, unscored. Raises UserError for no such config, split or index."""
    config = replace(config_named(configs, name), seed=seed, scorer=None)
    sizes = config.sizes()
    if split not in sizes:
        raise UserError(f"{name} has no split {split}; it has {', '.join(sizes)}")
    if not 0 <= index < sizes[split]:
        raise UserError(f"--index is {index}; the {split} split of {name} has 0 to {sizes[split] - 1}")
    return config


def rows_beside(dataset: Any, args: Namespace, split: str, column: str, value: Any) -> Built | None:
    """Return the rows of the build to show, or None where they are to be drawn.

    That is the build in --out. Without --out it is the one in the working directory, if --id names a row that it has
    and --seed no other seed. Raises UserError for --out with --seed, for no build there, and for no such row there.
    """
    if args.out:
        if args.seed is not None:
            raise UserError("--out names a build, which has a seed of its own; leave out --seed")
        return built_rows(dataset, args.out, split, column, value)
    if not args.id or not (Path(dataset.name) / "build.json").is_file():
        return None
    try:
        found = built_rows(dataset, Path(), split, column, value)
    except UserError:
        return None
    return found if args.seed in (None, found.fields["seed"]) else None


def built_rows(dataset: Any, out: Path, split: str, column: str, value: Any) -> Built:
    """Return the rows of a build with this value in a column.

    out: the folder that holds the datasets. split: the rows' split. Raises UserError where there is no build, or no
    such row.
    """
    from ..folder.build import RECORD, Build  # only a build needs Parquet, which is slow to import

    folder = out / dataset.name
    build = Build.read(folder, dataset.name)
    if build is None:
        raise UserError(f"{folder} holds no build of {dataset.name} (no {RECORD}): run make build first")
    rows, config = [], build.default
    for file in build.distinct_tables:
        if Path(file).stem == split:
            matching = [row for row in build.rows(file, dataset.features()) if row[column] == value]
            if matching:
                rows, config = rows + matching, build.config_of(file)
    if not rows:
        raise UserError(f"{folder} has no row whose {column} is {value}; leave out --out to see that of a default size")
    return Built(rows, config, f"from {folder.absolute()}")


def print_origin(unit: str, built: Built) -> None:
    """Print where rows come from: their seed, the sizes of their config, which they depend on, and their folder."""
    sizes = ", ".join(f"{built.fields[split]:,} {split}" for split in SPLITS if built.fields.get(split))
    print(f"seed {built.fields['seed']}; {unit}: {sizes}; {built.origin}")
