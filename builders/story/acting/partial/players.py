"""Players who win too seldom: who do not find out first, or take the game wrongly.

Each knows the prompt and plays the episode as it is. What he perceives leaves him those alternatives that he would have
perceived it in, as he takes the game; where it leaves none he goes on as if he had perceived nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ....streams import Stream
from ...meaning import TeachingRule, shared
from ...shortcuts import FORGETFUL
from .game import Partial
from .solve import Policies, bits_of

Possible = dict[int, int]  # by alternative that a player holds possible: the number of its state, as he takes the game
Chooser = Callable[[Policies, int, Possible], int]  # which doing a player chooses in a turn

# What players take the game to be who take it wrongly.
MISTAKEN: dict[str, Callable[[Partial], Partial]] = {
    "no trust": partial(replace, rule=FORGETFUL["trust ignored"]),
    "no secrecy": partial(replace, rule=TeachingRule(aware=lambda facts, chain: shared(facts.open, chain))),
}


def hindsight(policies: Policies, turn: int, possible: Possible) -> int:
    """Choose what leaves most alternatives to be won, then with the fewest lines, if the truth were told right after.

    So this player never asks.
    """
    return hindsight_of(policies, turn, [*possible.values()])


def hindsight_of(policies: Policies, turn: int, states: list[int]) -> int:
    """Choose as `hindsight` does in some states."""
    worth = [*map(sum, zip(*[policies.needs(turn, state) for state in states], strict=True))]
    return worth.index(min(worth))


def supposing(policies: Policies, turn: int, possible: Possible, truth: int) -> int:
    """Choose what wins with the fewest lines in one alternative that is taken for the truth, as long as it can be."""
    state = possible.get(truth, next(iter(possible.values())))
    best = next((doings for doings in policies.good(turn, state) if doings), 1)
    return bits_of(best)[0]


def searching(policies: Policies, turn: int, possible: Possible) -> int:
    """Choose what a policy has that wins for sure, else what `hindsight` does."""
    choice = policies.choice(turn, frozenset(possible.values()), policies.turns - turn)
    return choice if choice >= 0 else hindsight(policies, turn, possible)


def at_random(stream: Stream) -> Chooser:
    """Return a player who chooses any line that can be done."""

    def choose(policies: Policies, turn: int, possible: Possible) -> int:
        state = next(iter(possible.values()))
        able = [number for number in range(len(policies.doings)) if policies.able(turn, state, number)]
        return stream.draw(able, 1)[0]

    return choose


class Play:
    """Let players play an episode: in each alternative if it is the truth, and against the worst of them."""

    def __init__(self, policies: Policies, taken: Policies | None = None) -> None:
        """Take an episode, and it as the player takes it."""
        self.policies, self.taken = policies, taken or policies
        self.start = dict(enumerate(map(policies.state, policies.game.starts)))
        self.believed = dict(enumerate(map(self.taken.state, self.taken.game.starts)))

    def share(self, choose: Chooser) -> float:
        """Return in how many of the alternatives a player wins."""
        return sum(self.wins(choose, {truth: self.start[truth]}) for truth in self.start) / len(self.start)

    def wins(self, choose: Chooser, truth: Possible | None = None) -> bool:
        """Return whether a player wins whatever of some alternatives is true, by default of all."""
        return self._wins(choose, 0, self.start if truth is None else truth, self.believed)

    def _wins(self, choose: Chooser, turn: int, truth: Possible, believed: Possible) -> bool:
        if turn == self.policies.turns:
            return all(map(self.policies.met, truth.values()))
        number = choose(self.taken, turn, believed)
        return all(
            self._wins(choose, turn + 1, part, self._left(turn, believed, number, seen))
            for seen, part in after(self.policies, turn, truth, number).items()
        )

    def _left(self, turn: int, believed: Possible, number: int, seen: int) -> Possible:
        parts = after(self.taken, turn, believed, number)
        return parts.get(seen) or {alternative: state for part in parts.values() for alternative, state in part.items()}


def after(policies: Policies, turn: int, possible: Possible, number: int) -> dict[int, Possible]:
    """Return the alternatives after a doing, each with its state, by what is perceived."""
    found: dict[int, Possible] = {}
    for alternative, state in possible.items():
        seen, then = policies.moved(turn, state, number)
        found.setdefault(seen, {})[alternative] = then
    return found


def share_of(policies: Policies, name: str) -> float:
    """Return in how many of the alternatives a player of MISTAKEN wins, or one of "hindsight" and "one alternative".

    "one alternative" supposes one; its share is the mean over all that it may be.
    """
    if name in MISTAKEN:
        return Play(policies, Policies(MISTAKEN[name](policies.game))).share(searching)
    plays, alternatives = Play(policies), range(len(policies.game.starts))
    if name == "hindsight":
        return plays.share(hindsight)
    return sum(plays.share(partial(supposing, truth=truth)) for truth in alternatives) / len(alternatives)
