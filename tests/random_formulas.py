"""Random formulas of every kind, with atoms and agents that SMCDEL's language can name, and the way to read one."""

from hypothesis import strategies as st

from tom_datasets.logic.smcdel.parser import parse
from tom_datasets.syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Common,
    Distributed,
    Exists,
    Forall,
    Iff,
    Implies,
    Knows,
    Not,
    OneOf,
    Or,
    Top,
    Xor,
)

atoms = st.integers(0, 4)


agents = st.sampled_from(["a", "b", "Agentc", "a0", "Kwa", "knows"])


some_atoms = st.lists(atoms, min_size=1, max_size=3).map(tuple)


some_agents = st.lists(agents, min_size=1, max_size=3).map(tuple)


def larger(formula):
    """Return the formulas made of smaller ones."""
    many = st.lists(formula, min_size=1, max_size=4).map(tuple)
    several = [st.builds(kind, many) for kind in (And, Or, Xor, OneOf)]
    two = [st.builds(kind, formula, formula) for kind in (Implies, Iff)]
    bound = [st.builds(kind, some_atoms, formula) for kind in (Forall, Exists)]
    alone = [st.builds(Knows, agents, formula, st.booleans())]
    together = [st.builds(kind, some_agents, formula, st.booleans()) for kind in (Common, Distributed)]
    announced = st.builds(Announce, formula, formula, st.none() | some_agents, st.booleans())
    return st.one_of(st.builds(Not, formula), *several, *two, *bound, *alone, *together, announced)


spellable_formulas = st.recursive(
    st.one_of(st.just(Top()), st.just(Bot()), st.builds(Atom, atoms)), larger, max_leaves=12
)


def parse_formula(text):
    """Return the formula that a text spells."""
    _, (query,) = parse(f"VARS 0 LAW Top OBS a:0\nVALID?\n{text}")
    return query.formula
