"""Prove that premises are told apart up to renaming, come once, and are kept for one kind of config alone."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import (
    SYMMETRIC,
    all_of_two,
    candidate_of,
    canonical,
    claims_about,
    permuted,
    premises_any,
    random_problems,
    sees_of,
)

from tom_datasets.logic.claims import ALL, NAMED, NONE, SOMEONE, THAT, WHETHER, Premise, about, to_problem
from tom_datasets.logic.drawing import draw_hypothesis, draw_premise
from tom_datasets.logic.premises import (
    REPRODUCTION_SHARE,
    candidates,
    drawn_premises,
    identity,
    is_for_reproduction,
    premises_of_two,
)
from tom_datasets.logic.setups import draw_sees
from tom_datasets.logic.states import state_after
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS


def changed(drawn, premise):
    """Return a premise with one small change: an agent, a fact, or what somebody sees."""
    n = len(premise.sees)
    if premise.setup == "explicit" and (not premise.announcements or drawn.random() < 0.5):
        agent, atom = drawn.below(n), 1 + drawn.below(n)
        seen = tuple(sorted(set(premise.sees[agent]) ^ {atom}))
        return premise._replace(sees=(*premise.sees[:agent], seen, *premise.sees[agent + 1 :]))
    if not premise.announcements:
        return premise
    place = drawn.below(len(premise.announcements))
    levels, fact = premise.announcements[place]
    if levels and drawn.random() < 0.5:
        levels = ((drawn.below(n), *levels[0][1:]),)
    else:
        fact = drawn.below(NAMED + 2 * n)
    return premise._replace(
        announcements=(*premise.announcements[:place], (levels, fact), *premise.announcements[place + 1 :])
    )


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("setup", SETUPS)
def test_identity_is_shared_by_renamings_and_by_nothing_else(setup, n):
    by_identity, by_force = {}, {}
    met = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems(f"same-{setup}", 120, (setup,), (n,))):
        drawn = stream("same", setup, n, i)
        other = changed(drawn, premise)
        renamed = permuted(drawn.shuffled(range(n)), other, hypothesis)
        for problem in ((premise,), (premise, hypothesis), (other,), (other, hypothesis), renamed[:1], renamed):
            same, first = (len(problem), identity(problem[0], {}, *problem[1:])), canonical(*problem)
            assert by_identity.setdefault(same, first) == first
            assert by_force.setdefault(first, same) == same
            met[first] += 1
    assert len(by_force) > 50
    assert sum(count > 1 for count in met.values()) > 25


@pytest.mark.parametrize(("n", "classes"), [(2, 10), (3, 104)])
def test_identity_tells_all_ways_to_see_cards_apart(n, classes):
    """There are so many binary relations on n things up to isomorphism (oeis.org/A000595)."""
    rows = [tuple(a for a in range(1, n + 1) if m >> a - 1 & 1) for m in range(1 << n)]
    seen = [Premise("explicit", sees, ()) for sees in product(rows, repeat=n)]
    by_identity = {identity(premise, {}): canonical(premise) for premise in seen}
    assert len(by_identity) == len(set(by_identity.values())) == classes
    assert all(by_identity[identity(premise, {})] == canonical(premise) for premise in seen)


@settings(max_examples=200, deadline=None)
@given(st.data(), premises_any(agents=(2, 8), most=8))
def test_identity_is_kept_by_every_renaming(data, premise):
    n = len(premise.sees)
    hypothesis = data.draw(claims_about(n, (1, 2, 3)))
    to = data.draw(st.permutations(range(n)))
    other, its_hypothesis = permuted(to, premise, hypothesis)
    assert identity(premise, {}) == identity(other, {})
    assert identity(premise, {}, hypothesis) == identity(other, {}, its_hypothesis)
    assert is_for_reproduction(candidate_of(premise), hypothesis) == is_for_reproduction(
        candidate_of(other), its_hypothesis
    )


def test_setups_and_numbers_of_agents_are_told_apart():
    assert len({identity(Premise(setup, sees_of(setup, n), ()), {}) for setup in SYMMETRIC for n in (2, 3)}) == 6


def test_agents_are_numbered_as_they_are_first_spoken_of():
    premise = Premise(
        "internal", sees_of("internal", 4), (((), about(3, True)), (((1, WHETHER, True),), about(3, False)))
    )
    number = {}
    identity(premise, number, (((2, THAT, False), (1, THAT, False)), NONE))
    assert number == {3: 0, 1: 1, 2: 2}


def test_one_problem_in_eight_is_kept_for_the_unbalanced_config():
    assert REPRODUCTION_SHARE == 8
    by_premise, differ = {}, 0
    for candidate in candidates(stream("kept"), "internal", 3, 400):
        drawn = stream("kept", candidate.checksum)
        hypotheses = [draw_hypothesis(drawn, 3, order) for order in (1, 2, 3) for _ in range(20)]
        number = dict(candidate.numbers)
        by_premise[candidate.premise] = sum(
            is_for_reproduction(candidate, hypothesis) for hypothesis in hypotheses
        ) / len(hypotheses)
        assert candidate.numbers == number  # the next hypothesis is numbered anew
        differ += (
            len({is_for_reproduction(candidate, (((agent, THAT, False),), ALL)) for agent in candidate.numbers}) > 1
        )
    assert len(by_premise) > 50
    assert 0.1 < sum(by_premise.values()) / len(by_premise) < 0.15
    assert max(by_premise.values()) < 0.5
    assert differ > 3  # it matters which of the premise's agents the hypothesis is about


def with_a_world(key, setup, n, most):
    """Return the identities of the premises that a stream draws, of those that leave a world."""
    drawn = drawn_premises(stream(*key), setup, n, most)
    return Counter(identity(premise, {}) for premise, state in drawn if state.law)


@pytest.mark.parametrize("setup", SETUPS)
def test_premises_leave_a_world_and_none_comes_twice(setup):
    kept = list(candidates(stream("premises", setup), setup, 3, 600))
    drawn = with_a_world(("premises", setup), setup, 3, 600)
    assert [identity(candidate.premise, {}) for candidate in kept] == list(drawn)
    assert min(600 - drawn.total(), drawn.total() - len(drawn), len(kept)) > 20
    assert len({canonical(candidate.premise) for candidate in kept}) == len(kept)
    for candidate in kept:
        assert candidate == candidate_of(candidate.premise)._replace(state=candidate.state)
        assert follows(to_problem(candidate.premise, SOMEONE)) is not None
        assert candidate.state.law == state_after(candidate.premise).law


@pytest.mark.parametrize("setup", SETUPS)
def test_scale_has_premises_of_its_own_from_five_agents_on(setup):
    for n in (4, 5, 6):
        ours, scale = (
            [identity(candidate.premise, {}) for candidate in candidates(stream("halves"), setup, n, 800, half)]
            for half in (False, True)
        )
        drawn = with_a_world(("halves",), setup, n, 800)
        if n == 4:
            assert ours == scale == list(drawn)
        else:
            assert sorted(ours + scale) == sorted(drawn)  # so no premise is in both halves, and none is left out
            assert 0.35 < len(ours) / len(drawn) < 0.65


def test_all_premises_of_two_agents_come():
    kept = [candidate.premise for candidate in candidates(stream("two"), "forehead_mirror", 2, 0)]
    assert {canonical(premise) for premise in kept} == all_of_two("forehead_mirror")
    assert len(kept) == len(all_of_two("forehead_mirror"))


@pytest.mark.parametrize("setup", SETUPS)
def test_what_two_agents_may_be_told_is_among_all_of_it(setup):
    listed = premises_of_two(setup)
    assert len(set(listed)) == len(listed) == (1 + 72 + 72**2) * (16 if setup == "explicit" else 1)
    drawn = stream("of two", setup)
    assert {draw_premise(drawn, setup, draw_sees(drawn, setup, 2))[0] for _ in range(3000)} <= set(listed)
