"""The command `stream`: what it prints, where it begins, and every wrong word; and how `seal` makes its file."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from support import ROOT, refused

from tom_datasets.builds.witness_files import read
from tom_datasets.commands import seal
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.logic import pilot
from tom_datasets.logic.shortcut_filter import ShortcutFilter
from tom_datasets.streaming import sealed
from tom_datasets.streaming.endless import endless


def test_it_prints_the_rows_of_the_stream(run):
    code, printed, said = run("stream", "hi_tom", "--config", "4th_order", "--seed", 7, "--count", 3, "--start", 100)
    rows = endless("hi_tom", "4th_order", seed=7)
    assert code == 0 and [json.loads(line) for line in printed.splitlines()] == [rows[100], rows[101], rows[102]]
    assert said == "0 of 3 stories held a problem of the default test builds and were skipped (0.0 %)\n"


def test_secret_minds_have_options(run):
    words = ("--links", 0, "--overhearing", "false", "--thoughts", "False", "--count", 1)
    code, printed, _ = run("stream", "hi_tom", "--config", "ladder", *words)
    rows = endless("hi_tom", "ladder", links=0, overhearing=False, thoughts=False)
    assert code == 0 and json.loads(printed) == rows[0]


def test_fields_are_json_or_text(run):
    words = ("--field", "n_agents=[3]", "--field", "setup=internal", "--count", 5)
    code, printed, said = run("stream", "mindgames", *words)
    rows = [json.loads(line) for line in printed.splitlines()]
    assert code == 0 and {(row["n_agents"], row["setup"]) for row in rows} == {(3, "internal")}
    assert said == "0 of 2 blocks held a problem of the default test builds and were skipped (0.0 %)\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--start -1", "--start is -1; it must be 0 or more"),
        ("--config deeper", "unknown config 'deeper'; the configs are all, 0th_order"),
        ("--field agents=6", "unknown field 'agents'; the fields of all are language, semantics"),
        ("--field n_agents=six", "all: n_agents is 'six'; it must be from 2 to 12 (--field n_agents)"),
        ("--field n_agents=3", "; raise n_agents or lower the order (--field n_agents)"),
        ("--config deep --field thoughts=0", "deep: thoughts is 0; it must be True or False (--field thoughts)"),
        ("--config deep --thoughts 5", "Invalid value for '--thoughts': '5' is not true or false"),
        (f"--seed {2**64}", f"all: seed is {2**64}; it must fit 64 bits, as its column has (--seed)"),
        ("--field n_agents", "Invalid value for '--field': 'n_agents' is not NAME=JSON"),
        ("--field seed=3", "Invalid value for '--field': seed is not a field of a config; say --seed NUMBER"),
        ("--field config=deep", "Invalid value for '--field': config is not a field of a config; say --config NAME"),
        ("--field dataset=hi_tom", "Invalid value for '--field': dataset is not a field of a config; name it first"),
        ("--field curriculum=5", "Invalid value for '--field': curriculum is not a field of a config; stages are for "),
    ],
)
def test_what_cannot_be_streamed(run, words, message):
    refused(run("stream", "hi_tom", *words.split()), message, code=2 if message.startswith("Invalid") else 1)


def test_it_ends_where_nobody_reads_on():
    """Without --count it prints for ever."""
    command = [sys.executable, "-m", "tom_datasets", "stream", "mindgames", "--config", "forehead"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert json.loads(process.stdout.readline())["index"] == 0
        process.stdout.close()
        assert process.wait(timeout=60) == 141 and process.stderr.read() == b""


def test_another_generator_version_is_refused(run, monkeypatch, tmp_path):
    path = tmp_path / "sealed.bin"
    path.write_bytes(sealed.FILE.read_bytes().replace(b'"generator_version": "', b'"generator_version": "0.'))
    monkeypatch.setattr(sealed.read.__wrapped__, "__defaults__", (path,))
    sealed.read.cache_clear()
    refused(run("stream", "hi_tom", "--count", 1), "has the test problems of generator 0.", "(maintainers: make seal)")
    monkeypatch.undo()
    sealed.read.cache_clear()


@pytest.mark.parametrize(
    ("left_out", "least"),
    [
        (("deep", "abilities", "plans", "scale"), 50),
        pytest.param((), 100, marks=pytest.mark.slow),  # searches what a tiny build has
    ],
)
def test_sealing_takes_the_test_splits_of_a_default_build(run, monkeypatch, two, tmp_path, left_out, least):
    """With small default sizes, and the longer split of the default and the tiny build is found once for both."""
    path = tmp_path / "sealed.bin"
    for name in NAMES:
        of = dataset_named(name)
        kept = [config for config in of.built if config.language == "en" and config.name not in left_out]
        longer = [replace(config, test=3) if config.name == "ladder" else config for config in kept]
        monkeypatch.setattr(of, "built", tuple(longer if name == "mindgames" else kept))
    monkeypatch.setattr(seal, "own_file", lambda name: tmp_path / f"witness_{name}.parquet")
    monkeypatch.setattr(seal.sealed, "FILE", path)
    monkeypatch.setattr(seal.pilot, "FILE", tmp_path / "pilot.zip")
    monkeypatch.setattr(seal, "drawn_pilots", lambda: {"forehead": ShortcutFilter()})
    monkeypatch.setattr(sealed.write, "__defaults__", (path,))
    code, printed, _ = run("seal")
    hashes = sealed.read(path)
    *searched, last = printed.splitlines()
    assert code == 0 and last == f"{path}: {len(hashes):,} problems of the default test builds"
    for name, line in zip(NAMES, searched, strict=True):
        file = tmp_path / f"witness_{name}.parquet"
        assert line.startswith(f"{file}: {file.stat().st_size:,} bytes, what searches for ")
    (ladder,) = (found for section, found in read(file).items() if section.startswith('["ladder"'))
    assert {split.split()[1]: len(json.loads(found)["test"]) for split, found in ladder.items()} == {"test": 3}
    assert pilot.read("forehead", tmp_path / "pilot.zip") == ShortcutFilter()
    assert len(hashes) > least and os.path.getsize(path) < 8 * len(hashes) + 200
