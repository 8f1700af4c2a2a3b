"""The endless blocks of mindgames: how a number becomes a block of problems, or a single problem."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

from ..columns import Row
from ..configs import chosen_fields, with_fields
from ..errors import UserError
from ..logic.blocks import Block
from ..logic.chunks import CHUNK
from ..logic.claims import Claim, Premise
from ..logic.config import CONFIGS, FAMILIES, ProblemConfig
from ..logic.premises import TooFewError, identity
from ..logic.rows import Planned, part_rows, problems_in_order, units_of
from ..streams import derived_seed


class Units:
    """Draw the blocks of one config, each from its chunk and its place there alone; its setups take turns.

    A chunk is a small split with its own seed, which is derived from the config, its fields, the
    seed, the setup and the chunk's number, and its plan keeps the balance.
    """

    unit = "block"
    knobs = "n_agents or max_order"  # the fields to change where blocks cannot be drawn

    def __init__(self, name: str, seed: int, fields: Mapping[str, Any]) -> None:
        """Hold the config. Raises UserError for a config that cannot be."""
        config = with_fields(CONFIGS, name, seed, fields, CHUNK)
        self.config = replace(config, checker="embedded")
        (self.split,) = config.sizes()
        self._key = "mindgames", name, chosen_fields(config, CONFIGS), seed
        self.size = 1 if FAMILIES[config.family].single else 4
        self.chunk = CHUNK * len(config.setups)
        self._planned = lru_cache(maxsize=2 * len(config.setups))(self._chunk)

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
        _, problems = problems_in_order(config, setup, self.split, place, blocks[place])
        return rows, [problem_key(premise, hypothesis) for premise, hypothesis, _ in problems]

    def _blocks(self, setup: str, chunk: int, attempt: int, count: int) -> tuple[ProblemConfig, list[Planned]]:
        """Return the config of a chunk, and the first blocks of it: `count` or more."""
        try:
            config, blocks, others = self._planned(setup, chunk, attempt)
            blocks += islice(others, max(0, count - len(blocks)))
        except TooFewError as error:
            self._planned.cache_clear()  # what ended by an error gives no more
            raise UserError(f"a chunk cannot be filled, change {self.knobs}: {error}") from None
        return config, blocks

    def _chunk(self, setup: str, chunk: int, attempt: int) -> tuple[ProblemConfig, list[Planned], Iterator[Planned]]:
        """Return the config of a chunk, no blocks yet, and all blocks to come."""
        config = replace(self.config, seed=derived_seed(*self._key, setup, chunk, attempt))
        return config, [], units_of(config, setup, self.split)

    def name(self, rows: list[Row], number: int, first: int) -> None:
        """Name rows by their index in the stream, and by the number of their block."""
        for index, row in enumerate(rows, first):
            row["index"], row["seed"] = index, self.config.seed
            row["block"] = row["block"] and f"{self.config.prefix}{row['setup']}-endless-{number:06d}"


def problems_of(planned: Planned) -> list[tuple[Premise, Claim]]:
    """Return the problems of a block, or the single problem."""
    return list(product((planned.p, planned.q), (planned.h, planned.g))) if isinstance(planned, Block) else [planned]


def problem_key(premise: Premise, hypothesis: Claim) -> str:
    """Return a key that a problem shares with its renamings."""
    return repr(identity(premise, {}, hypothesis))


def cell(planned: Planned) -> tuple[int, int]:
    """Return what the plan shares out: the number of agents, and the order of the hypotheses."""
    premise, *_, (levels, _) = planned
    return len(premise.sees), len(levels)


def problems_in_test(config: ProblemConfig) -> list[str]:
    """Return the keys of all problems in the test split of a config."""
    return [
        problem_key(premise, hypothesis)
        for setup in config.setups
        for planned in islice(units_of(config, setup, "test"), config.sizes()["test"])
        for premise, hypothesis in problems_of(planned)
    ]
