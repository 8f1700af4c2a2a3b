"""Own what is said of the steps of a text: which of them are right, and how much of an explanation they cover."""

from typing import NamedTuple


class JudgedSteps(NamedTuple):
    """Hold the steps of a text about one row, and which of them are right."""

    steps: tuple[tuple[str, bool], ...]  # each step as the text says it, and whether it is right, in order
    covered: int  # how much of what an explanation says comes right before the first wrong step
    needed: int  # how much an explanation says: lines of a story, or steps about worlds

    @property
    def share(self) -> float:
        """Return the share of the steps that are right; 0 where the text has none."""
        return sum(right for _, right in self.steps) / len(self.steps) if self.steps else 0.0

    @property
    def share_before_wrong(self) -> float:
        """Return the share of a whole explanation that comes right before the first wrong step."""
        return self.covered / self.needed

    @property
    def first_wrong(self) -> str | None:
        """Return the first step that is wrong, as the text says it; None where all are right."""
        return next((step for step, right in self.steps if not right), None)
