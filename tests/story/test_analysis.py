"""Prove effective orders, order sensitivity and shortcuts by brute force, and on stories of high order."""

import time
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from random_stories import chains, coherent_stories, held

from tom_datasets.story.analysis import analyse, effective_order, order_sensitive
from tom_datasets.story.meaning import SEMANTICS, belief, subchains
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Story, Tell


def test_subchains_keep_agents_in_order():
    """Number 5, binary 101, keeps the first agent and the third."""
    assert subchains((7, 4, 9)) == [(), (7,), (4,), (7, 4), (9,), (7, 9), (4, 9), (7, 4, 9)]


@settings(deadline=None, max_examples=40)
@given(coherent_stories(watches=True, most=5), coherent_stories(most=5))
def test_beliefs_and_structure_follow_their_definitions(secret, public):
    for story, semantics in ((secret, "recursive"), (public, "published")):
        believed = {chain: belief(story, chain, 0, semantics) for chain in chains(story.n_agents, 4)}
        for chain in believed:
            analysis = analyse(story, chain, 0, semantics)
            assert analysis.held == [believed[part] for part in subchains(chain)]
            shorter = (some for order in range(len(chain) + 1) for some in combinations(chain, order))
            shortest = next(some for some in shorter if believed[some] == believed[chain])
            assert effective_order(analysis.held) == len(shortest)
            permuted = {believed[other] for other in permutations(chain)}
            assert order_sensitive(analysis.facts, chain, semantics) == (len(permuted) > 1)


def relay(*claims):
    """Return a story in which agents 0 to 5 each miss one move of agent 6, one after another, and end with claims.

    Agent k misses the move to container k + 1, and comes back when the next agent leaves. All six are together only at
    the start. So several of the six believe together in the container of the last move that all of them saw.
    """
    events = [Enter(tuple(range(7)), 1), Place(0, 0)]
    for absent in range(6):
        events.append(Exit(absent, 1))
        if absent > 0:
            events.append(Enter((absent - 1,), 1))
        events.append(Move(6, 0, absent + 1))
    return Story(7, (*events, *claims))


def structure(story, chain, semantics="recursive"):
    """Return what a chain believes, its effective order, and whether the order of its agents matters."""
    analysis = analyse(story, chain, 0, semantics)
    order = effective_order(analysis.held), order_sensitive(analysis.facts, chain, semantics)
    assert analysis.held[-1] == held(story, chain, 0, semantics)
    return analysis.held[-1], *order


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_a_sixth_order_question_that_needs_all_six(semantics):
    story = relay()
    check(story)
    for order in range(7):
        for some in combinations(range(6), order):
            missing = set(range(6)) - set(some)
            assert held(story, some, 0, semantics) == (max(missing) + 1 if missing else 0)
    for chain in ((0, 1, 2, 3, 4, 5), (5, 2, 0, 4, 1, 3)):
        assert structure(story, chain, semantics) == (0, 6, False)
    # Agent 6 saw everything, so as a seventh agent it changes nothing.
    assert structure(story, (6, 0, 1, 2, 3, 4, 5), semantics) == (0, 6, False)


def test_a_sixth_order_question_that_needs_its_order():
    """Agent 6 publicly claims container 50. Only agent 5, who is outside the room, trusts agent 6, and all know it."""
    story, rising, falling = relay(Tell(6, (), 0, 50)), (0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0)
    # Outermost, agent 5 is last only in the chain of agent 5 alone, so all six are needed; innermost, agent 5 suffices.
    assert structure(story, falling) == (0, 6, True)
    assert structure(story, rising) == (50, 1, True)
    assert structure(story, rising[:-1])[2] is False  # none of them is convinced in any order
    # The released generator carries the claim to orders 1 and 2 only.
    assert structure(story, rising, "published") == (0, 6, False)
    assert held(story, (5,), 0, "published") == 50


def test_twelve_agents_and_a_question_of_order_twelve():
    """Agent k moves the thing to container k + 1 and leaves, one after another. Agent 2 then claims 20 publicly."""
    events = [Enter(tuple(range(12)), 1), Place(0, 0)]
    for agent in range(12):
        events += [Move(agent, 0, agent + 1), Exit(agent, 1)]
    silent = Story(12, (*events, Enter(tuple(range(12)), 0)))
    claimed = Story(12, (*silent.events, Tell(2, (), 0, 20)))
    check(claimed)
    started = time.perf_counter()
    by_number = tuple(range(12))
    # All saw the move of agent 0, who saw no other move.
    assert structure(silent, by_number) == (1, 1, False)
    # Only agents 0 and 1 trust agent 2. Agent 11 counts as convinced only in the eyes of agent 2, right before.
    assert held(claimed, (0, 1, *by_number[3:11], 2, 11), 0) == 20
    assert held(claimed, by_number, 0) == 1
    assert held(claimed, (*by_number[3:], 0, 1, 2), 0) == 20
    # Agent 11 takes agent 2 to lie. Agent 0 alone would believe it, but knows that agent 3 saw the move of agent 0.
    at_last = (0, 1, *by_number[3:], 2)
    assert structure(claimed, at_last) == (1, 2, True)
    for chain in (by_number, at_last):
        belief_published, _, sensitive = structure(claimed, chain, "published")
        assert (belief_published, sensitive) == (1, False)
    assert time.perf_counter() - started < 10
