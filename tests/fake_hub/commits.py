"""Commits as clients send them: how each file is uploaded, and the commit itself, as lines of JSON."""

import base64
import binascii
import json

from fake_hub.answers import Answer, as_json, refusal
from fake_hub.call import Call
from fake_hub.cards import check_eval
from fake_hub.objects import Blob
from fake_hub.repository import LARGE, Repo


def choose_uploads(call: Call, repo: Repo, rev: str) -> Answer:
    """Say how each file is to be uploaded, and which contents its path has now."""
    call.require_commit_access(repo, rev)
    files = []
    for file in call.json_body().get("files", []):
        path, present = file["path"], repo.commit_at(rev).files.get(file["path"])
        large = repo.is_large(path, file["size"], rev)
        line = {"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": repo.is_ignored(path, rev)}
        files.append(line | ({"oid": present.etag} if present else {}))
    return as_json({"files": files, "commitOid": repo.commit_at(rev).oid})


def make_commit(call: Call, repo: Repo, rev: str) -> Answer:
    """Make a commit of all operations, or of none where one is refused."""
    user = call.require_commit_access(repo, rev)
    try:
        lines = [json.loads(line) for line in call.body.splitlines() if line.strip()]
    except ValueError as error:
        raise refusal(400, f"Invalid ndjson: {error}") from error
    if not lines or lines[0].get("key") != "header" or not lines[0]["value"].get("summary"):
        raise refusal(400, "The first line must be a header with a summary")
    header = lines[0]["value"]
    pull = call.query.get("create_pr") == "1"
    parent = repo.commit_at(rev)
    if not pull and rev not in repo.branches and rev not in repo.pulls:
        raise refusal(404, f"Invalid rev id: {rev}", "RevisionNotFound")
    if header.get("parentCommit") not in (None, parent.oid):
        raise refusal(412, "A commit has happened since. Please refresh and try again.")
    files = dict(parent.files)
    for line in sorted(lines[1:], key=lambda line: not line["key"].startswith("deleted")):
        apply_operation(repo, files, line["key"], line["value"])
    if any("/".join(path.split("/")[:depth]) in files for path in files for depth in range(1, path.count("/") + 1)):
        raise refusal(400, "A file cannot also be a folder")
    if repo.kind == "dataset" and "eval.yaml" in files and files["eval.yaml"] != parent.files.get("eval.yaml"):
        if errors := check_eval(files["eval.yaml"].data.decode()):
            raise refusal(400, f"Your push was rejected because eval.yaml is not valid: {'; '.join(errors)}")
    title, text = header["summary"], header.get("description", "")
    commit = repo.add_commit(parent.oid, title, text, user.name, files)
    value = {
        "success": True,
        "commitOid": commit.oid,
        "commitUrl": f"{call.page(repo)}/commit/{commit.oid}",
        "hookOutput": "",
    }
    if pull:
        item = repo.open_pull(title, text, user.name, "open", parent.oid)
        rev = f"refs/pr/{item.num}"
        value["pullRequestUrl"] = f"{call.page(repo)}/discussions/{item.num}"
    repo.set_ref(rev, commit.oid)
    return as_json(value)


def apply_operation(repo: Repo, files: dict[str, Blob], key: str, value: dict) -> None:
    """Apply one operation of a commit to its files, by path."""
    path = value["path"]
    if path.startswith("/") or any(part in ("", ".", "..", ".git") for part in path.rstrip("/").split("/")):
        raise refusal(400, f"Invalid path: {path}")
    match key:
        case "file":
            try:
                data = base64.b64decode(value["content"], validate=True)
            except binascii.Error as error:
                raise refusal(400, f"Invalid base64 of {path}") from error
            if len(data) > LARGE:
                raise refusal(400, f"Your push was rejected because it contains files larger than 10 MiB: {path}")
            files[path] = Blob.make(data, False)
        case "lfsFile":
            data = repo.lfs.get(value["oid"])
            if data is None or value.get("size", len(data)) != len(data):
                raise refusal(
                    400,
                    "Your push was rejected because an LFS pointer pointed to a file that does not exist. "
                    f"Offending file: - {path}",
                )
            files[path] = Blob.make(data, True)
        case "deletedFile":
            if files.pop(path, None) is None:
                raise refusal(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
        case "deletedFolder":
            inside = [name for name in files if name.startswith(path.rstrip("/") + "/")]
            if not inside:
                raise refusal(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
            for name in inside:
                del files[name]
        case _:
            raise refusal(400, f"Unknown operation: {key}")
