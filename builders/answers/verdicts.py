"""Own what a model answered: which choice a reply names, how often the choices are right, and what that depends on.

**Reading.** A reply is read by rules, the same for every model. What stands before the last `</think>` is dropped, and
so are emphasis, quotes, `\boxed{}` and other mark-up; a container is known in any case, with spaces, hyphens or
underscores between its words. Then:

1. A *statement* says what the answer is: the reply begins with a choice; a line holds only a choice, or begins with a
   letter and its container; or a sentence says "answer", "final answer", "best option", "my choice", "conclusion is"
   (MindGames also "the hypothesis", "the statement") and then a choice, on the next line where its own has no more.
   Choices in a list, one line after another, are none, nor is what is denied ("the answer is not B").
2. The last statement counts, as what comes after it is an explanation and what came before was revised. A reply whose
   statements differ is counted as *revised*.
3. A statement of several choices ("B or C") or of none ("none of the above", "cannot be determined", "E. None of the
   above", a letter that no choice has) counts as such: the reply is unread.
4. Without a statement, letters that stand with their containers decide if all are of one choice. Else the last
   concluding sentence ("therefore", "so", "in summary", "most likely", …), else the last that names a choice; where it
   names several, what stands before "because", "as", "not", … decides. A sentence that says it cannot be known is one
   that names none.
5. Where a letter and its container contradict, the container counts: the question asks where, and the letter is only
   looked up. This is counted as *contradicting*. A letter with a container that is no choice is unread.
6. Where a reply goes on with another "Question:" after its answer, as base models do, that is not read.
7. A letter alone is an answer only where one is expected: alone on a line or at the start of the reply, after "answer
   is", "option" or a colon. "A" and "I" must be followed by punctuation, the end, or "because".

MindGames: the choices are *entailment* (true, yes, entailed, follows, holds) and *not_entailment* (false, no, not
entailed, does not follow, contradiction, neutral, cannot be inferred); a negation turns one into the other; "True or
False?" and the like are dropped as an echo, and what is said under "if" or "whether" is not said.

What no rule reads is **unread**: it is shown with the reason, and scored wrong.

**Scoring.** Accuracy, and the strict metric: a question of Hi-ToM counts in *joint accuracy* when it and all lower
orders of its story are right (He et al., section 4.3), a problem of MindGames in *block accuracy* when all four of its
block are. Intervals are percentiles of a bootstrap over stories or blocks: they are drawn anew, with all their
questions and prompts.
"""

import re

from builders.answers.containers import CUE
from builders.answers.reading import Reading, _Mention, _plain, _read, _Tongue

HYPOTHESIS_CUE = re.compile(
    CUE.pattern + r"|(?<!whether )(?<!whether the )(?<!if )(?<!if the )(?<!that )(?<!that the )"
    r"\b(?:hypothesis|statement|label|verdict|conclusion|classification|relation(?:ship)?)\b",
    re.IGNORECASE,
)


def read_label(reply: str) -> Reading:
    """Read which of `LABELS` a reply to a MindGames problem names: 0 for entailment, 1 for not_entailment."""
    return _read(_echo(_plain(reply)), _VERDICTS)


_NOT = r"(?:\bnot|n't|\bcannot|\bnever|\bno longer|\bnor)"


_BE = r"(?:\s+(?:be|been|is|necessarily|logically|strictly|actually|directly|always|a|an|the|by|it))*"


_SHOWN = "correct|valid|inferred|concluded|derived|deduced|implied|supported|proven|guaranteed"


_HOLDS = rf"(?:entail(?:s|ed|ment|ing)?|true|follows?|holds?|{_SHOWN})"


_FAILS = r"(?:false|contradict(?:s|ed|ion|ory)?|neutral|untrue|incorrect|invalid)"


_SUBJECTS = "it hypothesis statement this conclusion also therefore indeed is be logically"


_BEHIND = "|".join(rf"(?<=\b{subject} )" for subject in _SUBJECTS.split())


VERDICT = re.compile(
    rf"(?P<turned>{_NOT}{_BE}\s+{_FAILS}\b)"
    rf"|(?P<no>\b(?:not|non|no)[\s_-]*entail\w*|{_NOT}{_BE}\s+{_HOLDS}\b|\b{_FAILS}\b|\bfails? to (?:follow|hold)\b"
    r"|\bnot the case\b)"
    r"|(?P<yes>\b(?:entail(?:s|ed|ment|ing)?|true|yes)\b"
    rf"|(?:{_BEHIND})(?:follows?(?!\s*:)|holds?(?! a)|{_SHOWN})\b)",
    re.IGNORECASE,
)


SUPPOSED = re.compile(
    r"\b(?:(?:if|whether|were|suppose|assum\w+|unless)\s+(?:\w+\s+){0,6}"
    r"|knows?\s+(?:(?:whether|if|that)\s+)*(?:it|this|that|the \w+)\s+(?:is|was)\s+"
    r"|(?:not the case|false|untrue|incorrect|not true|not correct)\s+that\s[^.\n]*)$",
    re.IGNORECASE,
)


ECHO = re.compile(
    r"\b(?:true|entail(?:ment|ed|s)?|yes)['\"]?\s*(?:or|/|,|\|)\s*(?:it is )?['\"]?"
    r"(?:false|no|not[\s_-]*entail(?:ment|ed)?|contradiction|non-?entailment)\b[^\w\n]*"
    r"|\b(?:false|no|not[\s_-]*entail(?:ment|ed)?)\s*(?:or|/|\|)\s*(?:true|yes|entail(?:ment|ed)?)\b[^\w\n]*",
    re.IGNORECASE,
)


YES_OR_NO = re.compile(r"(yes|no)(?=\W|$)(?!\s+(?:one|other|information|agent|person)\b)", re.IGNORECASE)


def _echo(text: str) -> str:
    """Return a text without an echo of the question."""
    return ECHO.sub("\n", text).strip()


def _verdicts(text: str) -> list[_Mention]:
    found = []
    for match in VERDICT.finditer(text):
        start = max(text.rfind("\n", 0, match.start()), text.rfind(". ", 0, match.start()), match.start() - 300, 0)
        if not SUPPOSED.search(text[start : match.start()]):
            found.append(_Mention(match.start(), match.end(), 1 if match["no"] else 0))
    return found


def _verdict_word(text: str, at: int) -> _Mention | None:
    match = YES_OR_NO.match(text, at)
    return _Mention(at, match.end(), int(match[1].lower() == "no")) if match else None


_VERDICTS = _Tongue(_verdicts, _verdict_word, HYPOTHESIS_CUE)
