"""The choice between the two checkers, SMCDEL and the embedded one, and what happens where they disagree."""

from collections.abc import Sequence

from ..errors import DisagreementError, ProgramMissingError
from ..syntax.formula import LABELS, Formula, Structure
from .s5 import Checker
from .smcdel.language import Valid, left_nested, spell_input
from .smcdel.program import Smcdel, find_program

Question = tuple[Structure, Formula]
"""A structure, and the formula that may be valid on it."""


def are_valid(questions: Sequence[Question], checker: str) -> list[bool]:
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
    answers = _ask(program, questions)
    if checker == "both":
        for (structure, formula), answer in zip(questions, answers, strict=True):
            if Checker(structure).valid(formula) != answer:
                problem = spell_input(structure, [Valid(left_nested(formula))])
                raise DisagreementError(
                    f"{program.path} says {LABELS[answer]}, the embedded checker {LABELS[not answer]}: {problem}"
                )
    return answers


def _ask(program: Smcdel, questions: Sequence[Question]) -> list[bool]:
    """Return the program's answers; one process gets all questions about one structure."""
    places_of: dict[Structure, list[int]] = {}
    for place, (structure, _) in enumerate(questions):
        places_of.setdefault(structure, []).append(place)
    batches = [
        (structure, [left_nested(questions[place][1]) for place in places]) for structure, places in places_of.items()
    ]
    answers = {}
    for places, batch_answers in zip(places_of.values(), program.valid_each(batches), strict=True):
        answers.update(zip(places, batch_answers, strict=True))
    return [answers[place] for place in range(len(questions))]
