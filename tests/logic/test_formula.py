"""Prove what a showing means as announcements, how order blocks stand in SMCDEL's language, and the muddy children."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import dynamic_problems, sees_of

from tom_datasets.logic.claims import (
    EACH,
    OWN,
    SHOWN,
    SOMEONE,
    THAT,
    WHETHER,
    Premise,
    about,
    is_showing,
    to_formula,
    to_problem,
    to_update,
)
from tom_datasets.logic.formal import formal_columns
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.smcdel.language import Query, left_nested, spell_input
from tom_datasets.logic.smcdel.parser import parse
from tom_datasets.logic.states import state_after
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.syntax.formula import (
    Announce,
    Atom,
    Formula,
    Knows,
    Problem,
    Shown,
    knows_whether,
)

BLIND = Problem("explicit", ((), (1,)), (Shown("Agenta", 1),), knows_whether("Agenta", Atom(1)))
"""Agentb sees the card of Agenta, who sees none; then Agenta is shown it."""


def test_a_showing_gives_its_viewer_a_key():
    structure = BLIND.structure()
    assert structure.atoms == (1, 2, 3) and dict(structure.observes) == {"Agenta": (3,), "Agentb": (1,)}
    again = Problem("explicit", ((), (1,)), (Shown("Agentb", 2), Shown("Agentb", 2)), Atom(1)).structure()
    assert again.atoms == (0, 1, 2, 3, 4) and dict(again.observes) == {"Agenta": (0,), "Agentb": (1, 3, 4)}


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (knows_whether("Agenta", Atom(1)), True),
        (knows_whether("Agentb", knows_whether("Agenta", Atom(1))), True),
        (Knows("Agentb", Knows("Agenta", knows_whether("Agentb", Atom(1)))), False),
        (Knows("Agenta", Atom(1)), False),
        (knows_whether("Agenta", Atom(2)), False),
    ],
)
def test_all_see_that_somebody_is_shown_something_and_only_that_one_sees_what(claim, holds):
    """Agentb, who sees nothing, knows that Agenta knows."""
    told = Problem("explicit", ((), (), (1,)), (Shown("Agenta", 1),), claim)
    assert Checker(told.structure()).valid(told.entailment()) is follows(told) is holds


def told(updates: list, after: Formula) -> Formula:
    """Return what holds after updates, each showing as SMCDEL's announcement to its viewer of whether it is so."""
    for update in reversed(updates):
        if isinstance(update, Shown):
            after = Announce(Atom(update.atom), after, (update.agent,), whether=True)
        else:
            after = Announce(update, after)
    return after


@settings(max_examples=150, deadline=None)
@given(dynamic_problems)
def test_a_showing_means_what_an_announcement_to_its_viewer_means(codes):
    premise, hypothesis = codes
    n = len(premise.sees)
    updates = [to_update(claim, n) for claim in (SOMEONE, *premise.announcements)]
    problem = to_problem(premise, hypothesis)
    plain = Problem(premise.setup, premise.sees, (), to_formula(hypothesis, n))
    by_keys = Checker(problem.structure()).valid(problem.entailment())
    assert Checker(plain.structure()).valid(told(updates, plain.hypothesis)) is by_keys


@settings(max_examples=200, deadline=None)
@given(dynamic_problems)
def test_the_formal_columns_are_read_back(codes):
    premise, hypothesis = codes
    problem = to_problem(premise, hypothesis)
    formal, pbcheck = formal_columns(problem.structure(), premise, hypothesis)
    structure, (query,) = parse(formal)
    assert (structure, query.formula) == (problem.structure(), left_nested(problem.entailment()))
    assert spell_input(*parse(formal)) == formal == spell_input(structure, [Query("VALID?", query.formula)])
    (empty,) = parse(pbcheck)[1]
    assert Checker(parse(pbcheck)[0]).valid(empty.formula) is (follows(problem) is None)


@settings(max_examples=100, deadline=None)
@given(dynamic_problems, st.integers(0, 2))
def test_showings_in_a_row_may_change_places(codes, place):
    """Each only lets one agent tell more worlds apart."""
    premise, hypothesis = codes
    shown = [
        (((0, SHOWN, False),), about(place % len(premise.sees), False)),
        *filter(is_showing, premise.announcements),
    ]
    said = {
        state_after(premise._replace(announcements=tuple(order))).entails(hypothesis)
        for order in permutations(shown[:3])
    }
    assert len(said) == 1


@pytest.mark.parametrize("n", range(2, 8))
def test_the_muddy_children_are_a_problem_of_order_blocks(n):
    """Nobody knows whether their own forehead is muddy: after n - 1 such rounds all know, and not before."""
    silence = (((EACH, WHETHER, True),), OWN)
    claim = (((0, THAT, False),), about(0, False))
    for rounds, known in ((n - 1, True), (n - 2, False)):
        premise = Premise("forehead", sees_of("forehead", n), (silence,) * rounds)
        problem = to_problem(premise, claim)
        assert follows(problem) is known is state_after(premise).entails(claim)
        assert Checker(problem.structure()).valid(problem.entailment()) is known
    assert follows(to_problem(Premise("forehead", sees_of("forehead", n), (silence,) * n), claim)) is None
