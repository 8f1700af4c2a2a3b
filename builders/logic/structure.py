"""Own how MindGames problems are drawn: a stream goes in, problems and blocks of four of them come out.

A claim is what is announced or supposed: (levels, fact), where each level is (agent, link, negated), the outermost
first, and a fact is SOME, ALL, NOT_ALL or NONE, or `about(agent, negated)`. An announcement has at most one level, a
hypothesis of order k has k. A form is a claim with its agents left out (DESIGN, section 5).
"""

from builders.logic.claims import SOMEONE, Claim, Premise
from builders.logic.states import State, after, start


def needed(premise: Premise, hypotheses: tuple[Claim, ...]) -> list[int]:
    """Return for each hypothesis how many announcements change its label, or leave no world, when one is left out.

    "Someone …" is one of them.
    """
    whole = after(premise)
    said = (SOMEONE, *premise.said)
    counts = [0] * len(hypotheses)
    state = start(premise.sees)
    for place, claim in enumerate(said):
        without = state
        for other in said[place + 1 :]:
            without = without.told(other)
        for number, hypothesis in enumerate(hypotheses):
            follows = whole.where(hypothesis) == whole.law
            counts[number] += not without.law or (without.where(hypothesis) == without.law) != follows
        state = state.told(claim)
    return counts


def shortest_proof(premise: Premise, hypothesis: Claim) -> int:
    """Return how few of the announcements, kept in their order, give the label alone and leave a world.

    "Someone …" is one of them; 0 where the label needs none.
    """
    whole = after(premise)
    follows = whole.where(hypothesis) == whole.law
    said = (SOMEONE, *premise.said)
    # Each state that so many announcements can lead to, and from which place on more of them may follow.
    reached = {start(premise.sees): 0}
    for count in range(len(said)):
        if any((state.where(hypothesis) == state.law) == follows for state in reached):
            return count
        further: dict[State, int] = {}
        for state, place in reached.items():
            for heard in range(place, len(said)):
                told = state.told(said[heard])
                if told.law:
                    further[told] = min(heard + 1, further.get(told, len(said)))
        reached = further
    return len(said)
