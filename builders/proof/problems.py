"""The proof of a mindgames row: its label from the formal column, and every column from its English.

The formal column `smcdel_problem` gives the label by the checker of the config. The English gives the problem by the
reader of this room, and the label by explicit sets of worlds.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

from ..logic import checkers
from ..logic.announcements import shortest_proof
from ..logic.chunks import possible_lengths, rung_of
from ..logic.claims import NAMED, SOMEONE, Claim, Premise, from_problem
from ..logic.config import FAMILIES, MOST_BLOCKS, ORDERED, family_of
from ..logic.formal import formal_columns
from ..logic.glances import needed
from ..logic.orders import LEAST_NEEDED
from ..logic.premises import identity
from ..logic.rows import block_name, row_number
from ..logic.s5 import Checker
from ..logic.smcdel.parser import parse
from ..logic.states import initial_state
from ..logic.utterances import kind_of
from ..syntax import formula
from ..syntax.formula import Bot, Knows, KnowsWhether, Not, Problem, Top
from . import problem_worlds
from .read_problems import read_problem
from .rows import Proven, explained_fault, score_fault

LABELS = {**formula.LABELS, None: "no world"}
"""The label of each answer of `follows`; "no world" is English that contradicts itself."""


def prove_mindgames(rows: list[dict], config: dict, file: str) -> Iterator[str | Proven]:
    """Yield for each row what is wrong with it, or what must not repeat; stop at the first row that is wrong.

    config: the fields with which the rows were built. file: the path of their Parquet file within the folder. Four rows
    that follow one another must be a block (docs/mindgames.md). Texts and problems are told apart up to renaming.
    """
    readings: list[tuple[Premise, Claim]] = []
    questions = []
    fault = None
    for row in rows:
        try:
            reading = _read_row(row, config, file)
        except ValueError as error:
            reading = str(error)
        if isinstance(reading, str):
            fault = reading
            break
        readings.append(reading)
        structure, (query,) = parse(row["smcdel_problem"])
        questions.append((structure, query.formula))
    block: list[tuple[dict, Premise, Claim]] = []
    answers = checkers.are_valid(questions, config["checker"])
    for row, (premise, hypothesis), answer in zip(rows, readings, answers, strict=False):
        if row["label"] != LABELS[answer]:
            yield f"label is {row['label']!r}, smcdel_problem gives {LABELS[answer]!r}"
            return
        problem = str(identity(premise, {}, hypothesis))
        if row["block"] is None:
            yield Proven("", f"premise of {problem}", problem)
            continue
        block.append((row, premise, hypothesis))
        block_fault = None
        if len(block) == 4:
            block_fault = _block_fault(block) or (_order_fault(block) if family_of(config["name"]) in ORDERED else None)
            block = []
        yield block_fault or Proven(row["block"], str(identity(premise, {})), problem)
    if fault:
        yield fault


def read_row(row: dict) -> Problem:
    """Return the problem that the English of a row poses. Raises ValueError for one that cannot be read."""
    if None in (row["premise"], row["hypothesis"], row["names"], *(row["names"] or ())):
        raise ValueError("premise, hypothesis or names is empty")
    return read_problem(row["premise"], row["hypothesis"], row["names"])[0]


def _read_row(row: dict, config: dict, file: str) -> str | tuple[Premise, Claim]:
    """Return the premise and the hypothesis that the English poses, or what in the row differs from them."""
    for column in ("premise", "hypothesis"):
        if row[column] != row[column].strip():
            return f"{column} begins or ends with a space"
    problem = read_row(row)
    premise, hypothesis = from_problem(problem)
    return (
        _column_fault(row, config, file, problem, premise, hypothesis)
        or _config_fault(config, file, row, problem, premise, hypothesis)
        or explained_fault(row, config, file)
        or score_fault(row, str(row["index"]), config, "mindgames")
        or (premise, hypothesis)
    )


def _column_fault(
    row: dict, config: dict, file: str, problem: Problem, premise: Premise, hypothesis: Claim
) -> str | None:
    """Return the first column that differs from what the English gives."""
    family = family_of(config["name"])
    ordered = family in ORDERED
    split = Path(file).stem
    order = len(hypothesis[0])
    formal, pbcheck = formal_columns(problem.structure(), premise, hypothesis)
    number, place = divmod(row["index"], 4)
    index = number % MOST_BLOCKS
    (before, _), *_, (left, _) = problem_worlds.updates(problem)
    computed = {
        "smcdel_problem": formal,
        "pbcheck": pbcheck,
        "label": LABELS[problem_worlds.follows(problem)],
        "setup": problem.setup,
        "n_agents": len(problem.sees),
        "n_announcements": len(problem.announcements) - 1,
        "hypothesis_depth": order - 1,
        "s-l": f"{problem.setup}-{order - 1}",
        "n_worlds": len(left),
        "needs_announcements": _needed_announcements(problem),
        "n_worlds_before": len(before),
        "shortest_proof": shortest_proof(premise, hypothesis) if ordered else _shortest_proof(problem),
        "order_matters": True if ordered else None,  # as the other premise of the block shows
        "nesting_matters": problem_worlds.follows(_unnested(problem)) != problem_worlds.follows(problem),
        "rung": rung_of(family, config["rungs"], index),
        "index": 4 * row_number(family, problem.setup, split, index) + place,
        "block": None if family == "reproduction" else block_name(family, problem.setup, split, index),
        "seed": config["seed"],
        "generator_version": config["version"],
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the text gives {value!r}"
    return None


def _unnested(problem: Problem) -> Problem:
    """Return a problem whose hypothesis lacks its outermost knowledge."""
    match problem.hypothesis:
        case Not(Knows(_, inner) | KnowsWhether(_, inner)) | Knows(_, inner) | KnowsWhether(_, inner):
            return replace(problem, hypothesis=inner)
        case _:
            raise ValueError(f"the hypothesis is nobody's knowledge: {problem.hypothesis}")


def _config_fault(
    config: dict, file: str, row: dict, problem: Problem, premise: Premise, hypothesis: Claim
) -> str | None:
    """Return how a problem is not one that its config makes, or does not belong in its file."""
    levels, order, n_agents = hypothesis[0], len(hypothesis[0]), len(problem.sees)
    if any(agent == other for (agent, *_), (other, *_) in pairwise(levels)):
        return "the hypothesis says of one agent what he knows of his own knowledge"
    if file.split("/")[0] != (config["name"] if config["name"] in [*FAMILIES][1:] else problem.setup):
        return f"a problem of {problem.setup} stands in {file}"
    if config["name"] in ORDERED:
        return _ordered_fault(config, row, premise, order)
    if len(premise.announcements) > n_agents or not {*map(kind_of, premise.announcements)} <= {"facts", "first"}:
        return "more is announced than a fact or what one agent knows of one, up to as many times as there are agents"
    if n_agents not in config["n_agents"]:
        return f"n_agents is {n_agents}, asked for were {config['n_agents']}"
    if not 1 <= order <= config["max_order"]:
        return f"the hypothesis is of order {order}, asked for were 1 to {config['max_order']}"
    return None


def _ordered_fault(config: dict, row: dict, premise: Premise, order: int) -> str | None:
    """Return how a problem of an order block is not one that its config makes."""
    n, length = len(premise.sees), len(premise.announcements)
    if other := set(map(kind_of, premise.announcements)) - set(config["kinds"]):
        return f"it announces {min(other)}, asked for were {', '.join(config['kinds'])}"
    agents, lengths, orders = config["n_agents"], config["n_announcements"], list(range(1, config["max_order"] + 1))
    if row["rung"]:
        agents, lengths, orders = ([number] for number in config["rungs"][row["rung"] - 1])
    lengths = possible_lengths(premise.setup, n, lengths)
    for name, value, expected in (
        ("n_agents", n, agents), ("n_announcements", length, lengths), ("the order of the hypothesis", order, orders),
    ):  # fmt: skip
        if value not in expected:
            return f"{name} is {value}, asked for were {list(expected)}"
    start = initial_state(premise.sees).announce(SOMEONE)
    for place, claim in enumerate(premise.announcements):
        if claim in premise.announcements[:place]:
            return "an announcement is made twice"
        if not start.tells(claim):
            return f"announcement {place + 2} tells nobody anything"
        start = start.announce(claim)
    return None if start.law.bit_count() > 1 else "one world is left"


def _without_hypothesis(problem: Problem) -> Problem:
    """Return what the problems of a premise share."""
    return replace(problem, hypothesis=Top())


def _needed_announcements(problem: Problem) -> int:
    """Return how many announcements change the label, or leave no world, when one is left out."""
    follows = Checker(problem.structure()).valid(problem.entailment())
    return sum(
        leaves_none or checker.valid(replace(without, hypothesis=problem.hypothesis).entailment()) != follows
        for without, checker, leaves_none in _with_one_left_out(_without_hypothesis(problem))
    )


@lru_cache(maxsize=8)
def _with_one_left_out(premise: Problem) -> list[tuple[Problem, Checker, bool]]:
    """Return a premise without each of its announcements, with its checker, and whether it leaves no world."""
    found = []
    for place in range(len(premise.announcements)):
        without = replace(premise, announcements=premise.announcements[:place] + premise.announcements[place + 1 :])
        checker = Checker(without.structure())  # another one, as showings have keys there
        found.append((without, checker, checker.valid(without.after_announcements(Bot()))))
    return found


def _shortest_proof(problem: Problem) -> int:
    """Return how few of the announcements, kept in their order, give the label alone and leave a world."""
    checker = Checker(problem.structure())
    follows = checker.valid(problem.entailment())
    for count in range(len(problem.announcements)):
        for kept in combinations(problem.announcements, count):
            shorter = replace(problem, announcements=kept)
            if checker.valid(shorter.entailment()) == follows and not checker.valid(shorter.after_announcements(Bot())):
                return count
    return len(problem.announcements)


def _block_fault(block: list[tuple[dict, Premise, Claim]]) -> str | None:
    """Return why four problems are no block: two premises with two hypotheses of one form, two of four entailed."""
    rows = [row for row, _, _ in block]
    premises = {premise for _, premise, _ in block}
    hypotheses = {hypothesis for _, _, hypothesis in block}
    entailed = [(premise, hypothesis) for row, premise, hypothesis in block if row["label"] == LABELS[True]]
    forms = {(tuple(level[1:] for level in levels), fact if fact < NAMED else NAMED + fact % 2)
             for levels, fact in hypotheses}  # fmt: skip
    first = rows[0]["index"]
    if [row["index"] for row in rows] != list(range(first, first + 4)) or first % 4:
        return "the four rows of its block do not stand together in the order of their index"
    if len({(premise, hypothesis) for _, premise, hypothesis in block}) != 4 or len(premises) != 2:
        return "its block is not two premises with two hypotheses"
    if len(forms) != 1:
        return "the hypotheses of its block have two forms"
    if len({identity(premise, {}) for premise in premises}) != 2:
        return "the premises of its block are renamings of one another"
    if any(row["names"] != rows[0]["names"] for row in rows):
        return "the names in its block differ"
    if len({premise.sees for premise in premises}) != 1:
        return "the agents of its block do not see the same in both premises"
    if len(entailed) != 2 or {premise for premise, _ in entailed} != premises or {h for _, h in entailed} != hypotheses:
        return "the labels of its block are not one entailment for each premise and each hypothesis"
    return None


def _order_fault(block: list[tuple[dict, Premise, Claim]]) -> str | None:
    """Return why four problems of a block are no order block: both premises announce the same in another order."""
    p, q = {premise: None for _, premise, _ in block}
    if sorted(p.announcements) != sorted(q.announcements):
        return "the premises of its block do not announce the same in another order"
    lost = set()
    for row, premise, hypothesis in block:
        start = initial_state(premise.sees).announce(SOMEONE)
        verdicts = needed(start, premise.announcements, hypothesis, row["label"] == LABELS[True])
        lost |= {claim for claim, verdict in zip(premise.announcements, verdicts, strict=True) if verdict}
    if len(lost) < LEAST_NEEDED:
        return "its block keeps all labels without all announcements but one"
    return None
