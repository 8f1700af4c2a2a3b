"""Count rows of toys: what a card's template can ask of Parquet files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tom_datasets.folder.card_rows import Rows, per_cent


@pytest.fixture
def toys(tmp_path):
    """Return rows of two files."""
    columns = {"size": [1, 2, 2], "kind": ["a", "b", "a"], "right": [True, False, True], "score": [0.5, None, 1.5]}
    pq.write_table(pa.table(columns), tmp_path / "one.parquet")
    more = {"size": [4], "kind": ["b"], "right": [True], "score": [0.25]}
    pq.write_table(pa.table(more), tmp_path / "two.parquet")
    return Rows.of([tmp_path / "one.parquet", tmp_path / "two.parquet"])


def test_rows_are_counted(toys):
    assert len(toys) == 4
    assert len(toys.where("kind", "a")) == 2 and len(toys.where("kind", "a", "b")) == 4
    assert len(toys.where("right", True)) == 3 and len(toys.where("size", 9)) == 0
    assert len(toys.where("kind", "a").where("size", 2)) == 1
    assert len(toys.empty("score")) == 1 and len(toys.empty("size")) == 0
    assert len(toys.below("score", 0.5)) == 1 and len(toys.above("score", 0.5)) == 1, "null is neither"
    assert [(value, len(rows)) for value, rows in toys.by("size")] == [(1, 1), (2, 2), (4, 1)]
    assert toys.distinct("size") == 3 and toys.distinct("size", "kind") == 4 and toys.distinct("score") == 3
    assert toys.mean("size") == "2.2" and toys.span("size") == "1–4"
    assert toys.where("size", 2).span("size") == "2"
    assert toys.where("size", 4).dicts("kind", "right") == [{"kind": "b", "right": True}]
    assert toys.where("kind", "b").dicts()[0] == {"size": 2, "kind": "b", "right": False, "score": None}
    assert toys.where("kind", "b").where("size", 4).only("score") == 0.25
    with pytest.raises(ValueError):
        toys.only("size")


def test_columns_of_rows_are_compared(tmp_path):
    pq.write_table(pa.table({"a": [1, 2, 3], "b": [1, 0, 3]}), tmp_path / "one.parquet")
    rows = Rows.of([tmp_path / "one.parquet"])
    assert rows.same("a", "b").dicts("a") == [{"a": 1}, {"a": 3}]


def test_no_rows_have_no_shares(toys):
    none = toys.where("size", 9)
    assert (none.mean("size"), none.span("size"), per_cent(none, none)) == ("–", "–", "–")
    assert per_cent(none, toys) == "0.0" and per_cent(toys.where("kind", "a"), toys) == "50.0"
