"""What is recorded of shards, and how repeated problems are found and taken out."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tom_datasets.errors import UserError
from tom_datasets.scale import rows, whole
from tom_datasets.scale.shards import WORK, firsts, shard_of


def test_of_rows_that_share_a_problem_the_first_stays():
    ranks = [1, 2, 1], [3, 2, 4], [1], [2**64 - 1, 5, 5]
    kept = firsts([np.array(rank, dtype=np.uint64) for rank in ranks])
    assert [mask.astype(int).tolist() for mask in kept] == [[1, 1, 0], [1, 0, 1], [0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("shards/00001.parquet", lambda file: file.write_bytes(file.read_bytes()[:-1] + b"x")),
        ("shards/00001.parquet", lambda file: file.write_bytes(file.read_bytes()[:-100])),
        ("shards/00001.parquet", Path.unlink),
        ("facts/00001.json", lambda file: file.write_text(file.read_text()[:-9])),
        ("facts/00001.json", lambda file: file.write_text("[]")),
        ("facts/00001.json", Path.unlink),
        ("facts/00001.json", lambda file: file.write_text("{}")),
    ],
)
def test_what_no_task_wrote_is_refused(tmp_path, request_of, done_copy, place, change):
    work = done_copy(tmp_path / "out") / WORK
    change(work / place)
    file, mark = shard_of(work, 1).file, work / "logs" / "completions" / "00001"
    with pytest.raises(UserError) as error:
        whole.finish(tmp_path / "out", request_of())
    assert str(error.value) == f"{file} is not what its task wrote: delete {mark} and run the command again"


def test_the_hashes_are_those_of_the_rows(tmp_path, request_of, done):
    """They are read from the shards, which have checksums, and from nowhere else."""
    request = request_of()
    work = done(tmp_path / "out", request) / WORK
    for rank in range(2):
        made = [item.problem for item in rows.made(request, rank)]
        assert shard_of(work, rank).hashes().tobytes() == b"".join(made)
    written = {path.name for path in work.rglob("0000*") if path.is_file()}
    assert written == {f"0000{rank}{ending}" for rank in range(2) for ending in ("", ".json", ".parquet")}


def test_what_is_left_of_a_shard_has_small_row_groups(tmp_path):
    shard = shard_of(tmp_path, 0)
    shard.file.parent.mkdir()
    pq.write_table(pa.table({"number": range(2_500)}), shard.file)
    shard.write_kept(tmp_path / "even.parquet", np.arange(2_500) % 2 == 0)
    with pq.ParquetFile(tmp_path / "even.parquet") as written:
        assert [written.metadata.row_group(group).num_rows for group in range(2)] == [1_000, 250]
        assert written.read()["number"].to_pylist() == list(range(0, 2_500, 2))
