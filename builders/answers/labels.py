"""The words by which a reply to a MindGames problem names a label, and the negations that turn one into the other.

`entailment` is true, yes, entailed, follows or holds; `not_entailment` is false, no, not entailed, does not follow,
contradiction, neutral or cannot be inferred. An echo of "True or False?" is dropped, and words behind "if" or "whether"
name no label.
"""

import re
from collections.abc import Iterator

from .containers import CUE
from .reading import Lexicon, Mention, Reading, read

HYPOTHESIS_CUE = re.compile(
    CUE.pattern + r"|(?<!whether )(?<!whether the )(?<!if )(?<!if the )(?<!that )(?<!that the )"
    r"\b(?:hypothesis|statement|label|verdict|conclusion|classification|relation(?:ship)?)\b"
)
"""Words that announce a statement: those of either dataset, and words for the hypothesis."""

_NOT = r"(?:\bnot|n't|\bcannot|\bnever|\bno longer|\bnor)"
"""A negation."""

_BE = r"(?:\s+(?:be|been|is|necessarily|logically|strictly|actually|directly|always|a|an|the|by|it))*"
"""Words that may stand between a negation and what it negates."""

_SHOWN = "correct|valid|inferred|concluded|derived|deduced|implied|supported|proven|guaranteed|right"
"""Words for what is shown to be true."""

_HOLDS = rf"(?:entail(?:s|ed|ment|ing)?|true|follows?|holds?|{_SHOWN})"
"""Words for a hypothesis that holds."""

_FAILS = r"(?:false|contradict(?:s|ed|ion|ory)?|neutral|untrue|incorrect|invalid|wrong)"
"""Words for a hypothesis that does not hold."""

_SUBJECTS = "it hypothesis statement this conclusion also therefore indeed is be logically it's that's"
_BEHIND = "|".join(rf"(?<=\b{subject} )" for subject in _SUBJECTS.split())
"""A subject before the verdict: "the premise holds a card" is no verdict, "it holds" is one."""

VERDICT = re.compile(
    rf"(?i)(?P<turned>(?:{_NOT}{_BE}|\b{_FAILS}\s+that\s+(?:it|this|the (?:hypothesis|statement))\s+is)\s+{_FAILS}\b)"
    rf"|(?P<no>\b(?:not|non|no)[\s_-]*entail\w*|{_NOT}{_BE}\s+{_HOLDS}\b|\b{_FAILS}\b|\bfails? to (?:follow|hold)\b"
    r"|\bnot the case\b)"
    r"|(?P<yes>\b(?:entail(?:s|ed|ment|ing)?|true|yes)\b"
    rf"|(?:{_BEHIND})(?:follows?(?!\s*:)|holds?(?! a)|{_SHOWN})\b)"
)
"""A verdict on the hypothesis. Its groups: `turned` is a negated no, `no` is not_entailment, `yes` is entailment."""

SUPPOSED = re.compile(
    r"(?i)\b(?:(?:if|whether|were|suppose|assum\w+|unless)\s+(?:\w+\s+){0,6}"
    r"|knows?\s+(?:(?:whether|if|that)\s+)*(?:it|this|that|the \w+)\s+(?:is|was)\s+"
    r"|(?:not the case|false|untrue|incorrect|not true|not correct)\s+that\s[^.\n]*)$"
)
"""Words before a verdict that only suppose it."""

ECHO = re.compile(
    r"(?i)\b(?:true|entail(?:ment|ed|s)?|yes)['\"]?\s*(?:or|/|,|\|)\s*(?:it is )?['\"]?"
    r"(?:false|no|not[\s_-]*entail(?:ment|ed)?|contradiction|non-?entailment)\b[^\w\n]*"
    r"|\b(?:false|no|not[\s_-]*entail(?:ment|ed)?)\s*(?:or|/|\|)\s*(?:true|yes|entail(?:ment|ed)?)\b[^\w\n]*"
)
"""The question, repeated: "True or False?" and the like."""

ALONE = re.compile(
    r"(?i)(?<![^\s:=(\[,;/&])\(?(?:(?P<yes>yes)|no)(?=\W|$)(?!\s+(?:one|other|information|agent|person)\b)"
    r"|(?<![^\s:=(\[,;/&])\(?(?:(?P<right>correct|right(?!,)|(?-i:T))|wrong|(?-i:F))(?=\s*(?:$|[.,;!?)\n]))"
)
"""A word or letter alone, where an answer may be expected."""


def read_label(reply: str) -> Reading:
    """Read which of `LABELS` a reply to a MindGames problem names: 0 for entailment, 1 for not_entailment."""
    return read(reply, LEXICON)


def _verdicts(text: str) -> Iterator[Mention]:
    """Yield what a text says of the hypothesis, in order: place 0 for entailment, 1 for not_entailment."""
    for match in VERDICT.finditer(text):
        before = re.split(r"\n|\. ", text[max(0, match.start() - 300) : match.start()])[-1]
        if not SUPPOSED.search(before):
            yield Mention(match.start(), match.end(), 1 if match["no"] else 0)


def _alone(text: str) -> Iterator[Mention]:
    """Yield the words alone that may be an answer, in order."""
    for match in ALONE.finditer(text):
        yield Mention(match.start(), match.end(), 0 if match["yes"] or match["right"] else 1)


LEXICON = Lexicon(_verdicts, _alone, HYPOTHESIS_CUE, ECHO)
"""How the labels are named."""
