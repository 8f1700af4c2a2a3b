"""What the replies to the problems of mindgames are scored by, and how scores are drawn."""

from collections.abc import Iterable
from typing import Any

from ..answers import items as answered
from ..answers.drawings import problem_drawings as drawings
from ..answers.items import problem_items as items
from ..columns import Row
from ..proof.left_out import LeftOut

__all__ = ["NAMED_BY_FIELDS", "drawings", "items", "published_items", "published_names"]

NAMED_BY_FIELDS = False
"""Whether published rows are named by several fields, not by an id."""


def published_items(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list[answered.Item]:
    """Return the published problems to score; those that cannot be read go to `left_out`."""
    return answered.published_items("mindgames", ({**row, "where": where} for where, row in rows), left_out)


def published_names(rows: Iterable[Any]) -> list[answered.RowName]:
    """Return what responses name published rows by, for the rows that have such names."""
    return answered.row_names("mindgames", rows)
