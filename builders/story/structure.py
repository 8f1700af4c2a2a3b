"""How much of its chain a question needs: all of its agents, and their order."""

from ..syntax.scan import mask
from .meaning import Lesson, teacher
from .subchains import container_of, subchain_sets


def effective_order(believers: dict[int, int], length: int, subchain: int) -> int:
    """Return the length of the shortest part of a subchain, the empty one included, that has the subchain's belief.

    `believers` are the `beliefs` of a chain of `length` agents; `subchain` is a mask of its positions.
    """
    sets = subchain_sets(length)
    agreeing = believers[container_of(believers, subchain)] & sets.within[subchain]
    shortest = 0
    while not agreeing & sets.by_length[shortest]:
        shortest += 1
    return shortest


def order_sensitive(lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> bool:
    """Return whether some permutation of a chain believes something else, without listing all permutations.

    Whether a claim teaches a chain depends on its set of agents and on its last two. Whether a sighting does depends
    on the set, and on the first agent where one of them watched. So one permutation stands for all that share their
    last two agents and, where somebody watched, their first.
    """
    if len(chain) < 2:
        return False
    agents = mask(chain)
    claimed = watched = False
    for lesson in lessons:
        missing = agents & ~lesson.minds
        if lesson.speaker >= 0:
            claimed |= not missing
        else:
            watched |= missing.bit_count() == 1 and bool(missing & lesson.watching)
    if not claimed and not watched:
        return False  # no claim and no watcher's sighting reaches all these agents
    answers = set()
    for last in chain:
        for before in chain:
            if before == last:
                continue
            front = tuple(agent for agent in chain if agent not in (before, last))
            for first in range(max(1, len(front)) if watched else 1):
                lesson = teacher(lessons, (*front[first:], *front[:first], before, last), semantics)
                answers.add(None if lesson is None else lesson.container)
    return len(answers) > 1
