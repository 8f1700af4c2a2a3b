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
from ..training.chat import Message, messages_of
from .folders import builds, chosen

MESSAGES = pa.list_(pa.struct({"role": pa.string(), "content": pa.string()}))


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
    shaped = whole if args.style == "messages" else halves
    with located(""):
        count = write(args.to, map(shaped, examples(build, file, style, rules, args.reply)))
    print(f"{args.to}: {count:,} rows of {config}, {args.split}")


def examples(build: Build, file: str, style: str, rules: str, reply: str) -> Iterator[tuple[str, list[Message]]]:
    """Yield the id and the messages of every row of a file. Raises UserError, and ValueError for the style."""
    column = topic(build.dataset, "config").ID_COLUMN
    for row in build.rows(file):
        yield str(row[column]), messages_of(row, style, rules, reply)


def halves(example: tuple[str, list[Message]]) -> Row:
    """Return a line with the prompt and the completion apart: trainers then learn the completion alone."""
    name, (asked, said) = example
    return {"id": name, "prompt": [asked], "completion": [said]}


def whole(example: tuple[str, list[Message]]) -> Row:
    """Return a line with one list of messages."""
    name, messages = example
    return {"id": name, "messages": messages}


def write_parquet(file: Path, rows: Iterator[Row]) -> int:
    """Write rows as Parquet, all or none; return how many."""
    lines = list(rows)
    types = {name: pa.string() if name == "id" else MESSAGES for name in lines[0]}
    table = pa.Table.from_pylist(lines, schema=pa.schema(types))
    with written_beside(file) as (partial,):
        pq.write_table(table, partial.absolute())
    return table.num_rows
