"""What the explorer knows of a block of puzzles in rounds: the worlds that each round's answers leave.

Sets of worlds are written as in `problems`. The answers of a round are steps of the problem, as they would give away
what is asked; the premise has the worlds before the first round alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..groups import grouped_by
from ..logic.claims import claim_of_formula, owner_of
from ..logic.puzzle_rows import explain_puzzle, problem_of
from ..logic.rounds import laws, world_of
from ..logic.states import State, initial_state
from ..prompts import rules_of
from ..syntax.rounds import First, Puzzle, Supposed
from .problems import predicted
from .stories import known, probed


def puzzle_records(rows: Iterable[dict[str, Any]], fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a record of each block of these rows of puzzles in rounds.

    fields: `language` of their config.
    """
    for name, of_block in grouped_by(lambda row: row["block"], rows).items():
        yield block_record(name, of_block, fields["language"])


def block_record(name: str, rows: Sequence[dict[str, Any]], language: str) -> dict[str, Any]:
    """Return the record of one block, given its rows: its premises, each once, and its problems."""
    premises = grouped_by(lambda row: row["premise"], rows)
    return {
        "id": name,
        "rules": rules_of(rows[0]),
        "setup": rows[0]["setup"],
        "names": rows[0]["names"],
        "premises": [premise_record(text, of_premise[0], language) for text, of_premise in premises.items()],
        "problems": [known(problem_record(row, [*premises].index(row["premise"]), language)) for row in rows],
    }


def premise_record(text: str, row: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the record of a premise, given a row that has it: all worlds, and those before the first round."""
    puzzle, supposed = problem_of(row)
    begun, (law,) = state_of(puzzle), laws(puzzle, 0)
    return {
        "setting": text,
        "announcements": [],
        "worlds": explain_puzzle(puzzle, supposed, tuple(row["names"]), language).split("\n")[0],
        "left": [f"{begun.law:x}", f"{law:x}"],
        "sees": [begun.sights] * 2,
    }


def state_of(puzzle: Puzzle) -> State:
    """Return who sees whom, in all worlds."""
    return initial_state(tuple([tuple([other + 1 for other in seen]) for seen in puzzle.sees]))


def problem_record(row: dict[str, Any], premise: int, language: str) -> dict[str, Any]:
    """Return the record of a problem, with None for what it has not."""
    puzzle, supposed = problem_of(row)
    _, *lines, _ = explain_puzzle(puzzle, supposed, tuple(row["names"]), language).split("\n")
    rounds = row["rounds"]
    left = laws(puzzle, rounds)
    steps = zip(lines[rounds:], judged(puzzle, supposed, left, row["first_yes"] == 0), strict=True)
    return {
        "id": str(row["index"]),
        "premise": premise,
        "text": row["hypothesis"],
        "label": row["label"],
        "rung": row["rung"],
        "rounds": rounds,
        "worlds": row["worlds_by_round"],
        **probed(row, predicted(row)),
        "said": lines[:rounds],
        "left": [f"{law:x}" for law in left[1:]],
        "steps": [[line, f"{worlds:x}", agent] for line, (worlds, agent) in steps],
    }


def judged(puzzle: Puzzle, supposed: Supposed, left: list[int], never: bool) -> Iterator[tuple[int, int]]:
    """Yield for each step after the last round the worlds in which it is so, and whose step it is, -1 for nobody's.

    left: the worlds before the first round, and after each. never: whether the person who is asked about never answers
    yes; then there is one step more. The last step holds, if at all, in the actual world only.
    """
    actual = 1 << world_of(puzzle.marked)
    if isinstance(supposed, First):
        if never:  # the step that says that no later round changes anything
            yield left[-1], -1
        yield actual, supposed.person
        return
    state, (levels, fact) = state_of(puzzle).with_law(left[-1]), claim_of_formula(supposed.formula, len(puzzle.sees))
    yield state.where(((), fact)), owner_of(fact)
    for place in reversed(range(len(levels))):
        yield state.where((levels[place:], fact)), levels[place][0]
    yield state.where((levels, fact)) & actual, levels[0][0]
