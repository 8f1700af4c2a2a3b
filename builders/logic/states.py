"""What a premise leaves: the worlds that its announcements do not exclude, and which claims hold in them.

`s5.Checker` gives the same answers for any formula. This is its fast path for claims: many hypotheses are asked of one
premise, and share the parts that they have in common.
"""

from functools import lru_cache

from .claims import (
    AT_LEAST,
    COMMON,
    EACH,
    NAMED,
    ODD,
    SOMEONE,
    Claim,
    Form,
    Level,
    Premise,
    comparison_of,
    instance_levels,
    is_showing,
    members,
)
from .worlds import bits, where_known

Hidden = tuple[tuple[int, ...], ...]
"""For each agent the positions of the atoms that the agent cannot see."""

MOST_SIGHTS = 256
"""States are remembered for so many ways of seeing: the premises of a block share theirs."""

MOST_STATES = 4096
"""So many states are remembered for each of them."""


class Situation:
    """Hold the possible worlds over n atoms, and where each agent knows what.

    Compute what `s5.Checker.truth` does for `Knows` and `KnowsWhether`, once for each set of worlds. Sets of worlds lie
    within the law, so `law ^ worlds` is negation, and `law` is the set of what holds everywhere.

    Attributes: `law`, the possible worlds; `atoms[p]`, the worlds where the atom at position p is true;
    `knows[agent][worlds]`, where the agent knows that the world is in the set; `knows_whether[agent][worlds]`, where
    the agent knows whether it is.
    """

    def __init__(self, n: int, hidden: Hidden, law: int | None = None) -> None:
        """Make the situation in which agent i cannot see the atoms at the positions `hidden[i]`.

        Without `law` all worlds are possible.
        """
        sets = bits(n)
        self.law = sets.everything if law is None else law
        self.atoms = [true & self.law for true in sets.where]
        self.knows = _Tables(_Knows, self.law, n, hidden)
        self.knows_whether = _Tables(_KnowsWhether, self.law, n, hidden)


class _Knows(dict[int, int]):
    """Map a set of worlds within the law to where an agent knows of it; compute each value when it is first needed."""

    __slots__ = "_flips", "_law"

    def __init__(self, law: int, flips: tuple[tuple[int, int], ...]) -> None:
        self._law, self._flips = law, flips

    def __missing__(self, worlds: int) -> int:
        known = self[worlds] = self._law & ~possible(self._flips, self._law ^ worlds)
        return known


class _KnowsWhether(_Knows):
    """The same for whether."""

    __slots__ = ()

    def __missing__(self, worlds: int) -> int:
        either = possible(self._flips, worlds) & possible(self._flips, self._law ^ worlds)
        known = self[worlds] = self._law & ~either
        return known


class _Tables(dict[int, _Knows]):
    """Map each agent to a table of a kind; make each table when it is first needed."""

    __slots__ = "_hidden", "_kind", "_law", "_n"

    def __init__(self, kind: type[_Knows], law: int, n: int, hidden: Hidden) -> None:
        self._kind, self._law, self._n, self._hidden = kind, law, n, hidden

    def __missing__(self, agent: int) -> _Knows:
        table = self[agent] = self._kind(self._law, flips_of(self._n, self._hidden[agent]))
        return table


@lru_cache(maxsize=4096)
def flips_of(n: int, positions: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return for each of some atoms the worlds of n atoms where it is true, and how far off the others are."""
    return tuple([(bits(n).where[p], 1 << p) for p in positions])


def possible(flips: tuple[tuple[int, int], ...], worlds: int) -> int:
    """Return the worlds that differ from some of these at most in the atoms of `flips`: `Bits.project`, but faster."""
    for true, shift in flips:
        worlds |= (worlds & true) >> shift | (worlds << shift) & true
    return worlds


class State(Situation):
    """Hold the situation that announcements leave, with the worlds of each fact and the truth vectors of forms."""

    def __init__(self, hidden: Hidden, law: int, states: "States") -> None:
        """Make a state; `states` holds those with the same hidden atoms, and is added to."""
        super().__init__(len(hidden), hidden, law)
        self._hidden, self._states = hidden, states
        some, every = 0, self.law
        for atom in self.atoms:
            some |= atom
            every &= atom
        self.facts = [some, every, self.law ^ every, self.law ^ some]
        for atom in self.atoms:
            self.facts += (atom, self.law ^ atom)
        self._vectors: dict[tuple[Form, int], int] = {}

    def where(self, claim: Claim) -> int:
        """Return the possible worlds in which a claim, which is no showing, is true."""
        levels, fact = claim
        if levels and levels[0][0] == EACH:
            worlds = self.law
            for each in members(claim, len(self._hidden)):
                worlds &= self.where(each)
            return worlds
        worlds = self.facts[fact] if fact >= 0 else self._where_fact(fact)
        for agent, link, negated in reversed(levels):
            if agent < 0:
                worlds = self._where_group_knows((agent, link, negated), worlds)
            else:
                worlds = (self.knows_whether if link else self.knows)[agent][worlds]
            if negated:
                worlds ^= self.law
        return worlds

    def _where_fact(self, fact: int) -> int:
        """Return the possible worlds in which a fact is true."""
        return self.facts[fact] if fact >= 0 else self.law & where_counted(len(self._hidden), fact)

    def _where_group_knows(self, level: Level, worlds: int) -> int:
        """Return the possible worlds in which all agents, TOGETHER or in COMMON, know that or whether it is so."""
        group, link, _ = level
        if link:
            return self._where_group_knows((group, 0, False), worlds) | self._where_group_knows(
                (group, 0, False), self.law ^ worlds
            )
        if group == COMMON:
            while (smaller := self._where_all_know(worlds)) != worlds:
                worlds = smaller
            return worlds
        unseen = set.intersection(*map(set, self._hidden))
        return self.law & where_known(bits(len(self._hidden)), worlds, self.law, unseen)

    def _where_all_know(self, worlds: int) -> int:
        """Return which of these worlds every agent knows to be among them."""
        for known in [self.knows[agent][worlds] for agent in range(len(self._hidden))]:
            worlds &= known
        return worlds

    def entails(self, claim: Claim) -> bool:
        """Return whether a claim is true in all possible worlds; it is where none is left."""
        return self.where(claim) == self.law

    def truth_vector(self, form: Form, whole: int = 2) -> int:
        """Return which of the `instances` of a form are entailed, as bits, the first the highest.

        Compute `entails` for all of them at once: instances share their inner levels.
        """
        vector = self._vectors.get((form, whole))
        if vector is None:
            (_, kind), law = form, self.law
            by_agent: dict[int | None, list[int]] = {
                None: self.facts[kind::2] if kind >= NAMED else [self._where_fact(kind)]
            }
            for agents, (link, negated) in instance_levels(len(self.atoms), form, whole):
                tables = self.knows_whether if link else self.knows
                by_agent = {
                    agent: [
                        law ^ table[worlds] if negated else table[worlds]
                        for table in [tables[agent]]
                        for other, inner in by_agent.items()
                        if other != agent
                        for worlds in inner
                    ]
                    for agent in agents
                }
            digits = ["1" if worlds == law else "0" for inner in by_agent.values() for worlds in inner]
            vector = self._vectors[form, whole] = int("".join(digits), 2)
        return vector

    def announce(self, claim: Claim) -> "State":
        """Return the state after a public announcement, or a showing; its law is 0 where no world is left."""
        return self._show(claim) if is_showing(claim) else self._with_law(self.where(claim))

    def told(self, claim: Claim) -> "State | None":
        """Return the state after an announcement that `tells` something and leaves a world, None after others."""
        if is_showing(claim):
            return self._show(claim) if self.tells(claim) else None
        law = self.where(claim)
        return None if law in (0, self.law) else self._with_law(law)

    def _with_law(self, law: int) -> "State":
        """Return the state in which the same atoms are hidden, and these worlds are possible."""
        return _remembered(self._hidden, law, self._states)

    def _show(self, showing: Claim) -> "State":
        """Return the state after a showing: the same worlds, and one agent who can tell more of them apart."""
        ((viewer, _, _),), fact = showing
        shown = (fact - NAMED) // 2
        hidden = list(self._hidden)
        hidden[viewer] = tuple([position for position in hidden[viewer] if position != shown])
        return _remembered(tuple(hidden), self.law, states_of(tuple(hidden)))

    def alike(self, agent: int, worlds: int) -> int:
        """Return the possible worlds that an agent cannot tell from some of these."""
        return self.law ^ self.knows[agent][self.law ^ worlds]

    def tells(self, claim: Claim) -> bool:
        """Return whether an announcement rules out a world and leaves one, or a showing tells its viewer something."""
        if is_showing(claim):
            ((viewer, _, _),), fact = claim
            return self.knows_whether[viewer][self.facts[fact]] != self.law
        return self.where(claim) not in (0, self.law)


States = dict[int, State]
"""States in which the same atoms are hidden, by their laws."""

REMEMBERED: dict[Hidden, States] = {}
"""The states made so far, by what is hidden from whom. A state refers to the states beside it."""


def states_of(hidden: Hidden) -> States:
    """Return the states in which these atoms are hidden from the agents: those that are remembered."""
    states = REMEMBERED.get(hidden)
    if states is None:
        if len(REMEMBERED) >= MOST_SIGHTS:
            for each in REMEMBERED.values():
                each.clear()  # else they would refer to one another until the garbage collector finds them
            REMEMBERED.clear()
        states = REMEMBERED[hidden] = {}
    return states


def _remembered(hidden: Hidden, law: int, states: States) -> State:
    """Return the state of these worlds, made where it is not among `states`, those with the same hidden atoms."""
    state = states.get(law)
    if state is None:
        if len(states) >= MOST_STATES:
            states.clear()
        state = states[law] = State(hidden, law, states)
    return state


@lru_cache(maxsize=256)
def where_counted(n: int, fact: int) -> int:
    """Return the worlds of n atoms where a counted fact is true."""
    comparison, k = comparison_of(fact)
    worlds = 0
    for world in range(1 << n):
        true = world.bit_count()
        if true % 2 if comparison == ODD else true == k or (comparison == AT_LEAST and true > k):
            worlds |= 1 << world
    return worlds


def initial_state(sees: tuple[tuple[int, ...], ...]) -> State:
    """Return the state before the first announcement; `sees` are the atoms that each agent observes."""
    n = len(sees)
    hidden = tuple(tuple(p for p in range(n) if p + 1 not in seen) for seen in sees)
    return _remembered(hidden, bits(n).everything, states_of(hidden))


def state_after(premise: Premise) -> State:
    """Return the state after all announcements of a premise."""
    state = initial_state(premise.sees).announce(SOMEONE)
    for claim in premise.announcements:
        state = state.announce(claim)
    return state
