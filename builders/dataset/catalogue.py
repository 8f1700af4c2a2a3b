"""Which datasets there are, by name."""

from .interface import Dataset

NAMES = ("hi_tom", "mindgames")
"""The datasets, in the order in which a command works on all of them."""


def dataset_of(name: str) -> Dataset:
    """Return a dataset by its name; only its own modules are imported. Raises KeyError for an unknown name."""
    match name:
        case "hi_tom":
            from .hi_tom import HiTomDataset

            return HiTomDataset()
        case "mindgames":
            from .mindgames import MindGamesDataset

            return MindGamesDataset()
    raise KeyError(name)
