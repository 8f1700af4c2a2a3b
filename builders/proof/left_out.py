"""What could not be read of a file of published rows: which rows and why, and which lines and sentences."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..errors import UserError
from .sentence_kinds import unknown_kinds

Read = TypeVar("Read")

SHOWN = 5  # most kinds of sentences that an error names


@dataclass(slots=True)
class LeftOut:
    """Collect what is left out of a file; where `strict`, raise for its first row that cannot be read."""

    strict: bool = True
    places: dict[str, int] = field(default_factory=dict)  # where each row of the file stands, and its place among all
    rows: list[dict[str, Any]] = field(default_factory=list)  # where a row stands, why it cannot be read, the row
    lines: Counter[str] = field(default_factory=Counter)  # lines without a number, around the stories of all rows
    kinds: Counter[str] = field(default_factory=Counter)  # unknown sentences of the rows left out, by their kind

    def readable(self, rows: Iterable[tuple[str, Any]], read: Callable[[Any], Read]) -> Iterator[tuple[str, Any, Read]]:
        """Yield (place in the file, row, what `read` makes of it) for each row that it can read; note the others.

        A row is left out where `read` raises ValueError or UserError, or nests too deeply. At the end those left out
        are put in the order of the file, which is read in several passes. Raises UserError for the first one where
        `strict`, and where every row of the file is left out.
        """
        for where, row in rows:
            try:
                made = read(row)
            except (ValueError, UserError, RecursionError) as error:
                why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
                if self.strict:
                    raise UserError(f"{where}: {why}") from None
                self.rows.append({"where": where, "why": why, "row": row})
                if isinstance(row, dict):
                    self.kinds.update(unknown_kinds(row.get("story"), row.get("question")))
            else:
                yield where, row, made
        self.rows.sort(key=lambda row: self.places.get(row["where"], 0))
        if self.rows and len(self.rows) == len(self.places):
            first, n_rows = self.rows[0], len(self.rows)
            of_all = f"; none of the {n_rows:,} rows of the file can be read: name another file" if n_rows > 1 else ""
            kinds = ", ".join(f"{count:,} of {kind!r}" for kind, count in self.kinds.most_common(SHOWN))
            unknown = f"; sentences that the reader does not know, by kind: {kinds}" if kinds else ""
            raise UserError(f"{first['where']}: {first['why']}{of_all}{unknown}")
