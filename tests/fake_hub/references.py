"""Requests about branches and tags."""

import re

from fake_hub.answers import Answer, as_json, refusal
from fake_hub.call import Call
from fake_hub.repository import Repo


def list_references(call: Call, repo: Repo) -> Answer:
    """List all branches and tags, and pull requests where the query says so."""
    value = {
        "branches": [
            {"name": name, "ref": f"refs/heads/{name}", "targetCommit": oid} for name, oid in repo.branches.items()
        ],
        "converts": [],
        "tags": [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": oid} for name, oid in repo.tags.items()],
    }
    if call.query.get("include_prs") == "1":
        value["pullRequests"] = [
            {"name": ref.removeprefix("refs/"), "ref": ref, "targetCommit": oid} for ref, oid in repo.pulls.items()
        ]
    return as_json(value)


def change_branch(call: Call, repo: Repo, name: str) -> Answer:
    """Create or delete a branch."""
    if call.method == "DELETE":
        if name == "main":
            raise refusal(403, "Cannot delete the default branch")
        if repo.branches.pop(name, None) is None:
            raise refusal(404, f"Invalid rev id: refs/heads/{name}", "RevisionNotFound")
        return as_json({})
    if not name or name.startswith("refs/"):
        raise refusal(400, f"Invalid reference for a branch: refs/heads/{name}")
    if name in repo.branches:
        raise refusal(409, f"Reference already exists: refs/heads/{name}")
    repo.branches[name] = repo.commit_at(call.json_body().get("startingPoint") or "main").oid
    return as_json({})


def change_tag(call: Call, repo: Repo, name: str) -> Answer:
    """Tag a revision (POST, `name` is the revision), or delete a tag."""
    if call.method == "DELETE":
        if repo.tags.pop(name, None) is None:
            raise refusal(404, f"Invalid rev id: refs/tags/{name}", "RevisionNotFound")
        return as_json({})
    tag, commit = call.json_body().get("tag"), repo.commit_at(name)
    if not isinstance(tag, str) or not re.fullmatch(r"(?!.*\.\.)[^\s~^:?*\[\\/-][^\s~^:?*\[\\]*", tag):
        raise refusal(400, f"Invalid tag name: {tag}")
    if tag in repo.tags:
        raise refusal(409, f"Tag reference exists already: {tag}")
    repo.tags[tag] = commit.oid
    return as_json({})
