"""The fixtures of the tests of publishing: one test Hub, one process that publishes, and small builds."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fake_hub import WRITE, Hub
from publishing import client_environment
from support import ROOT, build, sized

SIZES = {
    "hi_tom": sized(
        "hi_tom",
        train=3,
        validation=3,
        test=3,
        tomh=27,
        reproduction=3,
        ladder=6,
        deep_train=2,
        deep_validation=1,
        deep=3,
    ),
    "mindgames": sized(
        "mindgames",
        train=3,
        validation=3,
        test=3,
        scale=1,
        reproduction=4,
        ladder=1,
        deep_train=1,
        deep=1,
        rounds_train=1,
        rounds=1,
    ),
}
"""The options of the small builds."""


@pytest.fixture(scope="session")
def served():
    """Serve one Hub."""
    with Hub() as hub:
        yield hub


@pytest.fixture(scope="session")
def publisher(served, tmp_path_factory):
    """Start the process that publishes."""
    process = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "hub" / "publisher.py"],
        env=client_environment(served, tmp_path_factory.mktemp("home")),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.stdin.close()
    assert process.wait(60) == 0


@pytest.fixture
def hub(served):
    """Return the Hub, empty and without faults."""
    served.repos.clear()
    served.clear_faults()
    served.reset_log()
    return served


@pytest.fixture
def publish(publisher):
    """Publish as a user does; return the exit code, what was printed, and what was said on stderr."""

    def publish(out: Path, *words: str, namespace="me", token=WRITE, gates=None, read_back=False):
        argv = ["publish", "--out", str(out), "--namespace", namespace, "--probe", "none", *words]
        publisher.stdin.write(json.dumps([argv, token, gates, read_back]) + "\n")
        publisher.stdin.flush()
        code, printed, errors = json.loads(publisher.stdout.readline())
        assert token == "" or token not in printed + errors, "the token is printed"
        assert "Traceback" not in printed + errors
        return code, printed, errors

    return publish


def small(out: Path, name: str, *words: str) -> Path:
    """Build a dataset, small, and return the folder it lies in."""
    return build(out, name, "--probe", "none", *SIZES[name], *words)


@pytest.fixture(scope="session")
def both(once):
    """Build both datasets; no test may change them."""
    return once("both", lambda out: small(small(out, "hi_tom"), "mindgames"))


@pytest.fixture(scope="session")
def one(both, tmp_path_factory):
    """Copy the build of hi_tom alone."""
    out = tmp_path_factory.mktemp("one")
    shutil.copytree(both / "hi_tom", out / "hi_tom")
    return out


@pytest.fixture(scope="session")
def alone(once):
    """Build one config of hi_tom; no test may change it."""
    words = ("--preset", "tiny", "--only", "reproduction", "--probe", "none")
    return once("reproduction alone", lambda out: build(out, "hi_tom", *words))


@pytest.fixture(scope="session")
def other(once):
    """Build hi_tom of another seed without validation splits, so that it has other files."""
    return once("other", lambda out: small(out, "hi_tom", "--seed", "8", "--validation", "0"))
