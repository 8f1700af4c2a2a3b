"""Own the command line: `python -m builders build|check|audit|reread|show|smcdel|clean`.

Also where the two proofs of a label meet: the formal story through `belief`, the English through `reader`. What a
user can get wrong ends in one line and a non-zero exit; a traceback is a bug of ours.
"""

import argparse
import contextlib
import gzip
import hashlib
import json
import os
import signal
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

import hi_tom
from builders import audit, folder, reader, s5, smcdel
from builders.belief import (
    SEMANTICS,
    SLOTS,
    answer_slot,
    beliefs,
    container_of,
    effective_order,
    lessons,
    order_sensitive,
    teacher,
)
from builders.formula import Problem, Structure, agent_name
from builders.story import Place, Tell, check, loads, spell
from builders.voice import languages


class Wrong(Exception):
    """Say in one line what a user's input, files or data have wrong."""


class Parser(argparse.ArgumentParser):
    """Parse arguments; an error is one line."""

    def error(self, message: str) -> None:
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")


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
        added.add_argument("dataset", nargs="?", choices=["hi_tom"], default="hi_tom", help="default: hi_tom")
        added.add_argument(
            "--out", type=folder_path, default=Path("."), help="where the dataset's folder is (default: here)"
        )
        return added

    build = on_folder("build", run_build, "write the dataset's folder, a complete Hub repository")
    build.add_argument(
        "--seed", type=integer, default=0, help="any integer of 64 bits; the same seed gives the same bytes"
    )
    for config, split in (
        (hi_tom.ALL, "train"), (hi_tom.ALL, "validation"), (hi_tom.ALL, "test"),
        (hi_tom.TOMH, "tomh"), (hi_tom.REPRODUCTION, "reproduction"),
    ):  # fmt: skip
        size = config.sizes().get(split, config.test)
        what = f"in the test split of {split}" if split in ("tomh", "reproduction") else f"in the {split} split"
        build.add_argument(f"--{split}", type=integer, default=size, help=f"stories {what} (default: {size})")
    build.add_argument("--agents", type=integer, default=5, help="agents of a story, 2 to 12 (default: 5)")
    build.add_argument("--max-order", type=integer, default=4, help="the highest order asked (default: 4)")
    build.add_argument("--semantics", choices=SEMANTICS, default="recursive", help="default: recursive")
    build.add_argument("--language", default="en", help=f"one of: {', '.join(languages())} (default: en)")
    build.add_argument("--processes", type=processes, default=1, help="how many processes work (default: 1)")

    checking = on_folder("check", run_check, "prove every row of the built Parquet twice, and hold the audit's gates")
    checking.add_argument("--processes", type=processes, default=1, help="how many processes work (default: 1)")

    on_folder("audit", run_audit, "print how often guessing without reading is right on the test split")
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

    show = command(
        "show", run_show, "print one story of the default sizes, its questions, and the line that taught each answer"
    )
    show.add_argument("dataset", choices=["hi_tom"])
    show.add_argument("--config", default="all", help="all (default), an order such as 4th_order, tomh, reproduction")
    show.add_argument("--split", default="test", choices=hi_tom.SPLITS, help="default: test")
    show.add_argument("--seed", type=integer, default=0)
    show.add_argument("--index", type=integer, default=0, help="which story, from 0")
    return parser


# Build.


def run_build(args: argparse.Namespace) -> None:
    """Write the folder, unless it already holds what is asked for."""
    shared = {"seed": args.seed, "language": args.language}
    configs = [
        replace(hi_tom.ALL, **shared, train=args.train, validation=args.validation, test=args.test,
                n_agents=args.agents, max_order=args.max_order, semantics=args.semantics),
        replace(hi_tom.TOMH, **shared, test=args.tomh),
        replace(hi_tom.REPRODUCTION, **shared, test=args.reproduction),
    ]  # fmt: skip
    for config in configs:
        with saying(f"{config.name}: "):
            config.validate()
    if args.out.exists() and not args.out.is_dir():
        raise Wrong(f"--out is {args.out}, which is no folder")
    request = {config.name: {**asdict(config), "version": str(config.version)} for config in configs}
    request = json.loads(json.dumps(request))
    target = args.out / args.dataset
    if folder.claim(target, args.dataset, request):
        print(f"{target} is up to date: same arguments, same sources, every file unchanged")
        return
    about = {"columns": hi_tom.columns(), "semantics": args.semantics, "example": hi_tom.order_name(args.max_order)}
    with contextlib.closing(build_rows(configs, args.processes)) as rows:
        layout = hi_tom.layout(configs)
        folder.write(target, args.dataset, request, hi_tom.FEATURES, layout, rows, hi_tom.METADATA, about)
    rows = total_rows(folder.record(target, args.dataset))
    print(f"{target}: {rows:,} rows written, seed {args.seed}")


def span_rows(config: hi_tom.HiTomConfig, split: str, span: range, settled: list) -> list[tuple[str, dict]]:
    """Make the rows of a span of stories, each with the file it belongs in."""
    return [
        (hi_tom.file_of(config, split, row["order"]), row)
        for index, (target, letters) in zip(span, settled, strict=True)
        for row in hi_tom.story_rows(config, split, index, target, letters)
    ]


def build_rows(configs: list[hi_tom.HiTomConfig], processes: int) -> Iterator[tuple[str, dict]]:
    """Make all rows of all configs in the order of their indices, whatever number of processes works."""
    tasks = []
    for config in configs:
        for split, size in config.sizes().items():
            settled = hi_tom.plan_of(config, split)
            tasks += [(config, split, span, settled[span.start : span.stop]) for span in hi_tom.spans(size)]
    for rows in spread(span_rows, tasks, processes, "building", "span"):
        yield from rows


def spread(work, tasks: list[tuple], processes: int, what: str, unit: str) -> Iterator:
    """Do tasks in order, in this process or in several, with a progress bar after two seconds on a terminal.

    Each worker takes every n-th task and has a pipe of its own, so that the death of one is seen at once: a pool would
    wait for a result that never comes.
    """
    workers: list[tuple[Process, Connection]] = []
    with tqdm(total=len(tasks), desc=what, unit=unit, delay=2, disable=None) as bar:
        try:
            for first in range(processes if processes > 1 else 0):
                receive, send = Pipe(duplex=False)
                worker = Process(target=labour, args=(work, tasks[first::processes], send), daemon=True)
                worker.start()
                send.close()
                workers.append((worker, receive))
            for number, task in enumerate(tasks):
                yield hear(workers[number % processes][1]) if workers else work(*task)
                bar.update()
        finally:
            for worker, receive in workers:
                receive.close()
                worker.terminate()
                worker.join()


def labour(work, tasks: list[tuple], send: Connection) -> None:
    """Do a worker's tasks and send each result, or the error that ended the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that started it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
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
        raise Wrong("a worker was killed, perhaps for want of memory; nothing half-written was left") from None
    if error is not None:
        raise error
    return result


def total_rows(known: dict) -> int:
    """Return the rows of a build by its record."""
    return sum(facts["rows"] for facts in known["files"].values())


@contextlib.contextmanager
def saying(where: str) -> Iterator[None]:
    """Turn a ValueError about a user's input into one line that says where."""
    try:
        yield
    except ValueError as error:
        raise Wrong(f"{where}{error}") from None


# Check and audit.


def built(args: argparse.Namespace) -> tuple[Path, dict]:
    """Return the dataset's folder and its record."""
    target = args.out / args.dataset
    known = folder.record(target, args.dataset)
    if known is None:
        raise Wrong(f"{target} holds no build of {args.dataset} (no {folder.RECORD}): run make build first")
    return target, known


def table_files(target: Path, known: dict) -> list[str]:
    """Return the Parquet files of a build, in the order of the record."""
    files = [file for file in known["files"] if file.endswith(".parquet")]
    for file in files:
        if not (target / file).is_file():
            raise Wrong(f"{target / file} is missing: build again")
    return files


def config_of(known: dict, file: str) -> dict:
    """Return the fields with which the rows of a file were built."""
    return known["request"].get(file.split("/")[0], known["request"]["all"])


@contextlib.contextmanager
def opened(path: Path) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file of the dataset; raise Wrong where it is none, or has other columns."""
    try:
        with pq.ParquetFile(path) as table:
            columns = table.schema_arrow.names
            if columns != list(hi_tom.FEATURES):
                raise Wrong(f"{path} has other columns than hi_tom: {', '.join(set(columns) ^ set(hi_tom.FEATURES))}")
            yield table
    except (OSError, pa.ArrowException) as error:
        raise Wrong(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None


def read_rows(path: Path, group: int | None = None) -> list[dict]:
    """Return the rows of a Parquet file, or of one of its row groups, with ClassLabels as numbers."""
    with opened(path) as table:
        return (table.read() if group is None else table.read_row_group(group)).to_pylist()


def prove(row: dict, config: dict, file: str) -> str | None:
    """Return what is wrong with a row, or None where both labels and all columns agree.

    `config` are the fields that the row was built with, `file` is where it stands. The label is computed from the
    formal column by `belief`, and from the English by `reader`; the English must say the formal story, nothing else.
    """
    empty = [column for column, value in row.items() if value is None]
    if empty:
        return f"{empty[0]} is empty"
    semantics = config["semantics"]
    story, names, asked = loads(row["events"])
    check(story)
    told, heard = reader.read_story(row["story"])
    if [spell(event, names) for event in story.events] != [spell(event, heard) for event in told.events]:
        return "the text does not say the formal story"
    question = reader.read_question(row["question"], heard)
    if [heard.agents[agent] for agent in question.chain] != row["chain"]:
        return "the question's agents are not the chain"
    if heard.things[question.thing] != names.things[asked]:
        return "the question is not about the thing asked about"
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    taught = lessons(story, asked)
    whole = (1 << len(chain)) - 1
    held = {each: beliefs(taught, chain, each) for each in SEMANTICS}
    formal = {each: container_of(held[each], whole) for each in SEMANTICS}
    if None in formal.values():
        return "nothing teaches the chain"
    if row["story"] != row["story"].strip():
        return "story begins or ends with a space"
    verbs = {verb for verb in ("is", "are") if f"The {names.things[asked]} {verb} in" in row["story"]}
    if not question.searches and not verbs & set(row["question"].rstrip("?").split()):
        return f"question does not say {' or '.join(verbs)} of the {names.things[asked]}, as the story does"
    computed = {
        "order": len(chain),
        "answer": names.containers[formal[semantics]],
        "answer_published": names.containers[formal["published"]],
        "semantics_agree": formal["recursive"] == formal["published"],
        "effective_order": effective_order(held[semantics], len(chain), whole),
        "order_sensitive": order_sensitive(taught, chain, semantics),
        "answer_slot": answer_slot(taught, formal[semantics]),
        "n_lines": len(story.events),
        "n_claims": sum(isinstance(event, Tell) for event in story.events),
        "deception": any(isinstance(event, Tell) for event in story.events),
        "story_length": sum(isinstance(event, Place) for event in story.events),  # one in each chapter
        "n_agents": story.n_agents - (config["name"] == hi_tom.TOMH.name),  # there one more is the distractor
        "seed": config["seed"],
        "generator_version": config["version"],
        "id": f"{row['story_id']}-{len(chain)}",
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the formal story gives {value!r}"
    for each, column in ((semantics, "answer"), ("published", "answer_published")):
        read = reader.believe(told, question, each)
        if read is None or heard.containers[read] != row[column]:
            found = None if read is None else heard.containers[read]
            return f"{column} is {row[column]!r}, the text read by forward tables gives {found!r}"
    choices = row["choices"]
    if len(set(choices)) != len(choices) or row["answer_index"] != choices.index(row["answer"]):
        return f"answer_index is {row['answer_index']}, which is not where the answer stands among distinct choices"
    if config["name"] not in (hi_tom.TOMH.name, hi_tom.REPRODUCTION.name):
        if file.split("/")[0] != hi_tom.order_name(row["order"]):
            return f"a question of order {row['order']} stands in {file}"
    if not set(choices) >= set(names.containers):
        return f"choices lack {sorted(set(names.containers) - set(choices))}"
    return None


def prove_group(target: Path, file: str, group: int, config: dict) -> tuple[int, str | None, list[tuple]]:
    """Prove the rows of one row group.

    Returns how many agree before the first that does not, what is wrong with that one, and for each row what must
    not repeat: its id, its story_id, and digests of its story's text and of its whole problem.
    """
    seen = []
    for agreed, row in enumerate(read_rows(target / file, group)):
        try:
            fault = prove(row, config, file)
        except ValueError as error:
            fault = str(error)
        if fault:
            return agreed, f"{target / file}, row {row['id']}: {fault}", seen
        text = hashlib.sha256(row["story"].encode()).digest()[:16]
        problem = hashlib.sha256(f"{row['story']}\n{row['question']}".encode()).digest()[:16]
        seen.append((row["id"], row["story_id"], text, problem))
    return len(seen), None, seen


def run_check(args: argparse.Namespace) -> None:
    """Prove every row, that none occurs twice or in two splits, and that the gates hold."""
    target, known = built(args)
    tasks = []
    for file in table_files(target, known):
        with opened(target / file) as table:
            tasks += [(target, file, group, config_of(known, file)) for group in range(table.num_row_groups)]
    total = total_rows(known)
    agreed = 0
    ids: set[str] = set()
    problems: set[bytes] = set()
    story_of: dict[bytes, tuple[str, str]] = {}
    for (_, file, _, _), (good, fault, seen) in zip(
        tasks, spread(prove_group, tasks, args.processes, "checking", "row group"), strict=True
    ):
        agreed += good
        if fault:
            raise Wrong(f"{agreed:,} of {total:,} rows agree, then {fault}")
        for row_id, story_id, text, problem in seen:
            here = (story_id, Path(file).stem)
            if row_id in ids:
                raise Wrong(f"{target / file}, row {row_id}: its id occurs twice")
            if problem in problems:
                raise Wrong(f"{target / file}, row {row_id}: its problem occurs twice")
            if story_of.setdefault(text, here) != here:
                raise Wrong(f"{target / file}, row {row_id}: its story is told in {' '.join(story_of[text])} too")
            ids.add(row_id)
            problems.add(problem)
    if agreed != total:
        raise Wrong(f"{target} has {agreed:,} rows, its {folder.RECORD} says {total:,}")
    print(f"{agreed:,} of {total:,} rows agree: answer = label from events = label from the text by forward tables,")
    print(f"and every other column; {len(story_of):,} stories, no text or problem twice, none in two splits")
    gated, _, stories = tables(target, known)
    held_gates(gated, stories)


def questions(path: Path, group: str, semantics: str) -> Iterator[audit.Asked]:
    """Read the questions of a Parquet file for the audit."""
    events, story, names, asked = None, None, None, None
    for row in read_rows(path):
        if row["events"] != events:
            events = row["events"]
            story, names, asked = loads(events)
        yield audit.Asked(
            group,
            story,
            tuple(names.agents.index(agent) for agent in row["chain"]),
            asked,
            names.containers.index(row["answer"]),
            row["answer_index"],
            semantics,
        )


def tables(target: Path, known: dict) -> tuple[audit.Table, audit.Table, int]:
    """Measure the test splits: the gated table of the orders, the one that is only shown, the stories of the first."""
    gated, shown = [], []
    for file in table_files(target, known):
        name, split = file.removesuffix(".parquet").split("/")
        if split == "test":
            part = questions(target / file, name, config_of(known, file)["semantics"])
            if name in known["request"]:
                shown += [replace(asked, group=f"{name} {hi_tom.order_name(len(asked.chain))}") for asked in part]
            else:
                gated += part
    shown.sort(key=lambda asked: asked.group)
    stories = known["files"].get(hi_tom.file_of(hi_tom.ALL, "test", 0), {}).get("rows", 0)
    return audit.measure(gated), audit.measure(shown), stories


def held_gates(gated: audit.Table, stories: int) -> None:
    """Say whether the gates hold; raise Wrong where they do not."""
    if stories < audit.GATED_STORIES:
        print(f"not gated: {stories} test stories, the gates need {audit.GATED_STORIES}")
        return
    believed = {group: share for group, share in gated.shares.items() if group != hi_tom.order_name(0)}
    broken = audit.broken_gates(audit.Table(gated.counts, believed))
    if broken:
        raise Wrong(
            "a gate is broken on the test split: " + "; ".join(broken) + "; build with another seed or more stories"
        )
    print(f"gates hold for every order from 1, on {stories} test stories")


def run_audit(args: argparse.Namespace) -> None:
    """Print the table of guesses."""
    gated, shown, stories = tables(*built(args))
    print("Per cent of the test questions that a rule answers right without reading for minds.\n")
    print(audit.render(gated, gated=True))
    print("\nShown, not gated:\n")
    print(audit.render(shown))
    print()
    held_gates(gated, stories)


def run_clean(args: argparse.Namespace) -> None:
    """Delete what build wrote."""
    target = args.out / args.dataset
    left = folder.remove(target, args.dataset)
    if left:
        print(f"{target} holds files that no build wrote, or that were changed since, still there: {', '.join(left)}")


# Reread.

NOWHERE = -1
"""The number of a container that the story does not have."""
TEXTS = {
    "hi_tom": ("story", "question", "answer"),
    "mindgames": ("premise", "hypothesis", "smcdel_problem", "label"),
}
"""The fields that a published row must have, all strings."""


def published_rows(path: Path, dataset: str) -> Iterator[tuple[str, dict]]:
    """Read JSON lines, plain or gzipped, or the published `{"data": [...]}`; yield where each row stands, and the row.

    Raises Wrong where there is none, and where one cannot be read or lacks a field.
    """
    expected = f"an object with {', '.join(TEXTS[dataset][:-1])} and {TEXTS[dataset][-1]}, all strings"
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None)
        reason = reason or f"it is no whole gzip file ({error})"
        raise Wrong(f"{path}: {reason}; expected JSON lines or the published JSON") from None
    whole = None
    with contextlib.suppress(ValueError, RecursionError):
        whole = json.loads(text)
    if isinstance(whole, dict) and "data" in whole:
        if not isinstance(whole["data"], list):
            raise Wrong(f'{path}: "data" is not a list of rows')
        rows = [(f"{path}, row {number}", row) for number, row in enumerate(whole["data"], 1)]
    else:
        rows = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    rows.append((f"{path}, line {number}", json.loads(line)))
                except (ValueError, RecursionError) as error:
                    raise Wrong(f"{path}, line {number}: not JSON ({error}); expected {expected}") from None
    if not rows:
        raise Wrong(f"{path}: no rows; expected one on each line: {expected}")
    for where, row in rows:
        if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in TEXTS[dataset]):
            raise Wrong(f"{where}: expected {expected}")
        yield where, row


def published_choices(row: dict) -> list[str]:
    """Return the choices of a published row, also where they are one string; none where it has none."""
    choices = row.get("choices", [])
    if isinstance(choices, str):
        return list(reader.read_choices(choices))
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError(f'choices is {choices!r}; expected a list of containers or "A. x, B. y, …"')
    return choices


def published_answer(answer: str, choices: list[str]) -> str:
    """Return the container that a published answer names, also where it is a letter or "B. red_box"."""
    letter, _, rest = answer.strip().partition(".")
    if answer in choices or len(letter) != 1 or not letter.isupper():
        return answer.strip()
    place = ord(letter) - ord("A")
    return rest.strip() or (choices[place] if place < len(choices) else letter)


def run_reread(args: argparse.Namespace) -> None:
    """Compare published labels with those that their text has."""
    rows = list(published_rows(args.file, args.dataset))
    (reread_mindgames if args.dataset == "mindgames" else reread_hi_tom)(rows, args.disagreements)


def reread_hi_tom(rows: list[tuple[str, dict]], disagreements: Path) -> None:
    """Print how often published labels agree with those read from the text, and write down the others."""
    counts: dict[tuple, Counter] = defaultdict(Counter)
    answers: dict[tuple[str, str], set[str]] = defaultdict(set)
    asked_again: Counter[tuple[str, str]] = Counter()
    disagreeing = []
    guessed = []
    for where, row in tqdm(rows, desc="rereading", unit="row", delay=2, disable=None):
        with saying(f"{where}: "):
            story, names = reader.read_story(row["story"])
            question = reader.read_question(row["question"], names)
            choices = published_choices(row)
            published = published_answer(row["answer"], choices)
        claims = any(isinstance(event, Tell) for event in story.events)
        read = {}
        for semantics in SEMANTICS:
            container = reader.believe(story, question, semantics)
            read[semantics] = None if container is None else names.containers[container]
        for group in {str(row.get("prompting_type", "all")), "all"}:
            for order in (f"order {len(question.chain)}", "total"):
                count = counts[group, order]
                count["questions"] += 1
                for semantics in SEMANTICS:
                    count[semantics, claims, "agree"] += read[semantics] == published
                count[claims] += 1
        if any(container != published for container in read.values()):
            labels = {f"read_{semantics}": container for semantics, container in read.items()}
            disagreeing.append({"where": where, **row, **labels})
        answer = names.containers.index(published) if published in names.containers else NOWHERE
        letter = choices.index(published) if published in choices else NOWHERE
        order = f"order {len(question.chain)}"
        guessed.append(audit.Asked(order, story, question.chain, question.thing, answer, letter, "published"))
        answers[row["story"], row["question"]].add(published)
        asked_again[row["story"], row["question"]] += 1
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
    print("\nPer cent of these answers that a rule gives without reading for minds.\n")
    print(audit.render(audit.measure(sorted(guessed, key=lambda asked: len(asked.chain)))))
    print()
    twice = [key for key, times in asked_again.items() if times > 1]
    if twice:
        split = sum(len(answers[key]) > 1 for key in twice)
        print(f"{len(twice)} questions stand more than once; {split} of them have different published answers")
    print(f"{len(disagreeing)} rows that disagree with one of the semantics or both: {disagreements}")


LABELS = {True: "entailment", False: "not_entailment", None: "no world"}
"""What MindGames calls it when the hypothesis follows and when not; and the English that contradicts itself."""


def reread_mindgames(rows: list[tuple[str, dict]], disagreements: Path) -> None:
    """Print how often published labels follow from the formal problem and from the English; list what does not."""
    counts: dict[str, Counter] = defaultdict(Counter)
    disagreeing = []
    for where, row in tqdm(rows, desc="rereading", unit="row", delay=2, disable=None):
        named = row.get("names")
        if named is not None and not (isinstance(named, list) and all(isinstance(name, str) for name in named)):
            raise Wrong(f"{where}: names is {named!r}; expected a list of names, or none")
        with saying(f"{where}: "):
            structure, queries = smcdel.parse(row["smcdel_problem"])
            match queries:
                case (smcdel.Valid(of),):
                    formal = LABELS[s5.Checker(structure).valid(of)]
                case _:
                    raise ValueError("smcdel_problem does not ask one VALID? question")
            problem, names = reader.read_problem(row["premise"], row["hypothesis"], named)
        english = LABELS[reader.follows(problem)]
        count = counts[problem.setup]
        count["rows"] += 1
        count["formal"] += formal == row["label"]
        count["english"] += english == row["label"]
        if not row["label"] == formal == english:
            why = "; ".join(other_eyes(structure, problem, names)) or "the sentences differ from the formulas"
            disagreeing.append({"where": where, **row, "read_formal": formal, "read_english": english, "why": why})
    write_rows(disagreements, disagreeing)
    print("| setup | rows | label follows from smcdel_problem | label follows from the English |")
    print("| --- | ---: | ---: | ---: |")
    for setup, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        print(f"| {setup} | {count['rows']} | {count['formal']} | {count['english']} |")
    print()
    for row in disagreeing:
        print(f"{row['where']}: {row['label']}, formally {row['read_formal']}, in English {row['read_english']}")
        print(f"  {row['why']}")
    print(f"{len(disagreeing)} rows that disagree: {disagreements}")


def other_eyes(structure: Structure, problem: Problem, names: tuple[str, ...]) -> Iterator[str]:
    """Say which agents see other things in the English than the formal structure lets them observe."""
    observed = dict(structure.observes)
    for index, name in enumerate(names):
        seen = [names[atom - 1] for atom in problem.sees[index]]
        given = [names[atom - 1] for atom in observed.get(agent_name(index), ()) if 0 < atom <= len(names)]
        if seen != given:
            yield f"{name} sees {' and '.join(seen) or 'none'}, formally {' and '.join(given) or 'none'}"


def write_rows(path: Path, rows: list[dict]) -> None:
    """Write rows as JSON lines, under a temporary name that is then renamed."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


# Show.


def run_show(args: argparse.Namespace) -> None:
    """Print one story with its questions, answers, and the line that taught each chain."""
    known = {config.name: config for config in hi_tom.HiTom.BUILDER_CONFIGS}
    if args.config not in known:
        raise Wrong(f"unknown config {args.config!r}; the configs are {', '.join(known)}")
    config = replace(known[args.config], seed=args.seed)
    sizes = config.sizes()
    if args.split not in sizes:
        raise Wrong(f"{args.config} has no split {args.split}; it has {', '.join(sizes)}")
    if not 0 <= args.index < sizes[args.split]:
        raise Wrong(
            f"--index is {args.index}; the {args.split} split of {args.config} has 0 to {sizes[args.split] - 1}"
        )
    rows = hi_tom.story_rows(config, args.split, args.index, *hi_tom.plan_of(config, args.split)[args.index])
    story, names, asked = loads(rows[0]["events"])
    taught = lessons(story, asked)
    print(f"{rows[0]['story_id']}\n\n{rows[0]['story']}")
    for row in rows:
        chain = tuple(names.agents.index(agent) for agent in row["chain"])
        print(f"\n{row['question']}")
        print("  " + ", ".join(f"{chr(ord('A') + i)}. {choice}" for i, choice in enumerate(row["choices"])))
        line = teacher(taught, chain, config.semantics).line + 1
        print(f"  {chr(ord('A') + row['answer_index'])}. {row['answer']}, taught by line {line}")
        facts = [f"effective order {row['effective_order']}", f"slot: {SLOTS[row['answer_slot']]}"]
        if row["order_sensitive"]:
            facts.append("another order of the agents has another answer")
        if not row["semantics_agree"]:
            other = next(each for each in SEMANTICS if each != config.semantics)
            lesson = teacher(taught, chain, other)
            facts.append(f"under {other} semantics: {names.containers[lesson.container]}, line {lesson.line + 1}")
        print(f"  {'; '.join(facts)}")


def run_smcdel(args: argparse.Namespace) -> int:
    """Answer SMCDEL input with the embedded checker; return SMCDEL's exit code."""
    return smcdel.main([args.file], s5.Checker)


def main(argv: Iterable[str] | None = None) -> int:
    """Run a command; return the exit code."""

    def stop(*_) -> None:
        raise KeyboardInterrupt

    args = arguments().parse_args(argv)
    before = signal.signal(signal.SIGTERM, stop)
    try:
        code = args.run(args) or 0
    except (Wrong, folder.NotOurs) as error:
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
