"""The test Hub itself: its repositories, its two ports, the log of its requests and its faults."""

import hmac
import itertools
import re
import socket
import threading
from collections.abc import Callable, Mapping

from fake_hub.faults import Cut, Fault, Request
from fake_hub.objects import Blob
from fake_hub.repository import LARGE, Repo, key_of
from fake_hub.server import Server
from fake_hub.users import USERS, User

PART = 5 * 1024 * 1024
"""Bytes of one part of a large file that is uploaded in parts."""


class Hub:
    """Serve repositories on loopback while the `with` block lasts."""

    def __init__(
        self, users: Mapping[str, User] | None = None, port: int = 0, multipart_from: int = LARGE, part: int = PART
    ):
        """Bind both ports. Files of at least `multipart_from` bytes are uploaded in parts of `part` bytes."""
        self.users = dict(USERS if users is None else users)
        self.repos: dict[str, Repo] = {}
        self.requests: list[Request] = []
        self.multipart_from, self.part = multipart_from, part
        self.lock = threading.RLock()
        self.closing = threading.Event()
        self.connections: dict[socket.socket, threading.Thread] = {}
        self.parts: dict[str, dict[int, bytes]] = {}  # parts that have come, by upload and number
        self.numbers = itertools.count(1)
        self._faults: list[Fault] = []
        self._secret = b"storage"
        self._front = Server(self, port, storage=False)
        self._storage = Server(self, 0, storage=True)
        self.url = f"http://127.0.0.1:{self._front.server_address[1]}"
        self.storage_url = f"http://127.0.0.1:{self._storage.server_address[1]}"
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            for server in (self._front, self._storage)
        ]

    def __enter__(self) -> "Hub":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        for server, thread in zip((self._front, self._storage), self._threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()
        with self.lock:
            connections = list(self.connections.items())
        for connection, _ in connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        for _, thread in connections:
            thread.join(timeout=10)

    def reset_log(self) -> None:
        """Forget the requests so far."""
        with self.lock:
            self.requests = []

    def create(self, name: str, kind: str = "dataset", private: bool = False, gated: str | bool = False) -> Repo:
        """Make a repository directly, without a request."""
        with self.lock:
            repo = Repo(kind, name, name.partition("/")[0], private, gated)
            self.repos[key_of(kind, name)] = repo
            return repo

    def commit_as(
        self,
        repo: str,
        files: Mapping[str, bytes],
        deleted: tuple[str, ...] = (),
        user: str = "somebody",
        ref: str = "main",
        title: str = "Commit of somebody else",
    ) -> str:
        """Commit directly, as another client would, and return the commit's oid."""
        with self.lock:
            target = self.repos[repo]
            tree = {path: blob for path, blob in target.commit_at(ref).files.items() if path not in deleted}
            for path, data in files.items():
                blob = Blob.make(data, target.is_large(path, len(data), ref))
                tree[path] = blob
                if blob.lfs:
                    target.lfs[blob.sha256] = data
            commit = target.add_commit(target.head(ref), title, "", user, tree)
            target.set_ref(ref, commit.oid)
            return commit.oid

    def fail(
        self,
        method: str,
        pattern: str,
        times: int | None = 1,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        *,
        cut: Cut | None = None,
        slow: float = 0,
        skip: int = 0,
        then: "Callable[[Hub], object] | None" = None,
    ) -> Fault:
        """Let the next `times` requests fail, or all where it is None. `method` and `pattern` are regular expressions.

        A request matches by its method, and by its path with the query. The first `skip` requests that match pass.
        Without `cut`, `slow` or `then` the answer has the status 503, or the `status` given. With one of them the
        request is carried out as ever, unless a status is given too. `then` is called when it arrives, and `slow`
        seconds pass before it is carried out.
        """
        if status is None and not (cut or slow or then):
            status = 503
        fault = Fault(
            re.compile(method), re.compile(pattern), times, status, dict(headers or {}), body, cut, slow, skip, then
        )
        with self.lock:
            self._faults.append(fault)
        return fault

    def clear_faults(self) -> None:
        """Switch off all faults."""
        with self.lock:
            self._faults.clear()

    def next_fault(self, method: str, path: str) -> Fault | None:
        """Return the fault that meets this request, if any, and count the request."""
        with self.lock:
            for fault in self._faults:
                if not (fault.method.fullmatch(method) and fault.pattern.search(path)):
                    continue
                if fault.skip:
                    fault.skip -= 1
                elif fault.times is None or fault.used < fault.times:
                    fault.used += 1
                    return fault
        return None

    def sign(self, address: str) -> str:
        """Return an address with a signature that the storage knows."""
        return f"{address}&Signature={hmac.new(self._secret, address.encode(), 'sha256').hexdigest()}"

    def is_signed(self, address: str) -> bool:
        """Return whether an address carries its own signature."""
        unsigned, _, _ = address.rpartition("&Signature=")
        return hmac.compare_digest(self.sign(unsigned), address)
