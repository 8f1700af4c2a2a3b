"""Prove that the fast answers for all subchains at once are those of the definitions, chain by chain."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from random_stories import all_lessons, chains, kept, last_container, lessons_and_chain

from tom_datasets.story.meaning import SEMANTICS, teaches
from tom_datasets.story.subchains import beliefs, container_of, subchain_sets, taught_subchains


def test_taught_subchains_are_those_that_the_lesson_teaches():
    lessons = list(all_lessons(4))
    assert len(lessons) == 16 + 4 * 27
    for lesson in lessons:
        for chain in chains(4, 4):
            for semantics in SEMANTICS:
                taught = taught_subchains(lesson, chain, semantics)
                for subchain in range(1 << len(chain)):
                    expected = teaches(lesson, kept(chain, subchain), semantics)
                    assert (taught >> subchain & 1) == expected, (lesson, chain, subchain, semantics)
                assert taught >> (1 << len(chain)) == 0


def test_taught_subchains_are_those_that_the_lesson_teaches_where_some_watch():
    for lesson in all_lessons(4):
        for watching in range(1, 16):
            watched = lesson._replace(watching=watching)
            for chain in permutations(range(4)):
                taught = taught_subchains(watched, chain, "recursive")
                for subchain in range(16):
                    expected = teaches(watched, kept(chain, subchain), "recursive")
                    assert (taught >> subchain & 1) == expected, (watched, chain, subchain)


@settings(deadline=None)
@given(lessons_and_chain(), st.sampled_from(SEMANTICS))
def test_beliefs_of_all_subchains_are_those_of_each(drawn, semantics):
    lessons, chain = drawn
    believers = beliefs(lessons, chain, semantics)
    earlier = 0
    for subchains in believers.values():
        assert subchains and not earlier & subchains
        earlier |= subchains
    for subchain in range(1 << len(chain)):
        assert container_of(believers, subchain) == last_container(lessons, kept(chain, subchain), semantics)


def test_the_sets_of_subchains_of_three_agents():
    """Bit m stands for the subchain that keeps the positions in mask m: bit 5 (binary 101) for the two ends."""
    sets = subchain_sets(3)
    assert sets.within[0b101] == 1 << 0b000 | 1 << 0b001 | 1 << 0b100 | 1 << 0b101
    assert sets.within[0b111] == 0b11111111
    assert sets.ending[1] == 1 << 0b010 | 1 << 0b011
    assert sets.after[0][2] == 1 << 0b101
    assert sets.after[1][2] == 1 << 0b110 | 1 << 0b111
    assert sets.after[2][0] == 0
    assert sets.containing[0] == 1 << 0b001 | 1 << 0b011 | 1 << 0b101 | 1 << 0b111
    assert sets.by_length == (1, 1 << 1 | 1 << 2 | 1 << 4, 1 << 3 | 1 << 5 | 1 << 6, 1 << 7)
