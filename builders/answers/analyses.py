"""The analyses of the Hi-ToM paper (He et al., section 4.3, Figures 3 to 6) for any model, and two of our own."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from .items import Item, by_property
from .rates import Bootstrap, Rate, Table

# Titles of Figures 3 and 4.
BY_LENGTH, BY_CLAIMS = "joint accuracy by length and order", "joint accuracy by claims and order"
# Title of Figure 6, and of the same question asked of the model's own answers.
SAME, OWN = "accuracy where the answer is that of order 1", "answers that are those of order 1"
# Title of the analysis of kinds: who knows what Ann thinks may not know what she will do.
BY_NOW = "accuracy by whether the question of kind now about the same chain is right"


def analyses(replies: Sequence[Item], bootstrap: Bootstrap) -> dict[str, Table]:
    """Return the tables of Figures 3, 4 and 6, and how often the model's answers equal its first-order one."""

    def joint_by_order(some: Sequence[Item]) -> dict[str, Rate]:
        together = {
            order: [(reply, reply.strict) for reply in group if reply.strict is not None]
            for order, group in by_property(some, "order").items()
        }
        return bootstrap.rates(together, attrgetter("strict_chance"))

    tables: dict[str, Table] = {}
    for deception, group in by_property(replies, "deception").items():
        lengths = by_property(group, "length")
        tables[f"{BY_LENGTH}, {deception}"] = {length: joint_by_order(some) for length, some in lengths.items()}
    claims = {number: joint_by_order(some) for number, some in by_property(replies, "claims").items()}
    if any(claims.values()):
        tables[BY_CLAIMS] = claims
    # Only a story that has one question of each order has the question of order 1.
    asked = [reply for reply in replies if reply.needs is not None]
    firsts = {(reply.unit, reply.sample): reply for reply in asked if reply.place == 1}
    higher = [reply for reply in replies if reply.place > 1 and (reply.unit, reply.sample) in firsts]
    tables |= {**after_now(replies, bootstrap), SAME: {}, OWN: {}}
    for order, group in by_property(higher, "order").items():
        pairs = [(reply, firsts[reply.unit, reply.sample]) for reply in group]
        equal = [(reply, reply.choices[reply.answer] == first.choices[first.answer]) for reply, first in pairs]
        tables[SAME][order] = right_by(equal, bootstrap, "answer as of order 1", "another answer")
        own = [(reply, reply.chosen == first.chosen) for reply, first in pairs if reply.chosen and first.chosen]
        titles = {"own answer as own of order 1": own, "right answer as right of order 1": equal}
        tables[OWN][order] = bootstrap.rates(titles)
    return tables


def after_now(replies: Sequence[Item], bootstrap: Bootstrap) -> dict[str, Table]:
    """Return the table BY_NOW, if there are such questions: by kind, where that of kind `now` is right and is not.

    Both ask about one chain of one story; other questions are left out.
    """
    nows = [reply for reply in replies if reply.asks[:1] == ("now",)]
    known = {(reply.unit, reply.sample, reply.asks[1:]): reply.right for reply in nows}
    table: Table = {}
    for kind, group in by_property(replies, "kind").items():
        pairs = [(reply, known.get((reply.unit, reply.sample, reply.asks[1:]))) for reply in group if kind != "now"]
        if rates := right_by(pairs, bootstrap, "right on now", "wrong on now"):
            table[kind] = rates
    return {BY_NOW: table} if table else {}


def right_by(
    pairs: Sequence[tuple[Item, bool | None]], bootstrap: Bootstrap, if_true: str, if_false: str
) -> dict[str, Rate]:
    """Return how often replies are right where something holds, and where it does not; None counts for neither."""
    titles = {True: if_true, False: if_false}
    right = {titles[side]: [(reply, reply.right) for reply, holds in pairs if holds is side] for side in titles}
    return bootstrap.rates(right, attrgetter("chance"))


def end_counts(replies: Sequence[Item]) -> dict[str, list[list[int]]]:
    """Return the two tables of Figure 5, for the longest stories: [[right, wrong], [right, wrong]].

    The first row counts the questions whose answer is the first (or last) container that the story names, the second
    row all others. There are no tables where no story has a length.
    """
    lengths = by_property(replies, "length")
    tables = {}
    for longest in [max(lengths)] if lengths else []:
        for place, end in enumerate(("first", "last")):
            counts = Counter((reply.ends[place], reply.right) for reply in lengths[longest] if reply.ends)
            halves = [[counts[is_end, right] for right in (True, False)] for is_end in (True, False)]
            tables[f"{end} container, {longest}"] = halves
    return tables
