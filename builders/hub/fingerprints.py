"""Fingerprints of rows: one checksum for each config and split, which is the same wherever the rows lie."""

import hashlib
import json
from pathlib import Path

import datasets
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

Fingerprints = dict[str, dict[str, str]]
"""One fingerprint for each split, by config and split."""


def folder_fingerprints(folder: Path) -> Fingerprints:
    """Return the fingerprint of each config and split that a folder's card names, read from its Parquet files."""
    fingerprints: Fingerprints = {}
    for config in huggingface_hub.DatasetCard.load(folder / "README.md").data.to_dict()["configs"]:
        fingerprints[config["config_name"]] = splits = {}
        for split in config["data_files"]:
            paths = [split["path"]] if isinstance(split["path"], str) else split["path"]
            splits[split["split"]] = fingerprint([pq.read_table(folder / path) for path in paths])
    return fingerprints


def fingerprint(tables: list[pa.Table]) -> str:
    """Return a checksum of the columns, their types and all rows in their order, however the rows are stored."""
    features = datasets.Features.from_arrow_schema(tables[0].schema)
    digest = hashlib.sha256(json.dumps(features.to_dict(), sort_keys=True).encode())
    for table in tables:
        for batch in table.to_batches(1000):
            for row in batch.to_pylist():
                digest.update(json.dumps(row).encode())
    return digest.hexdigest()
