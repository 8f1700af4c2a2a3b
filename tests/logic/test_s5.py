"""Prove that both representations of sets of worlds agree with explicit worlds on random formulas."""

import itertools
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from builders.logic.s5 import Checker
from builders.logic.worlds import Diagrams, bits

ATOMS = (1, 2, 3)


AGENTS = ("a", "b", "c")


def explicit(formula, world, model, observed):
    """Evaluate a formula at a world by the definition: worlds are sets of atoms, agents compare what they observe.

    `model` is the list of worlds, `observed` the atoms that each agent observes.
    """

    def true(formula, at=world):
        return explicit(formula, at, model, observed)

    def alike(agent, at=world):
        return [w for w in model if w & observed[agent] == at & observed[agent]]

    def reachable(agents):
        """Return the worlds that the agents' steps reach, in one step or more."""
        reached, front = [], [world]
        while front:
            at = front.pop()
            for agent in agents:
                for w in alike(agent, at):
                    if w not in reached:
                        reached.append(w)
                        front.append(w)
        return reached

    def together(agents):
        return [w for w in model if all(w & observed[agent] == world & observed[agent] for agent in agents)]

    def everywhere(formula, worlds):
        return all(true(formula, w) for w in worlds)

    def whether(formula, worlds):
        return everywhere(formula, worlds) or everywhere(Not(formula), worlds)

    def after_telling(agents, announcement, after):
        told = 100 + len([a for a in world if a >= 100]) + sum(100 <= a for atoms in observed.values() for a in atoms)
        inner = [w | extra for w in model for extra in (frozenset(), {told}) if not extra or true(announcement, w)]
        observe = {agent: atoms | {told} if agent in agents else atoms for agent, atoms in observed.items()}
        return explicit(after, world | {told}, inner, observe)

    match formula:
        case Top():
            return True
        case Bot():
            return False
        case Atom(number):
            return number in world
        case Not(inner):
            return not true(inner)
        case And(parts):
            return all(map(true, parts))
        case Or(parts):
            return any(map(true, parts))
        case Xor(parts):
            return sum(map(true, parts)) % 2 == 1
        case OneOf(parts):
            return sum(map(true, parts)) == 1
        case Implies(antecedent, consequent):
            return not true(antecedent) or true(consequent)
        case Iff(left, right):
            return true(left) == true(right)
        case Knows(agent, inner):
            return everywhere(inner, alike(agent))
        case KnowsWhether(agent, inner):
            return whether(inner, alike(agent))
        case Common(agents, inner):
            return everywhere(inner, reachable(agents))
        case CommonWhether(agents, inner):
            return whether(inner, reachable(agents))
        case Distributed(agents, inner):
            return everywhere(inner, together(agents))
        case DistributedWhether(agents, inner):
            return whether(inner, together(agents))
        case Announce(heard, after):
            return not true(heard) or explicit(after, world, [w for w in model if true(heard, w)], observed)
        case AnnounceWhether(heard, after):
            return explicit(after, world, [w for w in model if true(heard, w) == true(heard)], observed)
        case AnnounceTo(agents, heard, after):
            return not true(heard) or after_telling(agents, heard, after)
        case AnnounceWhetherTo(agents, heard, after):
            return after_telling(agents, heard if true(heard) else Not(heard), after)
        case Forall(atoms, inner) | Exists(atoms, inner):
            some = any if isinstance(formula, Exists) else all
            choices = itertools.product((False, True), repeat=len(atoms))
            return some(
                true(inner, (world - set(atoms)) | {a for a, on in zip(atoms, choice, strict=True) if on})
                for choice in choices
            )
    raise TypeError(formula)


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
            *(st.builds(kind, st.sampled_from(AGENTS), inner) for kind in (Knows, KnowsWhether)),
            *(st.builds(kind, groups, inner) for kind in (Common, CommonWhether, Distributed, DistributedWhether)),
            *(st.builds(kind, inner, inner) for kind in (Announce, AnnounceWhether)),
            *(st.builds(kind, groups, inner, inner) for kind in (AnnounceTo, AnnounceWhetherTo)),
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


@settings(max_examples=600, deadline=None)
@given(structures, formulas())
def test_engines_agree_with_explicit_worlds(structure, formula):
    observed = {agent: frozenset(atoms) for agent, atoms in structure.observes}
    model = [w for w in subsets(ATOMS) if explicit(structure.law, w, [], observed)]
    expected = [tuple(sorted(w)) for w in model if explicit(formula, w, model, observed)]
    for engine in (bits, Diagrams):
        checker = Checker(structure, engine)
        assert checker.where(formula) == expected
        assert checker.valid(formula) == (len(expected) == len(model))
        assert [w for w in model if checker.true_at(w, formula)] == [set(w) for w in expected]


def test_every_kind_of_formula_is_drawn_and_known():
    kinds = {kind for kind in Formula.__args__}
    strategy = formulas()
    drawn = set()

    @settings(max_examples=500, database=None, derandomize=True, deadline=None)
    @given(strategy)
    def draw(formula):
        waiting = [formula]
        while waiting:
            part = waiting.pop()
            drawn.add(type(part))
            for field in fields(part):
                value = getattr(part, field.name)
                waiting += [v for v in (value if isinstance(value, tuple) else (value,)) if type(v) in kinds]

    draw()
    assert drawn == kinds


def test_what_the_structure_does_not_have_is_said():
    structure = Structure((1, 2), Top(), (("a", (1,)),))
    with pytest.raises(ValueError, match=r"^atom 3 is not one of \[1, 2\]$"):
        Checker(structure).valid(Atom(3))
    for formula in (Knows("b", Atom(1)), Common(("a", "b"), Atom(1)), AnnounceTo(("b",), Top(), Top())):
        with pytest.raises(ValueError, match=r"^agent b is not one of \['a'\]$"):
            Checker(structure).valid(formula)
    with pytest.raises(ValueError, match=r"^a observes atom 7; the structure has the atoms \[1, 2\]$"):
        Checker(Structure((1, 2), Top(), (("a", (7,)),)))
    with pytest.raises(TypeError, match="^no such formula: "):
        Checker(structure).valid("1")
