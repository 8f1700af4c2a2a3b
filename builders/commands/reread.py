"""The command `reread`: it compares published labels with those that their text has."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable

from tqdm import tqdm

from ..columns import Row
from ..files import write_lines
from ..proof import published_problems, published_stories
from ..proof.left_out import LeftOut
from ..proof.published_rows import TEXTS, published_rows
from ..story.meaning import SEMANTICS
from ..wording.languages import page
from .published import UNREAD, hold_list, list_left_out


def run(args: Namespace) -> None:
    """Print how many published labels agree; write the rows that disagree, and those that cannot be read."""
    hold_list(args.disagreements, [args.file], "--disagreements")
    hold_list(args.unread or UNREAD, [args.file, args.disagreements], "--unread")
    left_out = LeftOut(args.strict)
    rows = list(published_rows(args.file, TEXTS[args.dataset], left_out=left_out))
    bar = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    facts, disagreeing = REREAD[args.dataset](bar, left_out)
    write_lines(args.disagreements, disagreeing)
    print(page("reread", args.dataset, *facts, disagreeing, args.disagreements))
    list_left_out(args, [left_out])


def reread_stories(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> tuple[tuple, list[Row]]:
    """Return how often published labels agree with those read from the text; and the other rows."""
    counts, answers, disagreeing = published_stories.reread_hi_tom(rows, left_out)
    in_order = sorted(counts.items(), key=lambda item: (item[0][0] == "all", item[0]))
    totals = [(group, count) for (group, order), count in sorted(counts.items()) if order == "total"]
    repeated = [published for published in answers.values() if len(published) > 1]
    split = sum(len(set(published)) > 1 for published in repeated)
    return (in_order, totals, SEMANTICS, len(repeated), split), disagreeing


def reread_problems(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> tuple[tuple, list[Row]]:
    """Return how often published labels follow from the formal problem and from the English; and the other rows."""
    counts, disagreeing = published_problems.reread_mindgames(rows, left_out)
    return ([*sorted(counts.items()), ("all", sum(counts.values(), Counter()))],), disagreeing


REREAD = {"hi_tom": reread_stories, "mindgames": reread_problems}  # what rereads the rows of a dataset
