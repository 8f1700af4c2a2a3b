"""Prove effective orders and order sensitivity by brute force, and on stories of high order."""

import time
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_stories import coherent_stories, kept, last_container, lessons_and_chain

from tom_datasets.proof.stories import reordered
from tom_datasets.proof.story_minds import believe_all
from tom_datasets.story.meaning import SEMANTICS, belief, lessons_about
from tom_datasets.story.structure import effective_order, order_sensitive
from tom_datasets.story.subchains import beliefs, container_of
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Story, Tell


@settings(deadline=None)
@given(lessons_and_chain(), st.sampled_from(SEMANTICS))
def test_effective_order_is_the_length_of_the_shortest_subchain_with_the_same_belief(drawn, semantics):
    lessons, chain = drawn
    believers = beliefs(lessons, chain, semantics)
    for subchain in range(1 << len(chain)):
        longest = kept(chain, subchain)
        answer = last_container(lessons, longest, semantics)
        expected = min(
            order
            for order in range(len(longest) + 1)
            for shorter in combinations(longest, order)
            if last_container(lessons, shorter, semantics) == answer
        )
        assert effective_order(believers, len(chain), subchain) == expected


@settings(deadline=None, max_examples=50)
@given(coherent_stories(watches=True, most=6))
def test_the_second_account_needs_no_other_permutations(story):
    """All permutations of nested minds and those that `check` asks agree with the first account."""
    for order in range(story.n_agents + 1):
        chain = tuple(range(order))
        assert set(reordered(chain)) <= (every := set(permutations(chain)))
        held = believe_all(story, 0, every, "recursive")
        first = order_sensitive(lessons_about(story, 0), chain, "recursive")
        for others in (every, reordered(chain)):
            assert any(held[other] != held[chain] for other in others) == first


@settings(deadline=None)
@given(lessons_and_chain(n_agents=5), st.sampled_from(SEMANTICS))
def test_order_sensitive_agrees_with_listing_all_permutations(drawn, semantics):
    for lessons in (drawn[0], drawn[0][1:]):  # without the first lesson a chain may have no belief
        chain = drawn[1]
        answers = {last_container(lessons, other, semantics) for other in permutations(chain)}
        assert order_sensitive(lessons, chain, semantics) == (len(answers) > 1)


@settings(deadline=None, max_examples=300)
@given(lessons_and_chain(n_agents=5, watches=True))
def test_beliefs_and_structure_follow_their_definitions_where_some_watch(drawn):
    for lessons in (drawn[0], drawn[0][1:]):
        chain = drawn[1]
        believers = beliefs(lessons, chain, "recursive")
        answers = {sub: last_container(lessons, kept(chain, sub), "recursive") for sub in range(1 << len(chain))}
        assert {subchain: container_of(believers, subchain) for subchain in answers} == answers
        for subchain, answer in answers.items():
            within = [other for other in answers if other & ~subchain == 0 and answers[other] == answer]
            if answer is not None:
                assert effective_order(believers, len(chain), subchain) == min(other.bit_count() for other in within)
        permuted = {last_container(lessons, other, "recursive") for other in permutations(chain)}
        assert order_sensitive(lessons, chain, "recursive") == (len(permuted) > 1)


@settings(deadline=None, max_examples=60)
@given(coherent_stories(most=5))
def test_beliefs_and_structure_follow_their_definitions_on_random_stories(story):
    lessons = lessons_about(story, 0)
    for semantics in SEMANTICS:
        for chain in permutations(range(story.n_agents), min(4, story.n_agents)):
            believers = beliefs(lessons, chain, semantics)
            for subchain in range(1 << len(chain)):
                assert container_of(believers, subchain) == belief(story, kept(chain, subchain), 0, semantics)
        for order in range(5):
            for some in combinations(range(story.n_agents), order):
                answers = {belief(story, chain, 0, semantics) for chain in permutations(some)}
                assert all(order_sensitive(lessons, c, semantics) == (len(answers) > 1) for c in permutations(some))


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


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_a_sixth_order_question_that_needs_all_six(semantics):
    story = relay()
    check(story)
    lessons = lessons_about(story, 0)
    for order in range(7):
        for some in combinations(range(6), order):
            missing = set(range(6)) - set(some)
            assert belief(story, some, 0, semantics) == (max(missing) + 1 if missing else 0)
    for chain in ((0, 1, 2, 3, 4, 5), (5, 2, 0, 4, 1, 3)):
        believers = beliefs(lessons, chain, semantics)
        assert container_of(believers, 0b111111) == 0
        assert effective_order(believers, 6, 0b111111) == 6
        assert effective_order(believers, 6, 0b000001) <= 1
        assert not order_sensitive(lessons, chain, semantics)
    # Agent 6 saw everything, so as a seventh agent it changes nothing.
    assert belief(story, (6, 0, 1, 2, 3, 4, 5), 0, semantics) == 0
    assert effective_order(beliefs(lessons, (6, 0, 1, 2, 3, 4, 5), semantics), 7, 0b1111111) == 6


def test_a_sixth_order_question_that_needs_its_order():
    """Agent 6 publicly claims container 50. Only agent 5, who is outside the room, trusts agent 6, and all know it."""
    story = relay(Tell(6, (), 0, 50))
    lessons = lessons_about(story, 0)
    assert belief(story, (5, 4, 3, 2, 1, 0), 0) == 0
    assert belief(story, (0, 1, 2, 3, 4, 5), 0) == 50
    assert order_sensitive(lessons, (0, 1, 2, 3, 4, 5), "recursive")
    assert order_sensitive(lessons, (5, 4, 3, 2, 1, 0), "recursive")
    assert not order_sensitive(lessons, (0, 1, 2, 3, 4), "recursive")  # none of them is convinced in any order
    # Outermost, agent 5 is last only in the chain of agent 5 alone, so all six are needed; innermost, agent 5 suffices.
    assert effective_order(beliefs(lessons, (5, 4, 3, 2, 1, 0), "recursive"), 6, 0b111111) == 6
    assert effective_order(beliefs(lessons, (0, 1, 2, 3, 4, 5), "recursive"), 6, 0b111111) == 1
    # The released generator carries the claim to orders 1 and 2 only.
    assert belief(story, (0, 1, 2, 3, 4, 5), 0, "published") == 0
    assert not order_sensitive(lessons, (0, 1, 2, 3, 4, 5), "published")
    assert belief(story, (5,), 0, "published") == 50


def test_twelve_agents_and_a_question_of_order_twelve():
    """Agent k moves the thing to container k + 1 and leaves, one after another. Agent 2 then claims 20 publicly."""
    events = [Enter(tuple(range(12)), 1), Place(0, 0)]
    for agent in range(12):
        events += [Move(agent, 0, agent + 1), Exit(agent, 1)]
    silent = Story(12, (*events, Enter(tuple(range(12)), 0)))
    claimed = Story(12, (*silent.events, Tell(2, (), 0, 20)))
    check(claimed)
    started = time.perf_counter()
    everyone = (1 << 12) - 1
    by_number = tuple(range(12))
    # All saw the move of agent 0, who saw no other move.
    assert belief(silent, by_number, 0) == 1
    assert not order_sensitive(lessons_about(silent, 0), by_number, "recursive")
    assert effective_order(beliefs(lessons_about(silent, 0), by_number, "recursive"), 12, everyone) == 1
    # Only agents 0 and 1 trust agent 2. Agent 11 counts as convinced only in the eyes of agent 2, right before.
    lessons = lessons_about(claimed, 0)
    assert belief(claimed, (0, 1, *by_number[3:11], 2, 11), 0) == 20
    assert belief(claimed, by_number, 0) == 1
    assert belief(claimed, (*by_number[3:], 0, 1, 2), 0) == 20
    at_last = (0, 1, *by_number[3:], 2)
    assert belief(claimed, at_last, 0) == 1  # agent 11 takes agent 2 to lie
    assert order_sensitive(lessons, at_last, "recursive")
    # Agent 0 alone would believe the claim, but knows that agent 3 saw the move of agent 0.
    assert effective_order(beliefs(lessons, at_last, "recursive"), 12, everyone) == 2
    for chain in (by_number, at_last):
        assert belief(claimed, chain, 0, "published") == 1
        assert not order_sensitive(lessons, chain, "published")
    assert time.perf_counter() - started < 10
