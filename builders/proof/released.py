"""How a story as it was released is put in order: what stands around its lines, and what names its row.

Released stories begin with lines of a prompt and end with blank lines or "***". Their rows have no `sample`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

# Columns that, beside prompting_type, name the cell of a row of Hi-ToM; `sample` counts the rows of a cell.
CELL = ("deception", "story_length", "question_order")

# Columns that may hold a number or name which counts all rows of a file; the first that a row has counts.
NUMBERS = ("sample_id", "id", "index")

_NUMBERED = re.compile(r"\d+\.? (?=\S)")


def clean_story(text: str) -> tuple[str, list[str]]:
    """Return the numbered lines of a story, and the lines without a number before the first and after the last.

    A story in which no line has a number is split into its sentences, which are numbered here. What stands between two
    numbered lines stays: the reader refuses it.
    """
    lines = [line.strip() for line in text.removesuffix("\n").split("\n")]
    numbered = [place for place, line in enumerate(lines) if _NUMBERED.match(line)]
    if numbered:
        first, last = numbered[0], numbered[-1] + 1
        return "\n".join(lines[first:last]), lines[:first] + lines[last:]
    sentences = [sentence for line in lines for sentence in re.split(r"(?<=[.!?])\s+", line) if sentence]
    return "\n".join(f"{number} {sentence}" for number, sentence in enumerate(sentences, 1)), []


def story_sentences(text: str) -> list[str]:
    """Return the sentences of a story, without their numbers and without what stands around them."""
    return [_NUMBERED.sub("", line, count=1) for line in clean_story(text)[0].split("\n") if line]


def name_rows(rows: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield rows of stories with what responses name them by, where they lack it.

    A row gets `sample`, its place among the rows of its cell, from 1, where every row has its cell: one row without
    would shift the places. Any other row gets `index`, its place in the file, from 1, unless it has one of NUMBERS.
    """
    in_cells = all(isinstance(row, dict) and all(column in row for column in CELL) for _, row in rows)
    places: Counter[tuple[str, ...]] = Counter()
    for place, (where, row) in enumerate(rows, 1):
        if isinstance(row, dict) and "story" in row:
            if in_cells:
                cell = tuple(str(row.get(column)) for column in ("prompting_type", *CELL))
                places[cell] += 1
                row = {"sample": places[cell], **row}
            elif not any(column in row for column in NUMBERS):
                row = {"index": place, **row}
        yield where, row
