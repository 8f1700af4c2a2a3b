"""Fail as a test asks, end at once, and serve by hand."""

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fake_hub import Hub
from fake_hub.clients import logged_requests, run_client, send_request


def test_faults(hub, tmp_path):
    """Fail as a test asks: each kind of fault, as often as it says, and with the work done or not."""
    repo = hub.create("me/x")
    kinds = ["before", "after", "middle", "status", "slow", "skip", "skip", "none"]
    faults = [
        hub.fail("POST", "/commit/main", cut="before"),
        hub.fail("POST", "/commit/main", cut="after"),
        hub.fail("POST", "/commit/main", cut="middle"),
        hub.fail("POST", "/commit/main", status=429, headers={"Retry-After": "7", "X-Error-Message": "Slow down"}),
        hub.fail("POST", "/commit/main", slow=0.5),
        hub.fail("POST|PUT", "/commit/main", skip=1, body=b'{"error": "Down for a while"}'),
        hub.fail("PUT", "/upload/"),
        hub.fail("GET", "/tree/", times=None, status=404),
        hub.fail("DELETE", ".*"),
    ]
    answers = run_client(
        hub,
        tmp_path,
        f"""
import time
for number, kind in enumerate({kinds!r}):
    start = time.monotonic()
    report(kind, *failing(commit, {{f"{{number}}.txt": "text"}}), time.monotonic() - start)
commit({{"large.bin": "large"}})
report(*[failing(lambda: list(api.list_repo_tree(**REPO)))[1] for _ in range(3)])
""",
    )
    errors = [(line[1], line[2]) for line in answers[:8]]
    assert errors[:3] == [("cut", None)] * 3
    assert errors[3] == ("HfHubHTTPError", 429) and "Slow down" in answers[3][3]
    assert errors[4] == ("nothing", None) and 0.5 <= answers[4][4] < 5
    assert errors[5:] == [("nothing", None), ("HfHubHTTPError", 503), ("nothing", None)]
    assert "Down for a while" in answers[6][3]
    # A lost or broken answer leaves the commit made; a large file that is refused for a while is put again.
    made = {".gitattributes", "1.txt", "2.txt", "4.txt", "5.txt", "7.txt", "large.bin"}
    assert set(repo.files()) == made
    assert [request.status for request in logged_requests(hub, "POST", "/commit/")] == [
        0,
        0,
        200,
        429,
        200,
        200,
        503,
        200,
        200,
    ]
    assert [request.status for request in logged_requests(hub, "PUT", "/upload/")] == [503, 200]
    assert answers[8] == [404, 404, 404]
    assert [fault.used for fault in faults] == [1, 1, 1, 1, 1, 1, 1, 3, 0]
    hub.reset_log()
    assert hub.requests == []


def test_a_short_answer_is_whole_by_its_length(hub):
    """Half a body comes, and its announced length is that of the half: only the JSON tells."""
    hub.create("me/x")
    status, _, whole = send_request(hub.url, "GET", "/api/datasets/me/x/refs")
    hub.fail("GET", "/refs", cut="short")
    again, headers, half = send_request(hub.url, "GET", "/api/datasets/me/x/refs")
    assert status == again == 200 and half == whole[: len(whole) // 2] and int(headers["Content-Length"]) == len(half)


def test_closing_ends_what_waits():
    """Close at once, though an answer is slow and another connection idle."""
    with Hub() as hub:
        hub.fail("GET", "whoami", slow=60)
        idle = http.client.HTTPConnection(urlsplit(hub.url).netloc, timeout=10)
        idle.request("GET", "/api/datasets/me/x")
        assert idle.getresponse().read()
        errors = []

        def wait():
            try:
                send_request(hub.url, "GET", "/api/whoami-v2")
            except OSError as error:
                errors.append(error)

        thread = threading.Thread(target=wait)
        thread.start()
        while not logged_requests(hub, "GET", "whoami"):
            time.sleep(0.01)
        start = time.monotonic()
    assert time.monotonic() - start < 5
    thread.join(timeout=5)
    idle.close()
    assert len(errors) == 1 and not hub.connections
    with pytest.raises(OSError):
        send_request(hub.url, "GET", "/api/whoami-v2")


def test_served_by_hand(tmp_path):
    """Serve from the command line until interrupted."""
    server = subprocess.Popen(
        [sys.executable, "-m", "fake_hub"],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        answers = dict(pair.split("=") for pair in server.stdout.readline().split())
        bearer = {"Authorization": f"Bearer {answers['HF_TOKEN']}"}
        status, _, body = send_request(answers["HF_ENDPOINT"], "GET", "/api/whoami-v2", headers=bearer)
        assert (status, json.loads(body)["name"]) == (200, "me")
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=10) == ("", "Stopped.\n")
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()
