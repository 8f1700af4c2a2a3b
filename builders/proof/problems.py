"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

from builders.audit import problems
from builders.audit.problems import Posed
from builders.difficulty.masking import MaskedRow
from builders.logic import checkers, formula
from builders.logic.claims import NAMED, Claim, Premise, coded
from builders.logic.config import FAMILIES, MOST
from builders.logic.formula import Bot, Not, Problem, Top
from builders.logic.premises import identity
from builders.logic.rows import block_name, row_number, spell_problem
from builders.logic.s5 import Checker
from builders.logic.smcdel.parser import parse
from builders.proof import problem_worlds
from builders.proof.read_problems import read_problem
from builders.proof.scores import MAY_BE_EMPTY, _score_fault

LABELS = {**formula.LABELS, None: "no world"}
"""What MindGames calls it when the hypothesis follows and when not; and the English that contradicts itself."""


def prove_mindgames(rows: list[dict], config: dict, file: str) -> Iterator[str | tuple[str, str, str]]:
    """Yield for each row what is wrong with it, or what must not repeat: whose its text is, the text, the problem.

    The label is computed from `smcdel_problem` by the checker of the config, and from the English by explicit sets of
    worlds; the English must say the formal problem. Four rows that follow one another must be a block (DESIGN, section
    5). Texts and problems are told apart up to renaming: a premise belongs to one block.
    """
    found: list[str | tuple[Premise, Claim]] = []
    asked = []
    for row in rows:
        try:
            found.append(_read_mindgames(row, config, file))
        except ValueError as error:
            found.append(str(error))
        if isinstance(found[-1], str):
            break
        structure, (query,) = parse(row["smcdel_problem"])
        asked.append((structure, query.formula))
    block: list[tuple[dict, Premise, Claim]] = []
    for row, each, follows in zip(rows, found, [*checkers.are_valid(asked, config["checker"]), None], strict=False):
        if isinstance(each, str):
            yield each
            return
        if row["label"] != LABELS[follows]:
            yield f"label is {row['label']!r}, smcdel_problem gives {LABELS[follows]!r}"
            return
        premise, hypothesis = each
        problem = str(identity(premise, {}, hypothesis))
        if row["block"] is None:
            yield "", f"premise of {problem}", problem
            continue
        fault = None
        block.append((row, premise, hypothesis))
        if len(block) == 4:
            fault = _block_fault(block)
            block = []
        yield fault or (row["block"], str(identity(premise, {})), problem)


def read(row: dict) -> Problem:
    """Return the problem that the English of a row poses. Raises ValueError for one that cannot be read."""
    if None in (row["premise"], row["hypothesis"], row["names"], *(row["names"] or ())):
        raise ValueError("premise, hypothesis or names is empty")
    return read_problem(row["premise"], row["hypothesis"], row["names"])[0]


def posed(
    row: dict,
    problem: Problem,
    group: str,
    reading: MaskedRow | None = None,
    probes: dict[str, bool | None] | None = None,
) -> Posed:
    """Return a row of MindGames, and the problem that its English poses, for the audit."""
    premise, hypothesis, names = row["premise"], row["hypothesis"], row["names"]
    masked = (problems.mask(text, names) for text in (premise, hypothesis))
    pairs = problems.pairs(premise, hypothesis, names)
    return Posed(group, problem, *masked, pairs, row["label"] == LABELS[True], reading, probes or {})


def _read_mindgames(row: dict, config: dict, file: str) -> str | tuple[Premise, Claim]:
    """Return what in a row is not as its English has it, or the problem that this poses where all columns agree."""
    empty = [column for column, value in row.items() if value is None and column not in MAY_BE_EMPTY]
    if empty:
        return f"{empty[0]} is empty"
    for column in ("premise", "hypothesis"):
        if row[column] != row[column].strip():
            return f"{column} begins or ends with a space"
    told = read(row)
    family = config["name"] if config["name"] in FAMILIES else FAMILIES[0]
    split = Path(file).stem
    premise, hypothesis = coded(told)
    levels = len(hypothesis[0])
    formal, pbcheck = spell_problem(told.structure(), premise, hypothesis)
    number, place = divmod(row["index"], 4)
    index = number % MOST
    computed = {
        "smcdel_problem": formal,
        "pbcheck": pbcheck,
        "label": LABELS[problem_worlds.follows(told)],
        "setup": told.setup,
        "n_agents": len(told.sees),
        "n_announcements": len(told.announcements) - 1,
        "hypothesis_depth": levels - 1,
        "s-l": f"{told.setup}-{levels - 1}",
        "n_worlds": len(Checker(told.structure()).where(Not(told.announced(Bot())))),
        "needs_announcements": _needed(told),
        "n_worlds_before": len(Checker(told.structure()).where(Top())),
        "shortest_proof": _shortest_proof(told),
        "index": 4 * row_number(family, told.setup, split, index) + place,
        "block": None if family == "reproduction" else block_name(family, told.setup, split, index),
        "seed": config["seed"],
        "generator_version": config["version"],
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the text gives {value!r}"
    agents = [agent for agent, _, _ in hypothesis[0]]
    if len(premise.said) > len(told.sees) or any(len(said) > 1 for said, _ in premise.said):
        return "more is announced than a fact or what one agent knows of one, up to as many times as there are agents"
    if any(agent == other for agent, other in pairwise(agents)):
        return "the hypothesis says of one agent what he knows of his own knowledge"
    if len(told.sees) not in config["n_agents"]:
        return f"n_agents is {len(told.sees)}, asked for were {config['n_agents']}"
    if not 1 <= levels <= config["max_order"]:
        return f"the hypothesis is of order {levels}, asked for were 1 to {config['max_order']}"
    if file.split("/")[0] != (told.setup if family == FAMILIES[0] else family):
        return f"a problem of {told.setup} stands in {file}"
    return _score_fault(row, str(row["index"]), config, "mindgames") or (premise, hypothesis)


def _needed(told: Problem) -> int:
    """Return how many announcements change the label, or leave no world, when one is left out."""
    checker = Checker(told.structure())
    follows = checker.valid(told.claim())
    count = 0
    for place in range(len(told.announcements)):
        without = replace(told, announcements=told.announcements[:place] + told.announcements[place + 1 :])
        count += checker.valid(without.announced(Bot())) or checker.valid(without.claim()) != follows
    return count


def _shortest_proof(told: Problem) -> int:
    """Return how few of the announcements, kept in their order, give the label alone and leave a world."""
    checker = Checker(told.structure())
    follows = checker.valid(told.claim())
    for count in range(len(told.announcements)):
        for said in combinations(told.announcements, count):
            only = replace(told, announcements=said)
            if checker.valid(only.claim()) == follows and not checker.valid(only.announced(Bot())):
                return count
    return len(told.announcements)


def _block_fault(block: list[tuple[dict, Premise, Claim]]) -> str | None:
    """Return what keeps four problems from being a block of two premises p, q and two hypotheses h, g of one form."""
    rows = [row for row, _, _ in block]
    premises = {premise for _, premise, _ in block}
    hypotheses = {hypothesis for _, _, hypothesis in block}
    entailed = [(premise, hypothesis) for row, premise, hypothesis in block if row["label"] == LABELS[True]]
    forms = {(tuple(level[1:] for level in levels), fact if fact < NAMED else NAMED + fact % 2)
             for levels, fact in hypotheses}  # fmt: skip
    if [row["index"] for row in rows] != list(range(rows[0]["index"], rows[0]["index"] + 4)) or rows[0]["index"] % 4:
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
    if [{each[place] for each in entailed} for place in (0, 1)] != [premises, hypotheses] or len(entailed) != 2:
        return "the labels of its block are not one entailment for each premise and each hypothesis"
    return None
