"""The rules that read which choice a reply names: the same for every model, and for both datasets.

A dataset brings the words for its choices (`Lexicon`: `containers` for hi_tom, `labels` for mindgames). The rules stand
with examples in docs/how_to/evaluate.md ("How a reply is read"); their numbers are used here. In short:

1. A *statement* says what the answer is, by its place in the reply or by words such as "the answer is".
2. The last statement counts. If an earlier one differs, the reply is *revised*.
3. A statement of several choices, or of none, leaves the reply unread.
4. Without a statement, letters that stand with containers decide; else the last concluding sentence; else the last
   sentence that names a choice.
5. Where a letter and its container differ, the container counts, and the reply is *contradicting*.
6. Another question or story after an answer, and all that follows it, is not read.
7. A letter alone is an answer only where an answer is expected.
8. Only what a reply asserts is read (`clauses`): no list of choices (`lists`), no statements that take turns to the end

Thinking is cut away first. Time is linear in the length of the reply: every pattern runs over the text once, or over a
stretch of bounded length.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, islice, pairwise
from typing import NamedTuple

from . import patterns
from .clauses import APART, CUT, asserted
from .lists import form, lists_of
from .mentions import EMPTY, SEVERAL, SILENT, START, UNFINISHED, UNKNOWN, Mention, Reading, first_in, within


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Hold the words by which a dataset's choices are named."""

    named: re.Pattern[str]  # matches the words that may name a choice
    mention: Callable[[re.Match[str]], Mention | None]  # returns what such words name; None where they name nothing
    alone: re.Pattern[str]  # matches a letter or word alone that may be an answer (rule 7)
    bare: Callable[[re.Match[str]], Mention]  # returns what it names
    cue: re.Pattern[str]  # matches the words that announce a statement (rule 1)
    rewrites: Sequence[tuple[re.Pattern[str], str]] = ()  # patterns of what is not read, such as the question repeated
    agent: re.Pattern[str] | None = None  # matches the end of a text behind which "cannot know" is said of an agent


class Parsed:
    """Hold a text without mark-up, and what the rules look for in it."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        """Find all that the rules look for."""
        self.text = text
        self.mentions = [*filter(None, map(lexicon.mention, lexicon.named.finditer(text)))]  # choices named in full
        self.bare = [*map(lexicon.bare, lexicon.alone.finditer(text))]  # letters or words alone (rule 7)
        self.cues = list(lexicon.cue.finditer(text))  # words that announce a statement
        self.ends = [*(end.start() for end in patterns.ENDS.finditer(text)), len(text)]  # where sentences and lines end
        self.listed = {
            choice.start: run for run in lists_of(text, self.mentions, self.bare) for choice in run
        }  # in lists
        self.unknowable = [
            Mention(*words.span(), None)  # of no answer
            for words in patterns.UNKNOWABLE.finditer(text)
            if not (lexicon.agent and lexicon.agent.search(text[max(0, words.start() - BEFORE) : words.start()]))
        ]

    def sentence_end(self, start: int) -> int:
        """Return where the sentence or line of a place ends."""
        return min(self.ends[bisect_left(self.ends, start)], start + LONG)


# What is read of a reply.

# Other forms of letters and signs, such as those of full width.
LETTERS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans("’‘\xa0", "'' ")


def visible(reply: str) -> str | None:
    """Return what stands behind the last thinking of a reply, else before the first; None where the last has no end."""
    behind = max((end.end() for end in patterns.ENDS_THINKING.finditer(reply)), default=0)
    if patterns.BEGINS_THINKING.search(reply, behind):
        return None
    first = patterns.BEGINS_THINKING.search(reply)
    return reply[: first.start()] if first and not reply[behind:].strip() else reply[behind:]


LONGEST = 100_000  # most characters that are read: of a longer reply, its first half and its last
LONG = 600  # most characters of a sentence: a reply may go on without an end
BEFORE = 60  # length of the stretch before a mention that may deny or correct it, in characters
MOST = 26  # most choices of a question
TURNS = 20  # most parts that other questions begin: what follows is one part


# Reading.


def read(reply: str, lexicon: Lexicon) -> Reading:
    """Read a reply by the rules of this module."""
    text = visible(reply.translate(LETTERS))
    if text is None:
        return Reading(None, UNFINISHED)
    half = LONGEST // 2
    text = text if len(text) <= LONGEST else f"{text[:half]}\n\n{text[-half:]}"
    for pattern, by in (*patterns.REWRITES, *lexicon.rewrites):
        text = pattern.sub(by, text)
    text = text.strip()
    if not text:
        return Reading(None, EMPTY)
    reading = Reading(None, EMPTY)
    for turn in turns(text):
        parsed = Parsed(asserted(turn.text, lexicon.named), lexicon)
        if turn.stated and (statement := stated(parsed)):
            return statement
        if turn.named and (reading := paired(parsed) or concluded(parsed)).why != SILENT:
            return reading
    return reading


class Turn(NamedTuple):
    """Hold a part of a reply that may go on with other questions (rule 6)."""

    text: str  # the part
    stated: bool = True  # whether a statement in it counts
    named: bool = False  # whether a choice counts that it names without a statement


def turns(text: str) -> Iterator[Turn]:
    """Yield the parts of a reply, the first of which that answers counts: at last, the whole reply.

    Another question or story begins a part. Before the first one, a choice counts that is named in a single line, or in
    front of an empty line.
    """
    starts = [turn.start() for turn in islice(patterns.TURN.finditer(text), TURNS)]
    first, *others = [text[start:end] for start, end in pairwise([0, *starts, len(text)])]
    if others:
        yield Turn(first)
        before, empty, _ = first.rpartition("\n\n")
        if empty or "\n" not in first.strip():
            yield Turn(before or first, False, True)
        yield from map(Turn, others)
    yield Turn(text, True, True)


def stated(parsed: Parsed) -> Reading | None:
    """Read the last statement (rules 1 to 3); where statements take turns to the end, none counts (rule 8)."""
    letters, names = concluding(parsed, parsed.bare), [*concluding(parsed, parsed.mentions)]
    statements = sorted(chain(announced(parsed), chosen(parsed), lines(parsed), letters), key=START)
    if not statements:
        return names[-1].reading() if names and patterns.LINE_END.fullmatch(parsed.text, names[-1].end) else None
    statements += [said for said in names if said.start > statements[-1].start]
    choices = [choice for choice, _ in groupby(said.choice for said in statements if not said.why)]
    if any(choices[-2 * n : -n] == choices[-n:] for n in range(2, 1 + min(len(choices) // 2, MOST))):
        return Reading(None, SEVERAL, revised=True)
    return statements[-1].reading(len(choices) > 1)


def paired(parsed: Parsed) -> Reading | None:
    """Read the letters that stand with containers, where all are of one choice (rule 4)."""
    told = [mention for mention in parsed.mentions if mention.pair and mention.start not in parsed.listed]
    pairs = [mention for mention in told if not _refused(parsed.text, mention)]
    return pairs[-1].reading() if len({mention.choice for mention in pairs}) == 1 else None


def concluded(parsed: Parsed) -> Reading:
    """Read the last concluding sentence, else the last sentence that names a choice (rule 4)."""
    text, start, concluding = parsed.text, 0, None
    last = Mention(0, 0, None, why=SEVERAL if parsed.listed else SILENT)
    while start < len(text):
        end = parsed.sentence_end(start)
        candidates = [mention for mention in within(parsed.mentions, start, end) if not _refused(text, mention)]
        concludes, says = bool(patterns.CONCLUDES.search(text, start, end)), None
        if unknowable := first_in(parsed.unknowable, start, end):
            candidates = [mention for mention in candidates if _in_spite_of(text, unknowable, mention)]
            concludes, says = concludes or not candidates, Mention(start, end, None)
        if candidates:
            aside = patterns.ASIDE.search(text, start, end)
            ahead = [mention for mention in candidates if aside and mention.start < aside.start()] or candidates
            several = len({mention.choice for mention in ahead}) > 1 or ahead[0].start in parsed.listed
            says = Mention(start, end, None, why=SEVERAL) if several else ahead[-1]
        last = says or last
        concluding = says if says and concludes else concluding
        start = end + 1
    return (concluding or last).reading()


def _in_spite_of(text: str, unknowable: Mention, mention: Mention) -> bool:
    """Return whether a choice is named though the answer cannot be known, as in "It cannot be determined; False"."""
    around = mention.start <= unknowable.start < mention.end
    return around or bool(mention.start > unknowable.end and APART.search(text, unknowable.end, mention.start))


def _refused(text: str, mention: Mention) -> bool:
    """Return whether the words before or behind a mention deny it."""
    before = text[max(0, mention.start - BEFORE) : mention.start].rpartition("\n")[2]
    return bool(patterns.DENIED.search(before) or patterns.REJECTED.match(text, mention.end))


# Statements (rule 1).


def announced(parsed: Parsed) -> Iterator[Mention]:
    """Yield what words such as "the answer is" announce, in their sentence or on the next line."""
    text = parsed.text
    for cue in parsed.cues:
        line = text.rfind("\n", max(0, cue.start() - LONG), cue.start())
        if not cue[0] and first_in(parsed.mentions, line, cue.start()):
            continue  # a letter behind a sentence that names a container
        start, end = cue.end(), parsed.sentence_end(cue.end())
        statement = _announced(parsed, start, end)
        goes_on = statement is None and text[end : end + 1] == "\n" and not re.search("[.!?]", text[start:end])
        if goes_on and (line_end := patterns.LINE_END.match(text, end)):
            start = line_end.end()
            if not re.match(r"(?i)\(?\d+[.)]|step\b", text[start : start + 8]):
                statement = _announced(parsed, start, parsed.sentence_end(start))
        if statement:
            yield statement


def chosen(parsed: Parsed) -> Iterator[Mention]:
    """Yield the choices that are called the answer, as in "B is correct", or that correct another."""
    text = parsed.text
    for mention in (*parsed.mentions, *parsed.bare):
        before = text[max(0, mention.start - BEFORE) : mention.start]
        called = patterns.CHOSEN.match(text, mention.end) and not patterns.QUOTED.search(before)
        if called and re.search(r"(?i)\bor\s+(?:the\s+|in\s+|option\s+)*$", before):
            yield replace(mention, choice=None, why=SEVERAL)
        elif called or (patterns.CORRECTED.search(before) and patterns.LINE_END.match(text, mention.end)):
            yield mention


def concluding(parsed: Parsed, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the choices that are all of a concluding sentence ("Therefore, blue_crate."), or all of the last one."""
    text = parsed.text
    for mention in mentions:
        place = bisect_left(parsed.ends, mention.start)
        start = parsed.ends[place - 1] + 1 if place else 0
        if mention.start - start > BEFORE or mention.start in parsed.listed:
            continue
        last = patterns.LINE_END.fullmatch(text, mention.end) and not text[start : mention.start].strip(CUT).strip()
        ends = patterns.SENTENCE_END.match(text, mention.end)
        if last or ends and patterns.THEREFORE.fullmatch(text, start, mention.start):
            yield mention


def lines(parsed: Parsed) -> Iterator[Mention]:
    """Yield the lines that begin with a choice or hold nothing else, but not the lines of a list of choices."""
    found: list[tuple[int, Mention | None, str]] = []
    for start, end in (line.span() for line in re.finditer(r"\S.*", parsed.text)):
        first = first_in(parsed.mentions, start, start + 1) or first_in(parsed.bare, start, start + 1)
        rest = parsed.text[first.end : end] if first else ""
        whole = re.fullmatch(r"[\s.!,:;)\]]*", rest)
        opens = not found and re.match(r"[.,:;!)\]—–-]|\s+[-—–(]|\s+(?:because|since|or|and)\b", rest)
        found.append((start, first if first and (whole or first.pair or opens) else None, rest))
    for place, (start, first, rest) in enumerate(found):
        beside = [near for _, near, _ in found[max(0, place - 1) : place + 2] if near]
        if first is None or any(near.choice != first.choice for near in beside) and len(found) > 2:
            continue
        if run := parsed.listed.get(first.start):
            if run[-1].start < first.end + len(rest):  # else one on each line
                yield replace(first, choice=None, why=SEVERAL)
        elif patterns.NONE.match(rest):
            yield Mention(start, start, None, why=UNKNOWN)
        elif not patterns.REJECTED.match(rest):
            yield _single(parsed, first, first.end + len(rest))


def _announced(parsed: Parsed, start: int, end: int) -> Mention | None:
    """Return the statement in a stretch of text that a cue announces."""
    text = parsed.text
    candidates, letter = within(parsed.mentions, start, end), first_in(parsed.bare, start, end)
    if letter and (not candidates or letter.start < candidates[0].start):
        candidates.insert(0, letter)
    behind = [start, *(mention.end for mention in candidates[:1] if not mention.pair)]
    if any(patterns.NONE.match(text, place) for place in behind):
        return Mention(start, end, None, why=UNKNOWN)
    while candidates and _refused(text, candidates[0]):
        instead = patterns.INSTEAD.match(text, candidates[0].end, end)
        candidates = candidates[1:] if instead else []
        other = first_in(parsed.bare, instead.end(), end) if instead else None
        if other and (not candidates or other.start < candidates[0].start):
            candidates.insert(0, other)
    if not candidates:
        return Mention(start, end, None, why=UNKNOWN) if first_in(parsed.unknowable, start, end) else None
    first, *others = candidates
    if first.start in parsed.listed:
        return replace(first, choice=None, why=SEVERAL)
    if form(text, first)[1] and re.match(r"\s*[:,()–-]", text[first.end : end]):  # "B: … the red_box"
        choices = {mention.choice for mention in others}
        if (
            len(choices) == 1
            and choices != {first.choice}
            and not patterns.ASIDE.search(text, first.end, others[0].start)
        ):
            return replace(others[0], start=first.start, contradicts=True)
    return _single(parsed, first, end)


def _single(parsed: Parsed, first: Mention, end: int) -> Mention:
    """Return a mention as a statement, which names several choices where another is joined to it, as in "B or C"."""
    joined = patterns.JOINED.match(parsed.text, first.end, end)  # None where the mention itself goes on behind the end
    if joined is None or not joined[0].strip():
        return first
    other = first_in(parsed.mentions, joined.end(), joined.end() + 1)
    alone = first_in(parsed.bare, joined.end(), joined.end() + 1)
    if alone and (joined[0].strip(" ,;/&()") or alone.end - alone.start == 1):  # "B, C", not "Yes, no announcement"
        other = other or alone
    several = other is not None and other.end <= end and other.choice != first.choice
    return replace(first, choice=None, why=SEVERAL) if several else first
