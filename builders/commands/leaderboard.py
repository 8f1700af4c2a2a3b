"""The options of `score` that write a model's entries for the Hub's leaderboard of a benchmark, and the file itself."""

import argparse
import re
from argparse import Namespace
from collections.abc import Mapping
from datetime import UTC, date, datetime

import yaml

from .. import GENERATOR_VERSION
from ..answers.leaderboard import Origin, entries, entries_as_yaml
from ..answers.scores import Score
from ..builds.requests import layout
from ..errors import UserError
from ..prompts import TASK_FILE
from ..topics import features_of, topic
from .folders import builds
from .options import Parser, address, path

NEEDED = ("model_id", "dataset_id", "revision")
OTHERS = ("date", "source", "notes")


def add_options(parser: Parser) -> None:
    """Add the options of the entries."""
    about = "write the entries for the Hub's leaderboard, one for each task of eval.yaml that was answered whole"
    parser.add_argument("--eval-results", type=path, metavar="YAML", help=about)
    parser.add_argument("--model-id", type=repository, metavar="ORG/MODEL", help="the model's repository on the Hub")
    about = "the dataset's repository on the Hub, which holds these rows"
    parser.add_argument("--dataset-id", type=repository, metavar="ORG/NAME", help=about)
    parser.add_argument("--revision", type=commit, metavar="COMMIT", help="the commit there that holds these rows")
    parser.add_argument("--date", type=day, metavar="YYYY-MM-DD", help="the day it was evaluated (default: today, UTC)")
    about = "the address of a page about the evaluation, such as its logs (default: the dataset's page)"
    parser.add_argument("--source", type=address, metavar="URL", help=about)
    parser.add_argument("--notes", help="how the model was asked, such as: vp, temperature 0")


def repository(text: str) -> str:
    """Read the name of a repository of the Hub, with its namespace."""
    if not re.fullmatch(r"\w[\w.-]*/\w[\w.-]*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is no repository of the Hub, such as ORG/NAME")
    return text


def commit(text: str) -> str:
    """Read the name of a commit, whole."""
    if not re.fullmatch("[0-9a-f]{40}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no commit: it has 40 hexadecimal digits, which the Hub shows")
    return text


def day(text: str) -> str:
    """Read a day."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day such as 2026-01-31") from None


def check_options(args: Namespace) -> None:
    """Raise UserError where options of the entries are missing, or do nothing beside the others."""

    def spell(names: list[str]) -> str:
        return ", ".join("--" + name.replace("_", "-") for name in names)

    given = [name for name in (*NEEDED, *OTHERS) if getattr(args, name) is not None]
    if not args.eval_results:
        if given:
            raise UserError(f"{spell(given)}: for the entries of a leaderboard; name their file with --eval-results")
        return
    if args.data or len(args.responses) > 1:
        raise UserError("--eval-results takes one file of responses to a build; leave out --data and other files")
    if missing := [name for name in NEEDED if name not in given]:
        raise UserError(f"--eval-results needs {spell(missing)} too")


def entries_text(dataset: str, args: Namespace, by_prompt: Mapping[str, Score]) -> str:
    """Return the text of the file of entries. Raises UserError where there is nothing to say, or not one prompt."""
    if len(by_prompt) > 1:
        names = ", ".join(filter(None, by_prompt))
        raise UserError(f"{args.responses} has responses to several prompts ({names}): --prompt chooses one")
    (score,) = by_prompt.values()
    today = datetime.now(UTC).date().isoformat()
    source = args.source or f"https://huggingface.co/datasets/{args.dataset_id}"
    name = f"scored by tom-datasets {GENERATOR_VERSION}"
    origin = Origin(args.dataset_id, args.revision, args.date or today, source, name, args.notes or "")
    written = entries(dataset, score.replies, task_rows(dataset, args), origin)
    if not written:
        raise UserError(f"no task of {TASK_FILE} was answered whole: an entry needs a response to each test row")
    return entries_as_yaml(written)


def task_rows(dataset: str, args: Namespace) -> dict[str, set[str]]:
    """Return the ids of the rows of each task that a folder's eval.yaml names. Raises UserError where it has none."""
    (build,) = builds(args)
    files_of, file = layout(build), build.folder / TASK_FILE
    try:
        tasks = {
            task["id"]: files_of[task["config"]][task["split"]]
            for task in yaml.safe_load(file.read_text(encoding="utf-8"))["tasks"]
        }
    except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError):
        raise UserError(f"{file} is missing, or names no tasks of this build: build again") from None
    ids: dict[str, set[str]] = {task: set() for task in tasks}
    for task, files in tasks.items():
        for rows in files:
            column = topic(dataset, "config").ID_COLUMN
            ids[task].update(str(row[column]) for row in build.rows(rows, features_of(dataset), [column]))
    return ids


def how_to_send(dataset: str, args: Namespace) -> str:
    """Return what the user does with the file."""
    return (
        f"entries for the leaderboard: {args.eval_results}; "
        f"hf upload {args.model_id} {args.eval_results} .eval_results/{dataset}.yaml --create-pr sends them"
    )
