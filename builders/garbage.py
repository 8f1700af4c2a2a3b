"""How seldom garbage is collected while rows are made."""

import contextlib
import gc
from collections.abc import Iterator

# Thresholds of the garbage collector: rows take millions of objects, and hardly any that need it.
RARELY = 50_000, 20, 50


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect garbage seldom until the end of a block, or of a function that this decorates; then as before.

    A process that collects none, or more seldom still, goes on as it does. So do thresholds that are set meanwhile.
    """
    before = gc.get_threshold()
    if not 0 < before[0] < RARELY[0]:  # also within an outer block, or while another thread is in one
        yield
        return
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        if gc.get_threshold()[0] == RARELY[0]:
            gc.set_threshold(*before)
