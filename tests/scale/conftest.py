"""The fixtures of the tests of scaled builds: tasks that are done without datatrove, in seconds."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tom_datasets.scale import rows, whole
from tom_datasets.scale.request import Request
from tom_datasets.scale.shards import Shard, schema_of


@pytest.fixture(scope="session")
def request_of():
    """Return a function that makes a small request, with other values for some of its fields."""

    def request_of(**other):
        small = dict(dataset="hi_tom", config="0th_order", seed=7, fields={}, rows=240, tasks=2, prove=1.0)
        return Request(**small | other)

    return request_of


@pytest.fixture(scope="session")
def done():
    """Return a function that does the tasks of a request as datatrove would, but writes their files at once."""

    def done(folder, request, ranks=None):
        with whole.begun(folder, request) as work:
            for rank in range(request.tasks) if ranks is None else ranks:
                shard, drawn = Shard(work, rank), list(rows.made(request, rank))
                for path in (shard.file, shard.mark):
                    path.parent.mkdir(parents=True, exist_ok=True)
                table = [rows.published(item) for item in drawn]
                pq.write_table(pa.Table.from_pylist(table, schema=schema_of(request.dataset)), shard.file)
                shard.record(len(drawn), len(drawn))
                shard.mark.touch()
        return folder

    return done
