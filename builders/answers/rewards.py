"""Own the reward of a reply: 1 where it is right, else 0, for training by reinforcement.

A reply is read as `score` reads it, by the rules of `reading`. Training looks for whatever is paid, so a reply is paid
only where it also commits itself to one answer, in words that a reader can see:

1. Every statement names that answer, and its letter and its container agree.
2. No other choice stands beside the statement, or behind it as one more answer ("or B", "B.", "it may be B").
3. The statement is no condition ("otherwise the answer is False", as the rules of a prompt say).
4. Without a statement, all concluding sentences, else all sentences, name no other choice.
5. The part that is read hides nothing in mark-up, and no thought in it is unfinished.

`score` leaves these out: it measures replies that nobody trained to be paid.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from builders.answers.containers import container_lexicon, read_container
from builders.answers.labels import LEXICON, read_label, without_echo
from builders.answers.reading import ASIDE, CONCLUDES, Lexicon, Mention, plain, refused, sentence_end, statements
from builders.logic.formula import LABELS
from builders.proof.steps import share_of_right_steps
from builders.rows import dataset_of

HIDING = re.compile(
    r"<!--|<(?!/?(?:think|(?:final[_ -]?)?answer|b|i|u|em|strong|p|br|li|ul|ol|code|h[1-6])\s*/?>)[a-z/!?]"
    r"|<think>|~~|\|\||\]\s*[(\[:]|\[\^|^\s*%"
    r"|\\(?:[hv]?phantom|color|textcolor|tiny|scriptsize|hspace|iffalse|rule|llap|rlap|smash)"
    r"|[\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]",
    re.IGNORECASE | re.MULTILINE,
)
"""Mark-up that a page does not show, struck text, links, spoilers, characters without a shape, unfinished thoughts."""

FILLER = re.compile(
    r"(?:[\s.,;:!?/&|()\[\]+~–—-]|\b(?:or|and|also|maybe|perhaps|possibly|alternatively|either|else|then|it|is|may|might"
    r"|could|be|in|on|at|the|an?|option|choice|letter|answer|else|otherwise|both|not|sure|plus|as|well|too|likely)\b)*",
    re.IGNORECASE,
)
"""Words that add one more answer to a first and say nothing else."""

HEDGE = re.compile(
    r"\b(?:or|also|maybe|perhaps|possibly|alternatively|otherwise|might|may|either|equally|as well|second|backup)\b",
    re.IGNORECASE,
)
"""Words of a sentence that adds one more answer."""

CONDITION = re.compile(r"\b(?:otherwise|unless|or else)\b", re.IGNORECASE)
"""Words that make a statement hold in some cases only, as the rules of a prompt do."""

ALONE = re.compile(r"\s*(?:$|[.,:;!?)\n])")
"""What follows a letter or a word that is an answer by itself."""


def reward(response: str, row: Mapping[str, Any], steps: bool = False) -> float:
    """Return 1.0 where a reply to a row of either dataset is right and commits itself to it, else 0.0.

    `steps` adds to a right answer what its steps are worth (`share_of_right_steps`); it needs a whole row. A reply that
    cannot be read, or that hides something, gets 0.0 all the same. Raises TypeError for a reply that is no text, and
    ValueError for a row without the columns of a question.
    """
    if not isinstance(response, str):
        raise TypeError(f"response is {response!r}; it must be a text")
    if dataset_of(row, {"hi_tom": ("choices", "answer"), "mindgames": ("label",)}) == "hi_tom":
        choices, right = tuple(row["choices"]), row["answer"]
        reading, lexicon = read_container(response, choices), container_lexicon(choices)
        text = plain(response)
    else:
        choices, right = tuple(LABELS.values()), row["label"]
        reading, lexicon = read_label(response), LEXICON
        text = without_echo(plain(response))
    if reading.choice is None or HIDING.search(response.rpartition("</think>")[2]):
        return 0.0
    is_right = reading.choice == choices.index(right) and not reading.contradicts and not reading.revised
    paid = float(is_right and commits(text, lexicon, reading.choice))
    return paid * (1 + share_of_right_steps(text, row)) if steps else paid


def commits(text: str, lexicon: Lexicon, choice: int) -> bool:
    """Return whether a text that is read as a choice names it as its only answer."""
    mentions = lexicon.mentions(text)
    stated = sorted(statements(text, mentions, lexicon), key=lambda statement: statement.at)
    if any(statement.mention is None or statement.mention.choice != choice for statement in stated):
        return False
    if not stated and not _concludes_one(text, mentions):
        return False
    first = stated[-1].mention if stated else [mention for mention in mentions if mention.choice == choice][-1]
    if CONDITION.search(text, _sentence_start(text, first.start), first.start):
        return False
    others = [mention for mention in mentions if mention.choice != choice and not refused(text, mention)]
    before = [mention for mention in others if mention.end <= first.start]
    behind = [mention for mention in others if mention.start >= first.end]
    if before and re.fullmatch(r"[^.!?\n]*", gap := text[before[-1].end : first.start]) and FILLER.fullmatch(gap):
        return False
    joined = _answer_at(text, FILLER.match(text, first.end).end(), lexicon)
    if joined is not None and joined.choice != choice:
        return False
    return not any(_adds(text, mention, first.end) for mention in behind) and not _alone(text, first, lexicon)


def _sentence_start(text: str, at: int) -> int:
    """Return where the sentence or line of a place begins."""
    return max(0, *(place + 1 for end in (". ", "! ", "? ", "\n") if (place := text.rfind(end, 0, at)) >= 0), 0)


def _answer_at(text: str, at: int, lexicon: Lexicon) -> Mention | None:
    """Return what is named at a place: a choice in full, or a letter or word that is an answer by itself."""
    for mention in lexicon.mentions(text[at : at + 200]):
        if mention.start == 0 and not refused(text, Mention(at, at + mention.end, mention.choice)):
            return mention
        break
    bare = lexicon.bare(text, at)
    return bare if bare and ALONE.match(text, bare.end) else None


def _adds(text: str, mention: Mention, start: int) -> bool:
    """Return whether a mention behind a statement, which ends at `start`, is one more answer."""
    begun = max(start, _sentence_start(text, mention.start))
    sentence = text[begun : sentence_end(text, mention.end)]
    only = FILLER.fullmatch(text[begun : mention.start]) and FILLER.fullmatch(text[mention.end : begun + len(sentence)])
    return bool(only or HEDGE.search(sentence) or mention.pair)


def _alone(text: str, first: Mention, lexicon: Lexicon) -> bool:
    """Return whether a sentence behind a statement is nothing but the letter or word of another choice."""
    for start in re.finditer(r"[.!?,;:=\n]\s*", text[first.end :]):
        bare = lexicon.bare(text, first.end + start.end())
        if bare and bare.choice != first.choice and ALONE.match(text, bare.end):
            return True
    return False


def _concludes_one(text: str, mentions: Sequence[Mention]) -> bool:
    """Return whether the concluding sentences, else all sentences, name one choice alone."""
    named: dict[bool, set[int | None]] = {True: set(), False: set()}
    start = 0
    while start < len(text):
        end = sentence_end(text, start)
        aside = ASIDE.search(text, start, end)
        concludes = bool(CONCLUDES.search(text, start, end))
        within = [mention for mention in mentions if start <= mention.start < end and not refused(text, mention)]
        ahead = [mention for mention in within if aside and mention.start < aside.start()] or within
        named[concludes] |= {mention.choice for mention in ahead}
        start = end + 1
    return len(named[True] or named[False]) == 1
