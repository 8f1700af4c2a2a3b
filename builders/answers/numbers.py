"""Which round a reply names, and how many replies name the right one: the style `number` of puzzles in rounds."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..audit.shares import wilson
from ..groups import grouped_by
from .horizon import Horizon, Trial, fit
from .items import WORLDS, worlds_of_rounds
from .rates import Bootstrap, Rate
from .reading import LETTERS, visible

NEVER = r"never|jamais|永远不会|永不|从不"
# The line that a prompt asks for, and else the last thing that a reply says of a round.
ANSWER = re.compile(rf"(?i)(?:answer|réponse|答案)\s*:\W*(?:(?:in|au|en)\s+)?(?:round|tour|第)?\s*(\d+|{NEVER})")
SAID = re.compile(rf"(?i)\b(?:round|tour)\s+(\d+)|第\s*(\d+)\s*轮|({NEVER})|^\W*(\d+)\W*$", re.MULTILINE)
ANSWERS = 4  # how many answers a rung has: three rounds and never


class ScoredNumbers(NamedTuple):
    """Hold how many replies are right."""

    groups: dict[str, Rate]  # by rung, by whether the answer is never, and of all
    unread: int  # replies that name neither a round nor never
    total: int
    horizons: dict[str, Horizon]  # by what grows: the worlds of all rounds


def read_number(reply: str) -> int | None:
    """Return the round that a reply names, 0 for never; None where it names nothing.

    The last line that begins with "Answer:" counts, else the last round, or never, that the reply names.
    """
    text = re.sub(r"[*_`$\\{}]|boxed|text", "", visible(reply.translate(LETTERS)) or "")
    found = [[*ANSWER.finditer(text)], [*SAID.finditer(text)]]
    last = next((matches[-1] for matches in found if matches), None)
    if last is None:
        return None
    said = next(group for group in last.groups() if group)
    return int(said[:9]) if said[0].isdecimal() else 0


def score_numbers(rows: Sequence[Mapping[str, Any]], replies: Sequence[str]) -> ScoredNumbers:
    """Return how many replies to rows are right, by rung, and the horizon."""
    read = [*map(read_number, replies)]
    counted = [
        (group, number == row["first_yes"])
        for row, number in zip(rows, read, strict=True)
        for group in (f"rung {row['rung']}", "a round" if row["first_yes"] else "never", "all")
    ]
    groups = grouped_by(lambda each: each[0], counted)
    rates = {}
    for group in sorted(groups, key=lambda name: (name == "all", not name.startswith("rung"), name)):
        right, total = sum(so for _, so in groups[group]), len(groups[group])
        low, high = wilson(right / total, total)
        rates[group] = Rate(right, total, chance=1 / ANSWERS, low=low, high=high)
    trials = [
        Trial(row.get("block"), worlds, 1 / ANSWERS, number == row["first_yes"])
        for row, number in zip(rows, read, strict=True)
        if (worlds := worlds_of_rounds(row))
    ]
    horizons = {}
    if trials:
        horizons[WORLDS] = fit(WORLDS, trials, Bootstrap("mindgames", (trial.unit for trial in trials)))
    return ScoredNumbers(rates, sum(number is None for number in read), len(read), horizons)
