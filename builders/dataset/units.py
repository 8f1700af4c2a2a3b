"""The interface of an endless config: units, each of which is drawn from its chunk and its place there alone.

A unit is a story with its questions, or a block of problems. A chunk is a small split of its own: it has a seed of its
own, which is derived from the config, its fields, the seed and the chunk's number, and its plan keeps the balance.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from ..errors import UserError
from ..splits import SPLITS
from .interface import Row


class Unit(NamedTuple):
    """Hold a unit that was drawn."""

    rows: list[Row]  # its rows, named as those of its chunk
    problems: list[str]  # the problems of its rows, up to renaming: a key for each


class Units(Protocol):
    """Stand for all units of one config with its fields and seed."""

    unit: str  # what a unit is called: story, block
    size: int  # the number of rows of each unit
    chunk: int  # the number of units of a chunk, those of all setups together
    config: Any  # the config with its fields; the seed is that of the stream
    knobs: str  # the fields to change where units cannot be drawn

    def draw(self, number: int, attempt: int) -> Unit:
        """Return the unit of a number, or in further attempts others for its place. Raises UserError for none."""

    def file_of(self, row: Row) -> str:
        """Return the Parquet file where a row of a chunk would stand in a build."""

    def name(self, rows: list[Row], number: int, first: int) -> None:
        """Name rows as those of the unit of a number in a stream, where the first one has the index `first`."""


def config_named(configs: Iterable[Any], name: str) -> Any:
    """Return the published config of that name. Raises UserError for none."""
    known = {config.name: config for config in configs}
    if not isinstance(name, str) or name not in known:
        raise UserError(f"unknown config {name!r}; the configs are {', '.join(known)}")
    return known[name]


def with_fields(configs: Iterable[Any], name: str, seed: int, chosen: Mapping[str, Any], size: int) -> Any:
    """Return the config of that name, with the fields that were chosen, whose one split is a chunk of `size` units.

    The split is train where the published config has one: its premises may be none of those of the test split. Its rows
    say why their answer is right, unless the field `explanations` is empty. Raises UserError for an unknown config, a
    field that its rows do not depend on, and a value that the config does not take.
    """
    published = config_named(configs, name)
    frozen = {field: _frozen(value) for field, value in chosen.items()}
    knobs = replace(published, **{field: frozen[field] for field in published.knobs if field in frozen}).knobs
    for field in chosen:
        if field not in knobs:
            raise UserError(f"unknown field {field!r}; the fields of {name} are {', '.join(knobs)}")
    split = "train" if published.train else "test"
    sizes = dict.fromkeys(SPLITS) | {split: size}
    settled = {"seed": seed, "scorer": None, **sizes, "explanations": (split,)}
    config = replace(published, **settled | frozen)
    try:
        config.validate()
    except (TypeError, ValueError) as error:
        raise UserError(f"{name}: {error}") from None
    return config


def chunk_split(config: Any) -> str:
    """Return the split of a config of `with_fields`."""
    (split,) = config.sizes()
    return split


def chosen_fields(config: Any, configs: Iterable[Any]) -> list[tuple[str, Any]]:
    """Return the fields of a config that differ from those of its name that is published: its chunks depend on them."""
    published = config_named(configs, config.name)
    names = [name for name in config.knobs if name != "explanations"]
    return [(name, getattr(config, name)) for name in names if getattr(config, name) != getattr(published, name)]


def _frozen(value: Any) -> Any:
    """Return a value with tuples for lists, as configs have them."""
    return tuple(map(_frozen, value)) if isinstance(value, (tuple, list)) else value
