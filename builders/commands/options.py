"""The options that several commands share, how an argument is read, and the one-line error of a wrong one."""

import argparse
import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..columns import EMBEDDED
from ..dataset.arguments import integer
from ..dataset.catalogue import NAMES
from ..errors import UserError


class Parser(argparse.ArgumentParser):
    """Parse the words of a command; options are written whole, and an error is one line."""

    def __init__(self, words: list[str], **more: Any) -> None:
        """Keep the words that will be parsed: the first one may name a dataset, which has options of its own."""
        super().__init__(allow_abbrev=False, **more)
        self.words = words

    def error(self, message: str) -> None:
        """Print what is wrong in one line, and exit with code 2."""
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")

    def named_dataset(self) -> str | None:
        """Return the dataset that the first word names, None where it names none.

        The dataset is then part of the command: usage lines show it, and `args.dataset` holds it.
        """
        if self.words[:1] and self.words[0] in NAMES:
            self.prog += f" {self.words[0]}"
            self.add_argument("dataset", choices=self.words[:1], help=argparse.SUPPRESS)
            return self.words[0]
        return None


def positive(text: str) -> int:
    """Read an integer above 0."""
    if integer(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return int(text)


def path(text: str) -> Path:
    """Read a path; ~ is the user's home."""
    return Path(text).expanduser()


def address(text: str) -> str:
    """Read the address of a page, as it may stand in Markdown."""
    if not re.fullmatch(r"https?://[^\s<>()\[\]`\"|]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no address such as https://example.org")
    return text


def add_dataset(parser: Parser) -> None:
    """Add the argument that names one dataset to work on."""
    parser.add_argument("dataset", choices=NAMES)


def add_built_dataset(parser: Parser) -> None:
    """Add the arguments that name a built dataset, by default every one, and its folder."""
    parser.add_argument("dataset", nargs="?", choices=NAMES, help="default: every dataset whose folder is there")
    add_out(parser)


def add_out(parser: Parser) -> None:
    """Add the option that names the folder of the datasets' folders."""
    parser.add_argument("--out", type=path, default=Path("."), help="where the dataset's folder is (default: here)")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def add_processes(parser: Parser) -> None:
    """Add the option that sets how many processes work."""
    parser.add_argument(
        "--processes", type=positive, default=cores(), help="how many processes work (default: all cores)"
    )


def add_probe(parser: Parser) -> None:
    """Add the option that names the probe that scores the rows."""
    about = "the folder of the probe that scores the rows, or none (default: the one that comes with the project)"
    parser.add_argument("--probe", default=EMBEDDED, metavar="FOLDER", help=about)


def add_fields(parser: Parser) -> None:
    """Add the option that gives fields of a config other values."""
    about = "give a field of the config another value, such as n_agents=6 or lengths=[2,4]; may be repeated"
    parser.add_argument("--field", action="append", type=field, default=[], metavar="NAME=JSON", help=about)


NO_FIELDS = {
    "dataset": "name it first",
    "config": "say --config NAME",
    "seed": "say --seed NUMBER",
    "curriculum": "stages are for endless() in Python",
}
"""What the stream takes besides fields, and how to say it."""


def field(text: str) -> tuple[str, Any]:
    """Read the name of a field and its value; what is no JSON is a text."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=JSON")
    if name in NO_FIELDS:
        raise argparse.ArgumentTypeError(f"{name} is no field of a config; {NO_FIELDS[name]}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@contextlib.contextmanager
def naming_flags(flags: Mapping[str, str]) -> Iterator[None]:
    """Let a UserError name options instead of fields, given the option of each field.

    Fields begin a message, as in `deep: n_agents is 1`. Elsewhere only names that are no English words are fields.
    """
    try:
        yield
    except UserError as error:
        head = re.match(r"(\w+: )?(\w+, )*\w+ (is|are) |", str(error))[0]
        rare = {name: flag for name, flag in flags.items() if "_" in name or name == "lengths"}
        raise type(error)(_in_flags(head, flags) + _in_flags(str(error)[len(head) :], rare)) from None


def _in_flags(text: str, flags: Mapping[str, str]) -> str:
    """Return a text with the options of these fields instead of their names."""
    return re.sub(rf"(?<!')\b({'|'.join(flags)})\b", lambda name: flags[name[0]], text) if flags else text


def add_split(parser: Parser, split: str | None) -> None:
    """Add the options that name a config and a split of a build."""
    parser.add_argument("--config", help="default: the default config of the build")
    parser.add_argument("--split", default=split, help=f"default: {split or 'test'}")
