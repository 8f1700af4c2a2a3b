"""Prove that states and situations answer as two other engines do, and that what they remember stays right."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import LINKS, premises_any, problems_any, random_problems

from builders.logic.claims import NAMED, SOMEONE, instances, to_problem
from builders.logic.formula import Bot, Not
from builders.logic.s5 import Checker
from builders.logic.states import initial_state, state_after
from builders.proof.problem_worlds import follows


def agree(premise, hypothesis):
    """Assert that a problem means the same to the sampler and to two other engines; return its label."""
    posed = to_problem(premise, hypothesis)
    state = state_after(premise)
    label = state.where(hypothesis) == state.law if state.law else None
    assert follows(posed) is label
    checker = Checker(posed.structure())
    assert checker.valid(posed.claim()) is (label is not False)
    n = len(premise.sees)
    for here, then in ((state.law, Bot()), (state.where(hypothesis), Not(posed.hypothesis))):
        worlds = [tuple(p + 1 for p in range(n) if world >> p & 1) for world in range(1 << n) if here >> world & 1]
        assert sorted(checker.where(Not(posed.announced(then)))) == sorted(worlds)
    return label


@settings(max_examples=300, deadline=None)
@given(problems_any)
def test_any_problem_means_what_two_other_engines_say(posed):
    agree(*posed)


def test_drawn_problems_mean_what_two_other_engines_say():
    labels, blind = Counter(), Counter()
    for premise, hypothesis in random_problems("agree", 800, agents=(2, 3, 4, 5), empty=True):
        label = agree(premise, hypothesis)
        labels[label] += 1
        blind[label] += () in premise.sees
    assert min(labels[label] for label in (True, False, None)) > 100
    assert min(blind[label] for label in (True, False, None)) > 10


def test_a_state_comes_after_another_and_forgotten_ones_are_not_mistaken(monkeypatch):
    monkeypatch.setattr("builders.logic.states.MOST_STATES", 3)
    initial_state.cache_clear()
    for premise, _ in random_problems("forgotten", 200, agents=(3,)):
        state = initial_state(premise.sees)
        assert state.law == (1 << 8) - 1
        for said in (SOMEONE, *premise.announcements):
            law = state.where(said)
            state = state.announce(said)
            assert state.law == law
        assert state.law == state_after(premise).law
    initial_state.cache_clear()


@settings(max_examples=200, deadline=None)
@given(st.data(), premises_any(agents=(2, 4)), st.integers(1, 4))
def test_the_truth_vector_of_a_form_is_the_truth_of_each_of_its_cases(data, premise, order):
    level = st.tuples(st.sampled_from(LINKS), st.booleans())
    form = data.draw(st.tuples(st.tuples(*[level] * order), st.integers(0, NAMED + 1)))
    state = state_after(premise)
    claims = instances(len(premise.sees), form)
    one_by_one = "".join("01"[state.where(claim) == state.law] for claim in claims)
    assert f"{state.truth_vector(form):0{len(claims)}b}" == one_by_one
    assert state.truth_vector(form) == int(one_by_one, 2)  # a second time, remembered
