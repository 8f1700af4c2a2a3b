"""Make the rows of a task, and prove a share of them (`checked`)."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, groupby, islice
from typing import Any

from .. import GENERATOR_VERSION
from ..columns import Row
from ..configs import ChunkedUnits
from ..dataset import dataset_named
from ..errors import UserError
from ..splits import file_of
from ..streaming.endless import StreamRow
from .request import Request

# The column with the hash of the problem, as 16 hexadecimal digits: rows that share it differ in names alone.
PROBLEM = "problem"


def made(request: Request, rank: int) -> Iterator[StreamRow]:
    """Yield the rows of a task in their order."""
    return map(request.stream().drawn_row, request.span(rank))


def checked(request: Request, rank: int) -> Iterator[StreamRow]:
    """Yield the rows of a task; prove all or a share of them. Raises UserError for the first row that fails."""
    units, rows = request.units(), made(request, rank)
    for first in request.span(rank)[:: units.size]:
        drawn = list(islice(rows, units.size))
        if is_chosen(first // units.size, request.prove):
            prove(request.dataset, units, drawn)
        yield from drawn


def published(drawn: StreamRow) -> Row:
    """Return a row as the file has it."""
    return {**drawn.row, PROBLEM: drawn.problem.hex()}


def is_chosen(unit: int, share: float) -> bool:
    """Return whether the unit of a number is among those to be proven."""
    return zlib.crc32(str(unit).encode()) < share * 2**32


def n_proven(request: Request) -> int:
    """Return how many rows of a request are proven."""
    size = request.units().size
    return size * sum(is_chosen(unit, request.prove) for unit in range(request.rows // size))


def prove(name: str, units: ChunkedUnits[Any], drawn: Sequence[StreamRow]) -> None:
    """Prove the rows of a unit by the second meaning. Raises UserError for the first row that fails.

    A row is proven as one of its chunk, which is a small split: under the names and the seed that it has there.
    """
    rows = [{**item.row, **item.named} for item in drawn]
    config = {**asdict(units.config), "version": GENERATOR_VERSION, "scorer": None, "seed": rows[0]["seed"]}
    files, prove_rows = groupby(rows, key=partial(file_of, units.config, units.split)), dataset_named(name).prove
    outcomes = chain.from_iterable(prove_rows(list(together), config, file) for file, together in files)
    for item, outcome in zip(drawn, outcomes, strict=True):
        if isinstance(outcome, str):
            row_id = item.row[dataset_named(name).id_column]
            raise UserError(f"row {row_id} of {name} {units.config.name}: {outcome}; draw others with --seed")
