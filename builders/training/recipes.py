"""What probes are trained on and how: a recipe for the probe of each dataset, and the settings of fine-tuning.

The embedded probes are small DeBERTa-v2 models (He et al., 2021), trained from scratch on masked rows. Training draws
from fixed seeds, but another machine may still get other weights: so the weights are kept, in the folder `probe`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..configs import FamilyConfig, checked_config, config_named
from ..dataset import dataset_named

SEED = 271_828  # seed of the rows to train on; no dataset is published with it


@dataclass(frozen=True)
class Source:
    """Name rows to learn from: the split `probe` of a published config."""

    config: str  # the name of the config
    probe: int  # units of the split: stories, or blocks or single problems of each setup
    fields: Mapping[str, Any] = field(default_factory=dict)  # other values for fields of the config


@dataclass(frozen=True)
class Recipe:
    """Describe how the embedded probe of a dataset is trained."""

    classes: int  # options that the probe tells apart
    limit: int  # tokens that it reads at most
    layers: int  # layers of the model
    batch: int  # rows in each training step
    rate: float  # highest learning rate of AdamW
    sources: dict[str, Source]  # what it learns from, by any name
    stages: list[tuple[list[str], int]]  # names of sources, and for how many steps, one stage after another


def to_train_on(dataset: str, source: Source) -> FamilyConfig:
    """Return the config of a source; of its splits only `probe` has rows."""
    sizes = {"train": None, "validation": None, "test": None, "probe": source.probe}
    fields = {"seed": SEED, "scorer": None, **sizes, **source.fields}
    published: Sequence[FamilyConfig] = dataset_named(dataset).configs
    return checked_config(config_named(published, source.config), fields)


# What every embedded probe has, beside its number of layers: DeBERTa-v2 as in deberta-v3-small, but smaller, and
# without dropout, as the model sees each row only a few times.
ARCHITECTURE = {
    "hidden_size": 128,
    "num_attention_heads": 4,
    "intermediate_size": 256,
    "pooler_hidden_size": 128,
    "relative_attention": True,
    "position_buckets": 32,
    "pos_att_type": ["p2c", "c2p"],
    "share_att_key": True,
    "norm_rel_ebd": "layer_norm",
    "position_biased_input": False,
    "type_vocab_size": 0,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "pooler_dropout": 0.0,
}

CHECKER = {"checker": "embedded"}  # problems are labelled without SMCDEL

RECIPES = {
    "hi_tom": Recipe(
        classes=24,
        limit=320,
        layers=3,
        batch=64,
        rate=5e-4,
        sources={"chapters": Source("all", 18_000), "tomh": Source("tomh", 8_000)},
        stages=[(["chapters", "tomh"], 1600)],
    ),
    # A model learns nothing from balanced blocks at first, as no part of a problem alone hints at its label. So it
    # first sees single problems, sampled as in the MindGames paper.
    "mindgames": Recipe(
        classes=2,
        limit=160,
        layers=4,
        batch=128,
        rate=5e-4,
        sources={
            "single": Source("reproduction", 40_000, CHECKER | {"n_agents": (2, 3, 4)}),
            "blocks": Source("all", 30_000, CHECKER | {"n_agents": (3, 4)}),
            "two": Source("all", 240, CHECKER | {"n_agents": (2,)}),
            "scale": Source("scale", 4_000, CHECKER),
        },
        stages=[(["single"], 1500), (["single", "blocks", "two", "scale"], 7500)],
    ),
}

# Rows on which a checkpoint is fine-tuned: as many as the train split has by default.
TUNED_ON = {"hi_tom": Source("all", 2400), "mindgames": Source("all", 700, CHECKER)}

LONGEST = 512  # tokens that a checkpoint reads at most: the texts are shorter, and time grows with the square

WARM = 200  # steps during which the learning rate rises

HALF = 1024  # weights of at least 1,024 numbers are stored in 16 bits; the model computes in 32
