"""Endless episodes of the game in which a player makes others believe something.

    from tom_datasets import episodes

    episode = episodes(seed=7)[12]
    print(episode.prompt)
    observation, reward, done = episode.step("Action: Pat waited.")

An episode is a function of the seed, the index and the cell that is asked for. None is one of the default `plans`.
With `view="partial"` the player does not know all that happened, and can ask.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any, Generic, Literal, TypeVar, overload

from ..errors import UserError, located
from ..splits import ENGLISH, builtin, is_integer
from ..story.acting.draw import CELLS, CONTAINERS, draw_game
from ..story.acting.episode import Episode
from ..story.acting.partial.draw import CELLS as PARTIAL_CELLS
from ..story.acting.partial.draw import ON_REQUEST, Cell, draw_partial
from ..story.acting.partial.episode import TRUTHS, WORST, PartialEpisode
from ..story.acting.world import ROOM
from ..streams import check_seed, stream
from ..wording.stories import voice
from . import sealed

Played = TypeVar("Played", Episode, PartialEpisode)


VIEWS = "full", "partial"


class Endless(Generic[Played]):
    """Give the episodes of a seed for ever: iterate, or ask for `[index]`."""

    def __init__(self, game: str, seed: int, cells: Sequence[Any], make: Callable[[Any, int, int], Played]) -> None:
        """Take the name of a game, its cells, and what makes an episode. Each block of episodes has every cell once."""
        self.game, self.seed, self.cells = game, seed, tuple(cells)
        self._make: Callable[[Any, int, int], Played] = make

    def __getitem__(self, index: int) -> Played:
        """Return the episode of an index. Raises IndexError below 0."""
        index = builtin(index)
        if not is_integer(index):
            raise TypeError(f"index is {index!r}; it must be an integer")
        if index < 0:
            raise IndexError(f"index is {index}; it must be 0 or more, as there is no last episode")
        block, place = divmod(index, len(self.cells))
        cell = stream(self.game, self.seed, "cells", len(self.cells), block).shuffled(self.cells)[place]
        return self._make(cell, self.seed, index)

    def __iter__(self) -> Iterator[Played]:
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


def partial_episode_of(cell: Cell, seed: int, index: int, truth: str = WORST) -> PartialEpisode:
    """Return the episode with a partial view of a cell, a seed and an index."""
    key, say = ("partial", "episode", seed, *cell, index), voice(ENGLISH)
    game, _ = draw_partial(stream(*key, "problem"), cell)
    wording = stream(*key, "wording")
    names = say.names(wording, wording.below(say.n_casts), game.n_agents, ROOM + 1, 1, game.n_containers)
    return PartialEpisode(game, names, seed, index, truth)


@overload
def episodes(seed: int = 0, acts: int | None = None, depth: int | None = None) -> Endless[Episode]: ...


@overload
def episodes(
    seed: int = 0,
    acts: None = None,
    depth: int | None = None,
    *,
    view: Literal["partial"],
    alternatives: int | None = None,
    truth: str = WORST,
) -> Endless[PartialEpisode]: ...


def episodes(
    seed: int = 0,
    acts: int | None = None,
    depth: int | None = None,
    *,
    view: str = "full",
    alternatives: int | None = None,
    truth: str = WORST,
) -> Endless[Any]:
    """Return endless episodes: of all cells in turn, or of those with this least number of acts and this depth.

    view: "full", or "partial": the player perceives only a part, what else happened is one of some alternatives, and
    `truth` is "worst", settled as late and as badly as what he perceives allows, or "fixed".
    alternatives: of episodes with a partial view, only those with so many.

    Raises UserError for a seed that is no integer of 64 bits, for a cell that does not exist, and for an argument of
    the other view.
    """
    seed, acts, depth, alternatives = builtin([seed, acts, depth, alternatives])
    with located(""):
        check_seed(seed)
    if view == "full":
        if alternatives is not None or truth != WORST:
            raise UserError("alternatives and truth are for episodes with a partial view; say view='partial' too")
        cells = [cell for cell in CELLS if acts in (None, cell[0]) and depth in (None, cell[1])]
        if not cells:
            known = ", ".join(f"{acts} and {depth}" for acts, depth in CELLS)
            raise UserError(f"no episodes have {acts} acts and depth {depth}; acts and depth may be {known}")
        return Endless("acting", seed, cells, episode_of)
    if view != "partial":
        raise UserError(f"view is {view!r}; it must be one of {', '.join(VIEWS)}")
    if acts is not None:
        raise UserError(f"acts is {acts}; it must be None with view='partial': choose alternatives and depth")
    if truth not in TRUTHS:
        raise UserError(f"truth is {truth!r}; it must be one of {', '.join(TRUTHS)}")
    able = PARTIAL_CELLS if alternatives is None else (*PARTIAL_CELLS, *ON_REQUEST)
    asked = [cell for cell in able if alternatives in (None, cell[0]) and depth in (None, cell[2])]
    if not asked:
        known = ", ".join(f"{cell[0]} and {cell[2]}" for cell in (*PARTIAL_CELLS, *ON_REQUEST))
        raise UserError(
            f"no episodes have {alternatives} alternatives and depth {depth}; alternatives and depth may be {known}"
        )
    return Endless("partial", seed, asked, partial(partial_episode_of, truth=truth))
