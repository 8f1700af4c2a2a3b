"""The second meaning of MindGames problems, by explicit sets of worlds: `follows` labels a problem.

`tom_datasets.logic.s5` packs a set of worlds into one integer. Here a world is the set of its true atoms, and an
announcement eliminates worlds from a Python set of them. The two share no code beyond the syntax.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, combinations

from ..syntax.formula import And, Atom, Common, Distributed, Formula, Knows, Not, Or, Problem, Shown, Xor, agent_name

Worlds = set[frozenset[int]]  # worlds, each the set of the atoms that are true in it


@dataclass(frozen=True, eq=False)
class State:
    """Hold all worlds that there are, and the atoms that each agent observes. Do not change them: problems share them.

    An agent cannot tell apart two worlds in which the same of the atoms that it observes are true. It knows what holds
    in every world that it cannot tell from this one.
    """

    worlds: Worlds
    observed: dict[str, frozenset[int]]

    @cached_property
    def _atoms(self) -> dict[int, Worlds]:
        """The worlds in which each atom is true."""
        return {atom: {world for world in self.worlds if atom in world} for atom, _ in enumerate(self.observed, 1)}

    def where(self, formula: Formula) -> Worlds:
        """Return the worlds in which a formula holds."""
        match formula:
            case Atom(number):
                return self._atoms[number]
            case Not(negated):
                return self.worlds - self.where(negated)
            case And(parts):
                return self.worlds.intersection(*map(self.where, parts))
            case Or(parts):
                return set().union(*map(self.where, parts))
            case Xor(parts):
                true_in = [self.where(part) for part in parts]
                return {world for world in self.worlds if sum(world in true for true in true_in) % 2}
            case Knows(_, fact, whether) | Distributed(_, fact, whether) | Common(_, fact, whether):
                knowers = (formula.agent,) if isinstance(formula, Knows) else formula.agents
                views = [self.observed[agent] for agent in knowers]
                if isinstance(formula, Distributed):
                    views = [frozenset().union(*views)]
                true = self.where(fact)
                sides = (self.worlds - true, true) if whether else (self.worlds - true,)
                return set().union(*(self.worlds - self._in_doubt(side, views) for side in sides))
            case _:
                raise TypeError(f"not a formula of a problem: {formula!r}; expected one without announcements")

    def _in_doubt(self, doubted: Worlds, views: list[frozenset[int]]) -> Worlds:
        """Return the worlds that somebody cannot tell from a doubted one, or from one that another cannot, and so on.

        views: the atoms that each of them observes.
        """
        found: Worlds = set()
        for view in views:
            seen = {world & view for world in doubted}
            found |= {world for world in self.worlds if world & view in seen}
        return found if len(views) == 1 or found == doubted else self._in_doubt(found, views)


def follows(problem: Problem) -> bool | None:
    """Return whether the hypothesis holds in every world that the announcements leave, None where they leave none."""
    state = updates(problem)[-1]
    return state.where(problem.hypothesis) == state.worlds if state.worlds else None


def updates(problem: Problem) -> list[State]:
    """Return the state at first, then that after each announcement.

    N atoms have 2^N worlds at first. An announcement leaves those worlds in which it is true when it is made
    (van Ditmarsch, van der Hoek and Kooi, Dynamic Epistemic Logic, 2007, chapter 4). A showing leaves all worlds, and
    from then on its viewer observes one atom more.
    """
    return [*accumulate(problem.announcements, _after, initial=_first(problem.sees))]


@lru_cache(maxsize=64)
def _first(sees: tuple[tuple[int, ...], ...]) -> State:
    """Return the state before anything is announced."""
    atoms = range(1, len(sees) + 1)
    worlds = {frozenset(true) for size in range(len(atoms) + 1) for true in combinations(atoms, size)}
    return State(worlds, {agent_name(index): frozenset(atoms_seen) for index, atoms_seen in enumerate(sees)})


@lru_cache(maxsize=256)
def _after(state: State, update: Formula | Shown) -> State:
    """Return the state after one announcement or showing."""
    if isinstance(update, Shown):
        return replace(state, observed={**state.observed, update.agent: state.observed[update.agent] | {update.atom}})
    return replace(state, worlds=state.where(update))
