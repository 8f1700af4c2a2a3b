"""The command `export`: it writes the rows of a build as messages, for supervised fine-tuning."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .. import prompts
from ..columns import Row
from ..errors import UserError, located
from ..files import write_lines, written_beside
from ..folder.build import Build
from ..topics import topic
from ..training.chat import messages_of
from .folders import builds, chosen

SCHEMA = pa.schema({"id": pa.string(), "messages": pa.list_(pa.struct({"role": pa.string(), "content": pa.string()}))})


def run(args: Namespace) -> None:
    """Write the file whole, and say how many rows it has."""
    if args.to.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"--to is {args.to}; name a file that ends in .jsonl or .parquet")
    if args.to.exists():
        raise UserError(f"{args.to} is there already, and would be overwritten; name another file: --to")
    (build,) = builds(args)
    config, file = chosen(build, args.config, args.split)
    rules = prompts.default_rules(config, build.request)
    style = args.prompt or prompts.default_style(build.dataset, config)
    write = write_lines if args.to.suffix == ".jsonl" else write_parquet
    with located(""):
        count = write(args.to, examples(build, file, style, rules, args.reply))
    print(f"{args.to}: {count:,} rows of {config}, {args.split}")


def examples(build: Build, file: str, style: str, rules: str, reply: str) -> Iterator[Row]:
    """Yield the id and the messages of every row of a file. Raises UserError, and ValueError for the style."""
    column = topic(build.dataset, "config").ID_COLUMN
    for row in build.rows(file):
        yield {"id": str(row[column]), "messages": messages_of(row, style, rules, reply)}


def write_parquet(file: Path, rows: Iterator[Row]) -> int:
    """Write rows as Parquet, all or none; return how many."""
    table = pa.Table.from_pylist(list(rows), schema=SCHEMA)
    with written_beside(file) as (partial,):
        pq.write_table(table, partial.absolute())
    return table.num_rows
