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
from collections.abc import Sequence
from functools import lru_cache

from builders.answers.reading import Reading, _Mention, _plain, _read, _Tongue

CUE = re.compile(
    r"(?<!other )\banswer(?:s|ed)?\b(?! choices)"
    r"|\b(?:best|correct|right|likely|final|my|the|logical) (?:option|choice|guess)\b|\boption that\b"
    r"|\bconclu(?:sion is|de that)\b|\b(?:it's|it is)(?=\s+\(?(?-i:[B-HJ-Z])\b)"
    r"|\bI(?:'d| would|'ll| will)? (?:choose|pick|select|go with)\b",
    re.IGNORECASE,
)


AFTER_LETTER = r"(?=\s*(?:$|[.,:;!?)\]}\n—–-]|(?:because|since|as|for|given|or|and)\b))"


def read_container(reply: str, choices: Sequence[str]) -> Reading:
    """Read which of the containers a reply to a Hi-ToM question names."""
    return _read(_plain(reply), _containers(tuple(choices)))


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
