"""Requests about the contents of a repository: its description, its files and its history."""

import itertools
import json
from urllib.parse import parse_qs

import yaml

from fake_hub.answers import Answer, as_json, iso, refusal
from fake_hub.call import Call
from fake_hub.cards import front_matter
from fake_hub.objects import Blob, Commit, pointer, tree_oid
from fake_hub.repository import Repo, repo_id


def describe_repo(call: Call, repo: Repo, rev: str) -> Answer:
    """Describe a repository at a revision."""
    commit = repo.commit_at(rev)
    readme = commit.files.get("README.md")
    try:
        card = front_matter(readme.data.decode()) if readme else None
    except (ValueError, yaml.YAMLError):
        card = None
    with_blobs = call.query.get("blobs", "").lower() in ("true", "1")
    value = {
        "_id": repo_id(repo),
        "id": repo.name,
        "author": repo.name.partition("/")[0],
        "sha": commit.oid,
        "lastModified": iso(commit.date),
        "createdAt": iso(repo.created),
        "private": repo.private,
        "gated": repo.gated,
        "disabled": False,
        "tags": card_tags(card),
        "downloads": 0,
        "likes": 0,
        "siblings": [describe_file(path, blob, with_blobs) for path, blob in sorted(commit.files.items())],
        "usedStorage": sum(map(len, repo.lfs.values())),
    }
    if isinstance(card, dict):
        value["cardData"] = json.loads(json.dumps(card, default=str))
    return as_json(value)


def list_folder(call: Call, repo: Repo, rev: str, path: str) -> Answer:
    """List a folder, with all folders below it where the query says recursive."""
    commit = repo.commit_at(rev)
    entries = describe_entries(call, repo, commit)
    if path and entries.get(path, {}).get("type") != "directory":
        raise refusal(404, f'{path} does not exist on "{rev}"', "EntryNotFound")
    start = f"{path}/" if path else ""
    deep = call.query.get("recursive", "").lower() in ("true", "1")
    below = [entry for name, entry in sorted(entries.items()) if name.startswith(start)]
    return as_json([entry for entry in below if deep or "/" not in entry["path"][len(start) :]])


def describe_paths(call: Call, repo: Repo, rev: str) -> Answer:
    """Describe those of the requested paths that exist."""
    if "json" in call.headers.get("Content-Type", ""):
        paths = call.json_body().get("paths", [])
        call.query |= {"expand": str(call.json_body().get("expand", ""))}
    else:
        form = parse_qs(call.body.decode())
        paths = form.get("paths", [])
        call.query |= {"expand": form.get("expand", [""])[-1]}
    entries = describe_entries(call, repo, repo.commit_at(rev))
    return as_json([entries[path.strip("/")] for path in paths if path.strip("/") in entries])


def describe_entries(call: Call, repo: Repo, commit: Commit) -> dict[str, dict]:
    """Describe every file and folder of a commit, by path. Add the last commit of each where the query says expand."""
    expand = call.query.get("expand", "").lower() in ("true", "1")
    folders: dict[str, dict[str, Blob]] = {}
    entries: dict[str, dict] = {}
    for path, blob in commit.files.items():
        parts = path.split("/")
        for depth in range(1, len(parts)):
            folders.setdefault("/".join(parts[:depth]), {})["/".join(parts[depth:])] = blob
        entries[path] = {"type": "file", "oid": blob.oid, "size": blob.size, "path": path}
        if blob.lfs:
            size = len(pointer(blob.sha256, blob.size))
            entries[path]["lfs"] = {"oid": blob.sha256, "size": blob.size, "pointerSize": size}
        if expand:
            entries[path]["securityFileStatus"] = {"status": "safe", "avScan": None, "pickleImportScan": None}
    for path, files in folders.items():
        entries[path] = {"type": "directory", "oid": tree_oid(files), "size": 0, "path": path}
    if expand:
        history = repo.history(commit.oid)
        for path, entry in entries.items():
            last = last_change(history, path)
            entry["lastCommit"] = {"id": last.oid, "title": last.title, "date": iso(last.date)}
    return entries


def last_change(history: list[Commit], path: str) -> Commit:
    """Return the latest commit that changed a file or anything in a folder."""

    def contents(commit: Commit) -> dict[str, Blob]:
        return {name: blob for name, blob in commit.files.items() if name == path or name.startswith(path + "/")}

    for later, earlier in itertools.pairwise(history):
        if contents(later) != contents(earlier):
            return later
    return history[-1]


def describe_file(path: str, blob: Blob, with_blob: bool) -> dict:
    """Describe one file for the description of its repository."""
    value = {"rfilename": path}
    if with_blob:
        value |= {"size": blob.size, "blobId": blob.oid}
        if blob.lfs:
            size = len(pointer(blob.sha256, blob.size))
            value["lfs"] = {"sha256": blob.sha256, "size": blob.size, "pointerSize": size}
    return value


def card_tags(card: object) -> list[str]:
    """Return the tags that the Hub makes of a card."""
    tags = []
    for key in ("task_categories", "language", "license", "size_categories"):
        value = card.get(key, []) if isinstance(card, dict) else []
        tags += [f"{key}:{item}" for item in (value if isinstance(value, list) else [value])]
    return [*tags, *(card.get("tags", []) if isinstance(card, dict) else []), "region:us"]


def list_commits(call: Call, repo: Repo, rev: str) -> Answer:
    """List a commit and all its ancestors, latest first."""
    formatted = "expand[]" in call.query
    return as_json([describe_commit(commit, formatted) for commit in repo.history(rev)])


def describe_commit(commit: Commit, formatted: bool) -> dict:
    """Describe one commit, with its title and message once more where they are to be formatted."""
    value = {
        "id": commit.oid,
        "title": commit.title,
        "message": commit.message,
        "authors": [{"user": commit.author, "avatar": ""}],
        "date": iso(commit.date),
    }
    return value | ({"formatted": {"title": commit.title, "message": commit.message}} if formatted else {})
