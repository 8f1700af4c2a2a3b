"""Fast answers for all subchains of one chain at once: which of them a lesson teaches, and what each believes.

A subchain keeps some agents of a chain, in order. It is numbered by the bit mask of the positions that it keeps;
position 0 is the outermost agent. A set of subchains of a chain of n agents is one integer of 2^n bits. So a few bit
operations carry a lesson to all of them. What a lesson teaches one chain is defined in `meaning`.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

from .meaning import SEMANTICS, Lesson, no_watchers, unknown_semantics


@dataclass(frozen=True, slots=True)
class SubchainSets:
    """Hold sets of subchains of a chain of n agents, each one integer of 2^n bits: bit m stands for subchain m."""

    within: tuple[int, ...]  # [m]: the subchains that keep only positions in the mask m
    ending: tuple[int, ...]  # [p]: the subchains whose last agent is at position p
    after: tuple[tuple[int, ...], ...]  # [p][q]: the subchains whose last two agents are at positions p and q
    containing: tuple[int, ...]  # [p]: the subchains that keep position p


@cache
def subchain_sets(n: int) -> SubchainSets:
    """Return the sets of subchains of a chain of n agents; they are computed once for each n."""
    within = [1]
    ending, containing = [0] * n, [0] * n
    after = [[0] * n for _ in range(n)]
    for subchain in range(1, 1 << n):
        bit = 1 << subchain
        last = subchain.bit_length() - 1
        rest = subchain ^ 1 << last
        within.append(within[rest] | within[rest] << (1 << last))
        ending[last] |= bit
        if rest:
            after[rest.bit_length() - 1][last] |= bit
        for position in range(n):
            containing[position] |= bit if subchain >> position & 1 else 0
    return SubchainSets(tuple(within), tuple(ending), tuple(map(tuple, after)), tuple(containing))


def positions(agents: int, chain: tuple[int, ...]) -> int:
    """Return the mask of the positions in a chain of some agents, a mask too."""
    bits = 0
    for position, agent in enumerate(chain):
        bits |= (agents >> agent & 1) << position
    return bits


def tails(n: int) -> list[int]:
    """Return the subchains that keep the last k of n agents, for each k from 0."""
    return [(1 << n) - (1 << n - k) for k in range(n + 1)]


def taught_subchains(lesson: Lesson, chain: tuple[int, ...], semantics: str) -> int:
    """Compute `teaches` for all subchains of a chain at once; return the set of subchains that the lesson teaches.

    The set is an integer of 2^len(chain) bits. Raises ValueError where `teaches` does.
    """
    minds, watching = positions(lesson.minds, chain), positions(lesson.watching, chain)
    if lesson.watching and semantics == "published":
        raise no_watchers(semantics)
    if lesson.speaker < 0:
        return seen_subchains(len(chain), minds, watching)
    speaker = chain.index(lesson.speaker) if lesson.speaker in chain else -1
    return convinced_subchains(len(chain), minds, speaker, positions(lesson.trusting, chain), watching, semantics)


@lru_cache(maxsize=1 << 14)
def seen_subchains(n: int, minds: int, watching: int) -> int:
    """Return the set of subchains that a sighting teaches, given the masks of positions of witnesses and watchers."""
    sets = subchain_sets(n)
    taught = sets.within[minds]
    for position in range(n):
        if (watching & ~minds) >> position & 1:  # a subchain of this watcher and then only witnesses
            taught |= sets.within[minds >> position << position] << (1 << position)
    return taught


@lru_cache(maxsize=1 << 14)
def convinced_subchains(n: int, minds: int, speaker: int, trusting: int, watching: int, semantics: str) -> int:
    """Return the set of subchains that a claim teaches.

    minds, trusting, watching: masks of the positions of those who heard or made the claim, who trust its speaker, and
    who watch. speaker: the position of the speaker, or -1 where the chain is without him.
    """
    if semantics not in SEMANTICS:
        raise unknown_semantics(semantics)
    sets = subchain_sets(n)
    convinced = 0
    for position in range(n):
        if position == speaker:
            for before in range(position):
                if trusting >> before & 1:
                    convinced |= sets.after[before][position]
            for hearer in range(position + 1, n):
                convinced |= sets.after[position][hearer]
        elif trusting >> position & 1:
            convinced |= sets.ending[position]
    for position in range(n):
        if (watching & trusting) >> position & 1:  # the subchain of this watcher alone, and that of watcher and speaker
            convinced &= ~(1 << (1 << position))
            if position < speaker:
                convinced &= ~(1 << (1 << position | 1 << speaker))
    convinced &= sets.within[minds]
    if semantics == "published":
        # A chain of one agent, who trusts, or of two, one of whom is the speaker.
        with_speaker = 1 << speaker if speaker >= 0 else 0
        convinced &= sum({1 << kept for position in range(n) for kept in (1 << position, 1 << position | with_speaker)})
    return convinced


def beliefs(lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> list[int | None]:
    """Compute `belief` for all subchains of a chain at once; return the container of each, None where nothing teaches.

    The subchains of the last k agents are those at multiples of 2^(len(chain) - k).
    """
    held: list[int | None] = [None] * (1 << len(chain))
    untaught = list(range(len(held)))
    for lesson in reversed(lessons):
        if not untaught:
            break
        taught = taught_subchains(lesson, chain, semantics)
        for subchain in untaught:
            if taught >> subchain & 1:
                held[subchain] = lesson.container
        untaught = [subchain for subchain in untaught if not taught >> subchain & 1]
    return held
