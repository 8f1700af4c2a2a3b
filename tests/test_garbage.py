"""Hold that rows leave the garbage collector as it was."""

import gc

import pytest

from tom_datasets import endless
from tom_datasets.errors import UserError
from tom_datasets.garbage import RARELY, seldom_collected
from tom_datasets.streaming import endless as streaming

USUAL = 700, 10, 10  # what Python 3.11 to 3.13 begin with, or nearly so


@pytest.fixture(autouse=True)
def collector():
    """Let a test begin with the usual thresholds, and put back those of all tests."""
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def test_blocks_that_overlap_leave_the_collector_as_it_was():
    one, other = seldom_collected(), seldom_collected()  # as two threads have them
    one.__enter__()
    other.__enter__()
    assert gc.get_threshold()[0] == RARELY[0] != USUAL[0]
    one.__exit__(None, None, None)
    other.__exit__(None, None, None)
    assert gc.get_threshold() == USUAL


@pytest.mark.parametrize("thresholds", [(0, 10, 10), (100_000, 5, 5)])
def test_a_process_that_collects_more_seldom_is_left_alone(thresholds):
    gc.set_threshold(*thresholds)
    with seldom_collected():
        assert gc.get_threshold() == thresholds
    assert gc.get_threshold() == thresholds


def test_thresholds_that_are_set_meanwhile_stay():
    with seldom_collected():
        gc.set_threshold(900, 10, 10)
    assert gc.get_threshold() == (900, 10, 10)


@pytest.mark.parametrize("fails", [False, True])
def test_an_endless_row_leaves_the_collector_as_it_was(monkeypatch, fails):
    within = []

    def hash_of(dataset, problem):
        within.append(gc.get_threshold()[0])
        if fails:
            raise UserError("as where a chunk cannot be filled")
        return b""

    monkeypatch.setattr(streaming.sealed, "hash_of", hash_of)
    rows, enabled, frozen = endless("mindgames"), gc.isenabled(), gc.get_freeze_count()
    if fails:
        with pytest.raises(UserError):
            rows[0]
    else:
        assert rows[0]["index"] == 0
    assert set(within) == {RARELY[0]}
    assert gc.isenabled() is enabled and gc.get_freeze_count() <= frozen  # which falls as such objects are let go
    assert gc.get_threshold() == USUAL
