"""Send by LFS where Xet fails. No test can send by Xet: its servers speak a protocol that the test Hub does not."""

import importlib.util
import json
import socket
import time

import huggingface_hub
import pytest
from publishing import holds, start_publishing

pytestmark = pytest.mark.slow

HUB_CHOOSES = int(huggingface_hub.__version__.split(".")[0]) < 2
"""Whether the client asks the Hub by which of both to send, as it did before 2.0."""

HAS_XET = importlib.util.find_spec("hf_xet") is not None


@pytest.fixture
def closed_port():
    """Hold a port that nothing listens on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.mark.skipif(not HAS_XET, reason="the client has no Xet here")
@pytest.mark.parametrize("kind", ["a Hub without Xet", "servers of Xet that cannot be reached"])
def test_files_travel_by_lfs_after_one_failure_of_xet(hub, one, tmp_path, closed_port, kind):
    """The client alone would end at once with an error, or try for minutes."""
    if kind != "a Hub without Xet":
        connection = {
            "X-Xet-Cas-Url": f"http://127.0.0.1:{closed_port}",
            "X-Xet-Access-Token": "of Xet",
            "X-Xet-Token-Expiration": str(int(time.time()) + 3600),
        }
        body = {"casUrl": connection["X-Xet-Cas-Url"], "accessToken": "of Xet", "exp": int(time.time()) + 3600}
        hub.fail("GET", "/xet-write-token/", None, 200, connection, json.dumps(body).encode())
    if HUB_CHOOSES:
        hub.fail("POST", "/objects/batch", status=200, body=b'{"transfer": "xet", "objects": []}')
    process = start_publishing(hub, tmp_path, one, HF_HUB_DISABLE_XET="0")
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    (line,) = errors.splitlines()
    assert line.startswith("me/hi_tom, committing: Xet failed (") and line.endswith("; sending by LFS")
    assert holds(hub, one) and len(hub.repos["me/hi_tom"].commits) == 2 and "published: " in printed
    assert sum("/xet-write-token/" in request.path for request in hub.requests) == 1
