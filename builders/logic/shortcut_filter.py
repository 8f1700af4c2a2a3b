"""The adversarial filter of order blocks: what rules that read little would make of a block, given those before it.

The filter learns as a naive Bayes does: it counts which labels came with each pair of the hypothesis and what stands
where in the premise. It also counts how often each rule that forgets a part of the problem was right. Of several
candidates the block is kept that is the hardest for all of them.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from typing import NamedTuple

from .blocks import Block
from .claims import Announcements, Claim, form_of, renamed
from .premises import Identity, identity, renumbered

SURE = 1000  # the unit of logarithms and costs, which are integers, so that every machine adds up the same
OTHERS = 99  # the number of all agents whom a hypothesis does not name
REPEATED = 400  # weight of each earlier block with hypotheses of the same form: what comes often can be learnt
AMONG = 36  # each 36 blocks more bring that weight to a half, a third, and so on


# How often a feature came with each label, and once more; then the logarithm of these odds, in which SURE is 1.
Tally = list[int]


class Judged(NamedTuple):
    """Hold a candidate for an order block, with what the filter needs to know of it."""

    block: Block
    right: Mapping[str, int]  # on how many of its problems each rule is right
    seen: list[tuple[bool, list[list[Tally]]]]  # for each problem whether it is entailed, and its features by judge
    keys: set[Identity]  # the identities of its premises; one if they are renamings
    sequence: int = 0  # which sequence it is made of


@dataclass(slots=True)
class ShortcutFilter:
    """Hold what was learnt from the blocks kept so far."""

    tallies: dict[Hashable, Tally] = field(default_factory=dict)  # of all features met
    blocks: int = 0  # how many
    right: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # by rule, on how many problems
    forms: dict[Hashable, int] = field(default_factory=lambda: defaultdict(int))  # by form, how many blocks have it

    def copy(self) -> "ShortcutFilter":
        """Return a filter that has learnt the same, and whose own learning changes this one in nothing."""
        return ShortcutFilter({feature: list(tally) for feature, tally in self.tallies.items()})

    def judged(self, block: Block, right: Mapping[str, int]) -> Judged:
        """Return a block with the tallies of its features."""
        p, q, h, g = block
        seen = []
        for hypothesis, entailing in ((h, p), (g, q)):
            for premise in (p, q):
                judges = features(premise.announcements, hypothesis)
                tallies = [[self.tallies.setdefault(feature, [1, 1, 0]) for feature in judge] for judge in judges]
                seen.append((premise is entailing, tallies))
        return Judged(block, right, seen, {identity(premise, {}) for premise in (p, q)})

    def cost(self, judged: Judged, bounds: dict[str, tuple[int, int, int]]) -> int:
        """Return how easy a block is; lower is harder.

        bounds: between which per cent each rule should be right, and what a per cent beyond weighs.
        """
        cost = REPEATED * self.forms[form_of(judged.block.h)] // (1 + self.blocks // AMONG)
        for rule, (least, most, weight) in bounds.items():
            total, share = 4 * (self.blocks + 1), self.right[rule] + judged.right[rule]
            cost += weight * max(0, 100 * share - most * total, least * total - 100 * share)
        for follows, judges in judged.seen:
            for judge in judges:
                margin = sum([odds for _, _, odds in judge])
                cost += max(-SURE, min(SURE, margin if follows else -margin))
        return cost

    def learn(self, judged: Judged, times: int = 1) -> None:
        """Learn from a block that is kept, or with -1 forget a block that no longer is."""
        self.blocks += times
        self.forms[form_of(judged.block.h)] += times
        for rule, count in judged.right.items():
            self.right[rule] += times * count
        for follows, judges in judged.seen:
            for judge in judges:
                for tally in judge:
                    tally[follows] += times
                    tally[2] = log_odds(*tally[:2])


def log_odds(false: int, true: int) -> int:
    """Return the logarithm of the odds of these counts."""
    return round(SURE * log(true / false))


def features(announcements: Announcements, hypothesis: Claim) -> list[list[Hashable]]:
    """Return what each judge sees: the hypothesis with the first announcement, the last, those at their places, and
    pairs; and their resemblances.

    Agents are numbered by their place in the hypothesis; all others are one. The judges also see how announcements
    resemble the hypothesis: few blocks share a sentence with a hypothesis, many a resemblance.
    """
    numbers: dict[int, int] = {}
    (masked,) = renumbered((hypothesis,), numbers)
    seen = [renamed(claim, lambda agent: numbers.get(agent, OTHERS)) for claim in announcements]
    alike = [resemblance(claim, masked) for claim in seen]
    placed: list[Hashable] = [(masked, place, claim) for place, claim in enumerate(seen)]
    return [
        placed[:1],
        [(masked, "last", seen[-1])],
        placed,
        [(masked, pair) for pair in combinations(seen, 2)],
        [*enumerate(alike), ("last", alike[-1]), *combinations(alike, 2)],
    ]


def resemblance(claim: Claim, hypothesis: Claim) -> Hashable:
    """Return how an announcement is like a hypothesis: in its outermost level, its depth, and what it is about."""
    levels, fact = claim
    known, thing = hypothesis
    speaker, outermost = (levels[0][0], levels[0][1:]) if levels else (None, None)
    return known[0][1:], len(known), speaker, outermost, len(levels), fact == thing
