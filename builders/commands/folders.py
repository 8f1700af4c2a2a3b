"""Which builds a command works on, and which of their files hold a config and split."""

from argparse import Namespace
from collections.abc import Iterator

from ..dataset.catalogue import NAMES, dataset_of
from ..dataset.interface import Dataset, Layout
from ..errors import UserError
from ..folder.build import RECORD, Build


def named(args: Namespace) -> list[Dataset]:
    """Return the dataset that the options name, or all."""
    return [dataset_of(name) for name in ([args.dataset] if args.dataset else NAMES)]


def builds(args: Namespace) -> Iterator[tuple[Dataset, Build]]:
    """Yield the dataset that the options name, or each whose folder is there, with its build.

    Raises UserError where there is no folder, or where one holds no build.
    """
    datasets = [dataset for dataset in named(args) if args.dataset or (args.out / dataset.name).exists()]
    if not datasets:
        names = [args.dataset] if args.dataset else NAMES
        raise UserError(f"{args.out.absolute()} holds no build of {' or '.join(names)}: run make build first")
    for dataset in datasets:
        folder = args.out / dataset.name
        build = Build.read(folder, dataset.name)
        if build is None:
            raise UserError(f"{folder} holds no build of {dataset.name} (no {RECORD}): run make build first")
        yield dataset, build


def layout_of(dataset: Dataset, build: Build) -> Layout:
    """Return the files of each config and split of a build, the default config first."""
    return dataset.layout(dataset.recorded_configs(build.request))


def chosen(build: Build, layout: Layout, config: str | None, split: str) -> tuple[str, list[str]]:
    """Return the config that is asked for, by default the first, and the files of its split.

    Raises UserError where there is no such config or split, and where a file of the build is missing.
    """
    config = next(iter(layout)) if config is None else config
    if config not in layout:
        raise UserError(f"unknown config {config!r}; {build.folder} has {', '.join(layout)}")
    if split not in layout[config]:
        raise UserError(f"{config} has no split {split!r}; it has {', '.join(layout[config])}")
    return config, layout[config][split]
