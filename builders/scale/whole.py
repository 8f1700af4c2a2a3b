"""The output folder: how it is begun, taken up again, and made whole once all tasks are complete.

Until then it holds the folder WORK alone, which nothing loads. Then one renaming puts the whole folder in its place:
the shards, the card, whose YAML names exactly these files, and the record.
"""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import GENERATOR_VERSION
from ..errors import FolderError, UserError
from ..files import folder_written_beside, write_text
from ..folder import card
from ..folder.build import AWAY, RECORD, Build, checksum, claim, present, sources
from ..topics import topic
from . import shards
from .request import SPLIT, Request, differences
from .rows import PROBLEM
from .shards import LOGS, WORK

ASKED = "request.json"
"""The file within WORK that says what the tasks there make."""

MOST_NAMED = 5
"""At most so many incomplete tasks are named in an error."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Hold what a finished folder has, to say it."""

    build: Build  # its record
    repeats: int  # the rows that are left out, as an earlier one has their problem
    cut: int  # the stories or blocks that have lost some of their rows, or all
    proven: int  # how many of the rows made were proven


def is_finished(folder: Path, request: Request) -> bool:
    """Return whether a folder holds all that is asked for. Raises FolderError where it holds something else."""
    if (folder / WORK / ASKED).is_file():
        return False
    there = Build.read(folder, request.dataset)
    if there and (other := differences(there.request, request.record())):
        raise FolderError(f"{folder} holds other rows ({other}): {AWAY.partition(' or ')[0]}, or choose another --out")
    if there and (missing := there.missing()):
        raise FolderError(f"{folder / missing[0]} is missing: delete {folder}, and run the command again")
    done = claim(folder, request.dataset, request.record())
    if there and not done:
        raise FolderError(f"{folder} was made by other sources of this program: move it away, or choose another --out")
    return done


@contextlib.contextmanager
def begun(folder: Path, request: Request, alone: bool = True) -> Iterator[Path]:
    """Begin a folder or take it up again, and yield its WORK.

    alone: whether no other command may use it meanwhile. Raises UserError where its tasks make something else, or where
    another command is at work.
    """
    work = folder / WORK
    asked = {"request": request.record(), "sources": sources()}
    if (work / ASKED).is_file():
        try:
            there = json.loads((work / ASKED).read_text(encoding="utf-8"))
            other, sources_there = differences(there["request"], asked["request"]), there["sources"]
        except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration):
            raise UserError(f"{work / ASKED} is damaged: delete {folder}, or choose another --out") from None
        if other:
            raise UserError(f"{folder} was begun with other arguments ({other}): repeat them, or choose another --out")
        if sources_there != asked["sources"]:
            raise UserError(f"{folder} was begun by other sources of this program: delete it, or choose another --out")
    else:
        write_text(work / ASKED, json.dumps(asked, indent=2) + "\n")
    with (work / "lock").open("w") as lock:
        try:
            if alone:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another command is at work in {folder}: wait until it ends") from None
        yield work


def check_complete(work: Path, request: Request) -> None:
    """Raise UserError where tasks are not complete; it names some, and says why the first one is not."""
    missing = shards.incomplete(work, request.tasks)
    if not missing:
        return
    named = ", ".join(map(str, missing[:MOST_NAMED])) + (", …" if len(missing) > MOST_NAMED else "")
    logs = [(rank, last_line(work, rank)) for rank in missing]
    reasons = [f"; task {rank}: {reason}" for rank, reason in logs if reason]
    raise UserError(
        f"{len(missing)} of {request.tasks} tasks are not complete ({named}){''.join(reasons[:1])}: run the command "
        "again, it goes on from those that are"
    )


def last_line(work: Path, rank: int) -> str | None:
    """Return what ended a task, the last line of its log, where it ended by an error of ours."""
    log = work / LOGS / "logs" / f"task_{rank:05d}.log"
    with contextlib.suppress(OSError):
        lines = log.read_text(encoding="utf-8").strip().splitlines()
        kind, _, message = lines[-1].partition(": ") if lines else ("", "", "")
        return message if kind.endswith("Error") else None
    return None


def finish(folder: Path, request: Request) -> Finished:
    """Put the whole folder in the place of one whose tasks are complete. Raises UserError, and then changes nothing."""
    work = folder / WORK
    check_complete(work, request)
    if strange := sorted(path.name for path in folder.iterdir() if path.name != WORK):
        raise FolderError(f"{folder / strange[0]} was not written by this program: move it away")
    facts = [shards.facts_of(work, rank) for rank in range(request.tasks)]
    kept = shards.firsts([shards.hashes_of(work, rank) for rank in range(request.tasks)])
    with folder_written_beside(folder) as partial:
        files = {}
        for rank, (fact, mask) in enumerate(zip(facts, kept, strict=True)):
            target = partial / request.file(rank)
            target.parent.mkdir(parents=True, exist_ok=True)
            if mask.all():
                linked(shards.shard(work, rank), target)
                files[request.file(rank)] = {name: fact[name] for name in ("rows", "memory", "bytes", "sha256")}
            elif mask.any():
                shards.rewritten(shards.shard(work, rank), target, mask)
                files[request.file(rank)] = shards.measured(target)
        proven = sum(fact["proven"] for fact in facts)
        described(Build(partial, request.dataset, GENERATOR_VERSION, request.record(), sources(), files))
    lost = ~np.concatenate(kept).reshape(-1, request.units().size)
    return Finished(Build.read(folder, request.dataset), int(lost.sum()), int(lost.any(axis=1).sum()), proven)


def linked(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where the file system has none."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def described(build: Build) -> None:
    """Write the card and the record beside the shards of a build."""
    columns = card.columns(topic(build.dataset, "builder").BUILDER) | {
        PROBLEM: "the hash of the problem; rows that share it differ in names alone."
    }
    config = next(iter(build.request))
    layout = {config: {SPLIT: list(build.files)}}
    text = card.render_scaled(build, layout, columns)
    (build.folder / "README.md").write_text(text, encoding="utf-8")
    files: dict[str, dict[str, Any]] = dict(build.files)
    for file in present(build.folder):
        path = build.folder / file
        files.setdefault(file, {"rows": 0, "bytes": path.stat().st_size, "sha256": checksum(path)})
    whole = Build(build.folder, build.dataset, build.version, build.request, build.sources, dict(sorted(files.items())))
    (build.folder / RECORD).write_text(whole.record(), encoding="utf-8")
