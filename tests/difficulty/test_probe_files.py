"""Test which probe scores, and every message about a folder that holds none."""

import hashlib
import re
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest
from probing import LEAST, PROBES, recipe_of, rewrite, table_rows
from support import contents, listed, refused

from tom_datasets import HiTom, MindGames
from tom_datasets.columns import UNSCORED
from tom_datasets.dataset import NAMES
from tom_datasets.difficulty.probe import Probe, ProbeError, numbering

BUILDERS = {"hi_tom": HiTom, "mindgames": MindGames}


def overwrite(folder: Path, end: str, data: bytes) -> None:
    """Give a file of the probe of hi_tom other bytes."""
    (folder / f"hi_tom.{end}").write_bytes(data)


def recipe(**fields):
    """Return a function that gives the recipe of hi_tom other fields."""
    return lambda folder: rewrite(folder, "hi_tom", **fields)


def anew(folder: Path, weights: bytes) -> None:
    """Give the probe of hi_tom other weights, which its recipe knows."""
    overwrite(folder, "onnx", weights)
    rewrite(folder, "hi_tom", sha256=hashlib.sha256(weights).hexdigest())


def with_words(folder: Path, change) -> None:
    """Give the recipe of hi_tom another vocabulary than that of its model."""
    rewrite(folder, "hi_tom", vocabulary=change(recipe_of("hi_tom")["vocabulary"]))


def take_other(folder: Path) -> None:
    """Put the probe of mindgames under the name of hi_tom."""
    for end in ("json", "onnx"):
        shutil.copy(PROBES / f"mindgames.{end}", folder / f"hi_tom.{end}")


ANOTHER = "hi_tom.onnx was trained for another dataset or vocabulary than hi_tom.json says"
NO_RECIPE = "hi_tom.json is not a probe's recipe"
SPOILED = {
    "no folder": (shutil.rmtree, "hi_tom.json is missing"),
    "no onnx": (lambda folder: (folder / "hi_tom.onnx").unlink(), "hi_tom.onnx is missing"),
    "a file for the folder": (lambda folder: (shutil.rmtree(folder), folder.write_text("")), "Not a directory"),
    "cut onnx": (
        partial(overwrite, end="onnx", data=b"\x08"),
        "hi_tom.onnx was cut short, or is not the model of",
    ),
    "cut json": (partial(overwrite, end="json", data=b"{"), f"{NO_RECIPE} (JSON"),
    "bytes for json": (partial(overwrite, end="json", data=b"\xff\xfe"), f"{NO_RECIPE} (UnicodeDecodeError"),
    "deep json": (partial(overwrite, end="json", data=b"[" * 200_000), NO_RECIPE),
    "a list": (partial(overwrite, end="json", data=b"[]"), NO_RECIPE),
    **{
        f"no {field}": (recipe(without=field), f"{NO_RECIPE} (KeyError: '{field}'")
        for field in ("name", "checkpoint", "limit", "classes", "sha256", "vocabulary", "right")
    },
    "many for the limit": (recipe(limit="many"), f"{NO_RECIPE} (ValueError"),
    "a list for the classes": (recipe(classes=[2]), f"{NO_RECIPE} (TypeError"),
    "another name": (take_other, ANOTHER),
    "another model": (partial(anew, weights=(PROBES / "mindgames.onnx").read_bytes()), ANOTHER),
    "words swapped": (partial(with_words, change=lambda words: [*words[:-2], words[-1], words[-2]]), ANOTHER),
    "a word less": (partial(with_words, change=lambda words: words[:-1]), ANOTHER),
    "a text of words": (partial(with_words, change=" ".join), ANOTHER),
    "no ONNX": (partial(anew, weights=b"no ONNX"), "hi_tom.onnx cannot be loaded by onnxruntime"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_is_no_probe_is_refused_in_one_line(copied, how):
    spoil_probe, words = SPOILED[how]
    spoil_probe(copied)
    with pytest.raises(ProbeError) as caught:
        Probe(copied, "hi_tom")
    assert "\n" not in str(caught.value)
    assert words in str(caught.value) and str(copied) in str(caught.value)


@pytest.mark.parametrize("how", ["no folder", "cut json", "no ONNX"])
def test_nothing_is_built_or_checked_by_what_is_no_probe(run, copied, built, tmp_path, how):
    spoil_probe, words = SPOILED[how]
    spoil_probe(copied)
    probe = ("--probe", copied)
    result = run("build", "hi_tom", *LEAST["hi_tom"], "--out", tmp_path / "out", *probe)
    refused(result, "error: all: ", words, str(copied))
    assert not (tmp_path / "out").exists()
    before = contents(built)
    refused(run("check", "hi_tom", "--out", built, *probe), words, str(copied))
    assert contents(built) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_builder_refuses_it_too(copied, tmp_path, name):
    (copied / f"{name}.onnx").unlink()
    with pytest.raises(ValueError, match=rf"{name}\.onnx is missing: train it with the command probe, or take the one"):
        BUILDERS[name](config_name="all", scorer=str(copied), cache_dir=str(tmp_path / "cache"))


def test_a_fine_tuned_probe_needs_the_tokenizers(copied, monkeypatch):
    """Its vocabulary is the tokenizer of its checkpoint, as JSON."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ProbeError, match="needs the package tokenizers: pip install tokenizers$"):
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
    refused(
        run("check", "mindgames", "--out", built, "--probe", "none"),
        f"was scored by {given}",
        "give its folder with --probe",
    )
    args = ("mindgames", "--out", tmp_path / "out")
    assert run("build", *args, *LEAST["mindgames"], "--probe", copied)[0] == 0
    refused(run("check", *args), f"was scored by {mine}", "give its folder with --probe", given)
    code, _, errors = run("check", *args, "--probe", copied)
    assert (code, errors) == (0, "")


def test_where_a_probe_lies_changes_no_byte(run, built, copied, tmp_path):
    """The record names what scored, not the folder: a copy of the embedded probe is the embedded probe."""
    assert run("build", "hi_tom", *LEAST["hi_tom"], "--out", tmp_path / "out", "--probe", copied)[0] == 0
    assert contents(tmp_path / "out" / "hi_tom") == contents(built / "hi_tom")


@pytest.mark.parametrize("checkpoint", [(), ("--checkpoint", "microsoft/deberta-v3-small")])
def test_training_says_what_it_needs(run, tmp_path, monkeypatch, checkpoint):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "tom_datasets.training.probe", raising=False)
    monkeypatch.delattr("tom_datasets.training.probe", raising=False)
    monkeypatch.chdir(tmp_path)
    result = run("probe", "mindgames", *checkpoint)
    refused(result, ": pip install 'tom-datasets[build,probe]' (in a clone: make probe)")
    assert re.match("error: training needs (torch|onnx):", result[2]), "whichever is asked for first"
    assert listed(tmp_path) == []
