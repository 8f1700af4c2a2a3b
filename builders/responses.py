"""Own what a model answered: which choice a reply names, how often the choices are right, and what that depends on.

**Reading.** A reply is read by rules, the same for every model. What stands before the last `</think>` is dropped, and
so are emphasis, quotes, `\\boxed{}` and other mark-up; a container is known in any case, with spaces, hyphens or
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

import json
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import numpy as np

from builders import audit
from builders.streams import stream
from hi_tom import order_name
from mindgames import LABELS

# Reading.


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


CUE = re.compile(
    r"(?<!other )\banswer(?:s|ed)?\b(?! choices)"
    r"|\b(?:best|correct|right|likely|final|my|the|logical) (?:option|choice|guess)\b|\boption that\b"
    r"|\bconclu(?:sion is|de that)\b|\b(?:it's|it is)(?=\s+\(?(?-i:[B-HJ-Z])\b)"
    r"|\bI(?:'d| would|'ll| will)? (?:choose|pick|select|go with)\b",
    re.IGNORECASE,
)
HYPOTHESIS_CUE = re.compile(
    CUE.pattern + r"|(?<!whether )(?<!whether the )(?<!if )(?<!if the )(?<!that )(?<!that the )"
    r"\b(?:hypothesis|statement|label|verdict|conclusion|classification|relation(?:ship)?)\b",
    re.IGNORECASE,
)
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
AFTER_LETTER = r"(?=\s*(?:$|[.,:;!?)\]}\n—–-]|(?:because|since|as|for|given|or|and)\b))"


BOXED = re.compile(r"\\(?:boxed|text\w*|mathrm|mathbf)\s*\{([^{}]*)\}")


def read_container(reply: str, choices: Sequence[str]) -> Reading:
    """Read which of the containers a reply to a Hi-ToM question names."""
    return _read(_plain(reply), _containers(tuple(choices)))


def read_label(reply: str) -> Reading:
    """Read which of `LABELS` a reply to a MindGames problem names: 0 for entailment, 1 for not_entailment."""
    return _read(_echo(_plain(reply)), _VERDICTS)


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


# Hi-ToM.


@lru_cache(maxsize=4096)
def _containers(choices: tuple[str, ...]) -> _Tongue:
    """Return how containers are said."""
    words = {re.sub(r"[\s_-]+", "_", choice.lower()): place for place, choice in enumerate(choices)}
    name = "|".join(word.replace("_", r"[\s_-]+") for word in map(re.escape, sorted(words, key=len, reverse=True)))
    foreign = r"[a-z]+(?:_[a-z]+)+"
    pattern = re.compile(
        rf"(?<![A-Za-z0-9_'])(?:"
        rf"(?:(?:option|choice|letter|answer)\s+)?\(?(?P<letter>[A-Za-z])(?:\s*[.:)\]=,-]+\s*\(?|\s+\(|(?<![AaIi])\s+)"
        rf"(?:the\s+)?(?P<named>(?i:{name})|(?P<foreign>{foreign}))"
        rf"|(?P<before>(?i:{name}))(?:\s*[(\[]\s*(?:(?i:option|choice|answer|letter)\s+)?|,?\s+(?i:option|choice|answer|letter)\s+)"
        rf"(?P<behind>[A-Z])(?=[)\].,:;!?\s]|$)[)\]]?"
        rf"|(?i:option|choice|letter)\s+\(?(?P<alone>[A-Z])\)?"
        rf"|(?P<only>(?i:{name})))(?![A-Za-z0-9_])"
    )

    def choice_of(word: str) -> int | None:
        return words.get(re.sub(r"[\s_-]+", "_", word.lower()))

    def place_of(letter: str) -> int | None:
        place = ord(letter.upper()) - ord("A")
        return place if place < len(choices) else None

    def mentions(text: str) -> list[_Mention]:
        found = []
        for match in pattern.finditer(text):
            word, letter = match["named"] or match["before"], match["letter"] or match["behind"]
            if match["alone"]:
                found.append(_Mention(match.start(), match.end(), place_of(match["alone"]), True))
            elif word:
                choice = choice_of(word)
                found.append(_Mention(match.start(), match.end(), choice, True, choice != place_of(letter)))
            else:
                found.append(_Mention(match.start(), match.end(), choice_of(match["only"])))
        return found

    letter = re.compile(
        rf"\(?(?:([B-HJ-Z])(?![\w'])(?=\W|$)|([A-Z])(?![\w']){AFTER_LETTER}|\(([A-Za-z])\)|([a-z])(?=\s*[.):]?\s*$))\)?"
    )

    def bare(text: str, at: int) -> _Mention | None:
        match = letter.match(text, at)
        if match is None:
            return None
        return _Mention(at, match.end(), place_of(next(filter(None, match.groups()))))

    return _Tongue(mentions, bare, CUE)


# MindGames.

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


# Scoring.

DRAWS = 1000
"""How often the bootstrap draws the stories or blocks anew."""
JOINT = {"hi_tom": "joint accuracy", "mindgames": "block accuracy"}
"""The strict metric of each dataset."""
BY_LENGTH, BY_CLAIMS = "joint accuracy by length and order", "joint accuracy by claims and order"
SAME, OWN = "accuracy where the answer is that of order 1", "answers that are those of order 1"
"""The analyses of the Hi-ToM paper."""
PUBLISHED_KEY = ("deception", "story_length", "sample", "question_order")
"""What names a question in the published data of Hi-ToM, beside its prompting_type."""


@dataclass(frozen=True, slots=True)
class Item:
    """Hold what is scored of a question or a problem.

    prompt: how it was asked, None where every prompt asks it. unit: its story or block, None where it has none.
    answer: the place of the right choice. needs: the other items of its unit, by their orders or places, that the
    strict metric asks to be right too. place: its own. groups: by each property the group it is in, None for no group.
    difficulty: of a probe. ends: whether the answer is the container that its story names first, last; in Hi-ToM only.
    """

    id: str
    prompt: str | None
    unit: str | None
    choices: tuple[str, ...]
    answer: int
    place: int
    needs: tuple[int, ...] | None
    groups: Mapping[str, str | None]
    difficulty: float | None = None
    ends: tuple[bool, bool] | None = None


def of_questions(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom; published ones may lack columns, and have `prompt`."""
    items = []
    for row in rows:
        named = sorted((row["story"].find(choice), choice) for choice in row["choices"] if choice in row["story"])
        last = max(((row["story"].rfind(choice), choice) for choice in row["choices"]), default=(0, ""))[1]
        groups = {
            "order": order_name(row["order"]),
            "length": f"length {row['story_length']}",
            "deception": "deception" if row["deception"] else "no deception",
            "effective order": _numbered("effective order", row.get("effective_order")),
            "claims": _numbered("claims", row.get("n_claims")),
        }
        items.append(
            Item(
                row["id"],
                row.get("prompt"),
                row["story_id"],
                tuple(row["choices"]),
                row["choices"].index(row["answer"]),
                row["order"],
                tuple(range(row["order"])),
                groups,
                row.get("difficulty"),
                (bool(named) and named[0][1] == row["answer"], last == row["answer"]),
            )
        )
    return items


def of_problems(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of mindgames; published ones have no block."""
    items: list[Item] = []
    sizes: Counter[str] = Counter()
    for row in rows:
        block = row.get("block")
        sizes[block] += 1
        groups = {
            "setup": row["setup"],
            "agents": _numbered("agents", row.get("n_agents")),
            "depth": _numbered("depth", row.get("hypothesis_depth")),
        }
        label = list(LABELS.values()).index(row["label"])
        where = str(row["index"]), None, block or f"row {row['index']}", tuple(LABELS.values()), label
        items.append(Item(*where, sizes[block] - 1, tuple(range(4)) if block else None, groups, row.get("difficulty")))
    return items


def _numbered(what: str, number: int | None) -> str | None:
    return None if number is None else f"{what} {number}"


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold one line of a response file, and where it stands."""

    where: str
    prompt: str | None
    id: str
    text: str


def replies_in(path: Path, published: bool = False, prompt: str | None = None) -> list[Reply]:
    """Read a response file: JSON lines with id (or index), response, and perhaps prompt.

    published: Hi-ToM's are named by `PUBLISHED_KEY` and prompting_type. prompt: what lines without one are of; of
    lines that say theirs only these are read. Raises ValueError for what cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: it is not UTF-8 text (byte {error.start}); expected JSON lines") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    expected = f"{', '.join(('prompting_type', *PUBLISHED_KEY))} and response" if published else "id and response"
    found, others = [], Counter()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where}: not JSON ({error}); expected an object with {expected}") from None
        name = _named(row, published) if isinstance(row, dict) else None
        if name is None or not isinstance(row.get("response", 0), str | None):
            raise ValueError(f"{where}: expected an object with {expected}, a text")
        said = row.get("prompting_type" if published else "prompt")
        if not isinstance(said, str | None):
            raise ValueError(f"{where}: its prompt is {said!r}; expected a name")
        if said is not None and prompt not in (None, said):
            others[said] += 1
            continue
        found.append(Reply(where, said or prompt, name, row["response"] or ""))
    if not found:
        has = f"only of {', '.join(sorted(others))}" if others else "the file is empty"
        raise ValueError(
            f"{path}: no responses{f' of {prompt}' if others else ''}, {has}; expected {expected} on each line"
        )
    return found


def _named(row: dict, published: bool) -> str | None:
    """Return the id that a line has."""
    if published:
        return published_id(row) if all(key in row for key in PUBLISHED_KEY) else None
    name = row.get("id", row.get("index"))
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else None


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{field}={row[field]}" for field in key)


def of_published(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of published rows, each with `where` it stands. Raises ValueError for what they lack."""
    needed = PUBLISHED_KEY if name == "hi_tom" else ("index", "setup")
    found: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    for row in rows:
        if lacks := [field for field in needed if field not in row]:
            raise ValueError(f"{row['where']}: it has no {', '.join(lacks)}, by which its responses are found")
        if name == "hi_tom":
            row = {**row, "id": published_id(row), "story_id": published_id(row, PUBLISHED_KEY[:-1])}
        elif row["label"] not in LABELS.values():
            raise ValueError(f"{row['where']}: label is {row['label']!r}; expected {' or '.join(LABELS.values())}")
        key = row.get("prompt"), str(row.get("id", row["index"] if "index" in row else None))
        if key in found:
            raise ValueError(f"{row['where']}: {key[1]} stands more than once")
        found[key] = row
    return (of_questions if name == "hi_tom" else of_problems)(found.values())


Asked = dict[tuple[str | None, str], Item]
"""What is asked: each item under each prompt and id."""


def matched(
    path: Path, items: Sequence[Item], replies: Sequence[Reply]
) -> tuple[dict[tuple[str | None, str], str], Asked, list[str]]:
    """Find the item of each reply.

    Returns the replies and the items by prompt and id, and one line for each way in which they do not fit: missing,
    unknown and repeated ids. Raises ValueError where no reply has an item.
    """
    prompts = list(dict.fromkeys(reply.prompt for reply in replies))
    asked = {
        (prompt, item.id): replace(item, prompt=prompt)
        for prompt in prompts
        for item in items
        if item.prompt in (None, prompt)
    }
    texts: dict[tuple[str | None, str], str] = {}
    unknown, again = [], []
    for reply in replies:
        key = reply.prompt, reply.id
        if key not in asked:
            unknown.append(key)
        elif key in texts:
            again.append(key)
        else:
            texts[key] = reply.text
    if not texts:
        raise ValueError(
            f"{path}: none of its {len(replies):,} ids is asked here (first: {replies[0].id!r}; asked is e.g. "
            f"{items[0].id!r}); are they answers to another dataset, config or split?"
        )
    missing = [key for key in asked if key not in texts]
    faults = [
        f"{len(keys):,} {what} (first: {keys[0][1]!r}{f' of {keys[0][0]}' if keys[0][0] else ''})"
        for keys, what in (
            (unknown, "ids that nothing asked here has"),
            (again, "ids that occur again"),
            (missing, f"of {len(asked):,} ids are missing"),
        )
        if keys
    ]
    return texts, {key: item for key, item in asked.items() if key in texts}, faults


@dataclass(frozen=True, slots=True)
class Rate(audit.Share):
    """Hold a share with the interval of a bootstrap."""

    low: float = 0.0
    high: float = 1.0

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval."""
        return self.low, self.high

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ({100 * self.low:.0f}–{100 * self.high:.0f})"


Table = dict[str, dict[str, Rate]]
"""The rates of each group; one that is not defined is left out."""


@dataclass(frozen=True, slots=True)
class Given:
    """Hold an item with what was read as its answer; strict: whether all that it needs is right, None if not asked."""

    item: Item
    reading: Reading
    text: str
    strict: bool | None

    @property
    def right(self) -> bool:
        """Return whether the answer is right."""
        return self.reading.choice == self.item.answer

    @property
    def said(self) -> str | None:
        """Return the choice that is the answer."""
        return None if self.reading.choice is None else self.item.choices[self.reading.choice]


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what was measured under one prompt: tables by property, and the papers' analyses.

    ends: for "first" and "last" the counts [[right, wrong] where the answer is that container, where it is another].
    """

    given: Sequence[Given]
    tables: Mapping[str, Table]
    analyses: Mapping[str, Table] = field(default_factory=dict)
    ends: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)


def read_all(name: str, asked: Asked, texts: Mapping[tuple[str | None, str], str]) -> list[Given]:
    """Read the replies to items, and see which are right."""
    readings = {
        key: read_label(texts[key]) if name == "mindgames" else read_container(texts[key], item.choices)
        for key, item in asked.items()
    }
    beside: dict[tuple[str | None, str | None], dict[int, bool]] = defaultdict(dict)
    for key, item in asked.items():
        beside[item.prompt, item.unit][item.place] = readings[key].choice == item.answer
    given = []
    for key, item in asked.items():
        unit = beside[item.prompt, item.unit]
        strict = None
        if item.needs is not None and all(place in unit for place in item.needs):
            strict = unit[item.place] and all(unit[place] for place in item.needs)
        given.append(Given(item, readings[key], texts[key], strict))
    return given


class Bootstrap:
    """Draw units anew, with what was answered in them, and tell what a share then is."""

    def __init__(self, name: str, units: Iterable[str | None]) -> None:
        self.place = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
        below, size = stream("score", name, "bootstrap").below, len(self.place)
        self.counts = np.zeros((DRAWS, size))
        for counts in self.counts:
            counts += np.bincount(np.fromiter((below(size) for _ in range(size)), int, size), minlength=size)

    def rate(self, values: Sequence[tuple[Item, bool]]) -> Rate:
        """Return how often something holds of items, with the percentiles of its share where units are drawn anew."""
        holds, total = np.zeros((2, len(self.place)))
        for item, value in values:
            holds[self.place[item.unit]] += value
            total[self.place[item.unit]] += 1
        rows = self.counts @ total
        shares = (self.counts @ holds)[rows > 0] / rows[rows > 0]
        low, high = np.percentile(shares, (2.5, 97.5))
        chance = fmean(1 / len(item.choices) for item, _ in values)
        return Rate(sum(value for _, value in values), len(values), chance, float(low), float(high))

    def rates(self, values: Mapping[str, Sequence[tuple[Item, bool]]]) -> dict[str, Rate]:
        """Return the rate of each of several things, those left out of which nothing is known."""
        return {what: self.rate(known) for what, known in values.items() if known}


def score(name: str, asked: Asked, texts: Mapping[tuple[str | None, str], str]) -> dict[str, Score]:
    """Read and score the replies of each prompt; of several prompts also a table that compares them, under ""."""
    given = read_all(name, asked, texts)
    drawn = Bootstrap(name, (each.item.unit for each in given))
    prompts: dict[str, list[Given]] = defaultdict(list)
    for each in given:
        prompts[each.item.prompt or "all"].append(each)
    scores = {prompt: _score(name, of, drawn) for prompt, of in prompts.items()}
    if len(prompts) > 1:
        compared = {
            **{prompt: _rates(name, of, drawn) for prompt, of in prompts.items()},
            "all": _rates(name, given, drawn),
        }
        scores = {"": Score(given, {"prompt": compared}), **scores}
    return scores


def _rates(name: str, given: Sequence[Given], drawn: Bootstrap) -> dict[str, Rate]:
    return drawn.rates(
        {
            "accuracy": [(each.item, each.right) for each in given],
            JOINT[name]: [(each.item, each.strict) for each in given if each.strict is not None],
            "unread": [(each.item, each.reading.choice is None) for each in given],
        }
    )


def _grouped(given: Iterable[Given], by: Callable[[Given], Hashable]) -> dict[Hashable, list[Given]]:
    groups: dict[Hashable, list[Given]] = defaultdict(list)
    for each in given:
        if (group := by(each)) is not None:
            groups[group].append(each)
    return dict(sorted(groups.items(), key=lambda group: _natural(group[0])))


def _natural(group: str) -> list[tuple[int, str]]:
    """Return what puts "agents 10" behind "agents 9"."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", group)]


def _score(name: str, given: Sequence[Given], drawn: Bootstrap) -> Score:
    """Score the replies of one prompt."""
    tables: dict[str, Table] = {"all": {"all": _rates(name, given, drawn)}}
    for by in given[0].item.groups:
        if groups := _grouped(given, lambda each, by=by: each.item.groups[by]):
            tables[by] = {group: _rates(name, of, drawn) for group, of in groups.items()}
    if quarters := quartiles([each.item.difficulty for each in given]):
        of = _grouped(given, lambda each: quarters(each.item.difficulty))
        tables["difficulty"] = {group: _rates(name, each, drawn) for group, each in of.items()}
    if name == "mindgames":
        return Score(
            given,
            tables,
            {setup: _by(name, of, drawn, "agents") for setup, of in _grouped(given, _group("setup")).items()},
        )
    return Score(given, tables, _analyses(given, drawn), _ends(given))


def _group(by: str) -> Callable[[Given], str | None]:
    return lambda each: each.item.groups[by]


def _by(name: str, given: Sequence[Given], drawn: Bootstrap, by: str) -> Table:
    return {group: _rates(name, of, drawn) for group, of in _grouped(given, _group(by)).items()}


def quartiles(difficulties: Sequence[float | None]) -> Callable[[float | None], str | None] | None:
    """Return what names the quarter of a difficulty among those known, None where fewer than four are."""
    known = [difficulty for difficulty in difficulties if difficulty is not None]
    if len(known) < 4:
        return None
    cuts = quantiles(known, n=4, method="inclusive")

    def quarter(difficulty: float | None) -> str | None:
        if difficulty is None:
            return None
        place = sum(difficulty > cut for cut in cuts)
        low, high = [min(known), *cuts, max(known)][place : place + 2]
        return f"quarter {place + 1}: {low:.2f} to {high:.2f}"

    return quarter


def _analyses(given: Sequence[Given], drawn: Bootstrap) -> dict[str, Table]:
    """Return what the Hi-ToM paper draws (Figures 3, 4 and 6), and how often own answers are the first-order one."""

    def joint(of: Iterable[Given]) -> dict[str, Rate]:
        of = _grouped((each for each in of if each.strict is not None), _group("order"))
        return drawn.rates({order: [(each.item, bool(each.strict)) for each in rows] for order, rows in of.items()})

    analyses = {}
    for deception, rows in _grouped(given, _group("deception")).items():
        table = {length: joint(of) for length, of in _grouped(rows, _group("length")).items()}
        analyses[f"{BY_LENGTH}, {deception}"] = table
    claims = {claims: joint(of) for claims, of in _grouped(given, _group("claims")).items()}
    if claims:
        analyses[BY_CLAIMS] = claims
    firsts = {each.item.unit: each for each in given if each.item.place == 1}
    same, own = {}, {}
    for order, rows in _grouped(given, _group("order")).items():
        pairs = [(each, firsts[each.item.unit]) for each in rows if each.item.place > 1 and each.item.unit in firsts]
        if not pairs:
            continue
        alike = [one.item.choices[one.item.answer] == first.item.choices[first.item.answer] for one, first in pairs]
        same[order] = drawn.rates(
            {
                what: [(one.item, one.right) for (one, _), equal in zip(pairs, alike, strict=True) if equal is wanted]
                for what, wanted in (("answer as of order 1", True), ("another answer", False))
            }
        )
        own[order] = drawn.rates(
            {
                "own answer as own of order 1": [(a.item, a.said == b.said) for a, b in pairs if a.said and b.said],
                "right answer as right of order 1": [
                    (one.item, equal) for (one, _), equal in zip(pairs, alike, strict=True)
                ],
            }
        )
    return {**analyses, SAME: same, OWN: own}


def _ends(given: Sequence[Given]) -> dict[str, list[list[int]]]:
    """Return the tables of Figure 5 for the longest stories: right or not, where the answer is an end or not."""
    longest = max(each.item.groups["length"] for each in given)
    rows = [each for each in given if each.item.groups["length"] == longest and each.item.ends]
    counts = {}
    for place, end in enumerate(("first", "last")):
        found = Counter((each.item.ends[place], each.right) for each in rows)
        counts[f"{end} container, {longest}"] = [[found[at, right] for right in (True, False)] for at in (True, False)]
    return counts


def render(table: Table) -> str:
    """Return a table in Markdown as `audit.render` does; a rate of other rows than its group's says of how many."""
    rules = dict.fromkeys(rule for rates in table.values() for rule in rates)
    totals = [max((rate.total for rate in rates.values()), default=0) for rates in table.values()]
    rows = [["", *table], ["---", *["---:"] * len(table)], ["rows", *(f"{total:,}" for total in totals)]]
    if "accuracy" in rules:
        chances = [rates["accuracy"].chance if "accuracy" in rates else None for rates in table.values()]
        rows.append(["chance", *("" if chance is None else f"{100 * chance:.1f}" for chance in chances)])
    for rule in rules:
        row = [rule]
        for rates, total in zip(table.values(), totals, strict=True):
            rate = rates.get(rule)
            row.append(
                "not defined" if rate is None else f"{rate}{'' if rate.total == total else f' of {rate.total:,}'}"
            )
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def spelled(scores: Mapping[str, Score]) -> dict[str, Any]:
    """Return scores as JSON has them."""

    def of(tables: Mapping[str, Table]) -> dict:
        return {
            title: {
                group: {
                    what: {
                        "share": rate.share,
                        "low": rate.low,
                        "high": rate.high,
                        "right": rate.right,
                        "rows": rate.total,
                    }
                    for what, rate in rates.items()
                }
                for group, rates in table.items()
            }
            for title, table in tables.items()
        }

    return {
        prompt or "prompts": {
            "tables": of(each.tables),
            "analyses": of(each.analyses),
            "ends": dict(each.ends),
            "read": counted(each.given),
        }
        for prompt, each in scores.items()
    }


def counted(given: Iterable[Given]) -> dict[str, Any]:
    """Return how replies were read: the unread ones by their reason, those that contradict or revise themselves."""
    given = list(given)
    return {
        "replies": len(given),
        "unread": dict(Counter(each.reading.why for each in given if each.reading.choice is None)),
        "contradicting": sum(each.reading.contradicts for each in given),
        "revised": sum(each.reading.revised for each in given),
    }


def unread(given: Iterable[Given]) -> list[dict[str, str | None]]:
    """Return the replies that no rule reads, with the reason."""
    return [
        {"id": each.item.id, "prompt": each.item.prompt, "why": each.reading.why, "response": each.text}
        for each in given
        if each.reading.choice is None
    ]
