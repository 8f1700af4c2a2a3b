"""The search for rules: which few features of a line, all cheap to see, find the line that decides a question.

A rule is some features or their negations: it answers the container of the last line that has them all. `search` tries
all such rules of up to three features, and lengthens the best ones. It also tries "first this rule, and where no line
has it that rule". Rules are chosen on some questions and measured on others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

import numpy as np

from ..story.features import FEATURES
from ..story.meaning import Chain, Facts
from .shares import Share, Table
from .stories import BEST

# Up to how many features all rules are tried, and how many of the best are lengthened, or paired with any other.
COMPLETE, BEAM = 3, 200

WORD = 64  # lines whose bits one integer of an array holds

# The facts of a story, a chain of two agents or more, and the container that is right.
SearchQuestion = tuple[Facts, Chain, int]


Conjunction = tuple[int, ...]  # literals: 2f for the feature at place f of FEATURES, 2f + 1 for its negation


@dataclass(frozen=True, slots=True)
class Found:
    """Hold the best rule of a length."""

    rules: Sequence[Conjunction]  # the second, if there is one, is for questions without a line that fits the first
    learnt: Share  # how often it is right on the questions by which it was chosen
    measured: Share  # how often on others

    def __str__(self) -> str:
        return "; else ".join(map(spell, self.rules))


Searched = Mapping[str, Sequence[Found]]  # by group the best rule of each length, the shortest first


def with_found(table: Table, found: Searched) -> Table:
    """Return a table with the rules that a search found in its groups, as the rules BEST."""
    measured = {group: [rule.measured for rule in rules] for group, rules in found.items()}
    return {group: shares | dict(zip(BEST, measured.get(group, ()), strict=False)) for group, shares in table.items()}


def spell(rule: Conjunction) -> str:
    """Return the literals of a rule in words."""
    names = list(FEATURES)
    return ", ".join(f"{'not ' * (literal % 2)}*{names[literal // 2]}*" for literal in rule)


class Lines:
    """Hold the lines of questions as bits, in arrays by question and word of WORD lines; `literals` by number first."""

    def __init__(self, questions: Sequence[SearchQuestion]) -> None:
        sizes = [len(facts.containers) for facts, _, _ in questions]
        self.words = -(-max(sizes) // WORD)
        self.full = self._packed([(1 << size) - 1 for size in sizes])
        answered = ([at == answer for at in facts.containers] for facts, _, answer in questions)
        self.answered = self._packed([sum(right << place for place, right in enumerate(lines)) for lines in answered])
        having = [self._packed([f(facts, chain) for facts, chain, _ in questions]) for f in FEATURES.values()]
        self.literals = np.stack([part for lines in having for part in (self.full & lines, self.full & ~lines)])

    def _packed(self, lines: Sequence[int]) -> np.ndarray:
        """Return bits of lines, of one question each."""
        ones = (1 << WORD) - 1
        return np.array([[bits >> WORD * word & ones for word in range(self.words)] for bits in lines], np.uint64)

    def of(self, rule: Conjunction) -> np.ndarray:
        """Return the lines that have all literals of a rule."""
        return reduce(and_, self.literals[list(rule)], self.full)

    def judged(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return by question whether the last of some lines has the answer, and whether there is none."""
        right, none = np.zeros(lines.shape[:-1], bool), np.ones(lines.shape[:-1], bool)
        for word in reversed(range(self.words)):
            these, answered = lines[..., word], self.answered[:, word]
            right |= none & ((these & answered) > (these & ~answered))
            none &= these == 0
        return right, none

    def share(self, rules: Sequence[Conjunction]) -> Share:
        """Return how often the first rule that any line fits is right."""
        right, left = np.zeros(len(self.full), bool), np.ones(len(self.full), bool)
        for judged, none in map(self.judged, map(self.of, rules)):
            right, left = right | left & judged, left & none
        return Share(int(right.sum()), len(right), 0.0)


def search(learnt: Sequence[SearchQuestion], measured: Sequence[SearchQuestion], longest: int = 4) -> list[Found]:
    """Return the best rule of each length from 1 to `longest`, by how often it is right on the learnt questions.

    A rule with another one for the questions that it leaves is as long as the longer of the two.
    """
    fitted, tested = Lines(learnt), Lines(measured)
    tried: list[Conjunction] = []
    right, none = (np.empty((0, len(learnt)), bool) for _ in range(2))
    lengthened: list[Conjunction] = [()]
    found = []
    for length in range(1, longest + 1):
        rules, verdicts = [], [(right, none)]
        for rule in lengthened:
            literals = added(rule, length <= COMPLETE)
            rules += [(*rule, literal) for literal in literals]
            verdicts.append(fitted.judged(fitted.of(rule) & fitted.literals[literals]))
        right, none = (np.concatenate(parts) for parts in zip(*verdicts, strict=True))
        tried += rules
        # Of rules with the same verdicts, only the first can be of use, but a complete search lengthens them all.
        different = np.sort(np.unique(np.packbits(np.hstack([right, none]), axis=1), axis=0, return_index=True)[1])
        tried, right, none = [tried[place] for place in different], right[different], none[different]
        lengthened = rules if length < COMPLETE else [tried[place] for place in best(right.sum(axis=1))]
        chosen = [tried[place] for place in best_pair(right, none)]
        found.append(Found(chosen, fitted.share(chosen), tested.share(chosen)))
    return found


def added(rule: Conjunction, once: bool) -> list[int]:
    """Return the literals that lengthen a rule; `once`: later ones only, so that each set of literals is tried once."""
    features = {literal // 2 for literal in rule}
    start = max(features, default=-1) + 1 if once else 0
    return [literal for literal in range(2 * start, 2 * len(FEATURES)) if literal // 2 not in features]


def best(scores: np.ndarray) -> np.ndarray:
    """Return the places of the highest scores, at most BEAM."""
    return np.argsort(-scores, kind="stable")[:BEAM]


def best_pair(right: np.ndarray, none: np.ndarray) -> list[int]:
    """Return the places of the best rule, and of its best complement if one helps.

    right, none: by rule and question, whether the rule is right there, and whether no line fits it. The first rules
    that do best before some good complement are then tried before all complements.
    """
    rights = right.sum(axis=1)
    right, none = right.astype(np.float32), none.astype(np.float32)  # they hold counts of questions exactly
    firsts = best((none @ right[best(rights)].T).max(axis=1) + rights)
    both = none[firsts] @ right.T + rights[firsts, None]
    first, otherwise = np.unravel_index(both.argmax(), both.shape)
    if both[first, otherwise] > rights.max():
        return [firsts[first], otherwise]
    return [rights.argmax()]
