"""Own what a trained probe makes of a row: its prediction, its confidence, and the difficulty that follows from them.

A probe is a small DeBERTa-v2 (He et al., 2021) that is trained by `trainer` on problems of a seed that is never
published. It sees no names: agents, rooms, things and containers are numbered as they appear, the question or
hypothesis first, so that only structure can be learnt. Each row is scored alone, at its own length and in one thread,
so that its scores depend on nothing else. A probe's folder has for each dataset a model, `<dataset>.onnx`, and how it
was made and how often it is right, `<dataset>.json`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from builders.story.record import loads
from builders.story.syntax import Names

KINDS = {"a": 16, "r": 12, "t": 12, "c": 24}
"""How many agents, rooms, things and containers the placeholders tell apart; the others are unknown words."""


SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


PLACEHOLDERS = tuple(f"{kind}{number}" for kind, count in KINDS.items() for number in range(count))


class Reading(tuple):
    """Hold what a probe sees of a row: (tokens, options, right).

    tokens: the question or hypothesis and the text, masked. options: for each class of the probe what it predicts, as
    the column deberta_pred has it; shorter than the classes where the others cannot be. right: the option that is.
    """

    __slots__ = ()

    def __new__(cls, tokens: Sequence[str], options: Sequence[int], right: int):
        """Make a reading."""
        return super().__new__(cls, (tuple(tokens), tuple(options), right))


def masked(text: str, kinds: Mapping[str, str], met: dict[str, dict[str, int]]) -> list[str]:
    """Return the words of a text, each stretch of them between names as one, each name as its kind and number.

    `kinds` says of each name what it is (see KINDS); `met` holds the names met so far, and is added to.
    """
    names = re.compile(r"\b(" + "|".join(map(re.escape, sorted(kinds, key=len, reverse=True))) + r")\b")
    tokens = []
    for sentence in re.split(r"[.?\n]+", text):
        for place, part in enumerate(names.split(re.sub(r"^\s*\d+ ", "", sentence))):
            if place % 2:
                numbers = met.setdefault(kinds[part], {})
                tokens.append(f"{kinds[part]}{numbers.setdefault(part, len(numbers))}")
            else:
                words = " ".join(re.findall(r"\w+", part.lower()))
                if words not in ("", "and"):  # a list of names is just the names
                    tokens.append(words)
    return tokens


def of_problem(premise: str, hypothesis: str, names: Sequence[str], label: bool) -> Reading:
    """Return what a probe sees of a MindGames row; the options are 0, not entailed, and 1, entailed."""
    met: dict[str, dict[str, int]] = {}
    kinds = dict.fromkeys(names, "a")
    asked = masked(hypothesis, kinds, met)
    return Reading(["[CLS]", *asked, "[SEP]", *masked(premise, kinds, met)], (0, 1), int(label))


def of_question(story: str, question: str, names: Names, choices: Sequence[str], answer: str) -> Reading:
    """Return what a probe sees of a Hi-ToM row; the options are places among the choices, of containers met."""
    met: dict[str, dict[str, int]] = {}
    kinds = {
        name: kind
        for kind, known in zip("artc", (names.agents, names.rooms, names.things, names.containers), strict=True)
        for name in known
    }
    asked = masked(question, kinds, met)
    tokens = ["[CLS]", *asked, "[SEP]", *masked(story, kinds, met)]
    return Reading(tokens, [choices.index(container) for container in met.get("c", {})], choices.index(answer))


def of_row(row: Mapping[str, Any]) -> Reading:
    """Return what a probe sees of a row of either dataset."""
    if "premise" in row:
        return of_problem(row["premise"], row["hypothesis"], row["names"], row["label"] == "entailment")
    return of_question(row["story"], row["question"], _names(row["events"]), row["choices"], row["answer"])


@lru_cache(maxsize=1)
def _names(events: str) -> Names:
    return loads(events)[1]


def spoken(tokens: Sequence[str]) -> tuple[str, str]:
    """Return masked tokens as the two texts that a checkpoint reads: the question or hypothesis, and the rest."""
    end = list(tokens).index("[SEP]")
    return " ".join(tokens[1:end]), " ".join(tokens[end + 1 :])
