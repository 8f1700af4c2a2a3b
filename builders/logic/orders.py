"""Order blocks: two premises that announce the same in another order, and hypotheses that tell them apart."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, compress, islice, permutations, product
from math import factorial
from typing import NamedTuple

from ..groups import grouped_by
from ..streams import Stream
from .announcements import needed
from .blocks import Block
from .claims import SOMEONE, THAT, Announcements, Claim, Form, Premise, instances
from .order_shortcuts import OrderShortcuts, shortcuts_of
from .premises import Identity, TooFewError
from .setups import SETUP_OF, draw_sees
from .shortcut_filter import Judged, ShortcutFilter
from .states import State, after, heard, initial_state, side_by_side
from .utterances import Cell, Shares, draw_form, draw_sequence, pools_of

MOST_ORDERS = 24  # a sequence with no more orders is tried in all of them, a longer one in as many random ones
MOST_COMPARED = 8  # most orders compared that leave the same worlds
FORMS = 6  # forms of hypotheses tried for a sequence of five; for each more, which are dear to draw, six more
HYPOTHESES = 4  # most hypotheses compared on each side
WHOLE = 3  # the order up to which all hypotheses of a form are compared, of higher orders some
EACH_SEQUENCE = 3  # most candidates from one sequence for each cell
EFFORT = 24  # sequences drawn for each block after which those at hand must do
SEQUENCES = 6000  # sequences after which the search for blocks is given up
TURNS = 3  # times that each block of a pool is chosen, given all others
LEAST_NEEDED = 2  # announcements that a block needs: without any of them it would lose a label

# Between which per cent of the problems each rule should be right, and the weight of a per cent of a problem beyond.
# The gates leave more room.
BOUNDS = {
    **dict.fromkeys(("first only", "last only"), (44, 53, 40)),
    "as if none saw": (0, 52, 80),
    **dict.fromkeys(("first two", "last two"), (0, 62, 40)),
    **dict.fromkeys(("all but the first", "all but the last"), (0, 66, 40)),
    "inner part": (0, 52, 100),
    "agents swapped": (0, 62, 20),
    "needs two": (48, 100, 40),
    "needs three": (22, 100, 100),
}

# What a problem on which a rule is right weighs where hypotheses are compared; of other rules 1.
WEIGHTS = {"needs three": -5, "needs two": -3}

Ordered = tuple[Announcements, State]  # announcements in one order, and the state that they leave


class Source(NamedTuple):
    """Say what the premises of blocks are drawn from."""

    setup: str
    kinds: tuple[str, ...]  # of their announcements
    shares: Shares  # that they may have
    wider: int = 1  # how many times as large pools are


class Side(NamedTuple):
    """Hold a hypothesis that one of two premises entails, judged by its two problems."""

    claim: Claim
    right: Counter[str]  # by rule of BOUNDS: on how many of its two problems it is right, or holds
    lost: set[Claim]  # the announcements without which one of them loses its label

    @property
    def ease(self) -> int:
        """Return how easy its problems are; lower is harder."""
        return sum([WEIGHTS.get(rule, 1) * count for rule, count in self.right.items()])


def judge(entailing: OrderShortcuts, other: OrderShortcuts, claim: Claim) -> Side:
    """Return how hard a hypothesis is that one of two premises entails."""
    right: Counter[str] = Counter()
    lost: set[Claim] = set()
    for seen, follows in ((entailing, True), (other, False)):
        right.update([rule for rule, guess in seen.guesses(claim).items() if guess == follows])
        needs = [*compress(seen.said, needed(seen.start, seen.said, claim, follows))]
        right.update({"needs two": len(needs) >= 2, "needs three": len(needs) >= 3})
        lost.update(needs)
    return Side(claim, right, lost)


class Pool:
    """Hold candidates for the blocks of some cells, in which no two sequences share a premise."""

    def __init__(self, stream: Stream, source: Source, shortcut_filter: ShortcutFilter, met: set[Identity]) -> None:
        """Begin a pool without candidates; `met` are the identities of premises that none may have."""
        self._stream, self._source, self._filter = stream, source, shortcut_filter
        self._met, self._sequences = set(met), 0
        self.candidates: dict[Cell, list[Judged]] = defaultdict(list)

    def fill(self, cells: Iterable[Cell], enough: int, most: int) -> None:
        """Draw sequences until `enough` of them have a candidate for each of some cells, but at most `most`.

        cells: which differ in the order of hypotheses only.
        """
        having = Counter(dict.fromkeys(cells, 0))
        for _ in range(most):
            if min(having.values()) >= enough:
                return
            self._sequences += 1
            drawn = candidates(self._stream, self._source, [*having], self._filter)
            found = [(cell, judged) for cell, judged in drawn if self._met.isdisjoint(judged.keys)]
            for cell, judged in found:
                self.candidates[cell].append(judged._replace(sequence=self._sequences))
                self._met |= judged.keys
            having.update({cell for cell, _ in found})

    def hardest(self, cell: Cell, taken: set[int]) -> Judged | None:
        """Return the candidate for a cell that the filter finds hardest, but of none of the sequences `taken`."""
        free = [judged for judged in self.candidates[cell] if judged.sequence not in taken]
        return min(free, key=lambda judged: self._filter.cost(judged, BOUNDS), default=None)


def choose_blocks(
    stream: Stream, source: Source, cells: list[Cell], shortcut_filter: ShortcutFilter, met: set[Identity]
) -> Iterator[Block]:
    """Yield a block for each cell, chosen together from a pool; let the filter learn from them.

    Each is chosen again, given all others, TURNS times. met: the identities of premises that no block may have; those
    of these blocks are added. Raises TooFewError where no block is to be had.
    """
    pool, setup, wider = Pool(stream, source, shortcut_filter, met), source.setup, source.wider
    alike: dict[Cell, Counter[Cell]] = defaultdict(Counter)
    for cell in cells:
        alike[cell._replace(order=0)][cell] += 1
    for wanted in alike.values():
        pool.fill(wanted, round(wider * SETUP_OF[setup].pool * max(wanted.values())), wider * EFFORT * wanted.total())
    chosen: dict[int, Judged] = {}
    lacking: set[Cell] = set()
    for place, cell in [*enumerate(cells)] * TURNS:
        if place in chosen:
            shortcut_filter.learn(chosen.pop(place), -1)
        taken = {judged.sequence for judged in chosen.values()}
        best = pool.hardest(cell, taken)
        if best is None and cell not in lacking:
            pool.fill([cell], 1, SEQUENCES)
            best = pool.hardest(cell, taken)
        if best:
            shortcut_filter.learn(best)
            chosen[place] = best
        else:
            lacking.add(cell)
    for place, cell in enumerate(cells):
        if place not in chosen:
            lengths = " or ".join(map(str, cell.lengths))
            raise TooFewError(
                f"{setup} with {cell.n} agents, {lengths} announcements and hypotheses of order {cell.order}: no order "
                f"block with new premises was found among {SEQUENCES:,} sequences; ask for fewer blocks, for more "
                "agents, or for another number of announcements"
            )
        met |= chosen[place].keys
        yield chosen[place].block


def candidates(
    stream: Stream, source: Source, cells: list[Cell], shortcut_filter: ShortcutFilter
) -> Iterator[tuple[Cell, Judged]]:
    """Yield up to EACH_SEQUENCE order blocks of one sequence for each of some cells, mostly none."""
    (setup, kinds, shares, _), n = source, cells[0].n
    sees = draw_sees(stream, setup, n)
    start = initial_state(sees).announce(SOMEONE)
    sequence = draw_sequence(stream, start, cells[0], pools_of(setup, n, kinds), shares)
    if not sequence:
        return
    by_law = grouped_by(lambda ordered: ordered[1].law, orders(stream, start, sequence))
    if len(by_law) < 2:
        return
    forms = FORMS * max(1, len(sequence) - 4)
    whole = side_by_side([ordered[0][1] for ordered in by_law.values()])
    cases = {law << (number << n): [order for order, _ in by_law[law]] for number, law in enumerate(by_law)}
    for cell in cells:
        found = (
            shortcut_filter.judged(Block(Premise(setup, sees, p.said), Premise(setup, sees, q.said), h, g), right)
            for form in (draw_form(stream, n, cell.order) for _ in range(forms))
            for (p, q), (h, g), right in _compared(stream, whole, cases, form, start)
        )
        yield from ((cell, judged) for judged in islice((one for one in found if len(one.keys) == 2), EACH_SEQUENCE))


def _compared(
    stream: Stream, whole: State, cases: dict[int, list[Announcements]], form: Form, start: State
) -> Iterator[tuple[tuple[OrderShortcuts, OrderShortcuts], tuple[Claim, Claim], Counter[str]]]:
    """Yield two orders that a form of hypotheses tells apart, if there are any, with two hypotheses.

    The third part is what `Judged.right` holds. whole: the states that the orders leave, side by side. cases: which
    orders leave which of them. start: the state in which they are announced.
    """
    valid = [whole.valid[worlds] for worlds in whole.where_each(form, WHOLE)]
    sorts = {*valid} - {0, whole.law}  # what no order entails, or every order, tells no two apart
    pairs = len(sorts) > 1 and [
        (p, q)
        for p, q in combinations(cases, 2)
        if any(sort & p and not sort & q for sort in sorts) and any(sort & q and not sort & p for sort in sorts)
    ]
    if not pairs:
        return
    p, q = stream.draw(pairs[stream.below(len(pairs))], 2)
    of_p, of_q = [stream.draw(cases[case], min(len(cases[case]), MOST_COMPARED)) for case in (p, q)]
    one, other = [shortcuts_of(start, said) for said in min(product(of_p, of_q), key=_difference)]
    claims = list(zip(instances(len(whole.atoms), form, WHOLE), valid, strict=True))
    sides = []
    for here, there, seen in ((p, q, (one, other)), (q, p, (other, one))):
        only = [claim for claim, sort in claims if sort & here and not sort & there]
        drawn = stream.draw(only, min(len(only), HYPOTHESES))
        judged = [judge(*seen, claim) for claim in drawn if all(is_open(shortcuts.state, claim) for shortcuts in seen)]
        if not judged:
            return
        sides.append(min(judged, key=lambda side: side.ease))
    lost = sides[0].lost | sides[1].lost
    if len(lost) >= LEAST_NEEDED:
        yield (one, other), (sides[0].claim, sides[1].claim), sides[0].right + sides[1].right


def _difference(pair: tuple[Announcements, Announcements]) -> int:
    """Return in how many places two orders of a sequence differ; the first and the last count twice."""
    p, q = pair
    return sum([one is not other for one, other in zip(p, q, strict=True)]) + (p[0] is not q[0]) + (p[-1] is not q[-1])


def orders(stream: Stream, start: State, sequence: Announcements) -> Iterator[Ordered]:
    """Yield orders of a sequence in which every announcement tells something and two worlds or more are left."""
    few = factorial(len(sequence)) <= MOST_ORDERS
    tried = permutations(sequence) if few else (tuple(stream.shuffled(sequence)) for _ in range(MOST_ORDERS))
    for order in tried:
        state = heard(start, order)
        if state and state.law.bit_count() > 1:
            yield order, state


def is_open(state: State, hypothesis: Claim) -> bool:
    """Return whether nothing is said to be known, or not known, to hold that holds nowhere in a state."""
    levels, fact = hypothesis
    return all(link != THAT or state.where((levels[place + 1 :], fact)) for place, (_, link, _) in enumerate(levels))


def order_matters(premise: Premise, hypothesis: Claim) -> bool:
    """Return whether the same announcements in another order, if they leave a world, give another label."""
    start = initial_state(premise.sees).announce(SOMEONE)
    label = after(start, premise.announcements).entails(hypothesis)
    return any(state.entails(hypothesis) != label for state in _reachable(start, premise.announcements, set()))


def _reachable(state: State, others: Announcements, met: set[tuple[State, Announcements]]) -> Iterator[State]:
    """Yield the states, with a world or more, that announcements leave in any order.

    met: what states were met, each with the announcements that were still to come; those met are added.
    """
    if not others:
        yield state
    for place, claim in enumerate(others):
        following = state.announce(claim), others[:place] + others[place + 1 :]
        if following[0].law and following not in met:
            met.add(following)
            yield from _reachable(*following, met)
