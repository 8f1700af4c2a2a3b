"""The explanation of a row of either dataset, from its columns: why its answer is right, one step a line."""

from .columns import Row
from .rows import known_row
from .wording.languages import language_of

# The columns that a row is explained by.
NEEDED = {"hi_tom": ("story", "events", "chain", "answer"), "mindgames": ("smcdel_problem", "setup", "names")}


def explain(row: Row, language: str | None = None) -> str:
    """Return why the answer of a row is right, as the column `explanation` says it; the row may be of any split.

    language: None for that of the row. Raises ValueError for a row without these columns, or with some that cannot be
    read.
    """
    dataset, row = known_row(row, NEEDED)
    language = language or language_of(row)
    if dataset == "hi_tom":
        if row.get("query") and not row.get("kind"):
            from .story.acting.plans import explain_plan_row

            return explain_plan_row(row)
        if row.get("query"):
            from .story.abilities.explanation import explain_ability_row

            return explain_ability_row(row, language)
        from .story import explanation

        return explanation.explain_row(row, language)
    from .logic import explanation, formal

    premise, hypothesis = formal.claims_of(row)
    names = tuple(row["names"])
    if len(names) != len(premise.sees) or len(set(names)) < len(names):
        raise ValueError(f"{len(premise.sees)} different names are right, not ({', '.join(names)})")
    return explanation.explain_problem(premise, hypothesis, names, language)
