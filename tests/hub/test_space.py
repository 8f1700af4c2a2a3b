"""Publish the explorer to the test Hub as a static Space: one commit, nothing of others overwritten, read back."""

import shutil

import pytest
from publishing import assert_refused, writing_requests
from support import contents

from tom_datasets.__main__ import main

SPACE = "spaces/me/explorer"


@pytest.fixture(scope="module")
def explored(one, tmp_path_factory):
    """Copy the build of hi_tom, and write its page beside it; no test may change them."""
    out = tmp_path_factory.mktemp("explored")
    shutil.copytree(one / "hi_tom", out / "hi_tom")
    assert main(["explorer", "--out", str(out), "--processes", "1"]) == 0
    return out


def test_the_page_is_one_commit_of_a_static_space(hub, publish, explored):
    code, printed, errors = publish(explored, "--explorer")
    assert (code, errors) == (0, ""), errors
    space = hub.repos[SPACE]
    files = contents(explored / "explorer")
    assert {path: data for path, data in space.files().items() if path != ".gitattributes"} == files
    assert len(space.commits) == 2 and space.commits[-1].title.startswith("explorer ")
    assert f"me/explorer: {len(files)} files, read back from {space.head()[:7]}: every byte as in" in printed
    assert f"published: {hub.url}/spaces/me/explorer\n" in printed and "me/hi_tom" in hub.repos
    hub.commit_as(SPACE, {"notes.txt": b"of others"}, user="me")
    hub.reset_log()
    code, printed, _ = publish(explored, "--explorer")
    assert code == 0 and "me/explorer: all files are already there" in printed
    assert writing_requests(hub) == []


def test_the_page_of_a_variant_has_a_space_of_its_own(hub, publish, explored):
    code, _, errors = publish(explored, "--explorer", "--name", "mine", "--private", read_back=True)
    assert code == 0 and set(hub.repos) == {"me/mine", "spaces/me/mine_explorer"}, errors
    assert all(repo.private for repo in hub.repos.values())


def test_a_dry_run_sends_nothing(hub, publish, explored):
    code, printed, _ = publish(explored, "--explorer", "--dry-run")
    assert code == 0 and "data/hi_tom-deep.js" in printed and writing_requests(hub) == []


def test_a_file_of_others_is_not_overwritten(hub, publish, explored):
    hub.create("me/explorer", kind="space")
    hub.commit_as(SPACE, {"index.html": b"mine", "notes.txt": b"mine"}, user="me")
    words = "me/explorer has README.md, index.html that was not published", f"{hub.url}/spaces/me/explorer/tree/main"
    assert_refused(publish(explored, "--explorer"), *words)
    assert hub.repos[SPACE].files()["index.html"] == b"mine" and "me/hi_tom" not in hub.repos


@pytest.mark.parametrize("kind", ["of other builds", "changed"])
def test_a_page_that_is_not_of_these_builds_is_refused(hub, publish, explored, other, tmp_path, kind):
    out = shutil.copytree(explored, tmp_path / "out")
    if kind == "changed":
        (out / "explorer" / "index.html").write_text("changed")
    else:
        shutil.rmtree(out / "hi_tom")
        shutil.copytree(other / "hi_tom", out / "hi_tom")
    words = {"changed": "index.html was changed after it was built", "of other builds": "holds no page of these builds"}
    assert_refused(publish(out, "--explorer"), words[kind])
    assert hub.repos == {}
