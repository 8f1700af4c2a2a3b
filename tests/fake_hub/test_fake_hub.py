"""Let the real client, in processes of its own, use the small Hub, and prove that the Hub is strict where need be."""

import hashlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fake_hub import EXPIRED, READ, SOMEBODY, USERS, WRITE, Blob, Hub, check_card, tree_oid

CARD = "---\nlicense: apache-2.0\nlanguage: en\n---\n# A card\n"
PRELUDE = """
import io, json, os, sys
from huggingface_hub import CommitOperationAdd as Add, CommitOperationDelete as Delete, HfApi, HfFileSystem
from huggingface_hub import hf_hub_download, snapshot_download

api = HfApi()
REPO = {"repo_id": "me/x", "repo_type": "dataset"}

def tell(*values):
    print(json.dumps(values))

def commit(files, client=api, **more):
    operations = [Add(path, data.encode() if isinstance(data, str) else data) for path, data in files.items()]
    return client.create_commit(**{**REPO, "commit_message": "of the client", **more}, operations=operations)

def failing(call, *arguments, **more):
    try:
        call(*arguments, **more)
    except Exception as error:
        status = getattr(getattr(error, "response", None), "status_code", None)
        # One name for the classes that were renamed in 1.0, and for the errors of requests, httpx and httpx2.
        name = type(error).__name__
        renamed = {"RemoteEntryNotFoundError": "EntryNotFoundError", "HTTPError": "HfHubHTTPError"}
        cut = {"RemoteProtocolError", "ReadError", "ConnectionError", "ChunkedEncodingError"}
        return ["cut" if name in cut else renamed.get(name, name), status, str(error)]
    return ["nothing", None, ""]
"""


def environment(hub, home, token=WRITE):
    """Return the whole environment of a client."""
    known = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    hushed = {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "PYTHONWARNINGS": "ignore"}
    there = {"HF_ENDPOINT": hub.url, "HF_HOME": str(home), "HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    return known | hushed | there | ({"HF_TOKEN": token} if token else {})


def client(hub, home, code, token=WRITE):
    """Run code with the real client, and return what it tells, line by line."""
    ran = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        env=environment(hub, home, token),
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def ask(url, method, path, body=None, headers=None):
    """Send one request without any client, and return (status, headers, body)."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def asked(hub, method, part):
    """Return the logged requests of a method whose path holds a part."""
    return [request for request in hub.requests if request.method == method and part in request.path]


@pytest.fixture
def hub():
    """Serve one Hub."""
    with Hub() as hub:
        yield hub


def test_git_names():
    """Name blobs and trees as git does: the constants are of git hash-object, git write-tree and the empty tree."""
    small = {"a": b"hello\n", "d/e/b": b"x", "d.txt": b"y", "d-1": b"z"}
    files = {path: Blob.make(data, False) for path, data in small.items()}
    assert files["a"].oid == "ce013625030ba8dba906f756967f9e9ca394464a"
    assert tree_oid(files) == "44e966ed6c4fb7097f8c0f1739bf09edcaf5f478"
    assert tree_oid({}) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_tokens_look_like_tokens():
    """Give every user a token of the length and the letters of a real one."""
    assert all(len(token) == 37 and token[:3] == "hf_" and token[3:].isalnum() for token in USERS)
    assert len(USERS) == 4


def test_commit_and_list(hub, tmp_path):
    """Create, commit small and large files, list them; a commit of what is there makes no commit."""
    told = client(
        hub,
        tmp_path,
        f"""
tell(api.whoami()["name"], api.whoami()["auth"]["accessToken"]["role"])
tell(str(api.create_repo(**REPO, private=True)), str(api.create_repo(**REPO, exist_ok=True)))
tell(*failing(api.create_repo, **REPO))
files = {{"README.md": {CARD!r}, "a/one.parquet": "large", "empty.parquet": "", "code.txt": "small"}}
first = commit(files)
again = commit(files)
tell(first.oid, again.oid)
info = api.dataset_info("me/x", files_metadata=True)
tell(info.sha, info.private, info.gated, info.card_data.to_dict(), [s.rfilename for s in info.siblings])
tell([[e.path, getattr(e, "size", None), e.lfs.sha256 if getattr(e, "lfs", None) else None, e.last_commit.title]
      for e in api.list_repo_tree(**REPO, recursive=True, expand=True)])
tell([e.path for e in api.list_repo_tree(**REPO)], [e.path for e in api.list_repo_tree(**REPO, path_in_repo="a")])
tell(*failing(lambda: list(api.list_repo_tree(**REPO, path_in_repo="nowhere"))))
tell([e.path for e in api.get_paths_info(**REPO, paths=["a", "code.txt", "nothing"])])
api.create_commit(**REPO, operations=[Delete("a/"), Delete("code.txt")], commit_message="less")
tell(*failing(api.create_commit, **REPO, operations=[Delete("code.txt")], commit_message="less"))
tell([[c.title, c.authors] for c in api.list_repo_commits(**REPO)])
api.update_repo_settings(**REPO, private=False, gated="manual")
api.delete_repo("me/y", repo_type="dataset", missing_ok=True)
tell(*failing(api.delete_repo, "me/y", repo_type="dataset"))
""",
    )
    repo = hub.repos["me/x"]
    first = repo.commits[1]
    large = hashlib.sha256(b"large").hexdigest()
    page = f"{hub.url}/datasets/me/x"
    names = [".gitattributes", "README.md", "a/one.parquet", "code.txt", "empty.parquet"]
    card = {"license": "apache-2.0", "language": "en"}
    assert told[:2] == [["me", "write"], [page, page]]
    assert told[2][:2] == ["HfHubHTTPError", 409] and "already created" in told[2][2]
    assert told[3] == [first.oid, first.oid]
    assert told[4] == [first.oid, True, False, card, names]
    assert [line[0] for line in told[5][0]] == [*names[:2], "a", *names[2:]]
    assert told[5][0][3] == ["a/one.parquet", 5, large, "of the client"]
    assert told[5][0][0][3] == "initial commit"
    assert told[6] == [[".gitattributes", "README.md", "a", "code.txt", "empty.parquet"], ["a/one.parquet"]]
    assert told[7][:2] == ["EntryNotFoundError", 404]
    assert told[8] == [["a", "code.txt"]]
    assert told[9][:2] == ["EntryNotFoundError", 404] and "A file with this name doesn't exist" in told[9][2]
    assert told[10] == [[["less", ["me"]], ["of the client", ["me"]], ["initial commit", ["me"]]]]
    assert told[11][:2] == ["RepositoryNotFoundError", 404]
    assert repo.files(first.oid) == {
        ".gitattributes": repo.files()[".gitattributes"],
        "README.md": CARD.encode(),
        "a/one.parquet": b"large",
        "code.txt": b"small",
        "empty.parquet": b"",
    }
    assert [first.files[name].lfs for name in names] == [False, False, True, False, False]
    assert repo.head() == repo.commits[-1].oid and set(repo.files()) == {".gitattributes", "README.md", "empty.parquet"}
    assert (repo.private, repo.gated) == (False, "manual")
    assert [request.token_user for request in hub.requests if request.path.startswith("/upload/")] == [None]
    assert all(request.status for request in hub.requests)


def test_multipart_and_bad_bytes(tmp_path):
    """Take a large file in parts; refuse bytes that are not those announced, and a commit of what never came."""
    with Hub(multipart_from=250_000, part=100_000) as hub:
        hub.create("me/x")
        changing, short, parts = tmp_path / "changing", tmp_path / "short", tmp_path / "parts"
        changing.write_bytes(b"a" * 1000)
        short.write_bytes(b"b" * 1000)
        parts.write_bytes(b"c" * 300_000)
        # The files change after the client has announced them, and before it sends them.
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: changing.write_bytes(b"x" * 1000))
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: short.write_bytes(b"b" * 999))
        hub.fail("POST", "objects/batch", skip=1, then=lambda hub: parts.write_bytes(b"x" * 300_000))
        told = client(
            hub,
            tmp_path / "home",
            f"""
commit({{"large.bin": bytes(range(256)) * 1000}})
for path in {[str(changing), str(short), str(parts)]!r}:
    try:
        api.upload_file(path_or_fileobj=path, path_in_repo="bad.bin", **REPO)
        tell("nothing")
    except RuntimeError as error:
        tell(error.__cause__.response.status_code, error.__cause__.response.text)
""",
        )
        assert [status for status, _ in told] == [400, 400, 400]
        assert "not those that were announced" in told[0][1] and "999 bytes came" in told[1][1]
        assert "not those that were announced" in told[2][1]
        repo = hub.repos["me/x"]
        assert repo.files()["large.bin"] == bytes(range(256)) * 1000 and list(repo.lfs) == [
            repo.commit_at("main").files["large.bin"].sha256
        ]
        assert [request.bytes for request in asked(hub, "PUT", "partNumber")[:3]] == [100_000, 100_000, 56_000]
        again = asked(hub, "PUT", "partNumber=1")[0].path
        assert ask(hub.storage_url, "PUT", again, b"c" * 100_000)[0] == 404
        lines = [
            {"key": "header", "value": {"summary": "never came"}},
            {"key": "lfsFile", "value": {"path": "x.bin", "algo": "sha256", "oid": "0" * 64, "size": 1}},
        ]
        body = "\n".join(map(json.dumps, lines))
        bearer = {"Authorization": f"Bearer {WRITE}"}
        status, headers, _ = ask(hub.url, "POST", "/api/datasets/me/x/commit/main", body, bearer)
        assert status == 400 and "does not exist" in headers["X-Error-Message"]
        assert len(repo.commits) == 2


def test_storage_takes_signed_addresses_and_no_token(hub):
    """Refuse at the storage an address of one's own making, and a token that came along."""
    hub.create("me/x")
    hub.commit_as("me/x", {"a.bin": b"large"})
    status, headers, _ = ask(hub.url, "HEAD", "/datasets/me/x/resolve/main/a.bin")
    place = headers["Location"].removeprefix(hub.storage_url)
    assert status == 302 and headers["X-Linked-Size"] == "5"
    assert ask(hub.storage_url, "GET", place)[2] == b"large"
    assert ask(hub.storage_url, "GET", place, headers={"Authorization": f"Bearer {WRITE}"})[0] == 400
    assert ask(hub.storage_url, "GET", place.replace("a.bin", "b.bin"))[0] == 403
    assert ask(hub.storage_url, "GET", "/api/datasets/me/x")[0] == 403
    assert ask(hub.url, "POST", "/api/complete_multipart?repo=me/x", "{}")[0] == 403


def test_download(hub, tmp_path):
    """Download whole files, ranges, and snapshots at names and commits; say what is not there."""
    hub.create("me/x")
    old = hub.commit_as("me/x", {"a.txt": b"old", "b.bin": bytes(range(256))})
    hub.commit_as("me/x", {"a.txt": b"new"})
    told = client(
        hub,
        tmp_path,
        f"""
def read(**more):
    return open(hf_hub_download(**REPO, **more), "rb").read().decode("latin-1")
tell(read(filename="a.txt"), read(filename="a.txt", revision={old!r}))
tell(read(filename="b.bin") == bytes(range(256)).decode("latin-1"))
api.create_tag(**REPO, tag="v1", revision={old!r})
folder = snapshot_download(**REPO, revision="v1")
tell(os.path.basename(folder), open(folder + "/a.txt").read())
files = HfFileSystem()
tell(list(files.cat_file("datasets/me/x/b.bin", start=10, end=14)), files.cat_file("datasets/me/x@v1/a.txt").decode())
with files.open("datasets/me/x/b.bin") as file:
    file.seek(250)
    tell(list(file.read()))
tell(sorted(files.ls("datasets/me/x", detail=False)), files.glob("datasets/me/x/*.txt"))
tell(*failing(read, filename="c.txt"))
tell(*failing(read, filename="a.txt", revision="v2"))
tell(*failing(hf_hub_download, "me/y", "a.txt", repo_type="dataset"))
""",
    )
    everything = bytes(range(256))
    assert told[:3] == [["new", "old"], [True], [old, "old"]]
    assert told[3:5] == [[[10, 11, 12, 13], "old"], [list(everything[250:])]]
    names = [f"datasets/me/x/{name}" for name in (".gitattributes", "a.txt", "b.bin")]
    assert told[5] == [names, names[1:2]]
    assert [line[:2] for line in told[6:]] == [
        ["EntryNotFoundError", 404],
        ["RevisionNotFoundError", 404],
        ["RepositoryNotFoundError", 404],
    ]
    status, headers, body = ask(hub.url, "GET", "/datasets/me/x/resolve/main/a.txt")
    assert status == 307 and headers["Location"].startswith("/api/resolve-cache/datasets/me/x/")
    status, headers, body = ask(hub.url, "GET", headers["Location"], headers={"Range": "bytes=-2"})
    assert (status, headers["Content-Range"], body) == (206, "bytes 1-2/3", b"ew")
    assert headers["ETag"] == f'"{hub.repos["me/x"].commit_at("main").files["a.txt"].oid}"'
    location = "/api/resolve-cache/datasets/me/x/" + hub.repos["me/x"].head() + "/a.txt"
    assert ask(hub.url, "GET", location, headers={"Range": "bytes=3-"})[0] == 416


def test_names(hub, tmp_path):
    """Create and delete branches and tags, and refuse what is there already or not at all."""
    first = hub.create("me/x").head()
    second = hub.commit_as("me/x", {"a.txt": b"a"})
    told = client(
        hub,
        tmp_path,
        f"""
api.create_branch(**REPO, branch="old", revision={first!r})
api.create_tag(**REPO, tag="v1", tag_message="one")
tell(*failing(api.create_branch, **REPO, branch="old"))
tell(*failing(api.create_tag, **REPO, tag="v1"))
tell(*failing(api.create_branch, **REPO, branch="new", revision="nothing"))
tell(*failing(api.delete_branch, **REPO, branch="nothing"))
tell(*failing(api.delete_branch, **REPO, branch="main"))
tell(*failing(api.delete_tag, **REPO, tag="nothing"))
refs = api.list_repo_refs(**REPO)
tell({{ref.ref: ref.target_commit for ref in refs.branches + refs.tags}})
commit({{"b.txt": "b"}}, revision="old")
tell(api.list_repo_files(**REPO, revision="old"), api.dataset_info("me/x", revision="v1").sha)
tell(*failing(commit, {{"b.txt": "c"}}, revision="v1"))
api.delete_branch(**REPO, branch="old")
api.delete_tag(**REPO, tag="v1")
""",
    )
    assert [line[:2] for line in told[:6]] == [
        ["HfHubHTTPError", 409],
        ["HfHubHTTPError", 409],
        ["RevisionNotFoundError", 404],
        ["RevisionNotFoundError", 404],
        ["HfHubHTTPError", 403],
        ["RevisionNotFoundError", 404],
    ]
    assert told[6] == [{"refs/heads/main": second, "refs/heads/old": first, "refs/tags/v1": second}]
    assert told[7] == [[".gitattributes", "b.txt"], second]
    assert told[8][:2] == ["RevisionNotFoundError", 404]
    assert hub.repos["me/x"].refs == {"main": second}


def test_pull_requests(hub, tmp_path):
    """Open pull requests by a commit and by hand, as a stranger too, commit onto them, list them, merge one."""
    hub.create("me/x")
    told = client(
        hub,
        tmp_path,
        f"""
stranger = HfApi(token={SOMEBODY!r})
tell(*failing(commit, {{"a.txt": "a"}}, stranger))
made = commit({{"a.txt": "a"}}, stranger, create_pr=True)
tell(made.pr_url, made.pr_revision, made.pr_num)
commit({{"b.bin": "b"}}, stranger, revision="refs/pr/1")
opened = api.create_pull_request("me/x", "By hand", repo_type="dataset")
commit({{"c.txt": "c"}}, revision=opened.git_reference)
tell(*failing(commit, {{"d.txt": "d"}}, stranger, revision="refs/pr/2"))
tell([[d.num, d.title, d.status, d.author] for d in api.get_repo_discussions("me/x", repo_type="dataset")])
shown = {{"repo_id": "me/x", "repo_type": "dataset", "discussion_type": "pull_request", "discussion_status": "open"}}
tell([d.num for d in api.get_repo_discussions(**shown, author="somebody")])
tell(sorted(ref.ref for ref in api.list_repo_refs(**REPO, include_pull_requests=True).pull_requests))
tell(api.list_repo_files(**REPO, revision="refs/pr/1"))
tell(*failing(stranger.merge_pull_request, "me/x", 1, repo_type="dataset"))
api.merge_pull_request("me/x", 1, repo_type="dataset")
details = api.get_discussion_details("me/x", 1, repo_type="dataset")
tell(details.status, details.merge_commit_oid, [e.summary for e in details.events if e.type == "commit"])
""",
    )
    repo = hub.repos["me/x"]
    assert told[0][:2] == ["HfHubHTTPError", 403] and "create_pr=1" in told[0][2]
    assert told[1] == [f"{hub.url}/datasets/me/x/discussions/1", "refs/pr/1", 1]
    assert told[2][:2] == ["HfHubHTTPError", 403]
    assert told[3] == [[[2, "By hand", "draft", "me"], [1, "of the client", "open", "somebody"]]]
    assert told[4:7] == [[[1]], [["refs/pr/1", "refs/pr/2"]], [[".gitattributes", "a.txt", "b.bin"]]]
    assert told[7][:2] == ["HfHubHTTPError", 403]
    assert told[8] == ["merged", repo.head(), ["of the client", "of the client"]]
    assert set(repo.files()) == {".gitattributes", "a.txt", "b.bin"} and "c.txt" in repo.files("refs/pr/2")


def test_stale_parent(hub, tmp_path):
    """Refuse a commit onto a parent that is no longer the head, also when the other comes at the last moment."""
    hub.create("me/x")
    hub.fail("POST", "/commit/main", then=lambda hub: hub.commit_as("me/x", {"theirs.txt": b"theirs"}))
    told = client(
        hub,
        tmp_path,
        """
head = api.dataset_info("me/x").sha
tell(*failing(commit, {"ours.txt": "ours"}, parent_commit=head))
tell(*failing(commit, {"ours.txt": "ours"}, parent_commit=head))
tell(*failing(commit, {"ours.txt": "ours"}, parent_commit=api.dataset_info("me/x").sha))
""",
    )
    assert [line[:2] for line in told] == [["HfHubHTTPError", 412], ["HfHubHTTPError", 412], ["nothing", None]]
    assert "A commit has happened since" in told[0][2]
    assert set(hub.repos["me/x"].files()) == {".gitattributes", "ours.txt", "theirs.txt"}
    assert hub.repos["me/x"].commit_at("main").author == "me"


def test_access(hub, tmp_path):
    """Say to every token what the real Hub says."""
    for name, settings in {"x": {}, "hidden": {"private": True}, "gated": {"gated": "manual"}}.items():
        hub.create(f"me/{name}", **settings)
        hub.commit_as(f"me/{name}", {f"{name}.txt": b"a"})
    told = client(
        hub,
        tmp_path,
        f"""
who = {{"me": api, "read": HfApi(token={READ!r}), "expired": HfApi(token={EXPIRED!r}), "unknown": HfApi(token="hf_no"),
       "somebody": HfApi(token={SOMEBODY!r}), "nobody": HfApi(token=False)}}
answers, to = {{}}, {str(tmp_path)!r} + "/"
for name, user in who.items():
    answers[name] = {{
        "whoami": failing(user.whoami) if name != "nobody" else None,
        "create": failing(user.create_repo, "me/new-" + name, repo_type="dataset"),
        "commit": failing(commit, {{name + ".txt": "b"}}, user),
        "tag": failing(user.create_tag, "me/x", repo_type="dataset", tag=name),
        "x": failing(user.hf_hub_download, "me/x", "x.txt", repo_type="dataset", local_dir=to + name),
        "hidden": failing(user.hf_hub_download, "me/hidden", "hidden.txt", repo_type="dataset", local_dir=to + name),
        "gated": failing(user.hf_hub_download, "me/gated", "gated.txt", repo_type="dataset", local_dir=to + name),
        "missing": failing(user.dataset_info, "me/missing"),
        "info of gated": failing(user.dataset_info, "me/gated"),
    }}
answers["org"] = failing(api.create_repo, "tom-lab/x", repo_type="dataset")
tell(answers)
""",
    )
    told = told[0][0]
    classes = {
        name: {what: line and line[:2] for what, line in lines.items()} for name, lines in told.items() if name != "org"
    }
    fine, missing = ["nothing", None], "RepositoryNotFoundError"
    everything = ["whoami", "create", "commit", "tag", "x", "hidden", "gated", "info of gated"]
    assert classes["me"] == dict.fromkeys(everything, fine) | {"missing": [missing, 404]}
    forbidden = dict.fromkeys(["create", "commit", "tag"], ["HfHubHTTPError", 403])
    assert classes["read"] == classes["me"] | forbidden
    assert "you must use a write token" in told["read"]["commit"][2]
    hidden = {"hidden": [missing, 404], "gated": ["GatedRepoError", 403]}
    assert classes["somebody"] == classes["me"] | forbidden | hidden
    assert 'You don\'t have the rights to create a dataset under the namespace "me"' in told["somebody"]["create"][2]
    assert classes["nobody"] == {
        "whoami": None,
        "create": ["HfHubHTTPError", 401],
        "commit": [missing, 401],
        "tag": [missing, 401],
        "x": fine,
        "hidden": [missing, 401],
        "gated": ["GatedRepoError", 401],
        "missing": [missing, 401],
        "info of gated": fine,
    }
    # A client takes a 401 for a missing repository unless it says "Invalid credentials".
    elsewhere = dict.fromkeys(["whoami", "create"], ["HfHubHTTPError", 401])
    assert classes["unknown"] == dict.fromkeys([*everything, "missing"], ["HfHubHTTPError", 401])
    assert classes["expired"] == dict.fromkeys([*everything, "missing"], [missing, 401]) | elsewhere
    assert 'User Access Token "me-expired" is expired' in told["expired"]["commit"][2]
    assert "Invalid credentials in Authorization header" in told["unknown"]["commit"][2]
    assert told["org"][0] == "nothing" and "tom-lab/x" in hub.repos
    assert set(hub.repos) == {"me/x", "me/hidden", "me/gated", "me/new-me", "tom-lab/x"}
    assert hub.repos["me/x"].tags.keys() == {"me"} and "me.txt" in hub.repos["me/x"].files()


def test_datasets(hub, tmp_path):
    """Load configs, at a commit and streaming, and push, by the `datasets` library."""
    told = client(
        hub,
        tmp_path,
        """
import datasets
def table(*rows):
    file = io.BytesIO()
    datasets.Dataset.from_dict({"row": list(rows)}).to_parquet(file)
    return file.getvalue()
card = '''---
configs:
- config_name: one
  data_files: [{split: train, path: one/train.parquet}]
- config_name: two
  data_files: [{split: test, path: two/*.parquet}]
---
'''
api.create_repo(**REPO)
first = commit({"README.md": card, "one/train.parquet": table(1, 2), "two/test.parquet": table(3)})
commit({"one/train.parquet": table(4, 5, 6)})
tell(datasets.get_dataset_config_names("me/x"))
tell(datasets.load_dataset("me/x", "one")["train"]["row"][:])
tell(datasets.load_dataset("me/x", "one", revision=first.oid)["train"]["row"][:])
tell([row["row"] for row in datasets.load_dataset("me/x", "two", streaming=True)["test"]])
datasets.Dataset.from_dict({"row": [7]}).push_to_hub("me/pushed", "three")
datasets.Dataset.from_dict({"row": [8]}).push_to_hub("me/pushed", "three", split="test")
loaded = datasets.load_dataset("me/pushed", "three")
tell({split: table["row"][:] for split, table in loaded.items()})
""",
    )
    assert told == [[["one", "two"]], [[4, 5, 6]], [[1, 2]], [[3]], [{"train": [7], "test": [8]}]]


@pytest.mark.parametrize(
    ("card", "error"),
    [
        ("# No metadata\n", "missing yaml"),
        ("---\n- a\n---\n", "should be an object"),
        ("---\na: [\n---\n", "while parsing"),
        ("---\nlicense: mit\nlicense: mit\n---\n", "duplicated mapping key 'license'"),
        ("---\nlicense: mine\n---\n", '"license" must be one of'),
        ("---\nlanguage: English\n---\n", '"English" is not valid'),
        ("---\ntags: a\n---\n", '"tags" must be an array'),
        ("---\nsize_categories: [few]\n---\n", '"size_categories" must be among'),
        ("---\npretty_name: [a]\n---\n", '"pretty_name" must be'),
        ("---\nconfigs: a\n---\n", '"configs" must be an array'),
        ("---\nconfigs: [{data_files: a}]\n---\n", "config_name"),
        ("---\nconfigs: [{config_name: a}, {config_name: a}]\n---\n", 'duplicate value "a"'),
        ("---\nconfigs: [{config_name: a, data_files: [{split: b}]}]\n---\n", "data_files"),
        ("---\ndataset_info: a\n---\n", '"dataset_info" must be'),
    ],
)
def test_card_errors(card, error):
    """Refuse each kind of bad metadata, with one error that names it."""
    errors, _ = check_card(card)
    assert len(errors) == 1 and error in errors[0]


def test_card_by_the_client(hub, tmp_path):
    """Let the client stop at a bad card before anything is uploaded; warn of keys and tasks that nobody knows."""
    hub.create("me/x")
    told = client(
        hub, tmp_path, """tell(*failing(commit, {"README.md": "---\\nlicense: mine\\n---\\n", "a.bin": "a"}))"""
    )
    assert told[0][0] == "ValueError" and '"license" must be one of' in told[0][2]
    assert [request.method + request.path for request in hub.requests[-1:]] == ["POST/api/validate-yaml"]
    assert check_card("---\ntask_categories: [guessing]\nlicence: mit\npretty_name: A\n---\n") == (
        [],
        ['"licence" is not a known key', 'The task_categories "guessing" is not in the official list'],
    )


def test_faults(hub, tmp_path):
    """Fail as asked: each kind of fault, so many times, after so many; and say what was done all the same."""
    repo = hub.create("me/x")
    kinds = ["before", "after", "middle", "status", "slow", "skip", "skip", "none"]
    faults = [
        hub.fail("POST", "/commit/main", cut="before"),
        hub.fail("POST", "/commit/main", cut="after"),
        hub.fail("POST", "/commit/main", cut="middle"),
        hub.fail("POST", "/commit/main", status=429, headers={"Retry-After": "7", "X-Error-Message": "Slow down"}),
        hub.fail("POST", "/commit/main", slow=0.5),
        hub.fail("POST|PUT", "/commit/main", skip=1, body=b'{"error": "Down for a while"}'),
        hub.fail("PUT", "/upload/"),
        hub.fail("GET", "/tree/", times=None, status=404),
        hub.fail("DELETE", ".*"),
    ]
    told = client(
        hub,
        tmp_path,
        f"""
import time
for number, kind in enumerate({kinds!r}):
    start = time.monotonic()
    tell(kind, *failing(commit, {{f"{{number}}.txt": "text"}}), time.monotonic() - start)
commit({{"large.bin": "large"}})
tell(*[failing(lambda: list(api.list_repo_tree(**REPO)))[1] for _ in range(3)])
""",
    )
    errors = [(line[1], line[2]) for line in told[:8]]
    assert errors[:3] == [("cut", None)] * 3
    assert errors[3] == ("HfHubHTTPError", 429) and "Slow down" in told[3][3]
    assert errors[4] == ("nothing", None) and 0.5 <= told[4][4] < 5
    assert errors[5:] == [("nothing", None), ("HfHubHTTPError", 503), ("nothing", None)]
    assert "Down for a while" in told[6][3]
    # A lost or broken answer leaves the commit made; a large file that is refused for a while is put again.
    made = {".gitattributes", "1.txt", "2.txt", "4.txt", "5.txt", "7.txt", "large.bin"}
    assert set(repo.files()) == made
    assert [request.status for request in asked(hub, "POST", "/commit/")] == [0, 0, 200, 429, 200, 200, 503, 200, 200]
    assert [request.status for request in asked(hub, "PUT", "/upload/")] == [503, 200]
    assert told[8] == [404, 404, 404]
    assert [fault.used for fault in faults] == [1, 1, 1, 1, 1, 1, 1, 3, 0]
    hub.reset_log()
    assert hub.requests == []


def test_closing_ends_what_waits():
    """Close at once, though an answer is slow and another connection idle."""
    with Hub() as hub:
        hub.fail("GET", "whoami", slow=60)
        idle = http.client.HTTPConnection(urlsplit(hub.url).netloc, timeout=10)
        idle.request("GET", "/api/datasets/me/x")
        assert idle.getresponse().read()
        errors = []

        def wait():
            try:
                ask(hub.url, "GET", "/api/whoami-v2")
            except OSError as error:
                errors.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        while not asked(hub, "GET", "whoami"):
            time.sleep(0.01)
        start = time.monotonic()
    assert time.monotonic() - start < 5
    thread.join(timeout=5)
    idle.close()
    assert len(errors) == 1 and not hub.connections
    with pytest.raises(OSError):
        ask(hub.url, "GET", "/api/whoami-v2")


def test_served_by_hand(tmp_path):
    """Serve from the command line until interrupted."""
    server = subprocess.Popen(
        [sys.executable, "-m", "fake_hub"],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        told = dict(pair.split("=") for pair in server.stdout.readline().split())
        bearer = {"Authorization": f"Bearer {told['HF_TOKEN']}"}
        status, _, body = ask(told["HF_ENDPOINT"], "GET", "/api/whoami-v2", headers=bearer)
        assert (status, json.loads(body)["name"]) == (200, "me")
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=10) == ("", "Stopped.\n")
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()
