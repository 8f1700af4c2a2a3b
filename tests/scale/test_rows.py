"""How rows are proven, and that each has the hash of its own problem."""

import pytest

from tom_datasets.errors import UserError
from tom_datasets.logic.claims import from_problem
from tom_datasets.mindgames.stream import problem_key
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.scale import rows
from tom_datasets.story.rows import problem_keys
from tom_datasets.streaming.sealed import hash_of

SMALL = [
    ("hi_tom", "all", 600), ("hi_tom", "4th_order", 12), ("hi_tom", "tomh", 24), ("hi_tom", "reproduction", 30),
    ("hi_tom", "deep", 30), ("mindgames", "all", 64), ("mindgames", "explicit", 16), ("mindgames", "reproduction", 12),
    ("mindgames", "rounds", 24),
    *(pytest.param("mindgames", *drawn, marks=pytest.mark.slow) for drawn in (("scale", 16), ("deep", 24))),
]  # fmt: skip


def units_of(request):
    """Return the units of a request, and its rows, unit by unit."""
    units, drawn = request.units(), list(rows.made(request, 0))
    return units, [drawn[first : first + units.size] for first in range(0, request.rows, units.size)]


@pytest.mark.parametrize(("dataset", "config", "count"), SMALL)
def test_rows_of_every_config_are_proven(request_of, dataset, config, count):
    request = request_of(dataset=dataset, config=config, rows=count, tasks=1)
    assert [drawn.row for drawn in rows.checked(request, 0)] == [drawn.row for drawn in rows.made(request, 0)]
    assert rows.n_proven(request) == count


@pytest.mark.parametrize(("config", "count"), [("all", 64), ("explicit", 32), ("reproduction", 12), ("deep", 24)])
def test_a_row_of_mindgames_has_the_hash_of_the_problem_that_its_english_poses(request_of, config, count):
    request = request_of(dataset="mindgames", config=config, rows=count, tasks=1)
    for drawn in rows.made(request, 0):
        problem, _ = read_problem(drawn.row["premise"], drawn.row["hypothesis"], drawn.row["names"])
        key = problem_key(*from_problem(problem))
        assert rows.published(drawn)["problem"] == hash_of("mindgames", key).hex()


def test_a_row_of_hi_tom_has_the_hash_of_its_question(request_of):
    for drawn in units_of(request_of(config="deep", rows=50, tasks=1))[1]:
        keys = problem_keys([item.row for item in drawn])
        assert [item.problem for item in drawn] == [hash_of("hi_tom", key) for key in keys]


@pytest.mark.parametrize(
    ("dataset", "config", "column", "message"),
    [
        ("hi_tom", "deep", "answer", "row deep-endless-000000-2 of hi_tom deep: answer is 'x', the formal story gives"),
        ("mindgames", "forehead", "label", "row 2 of mindgames forehead: label is 'x', the text gives"),
    ],
)
def test_the_first_row_that_fails_is_named(request_of, dataset, config, column, message):
    units, (drawn, *_) = units_of(request_of(dataset=dataset, config=config, rows=20, tasks=1))
    drawn[2].row[column] = "x"
    with pytest.raises(UserError, match=f"^{message}"):
        rows.prove(dataset, units, drawn)


def test_a_share_of_the_units_is_proven(request_of, monkeypatch):
    assert not any(rows.is_chosen(unit, 0) for unit in range(1_000))
    assert all(rows.is_chosen(unit, 1) for unit in range(1_000))
    assert 900 < sum(rows.is_chosen(unit, 0.1) for unit in range(10_000)) < 1_100
    request, proven = request_of(config="deep", prove=0.5), []
    monkeypatch.setattr(rows, "prove", lambda name, units, drawn: proven.extend(item.row["id"] for item in drawn))
    drawn = [item for rank in range(2) for item in rows.checked(request, rank)]
    assert proven == [item.row["id"] for index, item in enumerate(drawn) if rows.is_chosen(index // 5, 0.5)]
    assert len(proven) == rows.n_proven(request) < request.rows == len(drawn)
