"""The plan of order blocks: chunks, each made from the config, the seed, the split and its number alone.

No block depends on how many blocks a split has. Each chunk has an adversary with a warm start: it has learnt from a
pilot, which is blocks that nobody chose, the same for all chunks and seeds. Where a premise also stands in an earlier
chunk of its split, its block is drawn again, from a stream of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from .. import streams
from ..streams import Stream
from .adversary import Adversary
from .blocks import Block, apportion
from .config import DEEP, ORDERED_SETUPS, ProblemConfig, Rung
from .orders import drawn_blocks, find_block, identities
from .pilot import read as read_pilot
from .utterances import SHARES, Cell, pools_of

CHUNK = 36  # blocks of a chunk

SHARES_OF = {"test": (0, 1), "validation": (2,), "train": (3, 4), "probe": (3, 4)}
"""The shares of the splits of `deep`; `probe`, which is never published, may have premises of train."""

LADDER_SHARES = (5,)  # the shares of `ladder`, so that no premise is in two published splits or configs
PILOT = 8  # chunks that a pilot draws for; `ladder` has no pilot
PILOT_SEQUENCES = 6  # sequences drawn in a pilot for each block of a chunk; some of them make blocks

LEAST_LENGTH = {("internal", 3): 4}
"""The fewest announcements, for setups and numbers of agents in which fewer leave next to no choice."""


def chunks(config: ProblemConfig, split: str) -> list[tuple[str, int, int]]:
    """Return the chunks of a split, each as the split, its number, and how many blocks of it are wanted."""
    size = config.sizes()[split]
    return [(split, number, min(CHUNK, size - number * CHUNK)) for number in range(-(-size // CHUNK))]


def chunk_blocks(config: ProblemConfig, setup: str, split: str, number: int) -> Iterator[Block]:
    """Draw the blocks of a chunk one by one. Raises TooFewError where one is not to be had."""
    stream = _stream(config, setup, split, number)
    adversary, met = pilot(config, setup).copy(), set()
    for cell in cells_of(config, setup, number, stream):
        yield _block(config, setup, split, cell, stream, adversary, met)


def pilot(config: ProblemConfig, setup: str) -> Adversary:
    """Return what an adversary learns from the pilot, drawn once a process for fields other than the defaults."""
    if config.family == "ladder":
        return Adversary()
    return read_pilot(setup) if _shape(config) == _shape(DEEP) else draw_pilot(setup, *_shape(config))


def _shape(config: ProblemConfig) -> tuple[tuple[int, ...], int, tuple[int, ...], tuple[str, ...]]:
    """Return the fields that a pilot depends on."""
    return tuple(config.n_agents), config.max_order, tuple(config.n_announcements), tuple(config.kinds)


def default_pilots() -> dict[str, Adversary]:
    """Draw the pilot of each setup by the default fields."""
    return {setup: draw_pilot(setup, *_shape(DEEP)) for setup in ORDERED_SETUPS}


@lru_cache(maxsize=8)
def draw_pilot(
    setup: str, n_agents: tuple[int, ...], max_order: int, n_announcements: tuple[int, ...], kinds: tuple[str, ...]
) -> Adversary:
    """Return what an adversary learns from the pilot of these fields."""
    config = ProblemConfig("deep", n_agents=n_agents, max_order=max_order, n_announcements=n_announcements)
    stream = streams.stream("mindgames", "deep", setup, "pilot")
    adversary = Adversary()
    for number in range(PILOT):
        for cell in cells_of(config, setup, number, stream):
            source = pools_of(setup, cell.n, kinds), tuple(range(SHARES))
            for _ in range(PILOT_SEQUENCES):
                for block, right in drawn_blocks(stream, setup, cell, source, adversary):
                    adversary.keep(block, right)
    return adversary


def distinct_blocks(config: ProblemConfig, setup: str, split: str, blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks of a split in order, with another one for each block with a premise that came before."""
    met: set[tuple] = set()
    distinct = []
    for index, block in enumerate(blocks):
        while not met.isdisjoint(identities(block)):
            number, place = divmod(index, CHUNK)
            cell = cells_of(config, setup, number, _stream(config, setup, split, number))[place]
            block = _block(config, setup, split, cell, _stream(config, setup, split, index, "again"), Adversary(), met)
            met.difference_update(identities(block))
        met.update(identities(block))
        distinct.append(block)
    return distinct


def _stream(config: ProblemConfig, setup: str, split: str, number: int, *more: str) -> Stream:
    return streams.stream("mindgames", config.family, config.seed, setup, split, "chunk", number, *more)


def _block(
    config: ProblemConfig,
    setup: str,
    split: str,
    cell: Cell,
    stream: Stream,
    adversary: Adversary,
    met: set[tuple],
) -> Block:
    pools = pools_of(setup, cell.n, tuple(config.kinds))
    shares = LADDER_SHARES if config.family == "ladder" else SHARES_OF[split]
    return find_block(stream, setup, cell, (pools, shares), adversary, met)


def cells_of(config: ProblemConfig, setup: str, number: int, stream: Stream) -> list[Cell]:
    """Return what the blocks of a chunk must be like, in their order; `stream` has drawn nothing yet.

    In `ladder` rungs take turns. Else the numbers of agents stand in the proportions of `apportion`, with equal shares
    of the orders of hypotheses, in random order.
    """
    if config.family == "ladder":
        rungs = [config.rungs[index % len(config.rungs)] for index in range(number * CHUNK, (number + 1) * CHUNK)]
        return [Cell(n, possible_lengths(setup, n, (length,)), order) for n, length, order in rungs]
    cells = [
        Cell(n, possible_lengths(setup, n, config.n_announcements), 1 + place % config.max_order)
        for n, count in apportion(CHUNK, tuple(config.n_agents)).items()
        for place in range(count)
    ]
    return stream.shuffled(cells)


def rung_of(family: str, rungs: Sequence[Rung], index: int) -> int | None:
    """Return the rung of a block of `ladder`, counted from 1; None in other families."""
    return 1 + index % len(rungs) if family == "ladder" else None


def possible_lengths(setup: str, n: int, lengths: Iterable[int]) -> tuple[int, ...]:
    """Return how many announcements premises have where these numbers were asked for: LEAST_LENGTH or more."""
    least = LEAST_LENGTH.get((setup, n), 0)
    return tuple(dict.fromkeys(max(length, least) for length in lengths))
