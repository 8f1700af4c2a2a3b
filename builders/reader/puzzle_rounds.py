"""The second meaning of puzzles in rounds, by explicit sets of worlds: who answers yes in which round.

`tom_datasets.logic.rounds` packs a set of worlds into one integer and plays all worlds at once. Here a world is the set
of those who are marked in it, and a round leaves the worlds in which everybody would have answered the same. The two
share no code beyond the syntax.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from ..syntax.formula import Atom, Formula, Knows, Not
from ..syntax.rounds import Answers, First, Puzzle, Supposed

World = frozenset[int]  # who is marked


@lru_cache(maxsize=1 << 10)
def possibilities(puzzle: Puzzle) -> tuple[frozenset[World], ...]:
    """Return the worlds that are possible for all before each round, up to the first round that leaves them all."""
    everybody, actual = range(len(puzzle.sees)), frozenset(puzzle.marked)
    worlds = frozenset(frozenset(some) for size in puzzle.counts for some in combinations(everybody, size))
    if actual not in worlds:
        raise ValueError(f"{len(actual)} are marked; expected as many as one of {puzzle.counts}")
    before = [worlds]
    while True:
        answers = _answers(puzzle, before[-1])
        left = frozenset(world for world in before[-1] if answers[world] == answers[actual])
        if left == before[-1]:
            return tuple(before)
        before.append(left)


def _answers(puzzle: Puzzle, worlds: Iterable[World]) -> dict[World, frozenset[int]]:
    """Return who would answer yes in each of some worlds, if these are all that are possible."""
    yes: dict[World, set[int]] = {world: set() for world in worlds}
    for person, seen in enumerate(puzzle.sees):
        alike: dict[World, list[World]] = {}
        for world in yes:
            alike.setdefault(world.intersection(seen), []).append(world)
        for group in alike.values():
            if len({person in world for world in group}) == 1:
                for world in group:
                    yes[world].add(person)
    return {world: frozenset(persons) for world, persons in yes.items()}


@lru_cache(maxsize=1 << 10)
def answers(puzzle: Puzzle) -> Answers:
    """Return what the persons answer, round by round, until a round tells nobody anything."""
    before, actual = possibilities(puzzle), frozenset(puzzle.marked)
    yes = tuple(tuple(sorted(_answers(puzzle, worlds)[actual])) for worlds in before)
    return Answers(yes, tuple(map(len, before)))


def worlds_after(puzzle: Puzzle, rounds: int) -> frozenset[World]:
    """Return the worlds that are possible for all after some rounds."""
    before = possibilities(puzzle)
    return before[min(rounds, len(before) - 1)]


def holds(puzzle: Puzzle, supposed: Supposed) -> bool:
    """Return whether a hypothesis about a puzzle is true."""
    if isinstance(supposed, First):
        return answers(puzzle).first(supposed.person) == supposed.round
    return frozenset(puzzle.marked) in where(puzzle, worlds_after(puzzle, supposed.rounds), supposed.formula)


def where(puzzle: Puzzle, worlds: frozenset[World], formula: Formula) -> frozenset[World]:
    """Return in which of some worlds, if these are all possible ones, a formula about knowledge and marks is true."""
    match formula:
        case Atom(number):
            return frozenset(world for world in worlds if number - 1 in world)
        case Not(inner):
            return worlds - where(puzzle, worlds, inner)
        case Knows(agent, inner, whether):
            seen = puzzle.sees[ord(agent[-1]) - ord("a")]
            true = where(puzzle, worlds, inner)
            views, others = ({world.intersection(seen) for world in side} for side in (true, worlds - true))
            doubtful = views & others
            return frozenset(
                world for world in (worlds if whether else true) if world.intersection(seen) not in doubtful
            )
        case _:
            raise TypeError(f"not a formula of a puzzle: {formula!r}; expected knowledge of whether somebody is marked")
