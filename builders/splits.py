"""The splits of a dataset: how a config gives their sizes, in which pieces they are made, and in which files."""

import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

from .files import data_folder

Layout = dict[str, dict[str, list[str]]]  # the files of each config and split of a folder, the default config first

# The splits that a config can have, each with the number by which rows are numbered and casts are dealt, which never
# changes. The difficulty model is trained on `probe`, which is never published.
SPLIT_NUMBERS = {"train": 0, "validation": 1, "test": 2, "probe": 3}
SPLITS = tuple(SPLIT_NUMBERS)


ENGLISH = "en"  # the language of the configs whose names do not say another one

HOUSE = "house"  # the world of the published sentences, in whatever language

WORLD = f"{ENGLISH}-x-"  # what the language of a world begins with: English, with a subtag for private use (BCP 47)

# The worlds, other settings that stories or problems are told in: call, exam, … Each is a folder under `templates/`.
WORLDS = sorted(
    folder.name.removeprefix(WORLD) for folder in data_folder("templates").iterdir() if folder.name.startswith(WORLD)
)

# What says the language or the world in the name of a config, such as _fr or _call.
LANGUAGE = re.compile(rf"_(?:[a-z]{{2}}|{'|'.join(WORLDS) or '(?!)'})$")


# The splits whose rows say why their answer is right, by default: not what a model is tested on.
EXPLAINED = ("train", "validation")


def is_integer(value: object) -> bool:
    """Return whether a value is an integer; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def builtin(value: Any) -> Any:
    """Return a value of numpy, pandas or the like as Python's own: numbers, texts, truth values; lists for arrays."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    elif hasattr(value, "__index__") and not isinstance(value, int):
        value = operator.index(value)
    return type(value)(map(builtin, value)) if type(value) in (list, tuple) else value


def plain_name(name: str) -> str:
    """Return the name of a config without its language or world."""
    return LANGUAGE.sub("", name)


def named_in(config: str, language: str) -> str:
    """Return the name that a plain config has in a language: deep in en, deep_fr in fr, deep_call in en-x-call."""
    return config if language == ENGLISH else f"{config}_{language.removeprefix(WORLD)}"


def language_tag(name: str) -> str:
    """Return the language with a name that users may say: call for en-x-call, house for en, fr for itself."""
    if name == HOUSE:
        return ENGLISH
    return WORLD + name if name in WORLDS else name


def plain_file(file: str) -> str:
    """Return the file of the same split of a config without its language or world."""
    config, _, split = file.partition("/")
    return f"{plain_name(config)}/{split}"


def language_of_name(config: str) -> str:
    """Return the language that the name of a config says."""
    return language_tag(config.removeprefix(plain_name(config)).removeprefix("_") or ENGLISH)


def world_of(language: str) -> str | None:
    """Return the world of a language; None where texts are told in the house, in whatever language."""
    return language.removeprefix(WORLD) if language.startswith(WORLD) else None


def in_language_of(config: str, name: str) -> str:
    """Return the name that a plain config has in the language of another config."""
    return config + name.removeprefix(plain_name(name))


def language_of(row: Mapping[str, Any]) -> str:
    """Return the language of the texts of a row, English where the row does not say one."""
    return row.get("language") or ENGLISH


def split_sizes(config: Any) -> dict[str, int]:
    """Return the sizes that a config's fields give to the splits; splits of None or 0 are left out.

    True and False stay in, so that `validate` can refuse them.
    """
    sizes = {split: getattr(config, split) for split in SPLITS}
    return {split: size for split, size in sizes.items() if size not in (None, 0) or isinstance(size, bool)}


def spans(size: int, length: int) -> list[range]:
    """Return the indices of a split in pieces for workers; the pieces do not depend on how many workers there are."""
    return [range(start, min(start + length, size)) for start in range(0, size, length)]


def split_file(config: str, split: str) -> str:
    """Return the Parquet file, relative to the dataset's folder, that holds a split of a config with files of its own.

    Those of `all` hold the rows of its orders or setups again, in another order.
    """
    return f"{config}/{split}.parquet"


def file_of(config: Any, split: str, row: Mapping[str, Any]) -> str:
    """Return the file of a row of a split, in which it stands alone."""
    return split_file(config.part_of(row), split)


def layout_of(configs: Iterable[Any]) -> Layout:
    """Return which files each config of a folder reads for each split.

    configs: those that the folder is built from, each with all its orders or setups; the first one is the default.
    """
    names = {name: config for config in configs for name in (config.name, *config.parts)}
    return {name: {split: [split_file(name, split)] for split in config.sizes()} for name, config in names.items()}
