"""How the tests of the test Hub ask it: by the real client in a process of its own, and by bare requests."""

import http.client
import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

from fake_hub.users import WRITE

# What the code of a test begins with. `report` prints one line of JSON, `failing` returns the error of a call.
PRELUDE = """
import io, json, os, sys
from huggingface_hub import CommitOperationAdd as Add, CommitOperationDelete as Delete, HfApi, HfFileSystem
from huggingface_hub import hf_hub_download, snapshot_download

api = HfApi()
REPO = {"repo_id": "me/x", "repo_type": "dataset"}

def report(*values):
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


def clean_environment(hub, home, token=WRITE):
    """Return the environment of a client, with nothing of the user's own."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    quiet = {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "PYTHONWARNINGS": "ignore"}
    there = {"HF_ENDPOINT": hub.url, "HF_HOME": str(home), "HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    return kept | quiet | there | ({"HF_TOKEN": token} if token else {})


def run_client(hub, home, code, token=WRITE):
    """Run code with the real client, and return what it reports, line by line."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        env=clean_environment(hub, home, token),
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def send_request(url, method, path, body=None, headers=None):
    """Send one request without any client, and return (status, headers, body)."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def logged_requests(hub, method, part):
    """Return the logged requests of a method whose path holds a part."""
    return [request for request in hub.requests if request.method == method and part in request.path]
