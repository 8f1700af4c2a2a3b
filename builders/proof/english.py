"""What both readers of English share: their error, the pattern of a name, and their table of sentences.

The readers are written by hand from the sentences of the published data and of both papers. They never look at the
templates, so a mistake in a template cannot hide here.
"""

import re
from functools import cache
from pathlib import Path

# Pattern of an agent's name: it starts with a capital of any alphabet, and has no digits or underscores.
NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"


class ReadError(ValueError):
    """Say where a text goes beyond what a reader knows, and what would have been right."""


@cache
def table(section: str) -> list[list[str]]:
    """Return the lines of a section of `english.txt`, each as its columns."""
    sections = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").partition(f"[{section}]\n")[2]
    return [line.split(" → ") for line in sections.partition("\n\n")[0].strip().split("\n")]


@cache
def pattern(text: str) -> re.Pattern:
    """Return a pattern of that table, with its pieces put in, and a group for each other name in braces."""
    return re.compile(_filled(text))


def knows(section: str, text: str) -> bool:
    """Return whether a text fits a pattern of a section of that table."""
    return any(pattern(words).fullmatch(text) for words, *_ in table(section))


def _filled(text: str) -> str:
    pieces = {"NAME": NAME, **dict(table("piece"))}

    def put(place: re.Match) -> str:
        piece = _filled(pieces.get(place[1], r"\w+"))
        return piece if place[1].isupper() else f"(?P<{place[1]}>{piece})"

    return re.sub(r"\{([A-Za-z]+)\}", put, text)
