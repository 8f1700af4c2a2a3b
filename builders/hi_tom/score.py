"""What the replies to the questions of hi_tom are scored by, and how scores are drawn."""

from ..answers.drawings import story_drawings as drawings
from ..answers.items import question_items as items

__all__ = ["NAMED_BY_FIELDS", "drawings", "items"]

NAMED_BY_FIELDS = True  # whether published rows are named by several fields, not by an id
