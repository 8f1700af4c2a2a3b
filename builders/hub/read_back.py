"""The proof that a commit arrived: load it from the Hub in a process of its own, and compare its rows with ours.

The client reads where its caches are once, when it is imported. So a fresh process, with fresh caches, loads the rows.
`python -m tom_datasets.hub.read_back` is that process; the token is in its environment, never among its arguments.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

from .client import Hub
from .local import CARD
from .network import PublishError, refusing

# Variables that name a cache, where HF_HOME alone should, and those that may keep `datasets` from loading.
LEFT_OUT = re.compile("HF_DATASETS_(OFFLINE|.*_PATH)$|(HF|HUGGINGFACE)_.*CACHE$")

# Seconds for the reading process to remove its folder where the publishing process was killed.
CLEANING_TIME = 10.0


def read_back(hub: Hub, repo: str, commit: str, folder: Path) -> dict[str, Any]:
    """Load every config of a commit from the Hub with fresh caches, and compare its rows with those of a folder.

    Returns how many `configs` and `splits` there are, and the `differing` ones, each as "config split". Raises
    PublishError where they cannot be loaded.

    The process that reads is killed at the time limit and at an interrupt. It has a process group of its own, as an
    interrupt from the keyboard is for this process alone. Its standard input is a pipe that nothing is written to. The
    pipe closes when this process ends, however it ends, and then that process removes the folder it works in, and ends
    too.
    """
    environment = {name: value for name, value in os.environ.items() if not LEFT_OUT.match(name)}
    reading, writing = os.pipe()
    with tempfile.TemporaryDirectory() as home, os.fdopen(reading, "rb"), os.fdopen(writing, "wb"):
        ended = subprocess.run(
            [sys.executable, "-m", "tom_datasets.hub.read_back", repo, commit, folder.absolute()],
            # In the current folder load_dataset would read a folder of the repository's name instead.
            cwd=home,
            env=environment | {"HF_HOME": f"{home}/home"} | ({"HF_TOKEN": hub.token} if hub.token else {}),
            stdin=reading,
            stdout=subprocess.PIPE,
            process_group=0,
        )
    try:
        answer: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"exit code {ended.returncode}"
        answer = {"fault": f"the process that loads it ended early ({how})"}
    if "fault" in answer:
        raise PublishError(
            f"{repo}, reading back {commit[:7]}: {answer['fault']}; all files were sent: run the command again to "
            "check them"
        )
    return answer


def _end_with_parent(folder: Path) -> None:
    """Wait until standard input closes; then remove a folder, and end this process.

    It closes when the process that publishes has ended. Where that was killed, nobody else removes the folder.
    """
    os.read(0, 1)  # not sys.stdin, whose lock would be held at the end of this process
    deadline = time.monotonic() + CLEANING_TIME
    while folder.exists() and time.monotonic() < deadline:  # other threads may still write into it
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def main(argv: list[str]) -> None:
    """Load each config of a commit, and print what differs, or the `fault` in loading it, as one JSON object.

    argv: the repository, the commit, and the folder to compare with. Works in the current folder, which is its own.
    Removes it and ends where standard input closes.
    """
    threading.Thread(target=_end_with_parent, args=(Path.cwd(),), daemon=True).start()
    repo, commit, folder = argv
    try:
        with contextlib.redirect_stdout(sys.stderr), refusing(repo):
            answer = compare(repo, commit, Path(folder))
    except PublishError as error:
        answer = {"fault": str(error)}
    print(json.dumps(answer))


def compare(repo: str, commit: str, folder: Path) -> dict[str, Any]:
    """Return how many configs and splits a commit has, and which differ.

    Raises PublishError where one cannot be loaded.
    """
    import datasets  # slow to import, and the process that publishes does without it

    datasets.disable_progress_bars()
    configs = huggingface_hub.DatasetCard.load(folder / CARD).data.to_dict()["configs"]
    splits, differing = 0, []
    for name, files in ((config["config_name"], config["data_files"]) for config in configs):
        with refusing(name):
            theirs = datasets.load_dataset(repo, name, revision=commit)
        ours = {file["split"]: file["path"] for file in files}
        splits += len(ours)
        for split in sorted(ours.keys() | theirs.keys()):
            here = [pq.read_table(folder / path) for path in ours.get(split, [])]
            if not (here and split in theirs and is_same(theirs[split], pa.concat_tables(here))):
                differing.append(f"{name} {split}")
    return {"configs": len(configs), "splits": splits, "differing": differing}


def is_same(theirs: Any, ours: pa.Table) -> bool:
    """Return whether a loaded dataset has the columns, types and rows of a table, in its order."""
    if theirs.features != type(theirs.features).from_arrow_schema(ours.schema):
        return False
    return bool(theirs.data.table.equals(ours.cast(theirs.features.arrow_schema)))


if __name__ == "__main__":
    main(sys.argv[1:])
