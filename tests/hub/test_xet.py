"""Say what to do where Xet fails. No test can send by Xet: its servers speak a protocol that the test Hub does not."""

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
def test_a_failure_of_xet_is_one_line_and_files_then_travel_by_lfs(hub, one, tmp_path, kind):
    """Xet itself would try for minutes where nobody listens."""
    with socket.socket() as nobody:  # listens on this port
        nobody.bind(("127.0.0.1", 0))
        there, expires = f"http://127.0.0.1:{nobody.getsockname()[1]}", int(time.time()) + 3600
        if kind != "a Hub without Xet":
            names = {"X-Xet-Cas-Url": there, "X-Xet-Access-Token": "x", "X-Xet-Token-Expiration": str(expires)}
            body = json.dumps({"casUrl": there, "accessToken": "x", "exp": expires}).encode()
            hub.fail("GET", "/xet-write-token/", None, 200, headers=names, body=body)
        if HUB_CHOOSES:
            hub.fail("POST", "/objects/batch", status=200, body=b'{"transfer": "xet", "objects": []}')
        environment = {"HF_HUB_DISABLE_XET": "0", "HF_XET_CLIENT_RETRY_MAX_ATTEMPTS": "1"}
        process = start_publishing(hub, tmp_path, one, **environment)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1 and errors.startswith("error: me/hi_tom, committing: Xet failed ("), errors
    assert errors.endswith("): run the command again; HF_HUB_DISABLE_XET=1 sends by LFS, which every Hub knows\n")
    assert sum("/xet-write-token/" in request.path for request in hub.requests) == 1
    process = start_publishing(hub, tmp_path, one, HF_HUB_DISABLE_XET="1")
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0 and "published: " in printed, errors
    assert holds(hub, one) and len(hub.repos["me/hi_tom"].commits) == 2
