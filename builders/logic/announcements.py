"""How a label depends on the announcements: which of them it needs, and how few of them give it."""

from .claims import SOMEONE, Claim, Premise
from .states import State, initial_state, state_after


def needed_announcements(premise: Premise, hypotheses: tuple[Claim, ...]) -> list[int]:
    """Return for each hypothesis how many announcements are needed: without one, the label changes or no world is left.

    SOMEONE counts among the announcements. The count is the column `needs_announcements`.
    """
    whole = state_after(premise)
    announcements = (SOMEONE, *premise.announcements)
    counts = [0] * len(hypotheses)
    before = initial_state(premise.sees)
    for place, announcement in enumerate(announcements):
        without = before
        for other in announcements[place + 1 :]:
            without = without.announce(other)
        for number, hypothesis in enumerate(hypotheses):
            counts[number] += not without.law or without.entails(hypothesis) != whole.entails(hypothesis)
        before = before.announce(announcement)
    return counts


def shortest_proof(premise: Premise, hypothesis: Claim) -> int:
    """Return the length of the shortest subsequence of the announcements that gives the label and leaves a world.

    SOMEONE counts among the announcements; 0 means that the label needs none. This is a breadth-first search over
    states.
    """
    label = state_after(premise).entails(hypothesis)
    announcements = (SOMEONE, *premise.announcements)
    # Each state that `count` announcements can lead to, and the first place from which more of them may follow.
    reached = {initial_state(premise.sees): 0}
    for count in range(len(announcements)):
        if any(state.entails(hypothesis) == label for state in reached):
            return count
        further: dict[State, int] = {}
        for state, start in reached.items():
            for place in range(start, len(announcements)):
                following = state.announce(announcements[place])
                if following.law:
                    further[following] = min(place + 1, further.get(following, len(announcements)))
        reached = further
    return len(announcements)
