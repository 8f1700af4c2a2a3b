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

    premise, hypothesis = claims_of(row)
    names = tuple(row["names"])
    if len(names) != len(premise.sees) or len(set(names)) < len(names):
        raise ValueError(f"expected {len(premise.sees)} different names, not ({', '.join(names)})")
    return explain_problem(premise, hypothesis, names, language)
