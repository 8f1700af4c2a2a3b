"""Which builds a command works on, and which of their files holds a split of a config."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..builds.requests import layout
from ..dataset import NAMES
from ..errors import UserError
from ..folder.build import RECORD, Build
from ..splits import split_file


def named(dataset: str | None) -> Sequence[str]:
    """Return the dataset that the user names, or all."""
    return [dataset] if dataset else NAMES


def builds(dataset: str | None, out: Path) -> Iterator[Build]:
    """Yield the build of the dataset that the user names, or of each whose folder is there.

    Raises UserError where there is no folder, or where one holds no build.
    """
    datasets = [name for name in named(dataset) if dataset or (out / name).exists()]
    if not datasets:
        names = " or ".join(named(dataset))
        raise UserError(f"{out.absolute()} holds no build of {names}: run make build first")
    return (build_in(out, name) for name in datasets)


def build_in(out: Path, dataset: str) -> Build:
    """Return the build of a dataset below a folder. Raises UserError where there is none."""
    build = Build.read(out / dataset, dataset)
    if build is None:
        raise UserError(f"{out / dataset} holds no build of {dataset} (no {RECORD} of {dataset}): run make build first")
    return build


def chosen(build: Build, config: str | None, split: str) -> tuple[str, str]:
    """Return the config that is asked for, by default the first, and the file of its split.

    Raises UserError where there is no such config or split.
    """
    known = layout(build)
    config = next(iter(known)) if config is None else config
    if config not in known:
        raise UserError(f"unknown config {config!r}; {build.folder} has {', '.join(known)}")
    if split not in known[config]:
        raise UserError(f"{config} has no split {split!r}; it has {', '.join(known[config])}")
    return config, split_file(config, split)
