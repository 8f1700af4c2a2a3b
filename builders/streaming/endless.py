"""Endless rows: the row of any index, from the dataset, the config, its fields, the seed and the index alone."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import NoneType
from typing import Any, NamedTuple

from ..columns import Row
from ..configs import ChunkedUnits, config_named, told_in
from ..dataset import dataset_named
from ..errors import UserError
from ..garbage import seldom_collected
from ..splits import builtin, is_integer
from . import sealed
from .curriculum import Curriculum, Place

# How many units are drawn for a place before it is said that the fields leave no problem outside the test builds.
ATTEMPTS = 200

Stage = tuple[Mapping[str, Any], float]  # fields of a stage of a curriculum, perhaps also its `config`, and its weight


class StreamRow(NamedTuple):
    """Hold a row of a stream with what its proof needs, and what tells its problem from others."""

    row: Row  # the row
    problem: bytes  # the hash of its problem, which all renamings share
    named: Row  # the columns that the stream named anew, as the row had them in its chunk


class Endless:
    """Give the rows of a config for ever: iterate, or ask for `[index]`, or iterate from an index by `rows_from`.

    A unit that holds a problem of the default test builds is skipped, and another is drawn for its place. Other rows do
    not change by that.
    """

    def __init__(self, dataset: str, stages: Sequence[ChunkedUnits[Any]], curriculum: Curriculum) -> None:
        """Hold what `endless` has checked. Raises UserError where the seal of the test problems cannot be read."""
        self.unit = stages[0].unit
        self.drawn = 0  # the units drawn until now
        self.skipped = 0  # those of them that were skipped
        self._dataset, self._stages, self._curriculum = dataset, stages, curriculum
        self._sealed = sealed.read()
        self._last: tuple[int, list[StreamRow]] = (-1, [])

    def __getitem__(self, index: int) -> Row:
        """Return the row of an index. Raises IndexError below 0."""
        return dict(self.drawn_row(index).row)

    def __iter__(self) -> Iterator[Row]:
        """Yield all rows from the first."""
        return self.rows_from(0)

    def rows_from(self, index: int) -> Iterator[Row]:
        """Yield the rows of an index and all that follow."""
        yield from map(self.__getitem__, count(builtin(index)))

    def drawn_row(self, index: int) -> StreamRow:
        """Return the row of an index with what its proof needs; nobody may change it. Raises as `[index]`."""
        index = builtin(index)
        if not is_integer(index):
            raise TypeError(f"index is {index!r}; it must be an integer, and rows_from(index) continues from one")
        if index < 0:
            raise IndexError(f"index is {index}; it must be 0 or more, as an endless stream has no last row")
        place = self._curriculum.place(index)
        if self._last[0] != place.unit:
            self._last = place.unit, self._unit(place)
        return self._last[1][index - place.first]

    def __reduce__(self) -> tuple[type, tuple[str, Sequence[ChunkedUnits[Any]], Curriculum], dict[str, int]]:
        """Return how the stream is made again, so that it can be pickled; it has drawn as many units."""
        state = {"drawn": self.drawn, "skipped": self.skipped}
        return type(self), (self._dataset, self._stages, self._curriculum), state

    @property
    def share_skipped(self) -> float:
        """Return the share of the units drawn until now that were skipped."""
        return self.skipped / self.drawn if self.drawn else 0.0

    @seldom_collected()
    def _unit(self, place: Place) -> list[StreamRow]:
        """Return the rows of a unit: of its first draw without a problem of the test builds."""
        units = self._stages[place.stage]
        for attempt in range(ATTEMPTS):
            rows, problems = units.draw(place.number, attempt)
            self.drawn += 1
            hashes = [sealed.hash_of(self._dataset, problem) for problem in problems]
            if self._sealed.isdisjoint(hashes):
                named = units.named(rows, place.unit, place.first)
                return [
                    StreamRow(row | new, problem, {column: row[column] for column in new})
                    for row, new, problem in zip(rows, named, hashes, strict=True)
                ]
            self.skipped += 1
        raise UserError(
            f"a chunk cannot be filled; change {units.knobs}: each {units.unit} of {ATTEMPTS} drawn for place "
            f"{place.number} is in the default test builds"
        )


def endless(
    dataset: str, config: str = "all", seed: int = 0, curriculum: Sequence[Stage] | None = None, **fields: Any
) -> Endless:
    """Return the endless rows of a published config, with fields of it set to other values.

    curriculum: stages, each (fields, weight); a weight is the stage's share of stories or blocks. A stage has the
    fields given here and its own; the field `config` names another config, which takes the fields that it has. The
    field `world`, such as call, stands for the language of that world. Raises UserError for what is unknown.
    """
    known = dataset_named(dataset)
    seed, curriculum = builtin(seed), builtin(curriculum)
    fields = told_in({name: builtin(fields[name]) for name in fields})
    if not isinstance(curriculum, (list, tuple, NoneType)):
        raise UserError(f"curriculum is {curriculum!r}; it must be a list of stages, each (fields, weight)")
    stages: list[tuple[dict[str, Any], float]] = []
    for stage in [({}, 1)] if curriculum is None else curriculum:
        try:
            own, weight = stage
            chosen = {"config": config, **told_in(own)}
        except (TypeError, ValueError):
            raise UserError(f"a stage of the curriculum is {stage!r}; it must be (fields, weight)") from None
        # A stage of another config takes of the fields given here those that it has.
        knobs = fields if chosen["config"] == config else config_named(known.configs, chosen["config"]).knobs
        stages.append(({**{field: fields[field] for field in fields if field in knobs}, **chosen}, weight))
    for field in fields:
        if not any(field in chosen for chosen, _ in stages):
            raise UserError(f"no stage of the curriculum has the field {field!r}; leave it out")
    units = [known.units(chosen.pop("config"), seed, chosen) for chosen, _ in stages]
    mixed = Curriculum(seed, [weight for _, weight in stages], [stage.size for stage in units])
    return Endless(dataset, units, mixed)
