"""Own the interface of an endless config: units, each of which is drawn from its chunk and its place there alone.

A unit is a story with its questions, or a block of problems. A chunk is a small split of its own: it has a seed of its
own, which is derived from the config, its fields, the seed and the chunk's number, and its plan keeps the balance.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, Protocol

from builders.dataset.interface import Row
from builders.errors import UserError
from builders.splits import SPLITS

SETTLED = ("name", "seed", "checker", "scorer", "train", "validation", "test", "probe")
"""Fields that a stream settles itself: rows are labelled by the embedded checker, and not scored."""


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


def with_fields(configs: Iterable[Any], name: str, seed: int, chosen: Mapping[str, Any], size: int) -> Any:
    """Return the config of that name, with the fields that were chosen, whose one split is a chunk of `size` units.

    The split is train where the published config has one: its premises may be none of those of the test split. Its rows
    say why their answer is right, unless the field `explanations` is empty. Raises UserError for an unknown config, an
    unknown field, and a value that the config does not take.
    """
    known = {config.name: config for config in configs}
    if name not in known:
        raise UserError(f"unknown config {name!r}; the configs are {', '.join(known)}")
    allowed = [field.name for field in fields(known[name]) if field.name not in SETTLED]
    for field in chosen:
        if field not in allowed:
            raise UserError(f"unknown field {field!r}; the fields of {name} are {', '.join(allowed)}")
    split = "train" if known[name].train else "test"
    sizes = dict.fromkeys(SPLITS) | {split: size}
    frozen = {field: _frozen(value) for field, value in chosen.items()}
    settled = {"seed": seed, "scorer": None, **sizes, "explanations": (split,)}
    config = replace(known[name], **settled | frozen)
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
    (published,) = [other for other in configs if other.name == config.name]
    names = [field.name for field in fields(config) if field.name not in (*SETTLED, "explanations")]
    return [(name, getattr(config, name)) for name in names if getattr(config, name) != getattr(published, name)]


def _frozen(value: Any) -> Any:
    """Return a value with tuples for lists, as configs have them."""
    return tuple(map(_frozen, value)) if isinstance(value, (tuple, list)) else value
