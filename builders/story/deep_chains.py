"""Own which chains are deep: none of their smaller selections of agents holds their belief.

A chain is deep if its last k agents, for every k, hold a belief that no smaller selection of these agents holds.
Reality counts as the empty selection.
"""

from builders.story.meaning import Lesson, reached, teaches

SIGHTING, WATCH, CLAIM = "sighting", "watch", "claim"
"""What a lesson can be to a chain that it teaches.

A sighting that all agents of the chain witnessed; a sighting that the first agent watched in secret and the others
witnessed; a claim.
"""


ANY_KIND = (SIGHTING, WATCH, CLAIM)


SWAP_DIFFERS, LAST_SHARED_DIFFERS = "swap differs", "last shared differs"
"""What else can be required of a chain of two agents.

The same two agents in the other order believe something else; the last lesson that reached both agents names another
container.
"""


def kind_of(lesson: Lesson, chain: tuple[int, ...]) -> str:
    """Return what a lesson is to a chain that it teaches: SIGHTING, WATCH or CLAIM."""
    if lesson.speaker >= 0:
        return CLAIM
    return WATCH if chain and not lesson.minds >> chain[0] & 1 else SIGHTING


def deep_chains(
    lessons: list[Lesson], n_agents: int, kinds: list[tuple[str, ...]], pair: str | None
) -> list[tuple[int, ...]]:
    """Return the longest deep chains, of at most len(kinds) agents.

    `kinds[k - 1]`: the kinds of lesson that may teach the last k agents. `pair`: what else holds of the last two
    agents (SWAP_DIFFERS or LAST_SHARED_DIFFERS), or None. This finds at once all chains for which `effective_order`
    is k for the last k agents, for every k: it puts an agent in front only of chains that are deep already.
    """
    latest = lessons[::-1]
    teacher_of: dict[tuple[int, ...], Lesson] = {}

    def find_teacher(chain: tuple[int, ...], others: int) -> Lesson:
        """Compute `meaning.teacher` once for each chain; `others` is the mask of all its agents but the first."""
        lesson = teacher_of.get(chain)
        if lesson is None:
            for lesson in latest:
                if not others & ~lesson.minds and teaches(lesson, chain, "recursive"):
                    break
            teacher_of[chain] = lesson
        return lesson

    # For each deep chain: all its subchains with the masks of their agents, the chain itself last.
    deep: list[list[tuple[tuple[int, ...], int]]] = [[((), 0)]]
    find_teacher((), 0)
    for allowed in kinds:
        longer: list[list[tuple[tuple[int, ...], int]]] = []
        for subchains in deep:
            chain, minds = subchains[-1]
            for agent in range(n_agents):
                if minds >> agent & 1:
                    continue
                candidate = (agent, *chain)
                lesson = find_teacher(candidate, minds)
                container = lesson.container
                if kind_of(lesson, candidate) not in allowed:
                    continue
                if len(chain) == 1 and pair:
                    if pair == SWAP_DIFFERS:
                        other = find_teacher((*chain, agent), 1 << agent)
                    else:
                        other = next(lesson for lesson in latest if not (minds | 1 << agent) & ~reached(lesson))
                    if other.container == container:
                        continue
                for subchain, _ in subchains:
                    if teacher_of[subchain].container == container:
                        break
                else:
                    # No subchain without the new agent has this belief; now those with the new agent.
                    extended = []
                    for subchain, others in subchains:
                        extended.append(((agent, *subchain), others | 1 << agent))
                        if subchain != chain and find_teacher(extended[-1][0], others).container == container:
                            break
                    else:
                        longer.append(subchains + extended)
        if not longer:
            break
        deep = longer
    return [subchains[-1][0] for subchains in deep]
