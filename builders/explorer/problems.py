"""What the explorer knows of a block of problems: the worlds that each announcement leaves, and each hypothesis.

A set of worlds is a hexadecimal number: bit w stands for world w, and bit i of w for the atom of agent i. What is true
where comes from the code that `show` and the explanations use. The page knows no rule.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..groups import grouped_by
from ..logic.claims import Claim
from ..logic.explanation import Explained, explain_premise, steps_of
from ..logic.formal import claims_of
from ..mindgames.show_orders import explanations
from ..prompts import rules_of
from ..syntax.formula import LABELS
from .stories import known, probed


def block_records(rows: Iterable[dict[str, Any]], fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a record of each block of these rows, or of each problem that has no block.

    fields: `language` of their config.
    """
    for name, of_block in grouped_by(lambda row: row["block"] or row["index"], rows).items():
        yield block_record(str(name), of_block, fields["language"])


def block_record(name: str, rows: Sequence[dict[str, Any]], language: str) -> dict[str, Any]:
    """Return the record of one block, given its rows: its premises, each once, and its problems."""
    first, names = rows[0], tuple(rows[0]["names"])
    problems = [(row, *claims_of(row)) for row in rows]
    explained = {row["premise"]: explain_premise(premise, names, language) for row, premise, _ in problems}
    ordered = first["order_matters"] is not None
    return {
        "id": name,
        "rules": rules_of(first),
        "setup": first["setup"],
        "names": names,
        "premises": [known(premise_record(text, of_premise, ordered)) for text, of_premise in explained.items()],
        "problems": [known(problem_record(row, hypothesis, explained)) for row, _, hypothesis in problems],
    }


def premise_record(text: str, explained: Explained, ordered: bool) -> dict[str, Any]:
    """Return the record of a premise: its sentences, and after each announcement the worlds left and who sees what.

    ordered: whether `show` says of each announcement why it rules worlds out.
    """
    sentences, lines = re.findall(r".*?[.。] ?", text), explained.steps.split("\n")
    claims = len(lines) - 1
    return {
        "setting": "".join(sentences[:-claims]).strip(),
        "announcements": [sentence.strip() for sentence in sentences[-claims:]],
        "worlds": lines[0],
        "says": lines[1:],
        "left": [f"{state.law:x}" for state in explained.states],
        "sees": [state.sights for state in explained.states],
        "why": list(explanations(explained)) if ordered else None,
    }


def problem_record(row: dict[str, Any], hypothesis: Claim, premises: Mapping[str, Explained]) -> dict[str, Any]:
    """Return the record of a problem, with None for what it has not, given the explanations of its block's premises."""
    steps = steps_of(premises[row["premise"]], hypothesis)
    return {
        "id": str(row["index"]),
        "premise": [*premises].index(row["premise"]),
        "text": row["hypothesis"],
        "label": row["label"],
        "order": len(steps) - 1,
        "needs": row["needs_announcements"],
        "proof": row["shortest_proof"],
        "rung": row["rung"],
        **probed(row, predicted(row)),
        "steps": [[step.line, f"{step.worlds:x}", step.agent, *([step.alike] if step.alike else [])] for step in steps],
    }


def predicted(row: Mapping[str, Any]) -> str | None:
    """Return the label that the probe predicts for a row, None where it has not scored it."""
    return None if row["deberta_pred"] is None else LABELS[bool(row["deberta_pred"])]
