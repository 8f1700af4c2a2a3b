"""Own how `show` prints a block of problems: their labels, and the worlds that each announcement leaves."""

from collections.abc import Sequence
from dataclasses import replace

from builders.dataset.shown import shown_config
from builders.errors import UserError
from builders.logic.config import ALL, REPRODUCTION, SCALE, SETUP_CONFIGS
from builders.logic.formula import SETUPS, Bot, Not, Problem
from builders.logic.rows import part_rows, plan_of
from builders.logic.s5 import Checker
from builders.proof.problems import read_row


def show_block(config: str, setup: str | None, split: str, seed: int, index: int) -> None:
    """Print one block of the default sizes. Raises UserError where there is no such block."""
    settings = shown_config((ALL, *SETUP_CONFIGS, SCALE, REPRODUCTION), config, split, seed, index)
    if setup and settings.setup and setup != settings.setup:
        raise UserError(f"--config {config} has no problems of {setup}; leave out --setup, or --config")
    setup = settings.setup or setup or SETUPS[0]
    settled = plan_of(settings, setup)[0][split][index]
    rows = part_rows(settings, setup, split, range(index, index + 1), [settled])
    for premise in dict.fromkeys(row["premise"] for row in rows):
        show_premise([row for row in rows if row["premise"] == premise])


def show_premise(rows: list[dict]) -> None:
    """Print a premise, the worlds that remain after each announcement, and the hypotheses with their labels."""
    first = rows[0]
    print(f"{first['block'] or first['index']}\n\n{first['premise']}\n")
    problem = read_row(first)
    for announced in range(len(problem.announcements) + 1):
        cut = replace(problem, announcements=problem.announcements[:announced])
        when = f"after announcement {announced}" if announced else "before the announcements"
        print(f"  {when}: {worlds_of(cut, first['names'])}")
    for row in rows:
        needs = f"announcements that matter: {row['needs_announcements']}, shortest proof: {row['shortest_proof']}"
        print(f"\n  {row['hypothesis']}\n    {row['label']}; {needs}")
        print(f"    {row['smcdel_problem']}")
    print()


def worlds_of(problem: Problem, names: Sequence[str]) -> str:
    """Return the worlds that the announcements of a problem leave, each as the agents of whom the atom is true."""
    worlds = Checker(problem.structure()).where(Not(problem.after_announcements(Bot())))
    spelled = ", ".join("{" + ", ".join(names[atom - 1] for atom in world) + "}" for world in worlds[:16])
    return f"{len(worlds)} world{'s' * (len(worlds) > 1)}: {spelled}{', …' if len(worlds) > 16 else ''}"
