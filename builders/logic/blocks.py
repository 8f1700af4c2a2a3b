"""Own how MindGames problems are drawn: a stream goes in, problems and blocks of four of them come out.

A claim is what is announced or supposed: (levels, fact), where each level is (agent, link, negated), the outermost
first, and a fact is SOME, ALL, NOT_ALL or NONE, or `about(agent, negated)`. An announcement has at most one level, a
hypothesis of order k has k. A form is a claim with its agents left out (DESIGN, section 5).
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from builders.logic.claims import Claim, Form, Premise, all_forms, cases
from builders.logic.premises import (
    Known,
    draw_form,
    draw_hypothesis,
    draw_premise,
    draw_sees,
    identity,
    is_reproduced,
    premises,
)
from builders.streams import Stream, stream

DRAWS = 400
"""Premises are drawn at most so many times for each one that is needed: most leave no world, or came before."""


WINDOW = 16
"""A premise is compared with so many others before another form or premise is taken."""


FORMS = 6
"""So many forms are tried with a premise while there are other premises; after them, all up to an order."""


LAST_ORDER = 3
"""That order: there are four times as many forms of each next one."""


class TooFewError(ValueError):
    """Say how many blocks or problems were found of those asked for."""


class Block(NamedTuple):
    """Hold two premises p, q and two hypotheses h, g of one form: h follows from p alone and g from q alone.

    The agents see the same in both, so what is announced decides.
    """

    p: Premise
    q: Premise
    h: Claim
    g: Claim


class _Finder:
    """Pair premises by comparing truth vectors over the hypotheses of a form."""

    def __init__(self, drawn: Stream, source: Iterator[Known], n: int) -> None:
        self._drawn, self._source, self._n = drawn, source, n
        self._waiting: deque[Known] = deque()
        self.dry = False

    def next(self) -> Known | None:
        """Return the premise that waits longest, while others wait; None where all were tried."""
        while not self.dry and len(self._waiting) <= WINDOW:
            self._refill()
        return self._waiting.popleft() if self._waiting else None

    def put_back(self, premise: Known) -> None:
        """Let a premise without a partner wait for others, of which one more comes."""
        self._waiting.append(premise)
        self._refill()

    def _refill(self) -> None:
        known = next(self._source, None)
        self.dry = known is None
        if known:
            self._waiting.append(known)

    def block(self, p: Known, forms: Iterable[Form]) -> Block | None:
        """Return a block of the premise and one that waits, which waits no longer, or None where there is none."""
        window = len(self._waiting) if self.dry else WINDOW
        for form in forms:
            claims = cases(self._n, form)
            of_p = p.state.entailed(form)
            if of_p in (0, (1 << len(claims)) - 1):
                continue  # every other premise entails all that this one does, or less
            for place, q in enumerate(islice(self._waiting, window)):
                of_q = q.state.entailed(form)
                if of_p & ~of_q and of_q & ~of_p and p.premise.sees == q.premise.sees:
                    h, g = self._choose(p, q, claims, of_p & ~of_q), self._choose(p, q, claims, of_q & ~of_p)
                    if h and g:
                        del self._waiting[place]
                        return Block(p.premise, q.premise, h, g)
        return None

    def _choose(self, p: Known, q: Known, claims: list[Claim], which: int) -> Claim | None:
        """Return one of these claims with which neither premise makes a problem that is kept for others."""
        left = [claim for claim, bit in zip(reversed(claims), reversed(bin(which)), strict=False) if bit == "1"]
        while left:
            claim = left.pop(self._drawn.below(len(left)))
            if not is_reproduced(p, claim) and not is_reproduced(q, claim):
                return claim
        return None


def find_blocks(
    drawn: Stream, setup: str, n: int, wanted: int, max_order: int, scale: bool = False
) -> tuple[list[Block], Counter]:
    """Return so many blocks of four with n agents, no premise in two of them, and what `premises` counted.

    The orders of the hypotheses come in equal shares, until every premise was drawn; what is left is then paired by
    whatever form, up to LAST_ORDER. Raises TooFewError, which says how many were
    found among how many premises, where so many cannot be.
    """
    blocks: list[Block] = []
    counts: Counter = Counter()
    finder = _Finder(drawn, premises(drawn, setup, n, DRAWS * (2 * wanted + WINDOW), counts, scale), n)
    while len(blocks) < wanted and (p := finder.next()):
        order = 1 + len(blocks) % max_order
        if finder.dry:
            forms: Iterable[Form] = drawn.shuffled(all_forms(min(max_order, LAST_ORDER)))
        else:
            forms = (draw_form(drawn, n, order) for _ in range(FORMS))
        block = finder.block(p, forms)
        if block:
            blocks.append(block)
        elif not finder.dry and (setup != "explicit" or n == 2):  # the cards of more agents hardly come again
            finder.put_back(p)
    if len(blocks) < wanted:
        distinct = counts["drawn"] - counts["no world"] - counts["again"] - counts["kept"]
        what = "all" if n == 2 else "the drawn"
        raise TooFewError(
            f"{setup} with {n} agents: {wanted:,} blocks of four were asked for, and {len(blocks):,} found among "
            f"{what} {distinct:,} distinct premises; ask for fewer blocks, or for more agents"
        )
    return blocks, counts


def shares(size: int, agents: tuple[int, ...]) -> dict[int, int]:
    """Return how many of `size` blocks have each number of agents: in proportion to one agent fewer.

    So 2, 3 and 4 agents have 1/6, 1/3 and 1/2, about as in the published data; what cannot be divided goes to the
    largest remainders.
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
    """Return the blocks of each split, in the order of their indices, and what `premises` counted.

    `key` names the streams; `sizes` are the blocks of each split. Raises TooFewError.
    """
    planned: dict[str, list[Block]] = {split: [] for split in sizes}
    counts: Counter = Counter()
    for n in agents:
        drawn = stream(*key, setup, n, "plan")
        wanted = {split: shares(size, agents)[n] for split, size in sizes.items()}
        blocks, counted = find_blocks(drawn, setup, n, sum(wanted.values()), max_order, scale)
        counts += counted
        dealt = iter(drawn.shuffled(blocks))
        for split, count in wanted.items():
            planned[split] += islice(dealt, count)
    return {split: stream(*key, setup, split, "order").shuffled(blocks) for split, blocks in planned.items()}, counts


def plan_reproduction(
    key: tuple[str | int, ...], setup: str, agents: tuple[int, ...], size: int, max_order: int
) -> tuple[list[tuple[Premise, Claim]], Counter]:
    """Return so many different problems, half of them entailed, sampled as in the paper (section 4.1): not blocks.

    Counts as `premises` does, of problems; those are kept that blocks may have, and those of a label that is complete.
    Raises TooFewError.
    """
    drawn = stream(*key, setup, "plan")
    counts: Counter = Counter()
    found: dict[bool, list[tuple[Premise, Claim]]] = {True: [], False: []}
    seen = set()
    for _ in range(DRAWS * (size + WINDOW)):
        if len(found[True]) + len(found[False]) == size:
            break
        n = agents[drawn.below(len(agents))]
        premise, state = draw_premise(drawn, setup, draw_sees(drawn, setup, n))
        hypothesis = draw_hypothesis(drawn, n, 1 + drawn.below(max_order))
        counts["drawn"] += 1
        if not state.law:
            counts["no world"] += 1
            continue
        alike = found[state.where(hypothesis) == state.law]
        number: dict[int, int] = {}
        known = Known(premise, state, number, crc32(repr(identity(premise, number)).encode()))
        if len(alike) == size // 2 or not is_reproduced(known, hypothesis):
            counts["kept"] += 1
            continue
        same = identity(premise, {}, hypothesis)
        if same in seen:
            counts["again"] += 1
            continue
        seen.add(same)
        alike.append((premise, hypothesis))
    total = len(found[True]) + len(found[False])
    if total < size:
        raise TooFewError(
            f"{setup} with {' or '.join(map(str, agents))} agents: {size:,} problems were asked for, and {total:,} "
            f"found among {counts['drawn']:,} drawn; ask for fewer, or for more agents"
        )
    return drawn.shuffled(found[True] + found[False]), counts
