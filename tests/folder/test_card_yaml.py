"""Write the YAML of toys: the Hub's names of sizes, and configs on one line each; test_card.py loads by it."""

import hashlib
import json
import re
from pathlib import Path

import huggingface_hub
from datasets.utils import metadata as metadata_of_datasets

from tom_datasets.folder.card import environment, size_category

LAYOUT = {
    "both": {"train": ["a/train.parquet"], "test": ["a/test.parquet", "b/test.parquet"]},
    "b": {"test": ["b/test.parquet"]},
}
FILES = {
    "a/train.parquet": {"rows": 2, "bytes": 20, "memory": 200, "sha256": "4e0"},
    "a/test.parquet": {"rows": 3, "bytes": 30, "memory": 300, "sha256": "4e1"},
    "b/test.parquet": {"rows": 1, "bytes": 10, "memory": 100, "sha256": "4e2"},
}


def test_the_names_of_sizes_are_those_of_the_hub():
    resources = Path(metadata_of_datasets.__file__).parent / "resources" / "size_categories.json"
    known = json.loads(resources.read_text())
    assert [size_category(rows) for rows in (999, *(10**power for power in range(3, 10)))] == known[1:9]
    assert [size_category(10**power - 1) for power in range(4, 10)] == known[2:8]
    assert size_category(10**12) == known[8]
    described = huggingface_hub.DatasetCardData.__doc__
    documented = re.search(r"size_categories.*?Options are: (.*?)'other'", described, re.DOTALL)
    assert all(f"'{name}'" in documented[1] for name in known[1:9])


def sha256(text):
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_config_and_its_sizes_take_one_line_each():
    text = environment().get_template("card/matter.yaml.jinja").render(layout=LAYOUT, files=FILES)
    assert text == (
        "size_categories: [n<1K]\n"
        "configs:\n"
        "- {config_name: both, default: true, data_files: [{split: train, path: [a/train.parquet]}, "
        "{split: test, path: [a/test.parquet, b/test.parquet]}]}\n"
        "- {config_name: b, data_files: [{split: test, path: [b/test.parquet]}]}\n"
        "dataset_info:\n"
        f"- {{config_name: b, description: rows {sha256('4e2')[:16]}, "
        "splits: [{name: test, num_bytes: 100, num_examples: 1}]}\n"
        f"- {{config_name: both, description: rows {sha256('4e04e14e2')[:16]}, "
        "splits: [{name: train, num_bytes: 200, num_examples: 2}, "
        "{name: test, num_bytes: 400, num_examples: 4}]}\n"
    )
