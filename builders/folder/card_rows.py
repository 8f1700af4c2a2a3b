"""The counts of a card: rows of Parquet files that a template selects, counts and averages."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from ..columns import Row


class Rows:
    """Select and count rows of Parquet files; only the columns that are needed are read."""

    def __init__(self, data: Any) -> None:
        """Take the rows of an Arrow dataset."""
        self._data = data

    @classmethod
    def of(cls, files: Iterable[Path]) -> "Rows":
        """Return all rows of Parquet files, in their order."""
        import pyarrow.dataset as ds  # it imports pandas, which is slow

        paths = [str(file.absolute()) for file in files]  # a relative path such as a:b is an address to Arrow
        return cls(ds.dataset(paths, format="parquet"))

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        count: int = self._data.count_rows()
        return count

    def column(self, name: str) -> Any:
        """Return the values of a column as an Arrow array."""
        return self._data.to_table([name])[name]

    def where(self, condition: pc.Expression) -> "Rows":
        """Return the rows for which a condition holds, such as `field("order") > 0`; it does not hold for null."""
        return Rows(self._data.filter(condition))

    def by(self, name: str) -> list[tuple[Any, "Rows"]]:
        """Return each value of the column, in ascending order, with its rows."""
        values = sorted(self.column(name).unique().to_pylist())
        return [(value, self.where(pc.field(name) == value)) for value in values]

    def distinct(self, *names: str) -> int:
        """Return the number of different values of the columns together, without rows where one of them is null."""
        return len({values for row in self.dicts(*names) if None not in (values := tuple(row.values()))})

    def mean(self, name: str) -> str:
        """Return the mean of the column with one decimal, or – where there are no rows."""
        mean = pc.mean(self.column(name)).as_py()
        return "–" if mean is None else f"{mean:.1f}"

    def span(self, name: str) -> str:
        """Return the least and the greatest value of the column, one value if they are the same, – for no rows."""
        ends = pc.min_max(self.column(name)).as_py()
        return "–" if ends["min"] is None else "–".join(map(str, dict.fromkeys(ends.values())))

    def only(self, name: str) -> Any:
        """Return the value that all rows have in the column. Raises ValueError where they differ."""
        (value,) = self.column(name).unique().to_pylist()
        return value

    def dicts(self, *names: str) -> list[Row]:
        """Return the rows as dictionaries of these columns, or of all."""
        rows: list[Row] = self._data.to_table(list(names) or None).to_pylist()
        return rows


def per_cent(part: Rows, whole: Rows) -> str:
    """Return the share of `part` in `whole` in per cent with one decimal, or – where `whole` has no rows."""
    return f"{100 * len(part) / len(whole):.1f}" if len(whole) else "–"
