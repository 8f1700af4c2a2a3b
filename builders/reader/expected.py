"""The steps that an explanation must have (`ExpectedSteps`), and which steps of a text are right (`JudgedSteps`)."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple


class ExpectedSteps(NamedTuple):
    """Hold what an explanation of a row must say, by the second meaning."""

    steps: list[str]  # its lines but the answer, in order
    answer: str  # its last line
    begins: re.Pattern[str]  # how a line begins that is a step; the answer does not
    reworded: Mapping[str, Callable[[str], bool]] = {}  # for some steps, what tells whether a line says the same
    anywhere: frozenset[str] = frozenset()  # what is right wherever it is said


class JudgedSteps(NamedTuple):
    """Hold the steps of a text about one row, and which of them are right."""

    steps: tuple[tuple[str, bool], ...]  # each step as the text says it, and whether it is right, in order
    share_before_wrong: float  # the share of a whole explanation that comes right before the first wrong step

    @property
    def share(self) -> float:
        """Return the share of the steps that are right; 0 where the text has none."""
        return sum(right for _, right in self.steps) / len(self.steps) if self.steps else 0.0

    @property
    def first_wrong(self) -> str | None:
        """Return the first step that is wrong, as the text says it; None where all are right."""
        return next((step for step, right in self.steps if not right), None)
