"""Order blocks: two premises that announce the same in another order, and hypotheses that tell them apart."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from math import factorial

from ..streams import Stream
from .adversary import Adversary
from .blocks import Block
from .claims import SOMEONE, THAT, Claim, Premise, among, instances
from .drawing import draw_sees
from .glances import Announcements, Glances, after, needed
from .premises import TooFewError, identity
from .states import State, heard, initial_state
from .utterances import Cell, Pools, draw_form, draw_sequence

MOST_ORDERS = 24  # a sequence with no more orders is tried in all of them, a longer one in as many random ones
MOST_COMPARED = 8  # most orders compared that leave the same worlds
PAIRS = 24  # pairs of orders of a sequence that are tried, each with one form of hypotheses
WHOLE = 3  # the order up to which all hypotheses of a form are compared, of higher orders some
CANDIDATES = 8  # candidates that are judged for each block
EACH_SEQUENCE = 3  # most candidates from one sequence
EFFORT = 60  # sequences after which the best candidate is kept, even if there were few
SEQUENCES = 6000  # sequences after which the search for a block is given up
LEAST_NEEDED = 2  # announcements without each of which a block would lose a label

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


Ordered = tuple[Announcements, State]
"""Announcements in one order, and the state that they leave."""

Source = tuple[Pools, tuple[int, ...]]
"""The pools of announcements, and the shares that premises may have."""


def find_block(stream: Stream, setup: str, cell: Cell, source: Source, adversary: Adversary, met: set) -> Block:
    """Return the candidate that the adversary finds hardest; let the adversary learn from it.

    met: the identities of premises that the block may not have; those of its own are added. Raises
    TooFewError where no block is to be had.
    """
    best, least, judged = None, 0, 0
    for sequence in range(SEQUENCES):
        if best and (judged >= CANDIDATES or sequence >= EFFORT):
            adversary.keep(*best)
            met.update(identities(best[0]))
            return best[0]
        for block, right in drawn_blocks(stream, setup, cell, source, adversary):
            keys = identities(block)
            if len(keys) < 2 or not met.isdisjoint(keys):
                continue
            cost = adversary.cost(block, right, BOUNDS)
            if best is None or cost < least:
                best, least = (block, right), cost
            judged += 1
    lengths = " or ".join(map(str, cell.lengths))
    raise TooFewError(
        f"{setup} with {cell.n} agents, {lengths} announcements and hypotheses of order {cell.order}: no order block "
        f"was found among {SEQUENCES:,} sequences; ask for more agents, or for another number of announcements"
    )


def drawn_blocks(
    stream: Stream, setup: str, cell: Cell, source: Source, adversary: Adversary
) -> Iterator[tuple[Block, dict[str, int]]]:
    """Yield up to EACH_SEQUENCE order blocks of one sequence, mostly none, and on how many problems rules are right."""
    pools, shares = source
    sees = draw_sees(stream, setup, cell.n)
    start = initial_state(sees).announce(SOMEONE)
    sequence = draw_sequence(stream, start, cell, pools, shares)
    if sequence is None:
        return
    found = 0
    for p, q, h, g in candidates(stream, start, sequence, cell, adversary):
        block = Block(Premise(setup, sees, p), Premise(setup, sees, q), h, g)
        needs = needs_of(start, block)
        if sum(map(any, zip(*needs, strict=True))) >= LEAST_NEEDED:
            yield block, rules_right(start, block, needs)
            found += 1
        if found == EACH_SEQUENCE:
            return


def identities(block: Block) -> set[tuple]:
    """Return the keys that the premises of a block share with their renamings; one key if they are renamings."""
    return {identity(premise, {}) for premise in (block.p, block.q)}


def candidates(
    stream: Stream, start: State, sequence: Announcements, cell: Cell, adversary: Adversary
) -> Iterator[tuple[Announcements, Announcements, Claim, Claim]]:
    """Yield two orders of a sequence that leave different worlds, and two hypotheses of which each follows from one."""
    by_law: dict[int, list[Ordered]] = defaultdict(list)
    for order, state in orders(stream, start, sequence):
        by_law[state.law].append((order, state))
    if len(by_law) < 2:
        return

    def hardest(ordered: list[Ordered], entailed: Claim, other: Claim) -> Announcements:
        """Return of some orders that leave the same worlds the one that the adversary finds hardest."""
        some = [order for order, _ in stream.draw(ordered, min(len(ordered), MOST_COMPARED))]
        return some[adversary.hardest(some, entailed, other)]

    laws = list(by_law)
    for _ in range(PAIRS):
        p_orders, q_orders = (by_law[law] for law in stream.draw(laws, 2))
        states = p_orders[0][1], q_orders[0][1]
        form = draw_form(stream, cell.n, cell.order)
        p_vector = states[0].truth_vector(form, WHOLE)
        q_vector = states[1].truth_vector(form, WHOLE) if p_vector else 0
        only_p, only_q = p_vector & ~q_vector, q_vector & ~p_vector
        if only_p and only_q:
            claims = instances(cell.n, form, WHOLE)
            left = [among(claims, vector) for vector in (only_p, only_q)]
            h, g = (some[stream.below(len(some))] for some in left)
            if all(is_open(state, claim) for state in states for claim in (h, g)):
                yield hardest(p_orders, h, g), hardest(q_orders, g, h), h, g


def orders(stream: Stream, start: State, sequence: Announcements) -> Iterator[Ordered]:
    """Yield orders of a sequence in which every announcement tells something and two worlds or more are left."""
    if factorial(len(sequence)) <= MOST_ORDERS:
        yield from _every_order(start, sequence, ())
        return
    for _ in range(MOST_ORDERS):
        order = tuple(stream.shuffled(sequence))
        state = heard(start, order)
        if state and state.law.bit_count() > 1:
            yield order, state


def _every_order(state: State, left: Announcements, said: Announcements) -> Iterator[Ordered]:
    if not left and state.law.bit_count() > 1:
        yield said, state
    for place, claim in enumerate(left):
        following = state.told(claim)
        if following:
            yield from _every_order(following, left[:place] + left[place + 1 :], (*said, claim))


def is_open(state: State, hypothesis: Claim) -> bool:
    """Return whether nothing is said to be known, or not known, to hold that holds nowhere in a state."""
    levels, fact = hypothesis
    return all(link != THAT or state.where((levels[place + 1 :], fact)) for place, (_, link, _) in enumerate(levels))


def needs_of(start: State, block: Block) -> list[list[bool]]:
    """Return for each problem of a block which announcements it needs, in the order of the first premise."""
    needs = []
    for premise, hypothesis, follows in block.problems():
        own = premise.announcements
        by_claim = dict(zip(own, needed(start, own, hypothesis, follows), strict=True))
        needs.append([by_claim[claim] for claim in block.p.announcements])
    return needs


def rules_right(start: State, block: Block, needs: list[list[bool]]) -> dict[str, int]:
    """Return on how many problems of a block each rule of BOUNDS is right; for the last two, how many need so many."""
    right = Counter(
        {"needs two": sum(sum(row) >= 2 for row in needs), "needs three": sum(sum(row) >= 3 for row in needs)}
    )
    glances = {premise: Glances(start, premise.announcements) for premise in block[:2]}
    for premise, hypothesis, follows in block.problems():
        right.update(rule for rule, guess in glances[premise].guesses(hypothesis).items() if guess == follows)
    return right


def order_matters(premise: Premise, hypothesis: Claim) -> bool:
    """Return whether the same announcements in another order, if they leave a world, give another label."""
    start = initial_state(premise.sees).announce(SOMEONE)
    label = after(start, premise.announcements).entails(hypothesis)
    return any(state.entails(hypothesis) != label for state in _reachable(start, premise.announcements))


def _reachable(start: State, announcements: tuple[Claim, ...]) -> set[State]:
    """Return the states, with a world or more, that the announcements leave in any order."""
    reached: dict[int, set[State]] = defaultdict(set, {0: {start}})
    every = (1 << len(announcements)) - 1
    for made in range(every):
        for place, claim in enumerate(announcements):
            if not made >> place & 1:
                following = {state.announce(claim) for state in reached[made]}
                reached[made | 1 << place] |= {state for state in following if state.law}
    return reached[every]
