"""How seldom garbage is collected while rows are made."""

import contextlib
import gc
from collections.abc import Iterator

# Thresholds of the garbage collector: rows take millions of objects, and hardly any that need it.
RARELY = 50_000, 20, 50


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect garbage seldom until the end of a block, or of a function that this decorates."""
    usual = gc.get_threshold()
    if usual == RARELY:  # an outer block, or another thread's, ends it
        yield
        return
    gc.set_threshold(*RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
