"""The fixtures that tests of several rooms share."""

import contextlib
import gc
import io
import os
import shutil
import signal
from functools import cache

import pytest
from filelock import FileLock
from support import ROOT, TINY, build

from tom_datasets.__main__ import main

os.environ["TOM_PROCESSES"] = "1"  # the workers of pytest use all cores already
# A process passes ignored signals on to those it starts, and some tests interrupt the commands that they start. Where
# the tests themselves were started with interrupts ignored, as by nohup or by some CI, the default comes back.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Collect garbage seldom: what is imported by now stays."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture
def run(capsys):
    """Return a function that runs a command in this process and returns (exit code, stdout, stderr)."""

    def run(*argv):
        try:
            code = main([str(word) for word in argv])
        except SystemExit as end:
            code = end.code
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Return a function that makes a folder, once for all tests of all worker processes.

    The function takes the name of the folder and what writes it, and returns it. No test may change it.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # each worker has a folder of its own there

    def once(name, write):
        out = shared / name
        with FileLock(f"{out}.lock"):
            if not out.exists():
                with contextlib.redirect_stdout(io.StringIO()):  # a test reads only what it ran itself
                    write(out)
        return out

    return once


@pytest.fixture(scope="session")
def tiny_build():
    """Return a function that builds a dataset with its sizes in TINY; no test may change it: `tiny_copy` copies it.

    The build stays for other runs. Where it is whole and of the same sources, `build` sees that and leaves it.
    """

    @cache
    def tiny_build(name):
        out = ROOT / ".build" / "tests" / name
        out.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{out}.lock"), contextlib.redirect_stdout(io.StringIO()):
            return build(out, name, *TINY[name], "--force")

    return tiny_build


@pytest.fixture
def tiny_copy(tiny_build, tmp_path):
    """Return a function that copies the tiny build of a dataset, for a test to spoil; it returns the outer folder."""

    def tiny_copy(name):
        return shutil.copytree(
            tiny_build(name), tmp_path / "out", dirs_exist_ok=True, ignore=shutil.ignore_patterns("pictures")
        )

    return tiny_copy
