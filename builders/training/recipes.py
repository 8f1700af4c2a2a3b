"""What probes are trained on and how: a recipe for the probe of each dataset, and the settings of fine-tuning.

The embedded probes are small DeBERTa-v2 models (He et al., 2021), trained from scratch on masked rows. Training draws
from fixed seeds, but another machine may still get other weights: so the weights are kept, in the folder `probe`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..configs import checked_config, config_named
from ..topics import NAMES, topic

SEED = 271_828  # seed of the rows to train on; no dataset is published with it


@dataclass(frozen=True)
class Recipe:
    """Describe how the embedded probe of a dataset is trained."""

    classes: int  # options that the probe tells apart
    limit: int  # tokens that it reads at most
    layers: int  # layers of the model
    batch: int  # rows in each training step
    rate: float  # highest learning rate of AdamW
    stages: list[tuple[list[str], int]]  # names of sources, and for how many steps, one stage after another
    sources: dict[str, Any]  # configs whose split `probe` it learns from, by any name


LISTED = tomllib.loads(Path(__file__).with_name("recipes.toml").read_text(encoding="utf-8"))


def to_train_on(dataset: str, chosen: Mapping[str, Any]) -> Any:
    """Return the published config that `chosen` names, with these fields; of its splits only `probe` has rows."""
    fields = {"seed": SEED, "train": None, "validation": None, "test": None, "scorer": None, **chosen}
    return checked_config(config_named(topic(dataset, "config").PUBLISHED, fields.pop("config")), fields)


def recipe_for(dataset: str) -> Recipe:
    """Return the recipe of a dataset."""
    listed = LISTED[dataset]
    sources = {name: to_train_on(dataset, chosen) for name, chosen in listed["sources"].items()}
    return Recipe(**{**listed, "sources": sources})


ARCHITECTURE = LISTED["architecture"]  # of every embedded probe, beside its number of layers
RECIPES = {dataset: recipe_for(dataset) for dataset in NAMES}
# Rows on which a checkpoint is fine-tuned.
TUNED_ON = {dataset: to_train_on(dataset, LISTED["tuned_on"][dataset]) for dataset in NAMES}

LONGEST = 512  # tokens that a checkpoint reads at most: the texts are shorter, and time grows with the square

WARM = 200  # steps during which the learning rate rises

HALF = 1024  # weights of at least 1,024 numbers are stored in 16 bits; the model computes in 32
