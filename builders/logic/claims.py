"""Own claims, the compact code of what MindGames problems announce and suppose, and the way to formulas and back.

- A *claim* is (levels, fact): what an announcement says, or a hypothesis. An announcement has at most one level, a
  hypothesis of order k has k.
- A *level* is (agent, link, negated), the outermost first: the agent knows THAT, or WHETHER, the rest of the claim
  holds; where `negated`, the agent does not.
- A *fact* is SOME, ALL, NOT_ALL or NONE of the atoms, or `about(agent, negated)`.
- A *form* is (shape, kind), a claim without its agents: each level of the shape is (link, negated); the kind is a fact,
  NAMED for the atom of any agent, or NAMED + 1 for its negation.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from builders import streams
from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name

SOME, ALL, NOT_ALL, NONE, NAMED = range(5)
THAT, WHETHER = range(2)

Level = tuple[int, int, bool]
Claim = tuple[tuple[Level, ...], int]
Form = tuple[tuple[tuple[int, bool], ...], int]

SOMEONE = ((), SOME)
"""The claim that every problem announces first: some atom is true."""


class Premise(NamedTuple):
    """Hold what the agents of a problem see, and what they are told."""

    setup: str  # one of SETUPS
    sees: tuple[tuple[int, ...], ...]  # for each agent the atoms observed at the start, ascending
    announcements: tuple[Claim, ...]  # what is announced after SOMEONE, in order


def about(agent: int, negated: bool) -> int:
    """Return the fact that an agent's atom is true, or where `negated` that it is false."""
    return NAMED + 2 * agent + negated


@lru_cache(maxsize=1 << 12)
def instance_levels(n: int, form: Form) -> list[tuple[tuple[int, ...], tuple[int, bool]]]:
    """Return for each level of a form, innermost first, the agents that its instances have there, and (link, negated).

    The two outermost levels have all agents. Each deeper one has a single agent, drawn by a key of the form: the
    instances with all agents there would be too many.
    """
    shape, _ = form
    stream = streams.stream("cases", n, str(form))
    levels = []
    for depth, level in enumerate(shape):
        if depth < 2:
            agents = tuple(range(n))
        else:
            outer = levels[-1][0]
            agents = (stream.draw([agent for agent in range(n) if (agent,) != outer], 1)[0],)
        levels.append((agents, level))
    return levels[::-1]


@lru_cache(maxsize=1 << 12)
def instances(n: int, form: Form) -> list[Claim]:
    """Return the hypotheses of a form about n agents by which premises are compared; of order 1 and 2 they are all.

    No agent of a hypothesis knows anything of the same agent's knowledge.
    """
    _, kind = form
    by_agent: dict[int | None, list[Claim]] = {
        None: [((), about(agent, kind > NAMED)) for agent in range(n)] if kind >= NAMED else [((), kind)]
    }
    for agents, (link, negated) in instance_levels(n, form):
        by_agent = {
            agent: [
                (((agent, link, negated), *levels), fact)
                for other, inner in by_agent.items()
                if other != agent
                for levels, fact in inner
            ]
            for agent in agents
        }
    return [claim for claims in by_agent.values() for claim in claims]


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
    """Return a claim about n agents as a formula."""
    levels, fact = claim
    atoms = tuple([Atom(number) for number in range(1, n + 1)])
    formula: Formula
    match fact:
        case 0:
            formula = Or(atoms)
        case 1:
            formula = And(atoms)
        case 2:
            formula = Not(And(atoms))
        case 3:
            formula = Not(Or(atoms))
        case _:
            agent, negated = divmod(fact - NAMED, 2)
            formula = Not(atoms[agent]) if negated else atoms[agent]
    for agent, link, negated in reversed(levels):
        formula = (KnowsWhether if link else Knows)(agent_name(agent), formula)
        if negated:
            formula = Not(formula)
    return formula


def to_problem(premise: Premise, hypothesis: Claim) -> Problem:
    """Return a premise and a hypothesis as a problem."""
    n = len(premise.sees)
    announcements = tuple([to_formula(claim, n) for claim in (SOMEONE, *premise.announcements)])
    return Problem(premise.setup, premise.sees, announcements, to_formula(hypothesis, n))


def from_problem(problem: Problem) -> tuple[Premise, Claim]:
    """Return the premise and the hypothesis of a problem: the inverse of `to_problem`.

    Raises ValueError where the problem is not made of claims, or does not announce SOMEONE first.
    """
    n = len(problem.sees)
    announcements = tuple([_from_formula(formula, n) for formula in problem.announcements])
    if announcements[:1] != (SOMEONE,):
        raise ValueError("the first announcement is not that someone …")
    return Premise(problem.setup, problem.sees, announcements[1:]), _from_formula(problem.hypothesis, n)


def _from_formula(formula: Formula, n: int) -> Claim:
    levels: list[Level] = []
    while True:
        match formula:
            case Knows(agent, inner):
                link, negated = THAT, False
            case KnowsWhether(agent, inner):
                link, negated = WHETHER, False
            case Not(Knows(agent, inner)):
                link, negated = THAT, True
            case Not(KnowsWhether(agent, inner)):
                link, negated = WHETHER, True
            case _:
                break
        number = next((number for number in range(n) if agent_name(number) == agent), None)
        if number is None:
            raise ValueError(f"{agent} is none of {n} agents")
        levels.append((number, link, negated))
        formula = inner
    for fact in range(NAMED + 2 * n):
        if to_formula(((), fact), n) == formula:
            return tuple(levels), fact
    raise ValueError(f"not a fact about {n} agents: {formula}")
