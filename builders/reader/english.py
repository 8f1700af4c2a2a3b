"""Load `english.txt`, the sentences that both readers of English know; their error and the pattern of a name.

The readers are written by hand from the sentences of the published data and of both papers. They never look at the
templates, so a mistake in a template cannot hide here.
"""

import re
from functools import cache
from itertools import chain
from pathlib import Path

from .tables import Table, filled

# Pattern of an agent's name: it starts with a capital of any alphabet, and has no digits or underscores.
NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"


class ReadError(ValueError):
    """Say where a text goes beyond what a reader knows, and what would have been right."""


# The sections of `english.txt`, each with the names of its columns.
COLUMNS = {
    "piece": ("name", "pattern"),
    "event": ("pattern", "event", "example"),
    "question": ("pattern", "example"),
    "asked": ("kind", "pattern"),
    "said": ("kind and case", "choice"),
    "plan": ("kind", "pattern"),
    "setup": ("name", "sees", "scene", "fact", "announced first", "counted", "of themselves", "shown"),
    "worlds": ("name", "what tells worlds apart", "so", "not so", "not so, behind so"),
    "mark": ("name", "introduction", "nobody sees", "seen", "so", "so of several"),
    "puzzle": ("name", "pattern"),
    "sentence": ("name", "pattern"),
    "step": ("name", "pattern"),
    "unknown": ("name", "pattern"),
    "refusal": ("name", "message"),
}

# The sections whose braces are no pieces of patterns, each with what its braces may say.
WORDS = {
    "said": ("",),
    "worlds": ("be", "have"),
    "refusal": (
        "before", "clause", "count", "drawn", "first", "firsts", "most", "name", "names", "premise", "sentence",
        "so", "visible", "wanted", "why",
    ),
}  # fmt: skip


def english_table(text: str, file: str = "english.txt") -> Table:
    """Return the table of English, given its text. Raises TableError for the first malformed line.

    Whether each pattern is a regular expression is seen when it is needed: a command needs few, and they take time.
    """
    read = Table(file, text)
    read.hold_sections(COLUMNS, needed=COLUMNS)
    for section, names in COLUMNS.items():
        read.hold_columns(section, names)
    places = ["NAME", *(name for name, _ in read.columns("piece"))]
    for section, lines in read.sections.items():
        for line in lines:
            for column in line.columns:
                if section in WORDS:
                    read.hold_words(line, column, WORDS[section])
                else:
                    read.hold_places(line, column, places)
    return read


def compiled(read: Table, text: str) -> re.Pattern[str]:
    """Return a pattern of the table of English. Raises TableError, which names its line, for no regular expression."""
    pieces = {"NAME": NAME, **dict(read.columns("piece"))}
    try:
        return re.compile(filled(text, pieces))
    except re.error:
        for line in read.sections["piece"]:  # a piece of it may be what is wrong
            read.compiled(line, line.columns[1], pieces)
        for line in chain.from_iterable(read.sections.values()):
            if text in line.columns:
                read.compiled(line, text, pieces)
        raise


@cache
def _english() -> Table:
    """Return the content of `english.txt`."""
    path = Path(__file__).with_suffix(".txt")
    return english_table(path.read_text(encoding="utf-8"), path.name)


@cache
def table(section: str) -> list[list[str]]:
    """Return the lines of a section of `english.txt`, each as its columns."""
    return _english().columns(section)


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern of that table. Raises as `compiled`."""
    return compiled(_english(), text)


@cache
def pattern_of(section: str, name: str) -> re.Pattern[str]:
    """Return the pattern that has a name in a section of that table."""
    return pattern(dict(table(section))[name])


def knows(section: str, text: str) -> bool:
    """Return whether a text fits a pattern of a section of that table."""
    return any(pattern(words).fullmatch(text) for words, *_ in table(section))


def listed(words: list[str] | tuple[str, ...], link: str = "and") -> str:
    """Return words as English lists them."""
    return f"{', '.join(words[:-1])} {link} {words[-1]}" if words[1:] else "".join(words)
