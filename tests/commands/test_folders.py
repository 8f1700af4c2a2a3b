"""Build where something stands already, or where nothing can be written: nothing is lost or left half-written."""

import os
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands.samples import (
    a_file,
    a_folder_of_someone,
    a_folder_with_another_record,
    a_link_to_an_empty_folder,
    a_link_to_nothing,
    a_record_of_nothing,
    a_record_that_is_a_list,
    a_record_that_is_no_json,
)
from commands.underway import few_bytes
from support import TINY, contents, ended, listed, refused, start, tree


@pytest.mark.parametrize(
    "there",
    [
        a_file,
        a_link_to_nothing,
        a_link_to_an_empty_folder,
        a_folder_of_someone,
        a_folder_with_another_record,
        a_record_that_is_no_json,
        a_record_that_is_a_list,
        a_record_of_nothing,
    ],
)
def test_what_is_not_ours_is_refused_and_left_alone(run, tmp_path, there):
    there(tmp_path / "hi_tom")
    before = tree(tmp_path)
    refused(
        run("build", "hi_tom", "--out", tmp_path, *TINY["hi_tom"]), f"{tmp_path / 'hi_tom'} exists and ", "move it away"
    )
    assert tree(tmp_path) == before


def test_a_link_to_a_folder_of_ours_is_refused(run, stories_copy):
    (stories_copy / "hi_tom").rename(stories_copy / "elsewhere")
    (stories_copy / "hi_tom").symlink_to("elsewhere")
    before = tree(stories_copy)
    refused(
        run("build", "hi_tom", "--out", stories_copy, *TINY["hi_tom"], "--seed", "1"),
        f"{stories_copy / 'hi_tom'} exists and is no folder",
        "move it",
    )
    assert tree(stories_copy) == before


def an_extra_file(target):
    (target / "notes.txt").write_text("mine")
    return "notes.txt was not written by the build"


def an_extra_file_within(target):
    (target / "tomh" / "train.parquet").write_text("mine")
    return "tomh/train.parquet was not written by the build"


def an_extra_link(target):
    (target / "latest").symlink_to("tomh")
    return "latest was not written by the build"


def a_changed_card(target):
    with (target / "README.md").open("a") as card:
        card.write("Read this first.\n")
    return "README.md was changed after it was built"


def a_changed_table(target):
    file = target / "4th_order" / "test.parquet"
    pq.write_table(pq.read_table(file).slice(1), file)
    return "4th_order/test.parquet was changed after it was built"


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "change", [an_extra_file, an_extra_file_within, an_extra_link, a_changed_card, a_changed_table]
)
def test_a_folder_of_ours_that_was_changed_is_refused_and_left_alone(run, stories_copy, change, seed):
    why = change(stories_copy / "hi_tom")
    before = tree(stories_copy)
    refused(
        run("build", "hi_tom", "--out", stories_copy, *TINY["hi_tom"], "--seed", seed, "--force"),
        f"{stories_copy / 'hi_tom'}/{why}",
        "move it away",
    )
    assert tree(stories_copy) == before


def test_where_no_folder_can_be_made(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    before = tree(tmp_path)
    refused(run("build", "hi_tom", "--out", tmp_path / "file", *TINY["hi_tom"]), str(tmp_path / "file"))
    refused(run("build", "hi_tom", "--out", tmp_path / "file" / "within", *TINY["hi_tom"]), str(tmp_path / "file"))
    assert tree(tmp_path) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
def test_a_place_that_takes_no_folders(run):
    refused(
        run("build", "hi_tom", "--out", "/proc/nowhere", *TINY["hi_tom"]), "/proc/nowhere: No such file or directory"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    refused(
        run("build", "hi_tom", "--out", tmp_path / "out", *TINY["hi_tom"]), str(tmp_path / "out"), "Permission denied"
    )
    assert listed(tmp_path / "out") == []


@pytest.mark.parametrize("processes", [1, 2])
def test_a_file_too_large_leaves_nothing(tmp_path, processes):
    failed = ended(
        start("build", "hi_tom", "--out", tmp_path, *TINY["hi_tom"], "--processes", processes, preexec_fn=few_bytes)
    )
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(tmp_path) == []


def test_a_file_too_large_leaves_the_old_folder(stories_copy):
    before = tree(stories_copy / "hi_tom")
    failed = ended(
        start("build", "hi_tom", "--out", stories_copy, *TINY["hi_tom"], "--seed", "1", "--force", preexec_fn=few_bytes)
    )
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(stories_copy) == [".hi_tom.scores", "hi_tom"]
    assert tree(stories_copy / "hi_tom") == before


@pytest.fixture
def disk(tmp_path):
    """Mount small disks; those that a test mounted are taken away after it."""
    mounted = []

    def disk(size):
        place = tmp_path / f"disk-{len(mounted)}"
        place.mkdir()
        if not shutil.which("mount"):
            pytest.skip("there is no mount command here")
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=20)
        if tried.returncode:
            pytest.skip(f"a small disk cannot be mounted here: {tried.stderr.strip()}")
        mounted.append(place)
        return place

    yield disk
    for place in mounted:
        subprocess.run(["umount", str(place)], check=True, timeout=20)


def test_a_full_disk_leaves_nothing(run, disk):
    place = disk("128k")
    refused(
        run("build", "hi_tom", "--out", place, *TINY["hi_tom"]),
        "No space left on device",
        "nothing half-written was left",
    )
    assert listed(place) == []


def test_a_full_disk_leaves_the_old_folder(run, disk, stories):
    size = sum(-(-len(content) // 4096) * 4096 for content in contents(stories).values())
    place = disk(f"{size * 3 // 2 // 1024}k")
    shutil.copytree(stories / "hi_tom", place / "hi_tom")
    before = tree(place / "hi_tom")
    failed = run("build", "hi_tom", "--out", place, *TINY["hi_tom"], "--seed", "1", "--force")
    refused(failed, "No space left on device", "nothing half-written was left")
    assert listed(place) == ["hi_tom"]
    assert tree(place / "hi_tom") == before
