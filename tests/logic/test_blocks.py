"""Prove that problems are drawn as the paper says, mean what two other engines say, and fill blocks that balance."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, pairwise, permutations, product
from time import monotonic
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.logic.blocks import WINDOW, TooFewError, find_blocks, plan, plan_reproduction, shares
from builders.logic.claims import (
    ALL,
    NAMED,
    NONE,
    NOT_ALL,
    SOME,
    SOMEONE,
    THAT,
    WHETHER,
    Premise,
    about,
    all_forms,
    cases,
    coded,
    formula,
    problem,
)
from builders.logic.formula import SETUPS, And, Atom, Bot, Implies, Knows, KnowsWhether, Not, Or, Problem, Xor
from builders.logic.premises import (
    REPRODUCTION_SHARE,
    Known,
    draw_announcement,
    draw_form,
    draw_hypothesis,
    draw_premise,
    draw_sees,
    identity,
    is_reproduced,
    premises,
    premises_of_two,
)
from builders.logic.s5 import Checker
from builders.logic.states import after, start
from builders.logic.structure import needed, shortest_proof
from builders.proof.problem_worlds import follows
from builders.streams import stream

SYMMETRIC = ("forehead", "forehead_mirror", "internal")
LINKS = (THAT, WHETHER)
N_DRAWN = 4000
"""So many draws are counted; five standard deviations of a share are below 0.04."""


def near(found, expected):
    return abs(found - expected) < 0.04


def form_of(claim):
    """Return a claim without its agents: an atom counts as NAMED, its negation as NAMED + 1."""
    levels, fact = claim
    return tuple((link, negated) for _, link, negated in levels), fact if fact < NAMED else NAMED + (fact - NAMED) % 2


def is_hypothesis(claim, n, orders):
    """Return whether a claim about n agents is one that `draw_hypothesis` may draw."""
    levels, fact = claim
    agents = [agent for agent, _, _ in levels]
    return (
        len(levels) in orders
        and all(a in range(n) for a in agents)
        and all(a != b for a, b in pairwise(agents))
        and all(link in LINKS and isinstance(negated, bool) for _, link, negated in levels)
        and fact in range(NAMED + 2 * n)
    )


def told_of(setup, n):
    """Return what n agents see, as DESIGN says it."""
    every = range(1, n + 1)
    return {
        "forehead": tuple(tuple(set(every) - {own}) for own in every),
        "forehead_mirror": (tuple(every),) * n,
        "internal": tuple((own,) for own in every),
    }[setup]


def permuted(to, premise, *claims):
    """Return a premise and claims in which agent a is called to[a]."""

    def fact_of(fact):
        return fact if fact < NAMED else NAMED + 2 * to[(fact - NAMED) // 2] + (fact - NAMED) % 2

    def claim_of(claim):
        levels, fact = claim
        return tuple((to[agent], link, negated) for agent, link, negated in levels), fact_of(fact)

    sees = [()] * len(premise.sees)
    for agent, seen in enumerate(premise.sees):
        sees[to[agent]] = tuple(sorted(to[atom - 1] + 1 for atom in seen))
    return Premise(premise.setup, tuple(sees), tuple(map(claim_of, premise.said))), *map(claim_of, claims)


def canonical(premise, *claims):
    """Return the first, in order, of all renamings: what `identity` stands for, by brute force."""
    return min(permuted(to, premise, *claims) for to in permutations(range(len(premise.sees))))


def known_of(premise):
    number = {}
    same = identity(premise, number)
    return Known(premise, after(premise), number, crc32(repr(same).encode()))


def random_problems(name, count, setups=SETUPS, agents=(2, 3, 4), orders=(1, 2, 3), empty=False):
    """Yield random problems as the sampler draws them, each with a setup and a number of agents in turn."""
    for i in range(count):
        setup, n = setups[i % len(setups)], agents[i // len(setups) % len(agents)]
        drawn = stream("test", name, i)
        sees = draw_sees(drawn, setup, n)
        premise, state = draw_premise(drawn, setup, sees)
        while not (state.law or empty):
            premise, state = draw_premise(drawn, setup, sees)
        yield premise, draw_hypothesis(drawn, n, orders[drawn.below(len(orders))])


def claims_about(n, orders):
    level = st.tuples(st.integers(0, n - 1), st.sampled_from(LINKS), st.booleans())
    levels = st.lists(level, min_size=orders[0], max_size=orders[-1]).map(tuple)
    return st.tuples(levels, st.integers(0, NAMED + 2 * n - 1))


@st.composite
def premises_any(draw, agents=(2, 5), most=4):
    """Any premise: agents who see nothing, announcements that leave no world, and other such extremes."""
    n = draw(st.integers(*agents))
    setup = draw(st.sampled_from(SETUPS))
    row = st.sets(st.integers(1, n)).map(lambda seen: tuple(sorted(seen)))
    sees = draw(st.tuples(*[row] * n)) if setup == "explicit" else told_of(setup, n)
    return Premise(setup, sees, tuple(draw(st.lists(claims_about(n, (0, 1)), max_size=most))))


problems_any = premises_any().flatmap(lambda p: st.tuples(st.just(p), claims_about(len(p.sees), (0, 1, 2, 3))))


# Drawing.


@pytest.mark.parametrize("n", range(2, 13))
def test_what_agents_see(n):
    for setup in SYMMETRIC:
        assert draw_sees(stream("sees"), setup, n) == told_of(setup, n)
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


def test_an_unknown_setup_is_an_error():
    with pytest.raises(ValueError, match=f"^unknown setup 'mirror'; the setups are {', '.join(SETUPS)}$"):
        draw_sees(stream("sees"), "mirror", 3)


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
        lengths[len(premise.said)] += 1
        assert premise.setup == setup
        assert premise.sees == sees
        assert state.law == after(premise).law
        assert after(premise._replace(said=premise.said[:-1])).law
        empty += not state.law
    assert lengths.keys() == {0, 1, 2, 3}
    assert 70 < lengths[0] < 130
    assert 40 < empty < 300


# Meaning.


def agree(premise, hypothesis):
    """Assert that a problem means the same to the sampler and to two other engines; return its label."""
    posed = problem(premise, hypothesis)
    state = after(premise)
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
    monkeypatch.setattr("builders.logic.states.STATES", 3)
    start.cache_clear()
    for premise, _ in random_problems("forgotten", 200, agents=(3,)):
        state = start(premise.sees)
        assert state.law == (1 << 8) - 1
        for said in (SOMEONE, *premise.said):
            law = state.where(said)
            state = state.told(said)
            assert state.law == law
        assert state.law == after(premise).law
    start.cache_clear()


@settings(max_examples=200, deadline=None)
@given(st.data(), premises_any(agents=(2, 4)), st.integers(1, 4))
def test_the_truth_vector_of_a_form_is_the_truth_of_each_of_its_cases(data, premise, order):
    level = st.tuples(st.sampled_from(LINKS), st.booleans())
    form = data.draw(st.tuples(st.tuples(*[level] * order), st.integers(0, NAMED + 1)))
    state = after(premise)
    claims = cases(len(premise.sees), form)
    one_by_one = "".join("01"[state.where(claim) == state.law] for claim in claims)
    assert f"{state.entailed(form):0{len(claims)}b}" == one_by_one
    assert state.entailed(form) == int(one_by_one, 2)  # a second time, remembered


@cache
def all_hypotheses(n, order):
    """Return all hypotheses of an order by form."""
    levels = product(range(n), LINKS, (False, True))
    found = {}
    for claim in product(product(levels, repeat=order), range(NAMED + 2 * n)):
        if is_hypothesis(claim, n, (order,)):
            found.setdefault(form_of(claim), []).append(claim)
    return found


@pytest.mark.parametrize(("n", "order"), [(2, 1), (3, 1), (4, 1), (7, 1), (2, 2), (3, 2), (4, 2)])
def test_cases_of_order_1_and_2_are_all_hypotheses_of_a_form(n, order):
    for form, claims in all_hypotheses(n, order).items():
        assert sorted(cases(n, form)) == sorted(claims)


@pytest.mark.parametrize("n", [2, 3, 5, 12])
@pytest.mark.parametrize("order", [3, 4, 12])
def test_deeper_cases_are_hypotheses_of_their_form_with_all_pairs_of_outer_agents_that_can_be(n, order):
    for i in range(10):
        form = draw_form(stream("deep", n, order, i), n, order)
        claims = cases(n, form)
        assert len(set(claims)) == len(claims) == (n - 1) ** 2 * (n if form[1] >= NAMED else 1)
        assert all(is_hypothesis(claim, n, (order,)) and form_of(claim) == form for claim in claims)


def test_needed_counts_the_announcements_that_matter_when_left_out():
    counts = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems("needed", 1000)):
        hypotheses = (hypothesis, draw_hypothesis(stream("needed", "other", i), len(premise.sees), 1))
        expected = []
        for each in hypotheses:
            posed = problem(premise, each)
            said = posed.announcements
            left_out = [replace(posed, announcements=said[:k] + said[k + 1 :]) for k in range(len(said))]
            expected.append(sum(follows(without) is not follows(posed) for without in left_out))
        assert needed(premise, hypotheses) == expected
        counts.update(expected)
    assert min(counts[0], counts[1], counts[2]) > 5


def test_a_shortest_proof_is_the_fewest_announcements_that_give_the_label():
    """By explicit worlds, over all that can be left out."""
    counts = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems("proof", 700)):
        posed = problem(premise, hypothesis)
        labels = (
            (count, follows(replace(posed, announcements=said)))
            for count in range(len(posed.announcements) + 1)
            for said in combinations(posed.announcements, count)
        )
        expected = next(count for count, label in labels if label is follows(posed))
        assert shortest_proof(premise, hypothesis) == expected, i
        counts[expected] += 1
    assert min(counts[0], counts[1], counts[2]) > 5


def test_three_wise_men_need_every_word():
    silence = [((agent, WHETHER, True),) for agent in range(2)]
    said = tuple((levels, about(agent, False)) for agent, levels in enumerate(silence))
    cy_knows = ((2, THAT, False),), about(2, False)
    premise = Premise("forehead", told_of("forehead", 3), said)
    assert shortest_proof(premise, cy_knows) == 3
    assert shortest_proof(premise, (((2, THAT, True),), about(1, False))) == 0  # false from the start: Cy sees Bob


# Sameness.


def changed(drawn, premise):
    """Return a premise with one small change: an agent, a fact, or what somebody sees."""
    n = len(premise.sees)
    if premise.setup == "explicit" and (not premise.said or drawn.random() < 0.5):
        agent, atom = drawn.below(n), 1 + drawn.below(n)
        seen = tuple(sorted(set(premise.sees[agent]) ^ {atom}))
        return premise._replace(sees=(*premise.sees[:agent], seen, *premise.sees[agent + 1 :]))
    if not premise.said:
        return premise
    place = drawn.below(len(premise.said))
    levels, fact = premise.said[place]
    if levels and drawn.random() < 0.5:
        levels = ((drawn.below(n), *levels[0][1:]),)
    else:
        fact = drawn.below(NAMED + 2 * n)
    return premise._replace(said=(*premise.said[:place], (levels, fact), *premise.said[place + 1 :]))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("setup", SETUPS)
def test_identity_is_shared_by_renamings_and_by_nothing_else(setup, n):
    by_identity, by_force = {}, {}
    met = Counter()
    for i, (premise, hypothesis) in enumerate(random_problems(f"same-{setup}", 120, (setup,), (n,))):
        drawn = stream("same", setup, n, i)
        other = changed(drawn, premise)
        renamed = permuted(drawn.shuffled(range(n)), other, hypothesis)
        for asked in ((premise,), (premise, hypothesis), (other,), (other, hypothesis), renamed[:1], renamed):
            same, first = (len(asked), identity(asked[0], {}, *asked[1:])), canonical(*asked)
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
    assert is_reproduced(known_of(premise), hypothesis) == is_reproduced(known_of(other), its_hypothesis)


def test_setups_and_numbers_of_agents_are_told_apart():
    assert len({identity(Premise(setup, told_of(setup, n), ()), {}) for setup in SYMMETRIC for n in (2, 3)}) == 6


def test_agents_are_numbered_as_they_are_first_spoken_of():
    premise = Premise(
        "internal", told_of("internal", 4), (((), about(3, True)), (((1, WHETHER, True),), about(3, False)))
    )
    number = {}
    identity(premise, number, (((2, THAT, False), (1, THAT, False)), NONE))
    assert number == {3: 0, 1: 1, 2: 2}


def test_one_problem_in_eight_is_kept_for_the_unbalanced_config():
    assert REPRODUCTION_SHARE == 8
    by_premise, differ = {}, 0
    for known in premises(stream("kept"), "internal", 3, 400, Counter()):
        drawn = stream("kept", known.mark)
        hypotheses = [draw_hypothesis(drawn, 3, order) for order in (1, 2, 3) for _ in range(20)]
        number = dict(known.number)
        by_premise[known.premise] = sum(is_reproduced(known, hypothesis) for hypothesis in hypotheses) / len(hypotheses)
        assert known.number == number  # the next hypothesis is numbered anew
        differ += len({is_reproduced(known, (((agent, THAT, False),), ALL)) for agent in known.number}) > 1
    assert len(by_premise) > 50
    assert 0.1 < sum(by_premise.values()) / len(by_premise) < 0.15
    assert max(by_premise.values()) < 0.5
    assert differ > 3  # it matters which of the premise's agents the hypothesis is about


# To formulas and back.


def test_claims_say_what_their_codes_say():
    a, b, c = Atom(1), Atom(2), Atom(3)
    assert formula(SOMEONE, 3) == formula(((), SOME), 3) == Or((a, b, c))
    assert formula(((), ALL), 2) == And((a, b))
    assert formula(((), NOT_ALL), 2) == Not(And((a, b)))
    assert formula(((), NONE), 3) == Not(Or((a, b, c)))
    assert formula(((), about(2, False)), 3) == c
    assert formula(((), about(0, True)), 3) == Not(a)
    assert formula((((1, THAT, False),), ALL), 2) == Knows("Agentb", And((a, b)))
    assert formula((((0, WHETHER, True),), about(1, True)), 2) == Not(KnowsWhether("Agenta", Not(b)))
    levels = ((2, THAT, True), (0, WHETHER, False), (1, THAT, True))
    assert formula((levels, about(0, False)), 3) == Not(
        Knows("Agentc", KnowsWhether("Agenta", Not(Knows("Agentb", a))))
    )


@settings(max_examples=200, deadline=None)
@given(problems_any)
def test_a_problem_is_read_back_as_its_codes(posed):
    premise, hypothesis = posed
    assert coded(problem(premise, hypothesis)) == (premise, hypothesis)


def test_what_is_no_fact_is_refused():
    a, b = Atom(1), Atom(2)
    someone, see = Or((a, b)), ((1,), (2,))
    assert coded(Problem("internal", see, (someone,), Knows("Agenta", b)))
    with pytest.raises(ValueError, match=r"^the first announcement is not that someone …$"):
        coded(Problem("internal", see, (And((a, b)), someone), Knows("Agenta", b)))
    with pytest.raises(ValueError, match="^the first announcement is not that someone"):
        coded(Problem("internal", see, (), Knows("Agenta", b)))
    for odd in (Xor((a, b)), Or((b, a)), Or((a,)), Atom(0), Atom(3), Not(Not(a)), Implies(a, b), And((Not(a), Not(b)))):
        for said in (odd, Knows("Agentb", odd), Not(KnowsWhether("Agenta", Not(odd)))):
            with pytest.raises(ValueError, match=r"^not a fact about 2 agents: "):
                coded(Problem("internal", see, (someone, said), Knows("Agenta", b)))
            with pytest.raises(ValueError, match=r"^not a fact about 2 agents: "):
                coded(Problem("internal", see, (someone,), said))


# Finding.


@pytest.mark.parametrize("setup", SETUPS)
def test_premises_leave_a_world_and_none_comes_twice(setup):
    counts = Counter()
    found = list(premises(stream("premises", setup), setup, 3, 600, counts))
    assert counts["drawn"] == 600 == len(found) + counts["no world"] + counts["again"]
    assert min(counts["no world"], counts["again"], len(found)) > 20
    assert len({canonical(known.premise) for known in found}) == len(found)
    for known in found:
        assert known == known_of(known.premise)._replace(state=known.state)
        assert follows(problem(known.premise, SOMEONE)) is not None
        assert known.state.law == after(known.premise).law


@pytest.mark.parametrize("setup", SETUPS)
def test_scale_has_premises_of_its_own_from_five_agents_on(setup):
    for n in (4, 5, 6):
        counts, halves = Counter(), []
        for scale in (False, True):
            half = premises(stream("halves"), setup, n, 800, counts, scale)
            halves.append({identity(known.premise, {}) for known in half})
        if n == 4:
            assert halves[0] == halves[1]
            assert not counts["kept"]
        else:
            assert not halves[0] & halves[1]
            assert counts["kept"] == len(halves[0] | halves[1])  # what one half has is kept from the other
            assert 0.35 < len(halves[0]) / counts["kept"] < 0.65
        # Either way nothing else is left out.
        assert counts["drawn"] - counts["no world"] - counts["again"] == 2 * len(halves[0] | halves[1])


@cache
def all_of_two(setup):
    """Return all sequences of up to two announcements to two agents that leave a world, up to renaming."""
    announced = [
        *(((), fact) for fact in range(8)),
        *((((agent, link, negated),), fact)
          for agent in range(2) for link in LINKS for negated in (False, True) for fact in range(8)),
    ]  # fmt: skip
    sees = told_of(setup, 2)
    drawn = [Premise(setup, sees, said) for k in range(3) for said in product(announced, repeat=k)]
    return {canonical(each) for each in drawn if follows(problem(each, SOMEONE)) is not None}


def test_all_premises_of_two_agents_come():
    counts = Counter()
    found = [known.premise for known in premises(stream("two"), "forehead_mirror", 2, 0, counts)]
    assert {canonical(premise) for premise in found} == all_of_two("forehead_mirror")
    assert len(found) == len(all_of_two("forehead_mirror")) == counts["drawn"] - counts["no world"] - counts["again"]


@pytest.mark.parametrize("setup", SETUPS)
def test_what_two_agents_may_be_told_is_among_all_of_it(setup):
    listed = premises_of_two(setup)
    assert len(set(listed)) == len(listed) == (1 + 72 + 72**2) * (16 if setup == "explicit" else 1)
    drawn = stream("of two", setup)
    assert {draw_premise(drawn, setup, draw_sees(drawn, setup, 2))[0] for _ in range(3000)} <= set(listed)


def check_block(block, setup, n, orders):
    """Assert that a block is what DESIGN says; return what its premises and problems are up to renaming."""
    p, q, h, g = block
    for premise in (p, q):
        assert premise.setup == setup
        assert len(premise.sees) == n
        assert (
            premise.sees == told_of(setup, n) if setup in SYMMETRIC else all(list(s) == sorted(s) for s in premise.sees)
        )
        assert len(premise.said) <= n
        assert all(len(levels) <= 1 for levels, _ in premise.said)
    assert p.sees == q.sees
    labels = [follows(problem(premise, claim)) for premise in (p, q) for claim in (h, g)]
    assert labels == [True, False, False, True]
    assert h != g
    assert form_of(h) == form_of(g)
    assert is_hypothesis(h, n, orders)
    assert is_hypothesis(g, n, orders)
    assert canonical(p) != canonical(q)
    assert not any(is_reproduced(known_of(premise), claim) for premise in (p, q) for claim in (h, g))
    return [canonical(p), canonical(q)], [canonical(premise, claim) for premise in (p, q) for claim in (h, g)]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("setup", SETUPS)
def test_blocks_balance(setup, n):
    blocks, counts = find_blocks(stream("blocks", setup, n), setup, n, 24, 2)
    assert Counter(len(block.h[0]) for block in blocks) == {1: 12, 2: 12}
    checked = [check_block(block, setup, n, (1, 2)) for block in blocks]
    used = list(chain.from_iterable(used for used, _ in checked))
    posed = list(chain.from_iterable(posed for _, posed in checked))
    assert len(set(used)) == 48
    assert len(set(posed)) == 96
    assert counts["drawn"] - counts["no world"] - counts["again"] >= 48
    # Where everybody sees everything, everybody always knows whether.
    links = (THAT,) if setup == "forehead_mirror" else LINKS
    assert {level[1:] for block in blocks for level in block.h[0]} == set(product(links, (False, True)))
    assert {NAMED, NAMED + 1} <= {form_of(block.h)[1] for block in blocks}
    assert len({len(block.p.said) for block in blocks}) > 1
    assert len({block.p.sees for block in blocks}) > 3 or setup in SYMMETRIC


@pytest.mark.parametrize(("setup", "n", "order"), [("internal", 3, 4), ("explicit", 4, 3), ("forehead", 6, 3)])
def test_deep_blocks_balance(setup, n, order):
    blocks, _ = find_blocks(stream("deep blocks"), setup, n, 2 * order, order)
    assert Counter(len(block.h[0]) for block in blocks) == dict.fromkeys(range(1, order + 1), 2)
    for block in blocks:
        check_block(block, setup, n, range(1, order + 1))


SIZES = {"train": 12, "validation": 6, "test": 6}


@pytest.mark.parametrize("setup", SETUPS)
def test_a_plan_deals_blocks_to_splits(setup):
    planned, counts = plan(("test", 1), setup, (2, 3, 4), SIZES, 2)
    assert planned.keys() == SIZES.keys()
    used = []
    for split, blocks in planned.items():
        agents = [len(block.p.sees) for block in blocks]
        assert Counter(agents) == {2: SIZES[split] // 6, 3: SIZES[split] // 3, 4: SIZES[split] // 2}
        for block in blocks:
            used += check_block(block, setup, len(block.p.sees), (1, 2))[0]
    assert len(set(used)) == 48
    assert [len(block.p.sees) for block in planned["train"]] != sorted(len(block.p.sees) for block in planned["train"])
    assert counts["drawn"] - counts["no world"] - counts["again"] >= 48
    assert plan(("test", 1), setup, (2, 3, 4), SIZES, 2) == (planned, counts)
    other, _ = plan(("test", 2), setup, (2, 3, 4), SIZES, 2)
    assert not set(other["train"]) & set(planned["train"])


def test_blocks_found_first_and_last_are_dealt_alike():
    """The last ones are made of what the others left, so no split may have them alone."""
    planned, _ = plan(("dealt",), "internal", (3,), {"train": 20, "test": 20}, 2)
    found, _ = find_blocks(stream("dealt", "internal", 3, "plan"), "internal", 3, 40, 2)
    assert {*found} == {*planned["train"], *planned["test"]}
    assert 4 < len({*found[:20]} & {*planned["train"]}) < 16


def test_all_forms_up_to_an_order():
    expected = [form for order in (1, 2) for form in all_hypotheses(2, order)]
    assert sorted(all_forms(2)) == sorted(expected)
    assert len(set(all_forms(3))) == len(all_forms(3)) == 6 * (4 + 16 + 64)


def test_every_split_has_hypotheses_of_every_order_in_no_order():
    planned, _ = plan(("orders",), "internal", (3,), {"train": 40, "test": 40}, 2)
    for blocks in planned.values():
        assert min(Counter(len(block.h[0]) for block in blocks)[order] for order in (1, 2)) > 10
        assert len({len(block.h[0]) for block in blocks[::2]}) == 2


def test_shares_are_in_proportion_to_one_agent_fewer():
    assert shares(700, (2, 3, 4)) == {2: 117, 3: 233, 4: 350}
    assert shares(234, (2, 3, 4)) == {2: 39, 3: 78, 4: 117}
    assert shares(120, (5, 6, 7, 8, 9, 10)) == {5: 12, 6: 15, 7: 18, 8: 22, 9: 25, 10: 28}
    assert shares(1, (2, 3)) == {2: 0, 3: 1}
    assert shares(7, (9,)) == {9: 7}


@given(st.integers(1, 10**6), st.sets(st.integers(2, 12), min_size=1).map(lambda agents: tuple(sorted(agents))))
def test_shares_add_up(size, agents):
    counts = shares(size, agents)
    assert tuple(counts) == agents
    assert sum(counts.values()) == size
    whole = sum(n - 1 for n in agents)
    assert all(abs(count * whole - size * (n - 1)) < whole for n, count in counts.items())


@pytest.mark.parametrize(
    ("setup", "at_least", "too_many"), [("forehead_mirror", 280, 2000), ("forehead", 480, 700), ("internal", 480, 700)]
)
def test_too_many_blocks_of_two_agents_are_refused(setup, at_least, too_many):
    begun = monotonic()
    with pytest.raises(TooFewError) as refused:
        find_blocks(stream("too few"), setup, 2, too_many, 2)
    assert monotonic() - begun < 20
    said = re.fullmatch(
        rf"{setup} with 2 agents: {too_many:,} blocks of four were asked for, and (\d+) found among all "
        r"([\d,]+) distinct premises; ask for fewer blocks, or for more agents",
        str(refused.value),
    )
    found, distinct = int(said[1]), int(said[2].replace(",", ""))
    assert at_least <= found <= distinct // 2
    if setup == "forehead_mirror":
        assert distinct == len(all_of_two(setup))
    blocks, _ = find_blocks(stream("enough"), setup, 2, at_least, 2)
    assert len(blocks) == at_least
    assert len({canonical(premise) for block in blocks for premise in block[:2]}) == 2 * at_least


def test_it_is_said_how_many_blocks_of_more_agents_were_found_where_premises_do_not_suffice(monkeypatch):
    monkeypatch.setattr("builders.logic.blocks.DRAWS", 1)
    few = (
        r"^explicit with 3 agents: 40 blocks of four were asked for, and \d+ found among the drawn \d\d distinct "
        "premises; ask for fewer blocks, or for more agents$"
    )
    with pytest.raises(TooFewError, match=few):
        find_blocks(stream("too few"), "explicit", 3, 40, 2)
    with pytest.raises(TooFewError, match=r"^internal with 5 agents: "):
        plan(("too few",), "internal", (2, 5), {"test": 1000}, 2)


def test_plans_of_scale_and_of_the_rest_share_no_premise():
    used = []
    for scale in (False, True):
        planned, _ = plan(("scale",), "forehead", (5,), {"test": 40}, 2, scale)
        used.append({identity(premise, {}) for block in planned["test"] for premise in block[:2]})
    assert [len(each) for each in used] == [80, 80]
    assert not used[0] & used[1]


# The unbalanced config.


@pytest.mark.parametrize("setup", SETUPS)
def test_the_unbalanced_problems_are_half_entailed(setup):
    posed, counts = plan_reproduction(("test", 1), setup, (2, 3), 100, 2)
    labels = [follows(problem(*each)) for each in posed]
    assert Counter(labels) == {True: 50, False: 50}
    assert len(set(labels[:20])) == 2
    assert len({canonical(*each) for each in posed}) == 100
    assert {len(premise.sees) for premise, _ in posed} == {2, 3}
    assert {premise.setup for premise, _ in posed} == {setup}
    assert Counter(len(levels) for _, (levels, _) in posed).keys() == {1, 2}
    assert {form_of(hypothesis)[1] for _, hypothesis in posed} == set(range(NAMED + 2))
    for premise, hypothesis in posed:
        assert is_hypothesis(hypothesis, len(premise.sees), (1, 2))
        assert is_reproduced(known_of(premise), hypothesis)
    assert counts["drawn"] == 100 + counts["no world"] + counts["again"] + counts["kept"]
    assert min(counts["no world"], counts["kept"]) > 0
    assert plan_reproduction(("test", 1), setup, (2, 3), 100, 2) == (posed, counts)
    assert set(plan_reproduction(("test", 2), setup, (2, 3), 100, 2)[0]) != set(posed)


def test_too_many_unbalanced_problems_are_refused(monkeypatch):
    monkeypatch.setattr("builders.logic.blocks.DRAWS", 2)
    with pytest.raises(TooFewError) as refused:
        plan_reproduction(("test", 1), "internal", (2, 3), 1000, 2)
    drawn = f"{2 * (1000 + WINDOW):,}"
    said = re.fullmatch(
        rf"internal with 2 or 3 agents: 1,000 problems were asked for, and (\d+) found among {drawn} drawn; "
        r"ask for fewer, or for more agents",
        str(refused.value),
    )
    assert 10 < int(said[1]) < 500
