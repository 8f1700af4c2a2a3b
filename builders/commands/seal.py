"""Own the command `seal`: it writes the hashes of the problems in the default test builds, which streams skip."""

from argparse import Namespace
from typing import Any

from builders.commands.build import default_options
from builders.commands.options import Parser, add_processes
from builders.dataset.catalogue import NAMES, dataset_of
from builders.streaming import sealed
from builders.work import spread


def add_options(parser: Parser) -> None:
    """Add the options of `seal`."""
    add_processes(parser)


def run(args: Namespace) -> None:
    """Write the file anew."""
    datasets = [dataset_of(name) for name in NAMES]
    tasks = [(dataset.name, config) for dataset in datasets for config in dataset.configs(default_options(dataset))]
    hashes = [part for parts in spread(hashes_of, tasks, args.processes, "sealing", "config") for part in parts]
    print(f"{sealed.FILE}: {sealed.write(hashes):,} problems of the default test builds")


def hashes_of(dataset: str, config: Any) -> list[bytes]:
    """Return the hashes of the problems in the test split of a config."""
    return [sealed.hash_of(dataset, key) for key in dataset_of(dataset).problems_in_test(config)]
