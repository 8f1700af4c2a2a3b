"""Test which probe scores, and every message about a folder that holds none."""

import hashlib
import json
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest
from probing import LEAST, PROBES, rewrite, table_rows
from support import contents, listed, refused

import tom_datasets.difficulty
from tom_datasets.columns import UNSCORED
from tom_datasets.difficulty.probe import Probe, ProbeError, numbering
from tom_datasets.topics import NAMES, topic


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def deny(file: Path) -> None:
    file.unlink()
    file.mkdir()


def anew(folder: Path, name: str, weights: bytes) -> None:
    """Give a probe other weights, which its recipe knows."""
    (folder / f"{name}.onnx").write_bytes(weights)
    rewrite(folder, name, sha256=hashlib.sha256(weights).hexdigest())


def other_weights(folder: Path, name: str) -> None:
    """Put the other dataset's model beside this one's recipe, which then knows its checksum."""
    anew(folder, name, (PROBES / f"{other(name)}.onnx").read_bytes())


def other(name: str) -> str:
    return NAMES[1 - NAMES.index(name)]


def take_other(folder: Path, name: str) -> None:
    """Put the other dataset's probe under this one's name."""
    for end in ("json", "onnx"):
        shutil.copy(PROBES / f"{other(name)}.{end}", folder / f"{name}.{end}")


def other_vocabulary(folder: Path, name: str, change) -> None:
    words = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["vocabulary"]
    rewrite(folder, name, vocabulary=change(words))


def swapped(words: list[str]) -> list[str]:
    return [*words[:-2], words[-1], words[-2]]


SPOILED = {
    "no folder": (lambda folder, name: shutil.rmtree(folder), "{name}.json is missing"),
    "no onnx": (lambda folder, name: (folder / f"{name}.onnx").unlink(), "{name}.onnx is missing"),
    "no json": (lambda folder, name: (folder / f"{name}.json").unlink(), "{name}.json is missing"),
    "a file for the folder": (lambda folder, name: (shutil.rmtree(folder), folder.write_text("")), "Not a directory"),
    "a folder for the onnx": (lambda folder, name: deny(folder / f"{name}.onnx"), "Is a directory"),
    "a folder for the json": (lambda folder, name: deny(folder / f"{name}.json"), "Is a directory"),
    "cut onnx": (lambda folder, name: cut(folder / f"{name}.onnx"), "{name}.onnx was cut short, or is not the model"),
    "empty onnx": (lambda folder, name: (folder / f"{name}.onnx").write_bytes(b""), "{name}.onnx was cut short"),
    "cut json": (lambda folder, name: cut(folder / f"{name}.json"), "{name}.json is no recipe of a probe (JSON"),
    "empty json": (lambda folder, name: (folder / f"{name}.json").write_text(""), "{name}.json is no recipe"),
    "bytes for json": (
        lambda folder, name: (folder / f"{name}.json").write_bytes(b"\xff\xfe"),
        "{name}.json is no recipe of a probe (UnicodeDecodeError",
    ),
    "deep json": (lambda folder, name: (folder / f"{name}.json").write_text("[" * 200_000), "{name}.json is no recipe"),
    "a list": (lambda folder, name: (folder / f"{name}.json").write_text("[]"), "{name}.json is no recipe of a probe"),
    **{
        f"no {field}": (partial(rewrite, without=field), "{name}.json is no recipe of a probe (KeyError: '" + field)
        for field in ("name", "checkpoint", "limit", "classes", "sha256", "vocabulary", "right")
    },
    "many for the limit": (partial(rewrite, limit="many"), "{name}.json is no recipe of a probe (ValueError"),
    "a list for the classes": (partial(rewrite, classes=[2]), "{name}.json is no recipe of a probe (TypeError"),
    "no words": (partial(rewrite, vocabulary={}), "was trained for another dataset or vocabulary"),
    "another name": (take_other, "{name}.onnx was trained for another dataset or vocabulary than {name}.json says"),
    "another model": (other_weights, "{name}.onnx was trained for another dataset or vocabulary"),
    "words swapped": (partial(other_vocabulary, change=swapped), "{name}.onnx was trained for another dataset or voc"),
    "a word less": (partial(other_vocabulary, change=lambda words: words[:-1]), "was trained for another dataset or"),
    "a text of words": (partial(other_vocabulary, change=" ".join), "was trained for another dataset or vocabulary"),
    "no ONNX": (partial(anew, weights=b"no ONNX"), "{name}.onnx cannot be loaded by onnxruntime"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_is_no_probe_is_refused_in_one_line(copied, how):
    spoil_probe, words = SPOILED[how]
    name = "hi_tom"
    spoil_probe(copied, name)
    with pytest.raises(ProbeError) as caught:
        Probe(copied, name)
    assert "\n" not in str(caught.value)
    assert words.format(name=name) in str(caught.value) and str(copied) in str(caught.value)


@pytest.mark.parametrize("how", SPOILED)
def test_nothing_is_built_or_checked_by_what_is_no_probe(run, copied, built, tmp_path, how):
    spoil_probe, words = SPOILED[how]
    spoil_probe(copied, "mindgames")
    probe = ("--probe", copied)
    result = run("build", "mindgames", *LEAST["mindgames"], "--out", tmp_path / "out", *probe)
    refused(result, "error: all: ", words.format(name="mindgames"), str(copied))
    assert not (tmp_path / "out").exists()
    before = contents(built)
    refused(run("check", "mindgames", "--out", built, *probe), words.format(name="mindgames"), str(copied))
    assert contents(built) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_builder_refuses_it_too(copied, tmp_path, name):
    (copied / f"{name}.onnx").unlink()
    with pytest.raises(ValueError, match=rf"{name}\.onnx is missing: train it with make probe, or take the one"):
        topic(name, "builder").BUILDER(config_name="all", scorer=str(copied), cache_dir=str(tmp_path / "cache"))


def test_a_fine_tuned_probe_needs_the_tokenizers(copied, monkeypatch):
    """Its vocabulary is the tokenizer of its checkpoint, as JSON."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ProbeError, match="needs the package tokenizers: install requirements-train.txt$"):
        numbering("{}")


@pytest.mark.parametrize("name", NAMES)
def test_no_probe_gives_no_scores(run, tmp_path, name):
    code, _, errors = run("build", name, *LEAST[name], "--out", tmp_path, "--probe", "none")
    assert (code, errors) == (0, "")
    all_rows = table_rows(tmp_path / name)
    assert all_rows and all(row[column] is None for row in all_rows for column in UNSCORED)
    options = () if name == "hi_tom" else ("--probe", "none")  # check need not be told
    code, printed, errors = run("check", name, "--out", tmp_path, *options)
    assert (code, errors) == (0, "") and f"{len(all_rows)} of {len(all_rows)} rows agree" in printed
    code, printed, _ = run("build", name, *LEAST[name], "--out", tmp_path, "--probe", "none")
    assert code == 0 and "is up to date" in printed


def test_check_asks_for_the_probe_that_scored(run, built, copied, tmp_path):
    given = Probe(PROBES, "mindgames").identity
    rewrite(copied, "mindgames", name="another")
    mine = Probe(copied, "mindgames").identity
    assert mine.startswith("another ") and mine.split()[1] == given.split()[1]
    refused(run("check", "mindgames", "--out", built, "--probe", copied), f"was scored by {given}", "--probe", mine)
    refused(run("check", "mindgames", "--out", built, "--probe", "none"), f"was scored by {given}", "say --probe")
    args = ("mindgames", "--out", tmp_path / "out")
    assert run("build", *args, *LEAST["mindgames"], "--probe", copied)[0] == 0
    refused(run("check", *args), f"was scored by {mine}", "say --probe and its folder", given)
    code, _, errors = run("check", *args, "--probe", copied)
    assert (code, errors) == (0, "")


def test_where_a_probe_lies_changes_no_byte(run, built, copied, tmp_path):
    """The record names what scored, not the folder: a copy of the embedded probe is the embedded probe."""
    assert run("build", "hi_tom", *LEAST["hi_tom"], "--out", tmp_path / "out", "--probe", copied)[0] == 0
    assert contents(tmp_path / "out" / "hi_tom") == contents(built / "hi_tom")


def test_training_says_what_it_needs(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "tom_datasets.training.probe", raising=False)
    monkeypatch.delattr(tom_datasets.difficulty, "trainer", raising=False)
    monkeypatch.chdir(tmp_path)
    for checkpoint in ((), ("--checkpoint", "microsoft/deberta-v3-small")):
        result = run("probe", "mindgames", *checkpoint)
        refused(result, ": pip install -r requirements-train.txt, or use make probe")
        assert re.match("error: training needs (torch|onnx):", result[2]), "whichever is asked for first"
    assert listed(tmp_path) == []
