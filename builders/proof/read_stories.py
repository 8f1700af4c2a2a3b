"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""

import re

from builders.proof.english import _NAME, ReadError
from builders.story.record import Interned
from builders.story.syntax import (
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Names,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)

_NAMES = rf"{_NAME}(?: and {_NAME}|(?:, {_NAME})+,? and {_NAME})?"


# The published claims say neither "now" nor, in public, "the"; Table 2 of the paper says both.
_CLAIM = r"that (?:the )?(?P<thing>\w+) (?:is|are) in the (?P<container>\w+)(?: now)?"


# Each kind of sentence: an example, the event it tells, its pattern. A group is called as the field that it fills.
_SENTENCES = tuple(
    (example, kind, re.compile(pattern + r"\."))
    for example, kind, pattern in (
        ("Emma, Jack and Owen entered the workshop.", Enter, rf"(?P<agents>{_NAMES}) entered the (?P<room>\w+)"),
        ("The pear is in the red_box.", Place, r"The (?P<thing>\w+) (?:is|are) in the (?P<container>\w+)"),
        (
            "Emma moved the pear to the blue_crate.",
            Move,
            rf"(?P<agent>{_NAME}) moved the (?P<thing>\w+) to the (?P<container>\w+)",
        ),
        (
            "Jack made no movements and stayed in the workshop for 1 minute.",
            Stay,
            rf"(?P<agent>{_NAME}) made no movements and stayed in the (?P<room>\w+) for 1 minute",
        ),
        ("Emma exited the workshop.", Exit, rf"(?P<agent>{_NAME}) exited the (?P<room>\w+)"),
        (
            "Jack publicly claimed that the pear is in the green_drawer now.",
            Tell,
            rf"(?P<speaker>{_NAME}) publicly claimed {_CLAIM}",
        ),
        (
            "Owen privately told Emma that the pear is in the red_box now.",
            Tell,
            rf"(?P<speaker>{_NAME}) privately told (?P<hearers>{_NAMES}) {_CLAIM}",
        ),
        (
            "Emma secretly watched the attic through the window.",
            Watch,
            rf"(?P<agent>{_NAME}) secretly watched the (?P<room>\w+) through the window",
        ),
        ("Owen lost his watch.", Lose, rf"(?P<agent>{_NAME}) lost (?:his|her|their) (?P<item>\w+)"),
        ("Jack saw a monkey.", See, rf"(?P<agent>{_NAME}) saw an? (?P<animal>\w+)"),
        ("Emma likes the red_box.", Like, rf"(?P<agent>{_NAME}) likes the (?P<container>\w+)"),
        ("Owen dislikes the melon.", Dislike, rf"(?P<agent>{_NAME}) dislikes the (?P<thing>\w+)"),
    )
)


_SEARCH = rf"{_NAME} search|{_NAME} think that(?: {_NAME} thinks that)* {_NAME} searches"


_QUESTIONS = tuple(
    (example, re.compile(pattern))
    for example, pattern in (
        ("Where is the pear really?", r"Where (?:is|are) the (?P<thing>\w+) really\?"),
        (
            "Where does Jack think Emma thinks the pear is?",
            rf"Where does (?P<chain>{_NAME}(?: really)? think(?: {_NAME} thinks)*) the (?P<thing>\w+) (?:is|are)\?",
        ),
        (
            "Where does Jack think that Emma searches for the pear?",
            rf"Where does (?P<search>{_SEARCH}) for the (?P<thing>\w+)\?",
        ),
    )
)


_BANK = {
    "agents": "agents", "agent": "agents", "speaker": "agents", "hearers": "agents", "room": "rooms",
    "thing": "things", "container": "containers", "item": "items", "animal": "animals",
}  # fmt: skip


def read_story(text: str) -> tuple[Story, Names]:
    """Return the story that numbered sentences tell, and its names by number, in order of first appearance.

    Raises ReadError, which names the line, for anything but the known sentences numbered 1, 2, 3, …
    """
    if not text.strip():
        raise ReadError("the story is empty: its first line starts with 1")
    interned = Interned()
    events = []
    for number, line in enumerate(text.strip().split("\n"), 1):
        numbered = re.fullmatch(r"(\d+)\.? (.+)", line)
        if numbered is None or numbered[1] != str(number):
            raise ReadError(f"line {number} starts with its number, as in '{number} {_SENTENCES[0][0]}': {line!r}")
        events.append(_read_sentence(number, numbered[2], interned))
    names = interned.names()
    return Story(len(names.agents), tuple(events)), names


def _read_sentence(line: int, sentence: str, interned: Interned) -> Event:
    """Return the event that one sentence tells."""
    for _, kind, pattern in _SENTENCES:
        if told := pattern.fullmatch(sentence):
            values: dict = {"hearers": ()} if kind is Tell else {}
            for group, words in told.groupdict().items():
                if group in ("agents", "hearers"):
                    listed = re.findall(_NAME, words)
                    if len(set(listed)) < len(listed):
                        raise ReadError(f"line {line} names an agent twice; once each would be right: {sentence!r}")
                    values[group] = tuple(interned.number("agents", name) for name in listed)
                else:
                    values[group] = interned.number(_BANK[group], words)
            return kind(**values)
    known = " / ".join(example for example, _, _ in _SENTENCES)
    raise ReadError(f"line {line} is no sentence of a story: {sentence!r}; such sentences are: {known}")


def read_question(text: str, names: Names) -> Question:
    """Return what a question asks of the story with these names, the agent named first outermost.

    Raises ReadError for another form of question, an agent asked about twice, and names that the story does not have.
    """
    for _, pattern in _QUESTIONS:
        if asked := pattern.fullmatch(text):
            groups = asked.groupdict()
            chain = re.findall(_NAME, groups.get("chain") or groups.get("search") or "")
            if len(set(chain)) < len(chain):
                raise ReadError(f"a question names each agent once: {text!r}")
            agents = tuple(_known("agent", name, names.agents, text) for name in chain)
            return Question(agents, _known("thing", groups["thing"], names.things, text), searches="search" in groups)
    known = " / ".join(example for example, _ in _QUESTIONS)
    raise ReadError(f"not a question about a story: {text!r}; such questions are: {known}")


def _known(kind: str, word: str, bank: tuple[str, ...], text: str) -> int:
    """Return the number of a word that the story has."""
    if word not in bank:
        raise ReadError(f"the story has no {kind} {word!r}, only {', '.join(bank) or 'none'}: {text!r}")
    return bank.index(word)


def read_choices(text: str) -> tuple[str, ...]:
    """Return the containers of "A. red_box, B. blue_crate, …", in order."""
    choices = []
    for number, choice in enumerate(text.split(", ")):
        letter = chr(ord("A") + number)
        lettered = re.fullmatch(r"(.)\. (\w+)", choice)
        if lettered is None or lettered[1] != letter or lettered[2] in choices:
            raise ReadError(f"choice {number + 1} is '{letter}. ' and a new container, as in 'A. red_box': {choice!r}")
        choices.append(lettered[2])
    return tuple(choices)
