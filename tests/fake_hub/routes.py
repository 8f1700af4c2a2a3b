"""What the test Hub and its storage answer to each method and path."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from fake_hub.cards import check_card, check_eval
from fake_hub.repository import Blob, Commit, RefusedError, Repo, key_of
from fake_hub.users import USERS, User

if TYPE_CHECKING:
    from fake_hub.hub import Hub

KINDS = {"datasets": "dataset", "spaces": "space"}  # kinds of repositories, by their word in addresses


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the answer to one request."""

    body: bytes = b""  # what is sent, whole
    status: int = 200  # the HTTP status
    headers: Mapping[str, str] = field(default_factory=dict)  # besides those that every answer has


def as_json(value: object, status: int = 200) -> Answer:
    """Answer with JSON."""
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json"})


class Call:
    """Hold one request: its address, its body, its user, and what that user may do."""

    def __init__(self, hub: "Hub", method: str, address: str, headers: Mapping[str, str], body: bytes):
        self.hub, self.method, self.address, self.headers, self.body = hub, method, address, headers, body
        url = urlsplit(address)
        self.segments = [unquote(part) for part in url.path.strip("/").split("/")]
        self.query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        self.token = headers.get("Authorization", "").removeprefix("Bearer ")
        self.user: User | None = None

    def authenticate(self) -> None:
        """Find the owner of the token. Raises RefusedError where the token is not valid."""
        self.user = USERS.get(self.token)
        if self.token and (self.user is None or self.user.expired):
            raise RefusedError(401, "Invalid username or password.")

    def options(self) -> dict[str, Any]:
        """Return the request's body as JSON."""
        return json.loads(self.body or b"{}")

    def owns(self, space: str) -> bool:
        """Return whether a namespace belongs to the user or to one of their organisations."""
        return self.user is not None and space in (self.user.name, *self.user.orgs)

    def require_writer(self, space: str, message: str) -> None:
        """Raise RefusedError where the token may not write, or not to this namespace."""
        if self.user is None:
            raise RefusedError(401, "Invalid username or password.")
        if self.user.role != "write":
            raise RefusedError(403, "Forbidden: you must use a write token to upload to a repository")
        if not self.owns(space):
            raise RefusedError(403, message)

    def find_repo(self, kinds: str, space: str, name: str) -> Repo:
        """Return a repository that the user may see. Raises RefusedError where it is private or does not exist."""
        repo = self.hub.repos.get(key_of(KINDS.get(kinds, kinds), f"{space}/{name}"))
        if repo is None or (repo.private and not self.owns(space)):
            # Clients know a 401 about a repository by its address of https, which is missing here: so the code says it.
            raise RefusedError(404 if self.user else 401, "Repository not found", "RepoNotFound")
        return repo

    def require_reader(self, repo: Repo) -> None:
        """Raise RefusedError where the repository is gated and the user does not own it."""
        if repo.gated and not self.owns(repo.name.partition("/")[0]):
            raise RefusedError(403, f"Access to {repo.kind} {repo.name} is restricted", "GatedRepo")

    def page(self, repo: Repo) -> str:
        """Return the address of a repository's page."""
        return f"{self.hub.url}/{repo.kind}s/{repo.name}"


def answer(call: Call) -> Answer:
    """Answer a request to the Hub itself."""
    call.authenticate()
    match (call.method, *call.segments):
        case ("GET", "api", "whoami-v2"):
            return describe_user(call)
        case ("POST", "api", "validate-yaml"):
            errors = [{"message": message} for message in check_card(call.options()["content"])]
            return as_json({"errors": errors, "warnings": []}, 400 if errors else 200)
        case ("POST", "api", "repos", "create"):
            return create_repo(call)
        case ("GET" | "HEAD", "api", "resolve-cache", kinds, space, name, oid, *path):
            repo = call.find_repo(kinds, space, name)
            return ranged(call, repo.commit_at(oid).files["/".join(path)], {"X-Repo-Commit": oid})
        case (_, "api", kinds, space, name, *rest) if kinds in KINDS:
            return answer_about_repo(call, call.find_repo(kinds, space, name), rest)
        case ("GET" | "HEAD", kinds, space, name, "resolve", *place):
            return resolve(call, call.find_repo(kinds, space, name), *split_revision(place))
        case ("POST", kinds, space, name, "info", "lfs", "objects", "batch"):
            return place_uploads(call, call.find_repo(kinds, space, name.removesuffix(".git")))
    raise RefusedError(404, "Sorry, we can't find the page you are looking for.")


def answer_about_repo(call: Call, repo: Repo, rest: list[str]) -> Answer:
    """Answer a request about one repository, given the path below its name."""
    space = repo.name.partition("/")[0]
    match (call.method, *rest):
        case ("GET",):
            return describe_repo(repo, "main")
        case ("GET", "revision", *rev):
            return describe_repo(repo, "/".join(rev))
        case ("GET", "auth-check"):
            call.require_reader(repo)
            return as_json({})
        case ("GET", "tree", *place):
            return list_folder(call, repo, *split_revision(place))
        case ("POST", "paths-info", *rev):
            is_json = "json" in call.headers.get("Content-Type", "")
            paths = (call.options() if is_json else parse_qs(call.body.decode())).get("paths", [])
            entries = describe_entries(repo.commit_at("/".join(rev)))
            return as_json([entries[path.strip("/")] for path in paths if path.strip("/") in entries])
        case ("GET", "refs"):
            kinds = {"branches": ("heads", repo.branches), "tags": ("tags", repo.tags)}
            return as_json(
                {"converts": []}
                | {
                    kind: [{"name": name, "ref": f"refs/{word}/{name}", "targetCommit": refs[name]} for name in refs]
                    for kind, (word, refs) in kinds.items()
                }
            )
        case ("GET", "commits", *rev):
            return as_json([describe_commit(commit) for commit in repo.history("/".join(rev))])
        case ("POST", "preupload", *rev):
            return choose_uploads(call, repo, "/".join(rev))
        case ("POST", "commit", *rev):
            return make_commit(call, repo, "/".join(rev))
        case ("POST", "branch" | "tag" as kind, *name):
            call.require_writer(space, "Forbidden")
            return make_reference(call, repo, kind, "/".join(name))
        case ("GET", "discussions"):
            return as_json({"count": len(repo.discussions), "start": 0, "discussions": repo.discussions[::-1]})
    raise RefusedError(404, "Sorry, we can't find the page you are looking for.")


def split_revision(place: list[str]) -> tuple[str, str]:
    """Split a path into revision and path. The slashes of a revision such as refs/pr/1 may come unquoted."""
    length = 3 if place[0] == "refs" and len(place) > 2 else 1
    return "/".join(place[:length]), "/".join(place[length:])


# Users and repositories.


def describe_user(call: Call) -> Answer:
    """Describe the owner of the token, and the token."""
    if call.user is None:
        raise RefusedError(401, "Invalid username or password.")
    orgs = [{"type": "org", "name": org, "roleInOrg": "write"} for org in call.user.orgs]
    token = {"displayName": "tests", "role": call.user.role}
    auth = {"type": "access_token", "accessToken": token}
    return as_json({"type": "user", "name": call.user.name, "orgs": orgs, "auth": auth})


def create_repo(call: Call) -> Answer:
    """Create a repository."""
    options = call.options()
    kind, space = options["type"], options.get("organization") or call.user.name
    name = f"{space}/{options['name']}"
    call.require_writer(space, f'You don\'t have the rights to create a {kind} under the namespace "{space}"')
    if kind == "space" and options.get("sdk") != "static":
        raise RefusedError(400, '"sdk" must be one of [static]')
    if key_of(kind, name) in call.hub.repos:
        raise RefusedError(409, f"You already created this {kind} repo")
    repo = call.hub.create(name, kind, options.get("visibility") == "private" or options.get("private") is True)
    return as_json({"url": call.page(repo), "name": name})


def make_reference(call: Call, repo: Repo, kind: str, name: str) -> Answer:
    """Make a branch of this name, or tag a revision, which is then the name."""
    options = call.options()
    if kind == "branch":
        refs, name, rev = repo.branches, name, options.get("startingPoint") or "main"
    else:
        refs, name, rev = repo.tags, options["tag"], name
    if name in refs:
        raise RefusedError(409, f"Reference already exists: {name}")
    refs[name] = repo.commit_at(rev).oid
    return as_json({})


# What a repository holds.


def describe_repo(repo: Repo, rev: str) -> Answer:
    """Describe a repository at a revision."""
    commit = repo.commit_at(rev)
    value = {
        "_id": hashlib.sha1(repo.name.encode()).hexdigest()[:24],
        "id": repo.name,
        "author": repo.name.partition("/")[0],
        "sha": commit.oid,
        "private": repo.private,
        "gated": repo.gated,
        "disabled": False,
        "tags": [],
        "downloads": 0,
        "likes": 0,
        "siblings": [{"rfilename": path} for path in sorted(commit.files)],
    }
    return as_json(value)


def list_folder(call: Call, repo: Repo, rev: str, path: str) -> Answer:
    """List a folder, with all folders below it where the query says recursive."""
    entries = describe_entries(repo.commit_at(rev))
    if path and entries.get(path, {}).get("type") != "directory":
        raise RefusedError(404, f'{path} does not exist on "{rev}"', "EntryNotFound")
    start = f"{path}/" if path else ""
    deep = call.query.get("recursive", "").lower() in ("true", "1")
    below = [entry for name, entry in sorted(entries.items()) if name.startswith(start)]
    return as_json([entry for entry in below if deep or "/" not in entry["path"][len(start) :]])


def describe_entries(commit: Commit) -> dict[str, dict]:
    """Describe every file and folder of a commit, by path."""
    entries = {}
    for path, blob in commit.files.items():
        parts = path.split("/")
        for folder in ("/".join(parts[:depth]) for depth in range(1, len(parts))):
            oid = hashlib.sha1(f"{commit.oid} {folder}".encode()).hexdigest()  # made up: no client compares it
            entries[folder] = {"type": "directory", "oid": oid, "size": 0, "path": folder}
        entries[path] = {"type": "file", "oid": blob.oid, "size": len(blob.data), "path": path}
        if blob.lfs:
            size = len(blob.pointer)
            entries[path]["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": size}
    return entries


def describe_commit(commit: Commit) -> dict:
    """Describe one commit."""
    authors = [{"user": commit.author, "avatar": ""}]
    return dict(id=commit.oid, title=commit.title, message="", authors=authors, date="2026-01-01T00:00:00.000Z")


def resolve(call: Call, repo: Repo, rev: str, path: str) -> Answer:
    """Say where a file lies: a large one in the storage, another in the Hub's own cache."""
    call.require_reader(repo)
    commit = repo.commit_at(rev)
    blob = commit.files.get(path)
    if blob is None:
        raise RefusedError(404, "Entry not found", "EntryNotFound")
    if blob.lfs:
        status, location = 302, call.hub.storage_url + signed(f"/cdn/{repo.kind}s/{repo.name}/{blob.sha256}")
    else:  # relative, as the clients before 1.0 follow no other redirect when they ask for metadata
        status, location = 307, f"/api/resolve-cache/{repo.kind}s/{repo.name}/{commit.oid}/{quote(path)}"
    headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{blob.etag}"', "Location": location}
    return Answer(b"", status, headers | {"X-Linked-Size": str(len(blob.data)), "X-Linked-Etag": f'"{blob.etag}"'})


def ranged(call: Call, blob: Blob, headers: dict[str, str]) -> Answer:
    """Return the bytes of a file, or the range of them that the request names."""
    headers = {"Accept-Ranges": "bytes", "ETag": f'"{blob.etag}"'} | headers
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", call.headers.get("Range", ""))
    if wanted is None:
        return Answer(blob.data, 200, headers)
    start, size = int(wanted[1]), len(blob.data)
    stop = min(int(wanted[2]) + 1, size) if wanted[2] else size
    if start >= stop:
        return Answer(b"", 416, headers | {"Content-Range": f"bytes */{size}"})
    return Answer(blob.data[start:stop], 206, headers | {"Content-Range": f"bytes {start}-{stop - 1}/{size}"})


# Commits.


def choose_uploads(call: Call, repo: Repo, rev: str) -> Answer:
    """Say how each file is to be uploaded, and which contents its path has now."""
    files = []
    for file in call.options()["files"]:
        path, present = file["path"], repo.commit_at(rev).files.get(file["path"])
        mode = "lfs" if repo.is_large(path, file["size"], rev) else "regular"
        line = {"path": path, "uploadMode": mode, "shouldIgnore": repo.is_ignored(path, rev)}
        files.append(line | ({"oid": present.etag} if present else {}))
    return as_json({"files": files, "commitOid": repo.commit_at(rev).oid})


def place_uploads(call: Call, repo: Repo) -> Answer:
    """Say where the client is to put large files: nowhere if the storage has them already."""
    objects = []
    for item in call.options()["objects"]:
        value = {"oid": item["oid"], "size": item["size"], "authenticated": True}
        if item["oid"] not in repo.lfs:
            href = call.hub.storage_url + signed(f"/upload/{repo.kind}s/{repo.name}/{item['oid']}")
            value["actions"] = {"upload": {"href": href, "header": {}}}
        objects.append(value)
    return as_json({"transfer": "basic", "objects": objects, "hash_algo": "sha256"})


def make_commit(call: Call, repo: Repo, rev: str) -> Answer:
    """Make a commit of all operations, or of none where one is refused."""
    pull = call.query.get("create_pr") == "1"
    space = call.user.name if pull and call.user else repo.name.partition("/")[0]
    call.require_writer(space, "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request")
    header, *lines = (json.loads(line) for line in call.body.splitlines() if line.strip())
    parent, title = repo.commit_at(rev), header["value"]["summary"]
    if header["value"].get("parentCommit") not in (None, parent.oid):
        raise RefusedError(412, "A commit has happened since. Please refresh and try again.")
    files = dict(parent.files)
    for line in lines:
        apply_operation(repo, files, line["key"], line["value"])
    if files.get("eval.yaml") != parent.files.get("eval.yaml") and repo.kind == "dataset":
        if errors := check_eval(files["eval.yaml"].data.decode()):
            raise RefusedError(400, f"Your push was rejected because eval.yaml is not valid: {'; '.join(errors)}")
    oid = repo.add_commit(parent.oid, title, call.user.name, files)
    value = {"success": True, "commitOid": oid, "commitUrl": f"{call.page(repo)}/commit/{oid}", "hookOutput": ""}
    if pull:
        value["pullRequestUrl"] = f"{call.page(repo)}/discussions/{repo.open_pull(title, call.user.name, oid)}"
    else:
        repo.set_ref(rev, oid)
    return as_json(value)


def apply_operation(repo: Repo, files: dict[str, Blob], key: str, value: dict) -> None:
    """Apply one operation of a commit to its files, by path."""
    path = value["path"]
    match key:
        case "file":
            files[path] = Blob(base64.b64decode(value["content"], validate=True), False)
        case "lfsFile" if value["oid"] in repo.lfs:
            files[path] = Blob(repo.lfs[value["oid"]], True)
        case "lfsFile":
            raise RefusedError(400, f"Your push was rejected: an LFS pointer pointed to no file: {path}")
        case "deletedFile" if path in files:
            del files[path]
        case _:
            raise RefusedError(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")


# The storage of large files, another host as on the real Hub. It knows no tokens: it takes signed addresses only.


def signed(path: str) -> str:
    """Return an address of the storage with a signature."""
    return f"{path}?{urlencode({'Signature': hashlib.sha256(path.encode()).hexdigest()})}"


def answer_storage(call: Call) -> Answer:
    """Take or give a large file."""
    verb, kinds, space, name, oid = call.segments
    if call.address != signed(urlsplit(call.address).path):
        raise RefusedError(403, "The address is not signed")
    if call.token:
        raise RefusedError(400, "Only one auth mechanism allowed: the token came along")
    repo = call.hub.repos[key_of(KINDS[kinds], f"{space}/{name}")]
    if verb == "cdn":
        return ranged(call, Blob(repo.lfs[oid], True), {})
    if hashlib.sha256(call.body).hexdigest() != oid:
        raise RefusedError(400, "The bytes are not those that were announced")
    repo.lfs[oid] = call.body
    return Answer()
