"""The examples of the cards: one row of hi_tom, and one block of mindgames with the worlds that it leaves."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from pyarrow.compute import field

from ..columns import Row
from ..groups import grouped_by
from ..logic.s5 import Checker
from ..logic.smcdel.language import spell
from ..logic.smcdel.parser import parse
from ..syntax.formula import Announce, Bot, Formula, Not, Structure
from .card_rows import Rows

MOST_LINES = 20  # most lines of the example of hi_tom, where a story has so few


def story_example(rows: Rows) -> Row:
    """Return the row with the shortest story among those of the lowest order at which the readings of claims differ.

    Where they differ in no story of MOST_LINES lines or fewer, all rows are among them.
    """
    differ = rows.where(~field("semantics_agree") & (field("n_lines") <= MOST_LINES))
    candidates = differ.by("order")[0][1] if len(differ) else rows
    return min(candidates.dicts(), key=lambda row: len(row["story"]))


def block_example(rows: Rows) -> list[dict[str, Any]]:
    """Return one of the smallest blocks: each premise with the worlds that its announcements leave, and its problems.

    Among the blocks with the fewest agents, the block that needs the most announcements in all wins, then the first.
    Where no rows are blocks, the first problem stands for one.
    """
    sizes: dict[str, tuple[int, int]] = {}
    for row in rows.dicts("block", "n_agents", "needs_announcements"):
        _, needed = sizes.get(row["block"], (0, 0))
        sizes[row["block"]] = (row["n_agents"], needed - (row["needs_announcements"] or 0))
    smallest = min(sizes, key=sizes.__getitem__)
    block = rows.dicts()[:1] if smallest is None else rows.where(field("block") == smallest).dicts()
    premises = grouped_by(itemgetter("premise"), block)
    return [{"premise": premise, **worked(rows[0]), "problems": rows} for premise, rows in premises.items()]


def worked(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `keys` of a problem, and its `steps`: each announcement as SMCDEL writes it, with the worlds left.

    A key is an atom that stands for a showing (docs/reference/mindgames.md); worlds that differ in keys alone are one.
    The first step is "", before any announcement. A world is the names of the agents whose fact is true.
    """
    structure, (question,) = parse(row["smcdel_problem"])
    announcements, formula = [], question.formula
    while isinstance(formula, Announce):
        announcements.append(formula.announcement)
        formula = formula.after
    steps = []
    for heard, text in enumerate(["", *map(spell, announcements)]):
        left = [
            tuple([name for number, name in enumerate(row["names"], 1) if number in world])
            for world in worlds(structure, announcements[:heard])
        ]
        steps.append((text, list(dict.fromkeys(left))))
    return {"keys": [atom for atom in structure.atoms if atom > len(row["names"])], "steps": steps}


def worlds(structure: Structure, announcements: Sequence[Formula]) -> list[tuple[int, ...]]:
    """Return the worlds that announcements leave, each as its true atoms."""
    impossible: Formula = Bot()
    for announcement in reversed(announcements):
        impossible = Announce(announcement, impossible)
    return Checker(structure).where(Not(impossible))
