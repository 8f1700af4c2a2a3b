"""Own the way to the Hugging Face Hub and back: what would change there, one commit, and the proof by reading back.

A repository holds what a build wrote, `build.json` among it. By that record it is known which of its files were put
there from here: only those are replaced or deleted. Every call is repeated where the network or the Hub fails, with
growing waits, until the time limit; what is refused ends in one line.
"""

import contextlib
import functools
import hashlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import datasets
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

from builders.hub.client import Hub
from builders.hub.interrupts import insisting
from builders.hub.network import PublishError, scrubbed

APART = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE", "HF_MODULES_CACHE", "HF_ASSETS_CACHE",
         "HF_DATASETS_DOWNLOADED_DATASETS_PATH", "HF_DATASETS_OFFLINE")  # fmt: skip
"""What, besides HF_HOME, says where downloads are kept, or that there are none."""


def fingerprints(here: Path) -> dict[str, dict[str, str]]:
    """Return the fingerprint of each config and split of a folder, by its card, read from the Parquet alone."""
    configs = huggingface_hub.DatasetCard.load(here / "README.md").data.to_dict()["configs"]
    return {
        config["config_name"]: {
            split["split"]: fingerprint([pq.read_table(here / path) for path in split["path"]])
            for split in config["data_files"]
        }
        for config in configs
    }


def fingerprint(tables: list[pa.Table]) -> str:
    """Return a checksum of the columns, with their types, and of all rows in their order, however they are stored."""
    features = datasets.Features.from_arrow_schema(tables[0].schema)
    digest = hashlib.sha256(json.dumps(features.to_dict(), sort_keys=True).encode())
    for table in tables:
        for batch in table.to_batches(1000):
            for row in batch.to_pylist():
                digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def read_back(
    send: Connection, token: str, seconds: float, home: str, repo: str, commit: str, configs: list[str]
) -> None:
    """Send the fingerprints of each config and split of a commit, and None, or None and what went wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that what the libraries hold is let go
    sys.unraisablehook = insisting(SystemExit, signal.SIGTERM)
    os.chdir(home)  # a folder of the repository's name here would be loaded instead
    os.environ["HF_TOKEN"] = token
    datasets.disable_progress_bars()
    hub = Hub(token, seconds)
    found, fault = {}, None
    try:
        for config in configs:
            load = functools.partial(datasets.load_dataset, repo, config, revision=commit, token=token)
            loaded = hub.persist(config, load)
            found[config] = {split: fingerprint([rows.data.table]) for split, rows in loaded.items()}
    except PublishError as error:
        fault = str(error)
    except Exception as error:  # a traceback could hold the token
        fault = f"{type(error).__name__}: {scrubbed(error)}"
    with contextlib.suppress(BrokenPipeError):
        send.send((found, fault))


@contextlib.contextmanager
def environment(**variables: str | None) -> Iterator[None]:
    """Give the environment other variables, or none where they are None, for what is started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}

    def become(values: dict[str, str | None]) -> None:
        for name, value in values.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    try:
        become(variables)
        yield
    finally:
        become(before)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let what is started meanwhile not hear an interrupt, which is for the process that started it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
