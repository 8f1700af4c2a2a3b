"""The command `stream`: it prints endless rows as JSON lines, and says how many of them were skipped."""

import json
import sys
from itertools import count, islice
from typing import Any

import click

from ..errors import UserError
from ..streaming.endless import endless
from ..wording.languages import page
from .options import DatasetCommand, command, endless_rows, given_fields, naming_options, own_field_options
from .values import INTEGER


@command("stream", cls=DatasetCommand, own=own_field_options)
@endless_rows
@click.option("--start", type=INTEGER, default=0, help="index of the first row (default: 0)")
@click.option("--count", "number", type=INTEGER, help="how many rows (default: until the reader stops)")
def run(
    dataset: str,
    config: str,
    seed: int,
    field: tuple[tuple[str, Any], ...],
    start: int,
    number: int | None,
    **own: Any,
) -> None:
    """Print the rows; say at the end what was skipped."""
    for option, value in (("--start", start), ("--count", number or 0)):
        if value < 0:
            raise UserError(f"{option} is {value}; it must be 0 or more")
    fields, typed = given_fields(own, field)
    with naming_options(typed):
        rows = endless(dataset, config, seed, **fields)
        for index in islice(count(start), number):
            print(json.dumps(rows[index], ensure_ascii=False))
    print(page("endless", "streamed", rows), file=sys.stderr)
