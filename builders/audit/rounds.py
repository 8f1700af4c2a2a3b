"""What can be guessed of puzzles in rounds without working out the rounds: asked for a number, and asked in blocks."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from ..columns import Row
from ..logic.puzzle_rows import problem_of
from ..logic.rounds import play
from ..markdown import markdown_table
from ..syntax.formula import LABELS
from ..syntax.rounds import First
from .gates import spell_gate
from .rules import Gate
from .shares import Share, Table

NUMBERS, BLOCKS = "numbers", "blocks"  # the groups: puzzles asked for the round of a first yes, and hypotheses about it
GATES = {NUMBERS: (0, 0.35), BLOCKS: (0, 0.6)}  # chance is a quarter, and a half
CHANCES = {NUMBERS: 0.25, BLOCKS: 0.5}
# What the gates hold for, and the fewest rows, with what these are.
HELD = "every rule", 400, "test questions"

# What each rule answers.
RULES = {
    "most common": "the answer that is most common on the rung",
    "clean or marked": "the answer that is most common on the rung for persons who are marked, or are not",
    "half and one": "half the persons, rounded down, and one more",
    "first yes": "the first round in which anybody answers yes; never, if nobody does",
    "after the first yes": "the round after it",
    "marked seen and one": "how many marked persons the one asked about sees, and one more",
    "marked": "how many persons are marked",
    "sees few": "the answer that is most common on the rung for persons who see as many",
}
LEARNT = ("most common", "clean or marked", "sees few")  # learnt from the other half of the puzzles


class Asked(NamedTuple):
    """Hold what the rules see of one person of one puzzle."""

    answer: int  # the round of the first yes, 0 for never
    rung: int
    seen: dict[str, Hashable]  # for each rule its answer or, where it learns, what it learns from
    supposed: list[tuple[int, bool]]  # the rounds that hypotheses name, each with whether this is so


def measured(tested: Iterable[Row], _: Iterable[Row] = ()) -> Table:
    """Return how often each rule is right, by group. A rule says of a hypothesis that it is so where it answers so."""
    asked: dict[tuple[str, int], Asked] = {}
    for row in tested:
        puzzle, supposed = problem_of(row)
        if not isinstance(supposed, First):
            continue
        key = row["premise"], supposed.person
        if key not in asked:
            answers, person = play(puzzle), supposed.person
            any_yes = next((number for number, yes in enumerate(answers.yes, 1) if yes), 0)
            marked = sum(other in puzzle.marked for other in puzzle.sees[person])
            asked[key] = Asked(
                answers.first(person),
                row["rung"],
                {
                    "most common": None,
                    "clean or marked": person in puzzle.marked,
                    "half and one": len(puzzle.sees) // 2 + 1,
                    "first yes": any_yes,
                    "after the first yes": any_yes + bool(any_yes),
                    "marked seen and one": marked + 1,
                    "marked": len(puzzle.marked),
                    "sees few": len(puzzle.sees[person]),
                },
                [],
            )
        asked[key].supposed.append((supposed.round, row["label"] == LABELS[True]))
    return _counted([*asked.values()])


def _counted(asked: list[Asked]) -> Table:
    """Return how often each rule is right."""
    if not asked:
        return {}
    right: dict[str, Counter[str]] = {NUMBERS: Counter(), BLOCKS: Counter()}
    for rule in RULES:
        for half in (0, 1):
            # Two puzzles of a block follow one another: both are in one half.
            lessons = [one for place, one in enumerate(asked) if place // 2 % 2 != half]
            learnt: dict[Hashable, Counter[int]] = defaultdict(Counter)
            for one in lessons:
                learnt[one.rung, one.seen[rule]][one.answer] += 1
            for one in [one for place, one in enumerate(asked) if place // 2 % 2 == half]:
                guess = one.seen[rule]
                if rule in LEARNT:
                    common = learnt[one.rung, guess].most_common(1)
                    guess = common[0][0] if common else None
                right[NUMBERS][rule] += guess == one.answer
                right[BLOCKS][rule] += sum((guess == named) == so for named, so in one.supposed)
    totals = {NUMBERS: len(asked), BLOCKS: sum(len(one.supposed) for one in asked)}
    return {
        group: {rule: Share(right[group][rule], totals[group], CHANCES[group]) for rule in RULES} for group in totals
    }


def gate_of(group: str, rule: str, share: Share) -> Gate:
    """Return the gate of a rule in a group."""
    return GATES[group]


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each rule."""
    header = ["rule", *(f"{group}: gate, right" for group in table)]
    lines = [
        [rule, *(f"{spell_gate(GATES[group])}, {shares[rule]}" for group, shares in table.items())] for rule in RULES
    ]
    return markdown_table(header, lines)
