"""Own how a probe is trained, and the only use of torch: rows of the `probe` split go in, ONNX and a recipe come out.

The embedded probes are DeBERTa-v2 models (He et al., 2021) made small and trained from scratch on masked rows (see
`difficulty`). Training is seeded, but not promised to give the same weights on another machine: the weights are kept.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

from builders.logic import config as problems
from builders.story import config as stories

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
"""DeBERTa-v2 as in deberta-v3-small, but for its size; without dropout, as rows are not seen often."""


SEED = 271_828
"""The seed of the rows to train on; no dataset is published with it."""


@dataclass(frozen=True)
class Recipe:
    """Say how the embedded probe of a dataset is trained.

    classes: how many classes it tells apart. limit: how many tokens it takes. layers, batch, rate: see `fit`.
    sources: the configs whose `probe` split it learns from. stages: which sources, for how many steps, in turn.
    """

    classes: int
    limit: int
    layers: int
    batch: int
    rate: float
    sources: dict[str, Any]
    stages: tuple[tuple[tuple[str, ...], int], ...]


_NEW = {"seed": SEED, "train": None, "validation": None, "test": None, "scorer": None}


_POSED = {**_NEW, "checker": "embedded"}


RECIPES = {
    "hi_tom": Recipe(
        classes=24,
        limit=320,
        layers=3,
        batch=64,
        rate=5e-4,
        sources={
            "chapters": replace(stories.ALL, **_NEW, probe=18_000),
            "tomh": replace(stories.TOMH, **_NEW, probe=8_000),
        },
        stages=((("chapters", "tomh"), 1600),),
    ),
    "mindgames": Recipe(
        classes=2,
        limit=160,
        layers=4,
        batch=128,
        rate=5e-4,
        sources={
            "single": replace(problems.REPRODUCTION, **_POSED, n_agents=(2, 3, 4), probe=40_000),
            "blocks": replace(problems.ALL, **_POSED, n_agents=(3, 4), probe=30_000),
            "two": replace(problems.ALL, **_POSED, n_agents=(2,), probe=240),
            "scale": replace(problems.SCALE, **_POSED, probe=4_000),
        },
        stages=((("single",), 1500), (("single", "blocks", "two", "scale"), 7500)),
    ),
}
"""Balanced blocks alone teach nothing at first, as no part of a problem says anything of its label: single problems,
sampled as in the MindGames paper, come before them."""


TUNED_ON = {
    "hi_tom": replace(stories.ALL, **_NEW, probe=2400),
    "mindgames": replace(problems.ALL, **_POSED, probe=700),
}
"""The rows on which a checkpoint is fine-tuned: as many as the train split has by default."""


LONGEST = 512
"""A checkpoint reads so many tokens at most: texts are shorter, and time grows with the square."""


WARM = 200
"""The learning rate rises for so many steps."""


HALF = 1024
"""Weights of so many numbers or more are kept in 16 bits, and computed with in 32."""


def spelled(config) -> dict:
    """Return the fields of a config as JSON has them."""
    return asdict(config) | {"version": str(config.version)}
