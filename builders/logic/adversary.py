"""The adversarial filter of order blocks: what rules that read little would make of a block, given those before it.

The adversary learns as a naive Bayes does: it counts which labels came with each pair of the hypothesis and what stands
where in the premise. It also counts how often each rule that forgets a part of the problem was right. Of several
candidates the block is kept that is the hardest for all of them.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import log

from .blocks import Block
from .claims import Claim, form_of, renamed
from .premises import renumbered

Announcements = tuple[Claim, ...]

SURE = 1000  # the unit of logarithms and costs, which are integers, so that every machine adds up the same
OTHERS = 99  # the number of all agents whom a hypothesis does not name
REPEATED = 400  # weight of each earlier block with hypotheses of the same form: what comes often can be learnt
RULES_WEIGH = 20  # weight of one per cent of a problem on which a rule is right too often


@dataclass(slots=True)
class Adversary:
    """Hold what was learnt from the blocks kept so far."""

    counts: dict[Hashable, list[int]] = field(default_factory=lambda: defaultdict(lambda: [1, 1]))
    blocks: int = 0  # how many
    right: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by rule, on how many problems
    forms: dict[Hashable, int] = field(default_factory=lambda: defaultdict(int))  # by form, how many blocks have it

    def copy(self) -> "Adversary":
        """Return an adversary that has learnt the same, and whose own learning changes this one in nothing."""
        adversary = Adversary()
        adversary.counts.update((feature, list(counts)) for feature, counts in self.counts.items())
        return adversary

    def cost(self, block: Block, right: dict[str, int], bounds: dict[str, tuple[int, int]]) -> int:
        """Return how easy a block is; lower is harder.

        right: on how many of its problems each rule is right. bounds: between which per cent each rule should be.
        """
        cost = REPEATED * self.forms[form_of(block.h)]
        for rule, (least, most) in bounds.items():
            total, share = 4 * (self.blocks + 1), self.right[rule] + right[rule]
            cost += RULES_WEIGH * max(0, 100 * share - most * total, least * total - 100 * share)
        for premise, hypothesis, follows in block.problems():
            odds = self.odds(features(premise.announcements, hypothesis))
            cost += max(-SURE, min(SURE, odds if follows else -odds))
        return cost

    def odds(self, seen: Iterable[Hashable]) -> int:
        """Return the logarithm of the odds that what is seen of a problem gives to its hypothesis; SURE is 1."""
        counts = self.counts
        return sum([log_odds(*counts[feature]) for feature in seen if feature in counts])

    def hardest(self, orders: Sequence[Announcements], entailed: Claim, other: Claim) -> int:
        """Return the place of the order of announcements that least tells that it entails the one and not the other."""
        views = [View(orders[0], hypothesis) for hypothesis in (entailed, other)]
        costs = [self.odds(views[0].features(order)) - self.odds(views[1].features(order)) for order in orders]
        return costs.index(min(costs))

    def keep(self, block: Block, right: dict[str, int]) -> None:
        """Learn from a block that is kept."""
        self.blocks += 1
        self.forms[form_of(block.h)] += 1
        for rule, count in right.items():
            self.right[rule] += count
        for premise, hypothesis, follows in block.problems():
            for feature in features(premise.announcements, hypothesis):
                self.counts[feature][follows] += 1


@lru_cache(maxsize=1 << 12)
def log_odds(false: int, true: int) -> int:
    """Return the logarithm of the odds of these counts."""
    return round(SURE * log(true / false))


class View:
    """Hold what the adversary sees of announcements beside a hypothesis, in whatever order they are made.

    Agents are numbered by their place in the hypothesis; all others are one. The adversary also sees how the
    announcements resemble the hypothesis: few blocks share a sentence with a hypothesis, many a resemblance.
    """

    def __init__(self, announcements: Announcements, hypothesis: Claim) -> None:
        numbers: dict[int, int] = {}
        (self._masked,) = renumbered((hypothesis,), numbers)
        self._seen = {claim: renamed(claim, lambda agent: numbers.get(agent, OTHERS)) for claim in announcements}
        self._alike = {claim: resemblance(seen, self._masked) for claim, seen in self._seen.items()}

    def features(self, announcements: Announcements) -> Iterator[Hashable]:
        """Yield the hypothesis with each announcement at its place, and with each pair, and the resemblances."""
        masked = self._masked
        seen = [self._seen[claim] for claim in announcements]
        alike = [self._alike[claim] for claim in announcements]
        for place, (claim, like) in enumerate(zip(seen, alike, strict=True)):
            yield masked, place, claim
            yield place, like
        yield masked, "last", seen[-1]
        yield "last", alike[-1]
        for pair in combinations(seen, 2):
            yield masked, pair
        yield from combinations(alike, 2)


def features(announcements: Announcements, hypothesis: Claim) -> Iterator[Hashable]:
    """Yield what the adversary sees of a problem."""
    return View(announcements, hypothesis).features(announcements)


def resemblance(claim: Claim, hypothesis: Claim) -> Hashable:
    """Return how an announcement is like a hypothesis: in its outermost level, its depth, and what it is about."""
    levels, fact = claim
    known, thing = hypothesis
    speaker, outermost = (levels[0][0], levels[0][1:]) if levels else (None, None)
    return known[0][1:], len(known), speaker, outermost, len(levels), fact == thing
