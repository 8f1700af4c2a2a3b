"""The endless blocks of mindgames, and the keys of their problems."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from ..columns import Row
from ..configs import MOST_KEPT, ChunkedUnits
from ..dataset import dataset_named
from ..errors import UserError
from ..logic.chunks import CHUNK
from ..logic.claims import Claim, Premise
from ..logic.config import Planned, ProblemConfig
from ..logic.premises import TooFewError, identity
from ..logic.rounds_drawing import Block as PuzzleBlock
from ..logic.rounds_drawing import identity as puzzle_identity
from ..logic.rows import part_rows, plan_part, problems_in_order, units_of, wording_stream
from ..syntax.rounds import First


class Units(ChunkedUnits[ProblemConfig]):
    """Draw the blocks of one config, each from its chunk and its place there alone; its setups take turns.

    Each setup has chunks of its own.
    """

    unit = "block"
    knobs = "n_agents or max_order"  # the fields to change where blocks cannot be drawn

    def __init__(self, name: str, seed: int, fields: Mapping[str, Any]) -> None:
        """Hold the config. Raises UserError for a config that cannot be."""
        super().__init__("mindgames", dataset_named("mindgames").configs, name, seed, fields, CHUNK)
        self.config.checker = "embedded"
        self.size = 1 if self.config.is_single else 4
        self.chunk = CHUNK * len(self.config.setups)
        self._planned = lru_cache(maxsize=2 * len(self.config.setups))(self._chunk)
        self._drawn: Callable[..., list[Planned]] = lru_cache(maxsize=MOST_KEPT)(lambda *chunk: [])

    def draw(self, number: int, attempt: int) -> tuple[list[Row], list[str]]:
        """Return the rows of the block of a number, named as those of its chunk, and the keys of their problems.

        Further attempts are blocks with as many agents, and hypotheses as deep.
        """
        place, turn = divmod(number, len(self.config.setups))
        setup = self.config.setups[turn]
        chunk, place = divmod(place, CHUNK)
        config, blocks = self._blocks(setup, chunk, 0, place + 1)
        if attempt:
            like = cell(blocks[place])
            rank = sum(cell(block) == like for block in blocks[:place])
            config, blocks = self._blocks(setup, chunk, attempt, CHUNK)
            alike = [other for other, block in enumerate(blocks) if cell(block) == like]
            place = alike[rank % len(alike)] if alike else place
        rows = part_rows(config, setup, self.split, range(place, place + 1), [blocks[place]])
        return rows, keys_of(config, setup, self.split, place, blocks[place])

    def _blocks(self, setup: str, chunk: int, attempt: int, count: int) -> tuple[ProblemConfig, list[Planned]]:
        """Return the config of a chunk, and the first blocks of it: `count` or more."""
        try:
            config, blocks, others = self._planned(setup, chunk, attempt)
            blocks += islice(others, max(0, count - len(blocks)))
        except TooFewError as error:
            self._planned.cache_clear()  # what ended by an error gives no more
            raise UserError(f"a chunk cannot be filled; change {self.knobs}: {error}") from None
        return config, blocks

    def _chunk(self, setup: str, chunk: int, attempt: int) -> tuple[ProblemConfig, list[Planned], Iterator[Planned]]:
        """Return the config of a chunk, the blocks of it that were drawn before, and all blocks to come."""
        config, drawn = self._seeded(setup, chunk, attempt), self._drawn(setup, chunk, attempt)
        return config, drawn, islice(units_of(config, setup, self.split), len(drawn), None)

    def named(self, rows: list[Row], number: int, first: int) -> list[Row]:
        """Return the columns that a stream names anew in rows: their index there, and the number of their block."""
        block = f"{self.config.prefix}{rows[0]['setup']}-endless-{number:06d}" if rows[0]["block"] else None
        return [{"index": index, "seed": self.config.seed, "block": block} for index, _ in enumerate(rows, first)]


def keys_of(config: ProblemConfig, setup: str, split: str, index: int, planned: Planned) -> list[str]:
    """Return the keys of the problems of a block, or of the single problem, in the order of its rows."""
    if isinstance(planned, PuzzleBlock):
        asked = wording_stream(config, setup, split, index).shuffled(planned.problems())
        return [repr(puzzle_identity(puzzle, supposed)) for puzzle, supposed, _ in asked]
    _, problems = problems_in_order(config, setup, split, index, planned)
    return [problem_key(premise, hypothesis) for premise, hypothesis, _ in problems]


def problem_key(premise: Premise, hypothesis: Claim) -> str:
    """Return a key that a problem shares with its renamings."""
    return repr(identity(premise, {}, hypothesis))


def cell(planned: Planned) -> tuple[int, int]:
    """Return what the plan shares out: the number of agents, and the order of the hypotheses.

    Of puzzles in rounds it is the number of persons, and whether hypotheses are about a first yes.
    """
    if isinstance(planned, PuzzleBlock):
        return len(planned.p.sees), int(isinstance(planned.h, First))
    premise, *_, (levels, _) = planned
    return len(premise.sees), len(levels)


def problems_in_test(config: ProblemConfig) -> list[str]:
    """Return the keys of all problems in the test split of a config."""
    return [
        key
        for setup in config.setups
        for index, planned in enumerate(plan_part(config, setup, "test")["test"])
        for key in keys_of(config, setup, "test", index, planned)
    ]
