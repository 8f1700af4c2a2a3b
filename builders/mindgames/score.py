"""What the replies to the problems of mindgames are scored by, and how scores are drawn."""

from ..answers.drawings import problem_drawings as drawings
from ..answers.items import problem_items as items
from ..answers.items import problem_name as name_of
from ..answers.items import published_problem as completed

__all__ = ["NAMED_BY_FIELDS", "completed", "drawings", "items", "name_of"]

NAMED_BY_FIELDS = False  # whether published rows are named by several fields, not by an id
