"""The way back from the English of Hi-ToM: a story, a question and its choices become syntax.

Each kind of sentence has one pattern in `english.txt`, whose groups are the fields of its event, in their order. Names
get their numbers in order of first appearance, as in a formal story.
"""

import re
from functools import lru_cache
from typing import get_args

from ..syntax.events import Event, Named, Names, Question, Story
from ..syntax.record import FIELDS, MANY, Interned, event_of
from .english import NAME, ReadError, pattern, table
from .story_minds import named_containers

# The kinds of events whose sentence does not say their container, with the place of the container among their fields.
UNSAID = {kind.__name__: [field for field, _, _ in FIELDS[kind]].index("container") for kind in get_args(Named)}


@lru_cache(maxsize=128)  # questions of many stories take turns in `abilities`
def read_story(text: str) -> tuple[Story, Names]:
    """Return the story that numbered sentences tell, and its names by number, in order of first appearance.

    Nested minds work out the container that a line names by thoughts. Raises ReadError, which names the line, where a
    line is not numbered 1, 2, 3, …, where the reader does not know its sentence, and where its chain has no belief.
    """
    if not text.strip():
        raise ReadError("the story is empty: its first line must start with 1")
    interned = Interned()
    told = []
    for number, line in enumerate(text.strip().split("\n"), 1):
        numbered = re.fullmatch(r"(\d+)\.? (.+)", line)
        if numbered is None or numbered[1] != str(number):
            raise ReadError(
                f"line {number} must start with its number, as in '{number} {table('event')[0][2]}': {line!r}"
            )
        told.append(_read_sentence(number, numbered[2], interned))
    names = interned.names()
    story, unknown = named_containers(Story(len(names.agents), tuple(told)))
    if unknown:
        raise ReadError(f"line {unknown} must name a container by what somebody thinks just before it, or outright")
    return story, names


def _read_sentence(line: int, sentence: str, interned: Interned) -> Event:
    """Return the event that one sentence tells."""
    for text, kind, _ in table("event"):
        if match := pattern(text).fullmatch(sentence):
            fields = match.groupdict().items()
            said = [re.findall(NAME, words or "") if field in MANY else words for field, words in fields]
            if any(len({*names}) < len(names) for names in said if isinstance(names, list)):
                raise ReadError(f"line {line} names an agent twice; name each once: {sentence!r}")
            if kind in UNSAID:
                said.insert(UNSAID[kind], next(iter(interned.names().containers), ""))  # until all lines are read
            return event_of([kind, *said], line, interned)
    examples = " / ".join(example for _, _, example in table("event"))
    raise ReadError(f"line {line} is not a sentence that the reader knows: {sentence!r}; it knows: {examples}")


def read_question(question: str, names: Names) -> Question:
    """Return the question about the story with these names; the agent named first is the outermost of its chain.

    Raises ReadError for another form of question, for an agent named twice, and for names that the story lacks.
    """
    for text, _ in table("question"):
        if match := pattern(text).fullmatch(question):
            groups = match.groupdict()
            chain = re.findall(NAME, groups.get("chain") or groups.get("search") or "")
            if len(set(chain)) < len(chain):
                raise ReadError(f"a question must name each agent once: {question!r}")
            agents = tuple(number_of("agent", name, names.agents, question) for name in chain)
            thing = number_of("thing", groups["thing"], names.things, question)
            return Question(agents, thing, searches="search" in groups)
    examples = " / ".join(example for _, example in table("question"))
    raise ReadError(f"not a question about a story: {question!r}; such questions are: {examples}")


def number_of(kind: str, word: str, bank: tuple[str, ...], text: str) -> int:
    """Return the number of a word that the story has."""
    if word not in bank:
        raise ReadError(f"the story has no {kind} {word!r}; it has {', '.join(bank) or 'none'}: {text!r}")
    return bank.index(word)


def read_choices(text: str) -> tuple[str, ...]:
    """Return the containers of "A. red_box, B. blue_crate, …", in order.

    Raises ReadError where a choice lacks its letter, or names a container again.
    """
    choices = []
    for number, choice in enumerate(text.split(", ")):
        letter = chr(ord("A") + number)
        match = re.fullmatch(r"(.)\. (\w+)", choice)
        if match is None or match[1] != letter or match[2] in choices:
            raise ReadError(
                f"choice {number + 1} must be '{letter}. ' and a new container, as in 'A. red_box': {choice!r}"
            )
        choices.append(match[2])
    return tuple(choices)
