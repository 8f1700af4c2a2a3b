"""Prove what claims mean as formulas, and that a form has the instances that it should."""

import pytest
from hypothesis import given, settings
from random_problems import all_hypotheses, dynamic_problems, is_hypothesis, problems_any

from tom_datasets.logic.claims import (
    ALL,
    AT_LEAST,
    EXACTLY,
    NAMED,
    NONE,
    NOT_ALL,
    ODD,
    SOME,
    SOMEONE,
    THAT,
    WHETHER,
    about,
    all_forms,
    counted,
    counts,
    fact_formula,
    form_of,
    from_problem,
    instances,
    to_formula,
    to_problem,
)
from tom_datasets.logic.drawing import draw_form
from tom_datasets.logic.s5 import Checker
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import (
    And,
    Atom,
    Implies,
    Knows,
    Not,
    Or,
    Problem,
    Top,
    Xor,
    knows_whether,
)


def test_claims_say_what_their_codes_say():
    a, b, c = Atom(1), Atom(2), Atom(3)
    assert to_formula(SOMEONE, 3) == to_formula(((), SOME), 3) == Or((a, b, c))
    assert to_formula(((), ALL), 2) == And((a, b))
    assert to_formula(((), NOT_ALL), 2) == Not(And((a, b)))
    assert to_formula(((), NONE), 3) == Not(Or((a, b, c)))
    assert to_formula(((), about(2, False)), 3) == c
    assert to_formula(((), about(0, True)), 3) == Not(a)
    assert to_formula((((1, THAT, False),), ALL), 2) == Knows("Agentb", And((a, b)))
    assert to_formula((((0, WHETHER, True),), about(1, True)), 2) == Not(knows_whether("Agenta", Not(b)))
    levels = ((2, THAT, True), (0, WHETHER, False), (1, THAT, True))
    assert to_formula((levels, about(0, False)), 3) == Not(
        Knows("Agentc", knows_whether("Agenta", Not(Knows("Agentb", a))))
    )


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_counts_count_the_true_atoms(n):
    checker = Checker(Problem("internal", ((1,),) * n, (), Top()).structure())
    found = {}
    for fact in counts(n):
        found[fact] = {len(world) for world in checker.where(fact_formula(fact, n))}
    assert found == (
        {counted(EXACTLY, k): {k} for k in range(1, n)}
        | {counted(AT_LEAST, k): set(range(k, n + 1)) for k in range(2, n)}
        | {counted(ODD, 0): set(range(1, n + 1, 2))}
    )


@settings(max_examples=200, deadline=None)
@given(problems_any | dynamic_problems)
def test_a_problem_is_read_back_as_its_codes(codes):
    premise, hypothesis = codes
    assert from_problem(to_problem(premise, hypothesis)) == (premise, hypothesis)


def test_what_is_no_fact_is_refused():
    a, b = Atom(1), Atom(2)
    someone, see = Or((a, b)), ((1,), (2,))
    assert from_problem(Problem("internal", see, (someone,), Knows("Agenta", b)))
    with pytest.raises(ValueError, match=r"^the first announcement must be that the fact is true of someone$"):
        from_problem(Problem("internal", see, (And((a, b)), someone), Knows("Agenta", b)))
    with pytest.raises(ValueError, match="^the first announcement must be that "):
        from_problem(Problem("internal", see, (), Knows("Agenta", b)))
    for odd in (Xor((b, a)), Or((b, a)), Or((a,)), Atom(0), Atom(3), Not(Not(a)), Implies(a, b), And((Not(a), Not(b)))):
        for formula in (odd, Knows("Agentb", odd), Not(knows_whether("Agenta", Not(odd)))):
            with pytest.raises(ValueError, match=r"^not a fact about 2 agents: "):
                from_problem(Problem("internal", see, (someone, formula), Knows("Agenta", b)))
            with pytest.raises(ValueError, match=r"^not a fact about 2 agents: "):
                from_problem(Problem("internal", see, (someone,), formula))


@pytest.mark.parametrize(("n", "order"), [(2, 1), (3, 1), (4, 1), (7, 1), (2, 2), (3, 2), (4, 2)])
def test_instances_of_order_1_and_2_are_all_hypotheses_of_a_form(n, order):
    for form, claims in all_hypotheses(n, order).items():
        assert sorted(instances(n, form)) == sorted(claims)


@pytest.mark.parametrize("n", [2, 3, 5, 12])
@pytest.mark.parametrize("order", [3, 4, 12])
def test_deeper_instances_are_hypotheses_of_their_form_with_all_pairs_of_outer_agents_that_can_be(n, order):
    for i in range(10):
        form = draw_form(stream("deep", n, order, i), n, order)
        claims = instances(n, form)
        assert len(set(claims)) == len(claims) == (n - 1) ** 2 * (n if form[1] >= NAMED else 1)
        assert all(is_hypothesis(claim, n, (order,)) and form_of(claim) == form for claim in claims)


def test_all_forms_up_to_an_order():
    expected = [form for order in (1, 2) for form in all_hypotheses(2, order)]
    assert sorted(all_forms(2)) == sorted(expected)
    assert len(set(all_forms(3))) == len(all_forms(3)) == 6 * (4 + 16 + 64)
