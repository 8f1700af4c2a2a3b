"""Prove that sights, announcements, premises and hypotheses are drawn with the shares of the MindGames paper."""

from collections import Counter
from itertools import pairwise

import pytest
from random_problems import LINKS, SYMMETRIC, is_hypothesis, sees_of

from tom_datasets.logic.claims import NAMED
from tom_datasets.logic.drawing import draw_announcement, draw_form, draw_hypothesis, draw_premise
from tom_datasets.logic.setups import draw_sees
from tom_datasets.logic.states import state_after
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS

N_DRAWN = 4000  # how many draws are counted: five standard deviations of a share are then below 0.04


def near(share, expected):
    return abs(share - expected) < 0.04


@pytest.mark.parametrize("n", range(2, 13))
def test_what_agents_see(n):
    for setup in SYMMETRIC:
        assert draw_sees(stream("sees"), setup, n) == sees_of(setup, n)
    counts = Counter()
    for i in range(300):
        sees = draw_sees(stream("sees", n, i), "explicit", n)
        assert len(sees) == n
        assert all(list(seen) == sorted(set(seen)) and set(seen) <= set(range(1, n + 1)) for seen in sees)
        counts["cards"] += sum(map(len, sees))
        counts["own"] += sum(agent in seen for agent, seen in enumerate(sees, 1))
        counts["blind"] += () in sees
    assert 0.85 < counts["cards"] / (300 * n) < 1.15
    assert 0.75 < counts["own"] / 300 < 1.25
    assert counts["blind"] > 30


def test_announcements_are_drawn_as_in_the_paper():
    n = 3
    drawn = stream("announcements")
    claims = [draw_announcement(drawn, n) for _ in range(N_DRAWN)]
    knowledge = [levels[0] for levels, _ in claims if levels]
    assert {len(levels) for levels, _ in claims} == {0, 1}
    assert near(1 - len(knowledge) / N_DRAWN, 0.3)
    assert near(sum(negated for _, _, negated in knowledge) / len(knowledge), 0.8)
    assert near(sum(link for _, link, _ in knowledge) / len(knowledge), 0.5)
    assert all(near(count / len(knowledge), 1 / n) for count in Counter(a for a, _, _ in knowledge).values())
    for some in (claims, [c for c in claims if c[0]], [c for c in claims if not c[0]]):
        counts = Counter(fact for _, fact in some)
        uniform = dict.fromkeys(range(NAMED), 1 / 7) | dict.fromkeys(range(NAMED, NAMED + 2 * n), 1 / 14)
        assert counts.keys() == uniform.keys()
        assert all(near(counts[fact] / len(some), share) for fact, share in uniform.items())


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("order", [1, 2, 5])
def test_hypotheses_are_drawn_as_in_the_paper(n, order):
    drawn = stream("hypotheses", n, order)
    claims = [draw_hypothesis(drawn, n, order) for _ in range(N_DRAWN)]
    assert all(is_hypothesis(claim, n, (order,)) for claim in claims)
    steps = Counter()
    for depth in range(order):
        levels = [claim[0][depth] for claim in claims]
        assert near(sum(negated for _, _, negated in levels) / N_DRAWN, 0.5)
        assert near(sum(link for _, link, _ in levels) / N_DRAWN, 0.5)
        assert all(near(sum(a == agent for a, _, _ in levels) / N_DRAWN, 1 / n) for agent in range(n))
    for (one, _, _), (other, _, _) in (pair for claim in claims for pair in pairwise(claim[0])):
        steps[(other - one) % n] += 1
    assert all(near(steps[step] / N_DRAWN / (order - 1), 1 / (n - 1)) for step in range(1, n) if order > 1)
    facts = Counter(fact for _, fact in claims)
    assert all(near(facts[fact] / N_DRAWN, 1 / (NAMED + n)) for fact in range(NAMED))
    assert all(near(facts[fact] / N_DRAWN, 0.5 / (NAMED + n)) and facts[fact] for fact in range(NAMED, NAMED + 2 * n))
    forms = [draw_form(drawn, n, order) for _ in range(N_DRAWN)]
    kinds = Counter(kind for _, kind in forms)
    assert all(near(kinds[kind] / N_DRAWN, 1 / (NAMED + n)) for kind in range(NAMED))
    assert all(near(kinds[kind] / N_DRAWN, 0.5 * n / (NAMED + n)) for kind in (NAMED, NAMED + 1))
    assert {len(levels) for levels, _ in forms} == {order}
    assert all(near(sum(levels[-1] == (link, negated) for levels, _ in forms) / N_DRAWN, 0.25)
               for link in LINKS for negated in (False, True))  # fmt: skip


@pytest.mark.parametrize("setup", SETUPS)
def test_a_premise_has_up_to_n_announcements_and_ends_where_no_world_is_left(setup):
    lengths, empty = Counter(), 0
    for i in range(400):
        drawn = stream("premise", setup, i)
        sees = draw_sees(drawn, setup, 3)
        premise, state = draw_premise(drawn, setup, sees)
        lengths[len(premise.announcements)] += 1
        assert premise.setup == setup
        assert premise.sees == sees
        assert state.law == state_after(premise).law
        assert state_after(premise._replace(announcements=premise.announcements[:-1])).law
        empty += not state.law
    assert lengths.keys() == {0, 1, 2, 3}
    assert 70 < lengths[0] < 130
    assert 40 < empty < 300
