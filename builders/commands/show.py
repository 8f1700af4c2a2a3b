"""Own the command `show`: it prints one problem of the default sizes, and what made its answers."""

from argparse import Namespace

from builders.commands.options import Parser, add_dataset
from builders.dataset.catalogue import dataset_of


def add_options(parser: Parser) -> None:
    """Add the options of `show`; the dataset that is named first has options of its own."""
    name = parser.named_dataset()
    if name is None:
        add_dataset(parser)
    else:
        parser.description = dataset_of(name).show.__doc__
        dataset_of(name).add_show_options(parser)


def run(args: Namespace) -> None:
    """Print one problem of a dataset."""
    dataset_of(args.dataset).show(args)
