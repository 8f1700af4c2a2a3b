"""How published rows of MindGames are read, and how their labels compare with the labels that they should have."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..columns import Row
from ..logic.formal import entailment_of
from ..logic.s5 import Checker
from ..reader import problem_worlds
from ..reader.read_problems import read_problem
from ..syntax.formula import Problem, Structure, agent_name
from .left_out import LeftOut
from .problems import LABELS


def read_published_problem(row: Mapping[str, Any]) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that the English of a published row of MindGames poses, and the agents' names.

    Raises ValueError for a row that cannot be read.
    """
    names = row.get("names")
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise ValueError(f"names is {names!r}; expected a list of names, or none")
    return read_problem(row["premise"], row["hypothesis"], names)


def _labels_of(row: Mapping[str, Any]) -> tuple[Problem, tuple[str, ...], Structure, str, str]:
    """Return the problem of a published row and its names; its formal structure; its label formally and in English."""
    problem, names = read_published_problem(row)
    structure, formula = entailment_of(row["smcdel_problem"])
    return problem, names, structure, LABELS[Checker(structure).valid(formula)], LABELS[problem_worlds.follows(problem)]


def reread_mindgames(rows: Iterable[tuple[str, Row]], left_out: LeftOut) -> tuple[tuple[object, ...], list[Row]]:
    """Count for each setup the published labels that follow from the formal problem and from the English.

    Returns what the page of `reread` shows, the counts by setup and of all; and the rows whose label does not follow
    from both. Rows that cannot be read go to `left_out`.
    Raises UserError where no row can be read.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    disagreeing = []
    for where, row, (problem, names, structure, formal, english) in left_out.readable(rows, _labels_of):
        counts[problem.setup].update(rows=1, formal=int(formal == row["label"]), english=int(english == row["label"]))
        if not row["label"] == formal == english:
            sights = "; ".join(_other_sights(structure, problem, names))
            why = sights or "the sentences differ from the formulas"
            disagreeing.append({"where": where, **row, "read_formal": formal, "read_english": english, "why": why})
    return ([*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))],), disagreeing


def _other_sights(structure: Structure, problem: Problem, names: tuple[str, ...]) -> Iterator[str]:
    """Say which agents see other things in the English than the formal structure lets them observe."""
    observed = dict(structure.observes)
    for index, name in enumerate(names):
        in_english = [names[atom - 1] for atom in problem.sees[index]]
        formally = [names[atom - 1] for atom in observed.get(agent_name(index), ()) if 0 < atom <= len(names)]
        if in_english != formally:
            yield f"{name} sees {' and '.join(in_english) or 'none'}, formally {' and '.join(formally) or 'none'}"
