"""The fixtures that tests of several commands share."""

import pytest
from commands.samples import FILES
from support import spoil

from tom_datasets.dataset.catalogue import NAMES, dataset_of


@pytest.fixture(scope="session")
def stories(tiny_build):
    """Build hi_tom once, small; no test may change it."""
    return tiny_build("hi_tom")


@pytest.fixture
def stories_copy(tiny_copy):
    """Copy the small build of hi_tom, for a test to spoil."""
    return tiny_copy("hi_tom")


@pytest.fixture(scope="session")
def problems(tiny_build):
    """Build mindgames once, small; no test may change it."""
    return tiny_build("mindgames")


@pytest.fixture
def problems_copy(tiny_copy):
    """Copy the small build of mindgames, for a test to spoil."""
    return tiny_copy("mindgames")


@pytest.fixture
def spoiled(run, problems_copy):
    """Let a change alter the rows of a file; return what check says then, and the rows."""

    def spoiled(change, file=FILES["mindgames"], command="check"):
        rows = spoil(problems_copy / "mindgames", change, file)
        return run(command, "--out", problems_copy), rows

    return spoiled


@pytest.fixture
def two(monkeypatch):
    """Give both datasets the sizes of the preset tiny by default."""
    for name in NAMES:
        kind = type(dataset_of(name))

        def add_options(self, parser, whole=kind.add_options, sizes=kind.tiny):
            whole(self, parser)
            parser.set_defaults(**sizes)

        monkeypatch.setattr(kind, "add_options", add_options)
