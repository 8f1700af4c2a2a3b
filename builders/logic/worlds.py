"""Own the meaning of epistemic logic, embedded: which worlds make a formula true.

A set of worlds is one Python integer of 2^N bits (bit w is the world in which atom at position p is true when w >> p
& 1), or a decision diagram when there are many atoms; both offer `&`, `|` and the few operations of `Bits`. A formula
is a set of worlds over *all* assignments, in a model whose worlds are `law`: public announcement restricts the law, and
an agent knows what holds however the atoms hidden from him vary within it, as in knowledge structures (van Benthem,
van Eijck, Gattinger, Su: Symbolic Model Checking for Dynamic Epistemic Logic, S5 and Beyond, section 2).
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

BITS = 12
"""Up to so many atoms a set of worlds is an integer; above, a decision diagram."""


class Bits:
    """Hold sets of worlds over n atoms as integers of 2^n bits."""

    def __init__(self, n: int) -> None:
        self.nothing, self.everything = 0, (1 << (1 << n)) - 1
        # The worlds where the atom at position p is true: blocks of 2^p ones, every other block.
        self.where = [self.everything // ((1 << (1 << p)) + 1) << (1 << p) for p in range(n)]

    def complement(self, worlds: int) -> int:
        """Return the other worlds."""
        return self.everything ^ worlds

    def project(self, positions: Iterable[int], worlds: int) -> int:
        """Return the worlds that are in the set for some values of the atoms at these positions."""
        for p in positions:
            true = self.where[p]
            worlds |= (worlds & true) >> (1 << p) | (worlds << (1 << p)) & true
        return worlds


class Diagrams:
    """Hold sets of worlds over n atoms as binary decision diagrams, by the compiled engine where there is one."""

    def __init__(self, n: int) -> None:
        try:
            import dd.cudd as engine
        except ImportError:
            import dd.autoref as engine
        self._manager = engine.BDD()
        self._names = [f"p{p}" for p in range(n)]
        self._manager.declare(*self._names)
        self.nothing, self.everything = self._manager.false, self._manager.true
        self.where = [self._manager.var(name) for name in self._names]

    def complement(self, worlds: Any) -> Any:
        """Return the other worlds."""
        return ~worlds

    def project(self, positions: Iterable[int], worlds: Any) -> Any:
        """Return the worlds that are in the set for some values of the atoms at these positions."""
        return self._manager.exist([self._names[p] for p in positions], worlds)


@cache
def bits(n: int) -> Bits:
    """Return the integers over n atoms, made once."""
    return Bits(n)


def known(worlds: Any, here: Any, law: Any, unseen: Iterable[int]) -> Any:
    """Return where it is known that the world is in `here`: nowhere in the law is it otherwise, unseen."""
    return worlds.complement(worlds.project(unseen, law & worlds.complement(here)))


def known_whether(worlds: Any, here: Any, law: Any, unseen: Iterable[int]) -> Any:
    """Return where it is known whether the world is in `here`: not both cases may be."""
    both = worlds.project(unseen, law & here) & worlds.project(unseen, law & worlds.complement(here))
    return worlds.complement(both)
