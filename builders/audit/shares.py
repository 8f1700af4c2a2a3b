"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Any

ALL = "all"
"""The group of all rows, the last of a table."""


@dataclass(frozen=True, slots=True)
class Share:
    """Hold how often a rule is right, of how many, and the share that blind chance would have."""

    right: int
    total: int
    chance: float

    @property
    def share(self) -> float:
        """Return how often it is right."""
        return self.right / self.total

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval (Wilson, 1927), as if all rows were independent."""
        square = 1.959963984540054**2
        middle = (self.right + square / 2) / (self.total + square)
        half = sqrt(square * (self.share * (1 - self.share) * self.total + square / 4)) / (self.total + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.share:.1f} ({100 * low:.0f}–{100 * high:.0f})"


Table = dict[str, dict[str, Share]]
"""The share of each rule in each group; a rule that a group does not have is left out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Hold what the rules make of one row.

    chance: the share of the choices that is right. common: for the rules that always give one answer, which of them is
    right; None where none is. right: whether each other rule is right; None where it has no say.
    """

    group: str
    chance: float
    common: Mapping[str, Hashable]
    right: Mapping[str, bool | None]


def tally(answered: Iterable[Answered]) -> Table:
    """Count the right answers of each group, in the order of their names; a rule that never has a say is left out."""
    groups: dict[str, list[Answered]] = defaultdict(list)
    for each in answered:
        groups[each.group].append(each)
    table: Table = {}
    for group, rows in sorted(groups.items(), key=lambda item: (item[0] == ALL, item[0])):
        right = {}
        for rule in rows[0].common:
            counts = Counter(row.common[rule] for row in rows if row.common[rule] is not None)
            if counts:
                right[rule] = max(counts.values())
        for rule in dict.fromkeys(rule for row in rows for rule in row.right):
            says = [row.right.get(rule) for row in rows]
            if set(says) != {None}:
                right[rule] = says.count(True)
        chance = fmean(row.chance for row in rows)
        table[group] = {rule: Share(count, len(rows), chance) for rule, count in right.items()}
    return table


def spelled(table: Table) -> dict[str, dict[str, Any]]:
    """Return a table as JSON has it: for each group its rows, its chance, and how often each rule is right."""
    groups = {}
    for group, shares in table.items():
        one = next(iter(shares.values()))
        right = {rule: share.right for rule, share in shares.items()}
        groups[group] = {"rows": one.total, "chance": one.chance, "right": right}
    return groups
