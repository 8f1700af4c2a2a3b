"""Prove that the fast answers for all subchains at once are those of the definitions, chain by chain."""

import pytest
from random_stories import all_lessons, chains, kept

from tom_datasets.story.meaning import SEMANTICS, teaches
from tom_datasets.story.subchains import subchain_sets, taught_subchains


@pytest.mark.parametrize(
    ("semantics", "watchings", "shortest"), [*((name, [0], 0) for name in SEMANTICS), ("recursive", range(1, 16), 4)]
)
def test_taught_subchains_are_those_that_the_lesson_teaches(semantics, watchings, shortest):
    """`test_analysis` proves the same of `beliefs`, on lessons at random."""
    lessons = [lesson._replace(watching=watching) for lesson in all_lessons(4) for watching in watchings]
    assert len(lessons) == (16 + 4 * 27) * len(watchings)
    for lesson in lessons:
        for chain in chains(4, 4, shortest):
            expected = sum(
                teaches(lesson, kept(chain, subchain), semantics) << subchain for subchain in range(1 << len(chain))
            )
            assert taught_subchains(lesson, chain, semantics) == expected, (lesson, chain)


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
