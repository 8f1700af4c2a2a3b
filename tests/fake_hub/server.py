"""The HTTP of the test Hub: read requests from connections, fail as a test asks, and send answers."""

import email.utils
import json
import socket
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import TYPE_CHECKING

from fake_hub import lfs, routes
from fake_hub.answers import Answer, RefusedError, as_json
from fake_hub.call import Call
from fake_hub.faults import Request

if TYPE_CHECKING:
    from fake_hub.hub import Hub


class Server(ThreadingHTTPServer):
    """Listen on loopback, for the Hub itself or for its storage."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, hub: "Hub", port: int, storage: bool):
        self.hub, self.storage = hub, storage
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may take seconds where there is no name server."""
        TCPServer.server_bind(self)


class Handler(BaseHTTPRequestHandler):
    """Read requests from one connection and send their answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def setup(self) -> None:
        """Remember the connection, so that closing the Hub can cut it."""
        super().setup()
        with self.server.hub.lock:
            self.server.hub.connections[self.connection] = threading.current_thread()
            if self.server.hub.closing.is_set():
                self.connection.shutdown(socket.SHUT_RDWR)

    def finish(self) -> None:
        """Forget the connection."""
        with self.server.hub.lock:
            self.server.hub.connections.pop(self.connection, None)
        try:
            super().finish()
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the Hub has a log of its own."""

    def serve(self) -> None:
        """Answer one request, or fail as a test asked."""
        try:
            self._serve()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = serve

    def _serve(self) -> None:
        """Log the request, apply the fault that meets it, and send its answer."""
        hub = self.server.hub
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        user = hub.users.get(token)
        log = Request(self.command, self.path, 0, user.name if user else None, 0)
        with hub.lock:
            hub.requests.append(log)
        fault = hub.next_fault(self.command, self.path)
        if fault and fault.then:
            fault.then(hub)
        if fault and fault.cut == "before":
            self.close_connection = True
            return
        body = self.read_body()
        log.bytes = len(body)
        if fault and fault.slow and hub.closing.wait(fault.slow):
            self.close_connection = True
            return
        if fault and fault.status is not None:
            text = fault.body if fault.body is not None else json.dumps({"error": "Failing as asked"}).encode()
            answer = Answer(fault.status, text, {"Content-Type": "application/json"} | fault.headers)
        else:
            answer = self.answer(Call(hub, self.command, self.path, self.headers, body, token))
        if fault and fault.cut == "after":
            self.close_connection = True
            return
        if fault and fault.cut == "short":
            answer = Answer(answer.status, answer.body[: len(answer.body) // 2], answer.headers)
        log.status = answer.status
        self.send(answer, middle=fault is not None and fault.cut == "middle")

    def answer(self, call: Call) -> Answer:
        """Return the answer to a call, be it a refusal or an error of this program."""
        try:
            with call.hub.lock:
                return lfs.answer_storage(call) if self.server.storage else routes.answer(call)
        except RefusedError as refusal:
            return refusal.answer
        except Exception:
            traceback.print_exc()
            return as_json({"error": "the test Hub has an error of its own: see its standard error"}, 500)

    def read_body(self) -> bytes:
        """Read the request's body, whole or in chunks."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.read_exactly(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.read_exactly(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(chunks)

    def read_exactly(self, size: int) -> bytes:
        """Read this many bytes. Raises ConnectionError where the client left before."""
        data = self.rfile.read(size) if size else b""
        if len(data) < size:
            raise ConnectionResetError("the client left in the middle of a request")
        return data

    def send(self, answer: Answer, middle: bool) -> None:
        """Send an answer in one write, or only half of it (middle) and cut the connection."""
        reason = self.responses.get(answer.status, ("",))[0]
        headers = {
            "Date": email.utils.formatdate(usegmt=True),
            "Content-Length": str(len(answer.body)),
            "X-Request-Id": f"Root=1-{time.monotonic_ns():x}",
            **answer.headers,
        }
        lines = [f"HTTP/1.1 {answer.status} {reason}", *(f"{name}: {text}" for name, text in headers.items())]
        head = ("\r\n".join(" ".join(line.splitlines()) for line in lines) + "\r\n\r\n").encode("latin-1", "replace")
        body = b"" if self.command == "HEAD" or answer.status in (204, 304) else answer.body
        if middle:
            self.close_connection = True
            self.wfile.write(head + body[: len(body) // 2] if len(body) > 1 else head[: len(head) // 2])
        else:
            self.wfile.write(head + body)
        self.wfile.flush()
