"""The interface of a dataset: all that a command may ask of one.

A method imports what is slow to import (`datasets`, pyarrow, numpy) when it is called, so that `show` starts fast. In
what follows a *file* is the path of a Parquet file in the dataset's folder, and a *layout* maps each config to its
splits, and each split to its files.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from ..difficulty.kept import Kept
from ..proof.left_out import LeftOut

Row = dict[str, Any]
Layout = dict[str, dict[str, list[str]]]
Shares = dict[str, dict[str, Any]]  # an `audit.shares.Table`
Drawing = Callable[[Path], object]  # draws a picture into a file


class Dataset(Protocol):
    """Stand for one dataset. All methods are functions of their arguments: a dataset has no state."""

    name: str  # the name of its folder and of its builder's module
    id_column: str  # the column that names a row
    unit_column: str  # the column that names the story or block of a row; null where a row is a unit of its own
    text: str  # what its texts are called: story, premise
    pooled: bool  # whether the audit counts all its groups as one more group
    named_by_fields: bool  # whether published rows are named by several fields, not by an id
    turn: int  # how many rows of an order or a setup follow one another in `all`
    tiny: Mapping[str, int]  # the sizes of the preset tiny, by the names of their options
    deep_about: str  # what the table of config deep shows
    measured_apart: tuple[str, ...]  # the configs of which that table has all rules

    # Building.

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options that only a build of this dataset has; none of them is required."""

    def configs(self, args: Namespace) -> list:
        """Return the configs that the options of a build ask for, the default config first."""

    def recorded_configs(self, request: Mapping[str, Row]) -> list:
        """Return the configs that a build was asked for, by its record."""

    def layout(self, configs: list) -> Layout:
        """Return the layout of a folder built from these configs."""

    def builder(self) -> type:
        """Return the builder class of `datasets`."""

    def features(self) -> Mapping[str, Any]:
        """Return the columns with their types, as `datasets.Features`."""

    def example(self, request: Mapping[str, Row]) -> str:
        """Return the config that the card loads in its example."""

    def make(self, configs: list, processes: int, kept: Kept | None = None) -> Iterator[tuple[str, Row]]:
        """Return each row once as (file, row), made by several processes.

        Rows of `all` have the file of their order or setup.

        `kept` knows scores, and takes those of all rows.
        """

    # Streaming.

    def units(self, config: str, seed: int, fields: Mapping[str, Any]) -> Any:
        """Return the endless `units.Units` of a published config with these fields. Raises UserError."""

    def knobs(self, config: str) -> tuple[str, ...]:
        """Return the fields that the rows of a published config depend on. Raises UserError for no such config."""

    def problems_in_test(self, config: Any) -> list[str]:
        """Return the keys of all problems in the test split of a config, each the same for all renamings."""

    # Checking.

    def prove(self, rows: list[Row], config: Row, file: str) -> Iterator[str | tuple[str, str, str]]:
        """Yield for each row of a row group its fault, or three texts that `check` compares across rows.

        The three texts: the story or block that owns the row's text, that text, and the whole problem. A problem occurs
        once in a build, and a text belongs to one owner in one split. `config` holds the fields of the rows' config.
        """

    def proven(self, owners: list[str]) -> str:
        """Return what a check has proven when all rows agree; `owners` holds the owner of each text."""

    # Auditing.

    def questions(self, build: Any, file: str, learn: bool) -> list:
        """Return what the audit's rules see of the rows of a file; `learn` adds what rules that learn see."""

    def depth(self, build: Any, learn: bool) -> Shares:
        """Measure the test split of config deep by rules of its own; return an empty table where there is none.

        learn: whether to measure the rules that learn from whole texts too.
        """

    def readings(self, build: Any) -> Shares:
        """Count how often each reading of the rules gives test questions another answer, by config.

        Return an empty table where the rules can be read in one way only.
        """

    def hold_gates(self, build: Any, gated: Shares, depth: Shares) -> None:
        """Print that the gates of a build hold. Raises UserError where one is broken."""

    def more_drawings(self, build: Any) -> dict[str, Drawing]:
        """Return the pictures that only this dataset has, by their names."""

    def published_questions(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return what the audit's rules see of published rows, each given with its place in its file.

        Here and below, rows that cannot be read go to `left_out`. Raises UserError where no row can be read.
        """

    def published_figures(self, questions: list) -> Row:
        """Return what the audit records of published data besides the table."""

    def reread(self, rows: Iterable[tuple[str, Row]], disagreements: Path, left_out: LeftOut) -> None:
        """Print how often published labels follow from their text; write the other rows to a file."""

    # Scoring.

    def items(self, rows: Iterable[Row]) -> list:
        """Return what `score` needs of built rows, one item each."""

    def published_items(self, rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list:
        """Return what `score` needs of published rows, one item each."""

    def published_names(self, rows: Iterable[Any]) -> list:
        """Return what responses name published rows by, for the rows that have such names."""

    def score_drawings(self, scores: Mapping[str, Any], heading: str) -> dict[str, Drawing]:
        """Return the pictures that the dataset's paper draws of models, by their names, given each prompt's score."""

    # Showing.

    def add_show_options(self, parser: ArgumentParser) -> None:
        """Add the options that say which problem to show."""

    def show(self, args: Namespace) -> None:
        """Print one problem of a build, or of the default sizes. Raises UserError where there is no such problem."""

    def chosen_rows(self, args: Namespace) -> tuple[list[Row], str]:
        """Return the rows that the options of `show` name, and their language. Raises UserError for no such row."""
