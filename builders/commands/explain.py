"""The command `explain`: it says why rows have their answers, step by step."""

import json
import sys
from argparse import Namespace

from ..errors import UserError, located
from ..explanations import NEEDED, explain
from ..rows import dataset_of
from ..topics import topic
from .options import Parser, add_listed
from .show import chosen_rows


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `explain`; the row of --id is chosen as `show` chooses it."""
    add_listed(parser, "explain")
    parser.set_defaults(config="all", split="test", index=0, setup=None, kind=None)


def run(args: Namespace) -> None:
    """Print the explanations of the rows of an id as text, or of rows on standard input as JSON lines."""
    id_column = topic(args.dataset, "config").ID_COLUMN
    if args.id:
        rows, built = chosen_rows(args)
        texts = [f"{row[id_column]}\n{row[asked]}\n{explain(row, built.fields['language'])}\n"
                 for row in rows for asked in row.keys() & {"question", "hypothesis"}]  # fmt: skip
        print("\n".join(texts), end="")
        return
    if sys.stdin.isatty():
        raise UserError(
            "no rows: name one by --id, or send rows as JSON lines to standard input, as stream prints them"
        )
    for number, line in enumerate(sys.stdin, 1):
        with located(f"standard input, line {number}: "):
            try:
                row = json.loads(line)
            except ValueError:
                raise ValueError("it is no JSON; a row is one object on a line, as stream prints it") from None
            dataset_of(row, {args.dataset: NEEDED[args.dataset]})
            explanation = explain(row)
        print(json.dumps({"id": str(row.get(id_column, number)), "explanation": explanation}, ensure_ascii=False))
