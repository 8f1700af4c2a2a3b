"""The proof that a commit arrived: read its rows, or its files, back from the Hub, and compare them with ours."""

import contextlib
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

from .local import CARD, LocalFolder, sha256
from .network import PublishError, refusing
from .repository import Repository, shortened


def read_rows(there: Repository, commit: str, folder: Path) -> str:
    """Load every config of a commit from the Hub, and compare its rows with those of a built folder.

    Rows are streamed: none comes from a cache, and nothing is kept here. Returns how many configs and splits there are.
    Raises PublishError where one cannot be loaded, or differs.
    """
    import datasets  # slow to import, and only rows need it

    datasets.disable_progress_bars()
    datasets.logging.set_verbosity(logging.CRITICAL)  # what fails is told in one line, which is ours
    configs = huggingface_hub.DatasetCard.load(folder / CARD).data.to_dict()["configs"]
    splits, differing = 0, []
    for name, files in ((config["config_name"], config["data_files"]) for config in configs):
        ours = {file["split"]: file["path"] for file in files}
        splits += len(ours)
        # A folder here with the repository's name would be loaded instead: a built folder has none with such a path.
        with refusing(f"{there.name}, reading back {commit[:7]}: {name}", "not_read"), contextlib.chdir(folder):
            options = {"revision": commit, "token": there.hub.token, "streaming": True}
            theirs = datasets.load_dataset(there.name, name, **options)
            for split in sorted(ours.keys() | theirs.keys()):
                if not (split in ours and split in theirs and is_same(theirs[split], pq.read_table(ours[split]))):
                    differing.append(f"{name} {split}")
    check_same(there, commit, differing)
    return f"{len(configs)} configs, {splits} splits"


def is_same(theirs: Any, ours: pa.Table) -> bool:
    """Return whether a streamed dataset has the columns, types and rows of a table, in its order."""
    if theirs.features != type(theirs.features).from_arrow_schema(ours.schema):
        return False
    schema = theirs.features.arrow_schema
    read = [batch for table in theirs.with_format("arrow").iter(1000) for batch in table.cast(schema).to_batches()]
    return pa.Table.from_batches(read, schema).equals(ours.cast(schema))


def read_files(there: Repository, commit: str, local: LocalFolder, paths: Iterable[str]) -> None:
    """Raise PublishError where some of these files have other bytes in a commit than here."""
    check_same(
        there, commit, [path for path in paths if sha256(there.contents(path, commit)) != local.files[path]["sha256"]]
    )


def check_same(there: Repository, commit: str, differing: list[str]) -> None:
    """Raise PublishError where a split or a file differs."""
    if differing:
        raise PublishError("differs", there=there, commit=commit, wrong=shortened(differing))
