"""What a premise leaves: the worlds that its announcements do not exclude, and which claims hold in them.

`s5.Checker` gives the same answers for any formula. This is its fast path for claims: many hypotheses are asked of one
premise, and share the parts that they have in common.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache, reduce

from .claims import (
    AT_LEAST,
    COMMON,
    EACH,
    EXACTLY,
    NAMED,
    ODD,
    SOMEONE,
    THAT,
    Claim,
    Form,
    Premise,
    comparison_of,
    instance_levels,
    is_showing,
    members,
    owner_of,
)
from .worlds import Flips, bits, flips_of, possible

Hidden = tuple[tuple[int, ...], ...]  # for each agent the positions of the atoms that the agent cannot see

MOST_STATES = 1 << 12  # states remembered; eight times as many take twice the memory, and no less time


class _Knows(dict[int, int]):
    """Map a set of worlds within the law to where an agent knows of it; compute each value when it is first needed."""

    __slots__ = "_flips", "_law", "_whether"

    def __init__(self, law: int, flips: Flips, whether: bool = False) -> None:
        self._law, self._flips, self._whether = law, flips, whether

    def __missing__(self, worlds: int) -> int:
        known = self._law & ~possible(self._flips, self._law ^ worlds)
        if self._whether:
            known |= self._law & ~possible(self._flips, worlds)
        self[worlds] = known
        return known


class State:
    """Hold the worlds over n atoms that announcements leave, and what each of n agents knows in them.

    Compute what `s5.Checker.truth` does for claims, once for each set of worlds. Sets of worlds lie within the law, so
    `law ^ worlds` is negation, and `law` is the set of what holds everywhere. Of most states only the law is ever asked
    for, so all else is made when it is first needed.
    """

    def __init__(self, hidden: Hidden, law: int, cases: int = 1) -> None:
        """Make the state in which agent i cannot see the atoms at the positions `hidden[i]`.

        cases: how many states this is at once, which all agents tell apart; see `side_by_side`.
        """
        self.law, self._hidden, self._n = law, hidden, len(hidden)
        self._size = self._n + (cases - 1).bit_length()

    @cached_property
    def atoms(self) -> list[int]:
        """For each atom, by its position, the worlds where it is true."""
        return [true & self.law for true in bits(self._size).where[: self._n]]

    @cached_property
    def facts(self) -> list[int]:
        """For each fact of 0 or more the worlds where it is true."""
        law, atoms = self.law, self.atoms
        some, every = reduce(int.__or__, atoms), reduce(int.__and__, atoms)
        return [some, every, law ^ every, law ^ some, *(worlds for atom in atoms for worlds in (atom, law ^ atom))]

    @cached_property
    def _flips(self) -> list[Flips]:
        return [flips_of(self._size, unseen) for unseen in self._hidden]

    @cached_property
    def knows(self) -> list[_Knows]:
        """For each agent, by a set of worlds: the worlds where the agent knows that the world is in the set."""
        return [_Knows(self.law, flips) for flips in self._flips]

    @cached_property
    def knows_whether(self) -> list[_Knows]:
        """For each agent, by a set of worlds: the worlds where the agent knows whether the world is in the set."""
        return [_Knows(self.law, flips, whether=True) for flips in self._flips]

    @cached_property
    def valid(self) -> _Knows:
        """By a set of worlds: the cases all of whose worlds lie in it."""
        return _Knows(self.law, flips_of(self._size, tuple(range(self._n))))

    @cached_property
    def _vectors(self) -> dict[Form, int]:
        return {}

    @cached_property
    def sights(self) -> list[int]:
        """For each agent the bit mask of the atoms observed, showings included."""
        return [sum([1 << atom for atom in range(self._n) if atom not in unseen]) for unseen in self._hidden]

    def where(self, claim: Claim) -> int:
        """Return the possible worlds where a claim is true; for a showing, where its viewer knows it already."""
        levels, fact = claim
        if levels and levels[0][0] == EACH:
            return reduce(int.__and__, map(self.where, members(claim, self._n)), self.law)
        worlds = self.facts[fact] if fact >= 0 else self.law & where_counted(self._n, fact, self._size)
        for agent, link, negated in reversed(levels):
            if agent < 0:
                worlds = self._where_group_knows(agent, link, worlds)
            else:
                worlds = (self.knows_whether if link else self.knows)[agent][worlds]
            if negated:
                worlds ^= self.law
        return worlds

    def _where_group_knows(self, group: int, link: int, worlds: int) -> int:
        """Return the possible worlds in which all agents, TOGETHER or in COMMON, know that or whether it is so."""
        if link:
            either = self._where_group_knows(group, THAT, worlds)
            return either | self._where_group_knows(group, THAT, self.law ^ worlds)
        if group == COMMON:
            known = None
            while known != worlds:
                known, worlds = worlds, reduce(int.__and__, [self.knows[one][worlds] for one in range(self._n)], worlds)
            return worlds
        unseen = tuple(set.intersection(*map(set, self._hidden)))
        return self.law & ~possible(flips_of(self._size, unseen), self.law ^ worlds)

    def entails(self, claim: Claim) -> bool:
        """Return whether a claim is true in all possible worlds; it is where none is left."""
        return self.where(claim) == self.law

    def truth_vector(self, form: Form) -> int:
        """Return which of the `instances` of a form are entailed, as bits, the first the highest.

        Compute `entails` for all of them at once: instances share their inner levels.
        """
        if form not in self._vectors:
            digits = ["1" if worlds == self.law else "0" for worlds in self.where_each(form)]
            self._vectors[form] = int("".join(digits), 2)
        return self._vectors[form]

    def where_each(self, form: Form, whole: int = 2) -> list[int]:
        """Return the possible worlds in which each of the `instances` of a form is true."""
        (_, kind), law = form, self.law
        by_agent: dict[int | None, list[int]] = {
            None: self.facts[kind::2] if kind >= NAMED else [self.where(((), kind))]
        }
        for agents, (link, negated) in instance_levels(self._n, form, whole):
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
        return [worlds for inner in by_agent.values() for worlds in inner]

    def announce(self, claim: Claim) -> "State":
        """Return the state after a public announcement, or a showing; its law is 0 where no world is left.

        After a showing the worlds are the same, and one agent can tell more of them apart.
        """
        if not is_showing(claim):
            return self.with_law(self.where(claim))
        ((viewer, _, _),), fact = claim
        shown, hidden = owner_of(fact), list(self._hidden)
        hidden[viewer] = tuple([position for position in hidden[viewer] if position != shown])
        return state_of(tuple(hidden), self.law)

    def informed(self, claim: Claim) -> "State | None":
        """Return the state after an announcement that rules out a world and leaves one, None after others.

        A showing must tell its viewer something.
        """
        worlds = self.where(claim)
        if is_showing(claim):
            return None if worlds == self.law else self.announce(claim)
        return None if worlds in (0, self.law) else self.with_law(worlds)

    def with_law(self, worlds: int) -> "State":
        """Return the state in which only these of the possible worlds are left."""
        return state_of(self._hidden, worlds)

    def alike(self, agent: int, worlds: int) -> int:
        """Return the possible worlds that an agent cannot tell from some of these."""
        return self.law ^ self.knows[agent][self.law ^ worlds]


state_of = lru_cache(maxsize=MOST_STATES)(State)  # return the state with these hidden atoms and this law


def side_by_side(states: Sequence[State]) -> State:
    """Return states in which the same is hidden as the cases of one; over n atoms, case i is 2^n * i bits up."""
    law = sum(state.law << (case << state._n) for case, state in enumerate(states))
    return State(states[0]._hidden, law, len(states))


@lru_cache(maxsize=256)
def where_counted(n: int, fact: int, size: int) -> int:
    """Return the worlds of `size` atoms where a counted fact about the first n is true."""
    comparison, k = comparison_of(fact)
    rules: dict[int, Callable[[int], bool]] = {
        EXACTLY: lambda count: count == k,
        AT_LEAST: lambda count: count >= k,
        ODD: lambda count: count % 2 == 1,
    }
    holds = rules[comparison]
    worlds = sum(1 << world for world in range(1 << n) if holds(world.bit_count()))
    return worlds * (bits(size).everything // bits(n).everything)


def heard(state: State, claims: Iterable[Claim]) -> State | None:
    """Return the state after announcements that each tell something, None where one of them does not."""
    left: State | None = state
    for claim in claims:
        left = left and left.informed(claim)
    return left


def initial_state(sees: tuple[tuple[int, ...], ...]) -> State:
    """Return the state before the first announcement; `sees` are the atoms that each agent observes."""
    n = len(sees)
    hidden = tuple(tuple(p for p in range(n) if p + 1 not in seen) for seen in sees)
    return state_of(hidden, bits(n).everything)


def after(state: State, claims: Iterable[Claim]) -> State:
    """Return the state after announcements."""
    return reduce(State.announce, claims, state)


@lru_cache(maxsize=4)
def after_all_but_one(state: State, claims: tuple[Claim, ...]) -> list[State]:
    """Return the states after all announcements but one, for each of them in turn."""
    return [after(state, claims[:place] + claims[place + 1 :]) for place in range(len(claims))]


def state_after(premise: Premise) -> State:
    """Return the state after all announcements of a premise."""
    return after(initial_state(premise.sees), (SOMEONE, *premise.announcements))
