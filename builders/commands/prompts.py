"""The command `prompts`: it prints what a model is asked, as JSON lines."""

import json
import os
import sys
from argparse import Namespace
from itertools import count

from .. import prompts
from ..errors import UserError, located
from ..folder.build import Build
from ..splits import plain_name
from ..topics import topic
from .folders import builds, chosen


def run(args: Namespace) -> None:
    """Print the prompts of a split in the order of its rows; print nothing where one cannot be made."""
    lines = [json.dumps({"id": name, "prompt": prompt}) for name, prompt in prompts_by_id(args).items()]
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:
        raise  # nobody reads on
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else what is left fails again at exit
        raise UserError(f"standard output: {error.strerror}; what was printed is not whole") from None


def prompts_by_id(args: Namespace) -> dict[str, str]:
    """Return the prompts that the options name, by the ids of their rows, or of whole stories. Raises UserError."""
    (build,) = builds(args)
    dataset, known = build.dataset, topic(build.dataset, "config")
    config, file = chosen(build, args.config, args.split)
    whole = args.style == prompts.ALL_AT_ONCE
    if whole and (plain_name(config) != prompts.WHOLE or dataset != "hi_tom" or args.reply):
        advice = f"name hi_tom and --config {prompts.WHOLE}, and leave out --reply"
        raise UserError(f"--style {args.style} asks about whole stories, in a form of its own: {advice}")
    style = prompts.default_style(dataset, config) if args.style is None else args.style
    columns = [*prompts.COLUMNS[dataset], known.UNIT_COLUMN, "events" if whole else "seed"]  # the seed draws shots
    pools = pools_of(build, file) if style == "five-shot" else {}
    rules = args.rules or prompts.default_rules(config, build.request)
    asked, begun, read = {}, set(), count()  # nothing is asked unless every row can be read, and has its examples
    with located(f"{build.folder / file}: "):
        for row in build.rows(file, columns):
            unit = row[known.UNIT_COLUMN] or str(row[known.ID_COLUMN])
            if whole and unit in begun:
                continue  # a whole story is asked about once
            if args.limit is None or next(read) < args.limit:
                begun.add(unit)
            if unit in begun:
                shots = prompts.shots(row, pools[row["setup"]]) if pools else []
                prompt = prompts.ask(style, row, shots, None, rules, args.reply)
                asked[unit if whole else str(row[columns[0]])] = prompt
    return asked


def pools_of(build: Build, file: str) -> dict[str, prompts.Pool]:
    """Return for each setup in a file the problems of its train split. Raises UserError where it has none."""
    pools, columns = {}, [*prompts.EXAMPLE_COLUMNS, "hypothesis", "label"]
    for setup in sorted({row["setup"] for row in build.rows(file, ["setup"])}):
        _, train = chosen(build, setup, "train")
        pools[setup] = prompts.example_pool(build.rows(train, columns))
    return pools
