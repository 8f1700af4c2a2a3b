"""What both readers of English share: their error, the pattern of a name, and their table of sentences.

The readers are written by hand from the sentences of the published data and of both papers. They never look at the
templates, so a mistake in a template cannot hide here.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

# Pattern of an agent's name: it starts with a capital of any alphabet, and has no digits or underscores.
NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"


class ReadError(ValueError):
    """Say where a text goes beyond what a reader knows, and what would have been right."""


_PLACE = re.compile(r"\{([A-Za-z_]+)(\d?)\}")


def lines_of(text: str, section: str) -> list[list[str]]:
    """Return the lines of a section of a file of sentences, each as its columns, without comments and blank lines."""
    lines = re.split(r"^\[\w+\]$", text.partition(f"[{section}]\n")[2], maxsplit=1, flags=re.MULTILINE)[0].split("\n")
    return [line.split(" → ") for line in lines if line and not line.startswith("#")]


@cache
def table(section: str) -> list[list[str]]:
    """Return the lines of a section of `english.txt`."""
    return lines_of(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"), section)


def filled(text: str, pieces: Mapping[str, str]) -> str:
    """Return a pattern with each place in braces filled by the piece of its name, which may have places itself.

    A name in small letters makes a group. A group that occurs again has the same text. A digit behind the name tells
    two groups of one piece apart. Raises KeyError for a place without a piece.
    """
    seen: set[str] = set()

    def fill(place: re.Match[str]) -> str:
        name, digit = place.groups()
        if place[0] in seen:
            return f"(?P={name}{digit})"
        if name.islower():
            seen.add(place[0])
        piece = _PLACE.sub(fill, pieces[name])
        return f"(?P<{name}{digit}>{piece})" if name.islower() else piece

    return _PLACE.sub(fill, text)


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern of that table."""
    return re.compile(filled(text, {"NAME": NAME, **dict(table("piece"))}))


@cache
def pattern_of(section: str, name: str) -> re.Pattern[str]:
    """Return the pattern that has a name in a section of that table."""
    return pattern(dict(table(section))[name])


def knows(section: str, text: str) -> bool:
    """Return whether a text fits a pattern of a section of that table."""
    return any(pattern(words).fullmatch(text) for words, *_ in table(section))
