"""Own the meaning of epistemic logic, embedded: which worlds make a formula true.

A set of worlds is one Python integer of 2^N bits (bit w is the world in which atom at position p is true when w >> p
& 1), or a decision diagram when there are many atoms; both offer `&`, `|` and the few operations of `Bits`. A formula
is a set of worlds over *all* assignments, in a model whose worlds are `law`: public announcement restricts the law, and
an agent knows what holds however the atoms hidden from him vary within it, as in knowledge structures (van Benthem,
van Eijck, Gattinger, Su: Symbolic Model Checking for Dynamic Epistemic Logic, S5 and Beyond, section 2).
"""

from collections.abc import Callable
from functools import lru_cache

from builders.logic.claims import NAMED, SOMEONE, Claim, Form, Premise, levels_of
from builders.logic.worlds import Bits, bits, where_known, where_known_whether


class Situation:
    """Hold the worlds over n atoms that are possible, and remember what each agent was found to know in them.

    `hidden[agent]` are the positions of the atoms that the agent does not observe, `law` the possible worlds (all where
    it is not given). Sets of worlds are within the law, so negation is `law ^ worlds`, and what is everywhere is `law`.
    `knows[agent][worlds]` is where the agent knows that the world is in the set, `knows_whether` where he knows whether
    it is; what is asked again is looked up, so hypotheses share what their parts have in common. After a public
    announcement the law is where it was true.
    """

    def __init__(self, n: int, hidden: tuple[tuple[int, ...], ...], law: int | None = None) -> None:
        sets = bits(n)
        self.law = sets.everything if law is None else law
        self.atoms = [true & self.law for true in sets.where]
        self.knows = [_Answers(where_known, sets, self.law, unseen) for unseen in hidden]
        self.knows_whether = [_Answers(where_known_whether, sets, self.law, unseen) for unseen in hidden]


class _Answers(dict[int, int]):
    """Map a set of worlds within the law to where an agent knows of it; each is computed when it is first looked up."""

    __slots__ = "_how", "_law", "_sets", "_unseen"

    def __init__(self, how: Callable[..., int], sets: Bits, law: int, unseen: tuple[int, ...]) -> None:
        self._how, self._sets, self._law, self._unseen = how, sets, law, unseen

    def __missing__(self, here: int) -> int:
        answer = self[here] = self._law & self._how(self._sets, here, self._law, self._unseen)
        return answer


STATES = 4096
"""So many states after announcements are remembered."""


class State(Situation):
    """Hold what a premise leaves: its situation, where each fact holds in it, and truth vectors found so far."""

    def __init__(self, hidden: tuple[tuple[int, ...], ...], law: int | None, known: dict[int, "State"]) -> None:
        super().__init__(len(hidden), hidden, law)
        self._hidden, self._known = hidden, known
        some, every = 0, self.law
        for atom in self.atoms:
            some |= atom
            every &= atom
        self.facts = [some, every, self.law ^ every, self.law ^ some]
        for atom in self.atoms:
            self.facts += (atom, self.law ^ atom)
        self._entailed: dict[Form, int] = {}

    def where(self, claim: Claim) -> int:
        """Return the possible worlds in which a claim is true."""
        levels, fact = claim
        here = self.facts[fact]
        for agent, link, negated in reversed(levels):
            here = (self.knows_whether if link else self.knows)[agent][here]
            if negated:
                here ^= self.law
        return here

    def entailed(self, form: Form) -> int:
        """Return which of the `cases` of a form are true in all possible worlds, as bits, the first the highest."""
        found = self._entailed.get(form)
        if found is None:
            (_, kind), law = form, self.law
            from_here: dict[int | None, list[int]] = {
                None: self.facts[kind::2] if kind >= NAMED else [self.facts[kind]]
            }
            for agents, (link, negated) in levels_of(len(self.atoms), form):
                tables = self.knows_whether if link else self.knows
                from_here = {
                    agent: [
                        law ^ tables[agent][here] if negated else tables[agent][here]
                        for other, inner in from_here.items()
                        if other != agent
                        for here in inner
                    ]
                    for agent in agents
                }
            bits = ["1" if here == law else "0" for inner in from_here.values() for here in inner]
            found = self._entailed[form] = int("".join(bits), 2)
        return found

    def told(self, claim: Claim) -> "State":
        """Return the state after a claim was announced; its law is 0 where the claim is true in no world."""
        law = self.where(claim)
        state = self._known.get(law)
        if state is None:
            if len(self._known) >= STATES:
                self._known.clear()
            state = self._known[law] = State(self._hidden, law, self._known)
        return state


@lru_cache(maxsize=4096)
def start(sees: tuple[tuple[int, ...], ...]) -> State:
    """Return the state before the first announcement."""
    n = len(sees)
    return State(tuple(tuple(p for p in range(n) if p + 1 not in seen) for seen in sees), None, {})


def after(premise: Premise) -> State:
    """Return the state that a premise leaves."""
    state = start(premise.sees).told(SOMEONE)
    for claim in premise.said:
        state = state.told(claim)
    return state
