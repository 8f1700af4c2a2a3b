"""The constraints of the questions of deep stories, and in which shares the stories of a split have them.

A question is constrained in what teaches its answer and in which chapter, in how many secret minds in a row stand in
its chain there, and in which wrong rules (`failing`) fail on it.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple, TypeVar

from ..streams import Stream
from .candidates import ANYTHING, CLAIM, MISTAKE, OPEN, OWN, SECRET, THOUGHT, TRUST, May, TargetLine
from .failing import FORGETFUL_FAILS, LAZY_FAILS, lazy_rules
from .features import LazyRule

# What may teach a question, in these shares among sightings, and among claims.
#
# Who takes claims about thoughts for plain claims, or skips them, is wrong on these alone: so they are many. At order 2
# too many secret sightings would make "the last of these, else the last claim" a good rule. A story with one
# question, as those of the ladder, has no other order that adds to them.
SHARES = {OPEN: 1, SECRET: 2, CLAIM: 1, THOUGHT: 5}
SHARES_OF_ORDER_2, SHARES_ALONE = {SECRET: 1, THOUGHT: 6}, {THOUGHT: 6}
# Stories taught by claims alone, by sightings alone, and by each mixture; the first two of stories with one question.
#
# Claims are more, as what a sighting teaches depends on fewer things.
MIXTURES, ALONE = (7, 4, 2, 3, 2), (3, 2)
LATER = 75  # in how many stories of a hundred the first chapter teaches no question
HOMES = 20  # how often chapters are drawn for what teaches a story's questions, until sightings can
# On how many questions of a hundred each link of a chain is to count: the rule of who does not look at it fails there.
LINK_FAILS = 65
# On how many questions of a hundred a link, or the order, is to count among lines like the one that teaches it.
ALIKE = 70
# How many secret minds are next to one another in a chain, in turn; up to order 3 the first ones, as many as agents of
# whom the line is not to tell what they think.
#
# Under the interpretation UNKNOWN there is never more than one pair.
PAIRS = {OPEN: (0,), SECRET: (0, 1, 1, 1, 1, 1), CLAIM: (1, 0, 1, 1), THOUGHT: (1, 0, 1, 0, 1)}
# How a claim convinces, in turn, by how many agents of the chain are there openly: none, one, or more.
HOW = ((TRUST,), (TRUST, OWN), (MISTAKE, TRUST, MISTAKE, OWN, MISTAKE))
SHALLOW, SHALLOW_ALONE = 12, 8  # in how many questions of a hundred a subchain has the same answer

Feature = TypeVar("Feature")


class Constraint(NamedTuple):
    """Say what a question is to be like."""

    target: TargetLine  # what teaches its answer
    wrong: tuple[str, ...]  # names in FORGETFUL of rules that must give another answer
    lazy: tuple[LazyRule, ...]  # rules of a few features that must
    alike: bool  # whether links and the order are to count among sightings, or among claims, as one of them teaches it
    shallow: bool  # whether a subchain may have the same answer


class DeepTarget(NamedTuple):
    """Say what a deep story must be like."""

    n_chapters: int
    constraints: tuple[Constraint | None, ...]  # of each order from 1; None for one that is not asked


def plan_deep(
    stream: Stream, n_stories: int, lengths: Sequence[int], order: int, may: May = ANYTHING, alone: bool = False
) -> list[DeepTarget]:
    """Draw the targets of all deep stories of a split, whose questions have the orders from 1 to the highest.

    lengths: how many chapters stories have, in equal shares. alone: a story has one question, that of the highest
    order, and lower orders have no constraint.
    """
    turns = stream.shuffled(range(n_stories))
    orders = [order] if alone else [*range(order, 0, -1)]
    mixtures, later = stream.shuffled(range(n_stories)), _dealt(stream, n_stories, {"later": LATER})
    wrong = {k: _dealt(stream, n_stories, FORGETFUL_FAILS if k > 1 else {}) for k in orders}
    lazy = {k: _dealt(stream, n_stories, dict.fromkeys(lazy_rules(k), LAZY_FAILS)) for k in orders}
    links = {k: _dealt(stream, n_stories, dict.fromkeys(range(k - 1), LINK_FAILS)) for k in orders}
    shallow = SHALLOW_ALONE if alone else SHALLOW
    others = {k: _dealt(stream, n_stories, {"alike": ALIKE, "shallow": shallow}) for k in orders}
    counts = {k: dict.fromkeys(SHARES, 0) for k in orders}
    mixed, planned = _mixtures(len(orders)), []
    for number, turn in enumerate(turns):
        length = lengths[turn % len(lengths)]
        constraints: list[Constraint | None] = [None] * order
        seen = mixed[mixtures[number] % len(mixed)]
        plan = _homes(stream, seen, length, bool(later[number]))
        for place, (k, (_, home)) in enumerate(zip(orders, plan, strict=True)):
            before = constraints[k] if place else None
            kinds = _kinds(plan[place:], k, length, before and before.target, may)
            shares = SHARES | (SHARES_OF_ORDER_2 if k == 2 else {}) | (SHARES_ALONE if alone else {})
            kind = min(kinds, key=lambda kind: counts[k][kind] / shares[kind])
            target = _target_line(kind, counts[k][kind], k, may)._replace(links=links[k][number], home=home)
            counts[k][kind] += 1
            # Whom somebody noticed cannot be unnoticed in this chapter, and who watches to the end knows where it is.
            if (True, home) in plan[place + 1 :] or home == length - 1 and target.pairs == k - 1:
                target = target._replace(pairs=0)
            flags = {name: name in others[k][number] for name in ("alike", "shallow")}
            constraints[k - 1] = Constraint(target, wrong[k][number], lazy[k][number], **flags)
        planned.append(DeepTarget(length, tuple(constraints)))
    return planned


def _mixtures(n: int) -> list[tuple[bool, ...]]:
    """Return in which ways a sighting or a claim may teach each of n questions, the longest first."""
    first, others = (True, *[False] * (n - 1)), (False, *[True] * (n - 1))
    ways = [(False,) * n, (True,) * n, first, others, others[::-1]]
    return [way for way, times in zip(ways, ALONE if n == 1 else MIXTURES, strict=False) for _ in range(times)]


def _homes(stream: Stream, seen: tuple[bool, ...], n_chapters: int, later: bool) -> list[tuple[bool, int]]:
    """Draw for each question, the longest first, whether a sighting teaches it, and in which chapter.

    seen: whether a sighting is to. What teaches a chain mostly teaches its last agents too, so a longer chain is taught
    earlier. A chapter teaches at most two questions by sightings, before it teaches others by claims. Where claims
    are to teach order 2, or the only question, all that claims teach is in one chapter, which is not the first.
    """
    for turn in range(HOMES):
        first = int(later and turn < HOMES // 2)
        homes = sorted(first + stream.below(n_chapters - first) for _ in seen)
        if not seen[-2:][0]:  # at order 2 a sighting of a later chapter must not tell that no claim teaches
            claimed = max(1, *stream.draw(homes[seen.index(False) : len(seen) - 1 or 1], 1))
            homes = [home if is_seen else claimed for is_seen, home in zip(seen, homes, strict=True)]
        plan: list[tuple[bool, int]] = []
        for is_seen, home in zip(seen, homes, strict=True):
            plan.append((is_seen and (False, home) not in plan and plan.count((True, home)) < 2, home))
        if [is_seen for is_seen, _ in plan] == [*seen]:
            break
    return plan


def _kinds(
    plan: Sequence[tuple[bool, int]], order: int, n_chapters: int, before: TargetLine | None, may: May
) -> tuple[str, ...]:
    """Return what may teach a question, given the plan from it on, and what teaches the question before it."""
    is_seen, home = plan[0]
    last = home == n_chapters - 1
    if is_seen and before and (before.home, before.teacher) == (home, SECRET):
        # Who watches goes on watching those inside, so that another must watch; one who is asked about alone must not.
        return (CLAIM,) if order == 1 and last else (SECRET,)
    if is_seen:
        return (OPEN,) if order == 1 and last else (OPEN, SECRET)
    # With the last agent inside in a later chapter, the interpretation VISIT supposes his thoughts anew.
    tells = order > 1 and may.thoughts and not any(is_seen for is_seen, _ in plan)
    return (CLAIM, THOUGHT) if tells else (CLAIM,)


def _target_line(teacher: str, turn: int, order: int, may: May) -> TargetLine:
    """Return the target line of a kind that comes at a turn: all that can be, in turn."""
    in_turn = PAIRS[teacher][: order - (teacher == THOUGHT) if order < 4 else None]
    turn, place = divmod(turn, len(in_turn))
    pairs = int(min(in_turn[place], order - 1 - (teacher == THOUGHT), may.links))
    pairs = pairs if may.overhearing or teacher == SECRET else 0
    n_open = order - (pairs + 1 if pairs else 0)  # who are not in secret, a speaker among them
    content = 1 + (turn % 4 == 3 and n_open > 2) if teacher == THOUGHT else 0
    n_open -= content
    hows = HOW[max(0, min(2, n_open))] if order - content > 1 else HOW[0]
    how = hows[turn % len(hows)]
    return TargetLine(teacher, pairs, how, content)


def _dealt(stream: Stream, n_stories: int, shares: Mapping[Feature, int]) -> list[tuple[Feature, ...]]:
    """Return for each story those of some things that it has, each on its share of a hundred stories."""
    dealt = [stream.shuffled(number * share % 100 < share for number in range(n_stories)) for share in shares.values()]
    return [tuple(compress(shares, has)) for has in zip(*dealt, strict=True)] if dealt else [()] * n_stories
