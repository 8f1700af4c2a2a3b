"""Requests about users and cards, and requests that make, delete or set up repositories."""

import hashlib
import re

from fake_hub.answers import Answer, as_json, refusal
from fake_hub.call import Call
from fake_hub.cards import check_card
from fake_hub.repository import KINDS, Repo, key_of, repo_id


def describe_user(call: Call) -> Answer:
    """Describe the owner of the token, and the token."""
    if call.user is None:
        raise refusal(401, "Invalid username or password.")
    user = call.user
    return as_json(
        {
            "type": "user",
            "id": hashlib.sha1(user.name.encode()).hexdigest()[:24],
            "name": user.name,
            "fullname": user.name,
            "email": f"{user.name}@example.org",
            "emailVerified": True,
            "canPay": False,
            "isPro": False,
            "avatarUrl": "",
            "orgs": [
                {
                    "type": "org",
                    "id": org,
                    "name": org,
                    "fullname": org,
                    "roleInOrg": "write",
                    "isEnterprise": False,
                }
                for org in user.orgs
            ],
            "auth": {
                "type": "access_token",
                "accessToken": {
                    "displayName": user.label,
                    "role": user.role,
                    "createdAt": "2026-01-01T00:00:00.000Z",
                },
            },
        }
    )


def validate_card(call: Call) -> Answer:
    """Check the metadata of a card."""
    options = call.json_body()
    errors, warnings = check_card(options.get("content", ""), options.get("repoType", "dataset"))
    value = {
        "errors": [{"message": message} for message in errors],
        "warnings": [{"message": message} for message in warnings],
    }
    return as_json(value, 400 if errors else 200)


def create_repo(call: Call) -> Answer:
    """Create a repository."""
    user, options = call.require_writer(), call.json_body()
    kind, space = options.get("type") or "model", options.get("organization") or user.name
    name = f"{space}/{options.get('name', '')}"
    if kind not in KINDS.values():
        raise refusal(400, f'Invalid repository type "{kind}"')
    if kind == "space" and options.get("sdk") not in ("static", "docker", "gradio"):
        raise refusal(400, '"sdk" must be one of [gradio, docker, static]')
    if not re.fullmatch(r"(?!.*(--|\.\.))[\w-][\w.-]{0,94}[\w-]|[\w-]", name.partition("/")[2], re.ASCII):
        raise refusal(400, f'Invalid repository name "{name}"')
    if not call.owns(space):
        raise refusal(403, f'You don\'t have the rights to create a {kind} under the namespace "{space}"')
    repo = call.hub.repos.get(key_of(kind, name))
    if repo is not None:
        message = f"You already created this {kind} repo"
        return as_json({"error": message, "url": call.page(repo)}, 409, {"X-Error-Message": message})
    private = options.get("visibility") == "private" or options.get("private") is True
    repo = call.hub.repos[key_of(kind, name)] = Repo(kind, name, user.name, private)
    return as_json({"url": call.page(repo), "name": name, "id": repo_id(repo)})


def delete_repo(call: Call) -> Answer:
    """Delete a repository."""
    user, options = call.require_writer(), call.json_body()
    kind, space = options.get("type") or "model", options.get("organization") or user.name
    repo = call.find_repo(f"{kind}s", space, options.get("name", ""))
    if not call.owns(space):
        raise refusal(403, f'You don\'t have the rights to delete a {kind} under the namespace "{space}"')
    del call.hub.repos[key_of(kind, repo.name)]
    return as_json({})


def change_settings(call: Call, repo: Repo) -> Answer:
    """Change who may see a repository."""
    call.require_write_access(repo)
    options = call.json_body()
    if options.get("visibility", "public") not in ("public", "private"):
        raise refusal(400, '"visibility" must be one of [public, private]')
    if options.get("gated", False) not in (False, "auto", "manual"):
        raise refusal(400, '"gated" must be one of [auto, manual, false]')
    if "visibility" in options or "private" in options:
        repo.private = options.get("visibility") == "private" or options.get("private") is True
    repo.gated = options.get("gated", repo.gated)
    return as_json({"private": repo.private, "gated": repo.gated})
