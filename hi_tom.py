"""The loading script of hi_tom, for datasets 3.6 and for those who look for the builder class at the top level."""

from tom_datasets.hi_tom.builder import HiTom, HiTomConfig

__all__ = ["HiTom", "HiTomConfig"]
