"""Blocks of four problems, in which neither premise nor hypothesis alone tells the label, and their plan."""

from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from .. import streams
from ..groups import apportioned
from ..splits import split_sizes
from ..streams import Stream
from .claims import Claim, Form, Premise, all_forms, among, instances
from .drawing import draw_form
from .premises import DRAWS, Candidate, TooFewError, candidates, is_for_reproduction
from .setups import SETUP_OF

WINDOW = 16  # premises with which one is compared before another form or premise is taken
FORMS = 6  # forms tried with a premise while there are other premises; after them, all up to LAST_ORDER
LAST_ORDER = 3  # the highest order whose forms are all tried: each further order has four times as many


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


def find_blocks(stream: Stream, setup: str, n: int, wanted: int, max_order: int, scale: bool = False) -> list[Block]:
    """Return `wanted` blocks of n agents, no premise in two of them.

    Premises wait in a queue: the first is paired with one of the next, else it waits again. The orders of the
    hypotheses come in equal shares until every premise was drawn. What is left is then paired by any form up to
    LAST_ORDER. Raises TooFewError where too few blocks can be found.
    """
    source = candidates(stream, setup, n, DRAWS * (2 * wanted + WINDOW), scale)
    blocks: list[Block] = []
    waiting: deque[Candidate] = deque()
    distinct, exhausted, block = 0, False, None
    while len(blocks) < wanted:
        lacking = max(block is None, WINDOW + 1 - len(waiting))
        fresh = list(islice(source, lacking))
        exhausted = exhausted or len(fresh) < lacking
        distinct += len(fresh)
        waiting += fresh
        if not waiting:
            which = "all" if n == 2 else "the drawn"
            raise TooFewError(
                f"{setup} with {n} agents: {wanted:,} blocks of four were asked for, and {len(blocks):,} found among "
                f"{which} {distinct:,} distinct premises; ask for fewer blocks, or for more agents"
            )
        p = waiting.popleft()
        if exhausted:
            forms: Iterable[Form] = stream.shuffled(all_forms(min(max_order, LAST_ORDER)))
        else:
            forms = (draw_form(stream, n, 1 + len(blocks) % max_order) for _ in range(FORMS))
        block = _paired(stream, p, waiting, len(waiting) if exhausted else WINDOW, forms)
        if block:
            blocks.append(block)
        elif not exhausted and (n == 2 or not SETUP_OF[setup].is_drawn):  # what more agents see hardly comes again
            waiting.append(p)
    return blocks


def _paired(
    stream: Stream, p: Candidate, waiting: deque[Candidate], window: int, forms: Iterable[Form]
) -> Block | None:
    """Return a block of a premise and one of the first that wait, which is taken out; None where no form makes one.

    Over the instances of the form each of the two entails what the other does not.
    """
    for form in forms:
        claims = instances(len(p.premise.sees), form)
        p_vector = p.state.truth_vector(form)
        if p_vector in (0, (1 << len(claims)) - 1):
            continue  # every other premise entails all that this one does, or less
        for place, q in enumerate(islice(waiting, window)):
            q_vector = q.state.truth_vector(form)
            only_p, only_q = p_vector & ~q_vector, q_vector & ~p_vector
            if only_p and only_q and p.premise.sees == q.premise.sees:
                h, g = (_chosen(stream, p, q, among(claims, vector)) for vector in (only_p, only_q))
                if h and g:
                    del waiting[place]
                    return Block(p.premise, q.premise, h, g)
    return None


def _chosen(stream: Stream, p: Candidate, q: Candidate, claims: list[Claim]) -> Claim | None:
    """Return one of some claims, drawn among those that are not kept for `reproduction`."""
    drawn = (claims.pop(stream.below(len(claims))) for _ in range(len(claims)))
    return next((claim for claim in drawn if not any(is_for_reproduction(one, claim) for one in (p, q))), None)


def apportion(size: int, agents: tuple[int, ...]) -> dict[int, int]:
    """Return how many of `size` blocks have each number n of agents, in proportion to n - 1.

    So 2, 3 and 4 agents get 1/6, 1/3 and 1/2, about as in the published data. Seats that are left go to the largest
    remainders.
    """
    return dict(zip(agents, apportioned(size, [Fraction(n - 1) for n in agents]), strict=True))


def plan_blocks(config: Any, setup: str, scale: bool = False) -> dict[str, list[Block]]:
    """Return the blocks of each split of a config, in the order of their indices; see `candidates` for `scale`.

    Raises TooFewError.
    """
    key, sizes = ("mindgames", config.family, config.seed, setup), split_sizes(config)
    planned: dict[str, list[Block]] = {split: [] for split in sizes}
    for n in config.n_agents:
        stream = streams.stream(*key, n, "plan")
        wanted = {split: apportion(size, config.n_agents)[n] for split, size in sizes.items()}
        blocks = find_blocks(stream, setup, n, sum(wanted.values()), config.max_order, scale)
        remaining = iter(stream.shuffled(blocks))
        for split, count in wanted.items():
            planned[split] += islice(remaining, count)
    return {split: streams.stream(*key, split, "order").shuffled(blocks) for split, blocks in planned.items()}
