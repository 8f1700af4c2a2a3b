"""How the questions of a chunk become rows: the question of a number is one of each kind, about different stories."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil
from types import SimpleNamespace
from typing import Any

from ...columns import UNSCORED, Row
from ...configs import problems_of
from ...streams import stream
from ...syntax.events import Names
from ...wording.stories import voice
from ..family import Drawn
from .draw import CHUNK, Chunk, draw_chunk
from .explanation import explain_query
from .kinds import KINDS
from .query import View
from .record import dumps_query, spell_query

STORIES = 1000  # numbers that the stories of a chunk may have; no chunk needs more stories

# Returns the names of a story, and the columns that its questions share, given its number in the split.
Tell = Callable[[int, Drawn], tuple[Names, Row]]

# Columns of questions about one belief of now, which are empty here.
UNKNOWN = {
    "answer_published": None, "semantics_agree": None, "effective_order": None, "order_sensitive": None,
    "shortcuts_missed": None, "answer_slot": None, "n_places": None, "lines_since": None, **UNSCORED,
}  # fmt: skip


def ability_rows(config: Any, split: str, index: int, _target: None, _letters: None, tell: Tell) -> list[Row]:
    """Make the questions of a number, one of each kind; not scored."""
    number, place = divmod(index, CHUNK)
    return [question_row(config, split, number, kind, place, tell) for kind in config.kinds]


def rows_of_story(config: Any, split: str, story: int, tell: Tell) -> list[Row]:
    """Make all questions of the story that has a number in the split, none where there is no such story."""
    number, wanted = divmod(story, STORIES)
    left = config.sizes()[split] - number * CHUNK
    if number < 0 or left <= 0:
        return []
    asked = chunk_of(split, number, problems_of(config))
    return [
        question_row(config, split, number, kind, place, tell)
        for kind in config.kinds
        for place, question in enumerate(asked[kind][:left])
        if question.number == wanted
    ]


@lru_cache(maxsize=16)
def chunk_of(split: str, number: int, problems: tuple) -> Chunk:
    """Return the questions of a chunk, drawn once for its rows in any language; a split may end within it."""
    config = SimpleNamespace(**dict(problems), orders=())
    whole, left = 2 * config.max_order, vars(config)[split] - number * CHUNK  # whole pairs of each order
    size = min(CHUNK, ceil(left / whole) * whole)
    return draw_chunk(config, lambda *key: stream("hi_tom", "abilities", config.seed, split, number, *key), size)


def question_row(config: Any, split: str, number: int, kind: str, place: int, tell: Tell) -> Row:
    """Return the row of the question of a kind at a place in the chunk of a number."""
    *before, asked = chunk_of(split, number, problems_of(config))[kind][: place + 1]
    query, say = asked.query, voice(config.language)
    names, shared = tell(number * STORIES + asked.number, asked.story)
    is_second = asked.number in [other.number for other in before]
    spelled = spell_query(query, names)
    choices = say.choices(spelled, KINDS[kind].form.name)
    answer, explanation = choices[asked.answer], None
    if split in config.explanations:
        explanation = explain_query(shared["story"], View(asked.story.story), query, names, say, answer)
    return {
        **shared,
        **UNKNOWN,
        "id": f"{shared['story_id']}-{kind}{'-2' * is_second}",
        "kind": kind,
        "question": say.ask(spelled, names.things[0]),
        "choices": choices,
        "answer": answer,
        "answer_index": asked.answer,
        "order": len(query.chain),
        "chain": spelled["chain"],
        "query": dumps_query(query, names),
        "undisputed": True,
        "readings": [],
        "explanation": explanation,
    }
