"""Own the dataset mindgames: its configs, its features, its splits, and how a block of problems becomes rows.

What a problem is, means and sounds like is in `builders`. Works as a builder (`MindGames(config_name="forehead")`), as
a loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

from builders.errors import DisagreementError, ProgramMissingError
from builders.logic import smcdel_program, smcdel_syntax
from builders.logic.formula import LABELS, Formula, Structure
from builders.logic.s5 import Checker
from builders.logic.smcdel_program import Smcdel
from builders.logic.smcdel_syntax import Valid, spell_problem


def follow(questions: list[tuple[Structure, Formula]], checker: str) -> list[bool]:
    """Return whether each formula is valid on its structure, by the checker that a config names.

    Raises DisagreementError where both are asked and differ, ProgramMissingError where SMCDEL is asked and not there,
    and ProgramError where it does not answer.
    """
    program = None
    if checker != "embedded":
        try:
            program = Smcdel(smcdel_program.find())
        except ProgramMissingError:
            if checker != "auto":
                raise
    if program is None:
        return [Checker(structure).valid(of) for structure, of in questions]
    together: dict[Structure, list[int]] = {}
    for place, (structure, _) in enumerate(questions):
        together.setdefault(structure, []).append(place)
    batches = [
        (structure, [smcdel_syntax.nested(questions[place][1]) for place in places])
        for structure, places in together.items()
    ]
    said = {}
    for places, answers in zip(together.values(), program.valid_each(batches), strict=True):
        said.update(zip(places, answers, strict=True))
    answers = [said[place] for place in range(len(questions))]
    if checker == "both":
        for (structure, of), answer in zip(questions, answers, strict=True):
            if Checker(structure).valid(of) != answer:
                asked = spell_problem(structure, [Valid(smcdel_syntax.nested(of))])
                raise DisagreementError(
                    f"{program.path} says {LABELS[answer]}, the embedded checker {LABELS[not answer]}: {asked}"
                )
    return answers
