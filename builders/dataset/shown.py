"""Own which config `show` makes its problem from."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from builders.errors import UserError

Config = TypeVar("Config")


def shown_config(configs: Iterable[Config], name: str, split: str, seed: int, index: int) -> Config:
    """Return the config of that name with the seed, unscored. Raises UserError for no such config, split or index."""
    known = {config.name: config for config in configs}
    if name not in known:
        raise UserError(f"unknown config {name!r}; the configs are {', '.join(known)}")
    config = replace(known[name], seed=seed, scorer=None)
    sizes = config.sizes()
    if split not in sizes:
        raise UserError(f"{name} has no split {split}; it has {', '.join(sizes)}")
    if not 0 <= index < sizes[split]:
        raise UserError(f"--index is {index}; the {split} split of {name} has 0 to {sizes[split] - 1}")
    return config
