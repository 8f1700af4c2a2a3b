"""Let the real clients publish to the test Hub and load from it: both ends agree."""

import os
import subprocess
import sys

import pytest

from fake_hub import EXPIRED, READ, SOMEBODY, WRITE, Hub, check_card, check_eval

CLIENT = f"""
import io
import datasets
from huggingface_hub import CommitOperationAdd as Add, CommitOperationDelete as Delete, HfApi, HfFileSystem
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

def refused(status, call, *arguments, error=HfHubHTTPError, **options):
    try:
        call(*arguments, **{{"repo_type": "dataset", **options}})
    except error as raised:
        assert raised.response.status_code == status, raised
    else:
        raise AssertionError(f"status {{status}} was expected")

def table(*rows):
    file = io.BytesIO()
    datasets.Dataset.from_dict({{"row": list(rows)}}).to_parquet(file)
    return file.getvalue()

api, reader, stranger, late = (HfApi(token=token) for token in {(WRITE, READ, SOMEBODY, EXPIRED)!r})
dataset = dict(repo_type="dataset")
card = b"---\\nconfigs: [{{config_name: one, data_files: [{{split: train, path: one/*.parquet}}]}}]\\n---\\n"

# Make, commit, list and load.
assert api.whoami()["name"] == "me" and reader.whoami()["auth"]["accessToken"]["role"] == "read"
api.create_repo("me/x", private=True, **dataset)
refused(409, api.create_repo, "me/x")
added = [Add("README.md", card), Add("one/a.parquet", table(1, 2)), Add("a.txt", b"small")]
first = api.create_commit("me/x", added, commit_message="first", **dataset).oid
gone = [Delete("a.txt"), Add("one/a.parquet", table(3))]
second = api.create_commit("me/x", gone, commit_message="second", parent_commit=first, **dataset).oid
refused(412, api.create_commit, "me/x", [Add("b", b"")], commit_message="stale", parent_commit=first)
refused(404, api.create_commit, "me/x", [Delete("a.txt")], commit_message="gone already")
assert [commit.title for commit in api.list_repo_commits("me/x", **dataset)] == ["second", "first", "initial commit"]
(large,) = [entry for entry in api.list_repo_tree("me/x", "one", **dataset)]
assert large.path == "one/a.parquet" and large.lfs.size == large.size and large.lfs.sha256
assert datasets.load_dataset("me/x", "one")["train"]["row"][:] == [3]
assert datasets.load_dataset("me/x", "one", revision=first)["train"]["row"][:] == [1, 2]
assert [row["row"] for row in datasets.load_dataset("me/x", "one", revision=first, streaming=True)["train"]] == [1, 2]
assert HfFileSystem().cat_file(f"datasets/me/x@{{first}}/a.txt", start=1, end=3) == b"ma"

# Branches, tags and pull requests.
api.create_branch("me/x", branch="old", revision=first, **dataset)
api.create_tag("me/x", tag="v1", revision="old", **dataset)
refused(409, api.create_tag, "me/x", tag="v1")
refused(404, api.create_branch, "me/x", branch="new", revision="nothing", error=RevisionNotFoundError)
refs = api.list_repo_refs("me/x", **dataset)
kinds = [{{ref.ref: ref.target_commit for ref in refs}} for refs in (refs.branches, refs.tags)]
assert kinds == [{{"refs/heads/main": second, "refs/heads/old": first}}, {{"refs/tags/v1": first}}]
made = api.create_commit("me/x", [Add("b.txt", b"b")], commit_message="proposed", create_pr=True, **dataset)
assert made.pr_revision == "refs/pr/1" and api.repo_info("me/x", revision="refs/pr/1", **dataset).sha == made.oid
assert [pull.title for pull in api.get_repo_discussions("me/x", **dataset)] == ["proposed"]

# Who may do what.
refused(403, reader.create_tag, "me/x", tag="v2")
refused(403, stranger.create_repo, "me/y")
refused(404, stranger.repo_info, "me/x", error=RepositoryNotFoundError)
refused(401, late.create_repo, "me/y")
refused(403, stranger.auth_check, "me/gated", error=GatedRepoError)
"""


def test_the_real_clients_and_the_test_hub_agree(tmp_path):
    """The Hub says by statuses, codes and bodies what the clients raise and return."""
    with Hub() as hub:
        hub.create("me/gated", gated="manual")
        there = {"HF_ENDPOINT": hub.url, "HF_TOKEN": WRITE, "HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", CLIENT], env=os.environ | there, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert set(hub.repos["me/x"].files("refs/pr/1")) == {".gitattributes", "README.md", "b.txt", "one/a.parquet"}


@pytest.mark.parametrize(
    ("card", "error"),
    [
        ("# No metadata\n", "missing yaml"),
        ("---\n- a\n---\n", "should be an object"),
        ("---\na: [\n---\n", "while parsing"),
        ("---\nlicense: mit\nlicense: mit\n---\n", "duplicate yaml keys"),
        ("---\nlicence: mit\n---\n", '"licence" is not a known key'),
        ("---\nlanguage: English\n---\n", '"language" must be'),
        ("---\ntags: a\n---\n", '"tags" must be an array'),
        ("---\nconfigs: [{config_name: a}, {config_name: a}]\n---\n", '"configs" must be an array of objects'),
        ("---\nconfigs: [{config_name: a, data_files: [{split: b}]}]\n---\n", '"configs" must be an array of objects'),
    ],
)
def test_a_card_with_bad_metadata_is_refused(card, error):
    (found,) = check_card(card)
    assert error in found


EVAL = "name: A\ndescription: B\nevaluation_framework: inspect-ai\ntasks: [{id: a}, {id: b}]\n"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("name: A\n", "", '"name" must be a string'),
        ("inspect-ai", "inspect", '"evaluation_framework" must be one of [inspect-ai]'),
        ("id: b", "id: a", '"tasks" must be an array of objects, each with an "id" of its own'),
        ("A", "[", "while parsing"),
        (EVAL, "- a", "should be an object"),
    ],
)
def test_a_wrong_eval_yaml_is_refused(old, new, error):
    assert check_eval(EVAL) == [] and error in check_eval(EVAL.replace(old, new, 1))[0]
