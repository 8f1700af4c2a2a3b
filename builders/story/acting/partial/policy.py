"""A policy as a tree: a line, and for each thing that the player may then perceive what he does next."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..world import World
from .game import Ask, Doing, Partial, Seen, play
from .solve import Policies


class Policy(NamedTuple):
    """Say what to do, and what then, by what is perceived."""

    doing: Doing
    then: dict[Seen, "Policy"]  # none after the last turn

    def wins(self, game: Partial) -> bool:
        """Return whether the policy wins an episode whatever is true; what it does not foresee is lost."""
        return all(self.wins_in(game, alternative) for alternative in range(len(game.alternatives)))

    def wins_in(self, game: Partial, alternative: int) -> bool:
        """Return whether the policy wins if one alternative is true."""
        world, policy = game.starts[alternative], self
        for turn, response in enumerate(game.script):
            seen, world = play(world, policy.doing, response)
            if turn + 1 < game.turns:
                if seen not in policy.then:
                    return False
                policy = policy.then[seen]
        return game.won(world)

    def branches(self) -> Iterator[tuple[Doing, ...]]:
        """Yield what is done on each branch, first to last."""
        for policy in self.then.values():
            for doings in policy.branches():
                yield (self.doing, *doings)
        if not self.then:
            yield (self.doing,)

    def questions(self) -> int:
        """Return the most questions of a branch."""
        return max(sum(isinstance(doing, Ask) for doing in doings) for doings in self.branches())


def policy_of(policies: Policies, game: Partial) -> Policy:
    """Return a policy that wins an episode whatever is true; of several one with most questions on some branch.

    Raises ValueError where none wins.

    policies: those of the episode, or of one that differs in its alternatives alone.
    """
    return _policy(policies, game, 0, game.starts)


def _policy(policies: Policies, game: Partial, turn: int, worlds: Iterable[World]) -> Policy:
    node = frozenset(policies.state(world, turn) for world in worlds)
    _, number = policies.curious(turn, node)
    if number < 0:
        raise ValueError(f"no policy wins from turn {turn + 1} on; expected an episode that can be won")
    doing, then = policies.doings[number], defaultdict(list)
    if turn + 1 < game.turns:
        for world in worlds:
            seen, after = play(world, doing, game.script[turn])
            then[seen].append(after)
    return Policy(doing, {seen: _policy(policies, game, turn + 1, some) for seen, some in then.items()})
