"""How the questions of a chunk become rows: the question of a number is one of each kind, about different stories."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import product
from math import ceil
from types import SimpleNamespace
from typing import Any

from ...columns import UNSCORED, Row
from ...configs import problems_of
from ...streams import stream
from ...syntax.events import Names
from ...witness import UnfitError, searched
from ...wording.stories import voice
from ..family import DrawnStory, read_story, spelled_story
from .draw import CHUNK, Asked, Chunk, draw_chunk
from .explanation import explain_query
from .kinds import KINDS
from .record import dumps_query, numbers_of_query, query_of_numbers, spell_query
from .view import View

STORIES = 1000  # numbers that the stories of a chunk may have; no chunk needs more stories

# Returns the names of a story, and the columns that its questions share, given its number in the split.
# What names a story that was drawn for an index, and gives the columns that its rows share.
Telling = Callable[[int, DrawnStory], tuple[Names, Row]]

# Columns of questions about one belief of now, which are empty here.
UNKNOWN = {
    "answer_published": None, "semantics_agree": None, "effective_order": None, "order_sensitive": None,
    "shortcuts_missed": None, "answer_slot": None, "n_places": None, "lines_since": None, "hops": None, **UNSCORED,
}  # fmt: skip


def ability_rows(config: Any, split: str, index: int, _target: None, _letters: None, tell: Telling) -> list[Row]:
    """Make the questions of a number, one of each kind; not scored."""
    return list(question_rows(config, split, [index], tell))


def rows_of_story(config: Any, split: str, story: int, tell: Telling) -> list[Row]:
    """Make all questions of the story that has a number in the split, none where there is no such story."""
    first = story // STORIES * CHUNK
    indices = range(max(0, first), min(first + CHUNK, config.sizes()[split]))
    return list(question_rows(config, split, indices, tell, story))


@lru_cache(maxsize=16)
def chunk_of(split: str, number: int, problems: tuple[tuple[str, Any], ...]) -> Chunk:
    """Return the questions of a chunk, drawn once for its rows in any language; a split may end within it."""
    config = SimpleNamespace(**dict(problems), orders=())
    whole, left = 2 * config.max_order, vars(config)[split] - number * CHUNK  # whole pairs of each order
    size = min(CHUNK, ceil(left / whole) * whole)
    search = partial(
        draw_chunk, config, partial(stream, "hi_tom", "abilities", config.seed, split, number), size, number
    )
    return searched(f"{split} {number}", search, spelled_chunk, read_chunk)


@lru_cache(maxsize=4)
def told_of(split: str, number: int, problems: tuple[tuple[str, Any], ...]) -> dict[tuple[str, int], tuple[Names, Row]]:
    """Return the stories of a chunk that were told, each once: by language and number, their names and columns."""
    return {}


def spelled_chunk(chunk: Chunk) -> list[Any]:
    """Return the questions of a chunk as what JSON can hold: its stories, then for each kind what is asked of which."""
    stories = {asked.number: spelled_story(asked.story) for questions in chunk.values() for asked in questions}
    questions = {
        kind: [[asked.number, numbers_of_query(asked.query), asked.answer] for asked in questions]
        for kind, questions in chunk.items()
    }
    return [[*stories.items()], questions]


def read_chunk(spelled: list[Any]) -> Chunk:
    """Return the chunk of which `spelled_chunk` gave the parts.

    Raises UnfitError for a story that cannot be, and a question that has another answer or a disputed one.
    """
    numbered, questions = spelled
    stories = {number: read_story(story) for number, story in numbered}
    views = {number: View(drawn.story) for number, drawn in stories.items()}
    chunk: Chunk = {kind: [] for kind in questions}
    for kind, asked in questions.items():
        for number, query, place in asked:
            read, view = query_of_numbers(query), views[number]
            if KINDS[kind].answer_to(view, read) != read.options[place]:
                raise UnfitError(f"a question of {kind} has another answer than number {place}; expected that one")
            if not all(map(view.is_undisputed, KINDS[kind].rests_on(read))):
                raise UnfitError(f"interpretations dispute a question of {kind}; expected all to agree")
            chunk[kind].append(Asked(number, stories[number], read, place, {}))
    return chunk


def question_rows(
    config: Any, split: str, indices: Iterable[int], tell: Telling, story: int | None = None
) -> Iterator[Row]:
    """Yield the rows of the questions of some numbers, kind after kind: all of them, or those about one story."""
    say, problems = voice(config.language), problems_of(config)
    for kind, index in product(config.kinds, indices):
        number, place = divmod(index, CHUNK)
        *before, asked = chunk_of(split, number, problems)[kind][: place + 1]
        of = number * STORIES + asked.number
        if story not in (None, of):
            continue
        told, own = told_of(split, number, problems), (config.language, of)
        if own not in told:
            told[own] = tell(of, asked.story)
        query, (names, shared) = asked.query, told[own]
        is_second = asked.number in [other.number for other in before]
        spelled = spell_query(query, names)
        choices = say.choices(spelled, KINDS[kind].form.name)
        answer, explanation = choices[asked.answer], None
        if split in config.explanations:
            explanation = explain_query(shared["story"], View(asked.story.story), query, names, say, answer)
        yield {
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
