"""Random MindGames problems for the tests of several modules, and what they are up to renaming, by brute force."""

from functools import cache
from itertools import pairwise, permutations, product

from hypothesis import strategies as st

from tom_datasets.logic.claims import (
    COMMON,
    EACH,
    NAMED,
    OWN,
    SHOWN,
    SOMEONE,
    THAT,
    TOGETHER,
    WHETHER,
    Premise,
    about,
    counts,
    form_of,
    to_problem,
)
from tom_datasets.logic.drawing import draw_hypothesis, draw_premise
from tom_datasets.logic.premises import to_candidate
from tom_datasets.logic.setups import draw_sees
from tom_datasets.logic.states import state_after
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS

SYMMETRIC = ("forehead", "forehead_mirror", "internal")


LINKS = (THAT, WHETHER)


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


@cache
def all_hypotheses(n, order):
    """Return all hypotheses of an order by form."""
    levels = product(range(n), LINKS, (False, True))
    by_form = {}
    for claim in product(product(levels, repeat=order), range(NAMED + 2 * n)):
        if is_hypothesis(claim, n, (order,)):
            by_form.setdefault(form_of(claim), []).append(claim)
    return by_form


def sees_of(setup, n):
    """Return the atoms that each of n agents sees, as docs/reference/mindgames.md says it."""
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
    return Premise(premise.setup, tuple(sees), tuple(map(claim_of, premise.announcements))), *map(claim_of, claims)


def canonical(premise, *claims):
    """Return the first, in order, of all renamings: what `identity` stands for, by brute force."""
    return min(permuted(to, premise, *claims) for to in permutations(range(len(premise.sees))))


def candidate_of(premise):
    """Return a premise as a candidate for blocks."""
    return to_candidate(premise, state_after(premise))[0]


@cache
def all_of_two(setup):
    """Return all sequences of up to two announcements to two agents that leave a world, up to renaming."""
    announced = [
        *(((), fact) for fact in range(8)),
        *((((agent, link, negated),), fact)
          for agent in range(2) for link in LINKS for negated in (False, True) for fact in range(8)),
    ]  # fmt: skip
    sees = sees_of(setup, 2)
    drawn = [Premise(setup, sees, claims) for k in range(3) for claims in product(announced, repeat=k)]
    return {canonical(premise) for premise in drawn if follows(to_problem(premise, SOMEONE)) is not None}


def random_problems(name, count, setups=SETUPS, agents=(2, 3, 4), orders=(1, 2, 3), empty=False):
    """Yield random problems as the sampler draws them, each with a setup and a number of agents in turn."""
    for i in range(count):
        setup, n = setups[i % len(setups)], agents[i // len(setups) % len(agents)]
        own = stream("test", name, i)
        sees = draw_sees(own, setup, n)
        premise, state = draw_premise(own, setup, sees)
        while not (state.law or empty):
            premise, state = draw_premise(own, setup, sees)
        yield premise, draw_hypothesis(own, n, orders[own.below(len(orders))])


# Strategies by n are kept: to make one takes longer than to draw from it. So does drawing twice instead of once.


@cache
def levels_about(n, least, most):
    """Return a strategy of so many levels of a claim about n agents."""
    level = st.sampled_from([*product(range(n), LINKS, (False, True))])
    return st.lists(level, min_size=least, max_size=most).map(tuple)


@cache
def claims_about(n, orders):
    """Return a strategy of claims about n agents."""
    levels = levels_about(n, orders[0], orders[-1])
    return st.tuples(levels, st.integers(0, NAMED + 2 * n - 1))


@cache
def rows_about(n):
    """Return a strategy of what each of n agents sees, in any way."""
    row = st.integers(0, 2**n - 1).map(lambda seen: tuple(atom for atom in range(1, n + 1) if seen >> atom - 1 & 1))
    return st.tuples(*[row] * n)


@st.composite
def premises_any(draw, agents=(2, 5), most=4):
    """Draw any premise, extremes too: agents who see nothing, announcements that leave no world."""
    n = draw(st.integers(*agents))
    setup = draw(st.sampled_from(SETUPS))
    sees = draw(rows_about(n)) if setup == "explicit" else sees_of(setup, n)
    return Premise(setup, sees, tuple(draw(st.lists(claims_about(n, (0, 1)), max_size=most))))


@cache
def updates_about(n):
    """Return a strategy of what order blocks announce to n agents: counts, order 2, rounds, groups, showings."""
    agent = st.integers(0, n - 1)
    fact = st.integers(0, NAMED + 2 * n - 1) | st.sampled_from(counts(n))
    group = st.sampled_from([*product((EACH, TOGETHER, COMMON), LINKS, (False, True))])
    own = st.sampled_from([(((EACH, link, negated),), OWN) for link, negated in product(LINKS, (False, True))])
    return st.one_of(
        st.tuples(levels_about(n, 0, 2), fact),
        st.tuples(st.tuples(group), fact),
        own,
        st.builds(lambda viewer, owner: (((viewer, SHOWN, False),), about(owner, False)), agent, agent),
    )


@st.composite
def dynamic_premises(draw, agents=(2, 4), most=4):
    """Draw any premise with announcements of the kinds of order blocks."""
    bare = draw(premises_any(agents, 0))
    updates = draw(st.lists(updates_about(len(bare.sees)), min_size=1, max_size=most))
    return bare._replace(announcements=tuple(updates))


@st.composite
def problems_of(draw, premises):
    """Draw a premise, and a claim about its agents."""
    premise = draw(premises)
    return premise, draw(claims_about(len(premise.sees), (0, 1, 2, 3)))


dynamic_problems = problems_of(dynamic_premises())
problems_any = problems_of(premises_any())
