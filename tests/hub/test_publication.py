"""Publish to the test Hub: files go there, are read back, and are replaced only where they were published before."""

import json
import re
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
import yaml
from fake_hub import WRITE, check_card
from publishing import (
    INITIAL,
    NAMING,
    assert_refused,
    changed_files,
    client_environment,
    folder_files,
    holds,
    published_files,
    put_directly,
    writing_requests,
)

LOAD = """
import json, sys
from datasets import load_dataset
loaded = {}
for repo, config in (("me/hi_tom", "4th_order"), ("me/mindgames", "forehead")):
    loaded[repo] = {split: list(rows) for split, rows in load_dataset(repo, config).items()}
    streamed = load_dataset(repo, config, split="test", streaming=True)
    assert list(streamed) == loaded[repo]["test"], repo
    assert load_dataset(repo, split="test").num_rows > len(loaded[repo]["test"]), "the default config has them all"
print(json.dumps(loaded))
"""


def test_both_are_published_loaded_and_streamed(hub, publish, both, tmp_path):
    code, printed, errors = publish(both, read_back=True)
    assert (code, errors) == (0, ""), errors
    assert set(hub.repos) == {"me/hi_tom", "me/mindgames"}, "no Space is made without --explorer"
    configs = {"me/hi_tom": "4th_order", "me/mindgames": "forehead"}
    for repo, config in configs.items():
        name = repo.partition("/")[2]
        assert holds(hub, both, name=name)
        (_, commit) = hub.repos[repo].commits
        assert re.fullmatch(rf"{name} \d+\.\d+\.\d+, seed 0", commit.title)
        files = len(folder_files(both, name))
        assert f"{repo}: created, public\n{repo}: {files} files added, 0 changed, 0 deleted" in printed
        assert f"read back from {commit.oid[:7]}: every row as in {both / name}\n" in printed
        assert f'published: {hub.url}/datasets/{repo}\nload_dataset("{repo}", "{config}")\n' in printed
    environment = client_environment(hub, tmp_path / "home")
    done = subprocess.run([sys.executable, "-c", LOAD], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for repo, splits in json.loads(done.stdout).items():
        for split, rows in splits.items():
            assert rows == pq.read_table(both / repo[3:] / configs[repo] / f"{split}.parquet").to_pylist()


@pytest.mark.slow
def test_the_same_again_makes_no_commit_and_no_second_tag(hub, publish, one):
    """test_example.py reads what is printed; it is read back all the same."""
    assert publish(one, "--tag", "v1.0.0")[0] == 0
    repo = hub.repos["me/hi_tom"]
    hub.reset_log()
    code, printed, _ = publish(one, "--tag", "v1.0.0", read_back=True)
    assert code == 0 and len(repo.commits) == 2 and repo.tags == {"v1.0.0": repo.head()}
    assert "created" not in printed and "published:" in printed and writing_requests(hub) == []


def test_another_build_is_one_commit_that_deletes_the_earlier_files(hub, publish, one, other):
    put_directly(hub, one)
    hub.commit_as("me/hi_tom", {"notes.md": b"mine", "4th_order/more.parquet": b"mine too"}, user="me")
    code, printed, _ = publish(other, "--replace")
    repo = hub.repos["me/hi_tom"]
    assert code == 0 and len(repo.commits) == 4
    assert holds(hub, other, also=INITIAL | {"notes.md", "4th_order/more.parquet"})
    gone = folder_files(one).keys() - folder_files(other).keys()
    assert len(gone) == 6 and not gone & repo.files().keys()
    assert f"0 files added, {len(changed_files(one, other))} changed, 6 deleted" in printed


def test_an_earlier_file_that_others_changed_stays(hub, publish, one, other):
    put_directly(hub, one)
    hub.commit_as("me/hi_tom", {"0th_order/validation.parquet": b"of another"}, user="me")
    code, printed, _ = publish(other, "--replace", "--dry-run")
    assert code == 0 and "keep" in printed and " 0th_order/validation.parquet (changed since" in printed
    code, printed, _ = publish(other, "--replace")
    assert code == 0 and "0th_order/validation.parquet is kept: it has been changed since it was published" in printed
    assert hub.repos["me/hi_tom"].files()["0th_order/validation.parquet"] == b"of another"
    assert holds(hub, other, also=INITIAL | {"0th_order/validation.parquet"})


@pytest.mark.parametrize("token", [WRITE, ""], ids=["with a token", "without"])
def test_a_dry_run_lists_the_files_and_sends_nothing(hub, publish, one, other, token):
    """It needs no token where everybody may read."""
    code, printed, errors = publish(one, "--dry-run", *(["--private"] if token else []), token=token)
    new = "private" if token else "public (unless it is private: without a token it would not be seen)"
    assert code == 0 and f"me/hi_tom would be created, {new}\n" in printed, errors
    ours = published_files(one)
    lines = re.findall(r"^add +([\d,]+)  (\S+)$", printed, re.MULTILINE)
    assert {path: int(size.replace(",", "")) for size, path in lines} == {path: len(ours[path]) for path in ours}
    total = sum(map(len, ours.values()))
    assert f"{len(ours)} to add, 0 to change, 0 to delete, {total:,} bytes to send; this was a dry run: " in printed
    put_directly(hub, one)
    code, printed, errors = publish(other, "--replace", "--dry-run", "--revision", "next", token=token)
    assert code == 0 and "branch next would be made at" in printed, errors
    changes = (("delete", "0th_order/validation.parquet", ours), ("change", "README.md", published_files(other)))
    for verb, path, files in changes:
        assert re.search(rf"^{verb} +{len(files[path]):,}  {path}$", printed, re.MULTILINE)
    assert f"0 to add, {len(changed_files(one, other))} to change, 6 to delete" in printed
    assert writing_requests(hub) == [] and len(hub.repos["me/hi_tom"].commits) == 2
    assert bool(token) == any("whoami" in request.path for request in hub.requests)


@pytest.mark.slow
def test_a_variant_has_a_repository_of_its_own_beside_the_public_one(hub, publish, one, other, both):
    """Its card, its tasks and the line to load it have its name."""
    put_directly(hub, one)
    code, printed, _ = publish(other, "--private", "--name", "hi_tom_new", read_back=True)
    assert code == 0 and "me/hi_tom_new: created, private\n" in printed
    code, printed, _ = publish(other, "--name", "hi_tom_new", read_back=True)
    assert code == 0 and 'load_dataset("me/hi_tom_new", "4th_order")' in printed, "private as it is"
    assert holds(hub, one) and hub.repos["me/hi_tom_new"].private
    there = {path: data.decode() for path, data in hub.repos["me/hi_tom_new"].files().items() if path in NAMING}
    card, own = there["README.md"], folder_files(other)["README.md"].decode()
    assert card.count('load_dataset("me/hi_tom_new"') == own.count('load_dataset("./hi_tom"') > 0
    assert "\n# hi_tom_new\n" in card and "\npretty_name: Hi-ToM, regenerated (hi_tom_new)\n" in card
    assert "NAMESPACE" not in "".join(there.values()) and check_card(card) == []
    assert yaml.safe_load(there["eval.yaml"])["name"] == "Hi-ToM, regenerated (hi_tom_new)"
    assert "inspect eval hf/me/hi_tom_new/deep " in there["eval.yaml"]
    assert_refused(publish(both, "--name", "new"), "NAME (--name) names one repository: say which dataset goes there")


def test_a_pull_request_is_opened_once(hub, publish, one, other):
    put_directly(hub, one)
    repo = hub.repos["me/hi_tom"]
    repo.gated = "manual"  # which its owner may read
    code, printed, _ = publish(other, "--replace", "--pr", read_back=True)
    assert code == 0 and holds(hub, one) and holds(hub, other, "refs/pr/1")
    assert "pull request with commit" in printed
    assert f"proposed: {hub.url}/datasets/me/hi_tom/discussions/1\n" in printed
    assert 'load_dataset("me/hi_tom", "4th_order", revision="refs/pr/1")\n' in printed
    commits = len(repo.commits)
    code, printed, _ = publish(other, "--replace", "--pr")
    assert code == 0 and "pull request 1 already has all this" in printed and "proposed:" in printed
    assert len(repo.commits) == commits and len(repo.discussions) == 1
    code, printed, _ = publish(one, "--pr")
    assert code == 0 and "no new commit" in printed and "published:" in printed and len(repo.discussions) == 1


def test_a_pull_request_is_opened_in_the_repository_of_somebody_else(hub, publish, alone):
    repo = hub.create("somebody/hi_tom")
    code, printed, errors = publish(alone, "--pr", namespace="somebody", read_back=True)
    assert code == 0, errors
    assert repo.files("refs/pr/1").items() >= published_files(alone, namespace="somebody").items()
    assert set(repo.files()) == INITIAL and "proposed: " in printed and len(repo.discussions) == 1
    del hub.repos["somebody/hi_tom"]
    line = assert_refused(publish(alone, "--pr", namespace="somebody"), "somebody/hi_tom does not exist, or is private")
    assert "a pull request needs an existing repository, which somebody must create first" in line and hub.repos == {}


def test_the_published_files_name_the_repository_and_the_folder_stays_as_it_was(hub, publish, one):
    before = folder_files(one)
    assert publish(one, namespace="tom-lab")[0] == 0 and folder_files(one) == before
    there = hub.repos["tom-lab/hi_tom"].files()
    assert there.items() >= published_files(one, namespace="tom-lab").items()
    assert {path for path in before if there[path] != before[path]} == {"build.json", *NAMING}
    assert json.loads(there["croissant.json"])["url"] == "https://huggingface.co/datasets/tom-lab/hi_tom"
    assert b'load_dataset("./' not in there["README.md"] and b"NAMESPACE" not in there["README.md"]


def test_no_probe_is_loaded_where_none_is_named(hub, alone, tmp_path):
    """onnxruntime, once imported, leaves files in the folder for temporary files."""
    code = "import sys; from tom_datasets.__main__ import main; main(sys.argv[1:]); print('onnxruntime' in sys.modules)"
    words = ["publish", "--out", alone, "--namespace", "me", "--probe", "none"]
    (tmp_path / "temporary").mkdir()
    environment = client_environment(hub, tmp_path / "home", TMPDIR=str(tmp_path / "temporary"))
    done = subprocess.run([sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False" and "published: " in done.stdout, done.stderr
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_pull_request_beside_one_whose_branch_is_gone(hub, publish, one, other):
    put_directly(hub, one)
    hub.repos["me/hi_tom"].open_pull("Old", "me", hub.repos["me/hi_tom"].head())
    del hub.repos["me/hi_tom"].pulls["refs/pr/1"]
    code, printed, errors = publish(other, "--replace", "--pr")
    assert code == 0 and holds(hub, other, "refs/pr/2"), errors
    hub.commit_as("me/hi_tom", {"notes.md": b"x"})
    code, printed, _ = publish(other, "--replace", "--pr", "--dry-run")
    assert code == 0 and "me/hi_tom: pull request 2 already has all this\n" in printed


def test_a_branch_is_made_and_main_stays(hub, publish, one, other):
    put_directly(hub, one)
    code, printed, _ = publish(other, "--replace", "--revision", "next")
    assert code == 0 and holds(hub, one) and holds(hub, other, "next")
    assert "branch next made at" in printed and "published: " + hub.url + "/datasets/me/hi_tom/tree/next\n" in printed
    assert 'load_dataset("me/hi_tom", "4th_order", revision="next")' in printed
