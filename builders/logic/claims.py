"""Own how MindGames problems are drawn: a stream goes in, problems and blocks of four of them come out.

A claim is what is announced or supposed: (levels, fact), where each level is (agent, link, negated), the outermost
first, and a fact is SOME, ALL, NOT_ALL or NONE, or `about(agent, negated)`. An announcement has at most one level, a
hypothesis of order k has k. A form is a claim with its agents left out (DESIGN, section 5).
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name
from builders.streams import stream

SOME, ALL, NOT_ALL, NONE, NAMED = range(5)


THAT, WHETHER = range(2)


SOMEONE = ((), SOME)
"""What is announced first in every problem."""


Level = tuple[int, int, bool]


Claim = tuple[tuple[Level, ...], int]


Form = tuple[tuple[tuple[int, bool], ...], int]


class Premise(NamedTuple):
    """Hold what N agents see, as in Problem, and what is announced after "someone …"."""

    setup: str
    sees: tuple[tuple[int, ...], ...]
    said: tuple[Claim, ...]


def about(agent: int, negated: bool) -> int:
    """Return the fact that an agent's atom is true, or false."""
    return NAMED + 2 * agent + negated


@lru_cache(maxsize=1 << 12)
def levels_of(n: int, form: Form) -> list[tuple[tuple[int, ...], tuple[int, bool]]]:
    """Return for each level of a form, the innermost first, which agents its `cases` have there, and its link and sign.

    The two outermost levels have all agents, each deeper one a single agent: all of them would be too many.
    """
    shape, _ = form
    drawn = stream("cases", n, str(form))
    levels = []
    for depth, level in enumerate(shape):
        if depth < 2:
            agents = tuple(range(n))
        else:
            beyond = levels[-1][0]
            agents = (drawn.draw([agent for agent in range(n) if (agent,) != beyond], 1)[0],)
        levels.append((agents, level))
    return levels[::-1]


@lru_cache(maxsize=1 << 12)
def cases(n: int, form: Form) -> list[Claim]:
    """Return the hypotheses of a form that premises are compared by: of order 1 and 2 all that there are."""
    _, kind = form
    claims: dict[int | None, list[Claim]] = {
        None: [((), about(agent, kind > NAMED)) for agent in range(n)] if kind >= NAMED else [((), kind)]
    }
    for agents, (link, negated) in levels_of(n, form):
        claims = {
            agent: [
                (((agent, link, negated), *levels), fact)
                for other, inner in claims.items()
                if other != agent
                for levels, fact in inner
            ]
            for agent in agents
        }
    return [claim for inner in claims.values() for claim in inner]


def renamed(claims: tuple[Claim, ...], number: dict[int, int]) -> tuple[Claim, ...]:
    """Return claims with agents by number; those that have none get the next ones, in `number`."""
    spoken = []
    for levels, fact in claims:
        if levels:
            levels = tuple([(number.setdefault(agent, len(number)), link, negated) for agent, link, negated in levels])
        if fact >= NAMED:
            agent, negated = divmod(fact - NAMED, 2)
            fact = about(number.setdefault(agent, len(number)), negated)
        spoken.append((levels, fact))
    return tuple(spoken)


def all_forms(max_order: int) -> list[Form]:
    """Return the forms of hypotheses up to an order."""
    return [
        (levels, kind)
        for order in range(1, max_order + 1)
        for levels in product(product((THAT, WHETHER), (False, True)), repeat=order)
        for kind in range(NAMED + 2)
    ]


@lru_cache(maxsize=1 << 16)
def formula(claim: Claim, n: int) -> Formula:
    """Return a claim about n agents as a formula."""
    levels, fact = claim
    atoms = tuple([Atom(number) for number in range(1, n + 1)])
    said: Formula
    match fact:
        case 0:
            said = Or(atoms)
        case 1:
            said = And(atoms)
        case 2:
            said = Not(And(atoms))
        case 3:
            said = Not(Or(atoms))
        case _:
            agent, negated = divmod(fact - NAMED, 2)
            said = Not(atoms[agent]) if negated else atoms[agent]
    for agent, link, negated in reversed(levels):
        said = (KnowsWhether if link else Knows)(agent_name(agent), said)
        if negated:
            said = Not(said)
    return said


def problem(premise: Premise, hypothesis: Claim) -> Problem:
    """Return a premise and a hypothesis as a problem."""
    n = len(premise.sees)
    said = tuple([formula(claim, n) for claim in (SOMEONE, *premise.said)])
    return Problem(premise.setup, premise.sees, said, formula(hypothesis, n))


def coded(posed: Problem) -> tuple[Premise, Claim]:
    """Return a problem as a premise and a hypothesis; the opposite of `problem`.

    Raises ValueError where it is not made of claims, or does not announce first that someone ….
    """
    n = len(posed.sees)
    said = tuple([_claim(each, n) for each in posed.announcements])
    if said[:1] != (SOMEONE,):
        raise ValueError("the first announcement is not that someone …")
    return Premise(posed.setup, posed.sees, said[1:]), _claim(posed.hypothesis, n)


def _claim(said: Formula, n: int) -> Claim:
    levels: list[Level] = []
    while True:
        match said:
            case Knows(agent, of):
                level = agent, THAT, False
            case KnowsWhether(agent, of):
                level = agent, WHETHER, False
            case Not(Knows(agent, of)):
                level = agent, THAT, True
            case Not(KnowsWhether(agent, of)):
                level = agent, WHETHER, True
            case _:
                break
        number = next((number for number in range(n) if agent_name(number) == agent), None)
        if number is None:
            raise ValueError(f"{agent} is none of {n} agents")
        levels.append((number, *level[1:]))
        said = of
    for fact in range(NAMED + 2 * n):
        if formula(((), fact), n) == said:
            return tuple(levels), fact
    raise ValueError(f"not a fact about {n} agents: {said}")
