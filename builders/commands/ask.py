"""The command `ask`: it asks a language model, and writes the file of replies that `score` reads."""

import json
import os
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from ..errors import UserError
from ..files import hold_files, lines_of, text_of, write_text
from ..training.models import model_of
from .options import command, dataset
from .prompts import Asked, asking, prompts_by_id
from .values import PATH, POSITIVE

BEGUN = '{"id": '  # how each line begins that this command writes
KEY = "OPENAI_API_KEY"  # the variable that holds the key of a server


@command("ask")
@dataset
@click.option(
    "--model",
    "named",
    required=True,
    metavar="MODEL",
    help="smollm2 or gemma3, which are ordinary packages; a folder or a name on the Hub, for transformers; or the "
    "address of a server with OpenAI's chat completions and the model's name, such as "
    f"http://localhost:8000/v1#NAME (its key in {KEY})",
)
@click.option("--name", metavar="NAME", help="the model's name in the file of replies (default: as in --model)")
@click.option(
    "--to",
    type=PATH,
    required=True,
    metavar="JSONL",
    help="the file of replies; if it exists, only the missing replies are asked for",
)
@click.option("--max-tokens", type=POSITIVE, default=32, metavar="N", help="the longest reply, in tokens (default: 32)")
@click.option("--skip-long", is_flag=True, help="leave out the prompts that the model's context cannot hold")
@asking
def run(named: str, name: str | None, to: Path, max_tokens: int, skip_long: bool, **options: Any) -> None:
    """Ask for each prompt of a split that the file lacks, and write each reply when it is there."""
    hold_files(to)
    asked = prompts_by_id(Asked(**options))
    called = name or named
    known = answered(to) if to.exists() else {}
    if unknown := sorted(known.keys() - asked.keys()):
        raise UserError(f"{to} has replies to other prompts (first: {unknown[0]!r}): name another file with --to")
    if others := [model for model in known.values() if model not in (called, None)]:
        raise UserError(f"{to} has replies of {others[0]}, not of {called}: name another file with --to")
    left = {row: prompt for row, prompt in asked.items() if row not in known}
    if left:
        model = model_of(named, os.environ.get(KEY, "none"))
        long = model.too_long(left, max_tokens)
        if long and not skip_long:
            remedy = "use another model, another config, fewer --max-tokens, or --skip-long"
            raise UserError(f"{next(iter(long.values()))}: {remedy}")
        asked, left = ({row: prompt for row, prompt in some.items() if row not in long} for some in (asked, left))
        to.parent.mkdir(parents=True, exist_ok=True)
        for row, prompt in tqdm(left.items(), "asking", unit="prompt", delay=2, disable=None):
            line = json.dumps({"id": row, **model.answer(prompt, max_tokens), "model": called})
            with to.open("a", encoding="utf-8") as file:  # each reply is kept, whatever becomes of the next
                file.write(f"{line}\n")
    scored = "score reads them" + (" with --partial" if options["limit"] or skip_long else "")
    print(f"{to}: {len(asked):,} replies, {len(left):,} of them asked for now; {scored}")


def answered(file: Path) -> dict[str, str | None]:
    """Return the ids of a file of replies, each with its model where the line names one.

    A last line that was cut is deleted. Raises UserError for another file.
    """
    text = text_of(file)
    whole, end, last = text.rpartition("\n")
    if text.encode() != file.read_bytes():
        raise UserError(f"{file}: not a plain text file to which lines can be added; name another file with --to")
    known = {}
    for where, line in lines_of(file, whole if last.startswith(BEGUN) else text):
        try:
            reply = json.loads(line)
            known[reply["id"]] = reply.get("model")
        except (AttributeError, ValueError, TypeError, KeyError):
            raise UserError(f"{where}: not a reply with an id; name another file with --to") from None
    if last.startswith(BEGUN):
        os.truncate(file, len(f"{whole}{end}".encode()))
    elif last:
        write_text(file, f"{text}\n")
    return known
