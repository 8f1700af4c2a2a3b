"""What published data call right: labels and answers in the many spellings that files have, read or refused.

"True", `True`, "Entailment." and "not entailment" are labels; "Red Box.", "(b)" and "B: red_box" are answers. What
could mean two things, such as 0 or 1, is none: a misread label would only show as a low score.
"""

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from .problems import LABELS

HOLDS = ("entailment", "entailed", "true", "yes")
FAILS = ("not_entailment", "notentailment", "nonentailment", "non_entailment", "not_entailed", "false", "no")
SIGNS = " \t\r\n.,;:!\"'`*“”’‘()[]{}<>"  # what may stand around a label or an answer
# The letter of an answer and its container, each of which may be missing.
LETTERED = re.compile(r"(?is)\W*(?:(?:option|choice)\s+)?(?:([a-z])(?![\w-])[\s.:,)\]-]*)?(?:(?:in\s+)?the\s+)?(.*)")


def spelling(text: str) -> str:
    """Return a text in the one spelling by which labels and containers are compared."""
    return re.sub(r"[\s_-]+", "_", text.strip(SIGNS)).lower()


def published_label(value: Any) -> str:
    """Return the label that a published value is, True and False included. Raises ValueError for any other value."""
    said = spelling(str(value)) if isinstance(value, str | bool) else None
    if said in HOLDS or said in FAILS:
        return LABELS[said in HOLDS]
    known = f"{LABELS[True]} or {LABELS[False]}"
    number = "; a number does not say which of them it is" if isinstance(value, int | float) else ""
    raise ValueError(f"label is {value!r}; expected {known}{number}")


def published_answer(answer: str, choices: Sequence[str], containers: Sequence[str]) -> str:
    """Return what a published answer names: "red_box", "B" or "B. red_box", in any spelling.

    That is one of the choices, or of a row without choices a container of its story. Where a letter and its container
    differ, the container counts. An answer that names none of them is returned in the one spelling.
    """
    known = choices or containers
    if answer in known:
        return answer
    letter, name = LETTERED.findall(answer)[0]  # it fits every text: each part may be missing, and the last is any text
    named = [choice for choice in known if spelling(choice) == spelling(name)]
    if len(named) == 1:
        return named[0]
    lettered = dict(zip(ascii_uppercase, choices, strict=False))
    return lettered.get(letter.upper(), spelling(answer)) if not spelling(name) else spelling(answer)
