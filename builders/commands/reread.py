"""Own the command `reread`: it compares published labels with those that their text has."""

from argparse import Namespace
from pathlib import Path

from tqdm import tqdm

from builders.commands.options import Parser, add_dataset
from builders.dataset.catalogue import dataset_of
from builders.proof.published_rows import TEXTS, published_rows


def add_options(parser: Parser) -> None:
    """Add the options of `reread`."""
    add_dataset(parser)
    about = "JSON lines in the published fields, plain or gzipped; or Hi-ToM's JSON"
    parser.add_argument("file", type=Path, help=about)
    about = "where to write the rows that disagree (default: disagreements.jsonl)"
    parser.add_argument("--disagreements", type=Path, default=Path("disagreements.jsonl"), help=about)


def run(args: Namespace) -> None:
    """Print how many published labels agree; write the rows that disagree."""
    rows = list(published_rows(args.file, TEXTS[args.dataset]))
    bar = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    dataset_of(args.dataset).reread(bar, args.disagreements)
