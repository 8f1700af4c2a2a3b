"""The command `export`: it writes the rows of a build as messages, for supervised fine-tuning."""

from collections.abc import Iterator
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq

from .. import prompts
from ..columns import Row
from ..dataset import dataset_named
from ..errors import UserError, located
from ..files import write_lines, written_beside
from ..folder.build import Build
from ..training.chat import Message, messages_of
from .folders import builds, chosen
from .options import command, config, dataset, out
from .values import PATH

MESSAGES = pa.list_(pa.struct({"role": pa.string(), "content": pa.string()}))


@command("export")
@dataset
@config
@click.option("--split", default="train", metavar="NAME", help="default: train")
@click.option(
    "--style",
    type=click.Choice(["chat", "messages"]),
    default="chat",
    help="chat: prompt and completion apart, each a list of messages, so that trainers learn the completion alone "
    "(default); messages: both in one list",
)
@click.option(
    "--reply",
    type=click.Choice(["answer", "explained"]),
    default="explained",
    help="the reply that the prompts ask for: answer: the answer alone; explained: the explanation first (default)",
)
@click.option(
    "--prompt",
    metavar="NAME",
    help=f"the style of the prompts: {prompts.STYLES_IN_WORDS} (default: the same as in prompts)",
)
@click.option(
    "--to",
    type=PATH,
    required=True,
    metavar="FILE",
    help="the file to write, which must not exist: FILE.jsonl or FILE.parquet",
)
@out
def run(
    dataset: str, config: str | None, split: str, style: str, reply: str, prompt: str | None, to: Path, out: Path
) -> None:
    """Write the file whole, and say how many rows it has."""
    if to.suffix not in (".jsonl", ".parquet"):
        raise UserError(f"--to is {to}; name a file that ends in .jsonl or .parquet")
    if to.exists():
        raise UserError(f"{to} already exists, and would be overwritten; name another file with --to")
    (build,) = builds(dataset, out)
    config, file = chosen(build, config, split)
    rules = prompts.default_rules(config, build.request)
    style_of_prompts = prompt or prompts.default_style(build.dataset, config)
    write = write_lines if to.suffix == ".jsonl" else write_parquet
    shaped = whole if style == "messages" else halves
    with located(""):
        count = write(to, map(shaped, examples(build, file, style_of_prompts, rules, reply)))
    print(f"{to}: {count:,} rows of {config}, {split}")


def examples(build: Build, file: str, style: str, rules: str, reply: str) -> Iterator[tuple[str, list[Message]]]:
    """Yield the id and the messages of every row of a file. Raises UserError, and ValueError for the style."""
    column = dataset_named(build.dataset).id_column
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
    return len(table)
