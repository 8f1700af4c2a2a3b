"""What tests of probes need: where the embedded probes lie, small sizes of builds, and changed recipes."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
from support import ROOT, sized

from tom_datasets.logic import config as mindgames
from tom_datasets.logic.config import SCALE
from tom_datasets.splits import plain_name
from tom_datasets.story import config as hi_tom
from tom_datasets.story.config import REPRODUCTION, TOMH

PROBES = ROOT / "probe"  # folder of the embedded probes
ONLY_TEST = {"seed": 5, "train": None, "validation": None, "scorer": None}
CONFIGS = {
    "hi_tom": [
        replace(hi_tom.ALL, **ONLY_TEST, test=6),
        replace(TOMH, **ONLY_TEST, test=27),
        replace(REPRODUCTION, **ONLY_TEST, test=6),
    ],
    "mindgames": [
        replace(mindgames.ALL, **ONLY_TEST, test=4, checker="embedded"),
        replace(SCALE, **ONLY_TEST, test=2, checker="embedded"),
        replace(mindgames.REPRODUCTION, **ONLY_TEST, test=4, checker="embedded"),
    ],
}
"""Configs of a few rows each."""
LEAST = {
    "hi_tom": sized(
        "hi_tom",
        train=1,
        validation=1,
        test=2,
        tomh=3,
        reproduction=1,
        deep_train=2,
        deep_validation=1,
        deep=3,
    ),
    "mindgames": sized("mindgames", train=1, validation=1, test=1, scale=1, reproduction=2, deep=1),
}
"""Sizes of builds; `check` asks for no gates at these."""


def rewrite(folder: Path, dataset: str, /, without: str | None = None, **fields) -> dict:
    """Give a recipe other fields, and leave one out; return it."""
    file = folder / f"{dataset}.json"
    recipe = json.loads(file.read_text(encoding="utf-8")) | fields
    recipe.pop(without, None)
    file.write_text(json.dumps(recipe), encoding="utf-8")
    return recipe


def give_other_weights(folder: Path, dataset: str) -> None:
    """Turn a bit of some weights of a probe, which then guesses otherwise, and say so in its recipe."""
    model = folder / f"{dataset}.onnx"
    weights = bytearray(model.read_bytes())
    middle = len(weights) // 2
    for place in range(middle, middle + 8192):
        weights[place] ^= 1
    model.write_bytes(weights)
    rewrite(folder, dataset, sha256=hashlib.sha256(weights).hexdigest())


def table_rows(folder: Path) -> list[dict]:
    """Return each row of a built folder once, with its file."""
    return [
        {**row, "file": file.relative_to(folder).as_posix()}
        for file in sorted(folder.rglob("*.parquet"))
        if plain_name(file.parent.name) != "all"
        for row in pq.read_table(file).to_pylist()
    ]


def recipe_of(name: str) -> dict:
    return json.loads((PROBES / f"{name}.json").read_text(encoding="utf-8"))
