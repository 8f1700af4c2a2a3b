"""The words by which a reply to a MindGames problem names a label, and the negations that turn one into the other.

`entailment` is true, yes, entailed, follows or holds; `not_entailment` is false, no, not entailed, does not follow,
contradiction, neutral or cannot be inferred. An echo of "True or False?" is dropped, and words behind "if" or "whether"
name no label.
"""

import re

from . import containers
from .reading import Lexicon, Mention, patterns

WORDS = patterns("labels", CUE=containers.WORDS.cue.pattern)  # the words of replies to a MindGames problem
NEAR = 120  # length of the stretch before a verdict that may suppose it, in characters


def _verdict(match: re.Match) -> Mention | None:
    """Return what a verdict says of the hypothesis: place 0 for entailment, 1 for not_entailment; None if supposed."""
    if match["open"]:
        return None
    before = match.string[max(0, match.start() - NEAR) : match.start()]
    before = before[max(before.rfind("\n"), before.rfind(". ")) + 1 :]
    return None if WORDS.supposed.search(before) else Mention(*match.span(), 1 if match["no"] else 0)


def _alone(match: re.Match) -> Mention:
    """Return what a word alone says, which may be an answer."""
    return Mention(*match.span(), 0 if match["yes"] or match["right"] or match["t"] else 1)


LEXICON = Lexicon(WORDS.verdict, _verdict, WORDS.alone, _alone, WORDS.cue, [(WORDS.echo, "\n")], WORDS.agent)
