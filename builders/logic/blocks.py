"""Blocks of four problems, in which neither premise nor hypothesis alone tells the label, and their plan."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from .. import streams
from ..streams import Stream
from .claims import Claim, Form, Premise, all_forms, among, instances
from .drawing import draw_form
from .premises import DRAWS, Candidate, TooFewError, candidates, is_for_reproduction

WINDOW = 16  # premises with which one is compared before another form or premise is taken
FORMS = 6  # forms tried with a premise while there are other premises; after them, all up to LAST_ORDER
LAST_ORDER = 3  # the highest order of which all forms are tried: each further order has four times as many


class Block(NamedTuple):
    """Hold the four problems of two premises, in which the agents see the same, and two hypotheses of one form."""

    p: Premise  # entails h, does not entail g
    q: Premise  # entails g, does not entail h
    h: Claim  # a hypothesis
    g: Claim  # another hypothesis of its form

    def problems(self) -> list[tuple[Premise, Claim, bool]]:
        """Return the four problems, each with whether the hypothesis follows."""
        p, q, h, g = self
        return [(p, h, True), (p, g, False), (q, h, False), (q, g, True)]


class _Pairing:
    """Pair premises whose truth vectors over the instances of a form are incomparable: each entails what the other
    does not.
    """

    def __init__(self, stream: Stream, source: Iterator[Candidate], n: int) -> None:
        self._stream, self._source, self._n = stream, source, n
        self._waiting: deque[Candidate] = deque()
        self.exhausted = False

    def next(self) -> Candidate | None:
        """Return the premise that waits longest, once enough others wait; None when all were tried."""
        while not self.exhausted and len(self._waiting) <= WINDOW:
            self._refill()
        return self._waiting.popleft() if self._waiting else None

    def put_back(self, candidate: Candidate) -> None:
        """Let a premise without a partner wait for others, and take in one more."""
        self._waiting.append(candidate)
        self._refill()

    def _refill(self) -> None:
        candidate = next(self._source, None)
        self.exhausted = candidate is None
        if candidate:
            self._waiting.append(candidate)

    def block(self, p: Candidate, forms: Iterable[Form]) -> Block | None:
        """Return a block of a premise and a waiting one, which is taken out; None where no form makes one."""
        window = len(self._waiting) if self.exhausted else WINDOW
        for form in forms:
            claims = instances(self._n, form)
            p_vector = p.state.truth_vector(form)
            if p_vector in (0, (1 << len(claims)) - 1):
                continue  # every other premise entails all that this one does, or less
            for place, q in enumerate(islice(self._waiting, window)):
                q_vector = q.state.truth_vector(form)
                only_p, only_q = p_vector & ~q_vector, q_vector & ~p_vector
                if only_p and only_q and p.premise.sees == q.premise.sees:
                    h, g = self._choose(p, q, claims, only_p), self._choose(p, q, claims, only_q)
                    if h and g:
                        del self._waiting[place]
                        return Block(p.premise, q.premise, h, g)
        return None

    def _choose(self, p: Candidate, q: Candidate, claims: list[Claim], vector: int) -> Claim | None:
        """Return one of the claims in a truth vector, drawn among those that are not kept for `reproduction`."""
        left = among(claims, vector)
        while left:
            claim = left.pop(self._stream.below(len(left)))
            if not is_for_reproduction(p, claim) and not is_for_reproduction(q, claim):
                return claim
        return None


def find_blocks(
    stream: Stream, setup: str, n: int, wanted: int, max_order: int, scale: bool = False
) -> tuple[list[Block], Counter]:
    """Return so many blocks of n agents, no premise in two of them, and what `candidates` counted.

    The orders of the hypotheses come in equal shares until every premise was drawn. What is left is then paired by any
    form up to LAST_ORDER. Raises TooFewError where too few blocks can be found.
    """
    blocks: list[Block] = []
    counts: Counter = Counter()
    pairing = _Pairing(stream, candidates(stream, setup, n, DRAWS * (2 * wanted + WINDOW), counts, scale), n)
    while len(blocks) < wanted and (p := pairing.next()):
        order = 1 + len(blocks) % max_order
        if pairing.exhausted:
            forms: Iterable[Form] = stream.shuffled(all_forms(min(max_order, LAST_ORDER)))
        else:
            forms = (draw_form(stream, n, order) for _ in range(FORMS))
        block = pairing.block(p, forms)
        if block:
            blocks.append(block)
        elif not pairing.exhausted and (setup != "explicit" or n == 2):  # the cards of more agents hardly come again
            pairing.put_back(p)
    if len(blocks) < wanted:
        distinct = counts["drawn"] - counts["no world"] - counts["again"] - counts["kept"]
        which = "all" if n == 2 else "the drawn"
        raise TooFewError(
            f"{setup} with {n} agents: {wanted:,} blocks of four were asked for, and {len(blocks):,} found among "
            f"{which} {distinct:,} distinct premises; ask for fewer blocks, or for more agents"
        )
    return blocks, counts


def apportion(size: int, agents: tuple[int, ...]) -> dict[int, int]:
    """Return how many of `size` blocks have each number n of agents, in proportion to n - 1.

    So 2, 3 and 4 agents get 1/6, 1/3 and 1/2, about as in the published data. Seats that are left go to the largest
    remainders.
    """
    whole = sum(n - 1 for n in agents)
    counts = {n: size * (n - 1) // whole for n in agents}
    for n in sorted(agents, key=lambda n: (-(size * (n - 1) % whole), n))[: size - sum(counts.values())]:
        counts[n] += 1
    return counts


def plan(
    key: tuple[str | int, ...],
    setup: str,
    agents: tuple[int, ...],
    sizes: dict[str, int],
    max_order: int,
    scale: bool = False,
) -> tuple[dict[str, list[Block]], Counter]:
    """Return the blocks of each split, in the order of their indices, and what `candidates` counted.

    `key` begins the keys of the streams; `sizes` are the numbers of blocks by split. Raises TooFewError.
    """
    planned: dict[str, list[Block]] = {split: [] for split in sizes}
    counts: Counter = Counter()
    for n in agents:
        stream = streams.stream(*key, setup, n, "plan")
        wanted = {split: apportion(size, agents)[n] for split, size in sizes.items()}
        blocks, counted = find_blocks(stream, setup, n, sum(wanted.values()), max_order, scale)
        counts += counted
        remaining = iter(stream.shuffled(blocks))
        for split, count in wanted.items():
            planned[split] += islice(remaining, count)
    return {
        split: streams.stream(*key, setup, split, "order").shuffled(blocks) for split, blocks in planned.items()
    }, counts
