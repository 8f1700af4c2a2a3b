"""What the persons of a puzzle in rounds answer, by sets of worlds that are integers.

Sets of worlds are those of `worlds.Bits`. `by_worlds` plays a puzzle for all worlds at once; the definition that it
speeds up is `reader.puzzle_rounds`, which lists worlds one by one.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..syntax.rounds import Answers, Puzzle
from .worlds import Flips, flips_of, possible


class Sight(NamedTuple):
    """Hold who sees whom, as sets of worlds need it."""

    own: Flips  # for each person the worlds in which this one is marked, and how far off the others are
    unseen: list[Flips]  # for each person the same of all others whom this one does not see


@lru_cache(maxsize=1 << 10)
def sight_of(sees: tuple[tuple[int, ...], ...]) -> Sight:
    """Return what persons see of one another, given for each the persons whom this one sees."""
    n = len(sees)
    unseen = [tuple([other for other in range(n) if other not in (person, *seen)]) for person, seen in enumerate(sees)]
    return Sight(flips_of(n, tuple(range(n))), [flips_of(n, hidden) for hidden in unseen])


@lru_cache(maxsize=1 << 10)
def worlds_with(counts: tuple[int, ...], n: int) -> int:
    """Return the worlds of n persons in which as many are marked as one of `counts` says."""
    return sum([1 << world for world in range(1 << n) if world.bit_count() in counts])


def world_of(marked: tuple[int, ...]) -> int:
    """Return the number of the world in which exactly these persons are marked."""
    return sum([1 << person for person in marked])


def yes_worlds(sight: Sight, law: int, person: int) -> int:
    """Return the possible worlds in which a person would answer yes.

    These look like no possible world in which the person is marked where this is not so, or the other way round.
    """
    marked, shift = sight.own[person]
    alike = possible(sight.unseen[person], law)
    return law & ~((alike & marked) >> shift | (alike << shift) & marked)


def play(puzzle: Puzzle) -> Answers:
    """Return what the persons of a puzzle answer, round by round, until a round tells nobody anything."""
    n = len(puzzle.sees)
    sight, law = sight_of(puzzle.sees), worlds_with(puzzle.counts, n)
    actual = 1 << world_of(puzzle.marked)
    yes: list[tuple[int, ...]] = []
    n_worlds: list[int] = []
    knowing: set[int] = set()
    while True:
        n_worlds.append(law.bit_count())
        left = law
        for person in set(range(n)) - knowing:  # who knows once knows for ever
            worlds = yes_worlds(sight, law, person)
            if worlds & actual:
                knowing.add(person)
            left &= worlds if worlds & actual else ~worlds
        yes.append(tuple(sorted(knowing)))
        if left == law:
            return Answers(tuple(yes), tuple(n_worlds))
        law = left


def laws(puzzle: Puzzle, rounds: int) -> list[int]:
    """Return the worlds that are possible for all before the first round, and after each of some rounds."""
    sight, law = sight_of(puzzle.sees), worlds_with(puzzle.counts, len(puzzle.sees))
    actual, left = 1 << world_of(puzzle.marked), [law]
    for _ in range(rounds):
        for person in range(len(puzzle.sees)):
            worlds = yes_worlds(sight, left[-1], person)
            law &= worlds if worlds & actual else ~worlds
        left.append(law)
    return left


def by_worlds(
    sees: tuple[tuple[int, ...], ...], counts: tuple[int, ...], most: int | None = None
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield the worlds of a law in groups whose persons answer alike in every round, with when they first say yes.

    Each group is (worlds, for each person the round of the first yes or 0, how many rounds until nothing changes).
    most: how many rounds are worked out, None for all. A group that the last of them changed has one round more.
    """
    n = len(sees)
    sight = sight_of(sees)
    waiting = [(worlds_with(counts, n), (0,) * n, 1)]
    while waiting:
        law, first, number = waiting.pop()
        if most is not None and number > most:
            yield law, first, number
            continue
        if law & (law - 1) == 0:  # in the only world that is left all know everything
            yield law, tuple([known or number for known in first]), number
            continue
        cells = [(law, 0)]  # with the persons who answer yes for the first time, as bits
        for person in [person for person, known in enumerate(first) if not known]:  # who knows once knows for ever
            if worlds := yes_worlds(sight, law, person):
                knowing = [(cell & worlds, new | 1 << person) for cell, new in cells if cell & worlds]
                cells = knowing + [(cell & ~worlds, new) for cell, new in cells if cell & ~worlds]
        if len(cells) == 1:
            _, new = cells[0]
            yield law, _with(first, new, number), number
        else:
            waiting += [(cell, _with(first, new, number), number + 1) for cell, new in cells]


def _with(first: tuple[int, ...], new: int, number: int) -> tuple[int, ...]:
    """Return when each person first says yes, given those who do so in a round, as bits."""
    return tuple([number if new >> person & 1 else known for person, known in enumerate(first)]) if new else first
