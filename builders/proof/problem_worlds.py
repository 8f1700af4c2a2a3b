"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""

from itertools import combinations

from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name


def follows(problem: Problem) -> bool | None:
    """Return whether the hypothesis holds in every world that the announcements leave, None where they leave none.

    A world is the set of the atoms that are true in it; at first there are 2^N. Every announcement, true in the worlds
    that it finds, leaves these (van Ditmarsch, van der Hoek and Kooi, Dynamic Epistemic Logic, 2007, chapter 4).
    """
    atoms = range(1, len(problem.sees) + 1)
    sees = {agent_name(index): frozenset(seen) for index, seen in enumerate(problem.sees)}
    worlds = {frozenset(true) for size in range(len(atoms) + 1) for true in combinations(atoms, size)}
    for said in problem.announcements:
        worlds = _where(said, worlds, sees)
    return _where(problem.hypothesis, worlds, sees) == worlds if worlds else None


_Worlds = set[frozenset[int]]


def _where(formula: Formula, worlds: _Worlds, sees: dict[str, frozenset[int]]) -> _Worlds:
    """Return in which of the worlds a formula holds when these worlds are all that there are.

    An agent cannot tell a world from another in which the same of the atoms that it sees are true; it knows what holds
    in every world that it cannot tell from this one.
    """
    match formula:
        case Atom(number):
            return {world for world in worlds if number in world}
        case Not(of):
            return worlds - _where(of, worlds, sees)
        case And(parts):
            return worlds.intersection(*(_where(part, worlds, sees) for part in parts))
        case Or(parts):
            return set().union(*(_where(part, worlds, sees) for part in parts))
        case Knows(agent, of):
            in_doubt = {world & sees[agent] for world in worlds - _where(of, worlds, sees)}
            return {world for world in worlds if world & sees[agent] not in in_doubt}
        case KnowsWhether(agent, of):
            return _where(Knows(agent, of), worlds, sees) | _where(Knows(agent, Not(of)), worlds, sees)
        case _:
            raise TypeError(f"no formula of a problem: {formula!r}")
