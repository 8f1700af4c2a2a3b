"""The command `prompts`: it prints what a model is asked, as JSON lines."""

import json
import os
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import click

from .. import prompts
from ..dataset import dataset_named
from ..errors import UserError, located
from ..folder.build import Build
from ..splits import plain_name
from .folders import builds, chosen
from .options import Run, command, config, dataset, out, split
from .values import POSITIVE


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold which rows are asked, and how."""

    dataset: str
    config: str | None  # None: the default config of the build
    split: str
    style: str | None  # None: the first of the dataset
    rules: str | None  # None: as the config has it
    reply: str | None  # None: as the style asks
    limit: int | None  # None: all
    out: Path  # the folder that holds the build


def asking(run: Run) -> Run:
    """Give a command the options that say which rows are asked, and how; their values are the fields of `Asked`."""
    for add in (
        out,
        click.option(
            "--limit",
            type=POSITIVE,
            metavar="N",
            help="stop after N prompts, but print the last story or block whole (default: all)",
        ),
        click.option(
            "--reply",
            type=click.Choice(prompts.REPLIES),
            help="ask for this reply instead of the style's; final-line: reasoning, then a line that `reward` reads",
        ),
        click.option(
            "--rules",
            type=click.Choice(prompts.RULES),
            help="full: our own, which settle every label; paper: what the papers print (default for reproduction and "
            "tomh)",
        ),
        click.option(
            "--style",
            metavar="STYLE",
            help=f"{prompts.STYLES_IN_WORDS} (default: the first; mc for tomh); all-at-once of deep; number of rounds",
        ),
        split,
        config,
    ):
        run = add(run)
    return run


@command("prompts")
@dataset
@asking
def run(**options: Any) -> None:
    """Print the prompts of a split in the order of its rows; print nothing where one cannot be made."""
    lines = [json.dumps({"id": name, "prompt": prompt}) for name, prompt in prompts_by_id(Asked(**options)).items()]
    try:
        print("\n".join(lines), flush=True)
    except BrokenPipeError:
        raise  # nobody reads on
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else what is left fails again at exit
        raise UserError(f"standard output: {error.strerror}; what was printed is incomplete: run it again") from None


def prompts_by_id(asked: Asked) -> dict[str, str]:
    """Return the prompts of the rows that are asked, by the ids of the rows or of whole stories. Raises UserError."""
    (build,) = builds(asked.dataset, asked.out)
    dataset, known = build.dataset, dataset_named(build.dataset)
    config, file = chosen(build, asked.config, asked.split)
    whole = asked.style == prompts.ALL_AT_ONCE
    if whole and (plain_name(config) != prompts.WHOLE or dataset != "hi_tom" or asked.reply):
        advice = f"name hi_tom and --config {prompts.WHOLE}, and leave out --reply"
        raise UserError(f"--style {asked.style} asks about whole stories, in a form of its own: {advice}")
    numbers = asked.style == prompts.NUMBER
    if numbers and (plain_name(config) != prompts.IN_ROUNDS or dataset != "mindgames"):
        raise UserError(f"--style {asked.style} asks about puzzles in rounds: name mindgames and --config rounds")
    style = prompts.default_style(dataset, config) if asked.style is None else asked.style
    columns = [*prompts.COLUMNS[dataset], known.unit_column, *prompts.ALSO[dataset], *["events"] * whole]
    columns += ["names", "label", "first_yes"] if numbers else []
    pools = pools_of(build, file) if style == "five-shot" else {}
    rules = asked.rules or prompts.default_rules(config, build.request)
    made, begun, read = {}, set(), count()  # nothing is asked unless every row can be read, and has its examples
    with located(f"{build.folder / file}: "):
        for row in build.rows(file, columns):
            unit = row[known.unit_column] or str(row[known.id_column])
            if whole and unit in begun:
                continue  # a whole story is asked about once
            if numbers and not prompts.asks_number(row):
                continue
            if asked.limit is None or next(read) < asked.limit:
                begun.add(unit)
            if unit in begun:
                shots = prompts.shots(row, pools[row["setup"]]) if pools else []
                prompt = prompts.ask(style, row, shots, None, rules, asked.reply)
                made[unit if whole else str(row[columns[0]])] = prompt
    return made


def pools_of(build: Build, file: str) -> dict[str, prompts.Pool]:
    """Return for each setup in a file solved problems of a train split. Raises UserError where it has none."""
    pools, columns = {}, [*prompts.EXAMPLE_COLUMNS, "hypothesis", "label"]
    for setup in sorted({row["setup"] for row in build.rows(file, ["setup"])}):
        _, train = chosen(build, prompts.example_config(setup), "train")
        pools[setup] = prompts.example_pool(build.rows(train, columns), setup)
    return pools
