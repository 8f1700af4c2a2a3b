"""How a label depends on the announcements: which of them it needs, and how few of them give it."""

from .claims import SOMEONE, Claim, Premise
from .states import State, after_all_but_one, initial_state


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
    needs none. This is a breadth-first search over states.
    """
    announcements = (SOMEONE, *premise.announcements)
    # Each state that `count` announcements can lead to, and the first place from which more of them may follow.
    reached = {initial_state(premise.sees): 0}
    for count in range(len(announcements)):
        if any(state.entails(hypothesis) == follows for state in reached):
            return count
        further: dict[State, int] = {}
        for state, start in reached.items():
            for place in range(start, len(announcements)):
                following = state.announce(announcements[place])
                if following.law:
                    further[following] = min(place + 1, further.get(following, len(announcements)))
        reached = further
    return len(announcements)
