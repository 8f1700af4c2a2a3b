"""Prove that colourings keep apart what must differ, make equal what may be equal, and fail where colours run out."""

from random_stories import random_draft

from tom_datasets.story.colouring import colour_containers
from tom_datasets.story.drafts import draft_story
from tom_datasets.story.meaning import belief
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Story

# Agents 0 and 1 see the thing in container 0. Then 0 moves it to 1 and leaves, and 1 moves it to 2.
DRAFT = Story(2, (Enter((0, 1), 1), Place(0, 0), Move(0, 0, 1), Exit(0, 1), Move(1, 0, 2), Exit(1, 1)))


def colourings(chain, shallow, n_colours):
    """Return the colourings of DRAFT that 50 streams draw."""
    drawn = [colour_containers(stream("colours", i), DRAFT, chain, shallow, n_colours) for i in range(50)]
    return {None if colours is None else tuple(colours) for colours in drawn}


def test_a_move_is_to_another_container():
    """The chain of agent 1 believes in reality, so it adds no conflict: containers 0 and 2 may become one."""
    assert colourings((1,), (), 3) == {(0, 1, 0), (0, 1, 2), (0, 2, 0), (0, 2, 1)}
    assert colourings((1,), (), 2) == {(0, 1, 0)}


def test_there_is_no_colouring_where_the_colours_run_out():
    assert colourings((1,), (), 1) == {None}


def test_a_shallow_order_that_cannot_be_equal_is_left_as_it_is():
    """Agent 0 believes in 1 and the thing is in 2: a move joins these two."""
    assert colourings((0,), (1,), 2) == colourings((0,), (), 2) == {(0, 1, 0)}


def test_the_beliefs_of_drafts_differ_from_those_of_their_subchains_unless_they_are_shallow():
    merged = 0
    for i in range(40):
        draft, number_of = draft_story(stream("told", i), random_draft(i), 5)
        first, last = chain = (number_of[3], number_of[1])
        before = {tail: belief(draft, tail, 0) for tail in ((), (first,), (last,), chain)}
        lower = {before[()], before[(first,)], before[(last,)]}
        if before[chain] in lower:
            continue
        colours = colour_containers(stream("apart", i), draft, chain, (), 8)
        assert colours[0] == 0 and colours[before[chain]] not in {colours[container] for container in lower}
        colours = colour_containers(stream("equal", i), draft, chain, (2,), 8)
        merged += colours[before[chain]] in {colours[container] for container in lower}
    assert merged > 10
