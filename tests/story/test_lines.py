"""Prove that a set of lines is what Python's own sets of their numbers are."""

from itertools import product

from tom_datasets.story.lines import LineSet, union
from tom_datasets.streams import stream


def drawn(number):
    """Return some lines at random, as Python's own set."""
    source = stream("test", number)
    return {line for line in range(70) if source.random() < number % 4 / 4}


def test_a_set_of_lines_is_the_set_of_their_numbers():
    for one, other in product(map(drawn, range(8)), map(drawn, range(8, 12))):
        lines, others = LineSet.of(one), LineSet.of(other)
        assert [*lines.each()] == sorted(one) and lines.last == max(one, default=-1)
        assert len(lines) == len(one) and bool(lines) == bool(one)
        assert {line for line in range(80) if line in lines} == one
        assert {*(lines & others).each()} == one & other and {*(lines | others).each()} == one | other
        assert {*(lines - others).each()} == one - other
        assert {*union([lines, others, LineSet(0)]).each()} == one | other
        for line in range(-2, 80):
            assert {*lines.after(line).each()} == {later for later in one if later > line}
        for line in range(80):
            assert {*lines.before(line).each()} == {earlier for earlier in one if earlier < line}


def test_a_set_of_lines_shows_its_numbers():
    assert repr(LineSet(0b101)) == "LineSet.of([0, 2])" and repr(LineSet(0)) == "LineSet.of([])"
