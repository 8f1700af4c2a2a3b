"""The output folder: begin it, take it up again, and finish it, without repeated problems, once all tasks are complete.

Until then it holds the folder WORK alone, which nothing loads. Then one renaming puts the whole folder in its place:
the shards, the card, whose YAML names exactly these files, and the record.
"""

import contextlib
import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..dataset import dataset_named
from ..errors import UserError
from ..files import write_text
from ..folder import card
from ..folder.build import RECORD, Build, claim, differing_arguments
from ..folder.writing import written
from .request import SPLIT, Request, option_of
from .rows import PROBLEM, n_proven
from .shards import LOGS, WORK, firsts, measured, shard_of

ASKED = "request.json"  # the file within WORK that says what the tasks there make

MOST_NAMED = 5  # most incomplete tasks that an error names


@dataclass(frozen=True, slots=True)
class Finished:
    """Hold what a finished folder has, to say it."""

    build: Build  # its record
    repeats: int  # the rows that are left out, as an earlier one has their problem
    cut: int  # the stories or blocks that have lost some of their rows, or all
    proven: int  # how many of the rows made were proven


def is_finished(folder: Path, request: Request) -> bool:
    """Return whether a folder holds all that is asked for. Raises UserError where it holds something else."""
    if (folder / WORK / ASKED).is_file():
        return False
    if there := Build.read(folder, request.dataset):
        check_same(there, request.build(folder))
        if missing := there.missing():
            raise UserError(f"{folder / missing[0]} is missing: delete {folder}, and run the command again")
    return claim(folder, request.dataset, request.record())


def check_same(there: Build, todo: Build) -> None:
    """Raise UserError where a folder was asked for other rows, or made by other sources than these."""
    remedy = "move it away, or choose another --out"
    if other := differing_arguments(there, todo, option_of):
        raise UserError(f"{todo.folder} holds other rows ({'; '.join(other)}): {remedy}")
    if (there.sources, there.request) != (todo.sources, todo.request):
        raise UserError(f"{todo.folder} was made by another version of this program: {remedy}")


@contextlib.contextmanager
def begun(folder: Path, request: Request, alone: bool = True) -> Iterator[Path]:
    """Begin a folder or take it up again, and yield its WORK.

    alone: whether no other command may use it meanwhile. Raises UserError where its tasks make something else, or where
    another command is at work.
    """
    work, todo = folder / WORK, request.build(folder)
    if (work / ASKED).is_file():
        try:
            there = json.loads((work / ASKED).read_text(encoding="utf-8"))
            check_same(replace(todo, request=there["request"], sources=there["sources"]), todo)
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            raise UserError(f"{work / ASKED} is damaged: delete {folder}, or choose another --out") from None
    else:
        write_text(work / ASKED, todo.record())
    with (work / "lock").open("w") as lock:
        try:
            if alone:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another command is working in {folder}: wait until it ends") from None
        yield work


def check_complete(work: Path, request: Request) -> None:
    """Raise UserError where tasks are not complete; it names some, and says why the first one is not."""
    missing = [rank for rank in range(request.tasks) if not shard_of(work, rank).mark.is_file()]
    if not missing:
        return
    named = ", ".join(map(str, missing[:MOST_NAMED])) + (", …" if len(missing) > MOST_NAMED else "")
    reasons = [f"; task {rank}: {reason}" for rank in missing if (reason := last_error(work, rank))]
    raise UserError(
        f"{len(missing)} of {request.tasks} tasks are not complete ({named}){next(iter(reasons), '')}: run the command "
        "again; it runs only these"
    )


def last_error(work: Path, rank: int) -> str | None:
    """Return the error that ended a task, if the last line of its log is one."""
    log = work / LOGS / "logs" / f"task_{rank:05d}.log"
    lines = log.read_text(encoding="utf-8").strip().splitlines() if log.is_file() else []
    error = re.match("[^:]*Error: (.*)", lines[-1]) if lines else None
    return error and error[1]


def finish(folder: Path, request: Request) -> Finished:
    """Put the whole folder in the place of one whose tasks are complete. Raises UserError, and then changes nothing."""
    work = folder / WORK
    check_complete(work, request)
    if strange := sorted(path.name for path in folder.iterdir() if path.name != WORK):
        raise UserError(f"{folder / strange[0]} was not written by this program: move it away")
    shards = [shard_of(work, rank) for rank in range(request.tasks)]
    facts = [shard.facts() for shard in shards]
    kept = firsts([shard.hashes() for shard in shards])
    with written(request.build(folder)) as new:
        (new.folder / request.config).mkdir()
        for shard, fact, mask in zip(shards, facts, kept, strict=True):
            file = request.file(shard.rank)
            if mask.all():
                link(shard.file, new.folder / file)
                new.files[file] = fact
            elif mask.any():
                shard.write_kept(new.folder / file, mask)
                new.files[file] = measured(new.folder / file)
        meaning = "the hash of the problem; rows that share it differ in names alone."
        columns = dataset_named(request.dataset).meanings | {PROBLEM: meaning}
        text = card.render_scaled(new, {request.config: {SPLIT: list(new.files)}}, columns)
        (new.folder / "README.md").write_text(text, encoding="utf-8")
    build = Build.read(folder, request.dataset)
    if build is None:
        raise UserError(f"{folder / RECORD} was deleted right after it was written: run the command again")
    lost = ~np.concatenate(kept).reshape(-1, request.units().size)
    return Finished(build, int(lost.sum()), int(lost.any(axis=1).sum()), n_proven(request))


def link(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where the file system has none."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
