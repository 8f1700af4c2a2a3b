"""Run every command on a folder whose record is damaged: it says so, and not that nothing was built there."""

import shutil

import pytest
from support import DAMAGED_RECORDS, ROOT, TINY, make, refused, tree

COMMANDS = {
    "build": ("build", "hi_tom", *TINY["hi_tom"]),
    "build --force": ("build", "hi_tom", "--seed", "1", "--force", *TINY["hi_tom"]),
    "check": ("check",),
    "check of one": ("check", "hi_tom"),
    "audit": ("audit",),
    "audit of one": ("audit", "hi_tom"),
    "prompts": ("prompts", "hi_tom"),
    "score": ("score", "hi_tom", "--responses", "replies.jsonl"),
    "export": ("export", "hi_tom", "--to", "chats.jsonl"),
    "publish": ("publish", "--namespace", "me", "--dry-run"),
    "explorer": ("explorer",),
    "show": ("show", "hi_tom", "--id", "test-000001-2"),
    "explain": ("explain", "hi_tom", "--id", "test-000001-2"),
    "clean": ("clean",),
    "clean of one": ("clean", "hi_tom"),
}
SCALE = ("scale", "hi_tom", "--config", "0th_order", "--rows", "240", "--out")
SAID = "is damaged, or another program wrote it ({}): move it away or build elsewhere (OUT=another/folder), or delete "


@pytest.fixture
def damaged(stories_copy, monkeypatch):
    """Return a whole build whose record is cut off in its middle, in the working directory."""
    record = stories_copy / "hi_tom" / "build.json"
    record.write_bytes(record.read_bytes()[:1000])
    (stories_copy / "replies.jsonl").write_text('{"id": "test-000001-2", "response": "A"}\n')
    monkeypatch.chdir(stories_copy)
    monkeypatch.setenv("HF_TOKEN", "hf_" + "x" * 34)
    return record


@pytest.mark.parametrize("command", COMMANDS)
def test_a_record_that_was_cut_off_is_called_damaged(run, damaged, command):
    before = tree(damaged.parents[1])
    failed = run(*COMMANDS[command], "--out", damaged.parents[1])
    said = f"{damaged} is damaged, or another program wrote it (it is not JSON: "
    refused(failed, said, f"move it away or build elsewhere (OUT=another/folder), or delete {damaged.parent} and build")
    assert tree(damaged.parents[1]) == before


@pytest.mark.parametrize("content", DAMAGED_RECORDS)
def test_every_kind_of_damage_is_named(run, damaged, content):
    damaged.write_bytes(content)
    before = tree(damaged.parents[1])
    failed = run("check", "--out", damaged.parents[1])
    refused(failed, f"{damaged} is damaged, or another program wrote it ({DAMAGED_RECORDS[content]}")
    assert tree(damaged.parents[1]) == before


@pytest.mark.parametrize("command", ["build", "check", "clean"])
def test_a_folder_in_its_place_is_named(run, damaged, command):
    damaged.unlink()
    damaged.mkdir()
    before = tree(damaged.parents[1])
    refused(run(*COMMANDS[command], "--out", damaged.parents[1]), f"{damaged} {SAID.format('Is a directory')}")
    assert tree(damaged.parents[1]) == before


def test_clean_deletes_the_other_builds(run, damaged, tiny_build):
    other = damaged.parents[1] / "mindgames"
    shutil.copytree(tiny_build("mindgames") / "mindgames", other)
    refused(run("clean", "--out", damaged.parents[1]), f"{damaged} is damaged")
    assert damaged.exists() and not other.exists()


@pytest.mark.parametrize("content", [b"", b"[]"])
def test_scale_names_it_too(run, tmp_path, content):
    (tmp_path / "build.json").write_bytes(content)
    before = tree(tmp_path)
    refused(run(*SCALE, tmp_path), f"{tmp_path / 'build.json'} {SAID.format(DAMAGED_RECORDS[content])}{tmp_path} and")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_make_clean_without_python_names_the_folder(tmp_path, kind):
    shutil.copy(ROOT / "Makefile", tmp_path)
    record = tmp_path / "hi_tom" / "build.json"
    record.mkdir(parents=True) if kind == "folder" else (record.parent.mkdir(), record.touch())
    done = make(tmp_path, "clean", "OUT=.", "DATASET=hi_tom")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ./hi_tom stays: delete it by hand, .venv is gone already\n")
