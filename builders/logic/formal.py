"""The formal columns of a row: the problem in SMCDEL's language, as published, and its check for a world."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..syntax.formula import (
    And,
    Announce,
    Atom,
    Common,
    Distributed,
    Formula,
    Iff,
    Implies,
    Knows,
    Not,
    Or,
    Problem,
    Shown,
    Structure,
)
from .claims import SOMEONE, Claim, Premise, from_problem, is_showing, to_formula, to_problem
from .smcdel.language import left_nested, spell, spell_operand, spell_structure, unchained
from .smcdel.parser import parse

# How `formal_columns` writes what stands behind a structure, and an announcement.
VALID, ANNOUNCEMENT = " VALID? ", re.compile(r"\[ ! ([^][]+) \] ")


def formal_columns(structure: Structure, premise: Premise, hypothesis: Claim) -> tuple[str, str]:
    """Return the columns `smcdel_problem` and `pbcheck`; `structure` is the problem's.

    `pbcheck` asks whether atom 0 follows. Nothing constrains that atom, so it follows only if no world is left.
    """
    n = len(premise.sees)
    announcements = "".join([f"[ ! {spelled} ] " for spelled in _spell_updates(premise)])
    spelled, spelled_with_0 = _spell_structures(structure)
    return f"{spelled} VALID? {announcements}{_spell_claim(hypothesis, n)}", f"{spelled_with_0} VALID? {announcements}0"


@lru_cache(maxsize=256)  # the problems of a block share their premises
def _spell_updates(premise: Premise) -> list[str]:
    """Return what a premise announces, SOMEONE first, each as SMCDEL spells it."""
    if any(map(is_showing, premise.announcements)):
        return [spell_operand(left_nested(formula)) for formula in to_problem(premise, SOMEONE).spoken()]
    return [_spell_claim(claim, len(premise.sees), spell_operand) for claim in (SOMEONE, *premise.announcements)]


@lru_cache(maxsize=1 << 17)
def _spell_claim(claim: Claim, n: int, spelling: Callable[[Formula], str] = spell) -> str:
    return spelling(left_nested(to_formula(claim, n)))


@lru_cache(maxsize=4096)
def _spell_structures(structure: Structure) -> tuple[str, str]:
    """Return a structure in SMCDEL's language, and the same with an atom 0."""
    with_0 = replace(structure, atoms=tuple(sorted({0, *structure.atoms})))
    return spell_structure(structure), spell_structure(with_0)


def problem_of(row: Mapping[str, Any]) -> Problem:
    """Return the problem of a row from its columns `smcdel_problem` and `setup`: the inverse of `formal_columns`.

    Raises ValueError where the column asks no problem.
    """
    structure, formula = entailment_of(row["smcdel_problem"])
    n, viewers = len(structure.observes), {atom: agent for agent, atoms in structure.observes for atom in atoms}
    updates: list[Formula | Shown] = []
    while isinstance(formula, Announce):
        match formula.announcement:
            case Iff(Atom(key), Atom(shown)) if key in viewers:
                updates.append(Shown(viewers[key], shown))
            case announcement:
                updates.append(flattened(announcement))
        formula = formula.after
    sees = tuple([tuple([atom for atom in atoms if 0 < atom <= n]) for _, atoms in structure.observes])
    return Problem(row["setup"], sees, tuple(updates), flattened(formula))


def claims_of(row: Mapping[str, Any]) -> tuple[Premise, Claim]:
    """Return the premise and the hypothesis of a row; raise as `problem_of` and `from_problem`."""
    return from_problem(problem_of(row))


def entailment_of(smcdel_problem: str) -> tuple[Structure, Formula]:
    """Return the structure of a formal problem, and the formula that is valid on it where the hypothesis follows.

    Raises ValueError for a text that is not SMCDEL's language, or that asks anything else.
    """
    if entailment := _entailment_of_parts(smcdel_problem):
        return entailment
    structure, queries = parse(smcdel_problem)
    if [query.word for query in queries] != ["VALID?"]:
        raise ValueError("smcdel_problem must ask one VALID? question, and nothing else")
    return structure, queries[0].formula


def parsed_query(text: str) -> tuple[Structure, Formula]:
    """Return the structure that a text declares, and the formula that is valid on it exactly where its query is true.

    The query is TRUE?: the formula says of the world that is the case what the query asks. Raises ValueError for
    another text.
    """
    structure, queries = parse(text)
    if [query.word for query in queries] != ["TRUE?"]:
        raise ValueError("the problem must ask one TRUE? question, and nothing else")
    return structure, true_at(structure, queries[0].state, queries[0].formula)


def true_at(structure: Structure, state: Collection[int], formula: Formula) -> Formula:
    """Return that a formula holds in the world where exactly the atoms of `state` are true."""
    return Implies(And(tuple([Atom(atom) if atom in state else Not(Atom(atom)) for atom in structure.atoms])), formula)


def _entailment_of_parts(smcdel_problem: str) -> tuple[Structure, Formula] | None:
    """Return what `entailment_of` does for a text as we write it, None for others; parts are read once.

    The four problems of a block share their announcements, and all problems of a setup their structures.
    """
    head, valid, rest = smcdel_problem.partition(VALID)
    if not valid or "-" in smcdel_problem:  # which may begin a comment
        return None
    announced = []
    while match := ANNOUNCEMENT.match(rest):
        announced.append(match[1])
        rest = rest[match.end() :]
    structure, last = _structure_of(head), _formula_of(rest, behind="[ ! Top ] ")
    if structure is None or not isinstance(last, Announce):
        return None
    formula = last.after
    for announcement in map(_formula_of, reversed(announced)):
        if announcement is None:
            return None
        formula = Announce(announcement, formula)
    return structure, formula


@lru_cache(maxsize=1 << 12)
def _structure_of(head: str) -> Structure | None:
    """Return the structure that a text declares, None where it does not declare one."""
    try:
        structure, queries = parse(f"{head}{VALID}Top")
    except ValueError:
        return None
    return structure if len(queries) == 1 else None


@lru_cache(maxsize=1 << 15)
def _formula_of(text: str, behind: str = "") -> Formula | None:
    """Return the formula that a text spells, with what is put before it; None where it does not spell one."""
    try:
        _, queries = parse(f"VARS 0 LAW Top OBS a:0{VALID}{behind}{text}")
    except ValueError:
        return None
    return queries[0].formula if len(queries) == 1 else None


def flattened(formula: Formula) -> Formula:
    """Return a formula with one And or Or for each chain of pairs: the inverse of `left_nested`."""
    match formula:
        case And((_, _)) | Or((_, _)):
            kind, (first, *others) = type(formula), map(flattened, unchained(formula))
            return kind((*(first.formulas if isinstance(first, kind) else (first,)), *others))
        case Not(inner) | Knows(_, inner) | Common(_, inner) | Distributed(_, inner):
            return replace(formula, formula=flattened(inner))
        case _:
            return formula
