"""The command `show`: it prints one problem of a build or of the default sizes, and what made its answers."""

from argparse import SUPPRESS, Namespace, RawDescriptionHelpFormatter

from ..dataset.catalogue import NAMES, dataset_of
from .options import Parser, add_dataset


def add_options(parser: Parser) -> None:
    """Add the options of `show`; the dataset that is named first has options of its own."""
    name = parser.named_dataset()
    if name is None:
        add_dataset(parser)
        parser.formatter_class, parser.epilog = RawDescriptionHelpFormatter, "\n".join(map(own_options, NAMES))
    else:
        parser.description = dataset_of(name).show.__doc__
        dataset_of(name).add_show_options(parser)


def own_options(name: str) -> str:
    """Return the help on the options of one dataset."""
    parser = Parser([name], usage=SUPPRESS, add_help=False)
    dataset_of(name).add_show_options(parser.add_argument_group(f"options of show {name}"))
    return parser.format_help()


def run(args: Namespace) -> None:
    """Print one problem of a dataset."""
    dataset_of(args.dataset).show(args)
