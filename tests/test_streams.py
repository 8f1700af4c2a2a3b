"""Prove that two keys give unrelated streams, that a stream is the same everywhere, and that it draws evenly."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tom_datasets.streams import stream


def numbers(*key, n=1000):
    """Return the first numbers of the stream named by a key."""
    key_stream = stream(*key)
    return [key_stream.random() for _ in range(n)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("hi_tom", 42, "test", 0), ("hi_tom", 43, "test", 0)),
        (("hi_tom", 42, "test", 1, 11), ("hi_tom", 42, "test", 11, 1)),
        (("hi_tom", 111), ("hi_tom", 11, 1)),
        (("hi_tom", 1), ("hi_tom", -1)),
        (("hi_tom", ""), ("hi_tom",)),
    ],
)
def test_different_keys_share_no_number(one, other):
    assert not set(numbers(*one)) & set(numbers(*other))


def test_one_key_is_one_stream():
    assert numbers("hi_tom", 42, "test", 7) == numbers("hi_tom", 42, "test", 7)
    assert numbers("hi_tom", 42) == numbers("hi_tom", "42")


@given(
    st.lists(st.text("ab1 _", max_size=3), min_size=1, max_size=4),
    st.lists(st.text("ab1 _", max_size=3), min_size=1, max_size=4),
)
def test_two_keys_give_one_stream_only_if_all_their_parts_are_equal(one, other):
    assert (numbers(*one, n=2) == numbers(*other, n=2)) == (one == other)


@pytest.mark.parametrize("key", [("hi_tom", "te/st", 1), ("/",), ("hi_tom", 1, "wording/")])
def test_a_key_with_a_slash_is_refused(key):
    with pytest.raises(ValueError, match="^a part of a stream's key must not contain a slash: ") as raised:
        stream(*key)
    assert repr(key) in str(raised.value)


def test_golden_numbers():
    """These are the same in Python 3.11, 3.12 and 3.13; another Python that differs would make other datasets."""
    problem_stream = stream("hi_tom", 42, "test", 7, "problem")
    assert [problem_stream.random().hex() for _ in range(3)] == [
        "0x1.85ab2ab12972fp-1",
        "0x1.f7cf35e7b3200p-4",
        "0x1.325172e937465p-1",
    ]
    wording_stream = stream("hi_tom", 42, "test", 7, "wording")
    assert [wording_stream.below(1000) for _ in range(8)] == [674, 174, 795, 465, 730, 995, 179, 28]
    wording_stream = stream("hi_tom", 42, "test", 7, "wording")
    assert wording_stream.draw(range(40), 6) == [26, 7, 32, 20, 30, 39]
    assert wording_stream.shuffled("abcdefgh") == ["b", "a", "e", "g", "c", "d", "f", "h"]


def test_below_is_even():
    below_stream = stream("below")
    counts = Counter(below_stream.below(7) for _ in range(14_000))
    assert sorted(counts) == list(range(7))
    assert all(1_800 < count < 2_200 for count in counts.values())  # 2,000 each; 41 is one standard deviation
    assert {below_stream.below(1) for _ in range(100)} == {0}


@pytest.mark.parametrize(
    ("population", "size", "draw"),
    [
        ("abcde", 3, lambda stream: stream.draw("abcde", 3)),
        (range(4), 4, lambda stream: stream.shuffled(range(4))),
    ],
)
def test_every_order_is_drawn_equally_often(population, size, draw):
    draw_stream, orders = stream("draw"), set(permutations(population, size))
    counts = Counter(tuple(draw(draw_stream)) for _ in range(1_000 * len(orders)))
    assert set(counts) == orders
    assert all(850 < count < 1_150 for count in counts.values())  # 1,000 each; 32 is one standard deviation


@given(st.lists(st.integers()), st.text(max_size=5).filter(lambda name: "/" not in name))
def test_shuffled_is_a_permutation_and_leaves_its_argument_alone(population, name):
    before = list(population)
    assert sorted(stream(name).shuffled(population)) == sorted(before)
    assert sorted(stream(name).shuffled(number for number in population)) == sorted(before)
    assert population == before


@given(st.integers(0, 20), st.integers(0, 20))
def test_draw_takes_different_members_or_says_that_there_are_too_few(n, k):
    if k > n:
        with pytest.raises(ValueError, match=f"^cannot draw {k} different members from {n}; k must be at most {n}$"):
            stream("draw").draw(range(n), k)
    else:
        drawn = stream("draw", n, k).draw(range(n), k)
        assert len(drawn) == len(set(drawn)) == k
        assert set(drawn) <= set(range(n))


def test_drawing_nothing_uses_no_number():
    draw_stream = stream("draw")
    assert draw_stream.draw("abc", 0) == []
    assert draw_stream.random() == numbers("draw", n=1)[0]
