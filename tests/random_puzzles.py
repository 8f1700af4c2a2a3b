"""Random puzzles in rounds, and hypotheses about them, for tests of several rooms."""

from hypothesis import strategies as st

from tom_datasets.syntax.formula import Atom, Knows, Not, agent_name
from tom_datasets.syntax.rounds import MARKS, First, Later, Puzzle


@st.composite
def puzzles(draw, least=2, most=5):
    """Draw a puzzle of some persons: any graph, any law that somebody's marks obey."""
    n = draw(st.integers(least, most))
    sees = tuple(tuple(other for other in range(n) if other != person and draw(st.booleans())) for person in range(n))
    counts = tuple(sorted(draw(st.sets(st.integers(0, n), min_size=1))))
    size = draw(st.sampled_from(counts))
    marked = tuple(sorted(draw(st.permutations(range(n)))[:size]))
    return Puzzle(draw(st.sampled_from(MARKS)), sees, counts, marked)


@st.composite
def supposed_of(draw, n):
    """Draw a hypothesis about n persons."""
    if draw(st.booleans()):
        return First(draw(st.integers(0, n - 1)), draw(st.integers(0, 6)))
    formula = Atom(draw(st.integers(1, n)))
    for agent in draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3)):
        formula = Knows(agent_name(agent), formula, draw(st.booleans()))
        formula = Not(formula) if draw(st.booleans()) else formula
    return Later(draw(st.integers(1, 4)), formula)


def everyone_sees_all(n):
    """Return that each of n persons sees all others."""
    return tuple(tuple(other for other in range(n) if other != person) for person in range(n))
