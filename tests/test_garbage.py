"""Hold that rows leave the garbage collector as it was."""

import gc

from tom_datasets.garbage import RARELY, seldom_collected


def test_blocks_that_overlap_leave_the_collector_as_it_was():
    usual = gc.get_threshold()
    one, other = seldom_collected(), seldom_collected()  # as two threads have them
    one.__enter__()
    other.__enter__()
    assert gc.get_threshold() == RARELY != usual
    one.__exit__(None, None, None)
    other.__exit__(None, None, None)
    assert gc.get_threshold() == usual
