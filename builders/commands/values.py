"""How the value of an option is read, and what is said of a wrong one."""

import json
import math
import os
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click


class Value(click.ParamType[Any, str]):
    """Read a value by a function. Where the function raises ValueError, the message says what is wrong."""

    def __init__(self, name: str, read: Callable[[str], Any], wrong: str = "") -> None:
        """Hold what the help calls such a value, what reads it, and what a wrong one is not."""
        self.name, self.read, self.wrong = name, read, wrong

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of a text; a default is a value already."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError:
            self.fail(f"{value!r} {self.wrong}", param, ctx)


class FilePath(click.Path):
    """Read a path; ~ is the user's home."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        return Path(os.path.expanduser(value))


class JsonPath(FilePath):
    """Read the path of a file that ends in .json."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        path = super().convert(value, param, ctx)
        if path.suffix != ".json":
            self.fail(f"{value!r} must end in .json", param, ctx)
        return path


def matching(pattern: str) -> Callable[[str], str]:
    """Return what reads texts that match a pattern whole. It raises ValueError for any other."""

    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{text!r} must match {pattern}")
        return text

    return read


def integer(text: str) -> int:
    """Return an integer. Raises ValueError for another text, also for those with _ that Python takes."""
    return int(matching("[+-]?[0-9]+")(text))


def positive(text: str) -> int:
    """Return an integer above 0. Raises ValueError for another text."""
    if integer(text) < 1:
        raise ValueError(f"{text!r} must be 1 or more")
    return int(text)


def integers(text: str) -> tuple[int, ...]:
    """Return the integers between commas. Raises ValueError for another text."""
    return tuple(map(integer, text.split(",")))


def words(text: str) -> tuple[str, ...]:
    """Return the words between commas."""
    return tuple(text.split(","))


def truth(text: str) -> bool:
    """Return a truth value. Raises ValueError for another text."""
    return ("false", "true").index(text.lower()) == 1


def duration(text: str) -> float:
    """Return a time in seconds. Raises ValueError unless it is above 0, and ends."""
    if not 0 < float(text) < math.inf:
        raise ValueError(f"{text!r} must be above 0, and finite")
    return float(text)


def assigned(text: str) -> tuple[str, str]:
    """Return the name and the value of NAME=VALUE. Raises ValueError for another text."""
    name, _, value = matching("(?s)[^=]+=.*")(text).partition("=")
    return name, value


def json_or_text(text: str) -> Any:
    """Return the value of JSON; what is no JSON is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


INTEGER = Value("integer", integer, "is not an integer")
POSITIVE = Value("integer", positive, "is not an integer of 1 or more")
INTEGERS = Value("integers", integers, "is not integers between commas, such as 2,3")
WORDS = Value("words", words)
TRUTH = Value("true_or_false", truth, "is not true or false")
SHARE = Value("share", float, "is not a number")
SECONDS = Value("seconds", duration, "is not a number of seconds")
JSON = Value("json", json_or_text)
REPOSITORY = Value("org/name", matching(r"(?a)\w[\w.-]*/\w[\w.-]*"), "is not a repository of the Hub, such as ORG/NAME")
COMMIT = Value(
    "commit", matching("[0-9a-f]{40}"), "is not a commit: a commit has 40 hexadecimal digits, which the Hub shows"
)
DAY = Value("yyyy-mm-dd", lambda text: date.fromisoformat(text).isoformat(), "is not a day such as 2026-01-31")
ADDRESS = Value("url", matching(r"https?://[^\s<>()\[\]`\"|]+"), "is not an address such as https://example.org")
ASSIGNMENT = Value("name=value", lambda text: assigned(text.removeprefix("--")), "is not NAME=VALUE")
PATH, JSON_PATH = FilePath(), JsonPath()
