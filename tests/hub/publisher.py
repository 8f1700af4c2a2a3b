"""Publish as the tests tell it, in one process for all of them: the client reads where the Hub is once, at its import.

Each line on standard input is JSON: the arguments, the token, the gates of hi_tom, and whether to read back. Each line
on standard output is the exit code, and what the command printed on its two streams.

Waits are short here, and a build that was proven once, rows and gates, counts as proven while its files and the gates
are the same. What publishes is otherwise as users run it.
"""

import contextlib
import functools
import hashlib
import io
import json
import os
import sys
import time
import types
from pathlib import Path

from huggingface_hub import DatasetCard, file_download
from huggingface_hub.utils import _http as client_http

from tom_datasets.__main__ import main
from tom_datasets.audit import gates as audit
from tom_datasets.commands import publish as command
from tom_datasets.folder.build import Build
from tom_datasets.hub import client, interrupts, publication

GATES = audit.GATES["hi_tom"]
ENOUGH = audit.GATED_STORIES
READ_BACK = publication.read_back


def shorten_waits() -> None:
    """Shorten our wait, and those of the client between its own tries; this process outlives the time limit."""
    client.FIRST_ANSWER, interrupts.GRACE = 4.0, 1e6
    short = {**vars(time), "sleep": lambda seconds: time.sleep(min(seconds, 0.05))}
    for module in (client_http, file_download):
        module.time = types.SimpleNamespace(**short)


def trusted(hub: client.Hub, repo: str, commit: str, folder: Path) -> dict:
    """Return what a reader prints to whom nothing differs."""
    configs = DatasetCard.load(folder / "README.md").data.to_dict()["configs"]
    return {"configs": len(configs), "splits": sum(len(config["data_files"]) for config in configs), "differing": []}


def prove_once(said: dict, build: Build, processes: int, scorer: str | None, prove=command.check) -> None:
    """Prove a folder, or say again what was said of the same files, held to the same gates."""
    files = [(path, hashlib.sha256(path.read_bytes()).digest()) for path in sorted(build.folder.rglob("*.parquet"))]
    key = (build.folder, str(build.request), scorer, audit.GATED_STORIES, str(audit.GATES), *files)
    if key in said:
        print(said[key], end="")
        return
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            prove(build, processes, scorer)
        said[key] = printed.getvalue()
    finally:
        print(printed.getvalue(), end="")


def publish(argv: list[str], token: str, gates: dict | None, reads_back: bool) -> tuple[int, str, str]:
    """Run the command; return its exit code, what it printed, and what it said on stderr.

    Where it does not read back, nothing differs: the test compares the files.
    """
    audit.GATED_STORIES, audit.GATES["hi_tom"] = (3, gates) if gates else (ENOUGH, GATES)
    publication.read_back = READ_BACK if reads_back else trusted
    os.environ["HF_TOKEN"] = token
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            code = main(argv)
        except SystemExit as end:
            code = end.code
    return code, printed.getvalue(), errors.getvalue()


if __name__ == "__main__":
    shorten_waits()
    command.check = functools.partial(prove_once, {})
    for line in sys.stdin:
        print(json.dumps(publish(*json.loads(line))), flush=True)
