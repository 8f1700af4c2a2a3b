"""How files of published rows are read: JSON lines, plain or gzipped, the published JSON, or the text of ToMi."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..columns import Row
from ..errors import UserError
from ..files import lines_of, text_of
from .left_out import LeftOut
from .published_labels import published_label
from .released import clean_story, name_rows
from .tomi import is_tomi, tomi_rows

# The fields that a published row needs to be audited; all are strings.
AUDITED = {"hi_tom": ("story", "question", "answer"), "mindgames": ("premise", "hypothesis", "label")}

# The fields that a published row needs to be reread; all are strings.
TEXTS = {**AUDITED, "mindgames": ("premise", "hypothesis", "smcdel_problem", "label")}


class _Broken(str):
    """Hold a text, such as a line, that is not JSON."""

    why: str


def published_rows(
    path: Path, *shapes: tuple[str, ...], left_out: LeftOut, named: bool = False
) -> Iterator[tuple[str, Row]]:
    """Yield (place in the file, row) for each row of a file of published rows that has its fields.

    The file has JSON lines, plain or gzipped, a JSON list, the published `{"data": [...]}`, or the text of ToMi. A
    story comes without the lines that stand around its numbered lines.
    shapes: the fields that a row must have, all strings. Of several shapes, all rows have the shape of the first row.
    left_out: gets the rows that cannot be read, and the lines without a number.
    named: whether rows of stories get what responses name them by (see `name_rows`).
    Raises UserError where the file has no rows, and where none of them has its fields.
    """

    def read(row: Any) -> Row:
        """Return a row as it is wanted. Raises ValueError where it has none of the shapes."""
        nonlocal shapes
        fields: Row = row if isinstance(row, dict) else {}
        whole = next((shape for shape in shapes if fields.keys() >= set(shape)), ())
        if "label" in whole and fields["label"] is not None:
            fields = {**fields, "label": published_label(fields["label"])}
        texts = {key for key, value in fields.items() if isinstance(value, str)}
        fitting = next((shape for shape in shapes if texts.issuperset(shape)), None)
        if fitting is None:
            why = f"{row.why}; " if isinstance(row, _Broken) else ""
            wrong = "".join(f"; {key} is {fields[key]!r:.80}" for key in whole if key not in texts)
            raise ValueError(f"{why}expected {_describe(shapes)}{wrong}")
        shapes = (fitting,)
        if "story" not in fitting:
            return fields
        story, lines = clean_story(fields["story"])
        left_out.lines.update(lines)
        return {**fields, "story": story}

    rows = _parse(path, text_of(path, "; expected JSON lines or the published JSON"))
    if not rows:
        raise UserError(f"{path}: no rows; expected one on each line: {_describe(shapes)}")
    left_out.places = {where: place for place, (where, _) in enumerate(rows)}
    for where, _, row in left_out.readable(name_rows(rows) if named else rows, read):
        yield where, row


def _parse(path: Path, text: str) -> list[tuple[str, Any]]:
    """Return (place in the file, value) for each value of a text; the value of a line that is no JSON is _Broken."""
    whole = _value(text)
    if isinstance(whole, dict) and "data" in whole:
        if not isinstance(whole["data"], list):
            raise UserError(f'{path}: "data" must be a list of rows')
        whole = whole["data"]
    if isinstance(whole, list):
        return [(f"{path}, row {number}", row) for number, row in enumerate(whole, 1)]
    if is_tomi(text):
        return list(tomi_rows(path, text))
    return [(where, _value(line)) for where, line in lines_of(path, text)]


def _value(line: str) -> Any:
    """Return the value of a text of JSON, or _Broken."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        broken = _Broken(line)
        broken.why = f"not JSON ({error})"
        return broken


def _describe(shapes: Iterable[tuple[str, ...]]) -> str:
    """Return what a row should be, for a message."""
    fields = " or ".join(f"{', '.join(shape[:-1])} and {shape[-1]}" for shape in shapes)
    return f"an object with {fields}, all strings"
