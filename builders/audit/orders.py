"""The rules about order blocks: what the audit asks besides the rules for all problems (docs/audit.md)."""

from collections.abc import Hashable, Sequence
from itertools import combinations

from ..logic.claims import NAMED, SOMEONE, Claim, from_problem
from ..logic.glances import Glances, after, needed
from ..logic.orders import order_matters
from ..logic.states import initial_state
from ..syntax.formula import Problem


def order_features(pairs: Sequence[str], n_announcements: int) -> dict[str, Hashable]:
    """Return what each rule that learns sees of the order of the announcements.

    pairs: the hypothesis with each sentence of the premise, names by their place in the hypothesis; the announcements
    after the first come last.
    """
    said = tuple(pairs[len(pairs) - n_announcements :])
    return {
        "set of sentences": tuple(sorted(pairs)),
        "first sentence": said[:1],
        "last sentence": said[-1:],
        "placed sentences": tuple([f"{place} {sentence}" for place, sentence in enumerate(said)]),
        "ordered pairs": tuple([f"{one} {other}" for one, other in combinations(said, 2)]),
    }


def order_guesses(problem: Problem) -> dict[str, bool]:
    """Return whether the hypothesis follows for each rule that forgets a part of an order block's problem."""
    premise, hypothesis = from_problem(problem)
    start, said = initial_state(premise.sees).announce(SOMEONE), premise.announcements
    facts = tuple([claim for claim in said if not claim[0]])
    knowledge = tuple([claim for claim in said if claim[0]])
    agents = range(len(premise.sees))
    forgotten = next((agent for agent in agents if agent not in named(hypothesis)), agents[-1])
    heard = tuple([claim for claim in said if forgotten not in named(claim)])
    reordered = {"facts first": facts + knowledge, "facts last": knowledge + facts, "without some agent": heard}
    guesses = Glances(start, said).guesses(hypothesis)
    return guesses | {rule: after(start, order).entails(hypothesis) for rule, order in reordered.items()}


def order_needs(problem: Problem, follows: bool) -> dict[str, bool]:
    """Return whether a problem needs two and three announcements after the first, and whether their order matters."""
    premise, hypothesis = from_problem(problem)
    start = initial_state(premise.sees).announce(SOMEONE)
    count = sum(needed(start, premise.announcements, hypothesis, follows))
    matters = order_matters(premise, hypothesis)
    return {"needs two": count >= 2, "needs three": count >= 3, "order matters": matters}


def named(claim: Claim) -> set[int]:
    """Return the agents that a claim names."""
    levels, fact = claim
    return {agent for agent, _, _ in levels if agent >= 0} | ({(fact - NAMED) // 2} if fact >= NAMED else set())
