"""The way back from the English of MindGames: a premise and a hypothesis become a Problem.

Each kind of sentence has one pattern, written from the published data and from the paper.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..syntax.formula import (
    And,
    Atom,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Formula,
    Knows,
    KnowsWhether,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    agent_name,
    at_least,
    exactly,
)
from .english import NAME, ReadError

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_MOST = 26  # SMCDEL's agents are lettered a to z

_VISIBLE = "Everyone is visible to others."

_MIRROR = "There is a mirror in the room."

_DRAW = "Each person draws a card, face unrevealed (red or black)."

# The data say "shown", the paper "revealed". Order blocks say "looks at his own card".
_SHOWN = re.compile(rf"(?P<owner>{NAME})['’]s card is (?:shown|revealed) to (?P<viewer>{NAME})\.")

_LOOKS = re.compile(rf"(?P<viewer>{NAME}) looks at (?:her|his) own card\.")

_ANNOUNCEMENT = re.compile(r"It is publicly announced that (?P<clause>.+)\.")

_WHO = rf"(?P<who>someone|everyone|not everyone|nobody|{NAME})"

_MUDDY = re.compile(rf"{_WHO}['’]s forehead is (?P<negated>not )?muddy")

_THIRSTY = re.compile(rf"{_WHO} is (?P<negated>not )?thirsty")

_RED = re.compile(rf"{_WHO} picked a (?:red|(?P<negated>black)) card")

# Each setup: the sentence of its scene, the pattern of its facts, and the fact that is announced first.
_SCENES = {
    "forehead": ("", _MUDDY, "someone's forehead is muddy"),
    "forehead_mirror": (_MIRROR, _MUDDY, "someone's forehead is muddy"),
    "internal": ("", _THIRSTY, "someone is thirsty"),
    "explicit": (_DRAW, _RED, "someone picked a red card"),
}

# What follows is ours: counts, what everyone or nobody knows, what all know together, and showings.
_COUNTED = {
    "forehead": (r"foreheads? (?:is|are) muddy", "their own forehead is muddy"),
    "forehead_mirror": (r"foreheads? (?:is|are) muddy", "their own forehead is muddy"),
    "internal": (r"persons? (?:is|are) thirsty", "they are thirsty themselves"),
    "explicit": (r"persons? picked a red card", "they picked a red card themselves"),
}
_COUNT = r"(?:an (?P<odd>odd) number of|(?P<comparison>exactly|at least) (?P<number>[a-z]+)) "

_LINK = r"(?:(?P<that>that)|whether or not|whether)"

_EACH = re.compile(rf"(?:everyone|(?P<nobody>nobody)) knows {_LINK} (?P<clause>.+)")

_COMMON = re.compile(rf"it is (?P<negated>not )?common knowledge {_LINK} (?P<clause>.+)")

_TOGETHER = re.compile(
    rf"putting together what they know, the persons (?:can|(?P<negated>cannot)) tell {_LINK} "
    r"(?P<clause>.+)"
)

_SHOWN_ALONE = re.compile(rf"In front of all, (?P<owner>{NAME})['’]s card is shown to (?P<viewer>{NAME}) alone\.")

_LOOKS_ALONE = re.compile(rf"In front of all, (?P<viewer>{NAME}) alone looks at (?:her|his) own card\.")

_TOLD_ALONE = re.compile(rf"In front of all, (?P<viewer>{NAME}) alone is told whether (?P<fact>.+)\.")

# In announcements the data say "knows" and "does not know". In hypotheses they say "can now know", then "can know".
# The paper adds "cannot know". Order blocks say "now knows". All of them mean the same knowledge.
_KNOWS = re.compile(
    rf"(?P<agent>{NAME}) "
    r"(?:knows|now knows|can know|can now know|(?P<negated>does not know|cannot know|cannot now know)) "
    rf"{_LINK} (?P<clause>.+)"
)


@dataclass(slots=True)
class _Persons:
    """Hold the names of a premise's persons, and give each person a number."""

    count: int  # how many persons the premise has
    names: list[str]  # names by number; where they are not fixed, those met so far
    fixed: bool  # whether the caller gave all names

    def number(self, name: str, sentence: str) -> int:
        """Return the number of a person; a new name gets the next number unless names are fixed."""
        if name not in self.names:
            if self.fixed:
                raise ReadError(f"{name!r} is not one of the names, {', '.join(self.names)}: {sentence!r}")
            if len(self.names) == self.count:
                raise ReadError(
                    f"{name!r} is one name too many: the premise has {self.count} persons, and "
                    f"{', '.join(self.names)} came before: {sentence!r}"
                )
            self.names.append(name)
        return self.names.index(name)


def read_problem(premise: str, hypothesis: str, names: Sequence[str] | None = None) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that a premise and a hypothesis pose, and the names of its agents by number.

    The agents are numbered as in `names`. Without `names` they are numbered in order of first appearance, premise
    first; those whom no sentence names come last and have no name. Raises ReadError, which quotes the sentence, for
    anything but the published sentences, for names that do not fit them, and for a premise whose first announcement is
    not "someone …".
    """
    first_sentence, *sentences = re.split(r"(?<=\.) ", premise.strip())
    persons = _read_persons(first_sentence, names)
    if sentences[:1] != [_VISIBLE]:
        raise ReadError(f"the second sentence of a premise is {_VISIBLE!r}: {premise!r}")
    scene = sentences[1] if sentences[1:2] in ([_MIRROR], [_DRAW]) else ""
    sentences = sentences[2 if scene else 1 :]
    shown = _read_cards(sentences, scene, persons)
    sentences = sentences[len(shown) :]
    setup = _read_setup(sentences[0] if sentences else "", scene, premise)
    announcements = tuple([_read_announcement(sentence, setup, persons) for sentence in sentences])
    claim = _KNOWS.fullmatch(hypothesis.strip().removesuffix("."))
    if claim is None or not hypothesis.strip().endswith("."):
        raise ReadError(
            "a hypothesis says what one person knows, as in "
            f"'Mary can now know whether Jack can know that {_SCENES[setup][2]}.': {hypothesis!r}"
        )
    knowledge = _read_clause(claim[0], hypothesis, setup, persons)
    return Problem(setup, _observed(setup, persons.count, shown), announcements, knowledge), tuple(persons.names)


def _observed(setup: str, count: int, shown: list[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the atoms that each person observes, in ascending order; the atom of person i is i + 1.

    shown: for `explicit`, (whose card, who sees it).
    """
    everyone = range(count)
    match setup:
        case "forehead":
            sees = [set(everyone) - {agent} for agent in everyone]
        case "forehead_mirror":
            sees = [set(everyone) for _ in everyone]
        case "internal":
            sees = [{agent} for agent in everyone]
        case "explicit":
            sees = [{owner for owner, viewer in shown if viewer == agent} for agent in everyone]
        case _:
            raise TypeError(f"no such setup: {setup!r}")
    return tuple(tuple(sorted(other + 1 for other in others)) for others in sees)


def _read_persons(sentence: str, names: Sequence[str] | None) -> _Persons:
    """Return the persons that the first sentence counts, with the names that the caller gave them."""
    match = re.fullmatch(r"There are (\w+) persons\.", sentence)
    word = match[1] if match else ""
    if word in _COUNTS:
        count = _COUNTS.index(word) + 2
    elif re.fullmatch(r"[1-9][0-9]?", word) and 2 <= int(word) <= _MOST:
        count = int(word)
    else:
        raise ReadError(
            "the first sentence of a premise is 'There are three persons.', two to twelve in words "
            f"or 2 to {_MOST} in figures: {sentence!r}"
        )
    if names is None:
        return _Persons(count, [], fixed=False)
    if len(names) != count or len(set(names)) < count:
        raise ReadError(f"{count} different names are right, not ({', '.join(names)}): {sentence!r}")
    for name in names:
        if not re.fullmatch(NAME, name):
            raise ReadError(f"a name is one word with a capital, as 'Mary', not {name!r}: {sentence!r}")
    return _Persons(count, list(names), fixed=True)


def _read_cards(sentences: list[str], scene: str, persons: _Persons) -> list[tuple[int, int]]:
    """Return (whose card, who sees it) for each sentence up to the first that shows no card.

    A person may be shown his own card.
    """
    shown = []
    for sentence in sentences:
        card = _SHOWN.fullmatch(sentence) or _LOOKS.fullmatch(sentence)
        if card is None:
            break
        if scene != _DRAW:
            raise ReadError(f"no card is shown before it is drawn, {_DRAW!r}: {sentence!r}")
        owner = card.groupdict().get("owner", card["viewer"])
        pair = persons.number(owner, sentence), persons.number(card["viewer"], sentence)
        if pair in shown:
            raise ReadError(f"a card is shown to a person once: {sentence!r}")
        shown.append(pair)
    return shown


def _read_setup(sentence: str, scene: str, premise: str) -> str:
    """Return the setup to which the scene and the first announcement belong."""
    announcement = _ANNOUNCEMENT.fullmatch(sentence)
    if announcement:
        for setup, (its_scene, facts, _) in _SCENES.items():
            fact = facts.fullmatch(announcement["clause"])
            if its_scene == scene and fact and fact["who"] == "someone" and not fact["negated"]:
                return setup
    firsts = " or ".join(repr(first) for its_scene, _, first in _SCENES.values() if its_scene == scene)
    raise ReadError(
        f"after {scene or _VISIBLE!r} the first thing to be publicly announced is {firsts}, "
        f"not {sentence!r}: {premise!r}"
    )


def _read_announcement(sentence: str, setup: str, persons: _Persons) -> Formula | Shown:
    """Return the formula that a sentence announces, or what it shows to one person."""
    if shown := _read_showing(sentence, setup, persons):
        return shown
    announcement = _ANNOUNCEMENT.fullmatch(sentence)
    if announcement is None:
        raise ReadError(
            f"not an announcement, such as 'It is publicly announced that {_SCENES[setup][2]}.': {sentence!r}"
        )
    return _read_group(announcement["clause"], sentence, setup, persons) or _read_clause(
        announcement["clause"], sentence, setup, persons
    )


def _read_showing(sentence: str, setup: str, persons: _Persons) -> Shown | None:
    """Return the showing that a sentence tells of, None for another sentence."""
    if setup == "explicit":
        match = _SHOWN_ALONE.fullmatch(sentence) or _LOOKS_ALONE.fullmatch(sentence)
        owner = match.groupdict().get("owner", match["viewer"]) if match else ""
    else:
        match = _TOLD_ALONE.fullmatch(sentence)
        fact = _SCENES[setup][1].fullmatch(match["fact"]) if match else None
        owner = fact["who"] if fact and not fact["negated"] else ""
    if match is None or owner in ("", "someone", "everyone", "not everyone", "nobody"):
        return None
    viewer = persons.number(match["viewer"], sentence)
    return Shown(agent_name(viewer), persons.number(owner, sentence) + 1)


def _read_group(clause: str, sentence: str, setup: str, persons: _Persons) -> Formula | None:
    """Return the formula of a clause about what everyone, nobody or all together know, None for another clause."""
    agents = tuple(agent_name(number) for number in range(persons.count))
    if match := _EACH.fullmatch(clause):
        kind = Knows if match["that"] else KnowsWhether
        if match["clause"] == _COUNTED[setup][1]:
            things: list[Formula] = [Atom(number + 1) for number in range(persons.count)]
        else:
            things = [_read_clause(match["clause"], sentence, setup, persons)] * persons.count
        known = tuple(kind(agent, thing) for agent, thing in zip(agents, things, strict=True))
        return And(tuple(map(Not, known)) if match["nobody"] else known)
    for pattern, kinds in ((_COMMON, (Common, CommonWhether)), (_TOGETHER, (Distributed, DistributedWhether))):
        if match := pattern.fullmatch(clause):
            knowledge = kinds[not match["that"]](agents, _read_clause(match["clause"], sentence, setup, persons))
            return Not(knowledge) if match["negated"] else knowledge
    return None


def _read_count(clause: str, setup: str, count: int) -> Formula | None:
    """Return the formula of a clause that counts whose fact is true, None for another clause."""
    match = re.fullmatch(_COUNT + _COUNTED[setup][0], clause)
    if match is None:
        return None
    truths = tuple(Atom(number) for number in range(1, count + 1))
    if match["odd"]:
        return Xor(truths)
    words = ("one", *_COUNTS)
    number = words.index(match["number"]) + 1 if match["number"] in words else 0
    if match["comparison"] == "exactly" and 1 <= number < count:
        return exactly(truths, number)
    return at_least(truths, number) if match["comparison"] == "at least" and 2 <= number < count else None


def read_fact(clause: str, setup: str, names: Sequence[str]) -> Formula:
    """Return the formula of a clause about persons with these names. Raises ReadError for any other clause."""
    return _read_clause(clause, clause, setup, _Persons(len(names), list(names), fixed=True))


def _read_clause(clause: str, sentence: str, setup: str, persons: _Persons) -> Formula:
    """Return the formula of a clause: what one person knows, to any depth, or a fact of the setup."""
    if match := _KNOWS.fullmatch(clause):
        agent = agent_name(persons.number(match["agent"], sentence))
        inner = _read_clause(match["clause"], sentence, setup, persons)
        knowledge = Knows(agent, inner) if match["that"] else KnowsWhether(agent, inner)
        return Not(knowledge) if match["negated"] else knowledge
    if counted := _read_count(clause, setup, persons.count):
        return counted
    _, facts, first = _SCENES[setup]
    fact = facts.fullmatch(clause)
    if fact is None:
        raise ReadError(
            f"{clause!r} is no clause of this premise in {sentence!r}; such are {first!r}, the same of everyone, "
            f"not everyone, nobody or one person, and 'Mary knows whether {first}'"
        )
    truths = tuple(Atom(person + 1) for person in range(persons.count))
    if fact["negated"]:
        truths = tuple(Not(truth) for truth in truths)
    match fact["who"]:
        case "someone":
            return Or(truths)
        case "everyone" if fact["negated"] == "not ":
            raise ReadError(f"{clause!r} has two readings, 'not everyone' and 'nobody'; say which: {sentence!r}")
        case "everyone":
            return And(truths)
        case "not everyone":
            return Not(And(truths))
        case "nobody":
            return Not(Or(truths))
        case name:
            return truths[persons.number(name, sentence)]
