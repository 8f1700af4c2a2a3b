"""The options that several commands share, how an argument is read, and the one-line error of a wrong one."""

import argparse
import contextlib
import dataclasses
import json
import math
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from string import Formatter
from typing import Any

from ..columns import NO_SCORER
from ..configs import flag_of
from ..errors import UserError
from ..topics import NAMES, topic

LISTED = Path(__file__).with_name("options.toml")  # the commands, and the options of each


class Parser(argparse.ArgumentParser):
    """Parse the words of a command; an error is one line."""

    def error(self, message: str) -> None:
        """Print what is wrong in one line, and exit with code 2."""
        self.exit(2, f"error: {message} (see {self.prog} --help)\n")

    def named_dataset(self, words: list[str]) -> str | None:
        """Return the dataset that the first of the words to parse names, None where it names none.

        The dataset is then part of the command: usage lines show it, and `args.dataset` holds it.
        """
        if words[:1] and words[0] in NAMES:
            self.prog += f" {words[0]}"
            self.add_argument("dataset", choices=words[:1], help=argparse.SUPPRESS)
            return words[0]
        return None


def reading(convert: Callable[[str], Any], wrong: str) -> Callable[[str], Any]:
    """Return what reads the value of an option; where `convert` raises ValueError, the error says what is wrong."""

    def read(text: str) -> Any:
        try:
            return convert(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} {wrong}") from None

    return read


def matching(pattern: str, text: str) -> str:
    """Return a text that matches a pattern whole. Raises ValueError for any other."""
    if not re.fullmatch(pattern, text):
        raise ValueError(text)
    return text


def assigned(text: str) -> tuple[str, str]:
    """Return the name and the value of NAME=VALUE. Raises ValueError for another text."""
    name, value = matching("(?s)[^=]+=.*", text).split("=", 1)
    return name, value


def duration(text: str) -> float:
    """Return a time in seconds. Raises ValueError unless it is above 0, and ends."""
    if not 0 < float(text) < math.inf:
        raise ValueError(text)
    return float(text)


integer = reading(lambda text: int(matching("[+-]?[0-9]+", text)), "is not an integer")
truth = reading(lambda text: ("false", "true").index(text.lower()) == 1, "is not true or false")
share = reading(float, "is not a number")
seconds = reading(duration, "is no number of seconds")
repository = reading(partial(matching, r"(?a)\w[\w.-]*/\w[\w.-]*"), "is no repository of the Hub, such as ORG/NAME")
commit = reading(partial(matching, "[0-9a-f]{40}"), "is no commit: it has 40 hexadecimal digits, which the Hub shows")
day = reading(lambda text: date.fromisoformat(text).isoformat(), "is no day such as 2026-01-31")
address = reading(partial(matching, r"https?://[^\s<>()\[\]`\"|]+"), "is no address such as https://example.org")
a_dataset = reading(
    partial(matching, "|".join(NAMES)),
    f"is no dataset; {' or '.join(NAMES)} comes before its own options (make: DATASET={NAMES[0]} ARGS=…)",
)
assignment = reading(lambda text: assigned(text.removeprefix("--")), "is not NAME=VALUE")


def integers(text: str) -> tuple[int, ...]:
    """Read integers between commas."""
    return tuple(integer(word) for word in text.split(","))


def words(text: str) -> tuple[str, ...]:
    """Read words between commas."""
    return tuple(text.split(","))


# How a field of a config is read, by its type; other fields are read as JSON, or as text.
READERS = {int: integer, int | None: integer, bool: truth, tuple[int, ...]: integers, tuple[str, ...]: words}


def json_or_text(text: str) -> Any:
    """Read JSON; what is none is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def scorer_of(args: argparse.Namespace) -> str | None:
    """Return the probe that the options name, None for no scores."""
    return None if args.probe == NO_SCORER else os.path.expanduser(args.probe)


def positive(text: str) -> int:
    """Read an integer above 0."""
    if integer(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return int(text)


def path(text: str) -> Path:
    """Read a path; ~ is the user's home."""
    return Path(os.path.expanduser(text))


json_path = reading(lambda text: path(matching(r"(?s).*[^/]\.json", text)), "does not end in .json, as its name must")


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def listed() -> dict[str, dict]:
    """Return what LISTED has: the commands, the options that several share, and those of each."""
    return tomllib.loads(LISTED.read_text(encoding="utf-8"))


def add_listed(parser: Any, command: str, facts: Mapping[str, Any] | None = None) -> None:
    """Add the options that LISTED has for a command, in its order, to a parser or to a group of options.

    facts: what they name besides the functions and facts of this module, such as those of the command's module.
    """
    shared, known = listed()["shared"], {**(facts or {}), **globals(), "cores": cores()}
    groups: dict[str, Any] = defaultdict(parser.add_mutually_exclusive_group)
    for name, own in listed()[command].items():
        said = shared.get(own.get("like", name), {}) | own
        said = {key: filled(value, known) if isinstance(value, str) else value for key, value in said.items()}
        for key in ("like", "needs", "needs_one", "without"):  # the others are argparse's
            said.pop(key, None)
        group = groups[said.pop("one_of")] if "one_of" in said else parser
        group.add_argument(name, **said)


def filled(text: str, known: Mapping[str, Any]) -> Any:
    """Return a text with facts for the names in braces; of one name alone, the fact."""
    alone = re.fullmatch(r"\{([\w.]+)\}", text)
    return Formatter().get_field(alone[1], (), known)[0] if alone else text.format_map(known)


def check_together(command: str, args: argparse.Namespace) -> None:
    """Raise UserError for an option without one that it needs, or beside one without which it must stand."""
    given = {flag_of(name) for name, value in vars(args).items() if value is not None and value is not False}
    for name, own in listed().get(command, {}).items():
        if name in given:
            if missing := [other for other in own.get("needs", ()) if other not in given]:
                raise UserError(f"{name} needs {', '.join(missing)} too")
            some = own.get("needs_one", ())
            if some and given.isdisjoint(some):
                raise UserError(f"{name} needs {' or '.join(some)} too")
            if strange := [other for other in own.get("without", ()) if other in given]:
                raise UserError(f"{name} takes no {strange[0]}; leave it out")


def add_stream(parser: Parser, command: str, words: list[str]) -> None:
    """Add the options of a command that says which endless rows: those of a config, with other values for its fields.

    The dataset that is named first has an option for each field.
    """
    add_listed(parser, "endless rows")
    first = next(iter(words), None)
    for known in own_fields(first) if first in NAMES else ():
        add_field(parser, known, known.name, f"{known.metadata['about']} (default: as the config has it)")
    add_listed(parser, command)


def add_field(parser: Parser, known: dataclasses.Field, name: str, about: str) -> None:
    """Add the option that sets a field of a config; `args` lacks what is not given."""
    reading = {"type": READERS.get(known.type, json_or_text), "choices": known.metadata.get("choices"), "dest": name}
    parser.add_argument(flag_of(name), default=argparse.SUPPRESS, help=about, **reading)


def own_fields(dataset: str) -> list[dataclasses.Field]:
    """Return the fields that rows of some config depend on, besides its seed and sizes."""
    facts = topic(dataset, "config")
    knobs = {name for config in facts.BUILT for name in config.knobs}
    return [known for known in dataclasses.fields(facts.Config) if known.name in knobs]


def fields_of(args: argparse.Namespace) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the fields that the options of `add_stream` give, and what a user typed for each field and the seed."""
    own = {known.name: getattr(args, known.name) for known in own_fields(args.dataset) if hasattr(args, known.name)}
    flags = (
        {"seed": "--seed"} | {name: flag_of(name) for name in own} | {name: f"--field {name}" for name, _ in args.field}
    )
    return own | dict(args.field), flags


def field(text: str) -> tuple[str, Any]:
    """Read the name of a field and its value; what is no JSON is a text."""
    name, value = reading(assigned, "is not NAME=JSON")(text)
    if name in listed()["no fields"]:
        raise argparse.ArgumentTypeError(f"{name} is no field of a config; {listed()['no fields'][name]}")
    return name, json_or_text(value)


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
