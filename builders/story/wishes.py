"""What the questions of deep stories wish for, and in which shares the stories of a split have it.

A question wishes for what teaches its answer, for how many secret minds in a row stand in its chain there, and that
wrong rules (`shortcuts`) fail on it.
"""

from typing import NamedTuple

from ..streams import Stream
from .drafts import ANYTHING, CLAIM, MISTAKE, OPEN, OWN, SECRET, THOUGHT, TRUST, Lesson, May

TEACHERS = {
    1: (OPEN, SECRET, SECRET, CLAIM),
    2: (*[OPEN] * 4, *[SECRET] * 7, *[THOUGHT] * 6),
    3: (*[OPEN] * 3, *[SECRET] * 7, CLAIM, *[THOUGHT] * 5),
}
"""What may teach a question of each order, in equal shares; of the orders that are not here TEACHERS_ABOVE."""
TEACHERS_ABOVE = (*[OPEN] * 2, *[SECRET] * 7, CLAIM, *[THOUGHT] * 5)
"""Claims about thoughts are a third: who takes them for plain claims, or skips them, is wrong on these alone."""
TEACHERS_ALONE = (OPEN, *[SECRET] * 4, CLAIM, *[THOUGHT] * 4)
"""The same, from order 2, where a story has one question."""
FAILS = {
    "rule of version 2": 60, "order ignored": 50, "trust ignored": 85, "watching trusts": 15,
    "others' watching ignored": 10, "watchers unnoticed": 15, "one level deep": 35, "one order lower": 70,
    "hearing ignored": 70,
    "reality": 80,
}  # fmt: skip
"""On how many questions of a hundred each wrong rule is made to fail; on the others chance decides."""
LINK_FAILS = 55
"""The same for each link of a chain, and the rule of who does not look at it."""
PAIRS = {OPEN: (0,), SECRET: (0, 1, 1, 1), CLAIM: (0, 1), THOUGHT: (0, 1, 1, 1)}
"""How many secret minds are next to one another in a chain, in turn: under the reading UNKNOWN never more than one."""
SHALLOW = 5
"""In one question of this many, the answer is also that of a subchain."""
LATER = 40
"""In this many questions of a hundred a later chapter than the first teaches the answer."""


class Wish(NamedTuple):
    """Say what a question is to be like."""

    lesson: Lesson  # what teaches its answer
    wrong: tuple[str, ...]  # names in FORGETFUL of rules that must give another answer
    shallow: bool  # whether a subchain may have the same answer
    later: bool  # whether a later chapter is to teach it


def plan_wishes(
    stream: Stream, n_stories: int, order: int, may: May = ANYTHING, alone: bool = False
) -> list[tuple[Wish, ...]]:
    """Draw the wishes of all stories of a split, one for each order from 1, in the shares that stand above.

    alone: a story has one question, which gets what it wishes for. The questions of one story contend: more of them
    must wish for what fewer get.
    """
    by_order = []
    for k in range(1, order + 1):
        teachers = TEACHERS_ALONE if alone and k > 1 else TEACHERS.get(k, TEACHERS_ABOVE)
        dealt = stream.shuffled(range(n_stories))
        wrong = {name: _dealt(stream, n_stories, share) for name, share in FAILS.items()} if k > 1 else {}
        links = [_dealt(stream, n_stories, LINK_FAILS) for _ in range(k - 1)]
        shallow, later = _dealt(stream, n_stories, 100 // SHALLOW), _dealt(stream, n_stories, LATER)
        wishes = []
        for number in range(n_stories):
            turn, teacher = divmod(dealt[number], len(teachers))
            looked_at = tuple(link for link, is_wished in enumerate(links) if is_wished[number])
            lesson = _lesson(teachers[teacher], turn, k, may)._replace(links=looked_at)
            failing = tuple(name for name, is_wished in wrong.items() if is_wished[number])
            wishes.append(Wish(lesson, failing, shallow[number], later[number]))
        by_order.append(wishes)
    return list(zip(*by_order, strict=True))


def _lesson(teacher: str, turn: int, order: int, may: May) -> Lesson:
    """Return the lesson of a kind that comes at a turn: all that can be, in turn."""
    if teacher == THOUGHT and not may.thoughts:
        teacher = CLAIM
    turn, pairs = divmod(turn, min(len(PAIRS[teacher]), max(1, order - (teacher == THOUGHT))))
    pairs = min(PAIRS[teacher][pairs], order if may.links is None else may.links)
    pairs = pairs if may.overhearing or teacher == SECRET else 0
    n_open = order - (pairs + 1 if pairs else 0)  # who are not in secret, a speaker among them
    content = 1 + turn % 2 if teacher == THOUGHT and n_open > 2 else int(teacher == THOUGHT)
    n_open -= content
    how = (TRUST, OWN, MISTAKE)[turn // 2 % (1 + max(0, min(2, n_open)))] if order - content > 1 else TRUST
    return Lesson(teacher, pairs, how, content)


def _dealt(stream: Stream, n_stories: int, share: int) -> list[bool]:
    """Return for each story whether it is among a share of a hundred."""
    return stream.shuffled(number * share % 100 < share for number in range(n_stories))
