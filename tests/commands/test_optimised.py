"""Run Python with -O and -OO, without assertions and docstrings: builds, commands and the builders give the same."""

import subprocess
import sys
from functools import cache

import pytest
from support import ROOT, TINY, contents

LEVELS = ("-O", "-OO")


@cache
def ran(*words):
    """Return what a Python with these words prints; it is asked once."""
    done = subprocess.run([sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") or "skipped" in done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize("level", LEVELS)
def test_the_builders_load(level):
    code = "import hi_tom, mindgames; print(hi_tom.HiTom.__doc__, mindgames.MindGames.__doc__)"
    described = ran(level, "-c", code)
    assert described.count("    Columns:") == 2 and "answer: " in described and "None" not in described


@pytest.mark.parametrize("level", LEVELS)
def test_rows_stream(level):
    words = ["-m", "tom_datasets", "stream", "hi_tom", "--config", "deep", "--count", 1]
    assert ran(level, *words) == ran(*words)


@pytest.mark.parametrize("level", LEVELS)
def test_a_reward_is_paid(level):
    code = "from tom_datasets import endless, reward; print(reward('Answer: A', endless('mindgames', 'all')[0]))"
    assert ran(level, "-c", code) == ran("-c", code)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_a_build_is_the_same_and_is_checked(tiny_build, tmp_path, name):
    """The folder, its page, and what can be guessed of it; -OO leaves out what -O leaves out, and more."""
    level = LEVELS[-1]
    ran(level, "-m", "tom_datasets", "build", name, *TINY[name], "--out", tmp_path)
    assert contents(tmp_path / name) == contents(tiny_build(name) / name)
    for words in (["check", name], ["show", name], ["explorer"]):
        ran(level, "-m", "tom_datasets", *words, "--out", tmp_path)
