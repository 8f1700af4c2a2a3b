"""What a probe sees of a row: its words, with every name replaced by a placeholder, and the options to choose from.

Agents, rooms, things and containers are numbered in order of appearance, those of the question or hypothesis first. So
a probe can learn structure only, and a row gives the same tokens whatever the names in it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from ..syntax.events import Names
from ..syntax.formula import LABELS
from ..syntax.record import loads

# How many agents, rooms, things and containers have placeholders; any further name becomes an unknown word.
KINDS = {"a": 16, "r": 12, "t": 12, "c": 24}

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")  # tokens that are no words, by their numbers

# Tokens that stand for names.
PLACEHOLDERS = tuple(f"{kind}{number}" for kind, count in KINDS.items() for number in range(count))

WORD = re.compile(r"\w+")  # pattern of a word, as most names are


class MaskedRow(NamedTuple):
    """Hold what a probe sees of a row."""

    tokens: tuple[str, ...]  # "[CLS]", the masked question or hypothesis, "[SEP]", the masked story or premise
    options: tuple[int, ...]  # what each class of the probe stands for, as in the column deberta_pred
    right: int  # the right one of the options


def masked_words(text: str, kinds: Mapping[str, str], numbers: dict[str, dict[str, int]]) -> list[str]:
    """Return the words of a text, each stretch of them between names as one, each name as its placeholder.

    `kinds` gives the kind of each name (see KINDS). `numbers` gives the number of each name that occurred before, by
    kind; new names are added to it.
    """
    tokens: list[str] = []
    for kind, words in stretches(text, tuple(kinds.items())):
        if kind:
            of_kind = numbers.setdefault(kind, {})
            tokens.append(f"{kind}{of_kind.setdefault(words, len(of_kind))}")
        else:
            tokens.append(words)
    return tokens


@lru_cache(maxsize=2)  # the questions about one text come one after the other
def stretches(text: str, names: tuple[tuple[str, str], ...]) -> list[tuple[str | None, str]]:
    """Return the names of a text, each with its kind, and each stretch of words between them, with None."""
    found: list[tuple[str | None, str]] = []
    kinds = dict(names)
    pattern = word_pattern(kinds)
    for sentence in re.split(r"[.?。？\n]+", text):
        for kind, words in groupby(pattern.findall(re.sub(r"^\s*\d+ ", "", sentence)), kinds.get):
            if kind:
                found += [(kind, word) for word in words]
            elif (said := " ".join(words).lower()) != "and":  # a list of names is just the names
                found.append((None, said))
    return found


def masked_texts(
    first: str, second: str, kinds: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, dict[str, int]]]:
    """Return the tokens of two texts, and the number of each name in them by kind; see `masked_words`."""
    numbers: dict[str, dict[str, int]] = {}
    words = masked_words(first, kinds, numbers)
    return ("[CLS]", *words, "[SEP]", *masked_words(second, kinds, numbers)), numbers


def word_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a whole name or, elsewhere, of a word.

    Most names are words, so that there is nothing to compile: patterns of names take longer than the texts. Chinese has
    no spaces, so that each sign outside a name is a word there.
    """
    if any("\u4e00" <= name[0] for name in names):
        return re.compile("|".join([*map(re.escape, sorted(names, key=len, reverse=True)), r"\w"]))
    odd = sorted((name for name in names if not WORD.fullmatch(name)), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, odd))})\b|\w+") if odd else WORD


def mask_problem(premise: str, hypothesis: str, names: Sequence[str], label: bool) -> MaskedRow:
    """Return what a probe sees of a MindGames row; the options are 0, not entailed, and 1, entailed."""
    tokens, _ = masked_texts(hypothesis, premise, dict.fromkeys(names, "a"))
    return MaskedRow(tokens, (0, 1), int(label))


def mask_question(story: str, question: str, names: Names, choices: Sequence[str], answer: str) -> MaskedRow:
    """Return what a probe sees of a Hi-ToM row.

    The options are places in `choices`: those of the containers that the text names, in order of appearance.
    """
    named = {"a": names.agents, "r": names.rooms, "t": names.things, "c": names.containers}
    tokens, numbers = masked_texts(question, story, {name: kind for kind in named for name in named[kind]})
    options = tuple(choices.index(container) for container in numbers.get("c", {}))
    return MaskedRow(tokens, options, choices.index(answer))


def mask_row(row: Mapping[str, Any]) -> MaskedRow:
    """Return what a probe sees of a row of either dataset, which its columns tell."""
    if "premise" in row:
        return mask_problem(row["premise"], row["hypothesis"], row["names"], row["label"] == LABELS[True])
    return mask_question(row["story"], row["question"], loads(row["events"])[1], row["choices"], row["answer"])


def two_texts(tokens: Sequence[str]) -> tuple[str, str]:
    """Return masked tokens as the two texts that a checkpoint reads: the question or hypothesis, and the rest."""
    end = list(tokens).index("[SEP]")
    return " ".join(tokens[1:end]), " ".join(tokens[end + 1 :])
