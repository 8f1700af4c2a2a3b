"""The proof that a commit arrived: load it from the Hub in a process of its own, and compare its rows with ours.

The client reads where its caches are once, when it is imported. So a fresh process, with fresh caches, loads the rows.
`python -m tom_datasets.hub.read_back` is that process; the token is in its environment, never among its arguments.
"""

import contextlib
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq
from huggingface_hub import constants

from .client import Hub, read_token
from .interrupts import interruptible
from .local import CARD, LocalFolder, sha256
from .network import PublishError, TimeLimitError, without_secrets
from .repository import FAILING_SOON, Repository

CACHES = (
    "HF_HUB_CACHE HUGGINGFACE_HUB_CACHE HF_DATASETS_CACHE HF_MODULES_CACHE HF_ASSETS_CACHE "
    "HF_DATASETS_DOWNLOADED_DATASETS_PATH"
).split()
"""Variables that name a cache, where HF_HOME alone should."""

CLEANING_TIME = 10.0
"""Seconds that the process that reads has to remove its folder where the one that publishes was killed."""


def read_back(hub: Hub, repo: str, commit: str, folder: Path) -> dict:
    """Load every config of a commit from the Hub with fresh caches, and compare its rows with those of a folder.

    Returns how many `configs` and `splits` there are, and the `differing` ones, each as "config split". Raises
    PublishError where they cannot be loaded within the time limit.
    """
    try:
        answer = _run_reader(hub, repo, commit, folder)
    except (TimeLimitError, subprocess.TimeoutExpired):
        answer = {"fault": "the time limit is reached"}
    if "fault" in answer:
        raise PublishError("not_read", repo=repo, commit=commit, fault=answer["fault"])
    return answer


def differing_files(there: Repository, commit: str, local: LocalFolder, paths: Iterable[str]) -> list[str]:
    """Return which of these files have other bytes in a commit than here."""
    return [path for path in paths if sha256(there.contents(path, commit)) != local.files[path]["sha256"]]


def _run_reader(hub: Hub, repo: str, commit: str, folder: Path) -> dict:
    """Run the process that reads, and return what it found, or a `fault` in words.

    The process is killed at the time limit and at an interrupt. It has a process group of its own, as an interrupt from
    the keyboard is for this process alone. Its standard input is a pipe that nothing is written to. The pipe closes
    when this process ends, however it ends, and then that process removes the folder it works in, and ends too.
    """
    left_out = {*CACHES, "HF_DATASETS_OFFLINE"}
    environment = {
        name: value
        for name, value in (os.environ.items() - FAILING_SOON.items())  # downloads keep Xet's patience
        if name not in left_out
    }
    environment |= {"HF_TOKEN": hub.token} | ({"HF_HUB_DISABLE_XET": "1"} if constants.HF_HUB_DISABLE_XET else {})
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as home, os.fdopen(reading, "rb"), os.fdopen(writing, "wb"):
        seconds = hub.seconds_left()
        deadline = time.time() + seconds - 1  # leaves a second to say what failed
        ended = subprocess.run(
            [sys.executable, "-m", "tom_datasets.hub.read_back", repo, commit, str(deadline), folder.absolute()],
            env=environment | {"HF_HOME": f"{home}/home"},
            cwd=home,  # load_dataset would read a folder of the repository's name here instead
            stdin=reading,
            stdout=subprocess.PIPE,
            timeout=seconds,
            process_group=0,
        )
    try:
        return json.loads(ended.stdout)
    except ValueError:
        how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"exit code {ended.returncode}"
        return {"fault": f"the process that loads it ended early ({how})"}


def _end_with_parent(folder: Path) -> None:
    """Remove a folder and end this process when its standard input closes.

    It closes when the process that publishes has ended. Where that was killed, nobody else removes the folder.
    """

    def wait() -> None:
        os.read(0, 1)  # not sys.stdin, whose lock would be held at the end of this process
        deadline = time.monotonic() + CLEANING_TIME
        while folder.exists() and time.monotonic() < deadline:  # other threads may still write into it
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def main(argv: list[str]) -> None:
    """Load each config of a commit, and print what differs, or the fault, as one JSON object.

    argv: the repository, the commit, the time limit in seconds since 1970, and the folder to compare with. Works in the
    current folder, which is its own. Removes it and ends where standard input closes.
    """
    _end_with_parent(Path.cwd())
    repo, commit, deadline, folder = argv
    with contextlib.redirect_stdout(sys.stderr):
        answer = _compare(repo, commit, float(deadline), Path(folder))
    print(json.dumps(answer))


def _compare(repo: str, commit: str, deadline: float, folder: Path) -> dict:
    """Return how many configs and splits a commit has and which differ, or the `fault` that keeps it from loading."""
    import datasets  # slow to import, and the process that publishes does without it

    datasets.disable_progress_bars()
    configs = huggingface_hub.DatasetCard.load(folder / CARD).data.to_dict()["configs"]
    splits, differing = 0, []
    try:
        hub = Hub(read_token(), max(deadline - time.time(), 0.1))
        with interruptible(hub):  # also ends a wait of the client between its own tries
            for name, files in ((config["config_name"], config["data_files"]) for config in configs):
                load = functools.partial(datasets.load_dataset, repo, name, revision=commit, token=hub.token)
                theirs, ours = hub.retry(name, load), {file["split"]: file["path"] for file in files}
                splits += len(ours)
                for split in sorted(ours.keys() | theirs.keys()):
                    here = [pq.read_table(folder / path) for path in ours.get(split, [])]
                    if not (here and split in theirs and is_same(theirs[split], pa.concat_tables(here))):
                        differing.append(f"{name} {split}")
    except PublishError as error:
        return {"fault": str(error)}
    except Exception as error:  # a traceback could hold the token
        return {"fault": f"{type(error).__name__}: {without_secrets(error)}"}
    return {"configs": len(configs), "splits": splits, "differing": differing}


def is_same(theirs: Any, ours: pa.Table) -> bool:
    """Return whether a loaded dataset has the columns, types and rows of a table, in its order."""
    if theirs.features != type(theirs.features).from_arrow_schema(ours.schema):
        return False
    return theirs.data.table.equals(ours.cast(theirs.features.arrow_schema))


if __name__ == "__main__":
    main(sys.argv[1:])
