"""Own the command line: `python -m builders build|check|audit|prompts|score|publish|probe|reread|show|smcdel|clean`.

What a user can get wrong ends in one line and a non-zero exit; a traceback is a bug of ours. What is particular to a
dataset stands under its name and in its entry of `DATASETS`.
"""

import argparse
import contextlib
import hashlib
import json
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

from builders.errors import UserError, located

# Read once, when `datasets` first imports the client: files are sent by LFS, in one commit, as the tests have it sent.
os.environ.setdefault("HF_HUB_DISABLE_XET", "1")

import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

import hi_tom
import mindgames
from builders import GENERATOR_VERSION, prompts
from builders.answers import rates as answers_rates
from builders.answers import replies as answers_replies
from builders.answers import scores as answers_scores
from builders.answers.items import Item, of_problems, of_published, of_questions
from builders.answers.replies import replies_in
from builders.answers.scores import BY_CLAIMS, BY_LENGTH, OWN, SAME, Score
from builders.audit import learners
from builders.audit import published as audit_published
from builders.audit import shares as audit_shares
from builders.audit import stories as audit_stories
from builders.audit import tables as tables_
from builders.audit.gates import GATED_STORIES, GATES, broken_gates
from builders.audit.problems import Posed
from builders.audit.published import of_published_deep, published_positions
from builders.audit.shares import Answered, Table, spelled, tally
from builders.audit.stories import Asked
from builders.audit.tables import side_by_side
from builders.difficulty import probe
from builders.difficulty.masking import of_row
from builders.difficulty.probe import EMBEDDED, UNSCORED
from builders.folder import build as folder_build
from builders.folder import card, writing
from builders.folder.build import RECORD, checksum
from builders.hub import client, plan, publication
from builders.hub.client import Hub
from builders.hub.interrupts import heeded
from builders.hub.network import TOKEN
from builders.hub.plan import Order
from builders.logic import config as logic_config
from builders.logic import rows as logic_rows
from builders.logic import smcdel_answers
from builders.logic.config import CHECKERS, REPRODUCTION, SCALE, ProblemConfig
from builders.logic.formula import LABELS, SETUPS, Bot, Not, Problem
from builders.logic.rows import part_rows, plan_of
from builders.logic.s5 import Checker
from builders.proof import problems as proof_problems
from builders.proof import published_problems, published_stories
from builders.proof.problems import prove_mindgames
from builders.proof.published_problems import published_posed
from builders.proof.published_rows import AUDITED, TEXTS, published_rows
from builders.proof.published_stories import published_asked, published_questions
from builders.proof.stories import prove_hi_tom
from builders.story import config as story_config
from builders.story import rows as rows_
from builders.story.config import DEEP, SPLITS, TOMH, StoryConfig, order_name
from builders.story.meaning import SEMANTICS, SLOTS, Lesson, lessons, obstacle, teacher
from builders.story.record import loads
from builders.story.rows import file_of, story_rows
from builders.story.syntax import Names
from builders.voice import languages, templates
from hi_tom import HiTom
from mindgames import MindGames


@dataclass(frozen=True)
class Dataset:
    """Hold what the commands must know of a dataset.

    builder: the builder. module: its module: FEATURES, METADATA. layout: the files of each config and split.
    add_options: add the options, none of them required, that only its build has.
    configs: the configs that a build's options ask for.
    example: the config that is shown, given the fields of all.
    make: what else its card says, and (file, row) of all configs, made by a number of processes.
    row_id: a column that names a row.
    prove: for each row of a row group in turn what is wrong with it, or whose its text is, the text, and the whole
        problem, which must not repeat; given the fields that the rows were built with, and their file.
    text: what the text is called. proven: what it means that all rows agree; given whose each text is.
    asked: the rows of a Parquet file for the audit, given their config, and whether all rules are measured.
    hold: say whether the gates hold of a table, or raise UserError.
    add_show_options: add the options of `show`. show: print one problem.
    """

    builder: type
    module: ModuleType
    layout: Callable[[list], dict[str, dict[str, list[str]]]]
    add_options: Callable[[argparse.ArgumentParser], None]
    configs: Callable[[argparse.Namespace], list]
    example: Callable[[dict], str]
    make: Callable[[list, int], tuple[dict, Iterator[tuple[str, dict]]]]
    row_id: str
    prove: Callable[[list[dict], dict, str], Iterator[str | tuple[str, str, str]]]
    text: str
    proven: Callable[[list[str]], str]
    asked: Callable[[Path, dict, bool], list]
    hold: Callable[[Table], None]
    add_show_options: Callable[[argparse.ArgumentParser], None]
    show: Callable[[argparse.Namespace], None]


class Parser(argparse.ArgumentParser):
    """Parse arguments; an error is one line."""

    def error(self, message: str) -> None:
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")


class NameFirst(argparse.Action):
    """Refuse a dataset's own option where no dataset is named before it."""

    def __call__(self, parser, namespace, values, option_string=None) -> None:
        raise argparse.ArgumentError(self, f"name the dataset first: {' or '.join(DATASETS)}")


def integer(text: str) -> int:
    """Read an integer argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def processes(text: str) -> int:
    """Read a number of processes."""
    if integer(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return int(text)


def folder_path(text: str) -> Path:
    """Read a path, where ~ is the user's home."""
    return Path(text).expanduser()


def arguments() -> Parser:
    """Describe the command line."""
    parser = Parser(prog="python -m builders", description="Make, prove and measure theory-of-mind datasets.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run, about: str) -> Parser:
        added = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        added.set_defaults(run=run)
        return added

    def on_folder(name: str, run, about: str) -> Parser:
        added = command(name, run, about)
        added.add_argument("dataset", nargs="?", choices=list(DATASETS), help="default: each whose folder is there")
        add_out(added)
        return added

    building = command("build", run_build, "write a dataset's folder, a complete Hub repository")
    add_build_options(building)
    of = building.add_subparsers(dest="dataset", help="each has options of its own; default: all, without any")
    for name in DATASETS:
        about = f"Write the folder {name}, a complete Hub repository."
        add_build_options(of.add_parser(name, parents=[own_options(name)], description=about), again=True)
    for field in sorted({field for name in DATASETS for field in vars(own_options(name).parse_args([]))}):
        option = "--" + field.replace("_", "-")
        building.add_argument(option, nargs="?", action=NameFirst, default=argparse.SUPPRESS, help=argparse.SUPPRESS)

    checking = on_folder("check", run_check, "prove every row of the built Parquet twice, and hold the audit's gates")
    add_processes(checking)
    add_probe(checking)

    auditing = command("audit", run_audit, "print how often guessing without reading is right on the test split")
    about = "datasets, or files of published data as for reread (default: each dataset whose folder is there)"
    auditing.add_argument("what", nargs="*", metavar="|".join([*DATASETS, "FILE"]), help=about)
    add_out(auditing)
    about = "where to write the figures of files, as builders/published.json has them"
    auditing.add_argument("--record", type=folder_path, metavar="JSON", help=about)
    asking = command("prompts", run_prompts, "print what a model is asked, as JSON lines of id and prompt")
    asking.add_argument("dataset", choices=list(DATASETS))
    asking.add_argument("--config", help="default: the default config of the build")
    asking.add_argument("--split", default="test", help="default: test")
    styles = "; ".join(f"{', '.join(of)} of {name}" for name, of in prompts.STYLES.items())
    asking.add_argument("--style", help=f"{styles} (default: the first; mc for tomh)")
    add_out(asking)
    scoring = command("score", run_score, "score what a model answered, and what its answers depend on")
    add_score_options(scoring)
    publishing = on_folder("publish", run_publish, "send built folders to the Hugging Face Hub, and read them back")
    add_processes(publishing)
    add_probe(publishing)
    add_publish_options(publishing)
    on_folder("clean", run_clean, "delete what build wrote, and nothing else")

    reread = command("reread", run_reread, "compare the labels of published data with those read from their text")
    reread.add_argument("dataset", choices=list(TEXTS))
    reread.add_argument(
        "file", type=Path, help="JSON lines in the published fields, plain or gzipped; or Hi-ToM's JSON"
    )
    reread.add_argument("--disagreements", type=Path, default=Path("disagreements.jsonl"),
                        help="where to write the rows that disagree (default: disagreements.jsonl)")  # fmt: skip

    solve = command("smcdel", run_smcdel, "answer a file in SMCDEL's language as SMCDEL 1.3.0 does")
    solve.add_argument("file", help="the file, or - for standard input")

    training = command("probe", run_probe, "train the difficulty model of a dataset anew (needs the extra probe)")
    training.add_argument("dataset", nargs="?", choices=list(DATASETS), help="default: both")
    training.add_argument("--checkpoint", help="fine-tune this checkpoint of the Hub, or folder, instead")
    training.add_argument("--folder", type=folder_path, help="where to (default: probe, or probes/CHECKPOINT)")

    show = command("show", run_show, "print one problem of the default sizes, and what made its answers")
    of = show.add_subparsers(dest="dataset", required=True)
    for name, dataset in DATASETS.items():
        dataset.add_show_options(of.add_parser(name, description=dataset.show.__doc__))
    return parser


def add_out(parser: Parser) -> argparse.Action:
    """Add the option that says where the folders are."""
    return parser.add_argument(
        "--out", type=folder_path, default=Path("."), help="where the dataset's folder is (default: here)"
    )


def add_processes(parser: Parser) -> argparse.Action:
    """Add the option that says how many processes work."""
    return parser.add_argument("--processes", type=processes, default=1, help="how many processes work (default: 1)")


def add_probe(parser: Parser) -> argparse.Action:
    """Add the option that says which probe scores the rows."""
    about = "the folder of the probe that scores the rows, or none (default: the one that comes with the project)"
    return parser.add_argument("--probe", default=EMBEDDED, metavar="FOLDER", help=about)


def add_score_options(parser: Parser) -> None:
    """Add the options that say what was answered, and to what."""
    parser.add_argument("dataset", choices=list(DATASETS))
    about = "JSON lines with id (of mindgames: its index), response, and perhaps prompt"
    parser.add_argument("--responses", type=folder_path, required=True, metavar="JSONL", help=about)
    add_out(parser)
    parser.add_argument("--config", help="default: the default config of the build")
    parser.add_argument("--split", help="default: test")
    about = "score published data instead: its JSON lines; of Hi-ToM's, responses have the fields that name a question"
    parser.add_argument("--data", type=folder_path, metavar="FILE", help=about)
    parser.add_argument("--prompt", help="what prompt lines without one are of; of lines that say theirs, only these")
    parser.add_argument(
        "--partial", action="store_true", help="score the rest where ids are missing, unknown or repeated"
    )
    parser.add_argument("--report", type=folder_path, metavar="JSON", help="where to write all of it as JSON")
    parser.add_argument("--pictures", type=folder_path, metavar="FOLDER", help="where to draw what the papers draw")


def add_publish_options(parser: Parser) -> None:
    """Add the options that say where on the Hub, and how."""
    parser.add_argument("--namespace", type=namespace, required=True, help="the user or organisation it is sent to")
    parser.add_argument("--private", action="store_true", help="make new repositories private")
    parser.add_argument("--tag", type=ref, help="tag the commit, such as v1.0.0")
    apart = parser.add_mutually_exclusive_group()
    apart.add_argument("--pr", action="store_true", help="open a pull request instead")
    apart.add_argument("--revision", type=ref, default="main", help="the branch, made if it is not there")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be added, changed, deleted; send nothing"
    )
    about = "how long the Hub may take in all, in seconds (default: 1800)"
    parser.add_argument("--time-limit", type=seconds, default=1800.0, metavar="SECONDS", help=about)


def namespace(text: str) -> str:
    """Read the name of a user or an organisation of the Hub."""
    no_token(text)
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a user or an organisation of the Hub")
    return text


def ref(text: str) -> str:
    """Read the name of a branch or a tag."""
    no_token(text)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]*", text) or text.startswith("refs/") or ".." in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a branch or a tag")
    if re.fullmatch("[0-9a-f]{40}", text):
        raise argparse.ArgumentTypeError(f"{text} is a commit; name a branch or a tag")
    return text


def no_token(text: str) -> None:
    """Refuse a token where a name should be, without saying it."""
    if TOKEN.search(text) or text and text == os.environ.get("HF_TOKEN"):
        raise argparse.ArgumentTypeError("it is a token, not a name; a token is given by HF_TOKEN alone")


def seconds(text: str) -> float:
    """Read a number of seconds."""
    try:
        if 0 < float(text) < float("inf"):
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")


def scorer_of(args: argparse.Namespace) -> str | None:
    """Return the probe of a config."""
    return None if args.probe == "none" else os.path.expanduser(args.probe)


def add_build_options(parser: Parser, again: bool = False) -> None:
    """Add the options that every dataset has; `again`, after its name, they have no defaults to undo those before."""
    about = "any integer of 64 bits; the same seed gives the same bytes"
    added = [
        parser.add_argument("--seed", type=integer, default=0, help=about),
        add_out(parser),
        parser.add_argument("--language", default="en", help=f"one of: {', '.join(languages())} (default: en)"),
        add_processes(parser),
        add_probe(parser),
    ]
    for option in added if again else []:
        option.default = argparse.SUPPRESS


def own_options(name: str) -> Parser:
    """Return a parser of the options that only this dataset has."""
    parser = Parser(add_help=False)
    DATASETS[name].add_options(parser)
    return parser


def named(args: argparse.Namespace) -> list[str]:
    """Return the dataset that a command names, or all."""
    return [args.dataset] if args.dataset else list(DATASETS)


# Build.


def run_build(args: argparse.Namespace) -> None:
    """Write the folders, unless they already hold what is asked for."""
    for name in named(args):
        # Gives its own options their defaults where the dataset was not named; what was given stays.
        build(name, own_options(name).parse_args([], argparse.Namespace(**vars(args))))


def build(name: str, args: argparse.Namespace) -> None:
    """Write the folder of a dataset, unless it already holds what is asked for."""
    dataset = DATASETS[name]
    configs = dataset.configs(args)
    for config in configs:
        with located(f"{config.name}: "):
            config.validate()
            if config.scorer:
                probe.probe(config.scorer, name)
    if args.out.exists() and not args.out.is_dir():
        raise UserError(f"--out is {args.out}, which is no folder")
    scoring = scorer_of(args) and probe.probe(scorer_of(args), name)
    known = {"version": GENERATOR_VERSION, "scorer": scoring and scoring.identity}
    request = {config.name: {**asdict(config), **known} for config in configs}
    request = json.loads(json.dumps(request))
    target = args.out / name
    if folder_build.claim(target, name, request):
        print(f"{target} is up to date: same arguments, same sources, every file unchanged")
        return
    module = dataset.module
    with located(""):
        about, made = dataset.make(configs, args.processes)
        about |= {"columns": card.columns(dataset.builder), "example": dataset.example(request)}
        about |= {"probe": scoring, "unscored": Counter()}
        with contextlib.closing(count_unscored(made, about["unscored"])) as rows:
            writing.write(
                target,
                name,
                request,
                module.FEATURES,
                dataset.layout(configs),
                rows,
                module.METADATA | {"language": [args.language]},
                about,
                partial(furnish, name, prompts.tasks(name, dataset.layout(configs), args.language)),
            )
    print(f"{target}: {total_rows(folder_build.record(target, name)):,} rows written, seed {args.seed}")
    if scoring and about["unscored"]:
        print(
            f"{about['unscored'].total():,} rows are beyond the probe's limit of {scoring.limit} tokens, and have no "
            f"deberta_pred, deberta_confidence and difficulty: {dict(about['unscored'])}"
        )


def count_unscored(made: Iterator[tuple[str, dict]], unscored: Counter) -> Iterator[tuple[str, dict]]:
    """Yield (file, row), and count the rows of each file that no probe scored."""
    with contextlib.closing(made):
        for file, row in made:
            if row["deberta_pred"] is None:
                unscored[file] += 1
            yield file, row


def spread(work, tasks: list[tuple], processes: int, what: str, unit: str) -> Iterator:
    """Do tasks in order, in this process or in several, with a progress bar after two seconds on a terminal.

    Each worker takes every n-th task and has a pipe of its own, so that the death of one is seen at once: a pool would
    wait for a result that never comes.
    """
    workers: list[tuple[Process, Connection]] = []
    with tqdm(total=len(tasks), desc=what, unit=unit, delay=2, disable=None) as bar:
        try:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # a worker that was not noted would go on alone
            try:
                for first in range(processes if processes > 1 else 0):
                    receive, send = Pipe(duplex=False)
                    ours = [receive, *(each for _, each in workers)]
                    worker = Process(target=labour, args=(work, tasks[first::processes], send, ours), daemon=True)
                    worker.start()
                    send.close()
                    workers.append((worker, receive))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            for number, task in enumerate(tasks):
                yield hear(workers[number % processes][1]) if workers else work(*task)
                bar.update()
        finally:
            for worker, receive in workers:
                receive.close()
                worker.terminate()
                worker.join()


STOPS = (signal.SIGINT, signal.SIGTERM)
"""What stops a command."""


def labour(work, tasks: list[tuple], send: Connection, others: list[Connection]) -> None:
    """Do a worker's tasks and send each result, or the error that ended the work.

    `others` are ends of pipes that only the process that started it reads: while a worker holds one, its writer does
    not find it broken.
    """
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # through all that is to be ended, such as a program asked
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    with contextlib.suppress(BrokenPipeError):
        for task in tasks:
            try:
                result, error = work(*task), None
            except Exception as caught:
                result, error = None, caught
            send.send((result, error))


def hear(receive: Connection):
    """Return a worker's next result; raise what ended its work."""
    try:
        result, error = receive.recv()
    except (EOFError, OSError):
        raise UserError("a worker was killed, perhaps for want of memory; nothing half-written was left") from None
    if error is not None:
        raise error
    return result


def total_rows(known: dict) -> int:
    """Return the rows of a build by its record."""
    return sum(facts["rows"] for facts in known["files"].values())


# Check and audit.


def built(args: argparse.Namespace) -> Iterator[tuple[str, Path, dict]]:
    """Yield the dataset that is named, or each whose folder is there, with its folder and its record."""
    names = [name for name in named(args) if args.dataset or (args.out / name).exists()]
    if not names:
        raise UserError(f"{args.out.absolute()} holds no build of {' or '.join(DATASETS)}: run make build first")
    for name in names:
        target = args.out / name
        known = folder_build.record(target, name)
        if known is None:
            raise UserError(f"{target} holds no build of {name} (no {RECORD}): run make build first")
        yield name, target, known


def table_files(target: Path, known: dict) -> list[str]:
    """Return the Parquet files of a build, in the order of the record."""
    files = [file for file in known["files"] if file.endswith(".parquet")]
    for file in files:
        if not (target / file).is_file():
            raise UserError(f"{target / file} is missing: build again")
    return files


def config_of(known: dict, file: str) -> dict:
    """Return the fields with which the rows of a file were built."""
    default = next(iter(known["request"].values()))
    return known["request"].get(file.split("/")[0], default)


@contextlib.contextmanager
def opened(name: str, path: Path) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file of a dataset; raise UserError where it is none, or has other columns."""
    try:
        with pq.ParquetFile(path) as table:
            found, columns = table.schema_arrow.names, list(DATASETS[name].module.FEATURES)
            if found != columns:
                raise UserError(f"{path} has other columns than {name}: {', '.join(set(found) ^ set(columns))}")
            yield table
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def read_rows(name: str, path: Path, group: int | None = None) -> list[dict]:
    """Return the rows of a dataset's Parquet file, or of one of its row groups, with ClassLabels as numbers."""
    with opened(name, path) as table:
        return (table.read() if group is None else table.read_row_group(group)).to_pylist()


def prove_group(name: str, target: Path, file: str, group: int, config: dict) -> tuple[str | None, list[tuple]]:
    """Prove the rows of one row group.

    Returns what is wrong with the first row that does not agree, and for each row before it what must not repeat: its
    id, whose its text is, and digests of its text and of its whole problem.
    """
    rows = read_rows(name, target / file, group)
    seen = []
    for row, found in zip(rows, DATASETS[name].prove(rows, config, file), strict=True):
        row_id = str(row[DATASETS[name].row_id])
        if isinstance(found, str):
            return f"{target / file}, row {row_id}: {found}", seen
        owner, *texts = found
        seen.append((row_id, owner, *(hashlib.sha256(text.encode()).digest()[:16] for text in texts)))
    return None, seen


def run_check(args: argparse.Namespace) -> None:
    """Prove every row, that none occurs twice or in two splits, and that the gates hold."""
    for name, target, known in built(args):
        check(name, target, known, args)


def run_publish(args: argparse.Namespace) -> None:
    """Send the folders that are named, or all: each is complete, proven and within the gates before any is sent."""
    if args.pr and args.tag:
        raise UserError("a pull request is not tagged: leave TAG out, and tag when it is merged")
    folders = []
    for name, target, known in list(built(args)):
        local = plan.take(name, target, known)
        check(name, target, known, args)
        folders.append((local, DATASETS[name].example(known["request"])))
    order = Order(args.namespace, args.private, args.pr, args.tag, args.revision, args.dry_run)
    there = Hub(client.token(), args.time_limit)
    with heeded(there):
        there.check_access(args.namespace)
        publication.publish(there, folders, order)


def check(name: str, target: Path, known: dict, args: argparse.Namespace) -> None:
    """Prove every row of a dataset, that none occurs twice or in two splits, and that the gates hold."""
    check_rows(name, target, known, args.processes, scorer_of(args))
    DATASETS[name].hold(tables(name, target, known, gates_only=True)[0])
    hold_order_gates(deep_table(target, known), "deep")


def check_rows(name: str, target: Path, known: dict, processes: int, scorer: str | None) -> None:
    """Prove every row of a dataset, and that none occurs twice or in two splits."""
    tasks = []
    with located(""):
        given = scorer and probe.probe(scorer, name).identity
    scored = next(iter(known["request"].values()))["scorer"]
    if scored not in (None, given):
        raise UserError(f"{target} was scored by {scored}; say --probe and its folder, not {given}")
    for file in table_files(target, known):
        with opened(name, target / file) as table:
            config = {**config_of(known, file), "scorer": scored and scorer}
            tasks += [(name, target, file, group, config) for group in range(table.num_row_groups)]
    total = total_rows(known)
    agreed = 0
    ids: set[str] = set()
    problems: set[bytes] = set()
    owner_of: dict[bytes, tuple[str, str]] = {}
    for (_, _, file, _, _), (fault, seen) in zip(
        tasks, spread(prove_group, tasks, processes, "checking", "row group"), strict=True
    ):
        agreed += len(seen)
        if fault:
            raise UserError(f"{agreed:,} of {total:,} rows agree, then {fault}")
        for row_id, owner, text, problem in seen:
            here = (owner, Path(file).stem)
            if row_id in ids:
                raise UserError(f"{target / file}, row {row_id}: its id occurs twice")
            if problem in problems:
                raise UserError(f"{target / file}, row {row_id}: its problem occurs twice")
            if owner_of.setdefault(text, here) != here:
                also = f"its {DATASETS[name].text} is in {' '.join(owner_of[text])} too"
                raise UserError(f"{target / file}, row {row_id}: {also}")
            ids.add(row_id)
            problems.add(problem)
    if agreed != total:
        raise UserError(f"{target} has {agreed:,} rows, its {RECORD} says {total:,}")
    proven = DATASETS[name].proven([owner for owner, _ in owner_of.values()])
    print(f"{target}: {agreed:,} of {total:,} rows agree: {proven}")


def tables(name: str, target: Path, known: dict, gates_only: bool = False) -> tuple[Table, Table]:
    """Measure the test splits: the gated table, and that of the other configs and orders, which is only shown.

    Rules that learn are fitted on the train split of the same config; where there is none, on each half for the other.
    gates_only: leave out what no gate needs, as the second table.
    """
    asked, gated, shown = DATASETS[name].asked, [], []
    for file in table_files(target, known):
        config, split = file.removesuffix(".parquet").split("/")
        own = config in known["request"]  # and not one of those that `all` has
        if split != "test" or (gates_only and own):
            continue
        tested = asked(target / file, config_of(known, file), not gates_only)
        train = f"{config}/train.parquet"
        if tested and not tested[0].seen():  # nothing learns
            answered = learners.answer(tested)
        elif train in known["files"]:
            answered = answer_by_group(tested, asked(target / train, config_of(known, train), not gates_only))
        else:
            answered = learners.crossed(tested)
        if own:
            shown += [replace(each, group=f"{config} {each.group}") for each in answered]
        else:
            (shown if config == order_name(0) else gated).extend(answered)
    return tally(with_all(name, gated)), tally(shown)


def answer_by_group(tested: list, fitted: list) -> list[Answered]:
    """Return what the rules make of rows, those that learn fitted on the other rows of the same group."""
    answered = []
    for group in dict.fromkeys(row.group for row in tested):
        ours, others = ([row for row in rows if row.group == group] for rows in (tested, fitted))
        answered += learners.answer(ours, others)
    return answered


def with_all(name: str, answered: list[Answered]) -> list[Answered]:
    """Return what was answered, in MindGames also as one group: the orders of Hi-ToM have nothing in common."""
    return answered + [replace(each, group=audit_shares.ALL) for each in answered if name == "mindgames"]


COTP = " (CoTP)"
"""What the published groups of Hi-ToM are called that stand beside ours."""


def published_table(name: str) -> Table:
    """Return the table of the published data that stands beside ours.

    Of Hi-ToM that is the release of which the labels follow from the text (see `reread`); in both together every
    question would count twice.
    """
    return {group.removesuffix(COTP): shares for group, shares in audit_published.of_published(name).items()}


def run_audit(args: argparse.Namespace) -> None:
    """Print the tables of guesses, and whether the gates hold; of files the tables only."""
    files = [Path(what).expanduser() for what in args.what if what not in DATASETS]
    if args.record and (not files or len(files) < len(args.what)):
        raise UserError("--record is for files of published data: name only those")
    for name in [what for what in args.what if what in DATASETS] or ([] if files else [None]):
        for dataset, target, known in built(argparse.Namespace(dataset=name, out=args.out)):
            audit_folder(dataset, target, known, args.out / "pictures")
    measured: dict[str, dict] = {}
    for path in files:
        name, figures = audit_file(path)
        if args.record and name in measured:
            raise UserError(f"{path} is {name} like {measured[name]['file']}; --record takes one file of each dataset")
        measured[name] = figures
    if args.record:
        write_text(args.record, json.dumps(measured, indent=1) + "\n")


def audit_folder(name: str, target: Path, known: dict, pictures: Path) -> None:
    """Print the tables of a build, draw its pictures, and say whether the gates hold."""
    gated, shown = tables(name, target, known)
    print(f"{target}: per cent of the test rows that a rule answers right, with its 95 % interval.\n")
    print(side_by_side(gated, published_table(name), GATES[name]))
    print("\nShown, not gated:\n")
    print(tables_.render(shown))
    print()
    deep = deep_table(target, known)
    if deep:
        print("Deep stories: shares of their test questions in per cent, gated from order 2.\n")
        print(f"{beside_published(deep)}\n")
    if has_enough(known):
        drawn = draw(name, target, known, gated, pictures, f"{name}_")
        print(f"drawn under {pictures.parent}: {', '.join(drawn.values())}")
    DATASETS[name].hold(gated)
    hold_order_gates(deep, "deep")


def audit_file(path: Path) -> tuple[str, dict]:
    """Print the table of a file of published data; return whose it is, and its figures."""
    rows = list(published_rows(path, *AUDITED.values()))
    name = next(name for name, fields in AUDITED.items() if set(fields) <= set(rows[0][1]))
    with located(""):
        asked = (published_asked if name == "hi_tom" else published_posed)(
            tqdm(rows, desc="auditing", unit="row", delay=2, disable=None)
        )
    table = tally(with_all(name, learners.crossed(asked)))
    print(f"{path}, read as {name}: per cent of the rows that a rule answers right, with its 95 % interval.\n")
    print(f"{tables_.render(table)}\n")
    figures = {"file": path.name, "sha256": checksum(path), "rows": len(rows), "groups": spelled(table)}
    if name == "hi_tom":
        figures["positions"] = audit_stories.positions(asked)
    return name, figures


def furnish(name: str, tasks: str, target: Path, known: dict) -> dict:
    """Write the tasks for Inspect and the pictures into the folder; return what the card says of the audit."""
    (target / prompts.TASKS).write_text(tasks, encoding="utf-8")
    return describe(name, target, known)


def describe(name: str, target: Path, known: dict) -> dict:
    """Return what the card says of the audit, and draw the pictures into the folder, where there are rows enough."""
    if not has_enough(known):
        return {"enough": GATED_STORIES, "audited": "", "shown": "", "deep": "", "pictures": {}}
    gated, shown = tables(name, target, known)
    deep = deep_table(target, known)
    return {
        "enough": GATED_STORIES,
        "audited": side_by_side(gated, published_table(name), GATES[name]),
        "shown": tables_.render(shown) if shown else "",
        "deep": beside_published(deep) if deep else "",
        "pictures": draw(name, target, known, gated, target / "pictures", ""),
    }


def is_gated(file: str, known: dict) -> bool:
    """Return whether a file is a test split of the first config, by order or setup."""
    config, _, split = file.partition("/")
    return split == "test.parquet" and config not in known["request"]


def has_enough(known: dict) -> bool:
    """Return whether each gated test file has rows enough for shares and pictures to mean something."""
    sizes = [facts["rows"] for file, facts in known["files"].items() if is_gated(file, known)]
    return min(sizes, default=0) >= GATED_STORIES


def draw(name: str, target: Path, known: dict, gated: Table, where: Path, prefix: str) -> dict[str, str]:
    """Draw the pictures of a build under `where`; return the file of each kind, those left out that would be empty."""
    from builders.audit import pictures as audit_pictures  # slow to import, and few commands draw

    published = published_table(name)
    scored: dict[str, list[tuple[float, float]]] = {}
    for file in table_files(target, known):
        if is_gated(file, known):
            columns = pq.read_table(target / file, columns=list(UNSCORED)).to_pylist()
            scored[file.split("/")[0]] = [
                (row["deberta_confidence"], row["difficulty"]) for row in columns if row["difficulty"] is not None
            ]
    compared = {
        group: {
            rule: {
                series: (share.share, *share.interval())
                for series, table in (("ours", gated), ("published", published))
                if (share := table.get(group, {}).get(rule))
            }
            for rule in shares
        }
        for group, shares in gated.items()
    }
    chance = next((share.chance for shares in gated.values() for share in shares.values()), None)
    gates = {rule: most for rule, (_, most) in GATES[name].items()}
    drawings = {
        "shortcuts": lambda path: audit_pictures.shortcuts(path, compared, chance, gates),
        "difficulty": lambda path: audit_pictures.difficulty_histograms(
            path, {group: [value for _, value in rows] for group, rows in scored.items()}
        ),
        "confidence": lambda path: audit_pictures.calibration(
            path, {group: [(sure, value < 1) for sure, value in rows] for group, rows in scored.items()}
        ),
    }
    if name == "hi_tom":
        drawings |= hi_tom_positions(target, known, audit_pictures)
    where.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for kind, picture in drawings.items():
        with contextlib.suppress(audit_pictures.EmptyPictureError):
            picture(where / f"{prefix}{kind}.png")
            drawn[kind] = f"{where.name}/{prefix}{kind}.png"
    return drawn


def hi_tom_positions(target: Path, known: dict, audit_pictures: ModuleType) -> dict[str, Callable[[Path], object]]:
    """Return the pictures of where the answers of hi_tom stand, ours beside the published ones."""
    asked = []
    for order in range(1, 1 + max(config["max_order"] for config in known["request"].values())):
        file = file_of(story_config.ALL, "test", order)
        if file in known["files"]:
            asked += hi_tom_asked(target / file, config_of(known, file), False)
    published = {group.removesuffix(COTP): counts for group, counts in published_positions().items()}
    ours = audit_stories.positions(asked)

    def panels(kind: str) -> dict[str, dict[str, list[float]]]:
        return {
            group: {
                series: [count / sum(counts[group][kind]) for count in counts[group][kind]]
                for series, counts in (("ours", ours), ("published", published))
                if group in counts
            }
            for group in ours
        }

    letters = "ABCDEFGHIJKLMNO"
    return {
        "letters": lambda path: audit_pictures.answer_positions(path, panels("letters"), letters, 1 / len(letters)),
        "places": lambda path: audit_pictures.answer_positions(path, panels("slots"), SLOTS, None),
    }


def run_clean(args: argparse.Namespace) -> None:
    """Delete what build wrote."""
    for name in named(args):
        target = args.out / name
        left = folder_build.remove(target, name)
        if left:
            print(
                f"{target} holds files that no build wrote, or that were changed since, still there: {', '.join(left)}"
            )


# Reread.


def run_reread(args: argparse.Namespace) -> None:
    """Compare published labels with those that their text has."""
    rows = list(published_rows(args.file, TEXTS[args.dataset]))
    rows = tqdm(rows, desc="rereading", unit="row", delay=2, disable=None)
    (reread_mindgames if args.dataset == "mindgames" else reread_hi_tom)(rows, args.disagreements)


def reread_hi_tom(rows: Iterable[tuple[str, dict]], disagreements: Path) -> None:
    """Print how often published labels agree with those read from the text, and write down the others."""
    counts, answers, disagreeing = published_stories.reread_hi_tom(rows)
    write_rows(disagreements, disagreeing)
    print("Published labels that agree with the label read from the text: of the questions without / with claims.\n")
    print("| rows | order | questions | " + " | ".join(f"{s}, without | {s}, with" for s in SEMANTICS) + " |")
    print("| --- | --- | ---: |" + " ---: |" * 4)
    for (group, order), count in sorted(counts.items(), key=lambda item: (item[0][0] == "all", item[0])):
        cells = [
            f"{count[semantics, claims, 'agree']} of {count[claims]}"
            for semantics in SEMANTICS
            for claims in (False, True)
        ]
        print(f"| {group} | {order} | {count['questions']} | {' | '.join(cells)} |")
    print()
    for semantics in SEMANTICS:
        totals = [
            f"{group} {count[semantics, False, 'agree'] + count[semantics, True, 'agree']} of {count['questions']}"
            for (group, order), count in sorted(counts.items())
            if order == "total"
        ]
        print(f"{semantics}: {', '.join(totals)} agree")
    print()
    twice = [given for given in answers.values() if len(given) > 1]
    if twice:
        split = sum(len(set(given)) > 1 for given in twice)
        print(f"{len(twice)} questions stand more than once; {split} of them have different published answers")
    print(f"{len(disagreeing)} rows that disagree with one of the semantics or both: {disagreements}")


def reread_mindgames(rows: Iterable[tuple[str, dict]], disagreements: Path) -> None:
    """Print how often published labels follow from the formal problem and from the English; list what does not."""
    counts, disagreeing = published_problems.reread_mindgames(rows)
    write_rows(disagreements, disagreeing)
    print("| setup | rows | label follows from smcdel_problem | label follows from the English |")
    print("| --- | ---: | ---: | ---: |")
    for setup, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        print(f"| {setup} | {count['rows']} | {count['formal']} | {count['english']} |")
    print()
    for row in disagreeing:
        print(f"{row['where']}: {row['label']}, formally {row['read_formal']}, in English {row['read_english']}")
        print(f"  {row['why']}")
    print(f"\n{len(disagreeing)} rows that disagree: {disagreements}")


def write_rows(path: Path, rows: list[dict]) -> None:
    """Write rows as JSON lines."""
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def write_text(path: Path, text: str) -> None:
    """Write a text under a temporary name that is then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


# Prompts.


def run_prompts(args: argparse.Namespace) -> None:
    """Print the prompts of a split, in the order of its rows; nothing of them where something is wrong."""
    ((name, target, known),) = built(args)
    layout = layout_of(name, known)
    config, _, paths = chosen(target, layout, args.config, args.split)
    style = prompts.default_style(name, config) if args.style is None else args.style
    if style not in prompts.STYLES[name]:
        raise UserError(f"unknown style {style!r}; the styles of {name} are {', '.join(prompts.STYLES[name])}")
    table_files(target, known)
    columns, of = prompts.COLUMNS[name], {}
    if style == "five-shot":
        columns = tuple(dict.fromkeys((*columns, *prompts.CHOOSING)))
        of = pools(name, target, layout, paths)
    language = next(iter(known["request"].values()))["language"]

    def rows() -> Iterator[tuple[dict, list[dict]]]:
        for path in paths:
            with opened(name, path) as table, located(f"{path}: "):
                for batch in table.iter_batches(columns=columns):
                    for row in batch.to_pylist():
                        yield row, prompts.shots(row, of[row["setup"]]) if of else []

    for _ in rows():
        pass  # nothing is printed unless all can be read, and shown enough
    names = prompts.COLUMNS[name][0]
    print_lines(
        json.dumps({"id": str(row[names]), "prompt": prompts.ask(style, row, shots, language)}) for row, shots in rows()
    )


def layout_of(name: str, known: dict) -> dict[str, dict[str, list[str]]]:
    """Return which files each config of a build reads for each split, the default config first."""
    config_class = {"hi_tom": StoryConfig, "mindgames": ProblemConfig}[name]
    own = {field.name for field in fields(config_class)}
    configs = [{field: value for field, value in said.items() if field in own} for said in known["request"].values()]
    return DATASETS[name].layout([config_class(**config) for config in configs])


def pools(
    name: str, target: Path, layout: dict[str, dict[str, list[str]]], paths: list[Path]
) -> dict[str, prompts.Pool]:
    """Return for each setup in files which problems of its train split may be shown."""
    setups = {setup for path in paths for setup in pq.read_table(path, columns=["setup"])["setup"].to_pylist()}
    found = {}
    for setup in sorted(setups):
        files = layout.get(setup, {}).get("train")
        if not files:
            raise UserError(f"{target} has no train split of {setup}, from which the examples are taken: build one")
        columns = [*prompts.CHOOSING, "hypothesis", "label"]
        tables = [pq.read_table(target / file, columns=columns) for file in files]
        found[setup] = prompts.pool(row for table in tables for row in table.to_pylist())
    return found


def print_lines(lines: Iterable[str]) -> None:
    """Print lines until whoever reads them has enough."""
    for line in lines:
        try:
            print(line, flush=True)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else what is left fails again at exit
            if isinstance(error, BrokenPipeError):
                return
            raise UserError(f"standard output: {error.strerror}; what was printed is not whole") from None


# Probe.


def run_probe(args: argparse.Namespace) -> None:
    """Train the probe of a dataset, or of each."""
    try:
        from builders.difficulty import trainer  # torch is heavy, and nothing else needs it
    except ModuleNotFoundError as error:
        raise UserError(
            f"training needs {error.name}: pip install -r requirements-probe.txt, or use make probe"
        ) from None
    folder = args.folder or (Path("probes", args.checkpoint.replace("/", "--")) if args.checkpoint else Path("probe"))
    for name in named(args):
        dataset = DATASETS[name]
        default = own_options(name).parse_args([], arguments().parse_args(["build"]))
        unscored = [replace(config, scorer=None) for config in dataset.configs(default)]

        def rows_of(config, dataset=dataset) -> Iterator[dict]:
            return (row for _, row in dataset.make([config], 1)[1])

        published = [(file, of_row(row)) for file, row in dataset.make(unscored, 1)[1]]
        with located(""):
            if args.checkpoint:
                trainer.fine_tune(name, rows_of, published, folder, args.checkpoint)
            else:
                trainer.train(name, rows_of, published, folder)
        for config, (right, rows) in probe.probe(str(folder), name).right.items():
            print(f"{folder / name}.onnx: {100 * right / rows:.1f} % of {rows} test rows of {config}")


# Score.


def run_score(args: argparse.Namespace) -> None:
    """Print how often replies are right; write nothing where something is wrong with them."""
    name, source, items = scored_items(args)
    with located(""):
        replies = replies_in(args.responses, bool(args.data) and name == "hi_tom", args.prompt)
        texts, asked, faults = answers_replies.matched(args.responses, items, replies)
    if faults and not args.partial:
        raise UserError(f"{args.responses}: {'; '.join(faults)}; --partial scores the rest")
    scores = answers_scores.score(name, asked, texts)
    print(
        f"{args.responses}, answers to {source}: per cent, with 95 % intervals from a bootstrap over stories or blocks."
    )
    for fault in faults:
        print(f"left out: {fault}")
    for prompt, score in scores.items():
        print_score(prompt, score)
    unread = answers_scores.unread(next(iter(scores.values())).given)
    if args.report:
        about = {"dataset": name, "responses": args.responses.name, "answers_to": source, "left_out": faults}
        report = about | {"scores": answers_scores.spelled(scores), "unread": unread}
        write_text(args.report, json.dumps(report, indent=1) + "\n")
        print(f"\nreport: {args.report}")
    if args.pictures:
        print(f"drawn under {args.pictures}: {', '.join(draw_scores(name, scores, args.pictures))}")


def scored_items(args: argparse.Namespace) -> tuple[str, str, list[Item]]:
    """Return the dataset, what was answered in words, and its items."""
    name = args.dataset
    if args.data:
        if args.config or args.split:
            raise UserError("--data names the rows; leave out --config and --split")
        rows = published_rows(args.data, AUDITED[name])
        rows = published_questions(rows) if name == "hi_tom" else ({**row, "where": at} for at, row in rows)
        with located(""):
            return name, args.data.name, of_published(name, rows)
    ((_, target, known),) = built(args)
    config, split, paths = chosen(target, layout_of(name, known), args.config, args.split or "test")
    table_files(target, known)
    rows = [row for path in paths for row in read_rows(name, path)]
    items = (of_questions if name == "hi_tom" else of_problems)(rows)
    return name, f"{name}, {config}, {split}", items


def chosen(target: Path, layout: dict, config: str | None, split: str) -> tuple[str, str, list[Path]]:
    """Return the config and split that are asked for, and their files."""
    config = next(iter(layout)) if config is None else config
    if config not in layout:
        raise UserError(f"unknown config {config!r}; {target} has {', '.join(layout)}")
    if split not in layout[config]:
        raise UserError(f"{config} has no split {split!r}; it has {', '.join(layout[config])}")
    return config, split, [target / file for file in layout[config][split]]


SHOWN = 5
"""So many unread replies are printed; the report has all."""


def print_score(prompt: str, score: Score) -> None:
    """Print the tables of a prompt, "" for what compares several."""
    print(f"\n# {prompt or 'prompts'}")
    for title, table in [*score.tables.items(), *score.analyses.items()]:
        if table:
            print(f"\n{title}:\n\n{answers_rates.render(table)}")
    for title, counts in score.ends.items():
        print(f"\n{title}: right and wrong answers\n\n| | right | wrong |\n| --- | ---: | ---: |")
        for what, cells in zip(("the answer is it", "the answer is another"), counts, strict=True):
            print(f"| {what} | {cells[0]:,} | {cells[1]:,} |")
    if not prompt:
        return
    if all(each.strict is None for each in score.given):
        print("\njoint and block accuracy are not defined here: no row has beside it the rows that it needs")
    counts = answers_scores.counted(score.given)
    unread = answers_scores.unread(score.given)
    why = ", ".join(f"{count:,} {reason}" for reason, count in counts["unread"].items())
    print(
        f"\n{len(unread):,} of {counts['replies']:,} replies are unread, and scored wrong{f': {why}' if why else ''}; "
        f"{counts['contradicting']:,} name a letter and another container, read as the container; "
        f"{counts['revised']:,} state different answers, read as the last"
    )
    for each in unread[:SHOWN]:
        print(f"  {each['id']}, {each['why']}: {json.dumps(each['response'][-100:])}")
    if len(unread) > SHOWN:
        print(f"  and {len(unread) - SHOWN:,} more")


def draw_scores(name: str, scores: dict[str, Score], where: Path) -> list[str]:
    """Draw what the papers draw of their models, under temporary names that are then renamed; return the files."""
    from builders.audit import pictures as audit_pictures  # slow to import, and few commands draw

    of = {prompt: score for prompt, score in scores.items() if prompt}
    before = {prompt: f"{prompt}, " if len(of) > 1 else "" for prompt in of}

    def panels(title: str, turned: bool = False) -> dict[str, dict]:
        """Return the analyses whose title begins so, by what follows: {panel: {series: {x: rate}}}."""
        found: dict[str, dict] = {}
        for prompt, score in of.items():
            for said, table in score.analyses.items():
                if said.startswith(title):
                    series: dict[str, dict] = {}
                    for group, rates in table.items():
                        for what, rate in rates.items():
                            line, place = (group, what) if turned else (what, group)
                            series.setdefault(line, {})[place] = (rate.share, *rate.interval())
                    panel = f"{before[prompt]}{said.removeprefix(title).strip(', ')}".strip(", ")
                    found[panel or "all"] = series
        return found

    if name == "mindgames":
        drawings = {
            "agents": lambda path: audit_pictures.curves(path, without(panels(""), "unread"), "agents", "right", 0.5)
        }
    else:
        claims = without(panels(BY_CLAIMS), order_name(0))
        ends = {
            f"{before[prompt]}{title}": counts for prompt, score in of.items() for title, counts in score.ends.items()
        }
        drawings = {
            "joint": lambda path: audit_pictures.curves(path, panels(BY_LENGTH, turned=True), "order", "jointly right"),
            "claims": lambda path: audit_pictures.curves(path, claims, "claims in the story", "jointly right"),
            "ends": lambda path: audit_pictures.crossed(path, ends, ("right", "wrong"), ("answer is it", "another")),
            "same": lambda path: audit_pictures.curves(path, panels(SAME), "order", "right"),
            "own": lambda path: audit_pictures.curves(path, panels(OWN), "order", "of answers"),
        }
    where.mkdir(parents=True, exist_ok=True)
    drawn: dict[Path, Path] = {}
    try:
        for kind, picture in drawings.items():
            path = where / f"{name}_score_{kind}.png"
            drawn[path] = path.with_name(f".partial-{os.getpid()}-{path.name}")
            try:
                picture(drawn[path])
            except audit_pictures.EmptyPictureError:
                del drawn[path]
        for path, partial in drawn.items():
            os.replace(partial, path)
    finally:
        for partial in drawn.values():
            partial.unlink(missing_ok=True)
    return [path.name for path in drawn]


def without(panels: dict[str, dict], series: str) -> dict[str, dict]:
    """Return panels without one of their series."""
    return {title: {line: each for line, each in lines.items() if line != series} for title, lines in panels.items()}


# Show, and SMCDEL.


def run_show(args: argparse.Namespace) -> None:
    """Print one problem of a dataset."""
    DATASETS[args.dataset].show(args)


def shown_config(configs: list, args: argparse.Namespace):
    """Return the config that `show` is asked for; raise UserError where it, the split or the index is none."""
    known = {config.name: config for config in configs}
    if args.config not in known:
        raise UserError(f"unknown config {args.config!r}; the configs are {', '.join(known)}")
    config = replace(known[args.config], seed=args.seed, scorer=None)
    sizes = config.sizes()
    if args.split not in sizes:
        raise UserError(f"{args.config} has no split {args.split}; it has {', '.join(sizes)}")
    if not 0 <= args.index < sizes[args.split]:
        raise UserError(
            f"--index is {args.index}; the {args.split} split of {args.config} has 0 to {sizes[args.split] - 1}"
        )
    return config


def run_smcdel(args: argparse.Namespace) -> int:
    """Answer SMCDEL input with the embedded checker; return SMCDEL's exit code."""
    return smcdel_answers.main([args.file], Checker)


# hi_tom.


def add_hi_tom_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that building hi_tom has of its own."""
    for config, split in (
        (story_config.ALL, "train"), (story_config.ALL, "validation"), (story_config.ALL, "test"),
        (TOMH, "tomh"), (story_config.REPRODUCTION, "reproduction"), (DEEP, "deep"),
    ):  # fmt: skip
        size = config.sizes().get(split, config.test)
        what = f"in the {split} split" if split in SPLITS else f"in the test split of {split}"
        parser.add_argument(f"--{split}", type=integer, default=size, help=f"stories {what} (default: {size})")
    for split in ("train", "validation"):
        size = DEEP.sizes()[split]
        about = f"stories in the {split} split of deep (default: {size})"
        parser.add_argument(f"--deep-{split}", type=integer, default=size, help=about)
    parser.add_argument(
        "--agents", type=integer, default=5, help="agents of a story of config all, 2 to 12 (default: 5)"
    )
    parser.add_argument("--max-order", type=integer, default=4, help="the highest order that all asks (default: 4)")
    parser.add_argument("--semantics", choices=SEMANTICS, default="recursive", help="of all (default: recursive)")


def hi_tom_configs(args: argparse.Namespace) -> list[StoryConfig]:
    """Return the configs that the options of a build ask for."""
    shared = {"seed": args.seed, "language": args.language, "scorer": scorer_of(args)}
    return [
        replace(story_config.ALL, **shared, train=args.train, validation=args.validation, test=args.test,
                n_agents=args.agents, max_order=args.max_order, semantics=args.semantics),
        replace(TOMH, **shared, test=args.tomh),
        replace(story_config.REPRODUCTION, **shared, test=args.reproduction),
        replace(DEEP, **shared, train=args.deep_train, validation=args.deep_validation, test=args.deep),
    ]  # fmt: skip


def span_rows(config: StoryConfig, split: str, span: range, settled: list) -> list[tuple[str, dict]]:
    """Make the rows of a span of stories, each with the file it belongs in."""
    return [
        (file_of(config, split, row["order"]), probe.scored(row, config.scorer, "hi_tom"))
        for index, (target, letters) in zip(span, settled, strict=True)
        for row in story_rows(config, split, index, target, letters)
    ]


def make_hi_tom(configs: list[StoryConfig], processes: int) -> tuple[dict, Iterator[tuple[str, dict]]]:
    """Return what the card says of hi_tom besides its columns, and its rows."""
    return {}, build_rows(configs, processes)


def build_rows(configs: list[StoryConfig], processes: int) -> Iterator[tuple[str, dict]]:
    """Make all rows of all configs in the order of their indices, whatever number of processes works."""
    tasks = []
    for config in configs:
        for split, size in config.sizes().items():
            settled = rows_.plan_of(config, split)
            tasks += [(config, split, span, settled[span.start : span.stop]) for span in rows_.spans(size)]
    for rows in spread(span_rows, tasks, processes, "building", "span"):
        yield from rows


def hi_tom_asked(path: Path, config: dict, fit: bool) -> list[Asked]:
    """Read the questions of a Parquet file for the audit."""
    asked = []
    for row in read_rows("hi_tom", path):
        with located(f"{path}, row {row['id']}: "):
            story, names, thing = loads(row["events"])
            found = Asked(
                order_name(len(row["chain"])),
                story,
                tuple(names.agents.index(agent) for agent in row["chain"]),
                thing,
                names.containers.index(row["answer"]),
                row["answer_index"],
                config["semantics"],
                row["answer"],
                len(row["choices"]),
                of_row(row) if fit else None,
                {"probe": None if row["deberta_pred"] is None else row["deberta_pred"] == row["answer_index"]},
            )
        asked.append(found)
    return asked


def hold_order_gates(gated: Table, of: str) -> None:
    """Say whether the gates of "hi_tom" or of "deep" stories hold; raise UserError where they do not."""
    deep = of == "deep"
    if deep:
        gated = {group: shares for group, shares in gated.items() if group != order_name(1)}
        if not gated:
            return
    stories = min((share.total for shares in gated.values() for share in shares.values()), default=0)
    if stories < GATED_STORIES:
        print(f"{'deep, ' * deep}not gated: {stories} test stories, the gates need {GATED_STORIES}")
        return
    broken = broken_gates(gated, GATES[of])
    if broken:
        where = f"the test split{' of deep' * deep}"
        raise UserError(f"a gate is broken on {where}: {'; '.join(broken)}; build with another seed or more stories")
    print(f"{'deep: ' * deep}gates hold for every order from {1 + deep}, on {stories} test stories")


def deep_table(target: Path, known: dict) -> Table:
    """Measure how deep the test questions of deep stories are, from order 1; empty where there are none."""
    file = f"{DEEP.name}/test.parquet"
    if file not in known["files"]:
        return {}
    asked = [each for each in hi_tom_asked(target / file, config_of(known, file), False) if each.chain]
    return tally(Answered(each.group, each.chance, {}, audit_stories.depth(each)) for each in asked)


def beside_published(deep: Table) -> str:
    """Return the table of deep stories as text."""
    return side_by_side(deep, of_published_deep(), GATES["deep"])


def add_hi_tom_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which story to show."""
    parser.add_argument(
        "--config", default="all", help="all (default), an order such as 4th_order, tomh, reproduction, deep"
    )
    parser.add_argument("--split", default="test", choices=SPLITS, help="default: test")
    parser.add_argument("--seed", type=integer, default=0)
    parser.add_argument("--index", type=integer, default=0, help="which story, from 0")


def show_hi_tom(args: argparse.Namespace) -> None:
    """Print one story of the default sizes, its questions, and the line that taught each answer."""
    config = shown_config(HiTom.BUILDER_CONFIGS, args)
    rows = story_rows(config, args.split, args.index, *rows_.plan_of(config, args.split)[args.index])
    story, names, asked = loads(rows[0]["events"])
    taught = lessons(story, asked)
    say = templates(config.language).get_template("show.jinja").module if config.family == "deep" else None
    print(f"{rows[0]['story_id']}\n\n{rows[0]['story']}")
    for row in rows:
        chain = tuple(names.agents.index(agent) for agent in row["chain"])
        print(f"\n{row['question']}")
        print("  " + ", ".join(f"{chr(ord('A') + i)}. {choice}" for i, choice in enumerate(row["choices"])))
        line = teacher(taught, chain, config.semantics).line + 1
        print(f"  {chr(ord('A') + row['answer_index'])}. {row['answer']}, taught by line {line}", end="")
        print(f": {reason_of(taught, chain, names, say)}" if say else "")
        for lesson in taught if say else []:
            if lesson.line >= line:
                print(f"    not by line {lesson.line + 1}: {obstacle_of(lesson, chain, names, say)}")
        facts = [f"effective order {row['effective_order']}", f"slot: {SLOTS[row['answer_slot']]}"]
        if row["order_sensitive"]:
            facts.append("another order of the agents has another answer")
        if row["semantics_agree"] is False:
            other = next(each for each in SEMANTICS if each != config.semantics)
            lesson = teacher(taught, chain, other)
            facts.append(f"under {other} semantics: {names.containers[lesson.container]}, line {lesson.line + 1}")
        print(f"  {'; '.join(facts)}")


def reason_of(taught: list[Lesson], chain: tuple[int, ...], names: Names, say: Any) -> str:
    """Return how a chain was taught what it believes, in the words of the macros of show.jinja."""
    lesson = teacher(taught, chain, "recursive")
    who = [names.agents[agent] for agent in chain]
    if not chain:
        return say.placed()
    if lesson.speaker < 0:
        return say.saw(who) if lesson.minds >> chain[0] & 1 else say.watched(who[0], who[1:])
    speaker, means = names.agents[lesson.speaker], chain[-1] == lesson.speaker
    last = len(chain) - 1 - means
    if not lesson.trusting >> chain[last] & 1:
        return say.taken(speaker, who[last])
    return say.trusts(who[last], speaker, means, who[:last] if lesson.watching >> chain[last] & 1 else [])


def obstacle_of(lesson: Lesson, chain: tuple[int, ...], names: Names, say: Any) -> str:
    """Return why a lesson did not teach a chain, in the words of the macros of show.jinja."""
    what, agents = obstacle(lesson, chain)
    return say.obstacle(what, [names.agents[agent] for agent in agents], names.agents[lesson.speaker])


# mindgames.


def add_mindgames_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that building mindgames has of its own."""
    for split, size in logic_config.ALL.sizes().items():
        about = f"blocks of four problems in each setup in the {split} split (default: {size})"
        parser.add_argument(f"--{split}", type=integer, default=size, help=about)
    size = SCALE.test
    parser.add_argument("--scale", type=integer, default=size, help=f"blocks in each setup in scale (default: {size})")
    size = REPRODUCTION.test
    about = f"single problems in each setup in reproduction (default: {size})"
    parser.add_argument("--reproduction", type=integer, default=size, help=about)
    agents = logic_config.ALL.n_agents
    about = f"how many agents there are, as in 2,3,4 (default: {','.join(map(str, agents))})"
    parser.add_argument("--agents", type=integers, default=agents, help=about)
    order = logic_config.ALL.max_order
    parser.add_argument("--max-order", type=integer, default=order, help=f"the highest order (default: {order})")
    about = "what labels: auto (SMCDEL where it is installed, else embedded; default), smcdel, embedded, or both"
    parser.add_argument("--checker", choices=CHECKERS, default=logic_config.ALL.checker, help=about)


def integers(text: str) -> tuple[int, ...]:
    """Read integers between commas."""
    return tuple(integer(each) for each in text.split(","))


def mindgames_configs(args: argparse.Namespace) -> list[ProblemConfig]:
    """Return the configs that the options of a build ask for."""
    shared = {"seed": args.seed, "language": args.language, "scorer": scorer_of(args)}
    shared |= {"max_order": args.max_order, "checker": args.checker}
    return [
        replace(logic_config.ALL, **shared, train=args.train, validation=args.validation, test=args.test,
                n_agents=args.agents),
        replace(SCALE, **shared, test=args.scale),
        replace(REPRODUCTION, **shared, test=args.reproduction),
    ]  # fmt: skip


def make_mindgames(configs: list[ProblemConfig], processes: int) -> tuple[dict, Iterator[tuple[str, dict]]]:
    """Plan all setups; return what the card says of mindgames besides its columns, and its rows."""
    tasks = [(config, setup) for config in configs for setup in config.setups]
    planned, drawn = {}, []
    for (config, setup), (blocks, counts) in zip(
        tasks, spread(plan_of, tasks, processes, "planning", "setup"), strict=True
    ):
        planned[config.name, setup] = blocks
        drawn.append((config.name, setup, counts))
    return {"drawn": drawn}, mindgames_rows(configs, planned, processes)


def mindgames_rows(
    configs: list[ProblemConfig], planned: dict[tuple[str, str], dict[str, list]], processes: int
) -> Iterator[tuple[str, dict]]:
    """Make all planned rows in the order of their indices, whatever number of processes works."""
    tasks = [
        (config, setup, split, span, planned[config.name, setup][split][span.start : span.stop])
        for config in configs
        for split in config.sizes()
        for setup, span in logic_rows.parts(config, split)
    ]
    made = spread(scored_part, tasks, processes, "building", "part")
    for (config, setup, split, _, _), rows in zip(tasks, made, strict=True):
        yield from ((logic_rows.file_of(config, setup, split), row) for row in rows)


def scored_part(config: ProblemConfig, *part) -> list[dict]:
    """Make the rows of a part and score them."""
    return [probe.scored(row, config.scorer, "mindgames") for row in part_rows(config, *part)]


def mindgames_proven(owners: list[str]) -> str:
    """Say what it means that all rows of mindgames agree, given the block of each premise, "" for single problems."""
    blocks = len(set(owners) - {""})
    return (
        "label = label from smcdel_problem by the checker = label from the text by\n"
        f"explicit sets of worlds, and every other column; {blocks:,} blocks of four hold their pattern,\n"
        "no premise is in two blocks or splits, no problem twice, whatever the names"
    )


def mindgames_asked(path: Path, config: dict, fit: bool) -> list[Posed]:
    """Read the problems of a Parquet file for the audit."""
    problems = []
    for row in read_rows("mindgames", path):
        with located(f"{path}, row {row['index']}: "):
            problem = proof_problems.read(row)
            reading = of_row(row) if fit else None
        follows = row["label"] == LABELS[True]
        probes = {"probe": None if row["deberta_pred"] is None else row["deberta_pred"] == follows}
        problems.append(proof_problems.posed(row, problem, row["setup"], reading, probes))
    return problems


def hold_mindgames_gates(gated: Table) -> None:
    """Say whether the gates hold; raise UserError where they do not."""
    broken = broken_gates(gated, GATES["mindgames"])
    if broken:
        raise UserError("a gate is broken on the test split: " + "; ".join(broken))
    print("gates hold for every setup")


def add_mindgames_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which block to show."""
    names = ", ".join(config.name for config in MindGames.BUILDER_CONFIGS[1:])
    parser.add_argument("--config", default="all", help=f"all (default), or one of: {names}")
    parser.add_argument("--setup", choices=SETUPS, help="of all, scale and reproduction (default: forehead)")
    parser.add_argument("--split", default="test", choices=logic_config.SPLITS, help="default: test")
    parser.add_argument("--seed", type=integer, default=0)
    parser.add_argument("--index", type=integer, default=0, help="which block, or in reproduction problem, from 0")


def show_mindgames(args: argparse.Namespace) -> None:
    """Print one block of the default sizes: its problems, their labels, and which worlds the announcements leave."""
    config = shown_config(MindGames.BUILDER_CONFIGS, args)
    if args.setup and config.setup and args.setup != config.setup:
        raise UserError(f"--config {config.name} has no problems of {args.setup}; leave out --setup, or --config")
    setup = config.setup or args.setup or SETUPS[0]
    settled = plan_of(config, setup)[0][args.split][args.index]
    span = range(args.index, args.index + 1)
    rows = part_rows(config, setup, args.split, span, [settled])
    for premise in dict.fromkeys(row["premise"] for row in rows):
        of = [row for row in rows if row["premise"] == premise]
        print(f"{of[0]['block'] or of[0]['index']}\n\n{premise}\n")
        told = proof_problems.read(of[0])
        for announced in range(len(told.announcements) + 1):
            said = replace(told, announcements=told.announcements[:announced])
            when = f"after announcement {announced}" if announced else "before the announcements"
            print(f"  {when}: {worlds_of(said, of[0]['names'])}")
        for row in of:
            needs = f"announcements that matter: {row['needs_announcements']}, shortest proof: {row['shortest_proof']}"
            print(f"\n  {row['hypothesis']}\n    {row['label']}; {needs}")
            print(f"    {row['smcdel_problem']}")
        print()


def worlds_of(said: Problem, names: list[str]) -> str:
    """Say which worlds announcements leave, each by the agents of whom the atom is true."""
    worlds = Checker(said.structure()).where(Not(said.announced(Bot())))
    told = ", ".join("{" + ", ".join(names[atom - 1] for atom in world) + "}" for world in worlds[:16])
    return f"{len(worlds)} world{'s' * (len(worlds) > 1)}: {told}{', …' if len(worlds) > 16 else ''}"


DATASETS = {
    "hi_tom": Dataset(
        builder=HiTom,
        module=hi_tom,
        layout=rows_.layout,
        add_options=add_hi_tom_options,
        configs=hi_tom_configs,
        example=lambda request: order_name(next(iter(request.values()))["max_order"]),
        make=make_hi_tom,
        row_id="id",
        prove=prove_hi_tom,
        text="story",
        proven=lambda owners: (
            "answer = label from events = label from the text by forward tables,\n"
            f"and every other column; {len(owners):,} stories, no text or problem twice, none in two splits"
        ),
        asked=hi_tom_asked,
        hold=lambda gated: hold_order_gates(gated, "hi_tom"),
        add_show_options=add_hi_tom_show_options,
        show=show_hi_tom,
    ),
    "mindgames": Dataset(
        builder=MindGames,
        module=mindgames,
        layout=logic_rows.layout,
        add_options=add_mindgames_options,
        configs=mindgames_configs,
        example=lambda request: SETUPS[0],
        make=make_mindgames,
        row_id="index",
        prove=prove_mindgames,
        text="premise",
        proven=mindgames_proven,
        asked=mindgames_asked,
        hold=hold_mindgames_gates,
        add_show_options=add_mindgames_show_options,
        show=show_mindgames,
    ),
}
"""What the command line can build, in the order in which it does where none is named."""


def main(argv: Iterable[str] | None = None) -> int:
    """Run a command; return the exit code."""

    def stop(*_) -> None:
        raise KeyboardInterrupt

    args = arguments().parse_args(argv)
    before = signal.signal(signal.SIGTERM, stop)
    try:
        code = args.run(args) or 0
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"error: {where}{error.strerror or error}; nothing half-written was left", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; nothing half-written was left", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)
    return code


if __name__ == "__main__":
    sys.exit(main())
