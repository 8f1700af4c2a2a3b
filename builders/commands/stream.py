"""The command `stream`: it prints endless rows as JSON lines, and says how many of them were skipped."""

import json
import sys
from argparse import Namespace
from itertools import count, islice

from ..errors import UserError
from ..streaming.endless import endless
from ..wording.languages import page
from .options import Parser, add_stream, fields_of, naming_flags


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `stream`."""
    add_stream(parser, "stream", words)


def run(args: Namespace) -> None:
    """Print the rows; say at the end what was skipped."""
    for option in ("start", "count"):
        if (getattr(args, option) or 0) < 0:
            raise UserError(f"--{option} is {getattr(args, option)}; it must be 0 or more")
    fields, flags = fields_of(args)
    with naming_flags(flags):
        rows = endless(args.dataset, args.config, args.seed, **fields)
        for index in islice(count(args.start), args.count):
            print(json.dumps(rows[index], ensure_ascii=False))
    print(page("endless", "streamed", rows), file=sys.stderr)
