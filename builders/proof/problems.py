"""The proof of a mindgames row: its label from the formal column, and every column from its English.

The formal column `smcdel_problem` gives the label by the checker of the config. The English gives the problem by the
reader of this room, and the label by explicit sets of worlds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, compress, pairwise
from pathlib import Path
from typing import Any

from ..logic import checkers
from ..logic.announcements import needed, shortest_proof
from ..logic.chunks import possible_lengths, rung_of
from ..logic.claims import SOMEONE, Claim, Premise, form_of, from_problem, to_problem
from ..logic.config import FAMILIES, MOST_BLOCKS, ORDERED, ProblemConfig
from ..logic.formal import entailment_of, formal_columns
from ..logic.orders import LEAST_NEEDED
from ..logic.premises import identity
from ..logic.rows import row_number
from ..logic.states import initial_state
from ..logic.utterances import kind_of
from ..reader import problem_worlds
from ..reader.read_languages import in_english
from ..reader.read_problems import read_problem
from ..splits import plain_file, plain_name
from ..syntax import formula
from ..syntax.formula import Problem
from .puzzles import prove_puzzles
from .rows import Proven, differing_column, explained_fault, first_fault, score_fault

Reading = tuple[Mapping[str, Any], Premise, Claim]  # a row, and the premise and the hypothesis that its English gives

# The label of each answer of `follows`; "no world" is English that contradicts itself.
LABELS = {True: formula.LABELS[True], False: formula.LABELS[False], None: "no world"}


def prove_mindgames(rows: Sequence[Mapping[str, Any]], config: Mapping[str, Any], file: str) -> Iterator[str | Proven]:
    """Yield for each row what is wrong with it, or what must not repeat; stop at the first row that is wrong.

    config: the fields with which the rows were built. file: the path of their Parquet file within the folder. Four rows
    that follow one another must be a block (docs/reference/mindgames.md). Texts and problems are told apart up to
    renaming.
    """
    if ProblemConfig(plain_name(config["name"])).in_rounds:
        yield from prove_puzzles(rows, config, file)
        return
    readings: list[Reading] = []
    fault = None
    language, config = config["language"], {**config, "name": plain_name(config["name"])}
    file = plain_file(file)
    try:
        for row in rows:
            readings.append(_read(in_english(row, language), config, file))
    except ValueError as error:
        fault = str(error)
    questions = [entailment_of(row["smcdel_problem"]) for row, _, _ in readings]
    answers = checkers.are_valid(questions, config["checker"])
    for place, ((row, premise, hypothesis), answer) in enumerate(zip(readings, answers, strict=True), 1):
        if row["label"] != LABELS[answer]:
            yield f"label is {row['label']!r}, smcdel_problem gives {LABELS[answer]!r}"
            return
        problem = str(identity(premise, {}, hypothesis))
        if row["block"] is None:
            yield Proven("", f"premise of {problem}", problem)
        elif place % 4 == 0 and (fault_of_block := _block_fault(readings[place - 4 : place], config["name"])):
            yield fault_of_block
        else:
            yield Proven(row["block"], str(identity(premise, {})), problem)
    if fault:
        yield fault


def _read(row: Mapping[str, Any], config: Mapping[str, Any], file: str) -> Reading:
    """Return a row with what its English says. Raises ValueError where something in the row differs from that."""
    spaced = [column for column in ("premise", "hypothesis") if row[column] != row[column].strip()]
    if spaced:
        raise ValueError(f"{spaced[0]} must not begin or end with a space")
    problem, _ = read_problem(row["premise"], row["hypothesis"], row["names"])
    premise, hypothesis = from_problem(problem)
    fault = (
        differing_column(row, _columns(row, config, file, problem, premise, hypothesis), "the text gives")
        or _config_fault(config, file, row, premise, hypothesis)
        or explained_fault(row, config, file)
        or score_fault(row, str(row["index"]), config, "mindgames")
    )
    if fault:
        raise ValueError(fault)
    return row, premise, hypothesis


def _columns(
    row: Mapping[str, Any], config: Mapping[str, Any], file: str, problem: Problem, premise: Premise, hypothesis: Claim
) -> dict[str, Any]:
    """Return the columns that the problem of the English gives; premise and hypothesis are the problem as claims."""
    of, split, setup = ProblemConfig(config["name"], rungs=config["rungs"]), Path(file).stem, problem.setup
    family, (levels, fact) = of.family, hypothesis
    formal, pbcheck = formal_columns(problem.structure(), premise, hypothesis)
    number, place = divmod(row["index"], 4)
    index = number % MOST_BLOCKS
    before, *_, left = problem_worlds.updates(problem)
    label, counts = problem_worlds.follows(problem), range(len(problem.announcements) + 1)
    if family in ORDERED:
        # Where no world is left, fewer announcements do not give the label.
        proof = counts[-1] if label is None else shortest_proof(premise, hypothesis, label)
    else:
        proof = next(count for count in counts if label in _labels_with(problem, count))
    return {
        "smcdel_problem": formal,
        "pbcheck": pbcheck,
        "label": LABELS[label],
        "setup": setup,
        "n_agents": len(problem.sees),
        "n_announcements": len(premise.announcements),
        "hypothesis_depth": len(levels) - 1,
        "s-l": f"{setup}-{len(levels) - 1}",
        "n_worlds": len(left.worlds),
        "needs_announcements": sum(other != label for other in _labels_with(problem, counts[-2])),
        "n_worlds_before": len(before.worlds),
        "shortest_proof": proof,
        "order_matters": True if family in ORDERED else None,  # as the other premise of the block shows
        "nesting_matters": problem_worlds.follows(to_problem(premise, (levels[1:], fact))) != label,
        "rung": rung_of(of, index),
        "index": 4 * row_number(family, setup, split, index) + place,
        "block": None if of.is_single else of.block_name(setup, split, index),
        "config": of.row_config,
        "language": config["language"],
        "seed": config["seed"],
        "generator_version": config["version"],
    }


def _labels_with(problem: Problem, count: int) -> Iterator[bool | None]:
    """Yield the label of a problem for each choice of `count` announcements, kept in their order."""
    for kept in combinations(problem.announcements, count):
        yield problem_worlds.follows(replace(problem, announcements=kept))


def _config_fault(
    config: Mapping[str, Any], file: str, row: Mapping[str, Any], premise: Premise, hypothesis: Claim
) -> str | None:
    """Return why a config does not make such a problem, or why it does not belong in its file."""
    levels, order, n_agents = hypothesis[0], len(hypothesis[0]), len(premise.sees)
    if any(agent == other for (agent, *_), (other, *_) in pairwise(levels)):
        return "the hypothesis says what an agent knows about their own knowledge"
    if file.split("/")[0] != (config["name"] if config["name"] in [*FAMILIES][1:] else premise.setup):
        return f"a problem of {premise.setup} stands in {file}"
    if config["name"] in ORDERED:
        return _ordered_fault(config, row, premise, order)
    if len(premise.announcements) > n_agents or not {*map(kind_of, premise.announcements)} <= {"facts", "first"}:
        return "more announcements than agents, or one that is neither a fact nor one agent's knowledge of a fact"
    if n_agents not in config["n_agents"]:
        return f"n_agents is {n_agents}, the build asked for {config['n_agents']}"
    if not 1 <= order <= config["max_order"]:
        return f"the hypothesis is of order {order}, the build asked for 1 to {config['max_order']}"
    return None


def _ordered_fault(config: Mapping[str, Any], row: Mapping[str, Any], premise: Premise, order: int) -> str | None:
    """Return why a config does not make such a problem of an order block."""
    n, length = len(premise.sees), len(premise.announcements)
    if other := set(map(kind_of, premise.announcements)) - set(config["kinds"]):
        return f"it announces {min(other)}, the build asked for {', '.join(config['kinds'])}"
    agents, lengths, orders = config["n_agents"], config["n_announcements"], list(range(1, config["max_order"] + 1))
    if row["rung"]:
        agents, lengths, orders = ([number] for number in config["rungs"][row["rung"] - 1])
    lengths = possible_lengths(premise.setup, n, lengths)
    for name, value, expected in (
        ("n_agents", n, agents), ("n_announcements", length, lengths), ("the order of the hypothesis", order, orders),
    ):  # fmt: skip
        if value not in expected:
            return f"{name} is {value}, the build asked for {list(expected)}"
    state = initial_state(premise.sees).announce(SOMEONE)
    for place, claim in enumerate(premise.announcements):
        if claim in premise.announcements[:place]:
            return "an announcement is made twice"
        after = state.informed(claim)
        if after is None:
            return f"announcement {place + 2} tells nobody anything"
        state = after
    return None if state.law.bit_count() > 1 else "only one world is left"


def _block_fault(block: list[Reading], name: str) -> str | None:
    """Return why four problems are no block of a config: two premises with two hypotheses of one form, two entailed."""
    rows, problems = [row for row, _, _ in block], [problem for _, *problem in block]
    premises, hypotheses = map(set, zip(*problems, strict=True))
    entailed = [problem for row, problem in zip(rows, problems, strict=True) if row["label"] == LABELS[True]]
    crossing = len(entailed) == 2 and [*map(set, zip(*entailed, strict=True))] == [premises, hypotheses]
    forms = set(map(form_of, hypotheses))
    first = rows[0]["index"]
    in_order = [row["index"] for row in rows] == [*range(first, first + 4)] and not first % 4
    two_by_two = len({*map(tuple, problems)}) == 4 and len(premises) == 2
    return first_fault(
        (not in_order, "the four rows of its block do not stand together in the order of their index"),
        (not two_by_two, "its block is not made of two premises and two hypotheses"),
        (len(forms) != 1, "the hypotheses of its block have different forms"),
        (len({identity(one, {}) for one in premises}) != 2, "the premises of its block are renamings of one another"),
        (any(row["names"] != rows[0]["names"] for row in rows), "the names in its block differ"),
        (len({one.sees for one in premises}) != 1, "the agents of its block do not see the same in both premises"),
        (not crossing, "the labels of its block are not one entailment for each premise and each hypothesis"),
    ) or (_order_fault(block) if name in ORDERED else None)


def _order_fault(block: list[Reading]) -> str | None:
    """Return why four problems of a block are no order block: both premises announce the same in another order."""
    p, q = {premise: None for _, premise, _ in block}
    if sorted(p.announcements) != sorted(q.announcements):
        return "the premises of its block do not make the same announcements in another order"
    lost: set[Claim] = set()
    for row, premise, hypothesis in block:
        start = initial_state(premise.sees).announce(SOMEONE)
        verdicts = needed(start, premise.announcements, hypothesis, row["label"] == LABELS[True])
        lost.update(compress(premise.announcements, verdicts))
    if len(lost) < LEAST_NEEDED:
        return f"fewer than {LEAST_NEEDED} announcements matter to the labels of its block"
    return None
