"""Run `clean`: it deletes what a build wrote, and nothing else."""

import json
import shutil

import pytest
from commands import samples
from commands.underway import TABLE, underway_build
from support import ROOT, contents, listed, make, refused, tree

from tom_datasets.dataset import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_clean_deletes_what_build_wrote(run, tiny_copy, name):
    out = tiny_copy(name)
    (out / "other.txt").write_text("mine")
    (out / f"{name}_2").mkdir()
    (out / f".{name}.partial-1").mkdir()
    for _ in range(2):
        assert run("clean", name, "--out", out) == (0, "", "")
        assert listed(out) == [f"{name}_2", "other.txt"]


def test_clean_without_a_dataset_deletes_all(run, tiny_copy):
    tiny_copy("hi_tom")
    out = tiny_copy("mindgames")
    assert run("clean", "mindgames", "--out", out) == (0, "", "")
    assert listed(out) == [".hi_tom.scores", "hi_tom"]
    tiny_copy("mindgames")
    assert run("clean", "--out", out) == (0, "", "") and listed(out) == []


def test_clean_of_a_folder_that_is_not_there(run, tmp_path):
    refused(
        run("clean", "--out", tmp_path / "nope"),
        f"--out is {tmp_path / 'nope'}, which does not exist: nothing was deleted; name a folder",
    )


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
@pytest.mark.parametrize("out", [".", "out"])
@pytest.mark.parametrize("dataset", ["", "hi_tom", "mindgames"])
def test_make_clean_names_what_stays_where_no_python_is_left(tmp_path, dataset, out):
    """It deletes environments and caches only where neither a dataset nor a folder is named."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    names = ["hi_tom", "mindgames", "other"]
    for name in names:
        (tmp_path / out / name).mkdir(parents=True)
        (tmp_path / out / name / "build.json").write_text("{}")
    (tmp_path / ".venv").mkdir()
    done = make(tmp_path, "clean", f"OUT={out}", f"DATASET={dataset}")
    assert (done.returncode, done.stdout) == (2, "")
    *lines, last = done.stderr.splitlines()
    stays = [dataset] if dataset else names[:2]
    assert lines == [f"error: {out}/{name} stays: delete it by hand, .venv is gone already" for name in stays]
    assert "Error 1" in last and {*names} <= {*listed(tmp_path / out)}
    assert (tmp_path / ".venv").exists() is not (not dataset and out == ".")


@pytest.mark.parametrize("name", NAMES)
def test_clean_leaves_and_mentions_what_no_build_wrote(run, tiny_copy, name):
    out, inner = tiny_copy(name), samples.FILES[name].partition("/")[0]
    (out / name / "notes.txt").write_text("mine")
    (out / name / inner / "mine").mkdir()
    (out / name / inner / "mine" / "more.txt").write_text("mine too")
    refused(
        run("clean", "--out", out),
        f"error: {out / name} holds files that no build wrote, or that were changed since, still there: ",
        f"{inner}/mine/more.txt, notes.txt",
    )
    assert contents(out) == {f"{name}/notes.txt": b"mine", f"{name}/{inner}/mine/more.txt": b"mine too"}


@pytest.mark.parametrize("there", samples.FOLDERS)
def test_clean_leaves_a_folder_that_is_not_ours(run, tmp_path, there):
    there(tmp_path / "hi_tom")
    before = tree(tmp_path)
    refused(run("clean", "--out", tmp_path), f"error: {tmp_path / 'hi_tom'} holds files that no build wrote")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("path", ["../victim.txt", "tomh/../../victim.txt", "absolute"])
def test_clean_stays_within_the_folder(run, stories_copy, path):
    """A record may come from elsewhere, with a folder from the Hub."""
    victim = stories_copy / "victim.txt"
    victim.write_text("mine")
    record = json.loads((stories_copy / "hi_tom" / "build.json").read_text())
    record["files"][str(victim) if path == "absolute" else path] = {}
    (stories_copy / "hi_tom" / "build.json").write_text(json.dumps(record))
    run("clean", "--out", stories_copy)
    assert victim.exists()


def test_clean_deletes_what_a_killed_build_left(run, stories_copy):
    before = tree(stories_copy / "hi_tom")
    with underway_build(stories_copy, "--seed", "1", file=TABLE) as process:
        process.kill()
    assert [name for name in listed(stories_copy) if name.startswith(".hi_tom.partial-")]
    assert tree(stories_copy / "hi_tom") == before
    (stories_copy / ".hi_tom_mine.partial-1").mkdir()
    assert run("clean", "--out", stories_copy) == (0, "", "")
    assert listed(stories_copy) == [".hi_tom_mine.partial-1"]
