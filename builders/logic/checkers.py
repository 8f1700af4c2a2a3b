"""The choice between the two checkers, SMCDEL and the embedded one, and what happens where they disagree."""

from collections import defaultdict
from collections.abc import Sequence

from ..errors import DisagreementError, ProgramMissingError
from ..syntax.formula import LABELS, Formula, Structure
from .s5 import Checker
from .smcdel.language import Query, left_nested, spell_input
from .smcdel.program import Smcdel, find_program

ValidityQuestion = tuple[Structure, Formula]  # a structure, and the formula that may be valid on it


def are_valid(questions: Sequence[ValidityQuestion], checker: str) -> list[bool]:
    """Return whether each formula is valid on its structure, by the checker that a config names.

    Raises DisagreementError where "both" are asked and differ, ProgramMissingError where SMCDEL is needed and not
    installed, and ProgramError where it does not answer.
    """
    program = None
    if checker != "embedded":
        try:
            program = Smcdel(find_program())
        except ProgramMissingError:
            if checker != "auto":
                raise
    if program is None:
        return [Checker(structure).valid(formula) for structure, formula in questions]
    formulas_of: dict[Structure, list[Formula]] = defaultdict(list)  # one process gets all of one structure
    for structure, formula in questions:
        formulas_of[structure].append(left_nested(formula))
    answers_of = {structure: iter(program.valid(structure, formulas)) for structure, formulas in formulas_of.items()}
    answers = [next(answers_of[structure]) for structure, _ in questions]
    if checker == "both":
        for (structure, formula), answer in zip(questions, answers, strict=True):
            if Checker(structure).valid(formula) != answer:
                problem = spell_input(structure, [Query("VALID?", left_nested(formula))])
                raise DisagreementError(
                    f"{program.path} says {LABELS[answer]}, the embedded checker {LABELS[not answer]}: {problem}"
                )
    return answers
