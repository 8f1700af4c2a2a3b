"""The command `reread`: it compares published labels with those that their text has."""

from argparse import Namespace
from pathlib import Path

from tqdm import tqdm

from ..proof.left_out import LeftOut
from ..proof.published_rows import TEXTS, published_rows
from .options import Parser, add_dataset
from .published import add_reading, hold_apart, hold_unread, list_left_out
from .reread_tables import TABLES
from .row_files import DISAGREEING, hold_own


def add_options(parser: Parser) -> None:
    """Add the options of `reread`."""
    add_dataset(parser)
    about = "JSON lines in the published fields, plain or gzipped; Hi-ToM's JSON; or ToMi's text"
    parser.add_argument("file", type=Path, help=about)
    about = "where to write the rows that disagree (default: disagreements.jsonl)"
    parser.add_argument("--disagreements", type=Path, default=Path("disagreements.jsonl"), help=about)
    add_reading(parser)


def run(args: Namespace) -> None:
    """Print how many published labels agree; write the rows that disagree, and those that cannot be read."""
    hold_own(args.disagreements, DISAGREEING, "--disagreements")
    hold_apart(args.disagreements, (args.file,), "--disagreements")
    hold_unread(args, args.file, args.disagreements)
    left_out = LeftOut(args.strict)
    rows = list(published_rows(args.file, TEXTS[args.dataset], left_out=left_out))
    bar = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    TABLES[args.dataset](bar, args.disagreements, left_out)
    list_left_out(args, [left_out])
