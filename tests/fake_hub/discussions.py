"""Requests about discussions and pull requests."""

import hashlib

from fake_hub.answers import Answer, as_json, iso, refusal
from fake_hub.call import Call
from fake_hub.repository import Discussion, Repo
from fake_hub.users import User


def answer(call: Call, repo: Repo, which: list[str]) -> Answer:
    """List, show, open, close or merge discussions and pull requests."""
    match (call.method, *which):
        case ("GET",):
            shown = [item for item in reversed(repo.discussions) if is_wanted(call, item)]
            return as_json(
                {
                    "count": len(shown),
                    "start": 0,
                    "discussions": [describe_discussion(call, repo, item) for item in shown],
                    "numClosedDiscussions": sum(item.status in ("closed", "merged") for item in repo.discussions),
                }
            )
        case ("POST",):
            options, user = call.json_body(), call.require_writer()
            title, text = str(options.get("title", "")), str(options.get("description", ""))
            if len(title) < 3:
                raise refusal(400, '"title" length must be at least 3 characters long')
            if options.get("pullRequest"):
                item = repo.open_pull(title, text, user.name, "draft", repo.head())
            else:
                item = repo.open_discussion(title, text, user.name, False, "open")
            return as_json(describe_discussion(call, repo, item) | {"pullRequest": item.is_pull_request})
        case ("GET", number):
            return as_json(describe_details(call, repo, find_discussion(repo, number)))
        case ("POST", number, "status"):
            item = find_discussion(repo, number)
            call.require_write_access(repo, pull=call.user is not None and call.user.name == item.author)
            item.status = call.json_body().get("status", item.status)
            return as_json({"newStatus": describe_event(item, "status-change", {"status": item.status})})
        case ("POST", number, "merge"):
            item = find_discussion(repo, number)
            user = call.require_write_access(repo)
            return merge(repo, item, user)
    raise refusal(404, "Sorry, we can't find the page you are looking for.")


def merge(repo: Repo, item: Discussion, user: User) -> Answer:
    """Merge a pull request: make on main the changes that it made since its base."""
    if not item.is_pull_request or item.status not in ("open", "draft"):
        raise refusal(400, "This pull request cannot be merged")
    base, head, main = repo.commit_at(item.base), repo.commit_at(f"refs/pr/{item.num}"), repo.commit_at("main")
    changed = {path for path in base.files | head.files if base.files.get(path) != head.files.get(path)}
    if any(main.files.get(path) != base.files.get(path) for path in changed):
        raise refusal(409, "This pull request has conflicts")
    files = {path: blob for path, blob in main.files.items() if path not in changed}
    files |= {path: head.files[path] for path in changed if path in head.files}
    commit = repo.add_commit(main.oid, f"{item.title} (#{item.num})", "", user.name, files)
    repo.set_ref("main", commit.oid)
    item.status, item.merged = "merged", commit.oid
    return as_json({"newStatus": describe_event(item, "status-change", {"status": "merged"})})


def is_wanted(call: Call, item: Discussion) -> bool:
    """Return whether the query asks for this discussion."""
    kinds = {"pull_request": True, "discussion": False}
    state = "open" if item.status in ("open", "draft") else "closed"
    return (
        kinds.get(call.query.get("type", ""), item.is_pull_request) == item.is_pull_request
        and call.query.get("status", "all") in ("all", state)
        and call.query.get("author", item.author) == item.author
    )


def find_discussion(repo: Repo, number: str) -> Discussion:
    """Return the discussion of this number."""
    for item in repo.discussions:
        if str(item.num) == number:
            return item
    raise refusal(404, "Discussion not found", "EntryNotFound")


def describe_discussion(call: Call, repo: Repo, item: Discussion) -> dict:
    """Describe a discussion."""
    return {
        "num": item.num,
        "title": item.title,
        "author": {"name": item.author, "type": "user"},
        "createdAt": iso(item.date),
        "status": item.status,
        "repo": {"name": repo.name, "type": repo.kind},
        "isPullRequest": item.is_pull_request,
        "url": f"{call.page(repo)}/discussions/{item.num}",
    }


def describe_details(call: Call, repo: Repo, item: Discussion) -> dict:
    """Describe a discussion with its events: its first comment, and the commits of a pull request."""
    text = {"raw": item.description, "html": item.description, "updatedAt": iso(item.date)}
    comment = {"edited": False, "hidden": False, "latest": text, "history": [text], "numEdits": 0}
    value = describe_discussion(call, repo, item) | {"events": [describe_event(item, "comment", comment)]}
    if not item.is_pull_request:
        return value
    for commit in reversed(repo.history(f"refs/pr/{item.num}")):
        if commit not in repo.history(item.base):
            value["events"].append(describe_event(item, "commit", {"subject": commit.title, "oid": commit.oid}))
    changes = {"base": "refs/heads/main"} | ({"mergeCommitId": item.merged} if item.merged else {})
    return value | {"changes": changes, "filesWithConflicts": [], "diff": ""}


def describe_event(item: Discussion, kind: str, data: dict) -> dict:
    """Describe one event of a discussion."""
    return {
        "id": hashlib.sha1(f"{item.num} {kind} {data}".encode()).hexdigest()[:24],
        "type": kind,
        "createdAt": iso(item.date),
        "author": {"name": item.author, "type": "user"},
        "data": data,
    }
