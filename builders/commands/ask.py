"""The command `ask`: it asks a language model, and writes the file of replies that `score` reads."""

import json
import os
from argparse import Namespace
from pathlib import Path

from tqdm import tqdm

from .. import prompts  # noqa: F401, options.toml names its facts
from ..errors import UserError
from ..files import hold_files, lines_of, text_of, write_text
from ..training.models import model_of
from .prompts import prompts_by_id

BEGUN = '{"id": '  # how each line begins that this command writes
KEY = "OPENAI_API_KEY"  # the variable that holds the key of a server


def run(args: Namespace) -> None:
    """Ask for each prompt of a split that the file lacks, and write each reply when it is there."""
    hold_files(args.to)
    asked = prompts_by_id(args)
    called = args.name or args.model
    known = answered(args.to) if args.to.exists() else {}
    if unknown := sorted(known.keys() - asked.keys()):
        raise UserError(f"{args.to} has replies to other prompts (first: {unknown[0]!r}): name another file with --to")
    if others := [model for model in known.values() if model not in (called, None)]:
        raise UserError(f"{args.to} has replies of {others[0]}, and this is {called}: name another file with --to")
    left = {name: prompt for name, prompt in asked.items() if name not in known}
    if left:
        model = model_of(args.model, os.environ.get(KEY, "none"))
        model.check(left, args.max_tokens)
        args.to.parent.mkdir(parents=True, exist_ok=True)
        for name, prompt in tqdm(left.items(), "asking", unit="prompt", delay=2, disable=None):
            line = json.dumps({"id": name, **model.answer(prompt, args.max_tokens), "model": called})
            with args.to.open("a", encoding="utf-8") as file:  # each reply is kept, whatever becomes of the next
                file.write(f"{line}\n")
    scored = "score reads them" + (" with --partial" if args.limit else "")
    print(f"{args.to}: {len(asked):,} replies, {len(left):,} of them asked for now; {scored}")


def answered(file: Path) -> dict[str, str | None]:
    """Return the ids of a file of replies, each with its model where the line names one.

    A last line that was cut is deleted. Raises UserError for another file.
    """
    text = text_of(file)
    whole, end, last = text.rpartition("\n")
    if text.encode() != file.read_bytes():
        raise UserError(f"{file}: no plain text to which lines can be added; name another file with --to")
    known = {}
    for where, line in lines_of(file, whole if last.startswith(BEGUN) else text):
        try:
            reply = json.loads(line)
            known[reply["id"]] = reply.get("model")
        except (AttributeError, ValueError, TypeError, KeyError):
            raise UserError(f"{where}: no reply with an id; name another file with --to") from None
    if last.startswith(BEGUN):
        os.truncate(file, len(f"{whole}{end}".encode()))
    elif last:
        write_text(file, f"{text}\n")
    return known
