"""Send by LFS where Xet fails. No test can send by Xet: its servers speak a protocol that the test Hub does not."""

import json
import socket
import time

import huggingface_hub
import pytest
from publishing import holds, start_publishing

pytestmark = pytest.mark.slow

pytest.importorskip("hf_xet", reason="the client has no Xet here")

HUB_CHOOSES = int(huggingface_hub.__version__.split(".")[0]) < 2
"""Whether the client asks the Hub by which of both to send, as it did before 2.0."""


@pytest.mark.parametrize("kind", ["a Hub without Xet", "servers of Xet that cannot be reached"])
def test_files_travel_by_lfs_after_one_failure_of_xet(hub, one, tmp_path, kind):
    """The client alone would end at once with an error, or try for minutes."""
    with socket.socket() as nobody:  # listens on this port
        nobody.bind(("127.0.0.1", 0))
        there, expires = f"http://127.0.0.1:{nobody.getsockname()[1]}", int(time.time()) + 3600
        if kind != "a Hub without Xet":
            names = {"X-Xet-Cas-Url": there, "X-Xet-Access-Token": "x", "X-Xet-Token-Expiration": str(expires)}
            body = json.dumps({"casUrl": there, "accessToken": "x", "exp": expires}).encode()
            hub.fail("GET", "/xet-write-token/", None, 200, headers=names, body=body)
        if HUB_CHOOSES:
            hub.fail("POST", "/objects/batch", status=200, body=b'{"transfer": "xet", "objects": []}')
        process = start_publishing(hub, tmp_path, one, HF_HUB_DISABLE_XET="0")
        printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    (line,) = errors.splitlines()
    assert line.startswith("me/hi_tom, committing: Xet failed (") and line.endswith("; sending by LFS")
    assert holds(hub, one) and len(hub.repos["me/hi_tom"].commits) == 2 and "published: " in printed
    assert sum("/xet-write-token/" in request.path for request in hub.requests) == 1
