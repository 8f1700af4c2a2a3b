"""The way back from other languages and worlds: a row becomes the English that the readers of English know.

A language has one file in `languages/`, named like its folder under `templates/`, and written by hand from sentences,
never from the templates. Its section `piece` says what names and nouns look like, and has pieces of patterns. The other
sections have on each line a pattern, " → ", and the English of the published data that means the same. A pattern is a
regular expression with places in braces, as `tables.filled` fills them. Names stay as they are; a noun of several
words is joined by underscores, as nouns are in the published English.

A world speaks English, so its file has no section `step`. Steps quote lines of the story, whose English is known by
then; the section `in_step` has the other words to replace. A world links sentences of one person: the pieces `before`
and `after` say what may stand before and after a sentence, and `he` what stands for the one whom the line before names.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from ..splits import ENGLISH, language_of, world_of
from .english import NAME, ReadError, listed
from .tables import Table, TableError, places_of

FOLDER = Path(__file__).with_name("languages")
PIECES = ("name", "noun", "between", "think", "waiting_room", "stop")  # the pieces that every language has
# The sections that are read for themselves; any other one is read where a pattern has its name in braces.
SECTIONS = ("sentence", "question", "asked", "choice", "step", "in_step", "premise", "hypothesis", "reply")
REPLACED = ("in_step", "reply")  # the sections whose lines replace parts of a text, one after another
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
        one = rf"{name}|{self._head['he']}" if "he" in self._head else name

        def found(text: str, link: str) -> list[str]:
            """Return the names in a text, which `link` separates."""
            return re.findall(name, re.sub(link, " ", text))

        self._places: dict[str, tuple[str, Callable[[str], str]]] = {
            **dict.fromkeys(("a", "b", "c", "d", "e"), (one, str)),
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
                if section in REPLACED:
                    table.hold_substitute(line, pattern, english)
                else:
                    table.hold_words(line, english, [*pattern.groupindex, "be"])
                self._sections[section].append((pattern, english))

    def noun(self, text: str) -> str:
        """Return a noun as one word."""
        return WAITING_ROOM if text == self._head["waiting_room"] else re.sub(r"\W+", "_", text)

    def english(self, text: str, section: str, be: str = "is") -> str:
        """Return the English of a text of a section. Raises ReadError for a text that is none.

        be: what stands for the place {be} in the English, where a sentence has no verb.
        """
        for pattern, english in self._sections[section]:
            if match := pattern.fullmatch(text):
                with suppress(ReadError):
                    said = {place: self._put(place, words) for place, words in match.groupdict().items()}
                    return english.format(be=be, **said)
        raise ReadError(f"not a known {section}: {text!r}; expected one of the patterns of {self._file}")

    def _put(self, place: str, words: str) -> str:
        """Return what a place holds in English."""
        return self._places[place.rstrip("0123456789")][1](words)

    def story(self, sentences: Sequence[str], be: str = "is") -> list[str]:
        """Return the English of the sentences of a story, in which a pronoun gives way to the name that it stands for.

        be: the verb of the thing asked about, is or are, for sentences without one.
        Raises ReadError where it could stand for another one than who alone is named in the line before.
        """
        read, named = list[str](), set[str]()
        for sentence in sentences:
            before, after, he = (self._head.get(piece, "") for piece in ("before", "after", "he"))
            english = self.english(re.sub(rf"\A(?:{before})|(?:{after})\Z", "", sentence), "sentence", be)
            if he and (pronoun := re.match(rf"(?:{he})\b", english)):
                if len(named) != 1:
                    who = listed(sorted(named)) or "nobody"
                    raise ReadError(f"a pronoun needs a line before that names one person, not {who}: {sentence!r}")
                english = english.replace(pronoun[0], next(iter(named)), 1)
            named = {*re.findall(rf"\b(?<!the )(?!The\b){NAME}\b", english)}
            read.append(english)
        return read

    def step(self, line: str, said: Sequence[str], english: Sequence[str]) -> str:
        """Return a step of an explanation in English. said: the sentences of its story; english: the same in English.

        Raises ReadError for a step that a language other than English does not know.
        """
        if "step" in self._sections:
            return self.english(line, "step")
        if quoting := re.match(r"(?:Line|It is where line) (\d+)(?: put it)?: ", line):
            number, rest = int(quoting[1]) - 1, line[quoting.end() :]
            quoted = re.sub(rf"(?:{self._head.get('after', '')})\Z", "", said[number]) if number < len(said) else rest
            if rest.startswith(f"{quoted}."):
                line = quoting[0] + english[number] + rest.removeprefix(f"{quoted}.")
        for noun in sorted({*re.findall(r"\w*_\w*", " ".join(english))}, key=len, reverse=True):
            line = re.sub(rf"\b{noun.replace('_', '[^0-9A-Za-z]')}\b", noun, line)
        return self._replaced(line, "in_step")

    def reply(self, text: str) -> str:
        """Return a reply with the words of English by which replies are read: the section `reply`, line after line."""
        return self._replaced(text, "reply")

    def _replaced(self, text: str, section: str) -> str:
        """Return a text in which each line of a section has replaced what it matches."""
        for pattern, english in self._sections.get(section, ()):
            text = pattern.sub(english, text)
        return text

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text."""
        return re.findall(rf"\S.*?{self._head['stop']}", text)


@lru_cache(maxsize=16)
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
    said, english = sentences_of(row, language)
    if row.get("explanation"):
        read["explanation"] = "\n".join(knows.step(line, said, english) for line in row["explanation"].split("\n"))
    if "premise" in row:
        premise = [knows.english(sentence, "premise") for sentence in knows.sentences(row["premise"])]
        return read | {
            "premise": " ".join(filter(None, premise)),
            "hypothesis": knows.english(row["hypothesis"], "hypothesis"),
        }
    numbers = [line.partition(" ")[0] for line in row["story"].split("\n")]
    read["story"] = "\n".join(f"{number} {sentence}" for number, sentence in zip(numbers, english, strict=True))
    read["question"] = knows.english(row["question"], "asked" if row.get("kind") else "question")
    read["choices"] = [knows.english(choice, "choice") for choice in row.get("choices") or ()]
    read["answer"] = knows.english(row["answer"], "choice")
    if row.get("answer_published"):
        read["answer_published"] = knows.noun(row["answer_published"])
    for column in ("events", "query"):
        if row.get(column):
            read[column] = re.sub(r'"([^"]*)"', lambda noun: f'"{knows.noun(noun[1])}"', row[column])
    return read


@lru_cache(maxsize=16)
def _in_english(story: str, language: str, be: str) -> tuple[list[str], list[str]]:
    """Return the sentences of a story, and the same in English."""
    said = [line.partition(" ")[2] for line in story.split("\n")]
    return said, reader(language).story(said, be)


def sentences_of(row: Mapping[str, Any], language: str) -> tuple[list[str], list[str]]:
    """Return the sentences of a row's story, and the same in English; none for a row without a story."""
    if not row.get("story"):
        return [], []
    # A sentence of a world without a verb takes the verb of the question.
    be = "are" if world_of(language) and re.search(r"\bare\b", row["question"]) else "is"
    return _in_english(row["story"], language, be)


def step_in_english(line: str, row: Mapping[str, Any]) -> str:
    """Return a step of an explanation of a row in English; any other line is returned unchanged."""
    language = language_of(row)
    if language != ENGLISH:
        with suppress(ReadError):
            return reader(language).step(line, *sentences_of(row, language))
    return line
