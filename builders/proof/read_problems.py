"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name
from builders.proof.english import _NAME, ReadError

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


_MOST = 26  # agents are lettered a to z


_VISIBLE = "Everyone is visible to others."


_MIRROR = "There is a mirror in the room."


_DRAW = "Each person draws a card, face unrevealed (red or black)."


# The data say "shown", the paper "revealed".
_SHOWN = re.compile(rf"(?P<whose>{_NAME})['’]s card is (?:shown|revealed) to (?P<viewer>{_NAME})\.")


_SAID = re.compile(r"It is publicly announced that (?P<clause>.+)\.")


_WHO = rf"(?P<who>someone|everyone|not everyone|nobody|{_NAME})"


_MUDDY = re.compile(rf"{_WHO}['’]s forehead is (?P<negated>not )?muddy")


_THIRSTY = re.compile(rf"{_WHO} is (?P<negated>not )?thirsty")


_RED = re.compile(rf"{_WHO} picked a (?:red|(?P<negated>black)) card")


# Each setup: what its premise says of the scene, how its facts are told, and the first of them to be announced.
_SCENES = {
    "forehead": ("", _MUDDY, "someone's forehead is muddy"),
    "forehead_mirror": (_MIRROR, _MUDDY, "someone's forehead is muddy"),
    "internal": ("", _THIRSTY, "someone is thirsty"),
    "explicit": (_DRAW, _RED, "someone picked a red card"),
}


# The data say "knows" and "does not know" in announcements, "can now know" and then "can know" in hypotheses; the
# paper adds "cannot know". Knowing is the same in all of them.
_KNOWS = re.compile(
    rf"(?P<agent>{_NAME}) (?:knows|can know|can now know|(?P<negated>does not know|cannot know|cannot now know)) "
    r"(?:(?P<that>that)|whether or not|whether) (?P<of>.+)"
)


@dataclass(slots=True)
class _Persons:
    """Hold the names of a premise's persons by number; where they were not given, they are learned as they appear."""

    count: int
    names: list[str]
    given: bool

    def number(self, name: str, sentence: str) -> int:
        """Return the number of a person, a new one's too where names are learned."""
        if name not in self.names:
            if self.given:
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

    The agents are numbered as in `names`; without it, in order of first appearance (premise first), and those whom
    no sentence names come last and have no name. Raises ReadError, which quotes the sentence, for anything but the
    published sentences, for names that do not fit them, and for a premise that does not first announce "someone …".
    """
    counted, *sentences = re.split(r"(?<=\.) ", premise.strip())
    persons = _read_persons(counted, names)
    if sentences[:1] != [_VISIBLE]:
        raise ReadError(f"the second sentence of a premise is {_VISIBLE!r}: {premise!r}")
    scene = sentences[1] if sentences[1:2] in ([_MIRROR], [_DRAW]) else ""
    said = sentences[2 if scene else 1 :]
    shown = _read_cards(said, scene, persons)
    said = said[len(shown) :]
    setup = _read_setup(said[0] if said else "", scene, premise)

    everyone = range(persons.count)
    match setup:
        case "forehead":
            sees = [set(everyone) - {agent} for agent in everyone]
        case "forehead_mirror":
            sees = [set(everyone) for _ in everyone]
        case "internal":
            sees = [{agent} for agent in everyone]
        case "explicit":
            sees = [{whose for whose, viewer in shown if viewer == agent} for agent in everyone]
        case _:
            raise TypeError(f"no such setup: {setup!r}")

    announcements = []
    for sentence in said:
        announced = _SAID.fullmatch(sentence)
        if announced is None:
            raise ReadError(
                f"not an announcement, such as 'It is publicly announced that {_SCENES[setup][2]}.': {sentence!r}"
            )
        announcements.append(_read_clause(announced["clause"], sentence, setup, persons))
    asked = _KNOWS.fullmatch(hypothesis.strip().removesuffix("."))
    if asked is None or not hypothesis.strip().endswith("."):
        raise ReadError(
            "a hypothesis says what one person knows, as in "
            f"'Mary can now know whether Jack can know that {_SCENES[setup][2]}.': {hypothesis!r}"
        )
    claimed = _read_clause(asked[0], hypothesis, setup, persons)
    observed = tuple(tuple(sorted(other + 1 for other in others)) for others in sees)
    return Problem(setup, observed, tuple(announcements), claimed), tuple(persons.names)


def _read_persons(sentence: str, names: Sequence[str] | None) -> _Persons:
    """Return how many persons there are, with the names that are given for them."""
    counted = re.fullmatch(r"There are (\w+) persons\.", sentence)
    word = counted[1] if counted else ""
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
        return _Persons(count, [], given=False)
    if len(names) != count or len(set(names)) < count:
        raise ReadError(f"{count} different names are right, not ({', '.join(names)}): {sentence!r}")
    for name in names:
        if not re.fullmatch(_NAME, name):
            raise ReadError(f"a name is one word with a capital, as 'Mary', not {name!r}: {sentence!r}")
    return _Persons(count, list(names), given=True)


def _read_cards(sentences: list[str], scene: str, persons: _Persons) -> list[tuple[int, int]]:
    """Return (whose card, who sees it) for the sentences up to the first that shows none; one may see one's own."""
    shown = []
    for sentence in sentences:
        card = _SHOWN.fullmatch(sentence)
        if card is None:
            break
        if scene != _DRAW:
            raise ReadError(f"no card is shown before it is drawn, {_DRAW!r}: {sentence!r}")
        pair = persons.number(card["whose"], sentence), persons.number(card["viewer"], sentence)
        if pair in shown:
            raise ReadError(f"a card is shown to a person once: {sentence!r}")
        shown.append(pair)
    return shown


def _read_setup(sentence: str, scene: str, premise: str) -> str:
    """Return the setup to which the scene and the first announcement belong."""
    announced = _SAID.fullmatch(sentence)
    if announced:
        for setup, (its_scene, facts, _) in _SCENES.items():
            fact = facts.fullmatch(announced["clause"])
            if its_scene == scene and fact and fact["who"] == "someone" and not fact["negated"]:
                return setup
    known = " or ".join(repr(first) for its_scene, _, first in _SCENES.values() if its_scene == scene)
    raise ReadError(
        f"after {scene or _VISIBLE!r} the first thing to be publicly announced is {known}, "
        f"not {sentence!r}: {premise!r}"
    )


def _read_clause(clause: str, sentence: str, setup: str, persons: _Persons) -> Formula:
    """Return what a clause says: what one person knows, to any depth, or a fact of the setup."""
    if known := _KNOWS.fullmatch(clause):
        agent = agent_name(persons.number(known["agent"], sentence))
        of = _read_clause(known["of"], sentence, setup, persons)
        knowing = Knows(agent, of) if known["that"] else KnowsWhether(agent, of)
        return Not(knowing) if known["negated"] else knowing
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
