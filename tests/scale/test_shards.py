"""What is recorded of shards, and how repeated problems are found and taken out."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.errors import UserError
from builders.scale import shards, whole


def write_hashes(work, *ranks):
    """Write the hashes of shards, given as small numbers."""
    (work / shards.FACTS).mkdir(parents=True)
    for rank, hashes in enumerate(ranks):
        np.array(hashes, dtype=np.uint64).tofile(work / shards.FACTS / f"{rank:05d}.bin")


def kept(work, unit, *ranks):
    """Return which rows of shards with these hashes are kept, as lists of 0 and 1."""
    write_hashes(work, *ranks)
    return [mask.astype(int).tolist() for mask in shards.repeated(work, [len(rank) for rank in ranks], unit)]


def test_of_rows_that_share_a_problem_the_first_stays(tmp_path):
    assert kept(tmp_path, 1, [1, 2, 1], [3, 2, 4], [1]) == [[1, 1, 0], [1, 0, 1], [0]]


def test_a_unit_stays_or_goes_as_a_whole(tmp_path):
    assert kept(tmp_path, 2, [1, 2, 3, 4], [5, 2, 6, 7]) == [[1, 1, 1, 1], [0, 0, 1, 1]]


def test_a_unit_is_kept_where_only_one_that_went_had_its_problem(tmp_path):
    """The second unit goes for problem 1; so the third is the first that has problem 3."""
    assert kept(tmp_path, 2, [1, 2, 1, 3, 3, 4]) == [[1, 1, 0, 0, 1, 1]]


def test_without_repeats_all_rows_stay(tmp_path):
    assert kept(tmp_path, 1, [1, 2], [3]) == [[1, 1], [1]]


def test_what_no_task_wrote_is_refused(tmp_path, request_of, done):
    done(tmp_path / "out", request_of())
    work = tmp_path / "out" / shards.WORK
    file = shards.shard(work, 1)
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    mark = work / "logs" / "completions" / "00001"
    with pytest.raises(UserError) as error:
        whole.finish(tmp_path / "out", request_of())
    assert str(error.value) == f"{file} is not what its task wrote: delete {mark} and run the command again"


def test_a_shard_of_other_rows_than_the_task_made_is_an_error(tmp_path, request_of, done):
    done(tmp_path / "out", request_of())
    with pytest.raises(RuntimeError, match="has 120 rows, its task made 2$"):
        shards.write_facts(tmp_path / "out" / shards.WORK, 0, b"0" * 16, 0)


def test_what_is_left_of_a_shard_has_small_row_groups(tmp_path):
    table = pa.table({"number": range(2_500)})
    pq.write_table(table, tmp_path / "all.parquet")
    mask = np.arange(2_500) % 2 == 0
    shards.rewritten(tmp_path / "all.parquet", tmp_path / "even.parquet", mask)
    with pq.ParquetFile(tmp_path / "even.parquet") as written:
        assert [written.metadata.row_group(group).num_rows for group in range(2)] == [1_000, 250]
        assert written.read()["number"].to_pylist() == list(range(0, 2_500, 2))
