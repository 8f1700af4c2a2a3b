"""Puzzles in rounds, and what may be asked of them: the abstract syntax of the config `rounds`.

A puzzle is about persons who are *marked* or not: they have mud on the forehead, wear a red hat, have a star on the
back of their badge. All are asked again and again, at the same moment, whether they know whether they are marked.
"""

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import NamedTuple

from .formula import (
    And,
    Announce,
    Atom,
    Common,
    Formula,
    Not,
    Or,
    Structure,
    Top,
    Xor,
    agent_name,
    at_least,
    exactly,
    knows_whether,
)

# The setups of puzzles: what is to be known of oneself. Each has the number by which its rows are numbered, which never
# changes.
MARK_NUMBERS = {"foreheads": 0, "hats": 1, "badges": 2}
MARKS = tuple(MARK_NUMBERS)


class Puzzle(NamedTuple):
    """Hold who sees whom, how many may be marked, and who is. Persons are counted from 0, person i has atom i + 1."""

    setup: str  # one of MARKS
    sees: tuple[tuple[int, ...], ...]  # for each person the persons whom this one sees, ascending; never oneself
    counts: tuple[int, ...]  # how many may be marked, by what all know before the first round; ascending
    marked: tuple[int, ...]  # who is marked, ascending; as many as one of `counts`


class First(NamedTuple):
    """Say that a person answers yes for the first time in a round, or never."""

    person: int
    round: int  # from 1; 0 for never


class Later(NamedTuple):
    """Say that a formula, which is somebody's knowledge, holds after some rounds."""

    rounds: int  # how many, from 1
    formula: Formula


Supposed = First | Later  # what a hypothesis says


@dataclass(frozen=True, slots=True)
class Answers:
    """Hold what a puzzle's persons answer, up to the round after which no round changes anything."""

    yes: tuple[tuple[int, ...], ...]  # for each round who answers yes, ascending; the last round tells nobody anything
    n_worlds: tuple[int, ...]  # how many worlds are possible for all before each of these rounds

    def first(self, person: int) -> int:
        """Return the round in which a person first answers yes, from 1; 0 for never."""
        return next((number for number, yes in enumerate(self.yes, 1) if person in yes), 0)

    def of_round(self, number: int) -> tuple[int, ...]:
        """Return who answers yes in a round, from 1; rounds without an end are as the last one."""
        return self.yes[min(number, len(self.yes)) - 1]


def law_of(counts: tuple[int, ...], n: int) -> Formula:
    """Return that as many of n atoms are true as one of `counts` says, in as few words as it can."""
    atoms = tuple([Atom(number) for number in range(1, n + 1)])
    if counts == tuple(range(n + 1)):
        return Top()
    if counts in (tuple(range(1, n + 1, 2)), tuple(range(0, n + 1, 2))):
        return Xor(atoms) if counts[0] else Not(Xor(atoms))
    if counts == tuple(range(counts[0], counts[-1] + 1)):
        bounds = [at_least(atoms, counts[0])] if counts[0] else []
        bounds += [Not(at_least(atoms, counts[-1] + 1))] if counts[-1] < n else []
        return bounds[0] if len(bounds) == 1 else And(tuple(bounds))
    return Or(tuple([_exactly(atoms, count) for count in counts]))


def _exactly(atoms: tuple[Atom, ...], count: int) -> Formula:
    """Return that a number of atoms are true; none and all of them, too."""
    if count in (0, len(atoms)):
        return And(atoms) if count else Not(Or(atoms))
    return exactly(atoms, count)


def structure_of(puzzle: Puzzle) -> Structure:
    """Return the knowledge structure before the first round.

    SMCDEL has no syntax for an agent who observes nothing. A person who sees nobody observes atom 0, which the law
    makes false.
    """
    n = len(puzzle.sees)
    law, blind = law_of(puzzle.counts, n), not all(puzzle.sees)
    return Structure(
        tuple(range(0 if blind else 1, n + 1)),
        And((Not(Atom(0)), law)) if blind else law,
        tuple(
            (agent_name(person), tuple(other + 1 for other in seen) or (0,)) for person, seen in enumerate(puzzle.sees)
        ),
    )


def state_of(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the atoms that are in fact true."""
    return tuple(person + 1 for person in puzzle.marked)


@lru_cache(maxsize=16)
def says_yes(person: int) -> Formula:
    """Return that a person knows whether this very person is marked."""
    return knows_whether(agent_name(person), Atom(person + 1))


@lru_cache(maxsize=1 << 10)
def answers_of(yes: tuple[int, ...], n: int) -> Formula:
    """Return the formula that these persons, and no others of n, would answer yes."""
    return And(tuple([says_yes(person) if person in yes else Not(says_yes(person)) for person in range(n)]))


def formula_of(supposed: Supposed, answers: Answers, n: int) -> Formula:
    """Return what is true where a puzzle's n persons give these answers, and a hypothesis about them holds.

    Each round's answers are announced, and held to be true just before. That a person *never* answers yes needs the
    rounds up to the one whose answers are common knowledge before they are given: no later round changes anything.
    """
    if isinstance(supposed, Later):
        return _after(supposed.rounds, answers, n, Top(), supposed.formula)
    unknown: Formula = Not(says_yes(supposed.person))
    if supposed.round:
        return _after(supposed.round - 1, answers, n, unknown, says_yes(supposed.person))
    everybody, last = tuple(map(agent_name, range(n))), len(answers.yes)
    settled = Common(everybody, answers_of(answers.of_round(last), n))
    return _after(last - 1, answers, n, unknown, And((unknown, settled)))


def truthful(answers: Answers, rounds: int, n: int) -> Formula:
    """Return that n persons do give these answers, in as many rounds."""
    return _after(rounds, answers, n, Top(), Top())


def _after(rounds: int, answers: Answers, n: int, before: Formula, formula: Formula) -> Formula:
    """Return that a formula holds after some rounds, `before` before each, and that each round's answers are true."""
    said = [answers_of(answers.of_round(number), n) for number in range(1, rounds + 1)]

    def announced(after: Formula, answers: Formula) -> Formula:
        """Return that some answers are true and, once they are given, so is what comes after."""
        true = Not(Announce(answers, Not(after)))
        return And((before, true)) if before != Top() else true

    return reduce(announced, reversed(said), formula)


def n_rounds(supposed: Supposed, answers: Answers) -> int:
    """Return how many rounds must be worked out to judge a hypothesis.

    Up to the round of a person's first yes, or the last that `Answers` has where there is none; or those that it names.
    """
    if isinstance(supposed, Later):
        return supposed.rounds
    return answers.first(supposed.person) or len(answers.yes)
