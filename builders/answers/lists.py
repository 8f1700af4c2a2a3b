"""Lists of choices in a reply: who repeats the choices, one after the other, answers nothing (rule 8 of `reading`).

"A. green_box\\nB. red_box", "1. True. 2. False." and "B, C or D" are lists, also where a limit of tokens cut their end.
"""

import re
from collections.abc import Iterator, Sequence

from .mentions import START, Mention

# What may stand between the choices of a list, with a group for an empty line, and what stands behind its last one.
BETWEEN = re.compile(
    r"""(?ix) (?=(?:[^\n]*\n)?(?P<empty>[^\S\n]*\n)?) [\s.,;:/|()\[\]…–-]* (?:(?:or|and)\s+)?
    (?:\(?(?:\d{1,2}|[a-z])[.)]\s*)? (?:(?:the|option|choice|in)\s+)*"""
)
BEHIND = re.compile(r"[\s)\]]*(?:[.,;!:…/|]|\n|\Z)")
# What stands before a choice that begins its sentence or line, and the number before it.
OPENING = re.compile(r"(?i)(?:\A|[\n.!?:…])\s*(?:\(?(?:\d{1,2}|[a-z])[.)]\s*)?(?:(?:the|option|choice|in)\s+)*\Z")
NUMBER = re.compile(r"\d[.)]\s*\Z")
# The number or letter of one more choice, which a limit cut.
NEXT = re.compile(r"[\s.,;:)]*\(?(?:\d{1,2}[.)]|(?P<letter>[A-Z])\b[.)]?)\s*(?:the\s)?\w{0,20}\Z")
NEAR = 24  # length of the stretch before a choice that may open its sentence, in characters


def lists_of(text: str, mentions: Sequence[Mention], bare: Sequence[Mention]) -> Iterator[list[Mention]]:
    """Yield the lists of choices: runs of different ones that only signs, numbers and letters part.

    mentions: choices that are named in full; bare: letters and words alone. A run goes on behind a sentence or a line
    only where its first choice begins one. An empty line ends a run of three or more, unless the next letter follows.
    """
    run: list[Mention] = []
    for choice in sorted((*mentions, *bare), key=START):
        if run and choice.start < run[-1].end:
            continue  # the letter of a choice that is named in full
        if run and not goes_on(text, run, choice):
            yield from whole(text, run)
            run = []
        run.append(choice)
    yield from whole(text, run)


def goes_on(text: str, run: Sequence[Mention], choice: Mention) -> bool:
    """Return whether a run goes on with a choice of the same form."""
    last = run[-1]
    between = form(text, last) == form(text, choice) and BETWEEN.fullmatch(text, last.end, choice.start)
    if not between:
        return False  # "option B: red_box" is no list
    if re.search(r"[.!\n]", text[last.end : choice.start]) and not opens(text, run[0]):
        return False
    return not between["empty"] or len(run) < 3 or ord(text[last.start]) + 1 == ord(text[choice.start])


def opens(text: str, choice: Mention) -> bool:
    """Return whether a choice begins its sentence or line."""
    start = max(0, choice.start - NEAR)
    return bool(OPENING.search(text[start : choice.start] if start else "\n" + text[: choice.start]))


def form(text: str, mention: Mention) -> tuple[bool, bool]:
    """Return whether a choice is named with its letter, and whether by its letter alone."""
    return mention.pair, re.fullmatch(r"(?:\w+ )?\(?[A-Za-z]\)?", text[mention.start : mention.end]) is not None


def whole(text: str, run: list[Mention]) -> Iterator[list[Mention]]:
    """Yield a run of choices if it is a list: it names several, or the beginning of one more ends the text.

    A last choice that goes on as a sentence does not belong to it.
    """
    if run and not BEHIND.match(text, run[-1].end):
        run = run[:-1]
    if run and (more := NEXT.match(text, run[-1].end)):
        if more["letter"] and ord(text[run[-1].start]) + 1 == ord(more["letter"]):
            run = [*run, Mention(more.start("letter"), more.end("letter"), None)]
        elif not more["letter"] and NUMBER.search(text[max(0, run[0].start - 4) : run[0].start]):
            run = [*run, Mention(more.end(), more.end(), None)]
    if len({choice.choice for choice in run}) > 1:
        yield run
