"""The second meaning of MindGames problems: explicit sets of worlds, from which announcements strike worlds out.

`tom_datasets.logic.s5` packs a set of worlds into one integer. Here a world is the set of its true atoms, and a set of
worlds is a Python set. The two share no code beyond the syntax.
"""

from functools import lru_cache
from itertools import combinations

from ..syntax.formula import (
    And,
    Atom,
    Common,
    Distributed,
    Formula,
    Knows,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    agent_name,
)

Worlds = set[frozenset[int]]  # worlds, each the set of the atoms that are true in it


Observed = dict[str, frozenset[int]]  # the atoms that each agent observes


def follows(problem: Problem) -> bool | None:
    """Return whether the hypothesis holds in every world that the announcements leave, None where they leave none."""
    worlds, observed = updates(problem)[-1]
    return worlds_where(problem.hypothesis, worlds, observed) == worlds if worlds else None


def updates(problem: Problem) -> list[tuple[Worlds, Observed]]:
    """Return the worlds at first, then those that each announcement leaves, with what each agent then observes.

    The problems of a premise share the result, so do not change it.

    N atoms have 2^N worlds at first. An announcement leaves those worlds in which it is true when it is made
    (van Ditmarsch, van der Hoek and Kooi, Dynamic Epistemic Logic, 2007, chapter 4). A showing leaves all worlds, and
    from then on its viewer observes one atom more.
    """
    return _updates(problem.sees, problem.announcements)


@lru_cache(maxsize=256)
def _updates(
    sees: tuple[tuple[int, ...], ...], announcements: tuple[Formula | Shown, ...]
) -> list[tuple[Worlds, Observed]]:
    if not announcements:
        atoms = range(1, len(sees) + 1)
        worlds = {frozenset(true) for size in range(len(atoms) + 1) for true in combinations(atoms, size)}
        return [(worlds, {agent_name(index): frozenset(atoms_seen) for index, atoms_seen in enumerate(sees)})]
    *before, update = announcements
    found = _updates(sees, tuple(before))
    worlds, observed = found[-1]
    if isinstance(update, Shown):
        observed = {**observed, update.agent: observed[update.agent] | {update.atom}}
    else:
        worlds = worlds_where(update, worlds, observed)
    return [*found, (worlds, observed)]


def worlds_where(formula: Formula, worlds: Worlds, observed: Observed) -> Worlds:
    """Return the worlds in which a formula holds, where `worlds` are all worlds that there are.

    observed: the atoms that each agent observes. An agent cannot tell apart two worlds in which the same of these are
    true. It knows what holds in every world that it cannot tell from this one.
    """
    match formula:
        case Atom(number):
            return {world for world in worlds if number in world}
        case Not(negated):
            return worlds - worlds_where(negated, worlds, observed)
        case And(parts):
            return worlds.intersection(*(worlds_where(part, worlds, observed) for part in parts))
        case Or(parts):
            return set().union(*(worlds_where(part, worlds, observed) for part in parts))
        case Xor(parts):
            true_in = [worlds_where(part, worlds, observed) for part in parts]
            return {world for world in worlds if sum(world in true for true in true_in) % 2}
        case Knows(who, fact, whether) | Distributed(who, fact, whether) | Common(who, fact, whether):
            views = [observed[agent] for agent in ((who,) if isinstance(formula, Knows) else who)]
            if isinstance(formula, Distributed):
                views = [frozenset().union(*views)]
            true = worlds_where(fact, worlds, observed)
            sides = (worlds - true, true) if whether else (worlds - true,)
            return set().union(*(worlds - _in_doubt(side, worlds, views) for side in sides))
        case _:
            raise TypeError(f"no formula of a problem: {formula!r}")


def _in_doubt(doubted: Worlds, worlds: Worlds, views: list[frozenset[int]]) -> Worlds:
    """Return the worlds that somebody cannot tell from a doubted one, or from one that somebody else cannot, and so on.

    views: the atoms that each of them observes.
    """
    found: Worlds = set()
    for view in views:
        seen = {world & view for world in doubted}
        found |= {world for world in worlds if world & view in seen}
    return found if len(views) == 1 or found == doubted else _in_doubt(found, worlds, views)
