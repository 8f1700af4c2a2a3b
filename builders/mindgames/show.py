"""How `show` prints a block of problems: who is who, the worlds that each announcement leaves, and the labels."""

import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import repeat

from ..columns import Row
from ..configs import DRAWN, Built, Find, shown_config
from ..errors import UserError
from ..logic.claims import Claim, Premise
from ..logic.config import CONFIGS, FAMILIES, MOST_BLOCKS, ORDERED, SPLITS, ProblemConfig
from ..logic.explanation import Explained, explain_premise, told_apart
from ..logic.formal import claims_of
from ..logic.rows import block_name, part_rows, plan_of, row_number
from ..logic.states import State, state_after
from ..splits import in_language_of
from ..syntax.formula import SETUPS, agent_name
from ..wording.languages import templates
from .show_orders import explanations, spelled, spelled_worlds, worlds_in

BLOCK = re.compile(rf"(?:([a-z]+)-)?({'|'.join(SETUPS)})-({'|'.join(SPLITS)})-(\d{{6,}})")
"""The name of a block: its config, setup, split and index."""
MOST_WORLDS = 16
"""Most worlds that are listed; more are told in the words of the explanation."""


def show(rows: list[Row], built: Built) -> None:
    """Print one block: its problems, their labels, and the worlds that the announcements leave."""
    by_premise = {row["premise"]: row for row in built.rows}
    for premise in dict.fromkeys(row["premise"] for row in rows):
        others = [row for text, row in by_premise.items() if text != premise and row["order_matters"] is not None]
        of_premise = [row for row in rows if row["premise"] == premise]
        show_premise(of_premise, built.fields["language"], next(iter(others), None))


def chosen_rows(args: Namespace, find: Find) -> tuple[list[Row], Built]:
    """Return the rows of the problems that the options name, and where their block comes from."""
    config, setup, split, index, place = args.config, args.setup, args.split, args.index, None
    if args.id:
        config, setup, split, index, place = parts_of(args.id)
        config = in_language_of(config, args.config)
    built = rows_of_build(find, config, setup, split, index)
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
    match = BLOCK.fullmatch(name)
    if match and (not match[1] or ProblemConfig(name=match[1]).prefix and not FAMILIES[match[1]].single):
        family, setup, split, index = match.groups()
        return family or "all", setup, split, int(index), None
    number, place = divmod(int(name), 4) if re.fullmatch(r"[0-9]{1,18}", name) else (-1, 0)
    kind, index = divmod(number, MOST_BLOCKS)
    rest, split = divmod(kind, len(SPLITS))
    family, setup = divmod(rest, len(SETUPS))
    if not 0 <= family < len(FAMILIES):
        raise UserError(f"--id is {name!r}; expected the index of a row, or a block such as internal-test-000003")
    config = "all" if family == 0 else [*FAMILIES][family]
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


def rows_of_build(find: Find, config: str, setup: str | None, split: str, index: int) -> Built | None:
    """Return the rows of a block, or of a single problem, of a build, None where they are to be drawn."""
    family = config if config in FAMILIES else "blocks"
    setup = (config if config in SETUPS else setup) or SETUPS[0]
    if family == "reproduction":
        return find(split, "index", 4 * row_number(family, setup, split, index))
    return find(split, "block", block_name(family, setup, split, index))


def show_premise(rows: list[dict], language: str, other: dict | None = None) -> None:
    """Print a premise, who is who, the worlds after each announcement, and the hypotheses with their labels.

    other: a row of the other premise of an order block, None in other configs.
    """
    first, names = rows[0], tuple(rows[0]["names"])
    print(f"{first['block'] or first['index']}\n\n{first['premise']}\n")
    premise, _ = claims_of(first)
    for line in legend(premise, names, language):
        print(f"  {line}")
    print()
    explained = explain_premise(premise, names, language)
    ordered = first["order_matters"] is not None
    reasons = [[], *explanations(explained)] if ordered else repeat([])
    steps = ["", *explained.steps.split("\n")[1:]]
    for announced, (state, step, why) in enumerate(zip(explained.states, steps, reasons, strict=False)):
        for reason in why:
            print(f"    {reason}")
        when = f"after announcement {announced}" if announced else "before the announcements"
        print(f"  {when}: {counted_worlds(state.law, names, step)}")
    if other:
        law = state_after(claims_of(other)[0]).law
        print(f"  the other order of the block leaves {law.bit_count()} worlds: {spelled_worlds(law, names)}")
    print()
    for line in indistinguishable(explained):
        print(f"  {line}")
    for row in rows:
        _, hypothesis = claims_of(row)
        needs = f"announcements that matter: {row['needs_announcements']}, shortest proof: {row['shortest_proof']}"
        reason = reason_of(explained.left, hypothesis, names)
        print(f"\n  {row['hypothesis']}\n    {row['label']}; {reason}; {needs}\n    {row['smcdel_problem']}")
    print()


def legend(premise: Premise, names: Sequence[str], language: str) -> list[str]:
    """Return what the numbers and agents of the formal problem stand for, and which facts each agent sees."""
    fact = templates(language).get_template("mindgames.jinja").module.fact
    lines = [f"{atom}: {fact(premise.setup, name, False)}" for atom, name in enumerate(names, 1)]
    for agent, (name, seen) in enumerate(zip(names, premise.sees, strict=True)):
        sees = f"sees {', '.join(map(str, seen))}" if seen else "sees none of them"
        lines.append(f"{agent_name(agent)}: {name}, who {sees}")
    return lines


def counted_worlds(worlds: int, names: Sequence[str], step: str) -> str:
    """Return how many worlds are in a set, and each as the agents of whom the atom is true.

    Of more than MOST_WORLDS the step of the explanation says which they are.
    """
    count = worlds.bit_count()
    if count > MOST_WORLDS:
        return f"{count} worlds{'. ' * bool(step)}{step}"
    return f"{count} world{'s' * (count > 1)}: {', '.join(spelled(world, names) for world in worlds_in(worlds))}"


def indistinguishable(explained: Explained) -> Iterable[str]:
    """Yield for each agent the groups of remaining worlds that the agent cannot tell apart.

    Of more than MOST_WORLDS worlds, yield what the agent tells them apart by.
    """
    left, names = explained.left.law, explained.names
    for name, seen in zip(names, explained.sights[-1], strict=True):
        if left.bit_count() > MOST_WORLDS:
            yield told_apart(left, seen, name, names, explained.language).removesuffix(".")
            continue
        groups: dict[int, list[str]] = defaultdict(list)
        for world in worlds_in(left):
            groups[world & seen].append(spelled(world, names))
        texts = [" ~ ".join(group) for group in groups.values() if len(group) > 1]
        yield f"{name} cannot tell apart {'; '.join(texts)}" if texts else f"{name} can tell all these worlds apart"


def reason_of(left: State, hypothesis: Claim, names: Sequence[str]) -> str:
    """Return in which of the remaining worlds a hypothesis is true."""
    count, false = left.law.bit_count(), worlds_in(left.law ^ left.where(hypothesis))
    if not false:
        return "true in the one world that is left" if count == 1 else f"true in all {count} worlds left"
    return f"false in {len(false)} of {count} worlds left, such as {spelled(false[0], names)}"
