"""The words by which a reply to a MindGames problem names a label, and the negations that turn one into the other.

`entailment` is true, yes, entailed, follows or holds; `not_entailment` is false, no, not entailed, does not follow,
contradiction, neutral or cannot be inferred. An echo of "True or False?" is dropped, and words behind "if" or "whether"
name no label.
"""

import re
from collections.abc import Iterator

from . import containers
from .reading import Lexicon, Mention, Reading, patterns, read

WORDS = patterns("labels", CUE=containers.WORDS.cue.pattern)  # the words of replies to a MindGames problem


def read_label(reply: str) -> Reading:
    """Read which of `LABELS` a reply to a MindGames problem names: 0 for entailment, 1 for not_entailment."""
    return read(reply, LEXICON)


def _verdicts(text: str) -> Iterator[Mention]:
    """Yield what a text says of the hypothesis, in order: place 0 for entailment, 1 for not_entailment."""
    for match in WORDS.verdict.finditer(text):
        before = re.split(r"\n|\. ", text[max(0, match.start() - 300) : match.start()])[-1]
        if not WORDS.supposed.search(before):
            yield Mention(*match.span(), 1 if match["no"] else 0)


def _alone(text: str) -> Iterator[Mention]:
    """Yield the words alone that may be an answer, in order."""
    for match in WORDS.alone.finditer(text):
        yield Mention(*match.span(), 0 if match["yes"] or match["right"] else 1)


LEXICON = Lexicon(_verdicts, _alone, WORDS.cue, WORDS.echo)  # how the labels are named
