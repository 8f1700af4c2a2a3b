"""Sets of worlds: the operations on them, and two representations, integers and decision diagrams.

A world is an assignment of truth values to n atoms. An atom has a position from 0 to n - 1.
Both representations offer `&`, `|` and `~`, and the few operations of `Bits`.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

Flips = Sequence[tuple[int, int]]  # for each of some atoms the worlds where it is true, and how far off the others are

MOST_BITS_ATOMS = 12  # most atoms of sets of worlds that are integers; over more they are decision diagrams


class Bits:
    """Hold sets of worlds over n atoms as integers of 2^n bits; what an integer says of higher bits means nothing.

    Bit w stands for the world in which the atom at position p is true exactly when w >> p & 1.
    The definition that this speeds up is `Explicit` in tests/logic/test_s5.py, which lists worlds one by one.
    """

    def __init__(self, n: int) -> None:
        self.nothing, self.everything = 0, (1 << (1 << n)) - 1
        # The worlds where the atom at position p is true: blocks of 2^p ones, every other block.
        self.where = [self.everything // ((1 << (1 << p)) + 1) << (1 << p) for p in range(n)]

    def project(self, positions: Iterable[int], worlds: int) -> int:
        """Return the worlds that are in the set for some values of the atoms at these positions."""
        return possible([(self.where[p], 1 << p) for p in positions], worlds)


class Diagrams:
    """Hold sets of worlds over n atoms as reduced ordered binary decision diagrams (package `dd`).

    The compiled engine, CUDD, is used where it is installed, the pure Python one elsewhere.
    """

    def __init__(self, n: int) -> None:
        try:
            from dd.cudd import BDD

            self._manager = BDD(initial_cache_size=1 << 14)  # it grows; to make CUDD's own choice takes 16 ms
        except ImportError:
            from dd.autoref import BDD

            self._manager = BDD()
        self._names = [f"p{p}" for p in range(n)]
        self._manager.declare(*self._names)
        self.nothing, self.everything = self._manager.false, self._manager.true
        self.where = [self._manager.var(name) for name in self._names]

    def project(self, positions: Iterable[int], worlds: Any) -> Any:
        """Return the worlds that are in the set for some values of the atoms at these positions."""
        return self._manager.exist([self._names[p] for p in positions], worlds)


bits = cache(Bits)  # return the sets of worlds over n atoms, made once a process: they hold no state


@lru_cache(maxsize=4096)
def flips_of(n: int, positions: tuple[int, ...]) -> Flips:
    """Return for each of some atoms the worlds of n atoms where it is true, and how far off the others are."""
    return tuple([(bits(n).where[p], 1 << p) for p in positions])


def possible(flips: Flips, worlds: int) -> int:
    """Return the worlds that differ from some of these at most in the atoms of `flips`."""
    for true, shift in flips:
        worlds |= (worlds & true) >> shift | (worlds << shift) & true
    return worlds


def where_known(sets: Any, worlds: Any, law: Any, hidden: Iterable[int]) -> Any:
    """Return the worlds where an agent knows that the actual world is in `worlds`.

    The agent cannot see the atoms at the positions `hidden`, and takes every world of `law` for possible.
    """
    return ~sets.project(hidden, law & ~worlds)
