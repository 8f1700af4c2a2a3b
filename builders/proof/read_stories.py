"""The way back from the English of Hi-ToM: a story, a question and its choices become syntax.

Each kind of sentence has one pattern, written from the published data and from both papers. Names get their numbers in
order of first appearance, as in a formal story.
"""

import re

from ..syntax.events import (
    Come,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Names,
    Overhear,
    Place,
    Question,
    Report,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)
from ..syntax.record import Interned
from .english import NAME, ReadError

_NAMES = rf"{NAME}(?: and {NAME}|(?:, {NAME})+,? and {NAME})?"
_AGENT = rf"(?P<agent>{NAME})"
_SPEAKER = rf"(?P<speaker>{NAME})"
_ROOM = r"the (?P<room>\w+)"
_THING = r"the (?P<thing>\w+)"
_CONTAINER = r"the (?P<container>\w+)"
# The published claims say neither "now" nor, in public, "the"; Table 2 of the paper says both.
_SAID = rf"(?:the )?(?P<thing>\w+) (?:is|are) in {_CONTAINER}(?: now)?"
_CLAIM = f"that {_SAID}"

# Each kind of sentence: an example, its event, its pattern. Each group of a pattern is named for the field it fills.
_SENTENCES = (
    ("Emma, Jack and Owen entered the workshop.", Enter, rf"(?P<agents>{_NAMES}) entered {_ROOM}\."),
    ("Emma came into the workshop.", Come, rf"{_AGENT} came into {_ROOM}\."),
    ("The pear is in the red_box.", Place, rf"The (?P<thing>\w+) (?:is|are) in {_CONTAINER}\."),
    ("Emma moved the pear to the blue_crate.", Move, rf"{_AGENT} moved {_THING} to {_CONTAINER}\."),
    (
        "Jack made no movements and stayed in the workshop for 1 minute.",
        Stay,
        rf"{_AGENT} made no movements and stayed in {_ROOM} for 1 minute\.",
    ),
    ("Emma exited the workshop.", Exit, rf"{_AGENT} exited {_ROOM}\."),
    (
        "Jack publicly claimed that the pear is in the green_drawer now.",
        Tell,
        rf"{_SPEAKER} publicly claimed {_CLAIM}\.",
    ),
    (
        "Owen privately told Emma that the pear is in the red_box now.",
        Tell,
        rf"{_SPEAKER} privately told (?P<hearers>{_NAMES}) {_CLAIM}\.",
    ),
    (
        "Owen privately told Emma that Jack thinks Mia thinks the pear is in the red_box now.",
        Report,
        rf"{_SPEAKER} privately told (?P<hearers>{_NAMES}) that (?P<chain>(?:{NAME} thinks )+){_SAID}\.",
    ),
    (
        "Emma secretly watched the attic through the window, and noticed Owen watching it.",
        Watch,
        rf"{_AGENT} secretly watched {_ROOM} through the window(?:, and noticed (?P<noticed>{_NAMES}) watching it)?\.",
    ),
    (
        "Emma overheard this unnoticed, and noticed Owen listening.",
        Overhear,
        rf"{_AGENT} overheard this unnoticed(?:, and noticed (?P<noticed>{_NAMES}) listening)?\.",
    ),
    ("Owen lost his watch.", Lose, rf"{_AGENT} lost (?:his|her|their) (?P<item>\w+)\."),
    ("Jack saw a monkey.", See, rf"{_AGENT} saw an? (?P<animal>\w+)\."),
    ("Emma likes the red_box.", Like, rf"{_AGENT} likes {_CONTAINER}\."),
    ("Owen dislikes the melon.", Dislike, rf"{_AGENT} dislikes {_THING}\."),
)
_SENTENCES = tuple((example, kind, re.compile(pattern)) for example, kind, pattern in _SENTENCES)

_CHAIN = rf"(?P<chain>{NAME}(?: really)? think(?: {NAME} thinks)*)"
_SEARCH = rf"(?P<search>{NAME} search|{NAME} think that(?: {NAME} thinks that)* {NAME} searches)"
_QUESTIONS = {
    "Where is the pear really?": re.compile(rf"Where (?:is|are) {_THING} really\?"),
    "Where does Jack think Emma thinks the pear is?": re.compile(rf"Where does {_CHAIN} {_THING} (?:is|are)\?"),
    "Where does Jack think that Emma searches for the pear?": re.compile(rf"Where does {_SEARCH} for {_THING}\?"),
}

# The list of Names from which a group of a pattern takes its number.
_BANK = {
    "agents": "agents", "agent": "agents", "speaker": "agents", "hearers": "agents", "chain": "agents",
    "noticed": "agents", "room": "rooms", "thing": "things", "container": "containers", "item": "items",
    "animal": "animals",
}  # fmt: skip


def read_story(text: str) -> tuple[Story, Names]:
    """Return the story that numbered sentences tell, and its names by number, in order of first appearance.

    Raises ReadError, which names the line, where a line is not numbered 1, 2, 3, … or is no known sentence.
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
        if match := pattern.fullmatch(sentence):
            values: dict = {"hearers": ()} if kind is Tell else {}
            for group, words in match.groupdict().items():
                if group in ("agents", "hearers", "chain", "noticed"):
                    agents = re.findall(NAME, words or "")
                    if len(set(agents)) < len(agents):
                        raise ReadError(f"line {line} names an agent twice; once each would be right: {sentence!r}")
                    values[group] = tuple(interned.number("agents", name) for name in agents)
                else:
                    values[group] = interned.number(_BANK[group], words)
            return kind(**values)
    examples = " / ".join(example for example, _, _ in _SENTENCES)
    raise ReadError(f"line {line} is no sentence of a story: {sentence!r}; such sentences are: {examples}")


def knows_sentence(sentence: str) -> bool:
    """Return whether a sentence, without its number, is of a kind that stories have."""
    return any(pattern.fullmatch(sentence) for _, _, pattern in _SENTENCES)


def knows_question(text: str) -> bool:
    """Return whether a question has a form that questions about stories have."""
    return any(pattern.fullmatch(text) for pattern in _QUESTIONS.values())


def read_question(text: str, names: Names) -> Question:
    """Return the question about the story with these names; the agent named first is the outermost of its chain.

    Raises ReadError for another form of question, for an agent named twice, and for names that the story lacks.
    """
    for pattern in _QUESTIONS.values():
        if match := pattern.fullmatch(text):
            groups = match.groupdict()
            chain = re.findall(NAME, groups.get("chain") or groups.get("search") or "")
            if len(set(chain)) < len(chain):
                raise ReadError(f"a question names each agent once: {text!r}")
            agents = tuple(_number("agent", name, names.agents, text) for name in chain)
            return Question(agents, _number("thing", groups["thing"], names.things, text), searches="search" in groups)
    raise ReadError(f"not a question about a story: {text!r}; such questions are: {' / '.join(_QUESTIONS)}")


def _number(kind: str, word: str, bank: tuple[str, ...], text: str) -> int:
    """Return the number of a word that the story has."""
    if word not in bank:
        raise ReadError(f"the story has no {kind} {word!r}, only {', '.join(bank) or 'none'}: {text!r}")
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
            raise ReadError(f"choice {number + 1} is '{letter}. ' and a new container, as in 'A. red_box': {choice!r}")
        choices.append(match[2])
    return tuple(choices)
