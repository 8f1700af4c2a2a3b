"""The command `reread`: it compares published labels with those that their text has."""

from argparse import Namespace

from tqdm import tqdm

from ..files import write_lines
from ..proof.left_out import LeftOut
from ..proof.published_problems import reread_mindgames
from ..proof.published_rows import TEXTS, published_rows
from ..proof.published_stories import reread_hi_tom
from ..wording.languages import page
from .published import UNREAD, hold_list, list_left_out

REREAD = {"hi_tom": reread_hi_tom, "mindgames": reread_mindgames}  # what compares the labels of a dataset


def run(args: Namespace) -> None:
    """Print how many published labels agree; write the rows that disagree, and those that cannot be read."""
    hold_list(args.disagreements, [args.file], "--disagreements")
    hold_list(args.unread or UNREAD, [args.file, args.disagreements], "--unread")
    left_out = LeftOut(args.strict)
    rows = list(published_rows(args.file, TEXTS[args.dataset], left_out=left_out))
    bar = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    counts, disagreeing = REREAD[args.dataset](bar, left_out)
    write_lines(args.disagreements, disagreeing)
    told = list_left_out(args, [left_out])
    print(page("reread", args.dataset, *counts, disagreeing, args.disagreements))
    print(told, end="")
