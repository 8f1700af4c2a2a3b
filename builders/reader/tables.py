"""How the readers' tables of sentences are written, and which line of one is malformed.

A table is a text file. A section begins with a line such as [sentence]; each line below it has columns, with " → "
between them. Blank lines, and lines that begin with "#", say nothing. A pattern is a regular expression with places in
braces, as `filled` fills them.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from string import Formatter
from typing import NamedTuple

ARROW = " → "
_SECTION = re.compile(r"\[(\w+)\]")
_PLACE = re.compile(r"\{([A-Za-z_]+)(\d?)\}")


class TableError(Exception):
    """Say which line of a table is malformed, and what would be right.

    It is no ValueError: the table is wrong, not a row that is read by it.
    """


class Line(NamedTuple):
    """Hold a line of a section."""

    number: int  # its number in the file, from 1
    columns: list[str]


class Table:
    """Hold the sections of a file of sentences, each with its lines."""

    def __init__(self, file: str, text: str) -> None:
        """Read the text of a file.

        Raises TableError for a line without an arrow or a section, and for a section that comes again.
        """
        self.file = file
        self.sections: dict[str, list[Line]] = {}
        self._began: dict[str, int] = {}  # the number of the line with which each section begins
        section = ""
        for number, line in enumerate(text.split("\n"), 1):
            if not line or line.startswith("#"):
                continue
            if heading := _SECTION.fullmatch(line):
                section = heading[1]
                if section in self.sections:
                    first = self._began[section]
                    raise self.error(number, f"[{section}] began in line {first}; put its lines there, or rename it")
                self.sections[section], self._began[section] = [], number
            elif ARROW not in line:
                shape = "a section, such as [sentence], nor columns with ' → ' between them"
                raise self.error(number, f"{line!r} is neither {shape}")
            elif not section:
                raise self.error(number, f"{line!r} stands in no section; begin one above it, such as [sentence]")
            else:
                self.sections[section].append(Line(number, line.split(ARROW)))

    def error(self, number: int, fault: str) -> TableError:
        """Return the error that says what is wrong with the line of a number."""
        return TableError(f"{self.file}, line {number}: {fault}")

    def columns(self, section: str) -> list[list[str]]:
        """Return the lines of a section, each as its columns."""
        return [line.columns for line in self.sections[section]]

    def hold_sections(self, known: Collection[str], needed: Collection[str]) -> None:
        """Raise TableError for a section that is not known, and where one that is needed is lacking."""
        for section, number in self._began.items():
            if section not in known:
                raise self.error(number, f"unknown section [{section}]; the sections are {', '.join(known)}")
        for section in needed:
            if section not in self.sections:
                raise TableError(f"{self.file} has no section [{section}]; add it")

    def hold_columns(self, section: str, names: Sequence[str]) -> None:
        """Raise TableError for a line of a section that has not one column for each of these names.

        Where the first column is a name, also for a line whose name an earlier one has.
        """
        earlier: set[str] = set()
        for line in self.sections[section]:
            first, *_ = line.columns
            if len(line.columns) != len(names):
                shape = f"[{section}] has {len(names)}: {ARROW.join(names)}"
                raise self.error(line.number, f"it has {len(line.columns)} columns, a line of {shape}")
            if names[0] == "name" and first in earlier:
                raise self.error(line.number, f"{first!r} comes again in [{section}]; give it another name")
            earlier.add(first)

    def hold_places(self, line: Line, pattern: str, pieces: Collection[str]) -> None:
        """Raise TableError where a pattern of a line has a place that stands for no piece."""
        for name in places_of(pattern):
            if name not in pieces:
                raise self._unknown_place(line, name, pieces)

    def hold_words(self, line: Line, words: str, places: Collection[str]) -> None:
        """Raise TableError where words of a line, which `str.format` fills, have an unknown place or a single brace."""
        try:
            names = [name for _, name, _, _ in Formatter().parse(words) if name is not None]
        except ValueError as error:
            raise self.error(line.number, f"{words!r} has an odd brace ({error}); write two for one") from None
        for name in names:
            if name not in places:
                raise self._unknown_place(line, name, places)

    def hold_substitute(self, line: Line, pattern: re.Pattern[str], words: str) -> None:
        """Raise TableError where words of a line cannot stand for what its pattern matches, as `re.sub` reads them."""
        try:
            pattern.sub(words, "")
        except (re.error, IndexError) as error:
            fault = f"{words!r} cannot stand for what the pattern matches: {error}"
            raise self.error(line.number, f"{fault}; a backslash that stands for itself needs another one") from None

    def _unknown_place(self, line: Line, name: str, places: Collection[str]) -> TableError:
        """Return the error for a place in braces that stands for nothing."""
        known = ", ".join(f"{{{place}}}" for place in places) or "none"
        return self.error(line.number, f"unknown place {{{name}}}; the places are {known}")

    def compiled(self, line: Line, pattern: str, pieces: Mapping[str, str]) -> re.Pattern[str]:
        """Return a pattern of a line with its places filled. Raises TableError for no regular expression."""
        self.hold_places(line, pattern, pieces)
        try:
            return re.compile(filled(pattern, pieces))
        except re.error as error:
            fault = f"{pattern!r} is not a regular expression: {error.msg}"
            raise self.error(line.number, f"{fault}; a sign that stands for itself needs a backslash") from None


def places_of(pattern: str) -> list[str]:
    """Return the names of the places of a pattern, without their digits."""
    return [name for name, _ in _PLACE.findall(pattern)]


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
