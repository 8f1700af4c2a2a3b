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

from dataclasses import dataclass
from functools import cache

from builders.story.meaning import Lesson, no_watchers, unknown


@dataclass(frozen=True, slots=True)
class Subchains:
    """Hold sets of subchains of a chain of n agents, each one integer of 2^n bits (bit m: the positions in mask m)."""

    within: tuple[int, ...]  # of mask m: the subchains that keep positions of m only
    ending: tuple[int, ...]  # of position p: the subchains whose last agent is at p
    after: tuple[tuple[int, ...], ...]  # [p][q]: the subchains whose last agent is at q, the one before him at p
    containing: tuple[int, ...]  # of position p: the subchains that keep p
    of_length: tuple[int, ...]  # of k: the subchains of k agents


@cache
def subchains(n: int) -> Subchains:
    """Return the sets of subchains of a chain of n agents, made once for each n."""
    within = [1]
    ending, containing = [0] * n, [0] * n
    after = [[0] * n for _ in range(n)]
    of_length = [1] + [0] * n
    for kept in range(1, 1 << n):
        this = 1 << kept
        last = kept.bit_length() - 1
        rest = kept ^ 1 << last
        within.append(within[rest] | within[rest] << (1 << last))
        ending[last] |= this
        if rest:
            after[rest.bit_length() - 1][last] |= this
        for position in range(n):
            containing[position] |= this if kept >> position & 1 else 0
        of_length[kept.bit_count()] |= this
    return Subchains(tuple(within), tuple(ending), tuple(map(tuple, after)), tuple(containing), tuple(of_length))


def taught_by(lesson: Lesson, chain: tuple[int, ...], semantics: str) -> int:
    """Return the set of subchains of `chain` that the lesson `teaches`, as an integer of 2^len(chain) bits."""
    sets = subchains(len(chain))
    minds, trusting, speaker, watching = lesson.minds, lesson.trusting, lesson.speaker, lesson.watching
    if watching and semantics == "published":
        raise no_watchers(semantics)
    kept = 0
    for position, agent in enumerate(chain):
        if minds >> agent & 1:
            kept |= 1 << position
    reached = sets.within[kept]
    if speaker < 0:
        if watching & ~minds:
            for position, agent in enumerate(chain):
                if (watching & ~minds) >> agent & 1:  # this one first, and then witnesses
                    reached |= sets.within[kept >> position << position] << (1 << position)
        return reached
    convinced = said = 0
    for position, agent in enumerate(chain):
        if agent == speaker:
            said = sets.containing[position]
            convinced |= said & ~sets.ending[position]
            for before in range(position):
                if trusting >> chain[before] & 1:
                    convinced |= sets.after[before][position]
        elif trusting >> agent & 1:
            convinced |= sets.ending[position]
    if watching & trusting:
        told = chain.index(speaker) if speaker in chain else None
        for position, agent in enumerate(chain):
            if (watching & trusting) >> agent & 1:  # alone, and with the speaker alone
                convinced &= ~(1 << (1 << position))
                if told is not None and position < told:
                    convinced &= ~(1 << (1 << position | 1 << told))
    match semantics:
        case "recursive":
            return reached & convinced
        case "published":
            # Of two agents one must be the speaker; of one, he must trust.
            return reached & convinced & (sets.of_length[1] | sets.of_length[2] & said if len(chain) > 1 else -1)
        case _:
            raise unknown(semantics)


def beliefs(taught: list[Lesson], chain: tuple[int, ...], semantics: str) -> dict[int, int]:
    """Return, for each container believed in by some subchain of `chain`, the set of those subchains.

    Subchains that nothing teaches are in none of the sets. The latest lesson wins.
    """
    held: dict[int, int] = {}
    open_ = (1 << (1 << len(chain))) - 1
    for lesson in reversed(taught):
        new = taught_by(lesson, chain, semantics) & open_
        if new:
            held[lesson.container] = held.get(lesson.container, 0) | new
            open_ ^= new
            if not open_:
                break
    return held


def container_of(held: dict[int, int], subchain: int) -> int | None:
    """Return the container that `beliefs` found for one subchain (a mask of positions), or None."""
    for container, which in held.items():
        if which >> subchain & 1:
            return container
    return None
