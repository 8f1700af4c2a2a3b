"""Endless episodes of the game in which a player makes others believe something.

    from tom_datasets import episodes

    episode = episodes(seed=7)[12]
    print(episode.prompt)
    observation, reward, done = episode.step("Action: Pat waited.")

An episode is a function of the seed, the index and the cell that is asked for. None is one of the default `plans`.
"""

from collections.abc import Iterator
from itertools import count

from ..errors import UserError, located
from ..splits import ENGLISH, builtin, is_integer
from ..story.acting.draw import CELLS, CONTAINERS, draw_game
from ..story.acting.episode import Episode
from ..story.acting.world import ROOM
from ..streams import check_seed, stream
from ..wording.stories import voice
from . import sealed


class Episodes:
    """Give the episodes of a seed for ever: iterate, or ask for `[index]`."""

    def __init__(self, seed: int, acts: int | None, depth: int | None) -> None:
        self.seed = seed
        self.cells = tuple(cell for cell in CELLS if acts in (None, cell[0]) and depth in (None, cell[1]))
        if not self.cells:
            known = ", ".join(f"{acts} and {depth}" for acts, depth in CELLS)
            raise UserError(f"no episodes have {acts} acts and depth {depth}; acts and depth may be {known}")

    def __getitem__(self, index: int) -> Episode:
        """Return the episode of an index. Raises IndexError below 0."""
        index = builtin(index)
        if not is_integer(index):
            raise TypeError(f"index is {index!r}; it must be an integer")
        if index < 0:
            raise IndexError(f"index is {index}; it must be 0 or more, as there is no last episode")
        block, place = divmod(index, len(self.cells))
        cell = stream("acting", self.seed, "cells", len(self.cells), block).shuffled(self.cells)[place]
        return episode_of(cell, self.seed, index)

    def __iter__(self) -> Iterator[Episode]:
        """Yield all episodes from the first."""
        yield from map(self.__getitem__, count())


def episode_of(cell: tuple[int, int], seed: int, index: int) -> Episode:
    """Return the episode of a cell, a seed and an index; one of the default test builds is drawn again."""
    key, say = ("acting", "episode", seed, *cell, index), voice(ENGLISH)
    drawn, wording = stream(*key, "problem"), stream(*key, "wording")
    game = draw_game(drawn, *cell)
    while sealed.hash_of("hi_tom", repr(game)) in sealed.read():
        game = draw_game(drawn, *cell)
    names = say.names(wording, wording.below(say.n_casts), game.n_agents, ROOM + 1, 1, CONTAINERS)
    return Episode(game, names, seed, index)


def episodes(seed: int = 0, acts: int | None = None, depth: int | None = None) -> Episodes:
    """Return endless episodes: of all cells in turn, or of those with this least number of acts and this depth.

    Raises UserError for a seed that is no integer of 64 bits, and for a cell that does not exist.
    """
    seed, acts, depth = builtin([seed, acts, depth])
    with located(""):
        check_seed(seed)
    return Episodes(seed, acts, depth)
