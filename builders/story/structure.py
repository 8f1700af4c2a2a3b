"""Own the meaning of Hi-ToM stories: which events teach which chains of minds, and so who believes what.

A *chain* (A1, …, An) asks what A1 thinks that A2 thinks … that An thinks; the empty chain is reality. Its belief
is the container of the last event about the thing that teaches it. Seen from one thing, a story is a list of
*lessons*: what was seen by whom, what was claimed by whom to whom. A *watcher* sees what happens in a chapter's room
from outside, and nobody knows it but he himself: so it matters only to chains of which he is the first.

Sets of agents are bit masks. The subchains of a chain of n agents are numbered by the mask of the positions
kept (position 0 is the outermost agent), and a set of subchains is one integer of 2^n bits, so that one lesson
is carried to all of them by a few bit operations. `order_sensitive` looks at (set, last two), and at the first where
somebody watched, instead of listing permutations.
"""

from builders.story.meaning import Lesson, mask, teacher
from builders.story.subchains import container_of, subchains


def effective_order(held: dict[int, int], length: int, subchain: int) -> int:
    """Return the length of the shortest subchain (the empty one too) that believes as `subchain` does.

    `held` are the `beliefs` of a chain of `length` agents; `subchain` is a mask of its positions.
    """
    sets = subchains(length)
    same = held[container_of(held, subchain)] & sets.within[subchain]
    shortest = 0
    while not same & sets.of_length[shortest]:
        shortest += 1
    return shortest


def order_sensitive(taught: list[Lesson], chain: tuple[int, ...], semantics: str) -> bool:
    """Return whether some permutation of the chain believes something else.

    A sighting looks only at the set of agents, and at the first where he watched; a claim at the set and the last two
    (all others, the speaker too, come earlier; that a watcher doubts it matters where he is one of the two). So one
    permutation stands for all that end in the same two agents, and begin with the same one where one of them watched.
    """
    if len(chain) < 2:
        return False
    whole = mask(chain)
    claimed = watched = False
    for lesson in taught:
        missing = whole & ~lesson.minds
        if lesson.speaker >= 0:
            claimed |= not missing
        else:
            watched |= missing.bit_count() == 1 and bool(missing & lesson.watching)
    if not claimed and not watched:
        return False  # no claim and no watcher reaches these agents
    found = set()
    for last in chain:
        for before in chain:
            if before == last:
                continue
            front = tuple(agent for agent in chain if agent not in (before, last))
            for turn in range(max(1, len(front)) if watched else 1):
                lesson = teacher(taught, (*front[turn:], *front[:turn], before, last), semantics)
                found.add(None if lesson is None else lesson.container)
    return len(found) > 1
