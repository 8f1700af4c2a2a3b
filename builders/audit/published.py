"""Old names of the published figures, until the command line is split."""

from builders.audit.figures import published_depth as of_published_deep
from builders.audit.figures import published_positions
from builders.audit.figures import recorded_table as of_published

__all__ = ["of_published", "of_published_deep", "published_positions"]
