"""Configs of both datasets, what a user selects to show, and endless units drawn from chunks."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from .columns import EMBEDDED, Row
from .errors import UserError
from .splits import (
    ENGLISH,
    EXPLAINED,
    HOUSE,
    SPLITS,
    WORLDS,
    builtin,
    is_integer,
    language_tag,
    named_in,
    plain_name,
    split_sizes,
    world_of,
)
from .streams import check_seed, derived_seed
from .witness import recorded

DEFAULT = "all"  # the default config of either dataset, which has the rows of the first family

DRAWN = "drawn now, as a build of the default sizes has it"


class Built(NamedTuple):
    """Hold rows to show, and where they come from."""

    rows: list[Row]
    fields: dict[str, Any]  # the fields of their config
    origin: str  # the folder of their build, or DRAWN


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold what a user says of the rows to show: an id, or where they stand."""

    dataset: str
    config: str = DEFAULT
    split: str = "test"
    index: int = 0  # of the story or block
    seed: int | None = None  # None: that of a build, or 0
    id: str | None = None  # of a row, a story or a block, instead of the above
    out: Path | None = None  # the folder that holds the build
    kind: str | None = None  # of hi_tom: the kind of questions, None for all
    setup: str | None = None  # of mindgames, None for the first


# Returns the rows of a build with a value in a column, given config, split, column and value; None for none.
Find = Callable[[str, str, str, Any], Built | None]


class BuildOption(NamedTuple):
    """Name a field that an option of `build` sets, and the configs that take its value."""

    field: str
    configs: tuple[str, ...]
    name: str  # of the option


def option(default: Any, about: str, choices: Sequence[str] | None = None) -> Any:
    """Return a field of a config that an option can set; its help says what the field is about."""
    return dataclass_field(default=default, metadata={"about": about, "choices": choices})


MOST_KEPT = 64  # chunks of a stream of which what searches found is kept

Drawn = TypeVar("Drawn")

# The fields that say how problems are told, not which they are.
TOLD = ("name", "language", "splits", "explanations", "scorer")


@dataclass
class FamilyConfig(ABC):
    """Hold the fields that configs of both datasets have, and settle which family they are of.

    A dataset adds its own fields, and what follows from them.
    """

    FAMILIES: ClassVar[Mapping[str, Any]]  # by name; the first is that of configs with another name
    ENGLISH_ONLY: ClassVar[tuple[str, ...]]  # the families that are in no other language
    WORLDLESS: ClassVar[tuple[str, ...]]  # the families that are told in the house alone

    name: str = DEFAULT  # which config it is: one of FAMILIES, or any other name for the first family
    seed: int = 0  # an integer of 64 bits
    language: str = option("en", "the language of the texts: a folder under templates/")
    probe: int | None = None  # units of the split that the difficulty model is trained on; None for no such split
    splits: tuple[str, ...] = SPLITS  # those of these splits that rows are made of
    scorer: str | None = EMBEDDED  # fills deberta_*: "embedded", the folder of a probe, or None or "none" for nothing

    @property
    @abstractmethod
    def train(self) -> int | None:
        """Return the size of the train split: a field. None or 0 for no such split."""

    @property
    @abstractmethod
    def explanations(self) -> tuple[str, ...]:
        """Return the splits whose rows say why their answer is right: a field."""

    @property
    @abstractmethod
    def knobs(self) -> tuple[str, ...]:
        """Return the fields that the rows depend on, besides seed, sizes and scorer."""

    @property
    @abstractmethod
    def parts(self) -> tuple[str, ...]:
        """Return the configs whose files hold the rows of this one; none where it has files of its own."""

    @property
    @abstractmethod
    def units(self) -> str:
        """Return what the sizes count."""

    @abstractmethod
    def part_of(self, row: Row) -> str:
        """Return the config whose files hold a row."""

    @abstractmethod
    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for a field with a wrong value."""

    @property
    def family(self) -> str:
        """Return which of FAMILIES the config belongs to."""
        name = plain_name(self.name)
        return name if name in self.FAMILIES else next(iter(self.FAMILIES))

    @property
    def prefix(self) -> str:
        """Return what the names of stories or blocks begin with; those of the first family lack it."""
        return f"{self.family}-" if self.family != next(iter(self.FAMILIES)) else ""

    @property
    def row_config(self) -> str:
        """Return what rows say in the column `config`: the config of a build that has them, without its language."""
        return self.family if self.prefix else DEFAULT

    @property
    def section(self) -> str:
        """Return what names all that is searched for the config's rows: all that it depends on, in any language."""
        # Each setup is searched alone, whatever others there are.
        drawn = {name: getattr(self, name) for name in self.knobs if name not in (*TOLD, "setup")}
        sizes = None if self.begins_alike else split_sizes(self)
        return json.dumps([self.family, self.seed, drawn, sizes], separators=(",", ":"))

    @property
    def begins_alike(self) -> bool:
        """Return whether splits of all sizes begin with the same."""
        return False

    def sizes(self) -> dict[str, int]:
        """Return by split how many stories, or blocks of each setup, it has; empty splits are left out."""
        return {split: size for split, size in split_sizes(self).items() if split in self.splits}

    def _check_common(self, most: int, unit: str) -> None:
        """Raise ValueError for a wrong value of a field that both datasets have.

        most: the greatest size of a split. unit: what sizes count, as messages say it.
        """
        check_seed(self.seed)
        if self.language != ENGLISH and self.family in self.ENGLISH_ONLY:
            raise ValueError(
                f"language is {self.language!r}; it must be {ENGLISH!r}, as {self.family} is in English only"
            )
        if world_of(self.language) and self.family in self.WORLDLESS:
            raise ValueError(f"language is {self.language!r}; {self.family} is told in no world: take {ENGLISH!r}")
        told = self.explanations
        if not isinstance(told, (tuple, list)) or any(split not in SPLITS for split in told):
            raise ValueError(f"explanations is {told!r}; it must be splits, such as {EXPLAINED}, or () for none")
        for split, size in self.sizes().items():
            if not is_integer(size) or not 0 < size <= most:
                raise ValueError(f"{split} is {size!r} {unit}; it must be from 1 to {most:,}, or 0 for none")
        if not self.sizes():
            raise ValueError(f"train, validation, test are all None or 0; at least one must be a number of {unit}")


Config = TypeVar("Config", bound=FamilyConfig)


def flag_of(name: str) -> str:
    """Return the option with this name, as a user types it."""
    return "--" + name.replace("_", "-")


def all_spoken(languages: Iterable[str], configs: Sequence[Config]) -> tuple[Config, ...]:
    """Return published configs in every other language or world: the same test splits, which no probe scores."""
    return tuple(
        replace(config, name=named_in(config.name, language), language=language, splits=("test",), scorer=None)
        for language in languages
        if language != ENGLISH
        for config in configs
        if not (world_of(language) and config.family in config.WORLDLESS)
    )


def problems_of(config: FamilyConfig) -> tuple[tuple[str, Any], ...]:
    """Return the fields that say which problems a config has: not what language they are in, nor in which splits."""
    fields = (("family", config.family), *vars(config).items())
    return tuple([(name, frozen_value(value)) for name, value in fields if name not in TOLD])


def size_options(configs: Sequence[FamilyConfig]) -> list[BuildOption]:
    """Return the options of a build's sizes: `--train` of the default config, `--deep-train` and `--deep` of others."""
    return [
        BuildOption(
            split, (config.name,), split if config is configs[0] else f"{config.name}_{split}".removesuffix("_test")
        )
        for config in configs
        for split in config.sizes()
        if plain_name(config.name) == config.name  # the others follow these
    ]


def config_named(configs: Iterable[Config], name: str) -> Config:
    """Return the published config of that name. Raises UserError for none."""
    known = {config.name: config for config in configs}
    if not isinstance(name, str) or name not in known:
        raise UserError(f"unknown config {name!r}; the configs are {', '.join(known)}")
    return known[name]


def shown_config(configs: Iterable[Config], name: str, split: str, seed: int, index: int) -> Config:
    """Return the config of that name with the seed, unscored. Raises UserError for no such config, split or index."""
    config = replace(config_named(configs, name), seed=seed, scorer=None)
    sizes = config.sizes()
    if split not in sizes:
        raise UserError(f"{name} has no split {split}; it has {', '.join(sizes)}")
    if not 0 <= index < sizes[split]:
        raise UserError(f"--index is {index}; the {split} split of {name} has 0 to {sizes[split] - 1}")
    return config


def check_fields(name: str, chosen: Iterable[str], known: Sequence[str]) -> None:
    """Raise UserError for a field that a config does not have."""
    for field in chosen:
        if field not in known:
            raise UserError(f"unknown field {field!r}; the fields of {name} are {', '.join(known)}")


def told_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a config in which `world`, a name such as call, has become the language of that world.

    The world of English without another one is `house`. Raises UserError for an unknown one.
    """
    told = dict(fields)
    if "world" in told:
        world = told.pop("world")
        if "language" in told:
            raise UserError(f"world is {world!r} and language {told['language']!r}; give one of them")
        if world not in (HOUSE, *WORLDS):
            raise UserError(f"unknown world {world!r}; the worlds are {', '.join((HOUSE, *WORLDS))}")
        told["language"] = language_tag(world)
    return told


def checked_config(published: Config, chosen: Mapping[str, Any]) -> Config:
    """Return a published config with these fields set. Raises UserError for a value that the config does not take.

    It has the splits of the published one, and those that a size is given for.
    """
    splits = tuple(split for split in SPLITS if split in published.splits or chosen.get(split))
    config = replace(published, splits=splits, **{field: frozen_value(value) for field, value in chosen.items()})
    try:
        config.validate()
    except (TypeError, ValueError) as error:
        raise UserError(f"{published.name}: {error}") from None
    return config


def frozen_value(value: Any) -> Any:
    """Return a value of a field as Python's own, with tuples for lists, so that it can be hashed."""
    value = builtin(value)
    return tuple(map(frozen_value, value)) if isinstance(value, (tuple, list)) else value


class ChunkedUnits(ABC, Generic[Config]):
    """Hold a published config with other values for its fields, whose stories or blocks are drawn from chunks.

    A chunk is a small split with its own seed, which is derived from the config, its fields, the seed and the chunk's
    number, and its plan keeps the balance. The split is train where the published config has one: its premises may be
    none of those of the test split. Its rows say why their answer is right, unless the field `explanations` is empty.
    """

    unit: ClassVar[str]  # what a unit is called
    knobs: ClassVar[str]  # the fields to change where units cannot be drawn
    size: int  # the rows of a unit
    chunk: int  # the units that are planned together

    @abstractmethod
    def draw(self, number: int, attempt: int) -> tuple[list[Row], list[str]]:
        """Return the rows of the unit of a number, named as those of its chunk, and the keys of their problems."""

    @abstractmethod
    def named(self, rows: list[Row], number: int, first: int) -> list[Row]:
        """Return the columns that a stream names anew in rows: those of the unit of a number, the first at an index."""

    def __init__(
        self, dataset: str, configs: Iterable[Config], name: str, seed: int, fields: Mapping[str, Any], size: int
    ) -> None:
        """Hold the config of that name. `size` is how many units a chunk has.

        Raises UserError for an unknown config, a field that its rows do not depend on, and a value that the config does
        not take.
        """
        self._asked = name, seed, fields
        seed, fields = builtin(seed), {field: builtin(value) for field, value in fields.items()}
        published = config_named(configs, name)
        knobs = replace(published, **{field: fields[field] for field in published.knobs if field in fields}).knobs
        check_fields(name, fields, knobs)
        self.split = "train" if published.train else "test"
        settled = {"seed": seed, "scorer": None, **dict.fromkeys(SPLITS), self.split: size}
        self.config = checked_config(published, {**settled, "explanations": (self.split,), **fields})
        values = [(knob, getattr(self.config, knob)) for knob in knobs if knob != "explanations"]
        self._kept: Callable[[Any], dict[str, str]] = lru_cache(maxsize=MOST_KEPT)(lambda chunk: {})
        self._key = dataset, name, [(knob, value) for knob, value in values if value != getattr(published, knob)], seed

    def __reduce__(self) -> tuple[type, tuple[str, int, Mapping[str, Any]]]:
        """Return how the units are made again, so that they can be pickled; what they have drawn is drawn anew."""
        return type(self), self._asked

    def _recalled(self, chunk: tuple[str | int, ...], work: Callable[..., Drawn], *arguments: Any) -> Drawn:
        """Return what some work gives for a chunk; what searches find there is kept in memory."""
        kept = self._kept(chunk)
        drawn, found = recorded(kept, work, *arguments)
        kept.update(found.kept)
        return drawn

    def _seeded(self, *chunk: str | int) -> Config:
        """Return the config of a chunk, which has a seed of its own."""
        return replace(self.config, seed=derived_seed(*self._key, *chunk))
