"""Claims, the compact code of what MindGames problems announce and suppose, and the way to formulas and back.

- A *claim* is (levels, fact): what an announcement says, or a hypothesis. An announcement has at most one level (in
  order blocks two), a hypothesis of order k has k.
- A *level* is (agent, link, negated), the outermost first: the agent knows THAT, or WHETHER, the rest of the claim
  holds; where `negated`, the agent does not. An agent below 0 is a group: EACH of all agents, all of them TOGETHER
  (distributed knowledge), or all of them in COMMON. A claim of the one level (agent, SHOWN, False) is no announcement
  but a showing: the agent is shown the fact in front of all.
- A *fact* is SOME, ALL, NOT_ALL or NONE of the atoms, or `about(agent, negated)`. Below 0 it is `counted(comparison,
  k)`, how many of the atoms are true, or OWN, which is each agent's own atom and stands after EACH only.
- A *form* is (shape, kind), a claim without its agents: each level of the shape is (link, negated); the kind is a fact,
  NAMED for the atom of any agent, or NAMED + 1 for its negation.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from .. import streams
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
    at_least,
    exactly,
)

SOME, ALL, NOT_ALL, NONE, NAMED = range(5)
THAT, WHETHER, SHOWN = range(3)
EACH, TOGETHER, COMMON = -1, -2, -3
EXACTLY, AT_LEAST, ODD = range(3)
OWN = -1

# The formulas of knowledge by the group that knows, 0 for a single agent.
_KNOWLEDGE = {0: Knows, TOGETHER: Distributed, COMMON: Common}
_GROUPS = {kind: group for group, kind in _KNOWLEDGE.items()}

Level = tuple[int, int, bool]
Claim = tuple[tuple[Level, ...], int]
Announcements = tuple[Claim, ...]  # in their order
Form = tuple[tuple[tuple[int, bool], ...], int]

SOMEONE = ((), SOME)  # the claim that every problem announces first: some atom is true


class Premise(NamedTuple):
    """Hold what the agents of a problem see, and what they are told."""

    setup: str  # one of SETUPS
    sees: tuple[tuple[int, ...], ...]  # for each agent the atoms observed at the start, ascending
    announcements: Announcements  # what is announced after SOMEONE, in order


def about(agent: int, negated: bool) -> int:
    """Return the fact that an agent's atom is true, or where `negated` that it is false."""
    return NAMED + 2 * agent + negated


def owner_of(fact: int) -> int:
    """Return the agent whose atom a fact is `about`; below 0 for any other fact."""
    return (fact - NAMED) // 2


def form_of(claim: Claim) -> Form:
    """Return the form of a claim."""
    levels, fact = claim
    return tuple([level[1:] for level in levels]), kind_of_fact(fact)


def kind_of_fact(fact: int) -> int:
    """Return the kind of a fact, as forms have it."""
    return fact if fact < NAMED else NAMED + (fact - NAMED) % 2


def renamed(claim: Claim, rename: Callable[[int], int]) -> Claim:
    """Return a claim with each agent renamed, in the order in which it names them. Groups of agents stay."""
    levels, fact = claim
    if levels:
        levels = tuple([(agent if agent < 0 else rename(agent), link, negated) for agent, link, negated in levels])
    if fact >= NAMED:
        agent, negated = divmod(fact - NAMED, 2)
        fact = about(rename(agent), bool(negated))
    return levels, fact


def agents_of(claim: Claim) -> list[int]:
    """Return the agents that a claim names, in this order, each as often as it does."""
    levels, fact = claim
    return [agent for agent, _, _ in levels if agent >= 0] + [owner_of(fact)] * (fact >= NAMED)


def counted(comparison: int, k: int) -> int:
    """Return the fact that EXACTLY or AT_LEAST k atoms are true, or with ODD and 0 that an odd number of them is."""
    return -2 - 3 * k - comparison


def comparison_of(fact: int) -> tuple[int, int]:
    """Return the comparison and k of a counted fact."""
    k, comparison = divmod(-2 - fact, 3)
    return comparison, k


def counts(n: int) -> list[int]:
    """Return the counted facts about n agents that no other fact says: more than one for AT_LEAST, less than n."""
    exact = [counted(EXACTLY, k) for k in range(1, n)]
    return [*exact, *(counted(AT_LEAST, k) for k in range(2, n)), counted(ODD, 0)]


def is_showing(claim: Claim) -> bool:
    """Return whether a claim is a showing."""
    levels, _ = claim
    return bool(levels) and levels[0][1] == SHOWN


@lru_cache(maxsize=1 << 12)
def instance_levels(n: int, form: Form, whole: int = 2) -> list[tuple[tuple[int, ...], tuple[int, bool]]]:
    """Return for each level of a form, innermost first, the agents that its instances have there, and (link, negated).

    The `whole` outermost levels have all agents. Each deeper one has a single agent, drawn by a key of the form: the
    instances with all agents there would be too many.
    """
    shape, _ = form
    stream = streams.stream("cases", n, str(form))
    levels: list[tuple[tuple[int, ...], tuple[int, bool]]] = []
    for depth, level in enumerate(shape):
        agents = tuple(range(n))
        if depth >= whole:
            outer, _ = levels[-1]
            agents = tuple(stream.draw([agent for agent in agents if (agent,) != outer], 1))
        levels.append((agents, level))
    return levels[::-1]


@lru_cache(maxsize=1 << 12)
def instances(n: int, form: Form, whole: int = 2) -> list[Claim]:
    """Return the hypotheses of a form about n agents by which premises are compared; up to order `whole` they are all.

    No agent of a hypothesis knows anything of the same agent's knowledge.
    """
    _, kind = form
    facts = [about(agent, kind > NAMED) for agent in range(n)] if kind >= NAMED else [kind]
    levels = [[(agent, *level) for agent in agents] for agents, level in reversed(instance_levels(n, form, whole))]
    paths = [path for path in product(*levels) if all(outer[0] != inner[0] for outer, inner in pairwise(path))]
    return [(path, fact) for path in paths for fact in facts]


def among(claims: list[Claim], vector: int) -> list[Claim]:
    """Return which of some claims are in their truth vector, the last first."""
    return [claim for claim, bit in zip(reversed(claims), reversed(bin(vector)), strict=False) if bit == "1"]


def all_forms(max_order: int) -> list[Form]:
    """Return all forms of hypotheses of order 1 to `max_order`."""
    return [
        (levels, kind)
        for order in range(1, max_order + 1)
        for levels in product(product((THAT, WHETHER), (False, True)), repeat=order)
        for kind in range(NAMED + 2)
    ]


@lru_cache(maxsize=1 << 16)
def to_formula(claim: Claim, n: int) -> Formula:
    """Return a claim about n agents, which is no showing, as a formula."""
    levels, fact = claim
    if levels and levels[0][0] == EACH:
        return And(tuple([to_formula(each, n) for each in members(claim, n)]))
    formula = fact_formula(fact, n)
    everyone = tuple([agent_name(agent) for agent in range(n)])
    for agent, link, negated in reversed(levels):
        knowing = agent_name(agent) if agent >= 0 else everyone
        formula = _KNOWLEDGE[min(agent, 0)](knowing, formula, link == WHETHER)
        formula = Not(formula) if negated else formula
    return formula


@lru_cache(maxsize=1 << 12)
def members(claim: Claim, n: int) -> list[Claim]:
    """Return what a claim of EACH says of every single one of n agents; a claim of others says itself."""
    levels, fact = claim
    if not levels or levels[0][0] != EACH:
        return [claim]
    (_, link, negated), *inner = levels
    return [(((one, link, negated), *inner), about(one, False) if fact == OWN else fact) for one in range(n)]


def fact_formula(fact: int, n: int) -> Formula:
    """Return a fact about n agents, which is not OWN, as a formula."""
    atoms = tuple([Atom(number) for number in range(1, n + 1)])
    if fact >= 0:
        some, every = Or(atoms), And(atoms)
        named = [formula for atom in atoms for formula in (atom, Not(atom))]
        return [some, every, Not(every), Not(some), *named][fact]
    comparison, k = comparison_of(fact)
    if comparison == ODD:
        return Xor(atoms)
    return exactly(atoms, k) if comparison == EXACTLY else at_least(atoms, k)


def to_update(claim: Claim, n: int) -> Formula | Shown:
    """Return a claim about n agents, which may be a showing, as a part of a problem."""
    if is_showing(claim):
        ((viewer, _, _),), fact = claim
        return Shown(agent_name(viewer), owner_of(fact) + 1)
    return to_formula(claim, n)


def to_problem(premise: Premise, hypothesis: Claim) -> Problem:
    """Return a premise and a hypothesis as a problem."""
    n = len(premise.sees)
    announcements = tuple([to_update(claim, n) for claim in (SOMEONE, *premise.announcements)])
    return Problem(premise.setup, premise.sees, announcements, to_formula(hypothesis, n))


def from_problem(problem: Problem) -> tuple[Premise, Claim]:
    """Return the premise and the hypothesis of a problem: the inverse of `to_problem`.

    Raises ValueError where the problem is not made of claims, or does not announce SOMEONE first.
    """
    n = len(problem.sees)
    announcements = tuple([_from_update(update, n) for update in problem.announcements])
    if announcements[:1] != (SOMEONE,):
        raise ValueError("the first announcement must be that the fact is true of someone")
    return Premise(problem.setup, problem.sees, announcements[1:]), claim_of_formula(problem.hypothesis, n)


def _from_update(update: Formula | Shown, n: int) -> Claim:
    if isinstance(update, Shown):
        return ((_agent_of(update.agent, n), SHOWN, False),), about(update.atom - 1, False)
    if isinstance(update, And) and update.formulas and update not in _facts(n):
        levels, fact = claim_of_formula(update.formulas[0], n)
        each = tuple([(EACH, link, negated) for _, link, negated in levels[:1]])
        for said in (OWN, fact):
            claim = (*each, *levels[1:]), said
            if each and to_formula(claim, n) == update:
                return claim
    return claim_of_formula(update, n)


def _agent_of(name: str, n: int) -> int:
    number = next((number for number in range(n) if agent_name(number) == name), None)
    if number is None:
        raise ValueError(f"unknown agent {name}; expected one of {[agent_name(number) for number in range(n)]}")
    return number


def claim_of_formula(formula: Formula, n: int) -> Claim:
    """Return a formula about n agents as a claim. Raises ValueError for one that is none."""
    levels: list[Level] = []
    known = (Knows, Common, Distributed)
    while isinstance(knowledge := formula.formula if isinstance(formula, Not) else formula, known):
        agent = _agent_of(knowledge.agent, n) if isinstance(knowledge, Knows) else _GROUPS[type(knowledge)]
        levels.append((agent, WHETHER if knowledge.whether else THAT, isinstance(formula, Not)))
        formula = knowledge.formula
    if formula not in _facts(n):
        raise ValueError(f"not a fact about {n} agents: {formula}; expected one that claims can be about")
    return tuple(levels), _facts(n)[formula]


@lru_cache(maxsize=32)
def _facts(n: int) -> dict[Formula, int]:
    """Return all facts about n agents but OWN, by their formulas."""
    return {fact_formula(fact, n): fact for fact in (*range(NAMED + 2 * n), *counts(n))}
