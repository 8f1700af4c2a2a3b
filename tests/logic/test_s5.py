"""Prove that both representations of sets of worlds agree with explicit worlds on random formulas."""

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.worlds import Diagrams, bits
from tom_datasets.syntax.formula import (
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

ATOMS = (1, 2, 3)


AGENTS = ("a", "b", "c")


class Explicit:
    """Evaluate formulas at a world by the definition: worlds are sets of atoms, agents compare what they observe."""

    def __init__(self, world, model, observed):
        """Take a world, the list of possible worlds, and the atoms that each agent observes."""
        self.world, self.model, self.observed = world, model, observed

    def alike(self, agent, world):
        """Return the possible worlds that an agent cannot tell from a world."""
        return [w for w in self.model if w & self.observed[agent] == world & self.observed[agent]]

    def reachable(self, agents):
        """Return the worlds that the agents' steps reach, in one step or more."""
        reached, front = [], [self.world]
        while front:
            world = front.pop()
            for agent in agents:
                for w in self.alike(agent, world):
                    if w not in reached:
                        reached.append(w)
                        front.append(w)
        return reached

    def together(self, agents):
        """Return the worlds that none of the agents can tell from this one."""
        return [w for w in self.model if all(w in self.alike(agent, self.world) for agent in agents)]

    def there(self, world, formula):
        """Return whether a formula is true in another world."""
        return Explicit(world, self.model, self.observed).true(formula)

    def everywhere(self, formula, worlds):
        return all(self.there(w, formula) for w in worlds)

    def known(self, formula, worlds, whether):
        return self.everywhere(formula, worlds) or whether and self.everywhere(Not(formula), worlds)

    def after_telling(self, agents, announcement, after):
        """Return whether `after` holds once these agents observe a new atom: it is true where the announcement is."""
        old = [a for atoms in (self.world, *self.observed.values()) for a in atoms if a >= 100]
        new = frozenset({100 + len(old)})
        model = [w | new if self.there(w, announcement) else w for w in self.model]
        observed = {agent: atoms | new if agent in agents else atoms for agent, atoms in self.observed.items()}
        return Explicit(self.world | new, model, observed).true(after)

    def true(self, formula):
        """Return whether a formula is true here."""
        match formula:
            case Top():
                return True
            case Bot():
                return False
            case Atom(number):
                return number in self.world
            case Not(inner):
                return not self.true(inner)
            case And(parts):
                return all(map(self.true, parts))
            case Or(parts):
                return any(map(self.true, parts))
            case Xor(parts):
                return sum(map(self.true, parts)) % 2 == 1
            case OneOf(parts):
                return sum(map(self.true, parts)) == 1
            case Implies(antecedent, consequent):
                return not self.true(antecedent) or self.true(consequent)
            case Iff(left, right):
                return self.true(left) == self.true(right)
            case Knows(agent, inner, whether):
                return self.known(inner, self.alike(agent, self.world), whether)
            case Common(agents, inner, whether):
                return self.known(inner, self.reachable(agents), whether)
            case Distributed(agents, inner, whether):
                return self.known(inner, self.together(agents), whether)
            case Forall(atoms, inner):
                return self.everywhere(inner, [self.world - set(atoms) | chosen for chosen in subsets(atoms)])
            case Exists(atoms, inner):
                return any(self.there(self.world - set(atoms) | chosen, inner) for chosen in subsets(atoms))
        return self.true_after(formula)

    def true_after(self, formula):
        """Return whether a formula that begins with an announcement is true here."""
        announcement = formula.announcement
        if not self.true(announcement):
            if not formula.whether:
                return True
            announcement = Not(announcement)
        if formula.agents:
            return self.after_telling(formula.agents, announcement, formula.after)
        heard = [w for w in self.model if self.there(w, announcement)]
        return Explicit(self.world, heard, self.observed).true(formula.after)


def formulas(atoms=ATOMS):
    """Return random formulas; quantifiers look at worlds outside the model, so they stand over Boolean ones only."""
    boolean_leaves = st.sampled_from([Top(), Bot(), *map(Atom, atoms)])
    groups = st.sets(st.sampled_from(AGENTS), min_size=1).map(lambda agents: tuple(sorted(agents)))

    def boolean(inner):
        many = st.lists(inner, min_size=1, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Not, inner), *(st.builds(kind, many) for kind in (And, Or, Xor, OneOf)),
            st.builds(Implies, inner, inner), st.builds(Iff, inner, inner),
        )  # fmt: skip

    plain = st.recursive(boolean_leaves, boolean, max_leaves=4)
    some = st.sets(st.sampled_from(atoms), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    leaves = boolean_leaves | st.builds(Forall, some, plain) | st.builds(Exists, some, plain)

    def modal(inner):
        return st.one_of(
            boolean(inner),
            st.builds(Knows, st.sampled_from(AGENTS), inner, st.booleans()),
            *(st.builds(kind, groups, inner, st.booleans()) for kind in (Common, Distributed)),
            st.builds(Announce, inner, inner, st.none() | groups, st.booleans()),
        )

    return st.recursive(leaves, modal, max_leaves=7)


structures = st.builds(
    Structure,
    st.just(ATOMS),
    st.recursive(st.sampled_from(list(map(Atom, ATOMS))), lambda f: st.builds(Not, f) | st.builds(Or, st.tuples(f, f))),
    st.tuples(
        *(st.tuples(st.just(a), st.sets(st.sampled_from(ATOMS)).map(lambda s: tuple(sorted(s)))) for a in AGENTS)
    ),
)


def subsets(atoms):
    """Return all sets of atoms, counting in binary with the first atom the most significant."""
    return [frozenset(a for a, on in zip(atoms, choice, strict=True) if on)
            for choice in itertools.product((False, True), repeat=len(atoms))]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(structures, formulas())
def test_engines_agree_with_explicit_worlds(structure, formula):
    observed = {agent: frozenset(atoms) for agent, atoms in structure.observes}
    model = [w for w in subsets(ATOMS) if Explicit(w, [], observed).true(structure.law)]
    expected = [tuple(sorted(w)) for w in model if Explicit(w, model, observed).true(formula)]
    for engine in (bits, Diagrams):
        checker = Checker(structure, engine)
        assert sorted(checker.where(formula)) == sorted(expected)
        assert checker.valid(formula) == (len(expected) == len(model))
        assert [w for w in model if checker.true_at(w, formula)] == [set(w) for w in expected]


def test_every_kind_of_formula_is_drawn_and_known():
    drawn = set()

    @settings(max_examples=500, database=None, derandomize=True, deadline=None)
    @given(formulas())
    def draw(formula):
        drawn.update(re.findall(r"\b([A-Z]\w+)\(", repr(formula)))

    draw()
    assert drawn == {kind.__name__ for kind in Formula.__args__}


def test_what_the_structure_does_not_have_is_said():
    structure = Structure((1, 2), Top(), (("a", (1,)),))
    with pytest.raises(ValueError, match=r"^unknown atom 3; it must be one of \[1, 2\]$"):
        Checker(structure).valid(Atom(3))
    for formula in (Knows("b", Atom(1)), Common(("a", "b"), Atom(1)), Announce(Top(), Top(), ("b",))):
        with pytest.raises(ValueError, match=r"^unknown agent b; it must be one of \['a'\]$"):
            Checker(structure).valid(formula)
    with pytest.raises(ValueError, match=r"^a observes atom 7; it must be one of \[1, 2\]$"):
        Checker(Structure((1, 2), Top(), (("a", (7,)),)))
    with pytest.raises(TypeError, match="^not a formula: "):
        Checker(structure).valid("1")
