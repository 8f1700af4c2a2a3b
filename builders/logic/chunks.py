"""The plan of order blocks: how the blocks of a split follow one another, whatever its size.

A split is made of chunks, in which agents and orders of hypotheses stand in their shares. The blocks of half a chunk,
in `ladder` of one turn of the rungs, are chosen together. The filter of a split learns from all blocks before. It
has a warm start: it has learnt from a pilot, blocks of no split, the same for all splits, configs and seeds. No premise
comes again in a split.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count, islice

from .. import streams
from ..streams import Stream
from .blocks import Block, apportion
from .config import DEEP, ProblemConfig
from .orders import Source, choose_blocks
from .pilot import read as read_pilot
from .premises import Identity
from .setups import ORDERED_SETUPS, SETUP_OF
from .shortcut_filter import ShortcutFilter
from .utterances import SHARES, Cell

CHUNK = 36  # blocks of a chunk
HALF = CHUNK // 2  # blocks of `deep` that are chosen together; not all of a chunk, so that the first row comes sooner

# The shares of the splits of `deep`; `probe`, which is never published, may have premises of train.
SHARES_OF = {"test": (0, 1), "validation": (2,), "train": (3, 4), "probe": (3, 4)}

LADDER_SHARES = (5,)  # the shares of `ladder`, so that no premise is in two published splits or configs
PILOT = 8  # chunks of a pilot


def ordered_blocks(config: ProblemConfig, setup: str, split: str) -> Iterator[Block]:
    """Draw the blocks of a split one after another, without end. Raises TooFewError where one is not to be had."""
    shares, wider = (LADDER_SHARES, SETUP_OF[setup].wider) if config.has_rungs else (SHARES_OF[split], 1)
    key = "mindgames", config.family, config.seed, setup, split, "chunk"
    return _blocks(config, Source(setup, tuple(config.kinds), shares, wider), key, read_pilot(setup).copy())


def drawn_pilots() -> dict[str, ShortcutFilter]:
    """Return for each setup what a filter learns from its pilot: blocks of the default config, of any share."""
    filters = {setup: ShortcutFilter() for setup in ORDERED_SETUPS}
    for setup, shortcut_filter in filters.items():
        source = Source(setup, DEEP.kinds, tuple(range(SHARES)))
        blocks = _blocks(DEEP, source, ("mindgames", "deep", setup, "pilot"), shortcut_filter)
        deque(islice(blocks, PILOT * CHUNK), maxlen=0)
    return filters


def _blocks(
    config: ProblemConfig, source: Source, key: tuple[str | int, ...], shortcut_filter: ShortcutFilter
) -> Iterator[Block]:
    """Draw blocks from a source of premises; `key` begins the keys of the streams."""
    met: set[Identity] = set()
    together = len(config.rungs) if config.has_rungs else HALF
    for number in count():
        stream = streams.stream(*key, number)
        cells = cells_of(config, source.setup, number, stream)
        for first in range(0, CHUNK, together):
            yield from choose_blocks(stream, source, cells[first : first + together], shortcut_filter, met)


def cells_of(config: ProblemConfig, setup: str, number: int, stream: Stream) -> list[Cell]:
    """Return what the blocks of a chunk must be like, in their order; `stream` has drawn nothing yet.

    In `ladder` rungs take turns. Else the numbers of agents stand in the proportions of `apportion`, with equal shares
    of the orders of hypotheses, in random order.
    """
    if config.has_rungs:
        rungs = [config.rungs[index % len(config.rungs)] for index in range(number * CHUNK, (number + 1) * CHUNK)]
        return [Cell(n, possible_lengths(setup, n, (length,)), order) for n, length, order in rungs]
    cells = [
        Cell(n, possible_lengths(setup, n, config.n_announcements), 1 + place % config.max_order)
        for n, count in apportion(CHUNK, tuple(config.n_agents)).items()
        for place in range(count)
    ]
    return stream.shuffled(cells)


def rung_of(config: ProblemConfig, index: int) -> int | None:
    """Return the rung of a block, counted from 1; None where a config has no rungs."""
    return 1 + index % len(config.rungs) if config.has_rungs else None


def possible_lengths(setup: str, n: int, lengths: Iterable[int]) -> tuple[int, ...]:
    """Return how many announcements premises have where these numbers were asked for, or the fewest of the setup."""
    least = SETUP_OF[setup].least_lengths.get(n, 0)
    return tuple(dict.fromkeys(max(length, least) for length in lengths))
