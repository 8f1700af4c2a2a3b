"""Own fast answers for all subchains of one chain at once: which of them a lesson teaches, and what each believes.

A subchain keeps some agents of a chain, in order. It is numbered by the bit mask of the positions that it keeps;
position 0 is the outermost agent. A set of subchains of a chain of n agents is one integer of 2^n bits. So a few bit
operations carry a lesson to all of them. What a lesson teaches one chain is defined in `meaning`.
"""

from dataclasses import dataclass
from functools import cache

from builders.story.meaning import Lesson, no_watchers, unknown_semantics


@dataclass(frozen=True, slots=True)
class SubchainSets:
    """Hold sets of subchains of a chain of n agents, each one integer of 2^n bits: bit m stands for subchain m."""

    within: tuple[int, ...]  # [m]: the subchains that keep only positions in the mask m
    ending: tuple[int, ...]  # [p]: the subchains whose last agent is at position p
    after: tuple[tuple[int, ...], ...]  # [p][q]: the subchains whose last two agents are at positions p and q
    containing: tuple[int, ...]  # [p]: the subchains that keep position p
    by_length: tuple[int, ...]  # [k]: the subchains of k agents


@cache
def subchain_sets(n: int) -> SubchainSets:
    """Return the sets of subchains of a chain of n agents; they are computed once for each n."""
    within = [1]
    ending, containing = [0] * n, [0] * n
    after = [[0] * n for _ in range(n)]
    by_length = [1] + [0] * n
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
        by_length[subchain.bit_count()] |= bit
    return SubchainSets(tuple(within), tuple(ending), tuple(map(tuple, after)), tuple(containing), tuple(by_length))


def taught_subchains(lesson: Lesson, chain: tuple[int, ...], semantics: str) -> int:
    """Compute `teaches` for all subchains of a chain at once; return the set of subchains that the lesson teaches.

    The set is an integer of 2^len(chain) bits. Raises ValueError where `teaches` does.
    """
    sets = subchain_sets(len(chain))
    minds, watching = lesson.minds, lesson.watching
    if watching and semantics == "published":
        raise no_watchers(semantics)
    positions = 0
    for position, agent in enumerate(chain):
        if minds >> agent & 1:
            positions |= 1 << position
    reached = sets.within[positions]
    if lesson.speaker >= 0:
        return reached & _convinced_subchains(lesson, chain, semantics, sets)
    if watching & ~minds:
        for position, agent in enumerate(chain):
            if (watching & ~minds) >> agent & 1:  # a subchain of this watcher and then only witnesses
                reached |= sets.within[positions >> position << position] << (1 << position)
    return reached


def _convinced_subchains(lesson: Lesson, chain: tuple[int, ...], semantics: str, sets: SubchainSets) -> int:
    """Return the set of subchains whose last agent a claim convinces in the eyes of the others, whoever hears it."""
    trusting, speaker = lesson.trusting, lesson.speaker
    convinced = with_speaker = 0
    for position, agent in enumerate(chain):
        if agent == speaker:
            with_speaker = sets.containing[position]
            for before in range(position):
                if trusting >> chain[before] & 1:
                    convinced |= sets.after[before][position]
            for hearer in range(position + 1, len(chain)):
                convinced |= sets.after[position][hearer]
        elif trusting >> agent & 1:
            convinced |= sets.ending[position]
    doubting = lesson.watching & trusting
    if doubting:
        speaker_position = chain.index(speaker) if speaker in chain else None
        for position, agent in enumerate(chain):
            if doubting >> agent & 1:  # the subchain of this watcher alone, and that of watcher and speaker
                convinced &= ~(1 << (1 << position))
                if speaker_position is not None and position < speaker_position:
                    convinced &= ~(1 << (1 << position | 1 << speaker_position))
    match semantics:
        case "recursive":
            return convinced
        case "published":
            # A chain of one agent, who trusts, or of two, one of whom is the speaker.
            return convinced & (sets.by_length[1] | sets.by_length[2] & with_speaker if len(chain) > 1 else -1)
        case _:
            raise unknown_semantics(semantics)


def beliefs(lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> dict[int, int]:
    """Compute `belief` for all subchains of a chain at once: map each container to the set of those who believe in it.

    Containers in which no subchain believes are left out, and so are subchains that nothing teaches.
    """
    believers: dict[int, int] = {}
    untaught = (1 << (1 << len(chain))) - 1
    for lesson in reversed(lessons):
        new = taught_subchains(lesson, chain, semantics) & untaught
        if new:
            believers[lesson.container] = believers.get(lesson.container, 0) | new
            untaught ^= new
            if not untaught:
                break
    return believers


def container_of(believers: dict[int, int], subchain: int) -> int | None:
    """Return the container in which a subchain believes, or None; `believers` is what `beliefs` returns."""
    for container, subchains in believers.items():
        if subchains >> subchain & 1:
            return container
    return None
