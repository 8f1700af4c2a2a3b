"""The kinds of sentences that the reader of stories does not know: alike but for names, nouns and numbers."""

import re
from collections.abc import Iterator
from typing import Any

from .english import NAME, knows
from .released import story_sentences
from .tomi import known_question

# Words that start a sentence with a capital though they are no names.
_NO_NAMES = r"(?!(?:The|A|An|It|He|She|They|There|Then|After|Before|When|While|Where|What|Who|Why|How|Is|Does|Did)\b)"
_NAME = re.compile(rf"(?<![\w'’-]){_NO_NAMES}{NAME}")
_NOUN = re.compile(r"\b(the|a|an|his|her|their) [\w-]+", re.IGNORECASE)


def kind_of(sentence: str) -> str:
    """Return the kind of a sentence: names, numbers, and the word after an article or "his" become "_"."""
    kind = re.sub(r"\d+", "_", _NOUN.sub(r"\1 _", _NAME.sub("_", sentence)))
    return " ".join(kind.split()).encode("utf-8", "backslashreplace").decode("utf-8")  # one line that can be printed


def unknown_kinds(story: Any, question: Any) -> Iterator[str]:
    """Yield the kind of each sentence of a published story, and of its question, that the reader does not know."""
    if isinstance(story, str):
        yield from (kind_of(sentence) for sentence in story_sentences(story) if not knows("event", sentence))
    if isinstance(question, str) and not knows("question", known_question(question)):
        yield kind_of(question)
