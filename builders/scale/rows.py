"""The rows of a task: how they are made, and how they are proven."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from .. import GENERATOR_VERSION
from ..columns import Row
from ..errors import UserError
from ..splits import file_of
from ..streaming.endless import Drawn
from ..topics import topic
from .request import Request

PROBLEM = "problem"
"""The column with the hash of the problem, as 16 hexadecimal digits: rows that share it differ in names alone."""


def made(request: Request, rank: int) -> Iterator[Drawn]:
    """Yield the rows of a task in their order."""
    stream = request.stream()
    return map(stream.drawn_row, request.span(rank))


def published(drawn: Drawn) -> Row:
    """Return a row as the file has it."""
    return {**drawn.row, PROBLEM: drawn.problem.hex()}


def is_chosen(unit: int, share: float) -> bool:
    """Return whether the unit of a number is among those to be proven."""
    return zlib.crc32(str(unit).encode()) < share * 2**32


def prove(name: str, units: Any, drawn: Sequence[Drawn]) -> None:
    """Prove the rows of a unit by the second meaning. Raises UserError for the first row that fails.

    A row is proven as one of its chunk, which is a small split: under the names and the seed that it has there.
    """
    rows = [{**item.row, **item.named} for item in drawn]
    config = {**asdict(units.config), "version": GENERATOR_VERSION, "scorer": None, "seed": rows[0]["seed"]}
    proven = 0
    for file, together in groupby(rows, key=lambda row: file_of(units.config, units.split, row)):
        together = list(together)
        for outcome in topic(name, "prove").prove(together, config, file):
            if isinstance(outcome, str):
                row = drawn[proven].row
                raise UserError(f"row {row[topic(name, 'config').ID_COLUMN]} of {name} {units.config.name}: {outcome}")
            proven += 1
    if proven != len(rows):
        raise RuntimeError(f"{proven} of {len(rows)} rows of a {units.unit} were proven")
