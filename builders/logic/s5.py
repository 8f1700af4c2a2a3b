"""Own the meaning of epistemic logic, embedded: which worlds make a formula true.

A set of worlds is one Python integer of 2^N bits (bit w is the world in which atom at position p is true when w >> p
& 1), or a decision diagram when there are many atoms; both offer `&`, `|` and the few operations of `Bits`. A formula
is a set of worlds over *all* assignments, in a model whose worlds are `law`: public announcement restricts the law, and
an agent knows what holds however the atoms hidden from him vary within it, as in knowledge structures (van Benthem,
van Eijck, Gattinger, Su: Symbolic Model Checking for Dynamic Epistemic Logic, S5 and Beyond, section 2).
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from builders.logic.formula import (
    And,
    Announce,
    AnnounceTo,
    AnnounceWhether,
    AnnounceWhetherTo,
    Atom,
    Bot,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)
from builders.logic.worlds import BITS, Diagrams, bits, known, known_whether


@lru_cache(maxsize=4096)
def frame(
    atoms: tuple[int, ...], observes: tuple[tuple[str, tuple[int, ...]], ...], n: int
) -> tuple[dict[int, int], dict[str, tuple[int, ...]]]:
    """Return the position of each atom, and the positions, of n, that are hidden from each agent; not to be changed.

    Many problems share them. Raises ValueError for an agent who observes what is no atom.
    """
    position = {atom: index for index, atom in enumerate(atoms)}
    hidden = {}
    for agent, observed in observes:
        for atom in observed:
            if atom not in position:
                raise ValueError(f"an agent observes atom {atom}, the structure has {list(atoms)}")
        unseen = [index for atom, index in position.items() if atom not in observed]
        hidden[agent] = (*unseen, *range(len(atoms), n))
    return position, hidden


class Checker:
    """Answer which formulas hold where in a knowledge structure.

    Raises ValueError for atoms or agents that the structure does not have. `sets` makes the sets of worlds for a number
    of atoms: `bits` or `Diagrams`, chosen by that number where it is not given.
    """

    def __init__(self, structure: Structure, sets: Callable[[int], Any] | None = None) -> None:
        self._structure = structure
        self._sets = sets
        self._prepare(0)

    def _prepare(self, told: int) -> None:
        """Make the sets of worlds, with so many atoms kept free for announcements to groups."""
        structure = self._structure
        n = len(structure.atoms) + told
        self._worlds = (self._sets or (bits if n <= BITS else Diagrams))(n)
        self._position, self._hidden = frame(structure.atoms, structure.observes, n)
        self._free = list(range(n - told, n))
        self.law = self._worlds.everything
        if not isinstance(structure.law, Top):
            self.law = self._everywhere(structure.law)

    def truth(self, formula: Formula, law: Any, hidden: dict[str, tuple[int, ...]]) -> Any:
        """Return the worlds where the formula is true, in the model with these worlds and hidden atoms."""
        worlds = self._worlds
        match formula:
            case Atom(number):
                return worlds.where[self._position[number]]
            case Not(of):
                return worlds.complement(self.truth(of, law, hidden))
            case Or(of):
                here = worlds.nothing
                for each in of:
                    here = here | (
                        worlds.where[self._position[each.number]]
                        if type(each) is Atom  # half of all parts are: look them up without a call
                        else self.truth(each, law, hidden)
                    )
                return here
            case Announce(said, then):
                heard = self.truth(said, law, hidden)
                return worlds.complement(heard) | self.truth(then, law & heard, hidden)
            case KnowsWhether(agent, of):
                return known_whether(self._worlds, self.truth(of, law, hidden), law, hidden[agent])
            case Knows(agent, of):
                return known(self._worlds, self.truth(of, law, hidden), law, hidden[agent])
            case And(of):
                here = worlds.everything
                for each in of:
                    here = here & (
                        worlds.where[self._position[each.number]]
                        if type(each) is Atom
                        else self.truth(each, law, hidden)
                    )
                return here
            case Top():
                return worlds.everything
            case Bot():
                return worlds.nothing
            case Implies(when, then):
                return worlds.complement(self.truth(when, law, hidden)) | self.truth(then, law, hidden)
            case Iff(left, right):
                return self._same(self.truth(left, law, hidden), self.truth(right, law, hidden))
            case Xor(of):
                here = worlds.nothing
                for each in of:
                    here = worlds.complement(self._same(here, self.truth(each, law, hidden)))
                return here
            case OneOf(of):
                one = two = worlds.nothing
                for each in of:
                    here = self.truth(each, law, hidden)
                    one, two = one | here, two | one & here
                return one & worlds.complement(two)
            case Forall(atoms, of):
                fails = worlds.complement(self.truth(of, law, hidden))
                return worlds.complement(worlds.project([self._position[atom] for atom in atoms], fails))
            case Exists(atoms, of):
                return worlds.project([self._position[atom] for atom in atoms], self.truth(of, law, hidden))
            case Common(agents, of):
                return self._common(self.truth(of, law, hidden), law, agents, hidden)
            case CommonWhether(agents, of):
                here = self.truth(of, law, hidden)
                other = worlds.complement(here)
                return self._common(here, law, agents, hidden) | self._common(other, law, agents, hidden)
            case Distributed(agents, of):
                return known(self._worlds, self.truth(of, law, hidden), law, self._unseen_by_all(agents, hidden))
            case DistributedWhether(agents, of):
                return known_whether(
                    self._worlds, self.truth(of, law, hidden), law, self._unseen_by_all(agents, hidden)
                )
            case AnnounceWhether(said, then):
                heard = self.truth(said, law, hidden)
                unheard = worlds.complement(heard)
                return heard & self.truth(then, law & heard, hidden) | unheard & self.truth(then, law & unheard, hidden)
            case AnnounceTo(agents, said, then):
                heard = self.truth(said, law, hidden)
                return worlds.complement(heard) | self._after_telling(agents, heard, then, law, hidden)
            case AnnounceWhetherTo(agents, said, then):
                heard = self.truth(said, law, hidden)
                unheard = worlds.complement(heard)
                after = heard & self._after_telling(agents, heard, then, law, hidden)
                return after | unheard & self._after_telling(agents, unheard, then, law, hidden)
            case _:
                raise TypeError(f"no such formula: {formula!r}")

    def valid(self, formula: Formula) -> bool:
        """Return whether the formula is true in every world of the structure."""
        here = self._everywhere(formula)
        return self.law & self._worlds.complement(here) == self._worlds.nothing

    def where(self, formula: Formula) -> list[tuple[int, ...]]:
        """Return the worlds of the structure where the formula is true, each as its true atoms.

        Worlds come in the order of SMCDEL: counting in binary, the first atom the most significant.
        """
        here = self._everywhere(formula) & self.law
        atoms = self._structure.atoms
        worlds = self._worlds
        found: list[tuple[int, ...]] = []

        def walk(position: int, within: Any, true: tuple[int, ...]) -> None:
            if within == worlds.nothing:
                return
            if position == len(atoms):
                found.append(true)
                return
            split = worlds.where[position]
            walk(position + 1, within & worlds.complement(split), true)
            walk(position + 1, within & split, (*true, atoms[position]))

        walk(0, here, ())
        return found

    def true_at(self, state: Iterable[int], formula: Formula) -> bool:
        """Return whether the formula is true where exactly these atoms are, which need not be a world of the law."""
        here = self._everywhere(formula)
        try:
            true = {self._position[atom] for atom in state}
        except KeyError as error:
            raise self._missing(error) from None
        worlds = self._worlds
        for position in range(len(self._structure.atoms)):
            split = worlds.where[position]
            here = here & (split if position in true else worlds.complement(split))
        return here != worlds.nothing

    def _everywhere(self, formula: Formula) -> Any:
        """Return where a formula is true, after making room for announcements to groups within one another."""
        while True:
            try:
                return self.truth(formula, self.law, self._hidden)
            except NoRoomError as full:
                self._prepare(full.args[0])
            except KeyError as error:
                raise self._missing(error) from None

    def _missing(self, error: KeyError) -> ValueError:
        """Return the error for an atom or an agent, whichever it was, that the structure does not have."""
        (name,) = error.args
        if isinstance(name, str):
            return ValueError(f"agent {name} is not one of {list(self._hidden)}")
        return ValueError(f"atom {name} is not one of {list(self._position)}")

    def _unseen_by_all(self, agents: tuple[str, ...], hidden: dict[str, tuple[int, ...]]) -> set[int]:
        return set.intersection(*(set(hidden[agent]) for agent in agents))

    def _same(self, a: Any, b: Any) -> Any:
        complement = self._worlds.complement
        return a & b | complement(a) & complement(b)

    def _common(self, here: Any, law: Any, agents: tuple[str, ...], hidden: dict[str, tuple[int, ...]]) -> Any:
        """Return the greatest set that is within `here` and that each of the agents knows to hold."""
        while True:
            smaller = here
            for agent in agents:
                smaller = smaller & known(self._worlds, here, law, hidden[agent])
            if smaller == here:
                return here
            here = smaller

    def _after_telling(
        self, agents: tuple[str, ...], heard: Any, then: Formula, law: Any, hidden: dict[str, tuple[int, ...]]
    ) -> Any:
        """Return where `then` holds after only these agents were told what holds in `heard`.

        A fresh atom says that they were told; it implies what was said, and they observe it, while the others do not.
        """
        worlds = self._worlds
        for agent in agents:
            hidden[agent]  # an unknown one is an error, also if he is told in vain
        if not self._free:
            raise NoRoomError(len(worlds.where) - len(self._position) + 1)
        position = self._free.pop()
        try:
            told = worlds.where[position]
            inside = {
                agent: tuple(p for p in unseen if p != position or agent not in agents)
                for agent, unseen in hidden.items()
            }
            after = self.truth(then, law & (worlds.complement(told) | heard), inside)
        finally:
            self._free.append(position)
        return worlds.project([position], after & told)


class NoRoomError(Exception):
    """Say how many atoms announcements to groups within one another need."""
