"""What the Hi-ToM paper shows of its models (He et al., section 4.3, Figures 3 to 6), computed for any model."""

from collections import Counter
from collections.abc import Iterable, Sequence

from .rates import Bootstrap, Rate, Table
from .scored import ScoredReply, by_property

BY_LENGTH, BY_CLAIMS = "joint accuracy by length and order", "joint accuracy by claims and order"
"""Titles of Figures 3 and 4."""
SAME, OWN = "accuracy where the answer is that of order 1", "answers that are those of order 1"
"""Title of Figure 6, and of the same question asked of the model's own answers."""


def analyses(replies: Sequence[ScoredReply], bootstrap: Bootstrap) -> dict[str, Table]:
    """Return the tables of Figures 3, 4 and 6, and how often the model's answers equal its first-order one."""
    tables: dict[str, Table] = {}
    for deception, group in by_property(replies, "deception").items():
        tables[f"{BY_LENGTH}, {deception}"] = {
            length: _joint_by_order(some, bootstrap) for length, some in by_property(group, "length").items()
        }
    claims = {number: _joint_by_order(some, bootstrap) for number, some in by_property(replies, "claims").items()}
    if any(claims.values()):
        tables[BY_CLAIMS] = claims
    # Only a story that has one question of each order has the question of order 1.
    firsts = {reply.item.unit: reply for reply in replies if reply.item.place == 1 and reply.item.needs is not None}
    tables |= {SAME: {}, OWN: {}}
    for order, group in by_property(replies, "order").items():
        pairs = [
            (reply, firsts[reply.item.unit]) for reply in group if reply.item.place > 1 and reply.item.unit in firsts
        ]
        if pairs:
            tables[SAME][order], tables[OWN][order] = _beside_first_order(pairs, bootstrap)
    return tables


def _joint_by_order(replies: Iterable[ScoredReply], bootstrap: Bootstrap) -> dict[str, Rate]:
    """Return the joint accuracy of each order, of the questions for which it is defined."""
    orders = by_property((reply for reply in replies if reply.strict is not None), "order")
    return bootstrap.rates(
        {order: [(reply.item, bool(reply.strict)) for reply in group] for order, group in orders.items()}
    )


def _beside_first_order(
    pairs: Sequence[tuple[ScoredReply, ScoredReply]], bootstrap: Bootstrap
) -> tuple[dict[str, Rate], dict[str, Rate]]:
    """Compare the replies of an order with those of order 1 in the same story.

    Returns the accuracy where the right answers are equal and where they differ; and how often the answers are equal,
    those of the model (where both are read) and the right ones.
    """
    equal = [(reply, _right_choice(reply) == _right_choice(first)) for reply, first in pairs]
    same = {
        title: [(reply.item, reply.right) for reply, is_equal in equal if is_equal is kind]
        for title, kind in (("answer as of order 1", True), ("another answer", False))
    }
    own = {
        "own answer as own of order 1": [
            (reply.item, reply.chosen == first.chosen) for reply, first in pairs if reply.chosen and first.chosen
        ],
        "right answer as right of order 1": [(reply.item, is_equal) for reply, is_equal in equal],
    }
    return bootstrap.rates(same), bootstrap.rates(own)


def _right_choice(reply: ScoredReply) -> str:
    """Return the choice that would have been right."""
    return reply.item.choices[reply.item.answer]


def end_counts(replies: Sequence[ScoredReply]) -> dict[str, list[list[int]]]:
    """Return the two tables of Figure 5, for the longest stories: [[right, wrong], [right, wrong]].

    The first row counts the questions whose answer is the first (or last) container that the story names, the second
    row all others. There are no tables where no story has a length.
    """
    lengths = [length for reply in replies if (length := reply.item.groups["length"])]
    if not lengths:
        return {}
    longest = max(lengths)
    group = [reply for reply in replies if reply.item.groups["length"] == longest and reply.item.ends]
    tables = {}
    for place, end in enumerate(("first", "last")):
        counts = Counter((reply.item.ends[place], reply.right) for reply in group)
        tables[f"{end} container, {longest}"] = [
            [counts[is_end, right] for right in (True, False)] for is_end in (True, False)
        ]
    return tables
