"""Which containers of a draft become one container of the story, by graph colouring.

The vertices are the containers of a draft, the colours those of the story. An edge joins two containers that must
differ: those of a move, and those of a belief and of the beliefs that it must not equal.
"""

from ..streams import Stream
from ..syntax.events import Move, Place, Story, Tell
from .meaning import lessons_about, teacher


def colour_containers(
    stream: Stream, draft: Story, chain: tuple[int, ...], shallow: tuple[int, ...], n_colours: int
) -> list[int] | None:
    """Draw a colour for each container of a draft, 0 for the first place; return None where the colours run out.

    A move is to another container. The belief of the last k agents of the chain differs from those of all their
    subchains; for k in `shallow`, it equals one of them where that can be.
    """
    size = 1 + max(event.container for event in draft.events if isinstance(event, Place | Move | Tell))
    conflicts = _move_conflicts(draft, size)
    group_of = list(range(size))  # containers in one group get one colour
    for answer, lower in _add_belief_conflicts(conflicts, draft, chain, shallow):
        group_of = _merged(stream, conflicts, group_of, answer, lower)
    colour_of: dict[int, int] = {group_of[0]: 0}
    for container in range(size):
        group = group_of[container]
        if group not in colour_of:
            members = [member for member in range(size) if group_of[member] == group]
            taken = {colour_of.get(group_of[other]) for member in members for other in conflicts[member]}
            free = [colour for colour in range(n_colours) if colour not in taken]
            if not free:
                return None
            colour_of[group] = free[stream.below(len(free))]
    return [colour_of[group] for group in group_of]


def _move_conflicts(draft: Story, size: int) -> list[set[int]]:
    """Return for each container those from which and to which the thing is moved."""
    conflicts: list[set[int]] = [set() for _ in range(size)]
    place = 0
    for event in draft.events:
        if isinstance(event, Move):
            conflicts[place].add(event.container)
            conflicts[event.container].add(place)
            place = event.container
    return conflicts


def _add_belief_conflicts(
    conflicts: list[set[int]], draft: Story, chain: tuple[int, ...], shallow: tuple[int, ...]
) -> list[tuple[int, set[int]]]:
    """Add the conflicts between the belief of the last k agents of a chain and those of their subchains, for each k.

    Returns, for each k in `shallow`, the belief and those of the subchains, one of which it is to equal.
    """
    lessons = lessons_about(draft, 0)
    beliefs = {(): teacher(lessons, (), "recursive").container}
    to_merge = []
    for order in range(1, len(chain) + 1):
        tail = chain[len(chain) - order :]
        for subchain in list(beliefs):
            longer = (tail[0], *subchain)
            beliefs[longer] = teacher(lessons, longer, "recursive").container
        answer = beliefs[tail]
        lower = {container for subchain, container in beliefs.items() if subchain != tail}
        if order in shallow:
            to_merge.append((answer, lower))
        elif answer not in lower:
            for container in lower:
                conflicts[answer].add(container)
                conflicts[container].add(answer)
    return to_merge


def _merged(stream: Stream, conflicts: list[set[int]], group_of: list[int], answer: int, lower: set[int]) -> list[int]:
    """Return the groups with that of an answer and that of one of the lower containers made one, where that can be."""
    for container in stream.shuffled(sorted(lower)):
        ours, theirs = group_of[answer], group_of[container]
        members = [member for member, group in enumerate(group_of) if group == ours]
        others = [member for member, group in enumerate(group_of) if group == theirs]
        if not any(conflicts[member].intersection(others) for member in members):
            return [ours if group == theirs else group for group in group_of]
    return group_of
