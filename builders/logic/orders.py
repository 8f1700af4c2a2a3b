"""Order blocks: two premises that announce the same in another order, and hypotheses that tell them apart."""

from collections import defaultdict
from collections.abc import Iterator
from math import factorial
from typing import NamedTuple

from ..streams import Stream
from .blocks import Block
from .claims import SOMEONE, THAT, Claim, Premise, instances
from .drawing import draw_sees
from .glances import Glances, after, needed
from .judge import LABELLED, Judge
from .premises import TooFewError, identity
from .states import State, initial_state
from .utterances import Cell, Pools, draw_form, draw_sequence

MOST_ORDERS = 24
"""A sequence that has no more orders than this is tried in all of them, a longer one in so many random ones."""

MOST_COMPARED = 8
"""So many orders that leave the same worlds are compared at most."""

PAIRS = 24
"""So many pairs of orders of a sequence are tried, each with one form of hypotheses."""

WHOLE = 3
"""Of a form all hypotheses up to this order are compared, of higher ones some."""

CANDIDATES = 8
"""So many candidates are judged for each block."""

EACH_SEQUENCE = 3
"""So many of them at most are of one sequence."""

EFFORT = 60
"""After so many sequences the best candidate is kept, even if there were few."""

SEQUENCES = 6000
"""A block that was not found among so many sequences is not to be had."""

LEAST_NEEDED = 2
"""A block would lose a label without each of so many of its announcements."""

BOUNDS = {
    **dict.fromkeys(("first only", "last only"), (46, 52)),
    "as if none saw": (0, 52),
    **dict.fromkeys(("first two", "last two"), (0, 60)),
    **dict.fromkeys(("all but the first", "all but the last"), (0, 65)),
    "inner part": (0, 52),
    "agents swapped": (0, 60),
    "needs two": (50, 100),
    "needs three": (26, 100),
}
"""Between which per cent of the problems of a chunk each rule should be right; the gates leave more room."""


Source = tuple[Pools, tuple[int, ...]]
"""The pools of announcements, and the shares that premises may have."""


class Ordered(NamedTuple):
    """Hold announcements in one order, and the state that they leave."""

    announcements: tuple[Claim, ...]
    state: State


def find_block(stream: Stream, setup: str, cell: Cell, source: Source, judge: Judge, met: set) -> Block:
    """Return the candidate that the judge finds hardest; let the judge learn from it.

    met: the identities of premises that the block may not have; those of its own are added. Raises
    TooFewError where no block is to be had.
    """
    best, least, judged = None, 0, 0
    for sequence in range(SEQUENCES):
        if best and (judged >= CANDIDATES or sequence >= EFFORT):
            judge.keep(*best)
            met.update(identities(best[0]))
            return best[0]
        for block, right in drawn_blocks(stream, setup, cell, source, judge):
            keys = identities(block)
            if len(keys) < 2 or not met.isdisjoint(keys):
                continue
            cost = judge.cost(block, right, BOUNDS)
            if best is None or cost < least:
                best, least = (block, right), cost
            judged += 1
    lengths = " or ".join(map(str, cell.lengths))
    raise TooFewError(
        f"{setup} with {cell.n} agents, {lengths} announcements and hypotheses of order {cell.order}: no order block "
        f"was found among {SEQUENCES:,} sequences; ask for more agents, or for another number of announcements"
    )


def drawn_blocks(
    stream: Stream, setup: str, cell: Cell, source: Source, judge: Judge
) -> Iterator[tuple[Block, dict[str, int]]]:
    """Yield up to EACH_SEQUENCE order blocks of one sequence, mostly none, and on how many problems rules are right."""
    pools, shares = source
    sees = draw_sees(stream, setup, cell.n)
    start = initial_state(sees).announce(SOMEONE)
    sequence = draw_sequence(stream, start, cell, pools, shares)
    if sequence is None:
        return
    found = 0
    for p, q, h, g in candidates(stream, start, sequence, cell, judge):
        needs = needs_of(start, (p, q), (h, g))
        if sum(map(any, zip(*needs, strict=True))) >= LEAST_NEEDED:
            glances = Glances(start, p.announcements), Glances(start, q.announcements)
            block = Block(Premise(setup, sees, p.announcements), Premise(setup, sees, q.announcements), h, g)
            yield block, rules_right(glances, (h, g), needs)
            found += 1
        if found == EACH_SEQUENCE:
            return


def identities(block: Block) -> set[tuple]:
    """Return the keys that the premises of a block share with their renamings; one key if they are renamings."""
    return {identity(premise, {}) for premise in (block.p, block.q)}


def candidates(
    stream: Stream, start: State, sequence: tuple[Claim, ...], cell: Cell, judge: Judge
) -> Iterator[tuple[Ordered, Ordered, Claim, Claim]]:
    """Yield two orders of a sequence that leave different worlds, and two hypotheses of which each follows from one."""
    by_law: dict[int, list[Ordered]] = defaultdict(list)
    for ordered in orders(stream, start, sequence):
        by_law[ordered.state.law].append(ordered)
    if len(by_law) < 2:
        return
    laws = list(by_law)
    for _ in range(PAIRS):
        p_orders, q_orders = (by_law[law] for law in stream.draw(laws, 2))
        p, q = p_orders[0], q_orders[0]
        form = draw_form(stream, cell.n, cell.order)
        p_vector = p.state.truth_vector(form, WHOLE)
        q_vector = q.state.truth_vector(form, WHOLE) if p_vector else 0
        only_p, only_q = p_vector & ~q_vector, q_vector & ~p_vector
        if only_p and only_q:
            claims = instances(cell.n, form, WHOLE)
            h, g = (_one_of(stream, claims, vector) for vector in (only_p, only_q))
            if all(is_open(state, claim) for state in (p.state, q.state) for claim in (h, g)):
                yield _hardest(stream, p_orders, h, g, judge), _hardest(stream, q_orders, g, h, judge), h, g


def _hardest(stream: Stream, ordered: list[Ordered], entailed: Claim, other: Claim, judge: Judge) -> Ordered:
    """Return of some orders that leave the same worlds the one that the judge finds hardest."""
    some = stream.draw(ordered, min(len(ordered), MOST_COMPARED))
    return some[judge.hardest([order.announcements for order in some], entailed, other)]


def orders(stream: Stream, start: State, sequence: tuple[Claim, ...]) -> Iterator[Ordered]:
    """Yield orders of a sequence in which every announcement tells something and two worlds or more are left."""
    if factorial(len(sequence)) <= MOST_ORDERS:
        yield from _every_order(start, sequence, ())
        return
    for _ in range(MOST_ORDERS):
        order = tuple(stream.shuffled(sequence))
        state: State | None = start
        for claim in order:
            state = state and state.told(claim)
        if state and state.law.bit_count() > 1:
            yield Ordered(order, state)


def _every_order(state: State, left: tuple[Claim, ...], said: tuple[Claim, ...]) -> Iterator[Ordered]:
    if not left:
        if state.law.bit_count() > 1:
            yield Ordered(said, state)
        return
    for place, claim in enumerate(left):
        following = state.told(claim)
        if following:
            yield from _every_order(following, left[:place] + left[place + 1 :], (*said, claim))


def _one_of(stream: Stream, claims: list[Claim], vector: int) -> Claim:
    """Return one of the claims in a truth vector."""
    count = stream.below(vector.bit_count())
    for claim, bit in zip(reversed(claims), reversed(bin(vector)), strict=False):
        if bit == "1":
            if not count:
                return claim
            count -= 1
    raise ValueError("the truth vector is of more claims than there are")


def is_open(state: State, hypothesis: Claim) -> bool:
    """Return whether nothing is said to be known, or not known, to hold that holds nowhere in a state."""
    levels, fact = hypothesis
    return all(link != THAT or state.where((levels[place + 1 :], fact)) for place, (_, link, _) in enumerate(levels))


def needs_of(start: State, premises: tuple[Ordered, ...], hypotheses: tuple[Claim, ...]) -> list[list[bool]]:
    """Return for each problem of a block, as LABELLED lists them, which announcements of the first premise it needs."""
    said = premises[0].announcements
    needs = []
    for premise, hypothesis, follows in LABELLED:
        own = premises[premise].announcements
        by_claim = dict(zip(own, needed(start, own, hypotheses[hypothesis - 2], follows), strict=True))
        needs.append([by_claim[claim] for claim in said])
    return needs


def rules_right(glances: tuple[Glances, ...], hypotheses: tuple[Claim, ...], needs: list[list[bool]]) -> dict[str, int]:
    """Return on how many problems of a block each rule of BOUNDS is right; for the last two, how many need so many."""
    right = {"needs two": sum(sum(row) >= 2 for row in needs), "needs three": sum(sum(row) >= 3 for row in needs)}
    for premise, hypothesis, follows in LABELLED:
        for rule, guess in glances[premise].guesses(hypotheses[hypothesis - 2]).items():
            right[rule] = right.get(rule, 0) + (guess == follows)
    return right


def order_matters(premise: Premise, hypothesis: Claim) -> bool:
    """Return whether the same announcements in another order, if they leave a world, give another label."""
    start = initial_state(premise.sees).announce(SOMEONE)
    label = after(start, premise.announcements).entails(hypothesis)
    return any(state.entails(hypothesis) != label for state in _reachable(start, premise.announcements))


def _reachable(start: State, announcements: tuple[Claim, ...]) -> set[State]:
    """Return the states, with a world or more, that the announcements leave in any order."""
    reached = {0: {start}}
    every = (1 << len(announcements)) - 1
    for made in range(every):
        for state in reached.get(made, ()):
            for place, claim in enumerate(announcements):
                if not made >> place & 1 and (following := state.announce(claim)).law:
                    reached.setdefault(made | 1 << place, set()).add(following)
    return reached.get(every, set())
