"""The command `reread`: it compares published labels with those that their text has."""

from pathlib import Path

import click
from tqdm import tqdm

from ..files import write_lines
from ..proof.left_out import LeftOut
from ..proof.published_problems import reread_mindgames
from ..proof.published_rows import TEXTS, published_rows
from ..proof.published_stories import reread_hi_tom
from ..wording.languages import page
from .options import command, dataset, strict, unread
from .published import UNREAD, hold_list, list_left_out
from .values import PATH

REREAD = {"hi_tom": reread_hi_tom, "mindgames": reread_mindgames}  # what compares the labels of a dataset


@command("reread")
@dataset
@click.argument(
    "file", type=PATH, help="JSON lines in the published fields, plain or gzipped; Hi-ToM's JSON; or ToMi's text"
)
@click.option(
    "--disagreements",
    type=PATH,
    default="disagreements.jsonl",
    metavar="JSONL",
    help="where to write the rows that disagree (default: disagreements.jsonl)",
)
@strict
@unread
def run(dataset: str, file: Path, disagreements: Path, strict: bool, unread: Path | None) -> None:
    """Print how many published labels agree; write the rows that disagree, and those that cannot be read."""
    hold_list(disagreements, [file], "--disagreements")
    hold_list(unread or UNREAD, [file, disagreements], "--unread")
    left_out = LeftOut(strict)
    rows = list(published_rows(file, TEXTS[dataset], left_out=left_out))
    bar = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    counts, disagreeing = REREAD[dataset](bar, left_out)
    write_lines(disagreements, disagreeing)
    told = list_left_out(unread, [left_out])
    print(page("reread", dataset, *counts, disagreeing, disagreements))
    print(told, end="")
