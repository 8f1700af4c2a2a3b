"""Curricula: shares of a cycle, and where a row stands, beside the definition spelled out."""

from itertools import islice

import pytest

from tom_datasets.errors import UserError
from tom_datasets.streaming.curriculum import CYCLE, Curriculum, Place, shares


@pytest.mark.parametrize(
    ("weights", "counts"),
    [([1], [CYCLE]), ([1, 1], [60, 60]), ([1, 2, 3], [20, 40, 60]), ([0.7, 0.3], [84, 36]), ([1, 1, 5], [17, 17, 86])],
)
def test_shares(weights, counts):
    assert shares(weights) == counts and sum(counts) == CYCLE


@pytest.mark.parametrize("weights", [[], [0], [1, -1], [1, 1000], [True], ["2"], [float("inf"), 1]])
def test_wrong_weights(weights):
    with pytest.raises(UserError, match="the weights of a curriculum are"):
        shares(weights)


def spelled_out(curriculum, sizes):
    """Yield the place of every row by walking from the first."""
    numbers, first, unit = [0] * len(sizes), 0, 0
    while True:
        stage = curriculum.place(first).stage
        for _ in range(sizes[stage]):
            yield Place(unit, first, stage, numbers[stage])
        numbers[stage] += 1
        first, unit = first + sizes[stage], unit + 1


def test_a_row_is_found_by_its_index():
    sizes = (5, 1, 4)
    curriculum = Curriculum(7, [1, 2, 3], sizes)
    rows = 3 * (20 * 5 + 40 * 1 + 60 * 4)
    assert [curriculum.place(index) for index in range(rows)] == list(islice(spelled_out(curriculum, sizes), rows))
    assert curriculum.place(rows) == Place(3 * CYCLE, rows, curriculum.place(rows).stage, curriculum.place(rows).number)


def test_cycles_differ_and_seeds_differ():
    def stages(seed, cycle):
        curriculum = Curriculum(seed, [1, 1], [1, 1])
        return [curriculum.place(cycle * CYCLE + turn).stage for turn in range(CYCLE)]

    assert stages(7, 0) != stages(7, 1) and stages(7, 0) != stages(8, 0)
    assert sum(stages(7, 0)) == 60
