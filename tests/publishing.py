"""What the tests of publishing share: environments, comparisons of a folder with the Hub, and processes."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from fake_hub import WRITE, Hub
from support import ROOT, contents

INITIAL = {".gitattributes"}  # the files of a new repository
NAMING = ("README.md", "eval.yaml", "croissant.json")  # the files that name their repository

STEPS = {
    "whoami": ("GET", "whoami"),
    "info": ("GET", "/api/datasets/me/hi_tom$"),
    "auth": ("GET", "/auth-check"),
    "create": ("POST", "/repos/create"),
    "refs": ("GET", "/refs"),
    "tree": ("GET", "/tree/"),
    "validate": ("POST", "/validate-yaml"),
    "preupload": ("POST", "/preupload/"),
    "batch": ("POST", "/info/lfs/objects/batch"),
    "put": ("PUT", "/upload/"),
    "commit": ("POST", "/commit/"),
    "commits": ("GET", "/commits/"),
    "branch": ("POST", "/branch/"),
    "tag": ("POST", "/tag/"),
    "card": ("GET", "/resolve-cache/.*README.md"),
    "record": ("GET", "/resolve-cache/.*build.json"),
    "table": ("GET|HEAD", "/resolve/.*parquet"),
    "storage": ("GET", "/cdn/"),
}
"""The requests of a publication, for `fail`."""

FAULTS = {
    "down": dict(status=503),
    "cut before": dict(cut="before"),
    "cut in the middle": dict(cut="middle"),
    "lost": dict(cut="after"),
    "half as long": dict(cut="short"),
    "a page": dict(status=200, body=b"<html>"),
    "busy": dict(status=409, body=b'{"error": "Another operation is in progress"}'),
    "slow": dict(slow=2.2),
    "silent": dict(slow=60),
    "wait": dict(status=429, headers={"Retry-After": "1"}),
    "wait an hour": dict(status=429, headers={"Retry-After": "3600"}),
    "wait for the rate": dict(status=429, headers={"RateLimit": '"api";r=0;t=3600'}),
    "wait until a day": dict(status=503, headers={"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"}),
    "expired": dict(status=403, body=b"<Error><Code>A</Code><Message>Request has expired</Message></Error>"),
    "full": dict(status=403, headers={"X-Error-Message": "Storage limit reached"}),
    "a teapot": dict(status=418),
    "private": dict(status=404, headers={"X-Error-Code": "RepoNotFound"}),
    "gated": dict(status=403, headers={"X-Error-Code": "GatedRepo"}),
    "renamed": dict(status=307, headers={"Location": "/api/datasets/me/new"}),
    "without main": dict(status=404, headers={"X-Error-Code": "RevisionNotFound"}),
}
"""How a request fails, for `fail`."""


def fail(hub: Hub, step: str, fault: str, times: int | None = 1, **more):
    """Let a step of a publication fail a number of times, or always."""
    return hub.fail(*STEPS[step], times, **(FAULTS[fault] | more))


def client_environment(hub: Hub, home: Path, token: str = WRITE, **more: str) -> dict[str, str]:
    """Return the environment of a process that uses the test Hub, with no setting of the user's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "MAKE", "MFL"))}
    there = {"HF_ENDPOINT": hub.url, "HF_TOKEN": token, "HF_HOME": str(home), "NO_PROXY": "127.0.0.1"}
    return {**kept, **there, "HF_HUB_DISABLE_XET": "1", "PYTHONPATH": str(ROOT), **more}


def start_publishing(hub: Hub, home: Path, out: Path | str, *words: str, grace: float = 5.0, cwd: Path = ROOT, **more):
    """Start a process that publishes. `grace`: the seconds that uploads under way have after an interrupt."""
    code = (
        "import sys; from tom_datasets.hub import interrupts; from tom_datasets.__main__ import main; "
        f"interrupts.GRACE = {grace}; sys.exit(main())"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, "publish", "--out", out, "--namespace", "me", "--probe", "none", *words],
        env=client_environment(hub, home, **more),
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def folder_files(out: Path, name: str = "hi_tom") -> dict[str, bytes]:
    """Return the bytes of every file of a built folder, by path."""
    return contents(out / name)


def published_files(out: Path, name: str = "hi_tom", namespace: str = "me") -> dict[str, bytes]:
    """Return the files of a built folder as they are published, by path: those of NAMING name the repository."""
    files, repo = folder_files(out, name), f"{namespace}/{name}"
    record = json.loads(files["build.json"])
    for path in NAMING:
        text = files[path].replace(f'load_dataset("./{name}"'.encode(), f'load_dataset("{repo}"'.encode())
        files[path] = text = text.replace(f"NAMESPACE/{name}".encode(), repo.encode())
        record["files"][path] |= {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
    return {**files, "build.json": (json.dumps(record, indent=2) + "\n").encode()}


def changed_files(before: Path, after: Path) -> set[str]:
    """Return which files of the second build of hi_tom differ from the first: all but the tasks for Inspect."""
    changed = {path for path, data in folder_files(after).items() if folder_files(before)[path] != data}
    assert folder_files(after).keys() - changed == {"eval.yaml"}
    return changed


def put_directly(hub: Hub, out: Path) -> None:
    """Put a build of hi_tom on the Hub as if it had been published."""
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", published_files(out), user="me")
    hub.reset_log()


def holds(hub: Hub, out: Path, ref: str = "main", name: str = "hi_tom", also: set = INITIAL) -> bool:
    """Return whether the Hub has the files of a folder as published, the files named in `also`, and no others."""
    there = hub.repos[f"me/{name}"].files(ref)
    ours = {path: data for path, data in there.items() if path not in also}
    return ours == published_files(out, name) and also <= set(there)


def assert_refused(result: tuple[int, str, str], *words: str) -> str:
    """Assert that nothing was published, and that the last line says why, with these words; return that line."""
    code, printed, errors = result
    assert code == 1, errors
    last = errors.splitlines()[-1]
    assert last.startswith("error: ") and "published:" not in printed
    for word in words:
        assert word in last
    return last


def writing_requests(hub: Hub) -> list[str]:
    """Return the requests that change something."""
    return [f"{request.method} {request.path}" for request in hub.requests if request.method not in ("GET", "HEAD")]
