"""Shortcuts that ignore a part of the announcements, or their order, and what each answers about an order block."""

from functools import lru_cache

from .claims import SOMEONE, Announcements, Claim, agents_of, renamed
from .states import State, after, initial_state


class OrderShortcuts:
    """Hold the states that announcements would leave if a part of them had not been made, or none saw anything.

    Attributes: `start` and `said`, what the announcements are made in, and these; `state`, which all of them leave in
    their order; `forgetful`, the others by rule.
    """

    def __init__(self, start: State, said: Announcements) -> None:
        """Make the states; `start` is what SOMEONE leaves."""
        self._n, self.start, self.said = len(start.atoms), start, said
        blind = initial_state(((),) * self._n).announce(SOMEONE)
        self.state = after(start, said)
        self.forgetful = {
            "first only": after(start, said[:1]),
            "last only": after(start, said[-1:]),
            "first two": after(start, said[:2]),
            "last two": after(start, said[-2:]),
            "all but the first": after(start, said[1:]),
            "all but the last": after(start, said[:-1]),
            "as if none saw": after(blind, said),
        }

    def guesses(self, hypothesis: Claim) -> dict[str, bool]:
        """Return whether a hypothesis follows, for each rule. Where a rule leaves no world, everything follows."""
        levels, fact = hypothesis
        found = {rule: state.entails(hypothesis) for rule, state in self.forgetful.items()}
        found["inner part"] = self.state.entails((levels[1:], fact))
        found["agents swapped"] = self.state.entails(swapped(hypothesis, self._n))
        return found


# Return the shortcuts to some announcements, made once for all forms that are compared.
shortcuts_of = lru_cache(maxsize=256)(OrderShortcuts)


def swapped(claim: Claim, n: int) -> Claim:
    """Return a claim in which the first two agents that it names change places, or its one agent with the next."""
    first, *others = agents_of(claim)
    second = next((agent for agent in others if agent != first), (first + 1) % n)
    places = {first: second, second: first}
    return renamed(claim, lambda agent: places.get(agent, agent))
