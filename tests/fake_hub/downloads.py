"""Downloads: where a file lies, small files themselves, and ranges of bytes."""

import re
from urllib.parse import quote, urlencode, urlsplit

from fake_hub.answers import Answer, refusal
from fake_hub.call import Call
from fake_hub.objects import Commit
from fake_hub.repository import Repo


def resolve(call: Call, repo: Repo, rev: str, path: str) -> Answer:
    """Say where a file lies: a large one in the storage, another in the Hub's own cache."""
    call.require_read_access(repo)
    commit = repo.commit_at(rev)
    blob = commit.files.get(path)
    if blob is None:
        raise refusal(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.oid})
    headers = {
        "X-Repo-Commit": commit.oid,
        "Accept-Ranges": "bytes",
        "ETag": f'"{blob.etag}"',
        "X-Linked-Size": str(blob.size),
        "X-Linked-Etag": f'"{blob.etag}"',
    }
    if blob.lfs:
        name = quote(path.rpartition("/")[2])
        address = f"/cdn/{repo.kind}s/{repo.name}/{blob.sha256}?filename={name}"
        location = call.hub.storage_url + call.hub.sign(address)
        return Answer(302, f"Found. Redirecting to {location}".encode(), headers | {"Location": location})
    where = f"{repo.kind}s/{repo.name}/{commit.oid}/{quote(path)}"
    # Relative, as the clients before 1.0 follow no other redirect when they ask for metadata.
    location = f"/api/resolve-cache/{where}?{urlencode({urlsplit(call.address).path: '', 'etag': headers['ETag']})}"
    body = f"Temporary Redirect. Redirecting to {location}".encode()
    return Answer(307, body, headers | {"Location": location})


def cached_file(call: Call, commit: Commit, path: str) -> Answer:
    """Return a small file, from the Hub's own cache."""
    repo = call.find_repo(*call.segments[2:5])
    call.require_read_access(repo)
    blob = commit.files.get(path)
    if blob is None or blob.lfs:
        raise refusal(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.oid})
    name = quote(path.rpartition("/")[2])
    headers = {
        "ETag": f'"{blob.etag}"',
        "X-Repo-Commit": commit.oid,
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Disposition": f"inline; filename*=UTF-8''{name}; filename=\"{name}\";",
    }
    return ranged(call, blob.data, headers)


def ranged(call: Call, data: bytes, headers: dict[str, str]) -> Answer:
    """Return bytes, or the range of them that the request names."""
    headers = {"Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"} | headers
    wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", call.headers.get("Range", ""))
    if wanted is None or wanted.groups() == ("", ""):
        return Answer(200, data, headers)
    first, last = wanted.groups()
    if first == "":
        start, stop = max(0, len(data) - int(last)), len(data)
    else:
        start, stop = int(first), min(int(last) + 1 if last else len(data), len(data))
    if start >= stop:
        return Answer(416, b"", headers | {"Content-Range": f"bytes */{len(data)}"})
    return Answer(206, data[start:stop], headers | {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"})
