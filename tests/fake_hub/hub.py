"""The test Hub itself: its users, its repositories, the log of its requests and its faults."""

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fake_hub.repository import Blob, Repo, key_of
from fake_hub.server import Server


@dataclass(slots=True)
class Fault:
    """Hold one fault, and count the requests that met it."""

    method: str  # which methods it meets, whole: a regular expression
    pattern: str  # which paths with their query it meets, anywhere in them: a regular expression
    times: int | None = 1  # how many requests it meets, None for all
    status: int | None = None  # the status of the answer, None where the request is answered as ever
    headers: Mapping[str, str] | None = None  # of the answer with that status
    body: bytes = b'{"error": "Failing as asked"}'  # of the answer with that status
    cut: Literal["before", "middle", "after", "short"] | None = None  # when the connection is cut, see below
    slow: float = 0  # seconds before the request is carried out
    skip: int = 0  # how many requests pass before it meets the first
    then: Callable[["Hub"], object] | None = None  # what is called when a request arrives
    used: int = 0  # how many requests it has met

    # A connection is cut before the request is carried out, in the middle of the answer, or "after" it was carried out.
    # "short" cuts the answer and not the connection: half a body comes, and the length is that of the half.


@dataclass(slots=True)
class Request:
    """Log one request."""

    method: str  # such as GET
    path: str  # with the query


class Hub:
    """Serve repositories on loopback while the `with` block lasts."""

    def __init__(self, port: int = 0):
        """Bind both ports."""
        self.repos: dict[str, Repo] = {}
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.lock = threading.RLock()
        self.closing = threading.Event()
        self.servers = [Server(self, port, storage=False), Server(self, 0, storage=True)]
        self.url, self.storage_url = (f"http://127.0.0.1:{server.server_address[1]}" for server in self.servers)

    def __enter__(self) -> "Hub":
        for server in self.servers:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def reset_log(self) -> None:
        """Forget the requests so far."""
        self.requests = []

    def create(self, name: str, kind: str = "dataset", private: bool = False, gated: str | bool = False) -> Repo:
        """Make a repository directly, without a request."""
        self.repos[key_of(kind, name)] = repo = Repo(kind, name, private, gated)
        return repo

    def commit_as(
        self,
        repo: str,
        files: Mapping[str, bytes],
        deleted: tuple[str, ...] = (),
        user: str = "somebody",
        title: str = "Commit of somebody else",
    ) -> str:
        """Commit to main directly, as another client would, and return the commit's name."""
        with self.lock:
            target = self.repos[repo]
            tree = {path: blob for path, blob in target.commit_at("main").files.items() if path not in deleted}
            tree |= {path: Blob(data, target.is_large(path, len(data), "main")) for path, data in files.items()}
            target.lfs |= {blob.sha256: blob.data for blob in tree.values() if blob.lfs}
            oid = target.add_commit(target.head(), title, user, tree)
            target.set_ref("main", oid)
            return oid

    def fail(self, method: str, pattern: str, times: int | None = 1, status: int | None = None, **how: Any) -> Fault:
        """Let the next `times` requests fail, or all where it is None; see `Fault`.

        Without `cut`, `slow` or `then` the answer has the status 503, or the `status` given. With one of them the
        request is carried out as ever, unless a status is given too.
        """
        if status is None and not how.keys() & {"cut", "slow", "then"}:
            status = 503
        self.faults.append(Fault(method, pattern, times, status, **how))
        return self.faults[-1]

    def clear_faults(self) -> None:
        """Switch off all faults."""
        self.faults.clear()

    def log(self, method: str, path: str) -> Fault | None:
        """Log a request, and return the fault that meets it, if any."""
        with self.lock:
            self.requests.append(Request(method, path))
            for fault in self.faults:
                if not (re.fullmatch(fault.method, method) and re.search(fault.pattern, path)):
                    continue
                if fault.skip:
                    fault.skip -= 1
                elif fault.times is None or fault.used < fault.times:
                    fault.used += 1
                    return fault
        return None
