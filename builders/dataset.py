"""What a dataset is to the commands: the class that each dataset fills in, and the datasets by their names.

A dataset is a package (`hi_tom/`, `mindgames/`) whose module `dataset.py` has its object, DATASET. The methods of that
object import what they need when they are called, so that `show` starts fast.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Generic

from .columns import Column, Row
from .configs import BuildOption, Built, ChunkedUnits, Config, Find, Selection
from .errors import UserError
from .files import Drawings
from .witness import Witnesses

NAMES = ("hi_tom", "mindgames")  # the datasets, in the order in which a command works on all of them


class Audit(ABC):
    """Say what can be guessed of a dataset's questions without reading, and hold its gates.

    A `build` is a `folder.build.Build`, a table one of `audit.shares`, and a question what the audit sees of a row.
    """

    pooled: bool  # whether all groups are counted as one more
    measured_apart: tuple[str, ...]  # the configs that the other tables leave out

    @abstractmethod
    def questions(self, build: Any, file: str, learn: bool) -> list[Any]:
        """Return the questions of a file, in their groups; `learn` adds what rules that learn see."""

    @abstractmethod
    def published_questions(self, rows: Iterable[tuple[str, Any]], left_out: Any) -> Iterator[Any]:
        """Yield the questions of published rows, given (place in the file, row); what cannot be read is left out."""

    @abstractmethod
    def depth(self, build: Any, learn: bool, processes: int) -> Any:
        """Return the table of how deep the test questions of deep and of the ladder are, {} where there are none."""

    @abstractmethod
    def hold_gates(self, build: Any, gated: Any, deep: Any, measured: Mapping[str, Any]) -> None:
        """Print that all gates hold. Raises UserError where one is broken.

        gated: the groups of the default config. deep: what `depth` gave. measured: what `apart` gave.
        """

    def searched(self, build: Any) -> Mapping[str, Any]:
        """Return the best rules that a search finds, by group; a dataset may have no search."""
        return {}

    def readings(self, build: Any) -> Any:
        """Return the table of how often each interpretation differs from the answers; there may be but one."""
        return {}

    def apart(self, build: Any) -> dict[str, Any]:
        """Return the tables of the configs that have rules of their own."""
        return {}

    def tables_apart(self, measured: Mapping[str, Any]) -> dict[str, str]:
        """Return the tables of `apart` in Markdown."""
        return {}

    def drawings(self, build: Any, heading: str, found: Any) -> Drawings:
        """Return the pictures that only this dataset has. found: what `searched` gave."""
        return {}

    def published_figures(self, questions: list[Any]) -> Row:
        """Return what is recorded of published data besides the table."""
        return {}


class Dataset(ABC, Generic[Config]):
    """Say all that the commands ask of a dataset."""

    name: str
    config: type[Config]  # what a build is asked for, one for each config
    configs: tuple[Config, ...]  # all configs that are published
    built: tuple[Config, ...]  # those of a build, the default config first
    options: tuple[BuildOption, ...]  # the options of a build that set fields other than sizes
    columns: tuple[Column, ...]
    id_column: str  # names a row
    unit_column: str  # names the story or block of a row; may be null where a row stands alone
    text: str  # what its texts are called, and the column that holds them
    turn: int  # how many rows of an order or setup follow one another in `all`
    example: int  # which of the orders or setups of `all` the card loads in its example
    span: int  # how many stories, or blocks of each setup, one task makes
    planning_searches: bool = False  # whether blocks are searched when a split is planned, not when rows are made
    named_by_fields: bool  # whether published rows are named by several fields, not by an id

    @property
    @abstractmethod
    def audit(self) -> Audit:
        """Return what the audit asks of the dataset."""

    @property
    def features(self) -> Any:
        """Return the columns with their types, as `datasets.Features`."""
        return import_module(f".{self.name}.builder", __package__).FEATURES

    @property
    def meanings(self) -> dict[str, str]:
        """Return what each column holds."""
        return {column.name: column.meaning for column in self.columns}

    # How rows are made.

    @abstractmethod
    def plan_of(self, config: Config, split: str) -> Sequence[Any]:
        """Return what is settled of each story or block of a split before any row is made."""

    @abstractmethod
    def planned(
        self, configs: Sequence[Config], processes: int, witnesses: Witnesses
    ) -> dict[tuple[str, str], Sequence[Any]]:
        """Return the same for all splits of some configs, by config and split, made by any of the processes.

        witnesses: what is known of earlier searches; takes what these find.
        """

    @abstractmethod
    def span_rows(self, configs: Sequence[Config], split: str, span: range, settled: Sequence[Any]) -> list[list[Row]]:
        """Return the rows of the stories or blocks with these indices, unscored, for each of some twin configs."""

    @abstractmethod
    def units(self, config: str, seed: int, fields: Mapping[str, Any]) -> ChunkedUnits[Config]:
        """Return the endless stories or blocks of a config. Raises UserError for a config that cannot be."""

    @abstractmethod
    def problems_in_test(self, config: Config) -> list[str]:
        """Return the keys of all problems in the test split of a config, each the same for all renamings."""

    # How they are shown and proven.

    @abstractmethod
    def chosen_rows(self, selection: Selection, find: Find) -> tuple[list[Row], Built]:
        """Return the rows that the user selects, and where their story or block comes from. Raises UserError."""

    @abstractmethod
    def show(self, rows: list[Row], built: Built) -> None:
        """Print the rows of one story or block, and why their answers are right."""

    @abstractmethod
    def prove(self, rows: list[Row], config: dict[str, Any], file: str) -> Iterator[Any]:
        """Yield for each row what is wrong with it, or what must not repeat (`proof.rows.Proven`)."""

    # How replies are scored.

    @abstractmethod
    def items(self, rows: Iterable[Mapping[str, Any]]) -> list[Any]:
        """Return what the replies to some rows are scored by (`answers.items.Item`)."""

    @abstractmethod
    def completed(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a published row with the columns that its item needs. Raises ValueError where it cannot be read."""

    @abstractmethod
    def name_of(self, row: Mapping[str, Any]) -> Any:
        """Return what responses name a published row by (`answers.items.RowName`)."""

    @abstractmethod
    def score_drawings(self, scores: Any, source: str) -> Drawings:
        """Return the pictures of scores."""


@cache
def dataset_named(name: str) -> Dataset[Any]:
    """Return a dataset by its name. Raises UserError for no dataset."""
    if name not in NAMES:
        raise UserError(f"unknown dataset {name!r}; the datasets are {', '.join(NAMES)}")
    found: Dataset[Any] = import_module(f".{name}.dataset", __package__).DATASET
    return found
