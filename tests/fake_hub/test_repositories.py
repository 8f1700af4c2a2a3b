"""Let the real client make repositories, commit, name and propose; the Hub refuses what the real one refuses."""

import hashlib

from fake_hub import EXPIRED, READ, SOMEBODY, USERS, Blob, tree_oid
from fake_hub.clients import run_client

CARD = "---\nlicense: apache-2.0\nlanguage: en\n---\n# A card\n"


def test_git_names():
    """Name blobs and trees as Git does: the constants come from git hash-object and git write-tree."""
    small = {"a": b"hello\n", "d/e/b": b"x", "d.txt": b"y", "d-1": b"z"}
    files = {path: Blob.make(data, False) for path, data in small.items()}
    assert files["a"].oid == "ce013625030ba8dba906f756967f9e9ca394464a"
    assert tree_oid(files) == "44e966ed6c4fb7097f8c0f1739bf09edcaf5f478"
    assert tree_oid({}) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_tokens_look_like_tokens():
    """Give every user a token of the length and the letters of a real one."""
    assert all(len(token) == 37 and token[:3] == "hf_" and token[3:].isalnum() for token in USERS)
    assert len(USERS) == 4


def test_a_gitignore_keeps_files_out_without_an_error(hub, tmp_path):
    """The client sends what the Hub does not ignore, and reports a commit all the same."""
    repo = hub.create("me/x")
    hub.commit_as("me/x", {".gitignore": b"*.parquet\na/b.json\n"})
    sent = {path: "text" for path in ("a/one.parquet", "a/b.json", "b.json", "a/c.json")}
    (line,) = run_client(hub, tmp_path, f"report(commit({sent!r}).oid)")
    assert line == [repo.head()] and set(repo.files()) == {".gitattributes", ".gitignore", "b.json", "a/c.json"}


def test_commit_and_list(hub, tmp_path):
    """Create, commit small and large files, list them; a commit that changes nothing makes no commit."""
    answers = run_client(
        hub,
        tmp_path,
        f"""
report(api.whoami()["name"], api.whoami()["auth"]["accessToken"]["role"])
report(str(api.create_repo(**REPO, private=True)), str(api.create_repo(**REPO, exist_ok=True)))
report(*failing(api.create_repo, **REPO))
files = {{"README.md": {CARD!r}, "a/one.parquet": "large", "empty.parquet": "", "code.txt": "small"}}
first = commit(files)
again = commit(files)
report(first.oid, again.oid)
info = api.dataset_info("me/x", files_metadata=True)
report(info.sha, info.private, info.gated, info.card_data.to_dict(), [s.rfilename for s in info.siblings])
report([[e.path, getattr(e, "size", None), e.lfs.sha256 if getattr(e, "lfs", None) else None, e.last_commit.title]
      for e in api.list_repo_tree(**REPO, recursive=True, expand=True)])
report([e.path for e in api.list_repo_tree(**REPO)], [e.path for e in api.list_repo_tree(**REPO, path_in_repo="a")])
report(*failing(lambda: list(api.list_repo_tree(**REPO, path_in_repo="nowhere"))))
report([e.path for e in api.get_paths_info(**REPO, paths=["a", "code.txt", "nothing"])])
api.create_commit(**REPO, operations=[Delete("a/"), Delete("code.txt")], commit_message="less")
report(*failing(api.create_commit, **REPO, operations=[Delete("code.txt")], commit_message="less"))
report([[c.title, c.authors] for c in api.list_repo_commits(**REPO)])
api.update_repo_settings(**REPO, private=False, gated="manual")
api.delete_repo("me/y", repo_type="dataset", missing_ok=True)
report(*failing(api.delete_repo, "me/y", repo_type="dataset"))
""",
    )
    repo = hub.repos["me/x"]
    first = repo.commits[1]
    large = hashlib.sha256(b"large").hexdigest()
    page = f"{hub.url}/datasets/me/x"
    names = [".gitattributes", "README.md", "a/one.parquet", "code.txt", "empty.parquet"]
    card = {"license": "apache-2.0", "language": "en"}
    assert answers[:2] == [["me", "write"], [page, page]]
    assert answers[2][:2] == ["HfHubHTTPError", 409] and "already created" in answers[2][2]
    assert answers[3] == [first.oid, first.oid]
    assert answers[4] == [first.oid, True, False, card, names]
    assert [line[0] for line in answers[5][0]] == [*names[:2], "a", *names[2:]]
    assert answers[5][0][3] == ["a/one.parquet", 5, large, "of the client"]
    assert answers[5][0][0][3] == "initial commit"
    assert answers[6] == [[".gitattributes", "README.md", "a", "code.txt", "empty.parquet"], ["a/one.parquet"]]
    assert answers[7][:2] == ["EntryNotFoundError", 404]
    assert answers[8] == [["a", "code.txt"]]
    assert answers[9][:2] == ["EntryNotFoundError", 404] and "A file with this name doesn't exist" in answers[9][2]
    assert answers[10] == [[["less", ["me"]], ["of the client", ["me"]], ["initial commit", ["me"]]]]
    assert answers[11][:2] == ["RepositoryNotFoundError", 404]
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


def test_names(hub, tmp_path):
    """Create and delete branches and tags; refuse to create twice, or to delete what does not exist."""
    first = hub.create("me/x").head()
    second = hub.commit_as("me/x", {"a.txt": b"a"})
    answers = run_client(
        hub,
        tmp_path,
        f"""
api.create_branch(**REPO, branch="old", revision={first!r})
api.create_tag(**REPO, tag="v1", tag_message="one")
report(*failing(api.create_branch, **REPO, branch="old"))
report(*failing(api.create_tag, **REPO, tag="v1"))
report(*failing(api.create_branch, **REPO, branch="new", revision="nothing"))
report(*failing(api.delete_branch, **REPO, branch="nothing"))
report(*failing(api.delete_branch, **REPO, branch="main"))
report(*failing(api.delete_tag, **REPO, tag="nothing"))
refs = api.list_repo_refs(**REPO)
report({{ref.ref: ref.target_commit for ref in refs.branches + refs.tags}})
commit({{"b.txt": "b"}}, revision="old")
report(api.list_repo_files(**REPO, revision="old"), api.dataset_info("me/x", revision="v1").sha)
report(*failing(commit, {{"b.txt": "c"}}, revision="v1"))
api.delete_branch(**REPO, branch="old")
api.delete_tag(**REPO, tag="v1")
""",
    )
    assert [line[:2] for line in answers[:6]] == [
        ["HfHubHTTPError", 409],
        ["HfHubHTTPError", 409],
        ["RevisionNotFoundError", 404],
        ["RevisionNotFoundError", 404],
        ["HfHubHTTPError", 403],
        ["RevisionNotFoundError", 404],
    ]
    assert answers[6] == [{"refs/heads/main": second, "refs/heads/old": first, "refs/tags/v1": second}]
    assert answers[7] == [[".gitattributes", "b.txt"], second]
    assert answers[8][:2] == ["RevisionNotFoundError", 404]
    assert hub.repos["me/x"].refs == {"main": second}


def test_pull_requests(hub, tmp_path):
    """Open pull requests by a commit and by hand, also as a stranger; commit onto them, list them, merge one."""
    hub.create("me/x")
    answers = run_client(
        hub,
        tmp_path,
        f"""
stranger = HfApi(token={SOMEBODY!r})
report(*failing(commit, {{"a.txt": "a"}}, stranger))
made = commit({{"a.txt": "a"}}, stranger, create_pr=True)
report(made.pr_url, made.pr_revision, made.pr_num)
commit({{"b.bin": "b"}}, stranger, revision="refs/pr/1")
opened = api.create_pull_request("me/x", "By hand", repo_type="dataset")
commit({{"c.txt": "c"}}, revision=opened.git_reference)
report(*failing(commit, {{"d.txt": "d"}}, stranger, revision="refs/pr/2"))
report([[d.num, d.title, d.status, d.author] for d in api.get_repo_discussions("me/x", repo_type="dataset")])
shown = {{"repo_id": "me/x", "repo_type": "dataset", "discussion_type": "pull_request", "discussion_status": "open"}}
report([d.num for d in api.get_repo_discussions(**shown, author="somebody")])
report(sorted(ref.ref for ref in api.list_repo_refs(**REPO, include_pull_requests=True).pull_requests))
report(api.list_repo_files(**REPO, revision="refs/pr/1"))
report(*failing(stranger.merge_pull_request, "me/x", 1, repo_type="dataset"))
api.merge_pull_request("me/x", 1, repo_type="dataset")
details = api.get_discussion_details("me/x", 1, repo_type="dataset")
report(details.status, details.merge_commit_oid, [e.summary for e in details.events if e.type == "commit"])
""",
    )
    repo = hub.repos["me/x"]
    assert answers[0][:2] == ["HfHubHTTPError", 403] and "create_pr=1" in answers[0][2]
    assert answers[1] == [f"{hub.url}/datasets/me/x/discussions/1", "refs/pr/1", 1]
    assert answers[2][:2] == ["HfHubHTTPError", 403]
    assert answers[3] == [[[2, "By hand", "draft", "me"], [1, "of the client", "open", "somebody"]]]
    assert answers[4:7] == [[[1]], [["refs/pr/1", "refs/pr/2"]], [[".gitattributes", "a.txt", "b.bin"]]]
    assert answers[7][:2] == ["HfHubHTTPError", 403]
    assert answers[8] == ["merged", repo.head(), ["of the client", "of the client"]]
    assert set(repo.files()) == {".gitattributes", "a.txt", "b.bin"} and "c.txt" in repo.files("refs/pr/2")


def test_stale_parent(hub, tmp_path):
    """Refuse a commit whose parent is no longer the head, even where another commit comes at the last moment."""
    hub.create("me/x")
    hub.fail("POST", "/commit/main", then=lambda hub: hub.commit_as("me/x", {"theirs.txt": b"theirs"}))
    answers = run_client(
        hub,
        tmp_path,
        """
head = api.dataset_info("me/x").sha
report(*failing(commit, {"ours.txt": "ours"}, parent_commit=head))
report(*failing(commit, {"ours.txt": "ours"}, parent_commit=head))
report(*failing(commit, {"ours.txt": "ours"}, parent_commit=api.dataset_info("me/x").sha))
""",
    )
    assert [line[:2] for line in answers] == [["HfHubHTTPError", 412], ["HfHubHTTPError", 412], ["nothing", None]]
    assert "A commit has happened since" in answers[0][2]
    assert set(hub.repos["me/x"].files()) == {".gitattributes", "ours.txt", "theirs.txt"}
    assert hub.repos["me/x"].commit_at("main").author == "me"


def test_access(hub, tmp_path):
    """Say to every token what the real Hub says."""
    for name, settings in {"x": {}, "hidden": {"private": True}, "gated": {"gated": "manual"}}.items():
        hub.create(f"me/{name}", **settings)
        hub.commit_as(f"me/{name}", {f"{name}.txt": b"a"})
    answers = run_client(
        hub,
        tmp_path,
        f"""
who = {{"me": api, "read": HfApi(token={READ!r}), "expired": HfApi(token={EXPIRED!r}), "unknown": HfApi(token="hf_no"),
       "somebody": HfApi(token={SOMEBODY!r}), "nobody": HfApi(token=False)}}
replies, to = {{}}, {str(tmp_path)!r} + "/"
for name, user in who.items():
    replies[name] = {{
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
replies["org"] = failing(api.create_repo, "tom-lab/x", repo_type="dataset")
report(replies)
""",
    )
    answers = answers[0][0]
    classes = {
        name: {what: line and line[:2] for what, line in lines.items()}
        for name, lines in answers.items()
        if name != "org"
    }
    fine, missing = ["nothing", None], "RepositoryNotFoundError"
    everything = ["whoami", "create", "commit", "tag", "x", "hidden", "gated", "info of gated"]
    assert classes["me"] == dict.fromkeys(everything, fine) | {"missing": [missing, 404]}
    forbidden = dict.fromkeys(["create", "commit", "tag"], ["HfHubHTTPError", 403])
    assert classes["read"] == classes["me"] | forbidden
    assert "you must use a write token" in answers["read"]["commit"][2]
    hidden = {"hidden": [missing, 404], "gated": ["GatedRepoError", 403]}
    assert classes["somebody"] == classes["me"] | forbidden | hidden
    assert 'You don\'t have the rights to create a dataset under the namespace "me"' in answers["somebody"]["create"][2]
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
    assert 'User Access Token "me-expired" is expired' in answers["expired"]["commit"][2]
    assert "Invalid credentials in Authorization header" in answers["unknown"]["commit"][2]
    assert answers["org"][0] == "nothing" and "tom-lab/x" in hub.repos
    assert set(hub.repos) == {"me/x", "me/hidden", "me/gated", "me/new-me", "tom-lab/x"}
    assert hub.repos["me/x"].tags.keys() == {"me"} and "me.txt" in hub.repos["me/x"].files()
