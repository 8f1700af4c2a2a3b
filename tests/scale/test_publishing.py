"""Publish a scaled folder to the test Hub, with faults: nothing loads before its one commit."""

import json
import subprocess
import sys

import pytest
import yaml
from fake_hub import Hub
from publishing import INITIAL, client_environment, fail
from support import ROOT, contents

from tom_datasets.folder.build import Build
from tom_datasets.scale import whole

pytestmark = pytest.mark.slow

REPO = "me/rows"
PUBLISH = """
import sys
from pathlib import Path
from tom_datasets.errors import UserError
from tom_datasets.folder.build import Build
from tom_datasets.hub import client, large
try:
    hub = client.Hub(client.read_token(), 60)
    large.publish(hub, Build.read(Path(sys.argv[1]), "hi_tom"), "me/rows", private="--private" in sys.argv)
except UserError as error:
    sys.exit(f"error: {error}")
"""
LOAD = """
from datasets import load_dataset
rows = list(load_dataset("me/rows", split="train", streaming=True))
assert load_dataset("me/rows", split="train").to_list() == rows
print(len(rows))
"""


@pytest.fixture
def hub():
    """Serve one Hub, empty and without faults."""
    with Hub() as served:
        yield served


@pytest.fixture(scope="module")
def folder(tmp_path_factory, request_of, done):
    """Make a folder of five tables whole; no test may change it."""
    folder = tmp_path_factory.mktemp("folders") / "rows"
    whole.finish(done(folder, request_of(rows=600, tasks=5)), request_of(rows=600, tasks=5))
    return folder


def ended_by(environment, code, *words):
    """Run Python in a process of its own, to its end."""
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.fixture
def publish(hub, tmp_path):
    """Return a function that publishes a folder in a process of its own."""

    def publish(folder, *words):
        done = ended_by(client_environment(hub, tmp_path / "home"), PUBLISH, str(folder), *words)
        assert "Traceback" not in done.stderr and done.returncode in (0, 1), done.stderr
        return done.returncode, done.stdout, done.stderr

    return publish


def tables(folder):
    """Return the bytes of the tables of a folder, by path."""
    return {path: data for path, data in contents(folder).items() if path.endswith(".parquet")}


def assert_whole(hub, folder):
    """Assert that the Hub has the tables of a folder, a card that names exactly these, and a record of all files."""
    files = hub.repos[REPO].files()
    assert files.keys() == INITIAL | contents(folder).keys() and files.items() >= tables(folder).items()
    assert len(hub.repos[REPO].commits) == 2
    (config,) = yaml.safe_load(files["README.md"].decode().split("---\n")[1])["configs"]
    assert config["data_files"] == [{"split": "train", "path": sorted(tables(folder))}]
    assert json.loads(files["build.json"])["files"]["README.md"]["bytes"] == len(files["README.md"])
    assert b'load_dataset("me/rows", split="train"' in files["README.md"] and b"./folder" not in files["README.md"]


def test_a_folder_arrives_and_loads(hub, publish, folder, tmp_path):
    code, printed, said = publish(folder)
    assert (code, said) == (0, ""), said
    assert_whole(hub, folder)
    head = hub.repos[REPO].head()
    sent = f"me/rows: 7 files added, 0 changed, 0 deleted: commit {head[:7]}"
    proof = f"me/rows: 5 files, read back from {head[:7]}: every byte as in {folder}"
    page = f"published: {hub.url}/datasets/me/rows at {head[:7]}"
    assert printed.splitlines() == ["me/rows: created, public", sent, proof, page]
    loaded = ended_by(client_environment(hub, tmp_path / "reader"), LOAD)
    assert int(loaded.stdout) == Build.read(folder, "hi_tom").total, loaded.stderr
    assert publish(folder)[0] == 0 and hub.repos[REPO].head() == head, "the same again makes no commit"


def test_before_the_commit_nothing_is_there_and_the_next_run_sends_the_rest(hub, publish, folder):
    hub.fail("PUT", "/upload/", times=None, status=403, skip=4)
    code, _, said = publish(folder)
    assert code == 1 and said.startswith("error: me/rows, committing: a file is refused (the storage answered 403")
    assert hub.repos[REPO].files().keys() == INITIAL
    hub.clear_faults()
    hub.reset_log()
    assert publish(folder)[0] == 0 and sum(request.method == "PUT" for request in hub.requests) == 1
    assert_whole(hub, folder)


def test_a_fault_while_a_file_is_sent_is_tried_again(hub, publish, folder):
    """The client itself sends a file again without a word."""
    fail(hub, "put", "down")
    code, _, said = publish(folder)
    assert (code, said) == (0, "")
    assert_whole(hub, folder)


@pytest.mark.parametrize("fault", ["down", "cut before", "lost"])
def test_after_a_fault_of_the_commit_the_next_run_goes_on(hub, publish, folder, fault):
    """A commit whose answer is lost is not made twice."""
    fail(hub, "commit", fault)
    code, _, said = publish(folder)
    assert code == 1 and said.startswith("error: me/rows, committing: ") and said.count("\n") == 1
    assert said.endswith(": run the command again later, it continues where it stopped\n")
    assert publish(folder)[0] == 0
    assert_whole(hub, folder)


def test_somebody_else_who_commits_meanwhile_is_not_overwritten(hub, publish, folder):
    hub.fail("POST", "/commit/", then=lambda hub: hub.commit_as(REPO, {"notes.txt": b"mine"}))
    code, _, said = publish(folder)
    assert code == 1 and said.startswith("error: me/rows: somebody else committed in the meantime (")
    end = "/datasets/me/rows/commits/main): nothing was overwritten; run the command again to publish on top of that\n"
    assert said.endswith(end) and hub.repos[REPO].files().keys() == {*INITIAL, "notes.txt"}


def test_files_of_others_are_not_overwritten(hub, publish, folder):
    hub.create(REPO)
    hub.commit_as(REPO, {"README.md": b"mine"})
    code, _, said = publish(folder)
    assert code == 1 and said.startswith(
        "error: me/rows has README.md that was not published from here, or was changed"
    )
    path = next(iter(tables(folder)))
    hub.commit_as(REPO, {path: b"PAR1 other"}, deleted=("README.md",))
    assert f"me/rows has {path} that was not published from here" in publish(folder)[2]


def test_the_rows_of_another_request_are_not_mixed_in(hub, publish, folder, tmp_path, request_of, done):
    assert publish(folder)[0] == 0
    other = request_of(seed=8, rows=600, tasks=5)
    whole.finish(done(tmp_path / "other", other), other)
    head = hub.repos[REPO].head()
    code, _, said = publish(tmp_path / "other")
    assert code == 1 and said.startswith("error: me/rows holds another build: seed is 7 there, 8 here; ")
    assert hub.repos[REPO].head() == head


def test_what_reads_back_otherwise_is_said(hub, publish, folder):
    """The Hub lists the right checksums and delivers other bytes."""
    path = sorted(tables(folder))[0]
    assert publish(folder)[0] == 0
    repo = hub.repos[REPO]
    blob = repo.commit_at("main").files[path]
    repo.lfs[blob.sha256] = repo.lfs[blob.sha256][:-1] + b"x"
    code, _, said = publish(folder)
    assert code == 1, said
    assert path in said


def test_a_public_repository_is_not_taken_for_a_private_one(hub, publish, folder):
    hub.create(REPO)
    code, _, said = publish(folder, "--private")
    assert code == 1
    assert said.startswith("error: me/rows exists, and is public: ")
    del hub.repos[REPO]
    assert "me/rows: created, private\n" in publish(folder, "--private")[1]
