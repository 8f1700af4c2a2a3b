"""Build where something stands already, or where nothing can be written: nothing is lost or left half-written."""

import os
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
from commands import samples
from commands.underway import UNCOMPILED, few_bytes
from support import TINY, ended, listed, refused, start, tree

BUILD = ("build", "hi_tom", *TINY["hi_tom"], "--out")
FEW = (*BUILD[:-1], "--only", "tomh,reproduction", "--probe", "none", "--out")
ANOTHER = ("--seed", "1", "--force")


@pytest.mark.parametrize("there", [*samples.NOT_OURS, samples.a_link_to_nothing, samples.a_link_to_an_empty_folder])
def test_what_is_not_ours_is_refused_and_left_alone(run, tmp_path, there):
    there(tmp_path / "hi_tom")
    before = tree(tmp_path)
    refused(run(*BUILD, tmp_path), f"{tmp_path / 'hi_tom'} ", "move it away")
    assert tree(tmp_path) == before


def test_a_link_to_a_folder_of_ours_is_refused(run, stories_copy):
    (stories_copy / "hi_tom").rename(stories_copy / "elsewhere")
    (stories_copy / "hi_tom").symlink_to("elsewhere")
    before = tree(stories_copy)
    refused(run(*BUILD, stories_copy, "--seed", 1), f"{stories_copy / 'hi_tom'} is a file or a link", "move it")
    assert tree(stories_copy) == before


CHANGES = {
    "notes.txt was not written by the build": lambda path: path.write_text("mine"),
    "tomh/train.parquet was not written by the build": lambda path: path.write_text("mine"),
    "latest was not written by the build": lambda path: path.symlink_to("tomh"),
    "README.md was changed after it was built": lambda path: path.write_text(path.read_text() + "Read this first.\n"),
    "4th_order/test.parquet was changed after it was built": lambda path: pq.write_table(pq.read_table(path)[1:], path),
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("why", CHANGES)
def test_a_folder_of_ours_that_was_changed_is_refused_and_left_alone(run, stories_copy, why, seed):
    CHANGES[why](stories_copy / "hi_tom" / why.split()[0])
    before = tree(stories_copy)
    failed = run(*BUILD, stories_copy, "--seed", seed, "--force")
    refused(failed, f"{stories_copy / 'hi_tom'}/{why}", "move it away")
    assert tree(stories_copy) == before


def test_where_no_folder_can_be_made(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    before = tree(tmp_path)
    for out in (tmp_path / "file", tmp_path / "file" / "within"):
        refused(run(*BUILD, out), str(tmp_path / "file"))
    assert tree(tmp_path) == before
    if Path("/proc/self").exists():
        refused(run(*BUILD, "/proc/nowhere"), "/proc/nowhere: No such file or directory")


MISREAD = {"a[1]b": "[1]", "[!a]": "[!a]", "*": "*", "a?": "?", "**": "*", "a::b": "::", "a$HOME": "$", "${x}": "$"}
"""Names of folders below which `load_dataset` finds no rows, or those of other folders, and what it stumbles over."""


@pytest.mark.parametrize("words", [BUILD, ("scale", "hi_tom", "--config", "0th_order", "--rows", "240", "--out")])
@pytest.mark.parametrize("name", MISREAD)
def test_a_folder_that_load_dataset_cannot_open_is_refused(run, tmp_path, monkeypatch, words, name):
    """Whether the name is given, is that of a folder above, or is that of what a link leads to; nothing is made."""
    (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to(name)
    monkeypatch.chdir(tmp_path / name)
    before = tree(tmp_path)
    for out in (tmp_path / name, tmp_path / name / "within", tmp_path / "link", "here"):
        failed = run(*words, out)
        refused(
            failed,
            f"{out} cannot hold a dataset",
            f"load_dataset gives {MISREAD[name]!r} in the path {tmp_path}/{name}",
        )
        assert "would look elsewhere; name another folder (--out FOLDER; make: OUT=another/folder)" in failed[2]
    assert tree(tmp_path) == before


@pytest.mark.parametrize("out", ["./~", "~nobody-here/x", "./~x", "file:"])
def test_a_folder_that_load_dataset_takes_for_another_is_refused(run, tmp_path, monkeypatch, out):
    """A home, or an address: beside it load_dataset("~/hi_tom") would look elsewhere."""
    monkeypatch.chdir(tmp_path)
    refused(run(*BUILD, out), f"{Path(out)} cannot hold a dataset: load_dataset gives ", f"path {tmp_path}")
    refused(run("audit", "~nobody-here/rows.jsonl"), "~nobody-here/rows.jsonl: No such file")
    assert listed(tmp_path) == []


OTHERS = ["a[b", "a]b", "{a}", "a:b", "a b", " ", "#", "%20", "!", "'", '"', "US$", "é 日本", ".x", "a~"]


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_are_as_good_as_any(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    words = ("build", "mindgames", "--preset", "tiny", "--only", "reproduction", "--probe", "none", "--out", name)
    assert run(*words)[0] == 0
    for command in ("check", "audit"):
        assert run(command, "--out", name)[0] == 0
    rows = pq.read_table(tmp_path / name / "mindgames" / "reproduction" / "test.parquet").to_pylist()
    for path in (f"./{name}/mindgames", str(tmp_path / name / "mindgames")):
        assert datasets.load_dataset(path, split="test", cache_dir=str(tmp_path / "cache")).to_list() == rows
        assert list(datasets.load_dataset(path, split="test", streaming=True)) == rows


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    refused(run(*BUILD, tmp_path / "out"), str(tmp_path / "out"), "Permission denied")
    assert listed(tmp_path / "out") == []


@pytest.mark.parametrize("processes", [1, 2])
def test_a_file_too_large_leaves_nothing(tmp_path, processes):
    failed = ended(start(*FEW, tmp_path, "--processes", processes, preexec_fn=few_bytes, env=UNCOMPILED))
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(tmp_path) == []


def test_a_file_too_large_leaves_the_old_folder(stories_copy):
    before = tree(stories_copy / "hi_tom")
    failed = ended(start(*FEW, stories_copy, *ANOTHER, preexec_fn=few_bytes, env=UNCOMPILED))
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(stories_copy) == [".hi_tom.scores", "hi_tom"]
    assert tree(stories_copy / "hi_tom") == before
