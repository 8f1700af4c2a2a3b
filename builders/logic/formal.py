"""The formal columns of a row: the problem in SMCDEL's language, as published, and its check for a world."""

from dataclasses import replace
from functools import lru_cache

from ..syntax.formula import Structure
from .claims import SOMEONE, Claim, Premise, is_showing, to_formula, to_problem
from .smcdel.language import left_nested, spell, spell_operand, spell_structure


def formal_columns(structure: Structure, premise: Premise, hypothesis: Claim) -> tuple[str, str]:
    """Return the columns `smcdel_problem` and `pbcheck`; `structure` is that of the problem.

    `pbcheck` asks whether atom 0 follows. Nothing constrains that atom, so it follows only if no world is left.
    """
    n = len(premise.sees)
    announcements = "".join([f"[ ! {spelled} ] " for spelled in _spell_updates(premise)])
    spelled, spelled_with_0 = _spell_structures(structure)
    return f"{spelled} VALID? {announcements}{_spell_claim(hypothesis, n)}", f"{spelled_with_0} VALID? {announcements}0"


def _spell_updates(premise: Premise) -> list[str]:
    """Return what a premise announces, SOMEONE first, each as SMCDEL spells it."""
    if any(map(is_showing, premise.announcements)):
        return [spell_operand(left_nested(formula)) for formula in to_problem(premise, SOMEONE).spoken()]
    return [_spell_announcement(claim, len(premise.sees)) for claim in (SOMEONE, *premise.announcements)]


@lru_cache(maxsize=1 << 16)
def _spell_announcement(claim: Claim, n: int) -> str:
    return spell_operand(left_nested(to_formula(claim, n)))


@lru_cache(maxsize=1 << 16)
def _spell_claim(claim: Claim, n: int) -> str:
    return spell(left_nested(to_formula(claim, n)))


@lru_cache(maxsize=4096)
def _spell_structures(structure: Structure) -> tuple[str, str]:
    """Return a structure in SMCDEL's language, and the same with an atom 0."""
    with_0 = replace(structure, atoms=tuple(sorted({0, *structure.atoms})))
    return spell_structure(structure), spell_structure(with_0)
