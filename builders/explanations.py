"""The explanation of a row of either dataset, from its columns: why its answer is right, one step a line."""

from .columns import Row
from .rows import known_row

# The columns that a row is explained by.
NEEDED = {
    "hi_tom": ("story", "events", "chain", "answer", "config", "language"),
    "mindgames": ("smcdel_problem", "setup", "names", "language"),
}


def explain(row: Row, language: str | None = None) -> str:
    """Return why the answer of a row is right, as the column `explanation` says it; the row may be of any split.

    language: None for that of the row. Raises ValueError for a row without these columns, or with some that cannot be
    read.
    """
    dataset, row = known_row(row, NEEDED)
    language = language or row["language"]
    if dataset == "hi_tom":
        from .story.config import family_of

        return family_of(row["config"]).explain(row, language)
    from .logic.explanation import explain_problem
    from .logic.formal import claims_of
    from .logic.puzzle_rows import explain_puzzle, problem_of
    from .syntax.rounds import MARKS

    names = tuple(row["names"])
    if row["setup"] in MARKS:
        puzzle, supposed = problem_of(row)
        hold_names(names, len(puzzle.sees))
        return explain_puzzle(puzzle, supposed, names, language)
    premise, hypothesis = claims_of(row)
    hold_names(names, len(premise.sees))
    return explain_problem(premise, hypothesis, names, language)


def hold_names(names: tuple[str, ...], n: int) -> None:
    """Raise ValueError unless these are the names of n different persons."""
    if len(names) != n or len(set(names)) < n:
        raise ValueError(f"expected {n} different names, not ({', '.join(names)})")
