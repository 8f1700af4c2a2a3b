"""How a label depends on the announcements: which of them it needs, and how few of them give it."""

from itertools import combinations

from .claims import SOMEONE, Claim, Premise
from .states import State, after, after_all_but_one, initial_state


def needed(start: State, announcements: tuple[Claim, ...], hypothesis: Claim, follows: bool) -> list[bool]:
    """Return of each announcement whether it is needed: without it the label changes, or no world is left."""
    without = after_all_but_one(start, announcements)
    return [not state.law or state.entails(hypothesis) != follows for state in without]


def needed_announcements(premise: Premise, hypothesis: Claim, follows: bool) -> int:
    """Return how many announcements are `needed`.

    follows: whether the hypothesis does, by all of them. SOMEONE counts among them. The count is the column
    `needs_announcements`.
    """
    return sum(needed(initial_state(premise.sees), (SOMEONE, *premise.announcements), hypothesis, follows))


def shortest_proof(premise: Premise, hypothesis: Claim, follows: bool) -> int:
    """Return the length of the shortest subsequence of the announcements that gives the label and leaves a world.

    follows: whether the hypothesis does, by all of them. SOMEONE counts among the announcements; 0 means that the label
    needs none.
    """
    start, announcements = initial_state(premise.sees), (SOMEONE, *premise.announcements)
    for count in range(len(announcements)):
        states = (after(start, kept) for kept in combinations(announcements, count))
        if any(state.law and state.entails(hypothesis) == follows for state in states):
            return count
    return len(announcements)
