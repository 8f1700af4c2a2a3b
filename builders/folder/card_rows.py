"""The counts of a card: rows of Parquet files that a template selects, counts and averages."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


class Rows:
    """Select and count rows of Parquet files. A column is read from the files once, when it is first needed."""

    def __init__(self, files: Iterable[Path], kept: pa.Array | None = None, read: dict[str, Any] | None = None) -> None:
        """Take all rows of `files`, or those at the indices `kept`; `read` holds the columns read so far."""
        self._files = list(files)
        self._kept = kept
        self._read: dict[str, Any] = {} if read is None else read

    def __len__(self) -> int:
        if self._kept is None:
            return sum(pq.read_metadata(file).num_rows for file in self._files)
        return len(self._kept)

    def column(self, name: str) -> Any:
        """Return the values of a column as an Arrow array."""
        if name not in self._read:
            self._read[name] = pa.concat_tables(pq.read_table(file, columns=[name]) for file in self._files)[name]
        return self._read[name] if self._kept is None else self._read[name].take(self._kept)

    def _only(self, mask: Any) -> "Rows":
        chosen = pc.indices_nonzero(mask)
        return Rows(self._files, chosen if self._kept is None else self._kept.take(chosen), self._read)

    def where(self, name: str, *values: Any) -> "Rows":
        """Return the rows whose column has one of these values."""
        column = self.column(name)
        return self._only(pc.is_in(column, value_set=pa.array(values, column.type)))

    def empty(self, name: str) -> "Rows":
        """Return the rows whose column is null."""
        return self._only(pc.is_null(self.column(name)))

    def below(self, name: str, bound: float) -> "Rows":
        """Return the rows whose column is below a bound."""
        return self._only(pc.less(self.column(name), bound))

    def above(self, name: str, bound: float) -> "Rows":
        """Return the rows whose column is above a bound."""
        return self._only(pc.greater(self.column(name), bound))

    def same(self, name: str, other: str) -> "Rows":
        """Return the rows where two columns are equal."""
        return self._only(pc.equal(self.column(name), self.column(other)))

    def by(self, name: str) -> list[tuple[Any, "Rows"]]:
        """Return each value of the column, in ascending order, with its rows."""
        return [(value, self.where(name, value)) for value in sorted(self.column(name).unique().to_pylist())]

    def distinct(self, *names: str) -> int:
        """Return the number of different values of the columns together, without rows where one of them is null."""
        combinations = set(zip(*(self.column(name).to_pylist() for name in names), strict=True))
        return sum(None not in values for values in combinations)

    def mean(self, name: str) -> str:
        """Return the mean of the column with one decimal, or – where there are no rows."""
        mean = pc.mean(self.column(name)).as_py()
        return "–" if mean is None else f"{mean:.1f}"

    def span(self, name: str) -> str:
        """Return the least and the greatest value of the column, one value if they are the same, – for no rows."""
        ends = pc.min_max(self.column(name)).as_py()
        return "–" if ends["min"] is None else "–".join(map(str, dict.fromkeys((ends["min"], ends["max"]))))

    def only(self, name: str) -> Any:
        """Return the value that all rows have in the column. Raises ValueError where they differ."""
        (value,) = self.column(name).unique().to_pylist()
        return value

    def dicts(self, *names: str) -> list[dict]:
        """Return the rows as dictionaries of these columns."""
        return pa.table({name: self.column(name) for name in names}).to_pylist()

    def row(self, number: int) -> dict:
        """Return one row with all columns, counted from 0."""
        names = pq.read_schema(self._files[0]).names
        return {name: self.column(name)[number].as_py() for name in names}


def per_cent(part: Rows, whole: Rows) -> str:
    """Return the share of `part` in `whole` in per cent with one decimal, or – where `whole` has no rows."""
    return f"{100 * len(part) / len(whole):.1f}" if len(whole) else "–"
