"""What the replies to hi_tom's questions are scored by, and how scores are drawn."""

from collections.abc import Iterable
from typing import Any

from ..answers import items as answered
from ..answers.drawings import story_drawings as drawings
from ..answers.items import question_items as items
from ..columns import Row
from ..proof.left_out import LeftOut
from ..proof.published_stories import published_questions

__all__ = ["NAMED_BY_FIELDS", "drawings", "items", "published_items", "published_names"]

NAMED_BY_FIELDS = True
"""Whether published rows are named by several fields, not by an id."""


def published_items(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> list[answered.Item]:
    """Return the published questions to score; those that cannot be read go to `left_out`."""
    return answered.published_items("hi_tom", published_questions(rows, left_out), left_out)


def published_names(rows: Iterable[Any]) -> list[answered.RowName]:
    """Return what responses name published rows by, for the rows that have such names."""
    return answered.row_names("hi_tom", rows)
