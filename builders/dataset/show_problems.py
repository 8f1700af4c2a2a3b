"""How `show` prints a block of problems: who is who, the worlds that each announcement leaves, and the labels."""

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from ..errors import UserError
from ..logic.claims import from_problem
from ..logic.config import (
    CONFIGS,
    FAMILIES,
    MOST_BLOCKS,
    ORDERED,
    SPLITS,
)
from ..logic.explanation import Explained, explain_premise, told_apart
from ..logic.rows import block_name, part_rows, plan_of, row_number
from ..logic.s5 import Checker
from ..proof.problems import read_row
from ..syntax.formula import SETUPS, Bot, Not, Problem, Shown, agent_name
from ..wording.languages import templates
from .show_orders import explanations, left_in
from .shown import DRAWN, Built, print_origin, rows_beside, shown_config

BLOCK = re.compile(rf"(?:(scale|deep|ladder)-)?({'|'.join(SETUPS)})-({'|'.join(SPLITS)})-(\d{{6,}})")
"""The name of a block: its config, setup, split and index."""
MOST_WORLDS = 16
"""So many worlds are listed at most; more are told in the words of the explanation."""

World = tuple[int, ...]
"""The atoms that are true."""


def show_block(dataset: Any, args: Namespace) -> None:
    """Print one block of the default sizes or of a build. Raises UserError where there is no such block."""
    rows, built = chosen_rows(dataset, args)
    by_premise = {row["premise"]: row for row in built.rows}
    for premise in dict.fromkeys(row["premise"] for row in rows):
        others = [row for text, row in by_premise.items() if text != premise and row["order_matters"] is not None]
        other = read_row(others[0]) if others else None
        show_premise([row for row in rows if row["premise"] == premise], built.fields["language"], other)
    print_origin("problems of each setup" if rows[0]["block"] is None else "blocks of each setup", built)


def chosen_rows(dataset: Any, args: Namespace) -> tuple[list[dict], Built]:
    """Return the rows of the problems that the options name, and where their block comes from."""
    config, setup, split, index, place = args.config, args.setup, args.split, args.index, None
    if args.id:
        config, setup, split, index, place = parts_of(args.id)
    built = rows_of_build(dataset, args, config, setup, split, index)
    if built is None:
        built = default_rows(config, setup, split, args.seed or 0, index)
    rows = built.rows
    if place is not None:
        rows = [row for row in rows if row["index"] == int(args.id)]
        if not rows:
            raise UserError(f"--id is {args.id}; no row has this index")
    return rows, built


def parts_of(name: str) -> tuple[str, str, str, int, int | None]:
    """Return the config, setup, split, index and place of a row's index or a block's name, which has no place.

    Raises UserError for another text.
    """
    if match := BLOCK.fullmatch(name):
        family, setup, split, index = match.groups()
        return family or "all", setup, split, int(index), None
    number, place = divmod(int(name), 4) if re.fullmatch(r"[0-9]{1,18}", name) else (-1, 0)
    kind, index = divmod(number, MOST_BLOCKS)
    rest, split = divmod(kind, len(SPLITS))
    family, setup = divmod(rest, len(SETUPS))
    if not 0 <= family < len(FAMILIES):
        raise UserError(f"--id is {name!r}; expected the index of a row, or a block such as internal-test-000003")
    config = "all" if family == 0 else FAMILIES[family]
    return config, SETUPS[setup], tuple(SPLITS)[split], index, place


def default_rows(config: str, setup: str | None, split: str, seed: int, index: int) -> Built:
    """Return the rows of a block, or of a single problem, of the default sizes."""
    settings = shown_config(CONFIGS, config, split, seed, index)
    if setup and settings.setup and setup != settings.setup:
        raise UserError(f"--config {config} has no problems of {setup}; leave out --setup, or --config")
    setup = settings.setup or setup or settings.setups[0]
    if setup not in settings.setups:
        raise UserError(f"--config {config} has no problems of {setup}; it has {', '.join(settings.setups)}")
    fields = asdict(settings)
    if settings.family in ORDERED:  # no block depends on those after it
        settings = replace(settings, **{**dict.fromkeys(SPLITS), split: index + 1})
    settled = plan_of(settings, setup)[split][index]
    return Built(part_rows(settings, setup, split, range(index, index + 1), [settled]), fields, DRAWN)


def rows_of_build(
    dataset: Any, args: Namespace, config: str, setup: str | None, split: str, index: int
) -> Built | None:
    """Return the rows of a block, or of a single problem, of a build, None where they are to be drawn."""
    family = config if config in FAMILIES else FAMILIES[0]
    setup = (config if config in SETUPS else setup) or SETUPS[0]
    if family == "reproduction":
        return rows_beside(dataset, args, split, "index", 4 * row_number(family, setup, split, index))
    return rows_beside(dataset, args, split, "block", block_name(family, setup, split, index))


def show_premise(rows: list[dict], language: str, other: Problem | None = None) -> None:
    """Print a premise, who is who, the worlds after each announcement, and the hypotheses with their labels.

    other: a problem of the other premise of an order block, None in other configs.
    """
    first = rows[0]
    print(f"{first['block'] or first['index']}\n\n{first['premise']}\n")
    problem, names = read_row(first), first["names"]
    for line in legend(problem, names, language):
        print(f"  {line}")
    print()
    premise, _ = from_problem(problem)
    ordered = first["order_matters"] is not None
    reasons = list(explanations(premise, names)) if ordered else []
    explained = explain_premise(premise, tuple(names), language)
    steps = ["", *explained.steps.split("\n")[1:]]
    for announced in range(len(problem.announcements) + 1):
        for reason in reasons[announced - 1] if announced and ordered else ():
            print(f"    {reason}")
        cut = replace(problem, announcements=problem.announcements[:announced])
        when = f"after announcement {announced}" if announced else "before the announcements"
        print(f"  {when}: {worlds_of(cut, names, steps[announced])}")
    if other:
        print(f"  the other order of the block leaves {left_in(from_problem(other)[0], names)}")
    print()
    for line in indistinguishable(problem, names, explained, language):
        print(f"  {line}")
    for row in rows:
        needs = f"announcements that matter: {row['needs_announcements']}, shortest proof: {row['shortest_proof']}"
        print(f"\n  {row['hypothesis']}\n    {row['label']}; {reason_of(read_row(row), names)}; {needs}")
        print(f"    {row['smcdel_problem']}")
    print()


def legend(problem: Problem, names: Sequence[str], language: str) -> list[str]:
    """Return what the numbers and agents of the formal problem stand for, and which facts each agent sees."""
    fact = templates(language).get_template("mindgames.jinja").module.fact
    lines = [f"{atom}: {fact(problem.setup, name, False)}" for atom, name in enumerate(names, 1)]
    for agent, (name, seen) in enumerate(zip(names, problem.sees, strict=True)):
        sees = f"sees {', '.join(map(str, sorted(seen)))}" if seen else "sees none of them"
        lines.append(f"{agent_name(agent)}: {name}, who {sees}")
    return lines


def remaining(problem: Problem) -> list[World]:
    """Return the worlds that the announcements of a problem leave, in the same order after each announcement."""
    return facts_of(Checker(problem.structure()).where(Not(problem.after_announcements(Bot()))), problem)


def facts_of(worlds: Iterable[World], problem: Problem) -> list[World]:
    """Return worlds without the keys of showings, which no announcement is about."""
    return sorted(tuple(atom for atom in world if atom <= len(problem.sees)) for world in worlds)


def worlds_of(problem: Problem, names: Sequence[str], step: str) -> str:
    """Return the worlds that the announcements of a problem leave, each as the agents of whom the atom is true.

    Of more than MOST_WORLDS their number is said, and the step of the explanation that says which they are.
    """
    worlds = remaining(problem)
    if len(worlds) > MOST_WORLDS:
        return f"{len(worlds)} worlds{'. ' * bool(step)}{step}"
    return f"{len(worlds)} world{'s' * (len(worlds) > 1)}: {', '.join(spelled(worlds, names))}"


def spelled(worlds: Sequence[World], names: Sequence[str]) -> list[str]:
    """Return worlds as the names of whom the atom is true."""
    return ["{" + ", ".join(names[atom - 1] for atom in world) + "}" for world in worlds]


def indistinguishable(problem: Problem, names: Sequence[str], explained: Explained, language: str) -> Iterable[str]:
    """Yield for each agent the groups of remaining worlds that the agent cannot tell apart, or what tells them apart.

    The latter is for more than MOST_WORLDS worlds.
    """
    worlds = remaining(problem)
    if len(worlds) > MOST_WORLDS:
        for name, seen in zip(names, explained.seen, strict=True):
            yield told_apart(explained.state.law, seen, name, tuple(names), language).removesuffix(".")
        return
    shown = [update for update in problem.announcements if isinstance(update, Shown)]
    for agent, (name, seen) in enumerate(zip(names, problem.sees, strict=True)):
        seen = {*seen, *(update.atom for update in shown if update.agent == agent_name(agent))}
        groups: dict[frozenset[int], list[World]] = defaultdict(list)
        for world in worlds:
            groups[frozenset(world) & frozenset(seen)].append(world)
        texts = [" ~ ".join(spelled(group, names)) for group in groups.values() if len(group) > 1]
        yield f"{name} cannot tell apart {'; '.join(texts)}" if texts else f"{name} can tell all these worlds apart"


def reason_of(problem: Problem, names: Sequence[str]) -> str:
    """Return in which of the remaining worlds the hypothesis of a problem is true."""
    false = facts_of(Checker(problem.structure()).where(Not(problem.entailment())), problem)
    worlds = remaining(problem)
    if not false:
        return "true in the one world that is left" if len(worlds) == 1 else f"true in all {len(worlds)} worlds left"
    return f"false in {len(false)} of {len(worlds)} worlds left, such as {spelled(false[:1], names)[0]}"
