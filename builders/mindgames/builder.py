"""Mindgames as `datasets` sees it: the builder class, its configs and its columns.

This module works as a builder (`MindGames(config_name="forehead")`), and as a loading script with datasets 3.6.
The folder that `make build` writes takes its columns from here; `columns.py` lists them.
"""

from dataclasses import asdict, dataclass

import datasets

from ..builds.builder import VERSION, RowsBuilder, described, features
from ..logic.config import CONFIGS, ProblemConfig


@dataclass
class MindGamesConfig(ProblemConfig, datasets.BuilderConfig):  # type: ignore[misc]  # datasets comes without types
    """Choose what mindgames holds: the fields of `ProblemConfig`, as a config of `datasets`."""

    version: datasets.Version = VERSION


FEATURES = features("mindgames")


class MindGames(RowsBuilder):
    """Build MindGames: what agents see, what is announced to all of them, and whether somebody then knows something.

    Source: MindGames (Sileo and Lernould, 2023). Every label is whether the hypothesis holds in every world that the
    announcements leave (dynamic epistemic logic).
    """

    DATASET = "mindgames"
    BUILDER_CONFIG_CLASS = MindGamesConfig
    BUILDER_CONFIGS = [MindGamesConfig(**asdict(config)) for config in CONFIGS]


MindGames.__doc__ = (MindGames.__doc__ or "") + described("mindgames")  # python -OO leaves docstrings out
