"""Own the rules that read which choice a reply names: the same for every model, and for both datasets.

A dataset brings its own words for the choices (`Lexicon`: `containers` for hi_tom, `labels` for mindgames). The rules
stand with examples in docs/evaluation.md ("How a reply is read"); their numbers are used here. In short:

1. A *statement* says what the answer is, by its place in the reply or by words such as "the answer is".
2. The last statement counts. If an earlier one differs, the reply is *revised*.
3. A statement of several choices, or of none, leaves the reply unread.
4. Without a statement, letters that stand with containers decide; else the last concluding sentence; else the last
   sentence that names a choice.
5. Where a letter and its container differ, the container counts, and the reply is *contradicting*.
6. Another "Question:" or "Statement:" after an answer, and all that follows it, is not read.
7. A letter alone is an answer only where an answer is expected.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what a reply says: its choice, or why it is unread."""

    choice: int | None  # place of the choice that the reply names; None if the reply is unread
    why: str = ""  # one of the four reasons below if the reply is unread, else empty
    contradicts: bool = False  # whether the letter and the container of the answer differ (rule 5)
    revised: bool = False  # whether an earlier statement differs from the one that counts (rule 2)


EMPTY, UNKNOWN, SEVERAL, SILENT = "empty", "says none", "names several", "names no choice"
"""Why a reply is unread."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Hold a stretch of text that names a choice."""

    start: int  # where the stretch begins in the text
    end: int  # where it ends
    choice: int | None  # place of the choice; None if the text names one that the question does not offer
    pair: bool = False  # whether a letter stands with its container, or is introduced as an option
    contradicts: bool = False  # whether the letter is not the one of the container


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold what one place of a reply states as the answer."""

    at: int  # where the statement begins in the text
    why: str  # why it names no single choice: UNKNOWN, SEVERAL or SILENT; empty if it names one
    mention: Mention | None = None  # the choice that it names


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Hold the words by which a dataset's choices are named."""

    mentions: Callable[[str], list[Mention]]  # finds every mention in a text, in order
    bare: Callable[[str, int], Mention | None]  # reads a letter or word alone that begins at a place (rule 7)
    cue: re.Pattern  # matches the words that announce a statement (rule 1)


CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so|conclu\w+|summary|consequently|most likely|must|would|should|overall|ultimately"
    r"|finally|really|actually)\b",
    re.IGNORECASE,
)
"""Words of a concluding sentence (rule 4)."""

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
"""Words by which a reply says that it names no choice (rules 3 and 4)."""

NONE = re.compile(
    r"[\s:.,)\"'([<-]*(?:is |be |that |in )*(?:likely |most likely |therefore |simply )*(?:none\b(?! of the other)"
    r"|neither\b|unknown\b|unclear\b|undetermined\b|N/A\b|nothing\b|not (?:possible|given|determinable)\b)",
    re.IGNORECASE,
)
"""Words for none, directly behind what announces a statement (rule 3)."""

DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
"""Words that deny the choice behind them, as in "not in the red_box" (rule 1)."""

REJECTED = re.compile(
    r"[\s)\"'.,]{0,3}\b(?:(?:is|are|was|would be|seems) (?:not|wrong|incorrect|false|ruled|excluded|eliminated"
    r"|impossible|unlikely|out)|isn't|aren't|wasn't|can ?not|can't|does(?: not|n't)|makes no sense)\b",
    re.IGNORECASE,
)
"""Words that deny the choice before them, as in "B is wrong" (rule 1)."""

CHOSEN = re.compile(
    r"[\s,]*\b(?:is|would be|seems) (?:the |my )?(?:\w+ )?(?:answer|correct|right|best)\b", re.IGNORECASE
)
"""Words that make the choice before them the answer, as in "C is the correct answer" (rule 1)."""

JOINED = re.compile(
    r"[\s,;/&()]*(?:(?:and|or|and/or|either|both)[\s,]+)?(?:the |in |in the |option |letter )*", re.IGNORECASE
)
"""Words that join a second choice to a first, as in "B or C" (rule 3)."""

ASIDE = re.compile(
    r"\b(?:since|because|as|where|after|before|when|which|although|though|despite|rather than|instead of|not|unaware"
    r"|without|even if|while|regardless|until|from)\b",
    re.IGNORECASE,
)
"""Words behind which a sentence no longer concludes but explains (rule 4)."""

BOXED = re.compile(r"\\(?:boxed|text\w*|mathrm|mathbf)\s*\{([^{}]*)\}")
"""Mark-up of LaTeX around an answer."""


def plain(reply: str) -> str:
    """Return a reply without its thoughts before the last `</think>`, and without mark-up."""
    text = (
        reply.rpartition("</think>")[2].replace("’", "'").replace("‘", "'").replace("\r\n", "\n").replace("\xa0", " ")
    )
    for _ in range(2):  # one may stand in another: \boxed{\text{B}}
        text = BOXED.sub(r"\1", text)
    text = re.sub(r"</?(?:final[_ -]?)?answer>", "\nanswer: ", text, flags=re.IGNORECASE)
    text = re.sub(r"\\_", "_", text)
    text = re.sub(r"[*`\"“”$\\{}]|(?<![A-Za-z0-9])_+(?=[A-Za-z])|(?<=[A-Za-z.])_+(?![A-Za-z0-9])", "", text)
    text = re.sub(r"(?m)^[ \t]*(?:#+|>|[-•–])[ \t]*", "", text)
    return re.sub(r"\n\s*\n", "\n\n", text).strip()


def read(text: str, lexicon: Lexicon) -> Reading:
    """Read a text without mark-up by the rules of this module."""
    if not text:
        return Reading(None, EMPTY)
    if next_question := re.search(r"\n\n(?=(?:[^\n]+\n)*[^\n]*\b(?:Question|Statement):)", text):  # rule 6
        before = read(text[: next_question.start()], lexicon)
        if before.choice is not None:
            return before
    mentions = lexicon.mentions(text)
    stated = sorted(statements(text, mentions, lexicon), key=lambda statement: statement.at)
    if stated:
        choices = {statement.mention.choice for statement in stated if statement.mention}
        return _reading(stated[-1], len(choices) > 1)
    pairs = [mention for mention in mentions if mention.pair and not refused(text, mention)]
    if len({mention.choice for mention in pairs}) == 1:
        return _reading(Statement(pairs[-1].start, "", pairs[-1]))
    return _reading(_concluded(text, mentions))


def _reading(statement: Statement, revised: bool = False) -> Reading:
    """Return the reading of a reply whose answer is this statement."""
    if statement.mention is None or statement.mention.choice is None:
        return Reading(None, statement.why or UNKNOWN, revised=revised)
    return Reading(statement.mention.choice, "", statement.mention.contradicts, revised)


def refused(text: str, mention: Mention) -> bool:
    """Return whether the words before or behind a mention deny it."""
    start = max(text.rfind("\n", 0, mention.start), mention.start - 60, 0)
    return bool(DENIED.search(text[start : mention.start]) or REJECTED.match(text, mention.end))


ENDS = re.compile(r"[.!?](?=\s|$)|\n")
"""Ends of sentences and lines."""
LONG = 600
"""Most characters of a sentence: a reply may go on without an end."""


def sentence_end(text: str, start: int) -> int:
    """Return where the sentence or line of `start` ends. A letter or number before a full stop is a label, no end."""
    for end in ENDS.finditer(text, start, start + LONG):
        behind = text[end.end() : end.end() + 1]
        if end[0] == "\n" or behind in ("", "\n"):
            return end.start()
        if not re.search(r"(?:^|[^\w])\w$", text[max(0, end.start() - 2) : end.start()]):
            return end.start()
    return min(len(text), start + LONG)


def _within(mentions: list[Mention], start: int, end: int) -> list[Mention]:
    """Return the mentions that begin in a stretch of text."""
    first, last = (bisect_left(mentions, place, key=lambda mention: mention.start) for place in (start, end))
    return mentions[first:last]


def statements(text: str, mentions: list[Mention], lexicon: Lexicon) -> Iterator[Statement]:
    """Yield what the reply states as its answer (rule 1), in any order."""
    for cue in lexicon.cue.finditer(text):
        end = sentence_end(text, cue.end())
        statement = _announced(text, cue.end(), end, mentions, lexicon)
        if statement is None and re.fullmatch(r"[^.!?]*", text[cue.end() : end]) and text[end : end + 1] == "\n":
            start = end + len(text[end:]) - len(text[end:].lstrip())
            if not re.match(r"\(?\d+[.)]|step\b", text[start:], re.IGNORECASE):
                statement = _announced(text, start, sentence_end(text, start), mentions, lexicon)
        if statement:
            yield statement
    starts = re.finditer(r"(?:^|\n|[.!?:,] )\s*", text)
    for mention in [*mentions, *(lexicon.bare(text, start.end()) for start in starts)]:
        if mention and CHOSEN.match(text, mention.end):
            yield Statement(mention.start, "", mention)
    yield from _lines(text, mentions, lexicon)


def _announced(text: str, start: int, end: int, mentions: list[Mention], lexicon: Lexicon) -> Statement | None:
    """Return the statement in a stretch of text that a cue announces."""
    candidates = _within(mentions, start, end)
    letter = None
    for place in re.finditer(r"(?:^|(?<=[\s:=(\[,]))(?=[A-Za-z])", text[start:end]):
        letter = lexicon.bare(text, start + place.start())
        if letter:
            break
    if letter and (not candidates or letter.start < candidates[0].start):
        candidates.insert(0, letter)
    if NONE.match(text, start) or (candidates and NONE.match(text, candidates[0].end) and not candidates[0].pair):
        return Statement(start, UNKNOWN)
    while candidates and refused(text, candidates[0]):
        behind = text[candidates[0].end : end]
        candidates = candidates[1:] if re.match(r"[\s,]*(?:but|rather|it is|instead)\b", behind) else []
    if not candidates:
        return Statement(start, UNKNOWN) if UNKNOWABLE.search(text, start, end) else None
    first = candidates[0]
    if first is letter and re.match(r"\s*[:,)–-]", text[first.end : end]):  # a sentence may follow: "B: … the red_box"
        choices = {mention.choice for mention in candidates[1:]}
        if len(choices) == 1 and choices != {first.choice} and not ASIDE.search(text, first.end, candidates[1].start):
            return Statement(first.start, "", replace(candidates[1], contradicts=True))
    if _several(text, first, end, mentions, lexicon):
        return Statement(first.start, SEVERAL)
    return Statement(first.start, "", first)


def _several(text: str, first: Mention, end: int, mentions: list[Mention], lexicon: Lexicon) -> bool:
    """Return whether another choice is joined to a mention, as in "B or C"."""
    joined = JOINED.match(text, first.end, end)  # None where the mention itself goes on behind the end
    if joined is None or not joined[0].strip():
        return False
    other = next(iter(_within(mentions, joined.end(), joined.end() + 1)), None)
    other = other or (lexicon.bare(text, joined.end()) if joined[0].strip(" ,;/&()") else None)
    return other is not None and other.end <= end and other.choice != first.choice


def _lines(text: str, mentions: list[Mention], lexicon: Lexicon) -> Iterator[Statement]:
    """Yield the lines that are statements (rule 1), but not the lines of a list of choices."""
    lines, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            at = start + len(line) - len(line.lstrip())
            first = next(iter(_within(mentions, at, at + 1)), None) or lexicon.bare(text, at)
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
            yield Statement(at, UNKNOWN)
        elif not REJECTED.match(rest):
            several = _several(text, first, first.end + len(rest), mentions, lexicon)
            yield Statement(at, SEVERAL) if several else Statement(at, "", first)


def _concluded(text: str, mentions: list[Mention]) -> Statement:
    """Return what the last concluding sentence names, or the last sentence that names a choice (rule 4)."""
    sentences: list[tuple[bool, Statement]] = []  # whether it concludes, and what it states
    start = 0
    while start < len(text):
        end = sentence_end(text, start)
        candidates = [mention for mention in _within(mentions, start, end) if not refused(text, mention)]
        concludes = bool(CONCLUDES.search(text, start, end))
        if UNKNOWABLE.search(text, start, end):
            sentences.append((concludes or not candidates, Statement(start, UNKNOWN)))
        elif candidates:
            aside = ASIDE.search(text, start, end)
            ahead = [mention for mention in candidates if aside and mention.start < aside.start()] or candidates
            several = len({mention.choice for mention in ahead}) > 1
            sentences.append((concludes, Statement(start, SEVERAL if several else "", None if several else ahead[-1])))
        start = end + 1
    concluding = [statement for concludes, statement in sentences if concludes]
    return (concluding or [statement for _, statement in sentences] or [Statement(0, SILENT)])[-1]
