"""The kinds of sentences that the reader of stories does not know: alike but for names, nouns and numbers."""

import re
from collections.abc import Iterator
from typing import Any

from ..reader.english import knows, pattern_of
from .released import story_sentences
from .tomi import known_question, known_story


def kind_of(sentence: str) -> str:
    """Return the kind of a sentence: names, numbers, and the word after an article or "his" become "_"."""
    unnamed = pattern_of("unknown", "noun").sub(r"\1 _", pattern_of("unknown", "name").sub("_", sentence))
    kind = re.sub(r"\d+", "_", unnamed)
    return " ".join(kind.split()).encode("utf-8", "backslashreplace").decode("utf-8")  # one line that can be printed


def unknown_kinds(story: Any, question: Any) -> Iterator[str]:
    """Yield the kind of each sentence of a published story, and of its question, that the reader does not know."""
    if isinstance(story, str):
        sentences = story_sentences(story)
        yield from (kind_of(sentence) for sentence in sentences if not knows("event", known_story(sentence)))
    if isinstance(question, str) and not knows("question", known_question(question)):
        yield kind_of(question)
