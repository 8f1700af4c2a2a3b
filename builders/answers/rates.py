"""Own what a model answered: which choice a reply names, how often the choices are right, and what that depends on.

**Reading.** A reply is read by rules, the same for every model. What stands before the last `</think>` is dropped, and
so are emphasis, quotes, `\boxed{}` and other mark-up; a container is known in any case, with spaces, hyphens or
underscores between its words. Then:

1. A *statement* says what the answer is: the reply begins with a choice; a line holds only a choice, or begins with a
   letter and its container; or a sentence says "answer", "final answer", "best option", "my choice", "conclusion is"
   (MindGames also "the hypothesis", "the statement") and then a choice, on the next line where its own has no more.
   Choices in a list, one line after another, are none, nor is what is denied ("the answer is not B").
2. The last statement counts, as what comes after it is an explanation and what came before was revised. A reply whose
   statements differ is counted as *revised*.
3. A statement of several choices ("B or C") or of none ("none of the above", "cannot be determined", "E. None of the
   above", a letter that no choice has) counts as such: the reply is unread.
4. Without a statement, letters that stand with their containers decide if all are of one choice. Else the last
   concluding sentence ("therefore", "so", "in summary", "most likely", …), else the last that names a choice; where it
   names several, what stands before "because", "as", "not", … decides. A sentence that says it cannot be known is one
   that names none.
5. Where a letter and its container contradict, the container counts: the question asks where, and the letter is only
   looked up. This is counted as *contradicting*. A letter with a container that is no choice is unread.
6. Where a reply goes on with another "Question:" after its answer, as base models do, that is not read.
7. A letter alone is an answer only where one is expected: alone on a line or at the start of the reply, after "answer
   is", "option" or a colon. "A" and "I" must be followed by punctuation, the end, or "because".

MindGames: the choices are *entailment* (true, yes, entailed, follows, holds) and *not_entailment* (false, no, not
entailed, does not follow, contradiction, neutral, cannot be inferred); a negation turns one into the other; "True or
False?" and the like are dropped as an echo, and what is said under "if" or "whether" is not said.

What no rule reads is **unread**: it is shown with the reason, and scored wrong.

**Scoring.** Accuracy, and the strict metric: a question of Hi-ToM counts in *joint accuracy* when it and all lower
orders of its story are right (He et al., section 4.3), a problem of MindGames in *block accuracy* when all four of its
block are. Intervals are percentiles of a bootstrap over stories or blocks: they are drawn anew, with all their
questions and prompts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from builders.answers.items import Item
from builders.answers.reading import Reading
from builders.audit.shares import Share
from builders.streams import stream

DRAWS = 1000
"""How often the bootstrap draws the stories or blocks anew."""


@dataclass(frozen=True, slots=True)
class Rate(Share):
    """Hold a share with the interval of a bootstrap."""

    low: float = 0.0
    high: float = 1.0

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval."""
        return self.low, self.high

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ({100 * self.low:.0f}–{100 * self.high:.0f})"


Table = dict[str, dict[str, Rate]]
"""The rates of each group; one that is not defined is left out."""


@dataclass(frozen=True, slots=True)
class Given:
    """Hold an item with what was read as its answer; strict: whether all that it needs is right, None if not asked."""

    item: Item
    reading: Reading
    text: str
    strict: bool | None

    @property
    def right(self) -> bool:
        """Return whether the answer is right."""
        return self.reading.choice == self.item.answer

    @property
    def said(self) -> str | None:
        """Return the choice that is the answer."""
        return None if self.reading.choice is None else self.item.choices[self.reading.choice]


class Bootstrap:
    """Draw units anew, with what was answered in them, and tell what a share then is."""

    def __init__(self, name: str, units: Iterable[str | None]) -> None:
        self.place = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
        below, size = stream("score", name, "bootstrap").below, len(self.place)
        self.counts = np.zeros((DRAWS, size))
        for counts in self.counts:
            counts += np.bincount(np.fromiter((below(size) for _ in range(size)), int, size), minlength=size)

    def rate(self, values: Sequence[tuple[Item, bool]]) -> Rate:
        """Return how often something holds of items, with the percentiles of its share where units are drawn anew."""
        holds, total = np.zeros((2, len(self.place)))
        for item, value in values:
            holds[self.place[item.unit]] += value
            total[self.place[item.unit]] += 1
        rows = self.counts @ total
        shares = (self.counts @ holds)[rows > 0] / rows[rows > 0]
        low, high = np.percentile(shares, (2.5, 97.5))
        chance = fmean(1 / len(item.choices) for item, _ in values)
        return Rate(sum(value for _, value in values), len(values), chance, float(low), float(high))

    def rates(self, values: Mapping[str, Sequence[tuple[Item, bool]]]) -> dict[str, Rate]:
        """Return the rate of each of several things, those left out of which nothing is known."""
        return {what: self.rate(known) for what, known in values.items() if known}


def render(table: Table) -> str:
    """Return a table in Markdown as `audit.render` does; a rate of other rows than its group's says of how many."""
    rules = dict.fromkeys(rule for rates in table.values() for rule in rates)
    totals = [max((rate.total for rate in rates.values()), default=0) for rates in table.values()]
    rows = [["", *table], ["---", *["---:"] * len(table)], ["rows", *(f"{total:,}" for total in totals)]]
    if "accuracy" in rules:
        chances = [rates["accuracy"].chance if "accuracy" in rates else None for rates in table.values()]
        rows.append(["chance", *("" if chance is None else f"{100 * chance:.1f}" for chance in chances)])
    for rule in rules:
        row = [rule]
        for rates, total in zip(table.values(), totals, strict=True):
            rate = rates.get(rule)
            row.append(
                "not defined" if rate is None else f"{rate}{'' if rate.total == total else f' of {rate.total:,}'}"
            )
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
