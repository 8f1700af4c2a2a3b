"""Hi_tom as `datasets` sees it: the builder class, its configs and its columns.

This module works as a builder (`HiTom(config_name="4th_order")`), and as a loading script with datasets 3.6.
The folder that `make build` writes takes its columns from here; `columns.py` lists them.
"""

from dataclasses import asdict, dataclass

import datasets

from ..builds.builder import VERSION, RowsBuilder, described, features
from ..story.config import CONFIGS, StoryConfig


@dataclass
class HiTomConfig(StoryConfig, datasets.BuilderConfig):  # type: ignore[misc]  # datasets comes without types
    """Choose what hi_tom holds: the fields of `StoryConfig`, as a config of `datasets`."""

    version: datasets.Version = VERSION


FEATURES = features("hi_tom")


class HiTom(RowsBuilder):
    """Build Hi-ToM: stories of who saw, moved and claimed what, and questions about beliefs about beliefs.

    Sources: Hi-ToM (He et al., Findings of EMNLP 2023) and its workshop version ToMH (ToM workshop at ICML 2023).
    """

    DATASET = "hi_tom"
    BUILDER_CONFIG_CLASS = HiTomConfig
    BUILDER_CONFIGS = [HiTomConfig(**asdict(config)) for config in CONFIGS]


HiTom.__doc__ = (HiTom.__doc__ or "") + described("hi_tom")  # python -OO leaves docstrings out
