"""What an explanation of a puzzle in rounds must say: who answers yes in each round, what is left, and the answer.

Its sentences are written by hand from docs/reference/explanations.md and never look at the templates. What is so comes
from `puzzle_rounds`, which lists worlds one by one.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..syntax.formula import Atom, Knows, Not
from ..syntax.rounds import First, Later, Puzzle
from .english import ReadError, listed, pattern_of, table
from .expected import ExpectedSteps
from .puzzle_rounds import answers, holds, where, worlds_after
from .read_puzzles import read_puzzle


def known_steps(row: Mapping[str, Any]) -> ExpectedSteps:
    """Return what an explanation of a row must say. Raises ReadError for a row that cannot be read."""
    return _known_steps(row["premise"], row["hypothesis"], tuple(row["names"]))


@lru_cache(maxsize=64)  # many texts about one row follow one another
def _known_steps(premise: str, hypothesis: str, names: tuple[str, ...]) -> ExpectedSteps:
    """Work out what `known_steps` returns."""
    puzzle, supposed = read_puzzle(premise, hypothesis, names)
    told = answers(puzzle)
    if isinstance(supposed, First):
        first = told.first(supposed.person)
        name, rounds = names[supposed.person], first or len(told.yes)
        end = [f"{name} first answers yes in round {first}."]
        if not first:
            end = [
                f"Round {rounds} rules out no world, so no later round changes anything.",
                f"{name} never answers yes.",
            ]
    else:
        rounds = supposed.rounds
        end = _knowledge(puzzle, supposed, names)
    steps = [f"Before round 1, worlds possible: {told.n_worlds[0]}."]
    for number in range(1, rounds + 1):
        yes = told.of_round(number)
        who = f"yes from {listed([names[person] for person in yes])}, no from all others" if yes else "no from all"
        who = "yes from all" if len(yes) == len(names) else who
        steps.append(f"Round {number}: {who}; worlds left: {len(worlds_after(puzzle, number))}.")
    answer = f"Answer: {holds(puzzle, supposed)}"
    return ExpectedSteps([*steps, *end], answer, pattern_of("step", "problem"), anywhere=frozenset())


def _knowledge(puzzle: Puzzle, supposed: Later, names: tuple[str, ...]) -> list[str]:
    """Return the steps about a hypothesis that says what somebody knows, the innermost first."""
    worlds, part, levels = worlds_after(puzzle, supposed.rounds), supposed.formula, []
    while isinstance(knowledge := part.formula if isinstance(part, Not) else part, Knows):
        levels.append((part, knowledge))
        part = knowledge.formula
    if not isinstance(part, Atom):
        raise ReadError(f"{supposed!r} is not about whether somebody is marked; expected a hypothesis that is")
    so = next(mark[4] for mark in table("mark") if mark[0] == puzzle.setup)
    fact = f"{names[part.number - 1]} {so}"
    steps = [f"In {len(where(puzzle, worlds, part))} of the {len(worlds)} worlds left {fact}."]
    for whole, knowledge in reversed(levels):
        knower = names[ord(knowledge.agent[-1]) - ord("a")]
        knows = "does not know" if isinstance(whole, Not) else "knows"
        link = "whether" if knowledge.whether else "that"
        there = len(where(puzzle, worlds, whole))
        steps.append(f"In {there} of these {len(worlds)} worlds {knower} {knows} {link} this is so.")
    real = frozenset(puzzle.marked) in where(puzzle, worlds, supposed.formula)
    return [*steps, f"The real world is {'one' if real else 'none'} of them."]
