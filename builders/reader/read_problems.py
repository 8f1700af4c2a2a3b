"""The way back from the English of MindGames: a premise and a hypothesis become a Problem.

Each kind of sentence has one pattern in `english.txt`.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ..syntax.formula import (
    And,
    Atom,
    Common,
    Distributed,
    Formula,
    Knows,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    agent_name,
    at_least,
    exactly,
)
from .english import NAME, ReadError, pattern, pattern_of, table

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MOST = 26  # SMCDEL's agents are lettered a to z
_VISIBLE = "Everyone is visible to others."


class _Setup(NamedTuple):
    """Hold the sentences of a setup."""

    sees: str  # whose facts one sees: own, others, all, or cards for those that one is shown
    scene: str  # the sentence of its scene
    fact: str  # the pattern of whose fact it is, and whether it is negated
    first: str  # what is announced first
    counted: str  # the pattern of a fact behind a number
    own: str  # what everyone or nobody knows of themselves
    shown: str  # the pattern of what one person alone is shown


@cache
def _setups() -> dict[str, _Setup]:
    """Return the setups by their names."""
    return {name: _Setup(*columns) for name, *columns in table("setup")}


def _refused(refusal: str, **facts: object) -> ReadError:
    """Return the error for what is no published sentence, in the words of `english.txt`."""
    return ReadError(dict(table("refusal"))[refusal].format(**facts))


def read_problem(premise: str, hypothesis: str, names: Sequence[str] | None = None) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that a premise and a hypothesis pose, and the names of its agents by number.

    The agents are numbered as in `names`. Without `names` they are numbered in order of first appearance, premise
    first; those whom no sentence names come last and have no name. Raises ReadError, which quotes the sentence, for
    anything but the published sentences, for names that do not fit them, and for a premise whose first announcement is
    not "someone …".
    """
    first_sentence, *sentences = re.split(r"(?<=\.) ", premise.strip())
    count = _read_count(first_sentence, names)
    if sentences[:1] != [_VISIBLE]:
        raise _refused("visible", visible=_VISIBLE, premise=premise)
    scene = next((text for text in sentences[1:2] if text in {setup.scene for setup in _setups().values()}), "")
    sentences = sentences[2 if scene else 1 :]
    reader = _Reader(count, names)
    shown = reader.cards(sentences, scene)
    sentences = sentences[len(shown) :]
    setup = _read_setup(sentences[0] if sentences else "", scene, premise)
    reader.setup = _setups()[setup]
    announcements = tuple([reader.announcement(sentence) for sentence in sentences])
    knowledge = reader.hypothesis(hypothesis)
    return Problem(setup, _observed(reader.setup.sees, count, shown), announcements, knowledge), tuple(reader.names)


def _pair(card: re.Match[str]) -> tuple[str, str]:
    """Return whose card, or fact, is shown, and to whom."""
    names = card.groupdict()
    return names["owner"] or names["self"], names["viewer"] or names["self"]


def _observed(sees: str, count: int, shown: list[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the atoms that each person observes, in ascending order; the atom of person i is i + 1.

    sees: as in `_Setup`. shown: (whose card, who sees it).
    """
    own, others = sees in ("own", "all"), sees in ("others", "all")
    return tuple(
        tuple(other + 1 for other in range(count) if (own if agent == other else others) or (other, agent) in shown)
        for agent in range(count)
    )


def _read_count(sentence: str, names: Sequence[str] | None) -> int:
    """Return how many persons the first sentence counts. Raises ReadError where the caller's names do not fit."""
    match = re.fullmatch(r"There are (\w+) persons\.", sentence)
    counts = dict(zip(_COUNTS, range(2, 13), strict=True)) | {str(count): count for count in range(2, _MOST + 1)}
    count = counts.get(match[1]) if match else None
    if count is None:
        raise _refused("count", most=_MOST, sentence=sentence)
    if names is not None and (len(names) != count or len(set(names)) < count):
        raise _refused("names", count=count, names=", ".join(names), sentence=sentence)
    for name in names or ():
        if not re.fullmatch(NAME, name):
            raise _refused("name", name=name, sentence=sentence)
    return count


def _read_setup(sentence: str, scene: str, premise: str) -> str:
    """Return the setup to which the scene and the first announcement belong."""
    of_scene = {name: setup for name, setup in _setups().items() if setup.scene == scene}
    for name, setup in of_scene.items():
        if sentence.replace("’", "'") == f"It is publicly announced that {setup.first}.":
            return name
    firsts = " or ".join(repr(setup.first) for setup in of_scene.values())
    raise _refused("first", before=scene or _VISIBLE, firsts=firsts, sentence=sentence, premise=premise)


class _Reader:
    """Read the sentences of one problem, and give each of its persons a number.

    Attributes: `names`, by number; `setup`, what the sentences are about, once it is known; `sentence`, which is being
    read and which errors quote; `everyone`, the formal names of all persons, and `atoms`, their atoms.
    """

    setup: _Setup
    sentence: str

    def __init__(self, count: int, names: Sequence[str] | None) -> None:
        """Take the number of persons, and their names; None where the sentences are to name them."""
        self.count, self.names, self.fixed = count, list(names or ()), names is not None
        self.everyone = tuple(map(agent_name, range(count)))
        self.atoms = tuple(map(Atom, range(1, count + 1)))

    def number(self, name: str) -> int:
        """Return the number of a person; a new name gets the next number unless names are fixed."""
        if name not in self.names:
            if self.fixed or len(self.names) == self.count:
                facts = {"name": name, "names": ", ".join(self.names), "count": self.count, "sentence": self.sentence}
                raise _refused("stranger" if self.fixed else "many", **facts)
            self.names.append(name)
        return self.names.index(name)

    def cards(self, sentences: list[str], scene: str) -> list[tuple[int, int]]:
        """Return (whose card, who sees it) for each sentence up to the first that shows no card."""
        shown: list[tuple[int, int]] = []
        drawn = next(setup.scene for setup in _setups().values() if setup.sees == "cards")
        for self.sentence in sentences:
            card = pattern_of("sentence", "card").fullmatch(self.sentence)
            if card is None:
                break
            if scene != drawn:
                raise _refused("undrawn", drawn=drawn, sentence=self.sentence)
            owner, viewer = _pair(card)
            pair = self.number(owner), self.number(viewer)
            if pair in shown:
                raise _refused("again", sentence=self.sentence)
            shown.append(pair)
        return shown

    def announcement(self, sentence: str) -> Formula | Shown:
        """Return the formula that a sentence announces, or what it shows to one person."""
        self.sentence = sentence
        if match := pattern(self.setup.shown).fullmatch(sentence):
            owner, viewer = _pair(match)
            return Shown(agent_name(self.number(viewer)), self.number(owner) + 1)
        if match := pattern_of("sentence", "announcement").fullmatch(sentence):
            clause = match["clause"]
            return self.each(clause) or self.known(clause, common=Common, together=Distributed) or self.clause(clause)
        raise _refused("announcement", first=self.setup.first, sentence=sentence)

    def hypothesis(self, sentence: str) -> Formula:
        """Return the formula of a hypothesis, which is somebody's knowledge."""
        self.sentence = sentence
        claim = pattern_of("sentence", "knows").fullmatch(sentence.strip().removesuffix("."))
        if claim is None or not sentence.strip().endswith("."):
            raise _refused("hypothesis", first=self.setup.first, sentence=sentence)
        return self.clause(claim[0])

    def known(self, clause: str, **kinds: type[Knows] | type[Common] | type[Distributed]) -> Formula | None:
        """Return the formula of a clause about knowledge, given kinds of sentences; None for another clause."""
        for name, kind in kinds.items():
            if match := pattern_of("sentence", name).fullmatch(clause):
                knowledge: Knows | Common | Distributed
                if issubclass(kind, Knows):
                    agent = agent_name(self.number(match["agent"]))
                    knowledge = kind(agent, self.clause(match["clause"]), match["that"] is None)
                else:
                    knowledge = kind(self.everyone, self.clause(match["clause"]), match["that"] is None)
                return Not(knowledge) if match["negated"] else knowledge
        return None

    def each(self, clause: str) -> Formula | None:
        """Return the formula of a clause about what everyone or nobody knows, None for another clause."""
        match = pattern_of("sentence", "each").fullmatch(clause)
        if match is None:
            return None
        whether, own = match["that"] is None, match["clause"] == self.setup.own
        things = self.atoms if own else (self.clause(match["clause"]),) * self.count
        known = [Knows(agent, thing, whether) for agent, thing in zip(self.everyone, things, strict=True)]
        return And(tuple(map(Not, known) if match["nobody"] else known))

    def counted(self, clause: str) -> Formula | None:
        """Return the formula of a clause that counts whose fact is true, None for another clause."""
        match = pattern_of("sentence", "count").fullmatch(clause)
        if match is None or not pattern(self.setup.counted).fullmatch(match["counted"]):
            return None
        if match["odd"]:
            return Xor(self.atoms)
        words, (least, formula) = ("one", *_COUNTS), (1, exactly) if match["comparison"] == "exactly" else (2, at_least)
        number = words.index(match["number"]) + 1 if match["number"] in words else 0
        return formula(self.atoms, number) if least <= number < self.count else None

    def clause(self, clause: str) -> Formula:
        """Return the formula of a clause: what one person knows, to any depth, or a fact of the setup."""
        if formula := self.known(clause, knows=Knows) or self.counted(clause):
            return formula
        fact, first = pattern(self.setup.fact).fullmatch(clause), self.setup.first
        if fact is None:
            raise _refused("clause", clause=clause, sentence=self.sentence, first=first)
        truths = tuple(map(Not, self.atoms)) if fact["negated"] else self.atoms
        if fact["who"] == "everyone" and fact["negated"] == "not ":
            raise _refused("readings", clause=clause, sentence=self.sentence)
        some, every = Or(truths), And(truths)
        groups: dict[str, Formula] = {
            "someone": some,
            "everyone": every,
            "not everyone": Not(every),
            "nobody": Not(some),
        }
        return groups.get(fact["who"]) or truths[self.number(fact["who"])]
