"""Own the card of a built folder: its YAML, and what `dataset_card.md` can ask of the Parquet and of worked examples.

The prose is in the template. Every number that it says of a build comes from `Rows`, which reads the Parquet files that
were just written.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


class Rows:
    """Read rows of Parquet files, one column at a time, for the template to count.

    `kept` are the indices of the rows that are meant, None for all; `read` are the columns read so far.
    """

    def __init__(self, files: Iterable[Path], kept: pa.Array | None = None, read: dict[str, Any] | None = None) -> None:
        self._files = list(files)
        self._kept = kept
        self._read: dict[str, Any] = {} if read is None else read

    def __len__(self) -> int:
        if self._kept is None:
            return sum(pq.read_metadata(file).num_rows for file in self._files)
        return len(self._kept)

    def column(self, name: str) -> Any:
        """Return the values of a column, as Arrow has them."""
        if name not in self._read:
            self._read[name] = pa.concat_tables(pq.read_table(file, columns=[name]) for file in self._files)[name]
        return self._read[name] if self._kept is None else self._read[name].take(self._kept)

    def _only(self, true: Any) -> "Rows":
        found = pc.indices_nonzero(true)
        return Rows(self._files, found if self._kept is None else self._kept.take(found), self._read)

    def where(self, name: str, *values: Any) -> "Rows":
        """Return the rows where the column has one of these values."""
        column = self.column(name)
        return self._only(pc.is_in(column, value_set=pa.array(values, column.type)))

    def empty(self, name: str) -> "Rows":
        """Return the rows where the column has nothing."""
        return self._only(pc.is_null(self.column(name)))

    def below(self, name: str, bound: float) -> "Rows":
        """Return the rows where the column is below a bound."""
        return self._only(pc.less(self.column(name), bound))

    def above(self, name: str, bound: float) -> "Rows":
        """Return the rows where the column is above a bound."""
        return self._only(pc.greater(self.column(name), bound))

    def containing(self, name: str, text: str) -> "Rows":
        """Return the rows where the column has this text somewhere."""
        return self._only(pc.match_substring(self.column(name), text))

    def same(self, name: str, other: str) -> "Rows":
        """Return the rows where two columns are equal."""
        return self._only(pc.equal(self.column(name), self.column(other)))

    def by(self, name: str) -> list[tuple[Any, "Rows"]]:
        """Return each value of the column, in ascending order, with its rows."""
        return [(value, self.where(name, value)) for value in sorted(self.column(name).unique().to_pylist())]

    def distinct(self, *names: str) -> int:
        """Return how many different values the columns together have, those with nothing left out."""
        found = set(zip(*(self.column(name).to_pylist() for name in names), strict=True))
        return sum(None not in values for values in found)

    def mean(self, name: str) -> str:
        """Return the mean of the column, – where there are no rows."""
        mean = pc.mean(self.column(name)).as_py()
        return "–" if mean is None else f"{mean:.1f}"

    def span(self, name: str) -> str:
        """Return the least and the greatest value of the column, one where they are the same, – for no rows."""
        ends = pc.min_max(self.column(name)).as_py()
        return "–" if ends["min"] is None else "–".join(map(str, dict.fromkeys((ends["min"], ends["max"]))))

    def only(self, name: str) -> Any:
        """Return the value that all rows have in the column; raise ValueError where they differ."""
        (value,) = self.column(name).unique().to_pylist()
        return value

    def shares(self, name: str) -> list[float]:
        """Return in ascending order which share of the rows each value of the column has."""
        return sorted(len(rows) / len(self) for _, rows in self.by(name))

    def dicts(self, *names: str) -> list[dict]:
        """Return the rows with these columns only."""
        return pa.table({name: self.column(name) for name in names}).to_pylist()


def per_cent(part: Rows, whole: Rows) -> str:
    """Return how many of the rows those of `part` are, in per cent; – where there are none."""
    return f"{100 * len(part) / len(whole):.1f}" if len(whole) else "–"
