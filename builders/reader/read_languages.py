"""The way back from other languages: each sentence of a row becomes the English that the readers of English know.

A language has one file in `languages/`, named like its folder under `templates/`, and written by hand from sentences,
never from the templates. Its section `piece` says what names and nouns look like, and has pieces of patterns. The other
sections have on each line a pattern, " → ", and the English of the published data that means the same. A pattern is a
regular expression with places in braces, as `tables.filled` fills them. Names stay as they are; a noun of several
words is joined by underscores, as nouns are in the published English.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from ..splits import ENGLISH
from .english import NAME, ReadError, listed
from .tables import Table, TableError, places_of

FOLDER = Path(__file__).with_name("languages")
PIECES = ("name", "noun", "between", "think", "waiting_room", "stop")  # the pieces that every language has
# The sections that are read for themselves; any other one is read where a pattern has its name in braces.
SECTIONS = ("sentence", "question", "asked", "choice", "step", "premise", "hypothesis", "reply")
WAITING_ROOM = "waiting_room"  # what the formal story calls the waiting room in every language


class Reader:
    """Read one language.

    The places of a pattern: a to e, single names; agents and others, lists of names, and people, the same with commas
    alone; thing, container and room, nouns, and first, one that begins a sentence; rest, any words; told, a sentence;
    n, m and numbers; thinks and thinks_that, "A thinks B thinks " and the same with "that"; and the name of a section,
    for a text that is read in turn. A digit behind the name tells two of a kind apart.
    """

    def __init__(self, text: str, file: str) -> None:
        """Read the text of the file of a language. Raises TableError for the first malformed line, by its number."""
        self._file, table = file, Table(file, text)
        table.hold_sections(table.sections, needed=["piece"])
        table.hold_columns("piece", ("name", "pattern"))
        self._head = dict(table.columns("piece"))
        for piece in PIECES:
            if piece not in self._head:
                raise TableError(f"{file}: [piece] has no line '{piece} → …'; add it")
        name, noun, between, think = (self._head[key] for key in ("name", "noun", "between", "think"))
        name = NAME if name == "NAME" else name
        names, thinking = rf"{name}(?:(?:{between}){name})*", f"(?:{name}(?:{think}))*"

        def found(text: str, link: str) -> list[str]:
            """Return the names in a text, which `link` separates."""
            return re.findall(name, re.sub(link, " ", text))

        self._places: dict[str, tuple[str, Callable[[str], str]]] = {
            **dict.fromkeys(("a", "b", "c", "d", "e"), (name, str)),
            **dict.fromkeys(("agents", "others"), (names, lambda text: listed(found(text, between)))),
            "people": (names, lambda text: ", ".join(found(text, between))),
            **dict.fromkeys(("thing", "container", "room"), (noun, self.noun)),
            "first": (f"(?i:{noun})", lambda text: self.noun(text[0].lower() + text[1:])),
            "rest": (r"[\w' -]+", self.noun),
            **dict.fromkeys(("n", "m"), (r"\d+", str)),
            "told": (rf".+?{self._head['stop']}", partial(self.english, section="sentence")),
            "numbers": (rf"\d+(?:(?:{between})\d+)*", lambda text: listed(re.findall(r"\d+", text))),
            "thinks": (thinking, lambda text: "".join(f"{agent} thinks " for agent in found(text, think))),
            "thinks_that": (thinking, lambda text: "".join(f"{agent} thinks that " for agent in found(text, think))),
        }
        sections = {section: lines for section, lines in table.sections.items() if section != "piece"}
        named = {place for lines in sections.values() for line in lines for place in places_of(line.columns[0])}
        table.hold_sections(["piece", *SECTIONS, *sorted(named - {*SECTIONS, *self._head, *self._places})], needed=())
        for section, lines in sections.items():
            table.hold_columns(section, ("pattern", "English"))
            words = "|".join(line.columns[0] for line in lines)  # a section without places is a list of words
            self._places[section] = (".+?" if "{" in words else words, partial(self.english, section=section))
        pieces = self._head | {place: piece for place, (piece, _) in self._places.items()}
        # What a line may hold a piece of comes first, so that an error names the line which is wrong.
        for line in table.sections["piece"]:
            table.compiled(line, line.columns[1], pieces)
        for line in chain.from_iterable(sections.values()):
            if not places_of(line.columns[0]):
                table.compiled(line, line.columns[0], pieces)
        self._sections: dict[str, list[tuple[re.Pattern[str], str]]] = {section: [] for section in sections}
        for section, lines in sections.items():
            for line in lines:
                pattern, english = table.compiled(line, line.columns[0], pieces), line.columns[1]
                if section == "reply":
                    table.hold_substitute(line, pattern, english)
                else:
                    table.hold_words(line, english, pattern.groupindex)
                self._sections[section].append((pattern, english))

    def noun(self, text: str) -> str:
        """Return a noun as one word."""
        return WAITING_ROOM if text == self._head["waiting_room"] else re.sub(r"\W+", "_", text)

    def english(self, text: str, section: str) -> str:
        """Return the English of a text of a section. Raises ReadError for a text that is none."""
        for pattern, english in self._sections[section]:
            if match := pattern.fullmatch(text):
                with suppress(ReadError):
                    said = {place: self._put(place, words) for place, words in match.groupdict().items()}
                    return english.format(**said)
        raise ReadError(f"not a known {section}: {text!r}; expected one of the patterns of {self._file}")

    def _put(self, place: str, words: str) -> str:
        """Return what a place holds in English."""
        return self._places[place.rstrip("0123456789")][1](words)

    def reply(self, text: str) -> str:
        """Return a reply with the words of English by which replies are read: the section `reply`, line after line."""
        for pattern, english in self._sections["reply"]:
            text = pattern.sub(english, text)
        return text

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text."""
        return re.findall(rf"\S.*?{self._head['stop']}", text)


@lru_cache(maxsize=4)
def reader(language: str) -> Reader:
    """Return the reader of a language other than English. Raises ReadError for a language that has none."""
    path = FOLDER / f"{language}.txt"
    if not path.is_file():
        raise ReadError(f"no reader knows the language {language!r}; add {path.name} to {FOLDER.name}")
    return Reader(path.read_text(encoding="utf-8"), path.name)


def in_english(row: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return a row of either dataset as the reader of its language reads it, so that the proofs of English hold for it.

    Raises ReadError for a sentence that the reader does not know.
    """
    if language == ENGLISH:
        return dict(row)
    knows, read = reader(language), dict(row)
    if row.get("explanation"):
        read["explanation"] = "\n".join(knows.english(line, "step") for line in row["explanation"].split("\n"))
    if "premise" in row:
        said = [knows.english(sentence, "premise") for sentence in knows.sentences(row["premise"])]
        return read | {"premise": " ".join(said), "hypothesis": knows.english(row["hypothesis"], "hypothesis")}
    numbered = [line.partition(" ") for line in row["story"].split("\n")]
    read["story"] = "\n".join(f"{number} {knows.english(said, 'sentence')}" for number, _, said in numbered)
    read["question"] = knows.english(row["question"], "asked" if row.get("kind") else "question")
    read["choices"] = [knows.english(choice, "choice") for choice in row.get("choices") or ()]
    read["answer"] = knows.english(row["answer"], "choice")
    if row.get("answer_published"):
        read["answer_published"] = knows.noun(row["answer_published"])
    for column in ("events", "query"):
        if row.get(column):
            read[column] = re.sub(r'"([^"]*)"', lambda noun: f'"{knows.noun(noun[1])}"', row[column])
    return read


def step_in_english(line: str, language: str) -> str:
    """Return a step of an explanation in English; any other line is returned unchanged."""
    if language != ENGLISH:
        with suppress(ReadError):
            return reader(language).english(line, "step")
    return line
