"""The setups of MindGames: which facts each agent sees at the start, and how large a choice order blocks need.

Their names and numbers are in `syntax.formula`, their words in `setups.jinja` of each language.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from ..streams import Stream
from ..syntax.formula import SETUPS

Sees = tuple[tuple[int, ...], ...]  # for each agent the atoms that he observes, ascending


class Setup(NamedTuple):
    """Say who sees what in a setup, and what it takes to draw its order blocks."""

    # Whether an agent observes an atom, given his own; None where each premise draws it, and says who sees what.
    observes: Callable[[int, int], bool] | None
    pool: float = 0  # sequences with candidates for each order block; 0: it has no order blocks
    wider: int = 1  # how many times as large pools of `ladder` are
    # The fewest announcements by the number of agents, where fewer leave next to no choice.
    least_lengths: Mapping[int, int] = MappingProxyType({})

    @property
    def is_drawn(self) -> bool:
        """Return whether each premise draws who sees what."""
        return self.observes is None

    @property
    def knows_himself(self) -> bool:
        """Return whether each agent always observes his own atom."""
        return self.observes is not None and self.observes(1, 1)


# Of forehead, long premises often say too much. Of forehead_mirror no order matters: everybody sees everything.
SETUP_OF = {
    "forehead": Setup(lambda own, atom: atom != own, pool=2.4, wider=4),
    "forehead_mirror": Setup(lambda own, atom: True),
    "internal": Setup(lambda own, atom: atom == own, pool=1.5, least_lengths={3: 4}),
    "explicit": Setup(None, pool=1.5),
}

# The setups of order blocks.
ORDERED_SETUPS = tuple(setup for setup in SETUPS if SETUP_OF[setup].pool)


def draw_sees(stream: Stream, setup: str, n: int) -> Sees:
    """Return the atoms that each of n agents observes (MindGames paper, section 3.2)."""
    if SETUP_OF[setup].is_drawn:
        return tuple([tuple([atom for atom in range(1, n + 1) if stream.random() * n < 1]) for _ in range(n)])
    return fixed_sees(setup, n)


@cache
def fixed_sees(setup: str, n: int) -> Sees:
    """Return the atoms that each of n agents observes. Raises ValueError for a setup whose premises draw that."""
    observes = SETUP_OF[setup].observes
    if observes is None:
        raise ValueError(f"the premises of {setup} draw who sees what; call draw_sees, which takes a stream")
    atoms = range(1, n + 1)
    return tuple(tuple(atom for atom in atoms if observes(own, atom)) for own in atoms)
