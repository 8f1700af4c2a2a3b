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
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what a reply says: the place of its choice, or why it is unread.

    contradicts: a letter and its container differ. revised: an earlier statement differs from the one that counts.
    """

    choice: int | None
    why: str = ""
    contradicts: bool = False
    revised: bool = False


EMPTY, UNKNOWN, SEVERAL, SILENT = "empty", "says none", "names several", "names no choice"
"""Why a reply is unread."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """Hold where a choice is named: None for a choice that there is not. pair: by a letter and its container."""

    start: int
    end: int
    choice: int | None
    pair: bool = False
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    at: int
    why: str
    mention: _Mention | None = None


@dataclass(frozen=True, slots=True)
class _Tongue:
    """Hold how a dataset's choices are said.

    mentions: those in a text, in order. bare: the one that a text begins with where an answer is expected. cue: what
    announces a statement.
    """

    mentions: Callable[[str], list[_Mention]]
    bare: Callable[[str, int], _Mention | None]
    cue: re.Pattern


CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|conclu\w+|summary|consequently|most likely|must|would|should|overall|ultimately"
    r"|finally|really|actually)\b",
    re.IGNORECASE,
)


UNKNOWABLE = re.compile(
    r"\bnone of (?:the|these|those|them)\b|<none>"
    r"|\b(?:can ?not|can't|could ?n[o']t|impossible to|(?:not|n't) possible to|unable to|no way (?:to|of)|not able to"
    r"|hard to|difficult to) (?:be )?(?:\w+ )?(?:say|said|saying|know\w*|tell\w*|determin\w+|answer\w*|decid\w+"
    r"|conclud\w+|infer\w*|ascertain\w*|assist|help)\b"
    r"|\b(?:not|n't|in)(?: have)?(?: given)?(?: provide)? ?(?:enough|sufficient) \w+|\binsufficient\b"
    r"|\bI (?:do not|don't) know\b|\b(?:unknown|undetermined|indeterminate|unclear|refuse)\b"
    r"|\bno (?:correct|valid|good|right) (?:answer|option)\b"
    r"|\bno \w* ?(?:information|basis|good reason|way|evidence) (?:to|for|from|on|about)\b",
    re.IGNORECASE,
)


NONE = re.compile(
    r"[\s:.,)\"'([<-]*(?:is |be |that |in )*(?:likely |most likely |therefore |simply )*(?:none\b(?! of the other)"
    r"|neither\b|unknown\b|unclear\b|undetermined\b|N/A\b|nothing\b|not (?:possible|given|determinable)\b)",
    re.IGNORECASE,
)


DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)


REJECTED = re.compile(
    r"[\s)\"'.,]{0,3}\b(?:(?:is|are|was|would be|seems) (?:not|wrong|incorrect|false|ruled|excluded|eliminated"
    r"|impossible|unlikely|out)|isn't|aren't|wasn't|can ?not|can't|does(?: not|n't)|makes no sense)\b",
    re.IGNORECASE,
)


CHOSEN = re.compile(
    r"[\s,]*\b(?:is|would be|seems) (?:the |my )?(?:\w+ )?(?:answer|correct|right|best)\b", re.IGNORECASE
)


JOINED = re.compile(
    r"[\s,;/&()]*(?:(?:and|or|and/or|either|both)[\s,]+)?(?:the |in |in the |option |letter )*", re.IGNORECASE
)


ASIDE = re.compile(
    r"\b(?:since|because|as|where|after|before|when|which|although|though|despite|rather than|instead of|not|unaware"
    r"|without|even if|while|regardless|until|from)\b",
    re.IGNORECASE,
)


BOXED = re.compile(r"\\(?:boxed|text\w*|mathrm|mathbf)\s*\{([^{}]*)\}")


def _plain(reply: str) -> str:
    """Return a reply without what it thought first, and without mark-up."""
    text = (
        reply.rpartition("</think>")[2].replace("’", "'").replace("‘", "'").replace("\r\n", "\n").replace("\xa0", " ")
    )
    for _ in range(2):  # as one stands in another: \boxed{\text{B}}
        text = BOXED.sub(r"\1", text)
    text = re.sub(r"</?(?:final[_ -]?)?answer>", "\nanswer: ", text, flags=re.IGNORECASE)
    text = re.sub(r"\\_", "_", text)
    text = re.sub(r"[*`\"“”$\\{}]|(?<![A-Za-z0-9])_+(?=[A-Za-z])|(?<=[A-Za-z.])_+(?![A-Za-z0-9])", "", text)
    text = re.sub(r"(?m)^[ \t]*(?:#+|>|[-•–])[ \t]*", "", text)
    return re.sub(r"\n\s*\n", "\n\n", text).strip()


def _read(text: str, tongue: _Tongue) -> Reading:
    """Read a text without mark-up by the rules of this file's docstring."""
    if not text:
        return Reading(None, EMPTY)
    if went_on := re.search(r"\n\n(?=(?:[^\n]+\n)*[^\n]*\bQuestion:)", text):
        before = _read(text[: went_on.start()], tongue)
        if before.choice is not None:
            return before
    mentions = tongue.mentions(text)
    stated = sorted(_statements(text, mentions, tongue), key=lambda statement: statement.at)
    if stated:
        last = stated[-1]
        said = {statement.mention.choice for statement in stated if statement.mention}
        return _reading(last, len(said) > 1)
    pairs = [mention for mention in mentions if mention.pair and not _refused(text, mention)]
    if len({mention.choice for mention in pairs}) == 1:
        return _reading(_Statement(pairs[-1].start, "", pairs[-1]))
    return _reading(_concluded(text, mentions))


def _reading(statement: _Statement, revised: bool = False) -> Reading:
    if statement.mention is None or statement.mention.choice is None:
        return Reading(None, statement.why or UNKNOWN, revised=revised)
    return Reading(statement.mention.choice, "", statement.mention.contradicts, revised)


def _refused(text: str, mention: _Mention) -> bool:
    """Return whether a mention is denied, before or behind it."""
    start = max(text.rfind("\n", 0, mention.start), mention.start - 60, 0)
    return bool(DENIED.search(text[start : mention.start]) or REJECTED.match(text, mention.end))


ENDS = re.compile(r"[.!?](?=\s|$)|\n")


LONG = 600
"""A sentence is no longer than so many characters: a reply may go on without an end."""


def _sentence_end(text: str, start: int) -> int:
    """Return where the sentence or line ends that `start` is in. A letter or number before a full stop is a label."""
    for found in ENDS.finditer(text, start, start + LONG):
        behind = text[found.end() : found.end() + 1]
        if found[0] == "\n" or behind in ("", "\n"):
            return found.start()
        if not re.search(r"(?:^|[^\w])\w$", text[max(0, found.start() - 2) : found.start()]):
            return found.start()
    return min(len(text), start + LONG)


def _within(mentions: list[_Mention], start: int, end: int) -> list[_Mention]:
    """Return the mentions that begin in a stretch of text."""
    first, last = (bisect_left(mentions, place, key=lambda mention: mention.start) for place in (start, end))
    return mentions[first:last]


def _statements(text: str, mentions: list[_Mention], tongue: _Tongue) -> Iterator[_Statement]:
    """Yield what the reply states as its answer, in any order."""
    for cue in tongue.cue.finditer(text):
        end = _sentence_end(text, cue.end())
        found = _stated(text, cue.end(), end, mentions, tongue)
        if found is None and re.fullmatch(r"[^.!?]*", text[cue.end() : end]) and end < len(text) and text[end] == "\n":
            start = end + len(text[end:]) - len(text[end:].lstrip())
            if not re.match(r"\(?\d+[.)]|step\b", text[start:], re.IGNORECASE):
                found = _stated(text, start, _sentence_end(text, start), mentions, tongue)
        if found:
            yield found
    for mention in [
        *mentions,
        *(tongue.bare(text, start.end()) for start in re.finditer(r"(?:^|\n|[.!?:,] )\s*", text)),
    ]:
        if mention and CHOSEN.match(text, mention.end):
            yield _Statement(mention.start, "", mention)
    yield from _lines(text, mentions, tongue)


def _stated(text: str, start: int, end: int, mentions: list[_Mention], tongue: _Tongue) -> _Statement | None:
    """Return the statement in a stretch of text that a cue announces."""
    named = _within(mentions, start, end)
    alone = None
    for place in re.finditer(r"(?:^|(?<=[\s:=(\[,]))(?=[A-Za-z])", text[start:end]):
        alone = tongue.bare(text, start + place.start())
        if alone:
            break
    if alone and (not named or alone.start < named[0].start):
        named.insert(0, alone)
    if NONE.match(text, start) or (named and NONE.match(text, named[0].end) and not named[0].pair):
        return _Statement(start, UNKNOWN)
    while named and _refused(text, named[0]):
        after = text[named[0].end : end]
        named = named[1:] if re.match(r"[\s,]*(?:but|rather|it is|instead)\b", after) else []
    if not named:
        found = UNKNOWABLE.search(text, start, end)
        return _Statement(start, UNKNOWN) if found else None
    first = named[0]
    if first is alone and re.match(r"\s*[:,)–-]", text[first.end : end]):
        said = {mention.choice for mention in named[1:]}
        if len(said) == 1 and said != {first.choice} and not ASIDE.search(text, first.end, named[1].start):
            return _Statement(first.start, "", replace(named[1], contradicts=True))
    several = _several(text, first, end, mentions, tongue)
    return _Statement(first.start, SEVERAL) if several else _Statement(first.start, "", first)


def _several(text: str, first: _Mention, end: int, mentions: list[_Mention], tongue: _Tongue) -> bool:
    """Return whether another choice is joined to a mention, as in "B or C"."""
    joined = JOINED.match(text, first.end, end)
    if not joined[0].strip():
        return False
    other = next(iter(_within(mentions, joined.end(), joined.end() + 1)), None)
    other = other or (tongue.bare(text, joined.end()) if joined[0].strip(" ,;/&()") else None)
    return other is not None and other.end <= end and other.choice != first.choice


def _lines(text: str, mentions: list[_Mention], tongue: _Tongue) -> Iterator[_Statement]:
    """Yield the lines that are statements: see rule 1."""
    lines, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            at = start + len(line) - len(line.lstrip())
            first = next(iter(_within(mentions, at, at + 1)), None) or tongue.bare(text, at)
            rest = text[first.end : start + len(line)] if first else ""
            whole = re.fullmatch(r"[\s.!,:;)\]]*", rest)
            opens = not lines and first and re.match(r"[.,:;!)\]—–-]|\s+[-—–(]|\s+(?:because|since|or|and)\b", rest)
            lines.append((at, first if first and (whole or first.pair or opens) else None, rest))
        start += len(line) + 1
    for place, (at, first, rest) in enumerate(lines):
        beside = [lines[near][1] for near in (place - 1, place + 1) if 0 <= near < len(lines)]
        if first is None or any(near and near.choice != first.choice for near in beside) and len(lines) > 2:
            continue
        if NONE.match(rest):
            yield _Statement(at, UNKNOWN)
        elif not REJECTED.match(rest):
            several = _several(text, first, first.end + len(rest), mentions, tongue)
            yield _Statement(at, SEVERAL) if several else _Statement(at, "", first)


def _concluded(text: str, mentions: list[_Mention]) -> _Statement:
    """Return what the last concluding sentence names, or the last one that names a choice: see rule 4."""
    says: list[tuple[bool, _Statement]] = []
    start = 0
    while start < len(text):
        end = _sentence_end(text, start)
        named = [mention for mention in _within(mentions, start, end) if not _refused(text, mention)]
        concludes = bool(CONCLUDES.search(text, start, end))
        unknowable = UNKNOWABLE.search(text, start, end)
        if unknowable:
            says.append((concludes or not named, _Statement(start, UNKNOWN)))
        elif named:
            aside = ASIDE.search(text, start, end)
            ahead = [mention for mention in named if aside and mention.start < aside.start()] or named
            several = len({mention.choice for mention in ahead}) > 1
            says.append((concludes, _Statement(start, SEVERAL if several else "", None if several else ahead[-1])))
        start = end + 1
    concluding = [said for concludes, said in says if concludes] or [said for _, said in says]
    return concluding[-1] if concluding else _Statement(0, SILENT)
