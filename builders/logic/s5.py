"""The meaning of epistemic logic: which worlds of a knowledge structure make a formula true.

A formula denotes a set of worlds over *all* assignments, relative to a law, the worlds that are possible. A public
announcement restricts the law. An agent knows what holds however the atoms hidden from him vary within the law.
Source: van Benthem, van Eijck, Gattinger and Su, Symbolic Model Checking for Dynamic Epistemic Logic: S5 and Beyond
(2018), section 2.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import compress, product
from operator import and_, or_
from typing import Any

from ..syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Common,
    Distributed,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)
from .worlds import MOST_BITS_ATOMS, Diagrams, bits, where_known

Hidden = dict[str, tuple[int, ...]]  # for each agent the positions of the atoms that the agent does not observe


class NoRoomError(Exception):
    """Say how many spare atoms the announcements to groups in a formula need, one within another."""


def without(atoms: Iterable[int], removed: Iterable[int]) -> list[int]:
    """Return a list of atoms after the removal of the first occurrence of each atom of another list."""
    left = list(atoms)
    for atom in removed:
        if atom in left:
            left.remove(atom)
    return left


class Checker:
    """Answer where formulas hold in a knowledge structure.

    A structure is read as SMCDEL reads it. The first row of an agent counts. Whoever sees an atom that the structure
    lists twice has a row that lists it twice. `where` takes each further occurrence for another atom of that name.

    `sets` makes the representation of sets of worlds for a number of atoms: `bits` or `Diagrams`. Without it the
    number of atoms decides. Methods raise ValueError for atoms or agents that the structure does not have, and
    TypeError for what is no formula.
    """

    def __init__(self, structure: Structure, sets: Callable[[int], Any] | None = None) -> None:
        self._structure = structure
        self._sets = sets
        self._prepare(0)

    def _prepare(self, n_spare: int) -> None:
        """Make the sets of worlds, with a spare atom for each of `n_spare` nested announcements to groups."""
        structure = self._structure
        self._position = {atom: index for index, atom in enumerate(dict.fromkeys(structure.atoms))}
        self._twice = {self._position[atom] for atom in without(structure.atoms, self._position)}
        n = len(self._position) + n_spare
        self._worlds = (self._sets or (bits if n <= MOST_BITS_ATOMS else Diagrams))(n)
        self._spare = list(range(n - n_spare, n))
        self._hidden: Hidden = {}
        for agent, observed in structure.observes:
            if strange := [atom for atom in observed if atom not in self._position]:
                known = list(self._position)
                raise ValueError(f"{agent} observes atom {strange[0]}; it must be one of {known}")
            unseen = {self._position[atom] for atom in without(structure.atoms, observed)}
            self._hidden.setdefault(agent, (*sorted(unseen), *self._spare))  # the first row of an agent counts
        self.law = self._worlds.everything
        self.law = self._everywhere(structure.law) & self._worlds.everything  # the first may prepare anew

    def truth(self, formula: Formula, law: Any, hidden: Hidden) -> Any:
        """Return the worlds where a formula is true, given the possible worlds and what agents do not observe."""
        worlds = self._worlds
        match formula:
            # The operators of MindGames come first: each case costs a test.
            case Atom(number):
                return worlds.where[self._position[number]]
            case Not(inner):
                return ~self.truth(inner, law, hidden)
            case Or(parts):
                return reduce(or_, self._each(parts, law, hidden), worlds.nothing)
            case Announce(announcement, _, _, whether):
                true = self.truth(announcement, law, hidden)
                where_true = true & self._after(formula, true, law, hidden)
                return where_true | (~true & self._after(formula, ~true, law, hidden) if whether else ~true)
            case Knows(who, inner, whether) | Distributed(who, inner, whether):
                true = self.truth(inner, law, hidden)
                unseen = hidden[who] if isinstance(who, str) else self._unseen_by_all(who, hidden)
                known = where_known(worlds, true, law, unseen)
                return known | where_known(worlds, ~true, law, unseen) if whether else known
            case And(parts):
                return reduce(and_, self._each(parts, law, hidden), worlds.everything)
            case Common(agents, inner, whether):
                true, views = self.truth(inner, law, hidden), [hidden[agent] for agent in agents]
                known = self._common(true, law, views)
                return known | self._common(~true, law, views) if whether else known
            case Top():
                return worlds.everything
            case Bot():
                return worlds.nothing
            case Implies(antecedent, consequent):
                return ~self.truth(antecedent, law, hidden) | self.truth(consequent, law, hidden)
            case Iff(left, right):
                return ~self.truth(Xor((left, right)), law, hidden)
            case Xor(parts):
                return reduce(lambda a, b: a & ~b | ~a & b, self._each(parts, law, hidden), worlds.nothing)
            case OneOf(parts):
                once = twice = worlds.nothing
                for true in self._each(parts, law, hidden):
                    once, twice = once | true, twice | once & true
                return once & ~twice
            case Forall(atoms, inner):
                return ~self.truth(Exists(atoms, Not(inner)), law, hidden)
            case Exists(atoms, inner):
                return worlds.project([self._position[atom] for atom in atoms], self.truth(inner, law, hidden))
            case _:
                raise TypeError(f"not a formula: {formula!r}; expected one of syntax.formula")

    def _unseen_by_all(self, agents: tuple[str, ...], hidden: Hidden) -> set[int]:
        """Return the positions of the atoms that agents do not see who pool what they see.

        As in SMCDEL they pool each atom once, and so do not see an atom that the structure lists twice.
        """
        return set.intersection(*(set(hidden[agent]) for agent in agents)) | self._twice

    def _each(self, parts: tuple[Formula, ...], law: Any, hidden: Hidden) -> list[Any]:
        """Return the worlds where each formula is true. Half of them are atoms: look these up without a call."""
        where, position = self._worlds.where, self._position
        return [where[position[part.number]] if type(part) is Atom else self.truth(part, law, hidden) for part in parts]

    def _common(self, true: Any, law: Any, views: Sequence[Iterable[int]]) -> Any:
        """Return where it is common knowledge that the world is in `true`: a greatest fixed point.

        views: for each who shares it, the positions that this one does not see.
        """
        known = None
        while known != true:
            known = true
            true = reduce(and_, [where_known(self._worlds, known, law, unseen) for unseen in views], known)
        return true

    def valid(self, formula: Formula) -> bool:
        """Return whether the formula is true in every world of the structure."""
        false = ~self._everywhere(formula)  # first: it may prepare other sets of worlds
        return bool(self.law & false == self._worlds.nothing)

    def where(self, formula: Formula) -> list[tuple[int, ...]]:
        """Return the worlds of the structure where the formula is true, each as its true atoms.

        Worlds come in SMCDEL's order. It walks the reduced ordered binary decision diagram of the worlds by ascending
        atom, the true branch first. The atoms that a path skips are false before they are true, the first of the
        structure varying slowest.
        """
        true_worlds = self._everywhere(formula) & self.law
        worlds = self._worlds

        def walk(atoms: list[int], within: Any, path: dict[int, bool]) -> Iterator[tuple[int, ...]]:
            if within == worlds.nothing:
                return
            if not atoms:
                skipped = without(self._structure.atoms, path)
                for values in product((False, True), repeat=len(skipped)):
                    yield tuple(sorted([*compress(path, path.values()), *compress(skipped, values)]))
                return
            atom, *rest = atoms
            position = self._position[atom]
            split = worlds.where[position]
            high, low = (worlds.project([position], within & side) for side in (split, ~split))
            if high == low:  # a reduced diagram has no node for this atom here
                yield from walk(rest, within, path)
            else:
                yield from walk(rest, high, path | {atom: True})
                yield from walk(rest, low, path | {atom: False})

        return list(walk(sorted(self._position), true_worlds, {}))

    def true_at(self, state: Collection[int], formula: Formula) -> bool:
        """Return whether the formula is true where exactly the atoms of `state` are true.

        That assignment need not satisfy the law.
        """
        others = [Not(Atom(atom)) for atom in self._structure.atoms if atom not in state]
        here = self._everywhere(And((formula, *map(Atom, state), *others)))
        return bool(here & self._worlds.everything != self._worlds.nothing)

    def _everywhere(self, formula: Formula) -> Any:
        """Return the assignments where a formula is true, with as many spare atoms as its announcements need."""
        while True:
            try:
                return self.truth(formula, self.law, self._hidden)
            except NoRoomError as full:
                self._prepare(full.args[0])
            except KeyError as error:
                (name,) = error.args
                kind, known = ("agent", self._hidden) if isinstance(name, str) else ("atom", self._position)
                raise ValueError(f"unknown {kind} {name}; it must be one of {list(known)}") from None

    def _after(self, formula: Announce, heard: Any, law: Any, hidden: Hidden) -> Any:
        """Return where what follows an announcement holds, once its hearers know that the world is in `heard`.

        For a group a spare atom is true exactly where `heard` is, and of all agents only they observe it.
        """
        worlds, agents = self._worlds, formula.agents
        if agents is None:
            return self.truth(formula.after, law & heard, hidden)
        for agent in agents:
            hidden[agent]  # raise KeyError for an unknown agent even where telling changes nothing
        if not self._spare:
            raise NoRoomError(len(worlds.where) - len(self._position) + 1)
        position = self._spare.pop()
        try:
            told = worlds.where[position]
            possible = law & (told & heard | ~told & ~heard)
            hidden_after = {
                agent: tuple(p for p in unseen if p != position or agent not in agents)
                for agent, unseen in hidden.items()
            }
            true = self.truth(formula.after, possible, hidden_after)
        finally:
            self._spare.append(position)
        return worlds.project([position], true & told)
