"""The fixtures of the tests of scaled builds: small requests, and tasks that are done in this process."""

import shutil

import pytest

from tom_datasets.scale import whole
from tom_datasets.scale.request import Request
from tom_datasets.scale.shards import make_shard


@pytest.fixture(scope="session")
def request_of():
    """Return a function that makes a small request, with other values for some of its fields."""

    def request_of(**other):
        small = dict(dataset="hi_tom", config="0th_order", seed=7, fields={}, rows=240, tasks=2, prove=1.0)
        return Request(**small | other)

    return request_of


@pytest.fixture(scope="session")
def done():
    """Return a function that does tasks of a request in this process."""

    def done(folder, request, ranks=None):
        with whole.begun(folder, request) as work:
            for rank in range(request.tasks) if ranks is None else ranks:
                make_shard(request, work, rank)
        return folder

    return done


@pytest.fixture(scope="session")
def done_copy(once, request_of, done):
    """Return a function that copies a folder where all tasks of the small request are done, but which is not whole."""
    return lambda folder: shutil.copytree(once("done", lambda out: done(out, request_of())), folder)
