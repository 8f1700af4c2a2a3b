"""How `show` prints a block of problems: who is who, the worlds that each announcement leaves, and the labels."""

import re
from dataclasses import asdict
from itertools import islice
from operator import itemgetter

from ..columns import Row
from ..configs import DRAWN, Built, Find, Selection, config_named, shown_config
from ..dataset import dataset_named
from ..errors import UserError
from ..groups import grouped_by
from ..logic.config import FAMILIES, MOST_BLOCKS, ProblemConfig
from ..logic.explanation import Explained, alike_worlds, explain_premise, numbers, told_apart
from ..logic.formal import claims_of
from ..logic.puzzle_rows import explain_puzzle, problem_of
from ..logic.rows import kinds, part_rows, row_number, units_of
from ..logic.states import state_after
from ..splits import SPLITS, in_language_of
from ..syntax.formula import SETUPS
from ..syntax.rounds import MARKS
from ..wording.languages import macros
from .show_orders import explanations, pages, worlds_in

# The name of a block: its config, setup, split and index.
BLOCK = re.compile(rf"(?:([a-z]+)-)?({'|'.join([*SETUPS, *MARKS])})-({'|'.join(SPLITS)})-(\d{{6,}})")
MOST_WORLDS = 16  # most worlds that are listed; more are told in the words of the explanation


def show(rows: list[Row], built: Built) -> None:
    """Print one block: its problems, their labels, and the worlds that the announcements leave."""
    for premise, asked in grouped_by(itemgetter("premise"), rows).items():
        if asked[0]["rounds"] is not None:
            print(puzzle_page(asked, built.fields["language"]))
            continue
        others = (row for row in built.rows if row["premise"] != premise and row["order_matters"] is not None)
        print(page(asked, built.fields["language"], next(others, None)))


def chosen_rows(selection: Selection, find: Find) -> tuple[list[Row], Built]:
    """Return the rows of the problems that the user selects, and where their block comes from."""
    config, setup, split, index, place = selection.config, selection.setup, selection.split, selection.index, None
    if selection.id:
        config, setup, split, index, place = parts_of(selection.id)
        config = in_language_of(config, selection.config)
    chosen = config_named(dataset_named("mindgames").configs, config)
    setup = setup or chosen.setups[0]
    if chosen.is_single:
        named = "index", 4 * row_number(chosen.family, setup, split, index)
    else:
        named = "block", chosen.block_name(setup, split, index)
    built = find(config, split, *named) or default_rows(config, setup, split, index, selection.seed or 0)
    rows = [row for row in built.rows if place is None or row["index"] == int(selection.id or "")]
    if not rows:
        raise UserError(f"--id is {selection.id}; no row has this index; choose another")
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
    if kind not in kinds():
        raise UserError(f"--id is {name!r}; expected the index of a row, or a block such as internal-test-000003")
    family, setup, split = kinds()[kind]
    return "all" if family == "blocks" else family, setup, split, index, place


def default_rows(config: str, setup: str, split: str, index: int, seed: int) -> Built:
    """Return the rows of a block, or of a single problem, of the default sizes."""
    settings = shown_config(dataset_named("mindgames").configs, config, split, seed, index)
    if setup not in settings.setups:
        raise UserError(f"--config {config} has no problems of {setup}; it has {', '.join(settings.setups)}")
    settled = islice(units_of(settings, setup, split), index, index + 1)
    return Built(part_rows(settings, setup, split, range(index, index + 1), [*settled]), asdict(settings), DRAWN)


def page(rows: list[Row], language: str, other: Row | None) -> str:
    """Return the page of a premise: who is who, the worlds after each announcement, the hypotheses and their labels.

    Of more than MOST_WORLDS worlds the words of the explanation say which they are. other: a row of the other premise
    of an order block, None in other configs.
    """
    names, premise = tuple(rows[0]["names"]), claims_of(rows[0])[0]
    explained = explain_premise(premise, names, language)
    left, laws = explained.left, [state.law for state in explained.states]
    fact = macros(language, "mindgames").fact
    is_ordered = rows[0]["order_matters"] is not None
    states = [
        (law.bit_count(), worlds_in(law) if law.bit_count() <= MOST_WORLDS else None, step)
        for law, step in zip(laws, ["", *explained.steps.split("\n")[1:]], strict=True)
    ]
    text: str = pages().premise(
        rows,
        [fact(premise.setup, name, False) for name in names],
        premise.sees,
        names,
        states,
        [[], *(explanations(explained) if is_ordered else [[]] * len(laws))],
        other and worlds_in(state_after(claims_of(other)[0]).law),
        [view_of(explained, agent) for agent in range(len(names))],
        [(row, worlds_in(left.law ^ left.where(claims_of(row)[1]))) for row in rows],
    )
    return text


def puzzle_page(rows: list[Row], language: str) -> str:
    """Return the page of a puzzle in rounds: who answers yes in each round, the hypotheses, and their labels."""
    names = tuple(rows[0]["names"])
    told = [explain_puzzle(*problem_of(row), names, language).split("\n") for row in rows]
    text: str = pages().puzzle(rows, told, names)
    return text


def view_of(explained: Explained, agent: int) -> str | list[list[int]]:
    """Return the groups of remaining worlds that an agent cannot tell apart; of more than MOST_WORLDS, how it does."""
    left = explained.left
    if left.law.bit_count() > MOST_WORLDS:
        return told_apart(left, agent, explained.names, explained.language).removesuffix(".")
    return sorted(map(worlds_in, alike_worlds(left.law, left.sights[agent])), key=lambda group: numbers(group[0]))
