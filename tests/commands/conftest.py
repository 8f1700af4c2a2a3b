"""The fixtures that tests of several commands share."""

import shutil
from dataclasses import replace

import pytest
from commands.samples import FILES, PLAIN
from support import build, spoil

from tom_datasets.commands.build import TINY
from tom_datasets.configs import size_options
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.splits import plain_name


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


@pytest.fixture(scope="session")
def plain_build(once):
    """Return a function that builds the configs PLAIN of a dataset once; no test may change it."""
    return lambda name: once(f"plain-{name}", lambda out: build(out, name, *PLAIN[name]))


@pytest.fixture(scope="session")
def nested(once):
    """Build orders, deep stories and the ladder of hi_tom once; no test may change it."""
    words = ("--preset", "tiny", "--only", "all,deep,ladder", "--probe", "none")
    return once("nested", lambda out: build(out, "hi_tom", *words))


@pytest.fixture
def plain_copy(plain_build, tmp_path):
    """Return a function that copies the plain build of a dataset, for a test to spoil; it returns the outer folder."""
    return lambda name: shutil.copytree(plain_build(name), tmp_path / "out", dirs_exist_ok=True)


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
        config = dataset_named(name)
        sizes = {config.name: {} for config in config.built}
        for option in size_options(config.built):
            sizes[option.configs[0]][option.field] = TINY[name][option.name]
        smaller = [replace(built, **sizes[plain_name(built.name)]) for built in config.built]
        monkeypatch.setattr(config, "built", tuple(smaller))
