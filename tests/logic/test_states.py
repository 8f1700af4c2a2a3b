"""Prove that states and situations answer as two other engines do, and that what they remember stays right."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import LINKS, dynamic_problems, premises_any, problems_any, random_problems

from tom_datasets.logic.claims import NAMED, SOMEONE, WHETHER, instances, is_showing, to_problem
from tom_datasets.logic.explanation import numbers
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.states import State, initial_state, state_after
from tom_datasets.logic.worlds import bits, flips_of, possible
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.syntax.formula import Bot, Not


def agree(premise, hypothesis):
    """Assert that a problem means the same to the sampler and to two other engines; return its label."""
    problem = to_problem(premise, hypothesis)
    state = state_after(premise)
    label = state.entails(hypothesis) if state.law else None
    assert follows(problem) is label
    checker = Checker(problem.structure())
    assert checker.valid(problem.entailment()) is (label is not False)
    n = len(premise.sees)
    for worlds, after in ((state.law, Bot()), (state.where(hypothesis), Not(problem.hypothesis))):
        atoms = [tuple(p + 1 for p in range(n) if world >> p & 1) for world in range(1 << n) if worlds >> world & 1]
        found = [
            tuple(atom for atom in world if atom <= n)
            for world in checker.where(Not(replace(problem, hypothesis=after).entailment()))
        ]
        assert sorted(found) == sorted(atoms)
    return label


@settings(max_examples=700, deadline=None)
@given(problems_any | dynamic_problems)
def test_any_problem_means_what_two_other_engines_say(codes):
    agree(*codes)


@settings(max_examples=200, deadline=None)
@given(dynamic_problems)
def test_an_announcement_tells_where_it_rules_out_a_world_or_lets_its_viewer_know(codes):
    premise, _ = codes
    state = initial_state(premise.sees).announce(SOMEONE)
    for claim in premise.announcements:
        following = state.announce(claim)
        if is_showing(claim):
            ((viewer, _, _),), fact = claim
            expected = not state.entails((((viewer, WHETHER, False),), fact))
            assert following.law == state.law and following.entails((((viewer, WHETHER, False),), fact))
        else:
            expected = 0 != following.law != state.law
        assert state.informed(claim) is (following if expected else None)
        state = following


def test_drawn_problems_mean_what_two_other_engines_say():
    labels, blind = Counter(), Counter()
    for premise, hypothesis in random_problems("agree", 800, agents=(2, 3, 4, 5), empty=True):
        label = agree(premise, hypothesis)
        labels[label] += 1
        blind[label] += () in premise.sees
    assert min(labels[label] for label in (True, False, None)) > 100
    assert min(blind[label] for label in (True, False, None)) > 10


def test_a_state_comes_after_another_and_forgotten_ones_are_not_mistaken(monkeypatch):
    remembered = lru_cache(maxsize=3)(State)
    monkeypatch.setattr("tom_datasets.logic.states.state_of", remembered)
    for premise, _ in random_problems("forgotten", 200, agents=(3,)):
        state = initial_state(premise.sees)
        assert state.law == (1 << 8) - 1
        for announcement in (SOMEONE, *premise.announcements):
            law = state.where(announcement)
            state = state.announce(announcement)
            assert state.law == law
        assert state.law == state_after(premise).law
        assert 0 < remembered.cache_info().currsize <= 3


@settings(max_examples=200, deadline=None)
@given(st.data(), premises_any(agents=(2, 4)), st.integers(1, 4))
def test_the_truth_vector_of_a_form_is_the_truth_of_each_of_its_instances(data, premise, order):
    level = st.tuples(st.sampled_from(LINKS), st.booleans())
    form = data.draw(st.tuples(st.tuples(*[level] * order), st.integers(0, NAMED + 1)))
    state = state_after(premise)
    claims = instances(len(premise.sees), form)
    one_by_one = "".join("01"[state.entails(claim)] for claim in claims)
    assert f"{state.truth_vector(form):0{len(claims)}b}" == one_by_one
    assert state.truth_vector(form) == int(one_by_one, 2)  # a second time, remembered


@st.composite
def situations(draw):
    """Draw what each of some agents does not observe, and a law, which may be empty."""
    n = draw(st.integers(1, 4))
    unseen = st.sets(st.integers(0, n - 1)).map(lambda positions: tuple(sorted(positions)))
    return draw(st.tuples(*[unseen] * n)), draw(st.integers(0, (1 << (1 << n)) - 1))


@settings(max_examples=300, deadline=None)
@given(situations(), st.data())
def test_a_state_says_what_agents_know_as_the_definition_does(drawn, data):
    hidden, law = drawn
    n, situation = len(hidden), State(hidden, law)
    worlds = [w for w in range(1 << n) if law >> w & 1]

    def members(true):
        return {w for w in range(1 << n) if true >> w & 1}

    assert [members(atom) for atom in situation.atoms] == [{w for w in worlds if w >> p & 1} for p in range(n)]
    for known in data.draw(st.lists(st.integers(0, (1 << (1 << n)) - 1), min_size=1, max_size=4)):
        known &= situation.law
        for agent, unseen in enumerate(hidden):

            def alike(w, unseen=unseen):
                return {v for v in worlds if all((v ^ w) >> p & 1 == 0 for p in range(n) if p not in unseen)}

            knows = {w for w in worlds if alike(w) <= members(known)}
            knows_not = {w for w in worlds if not alike(w) & members(known)}
            for _ in range(2):  # the second time it is looked up
                assert members(situation.knows[agent][known]) == knows
                assert members(situation.knows_whether[agent][known]) == knows | knows_not
                assert members(situation.knows[agent][situation.law ^ known]) == knows_not


@settings(max_examples=100, deadline=None)
@given(situations(), st.integers(0))
def test_worlds_are_projected_by_what_is_seen_of_them(drawn, worlds):
    hidden, _ = drawn
    n = len(hidden)
    worlds &= bits(n).everything
    for unseen in hidden:
        seen = sum(1 << p for p in range(n) if p not in unseen)
        views = {world & seen for world in numbers(worlds)}
        expected = [world for world in range(1 << n) if world & seen in views]
        assert numbers(possible(flips_of(n, unseen), worlds)) == numbers(bits(n).project(unseen, worlds)) == expected
