"""The HTTP of the test Hub: read requests from connections, fail as a test asks, and send answers."""

import json
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from fake_hub import routes
from fake_hub.repository import RefusedError
from fake_hub.routes import Answer, Call

if TYPE_CHECKING:
    from fake_hub.hub import Hub


class Server(ThreadingHTTPServer):
    """Listen on loopback, for the Hub itself or for its storage."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, hub: "Hub", port: int, storage: bool):
        self.hub, self.storage = hub, storage
        super().__init__(("127.0.0.1", port), Handler)


class Handler(BaseHTTPRequestHandler):
    """Read requests from one connection and send their answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer goes in one piece
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the Hub has a log of its own."""

    def serve(self) -> None:
        """Log a request, apply the fault that meets it, and answer it."""
        hub = self.server.hub
        fault = hub.log(self.command, self.path)
        if fault and fault.then:
            fault.then(hub)
        self.close_connection = bool(fault and fault.cut == "before")
        if self.close_connection:
            return
        body = self.read_body()
        if fault and fault.slow and hub.closing.wait(fault.slow):
            self.close_connection = True
            return
        if fault and fault.status is not None:
            headers = {"Content-Type": "application/json"} | dict(fault.headers or {})
            answer = Answer(fault.body, fault.status, headers)
        else:
            answer = self.answer(body)
        self.close_connection = bool(fault and fault.cut in ("middle", "after"))
        if fault and fault.cut == "after":
            return
        if fault and fault.cut == "short":
            answer = Answer(answer.body[: len(answer.body) // 2], answer.status, answer.headers)
        self.send(answer, half=self.close_connection)

    do_GET = do_HEAD = do_POST = do_PUT = serve

    def handle(self) -> None:
        """Serve a connection until it is closed, also where the client leaves in the middle of a request."""
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def read_body(self) -> bytes:
        """Read the request's body, whole or in chunks."""
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def answer(self, body: bytes) -> Answer:
        """Return the answer to a request, be it a refusal or an error of this program."""
        hub = self.server.hub
        try:
            with hub.lock:
                call = Call(hub, self.command, self.path, self.headers, body)
                return routes.answer_storage(call) if self.server.storage else routes.answer(call)
        except RefusedError as refusal:
            if self.server.storage:
                text = f"<?xml?>\n<Error><Code>Refused</Code><Message>{refusal.message}</Message></Error>"
                return Answer(text.encode(), refusal.status, {"Content-Type": "application/xml"})
            headers = {"X-Error-Message": refusal.message, "Content-Type": "application/json"}
            headers |= {"X-Error-Code": refusal.code} if refusal.code else {}
            return Answer(json.dumps({"error": refusal.message}).encode(), refusal.status, headers)
        except Exception:
            traceback.print_exc()
            return Answer(b'{"error": "the test Hub has an error of its own: see its standard error"}', 500)

    def send(self, answer: Answer, half: bool) -> None:
        """Send an answer, or only half of it. A HEAD request gets it without its body."""
        self.send_response(answer.status)
        for name, text in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
            self.send_header(name, " ".join(text.splitlines()))
        self.end_headers()
        body = b"" if self.command == "HEAD" else answer.body
        self.wfile.write(body[: len(body) // 2] if half else body)
        self.wfile.flush()
