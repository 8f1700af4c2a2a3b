"""Own where `show` takes its problem from: a config of the default size, or the rows of a build."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from builders.errors import UserError

Config = TypeVar("Config")


def shown_config(configs: Iterable[Config], name: str, split: str, seed: int, index: int) -> Config:
    """Return the config of that name with the seed, unscored. Raises UserError for no such config, split or index."""
    known = {config.name: config for config in configs}
    if name not in known:
        raise UserError(f"unknown config {name!r}; the configs are {', '.join(known)}")
    config = replace(known[name], seed=seed, scorer=None)
    sizes = config.sizes()
    if split not in sizes:
        raise UserError(f"{name} has no split {split}; it has {', '.join(sizes)}")
    if not 0 <= index < sizes[split]:
        raise UserError(f"--index is {index}; the {split} split of {name} has 0 to {sizes[split] - 1}")
    return config


def built_rows(dataset: Any, out: Path, split: str, column: str, value: Any) -> tuple[list[dict], dict[str, Any]]:
    """Return the rows of a build with this value in a column, and the fields of their config.

    out: the folder that holds the datasets. split: the rows' split. Raises UserError where there is no build, or no
    such row.
    """
    # Only --out needs Parquet, which is slow to import.
    import pyarrow.parquet as pq

    from builders.folder.build import RECORD, Build

    folder = out / dataset.name
    build = Build.read(folder, dataset.name)
    if build is None:
        raise UserError(f"{folder} holds no build of {dataset.name} (no {RECORD}): run make build first")
    rows, config = [], build.default
    for file in build.distinct_tables:
        if Path(file).stem == split:
            with build.opened(file, list(dataset.features())):
                matching = pq.read_table(build.folder / file, filters=[(column, "=", value)]).to_pylist()
            if matching:
                rows, config = rows + matching, build.config_of(file)
    if not rows:
        raise UserError(f"{folder} has no row whose {column} is {value}; leave out --out to see that of a default size")
    return rows, config
