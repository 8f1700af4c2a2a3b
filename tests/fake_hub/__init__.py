"""Be a small Hugging Face Hub on loopback, for tests and for trying a publication without the real Hub.

It speaks what the clients `huggingface_hub` and `datasets` ask of a repository; a process uses it with HF_ENDPOINT,
HF_TOKEN, HF_HOME and HF_HUB_DISABLE_XET=1 in its environment. `python tests/hub.py` serves until interrupted.

Large files travel by a second port, the storage, as on the real Hub they travel by another host: the client must not
send its token there, and the storage takes signed addresses only. Everything is held in memory.
"""

import argparse
import base64
import binascii
import email.utils
import fnmatch
import hashlib
import hmac
import itertools
import json
import math
import re
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Literal
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

import yaml

# Tokens look like real ones, 37 characters, but stand nowhere at full length, so that no scanner takes them for real.
WRITE = "hf_WriteOfMeForTests".ljust(37, "0")
READ = "hf_ReadOfMeForTests".ljust(37, "0")
EXPIRED = "hf_ExpiredOfMeForTests".ljust(37, "0")
SOMEBODY = "hf_WriteOfSomebodyForTests".ljust(37, "0")

KINDS = {"models": "model", "datasets": "dataset", "spaces": "space"}
LARGE = 10 * 1024 * 1024
PART = 5 * 1024 * 1024
ATTRIBUTES = "".join(
    f"{pattern} filter=lfs diff=lfs merge=lfs -text\n"
    for pattern in (
        "*.7z *.arrow *.avro *.bin *.bz2 *.ckpt *.ftz *.gz *.h5 *.joblib *.lz4 *.mds *.mlmodel *.model *.msgpack *.npy "
        "*.npz *.onnx *.ot *.parquet *.pb *.pickle *.pkl *.pt *.pth *.rar *.safetensors saved_model/**/* *.tar.* *.tar "
        "*.tflite *.tgz *.wasm *.xz *.zip *.zst *tfevents* *.pcm *.sam *.raw *.aac *.flac *.mp3 *.ogg *.wav *.bmp "
        "*.gif *.png *.tiff *.jpg *.jpeg *.webp *.mp4 *.webm"
    ).split()
).encode()

LICENSES = set(
    "apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigcode-openrail-m afl-3.0 artistic-2.0 "
    "bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 "
    "cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 "
    "cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 wtfpl "
    "ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 lgpl lgpl-2.1 lgpl-3.0 isc "
    "lppl-1.3c ms-pl mpl-2.0 odc-by odbl osl-3.0 postgresql ofl-1.1 ncsa unlicense zlib pddl unknown other".split()
)
TASKS = set(
    "text-classification token-classification table-question-answering question-answering zero-shot-classification "
    "translation summarization feature-extraction text-generation fill-mask sentence-similarity multiple-choice "
    "text-retrieval text-ranking table-to-text tabular-classification tabular-regression reinforcement-learning "
    "visual-question-answering graph-ml time-series-forecasting other".split()
)
SIZES = set(
    "n<1K 1K<n<10K 10K<n<100K 100K<n<1M 1M<n<10M 10M<n<100M 100M<n<1B 1B<n<10B 10B<n<100B 100B<n<1T n>1T other".split()
)
CARD_KEYS = set(
    "license license_name license_link license_details language language_bcp47 language_details language_creators tags "
    "task_categories task_ids size_categories configs config_names dataset_info pretty_name annotations_creators "
    "multilinguality source_datasets paperswithcode_id train-eval-index viewer extra_gated_prompt extra_gated_fields "
    "extra_gated_heading extra_gated_description extra_gated_button_content".split()
)
LISTS = {"tags", "task_categories", "task_ids", "size_categories", "annotations_creators", "source_datasets"}


@dataclass(frozen=True, slots=True)
class User:
    """Say whose token it is, what the token may do, and for which organizations."""

    name: str
    role: Literal["write", "read"] = "write"
    orgs: tuple[str, ...] = ()
    label: str = "tests"
    expired: bool = False


USERS = {
    WRITE: User("me", "write", ("tom-lab",), "me-write"),
    READ: User("me", "read", ("tom-lab",), "me-read"),
    EXPIRED: User("me", "write", ("tom-lab",), "me-expired", expired=True),
    SOMEBODY: User("somebody", "write", (), "somebody-write"),
}


@dataclass(frozen=True, slots=True)
class Blob:
    """Hold one file's bytes, and whether git holds them or only a pointer to them (lfs)."""

    data: bytes = field(repr=False)
    lfs: bool
    sha256: str
    oid: str

    @classmethod
    def of(cls, data: bytes, lfs: bool) -> "Blob":
        """Make the blob of some bytes; `oid` is git's, of the bytes or of the pointer."""
        sha256 = hashlib.sha256(data).hexdigest()
        return cls(data, lfs, sha256, git_oid(b"blob", pointer(sha256, len(data)) if lfs else data))

    @property
    def size(self) -> int:
        """Return the number of bytes of the file itself."""
        return len(self.data)

    @property
    def etag(self) -> str:
        """Return what downloads are named by: the sha256 of a large file, git's oid of any other."""
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True, slots=True)
class Commit:
    """Hold one commit, with all files of its tree."""

    oid: str
    parent: str | None
    title: str
    message: str
    author: str
    files: dict[str, Blob] = field(repr=False)
    date: datetime


@dataclass(slots=True)
class Discussion:
    """Hold one discussion or pull request; `base` is the commit that a pull request began from."""

    num: int
    title: str
    description: str
    author: str
    is_pull_request: bool
    status: str
    base: str | None
    date: datetime
    merged: str | None = None


@dataclass(slots=True)
class Request:
    """Log one request: `bytes` is what its body brought, `status` 0 where no answer was begun."""

    method: str
    path: str
    status: int
    token_user: str | None
    bytes: int


@dataclass(slots=True)
class Fault:
    """Hold one fault that a test switched on; `used` counts the requests it has met."""

    method: re.Pattern[str]
    pattern: re.Pattern[str]
    times: int | None
    status: int | None
    headers: dict[str, str]
    body: bytes | None
    cut: Literal["before", "middle", "after"] | None
    slow: float
    skip: int
    then: "Callable[[Hub], object] | None"
    used: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold what is sent back; a HEAD request gets it without its body."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """Carry the answer that refuses a request."""

    def __init__(self, answer: Answer):
        super().__init__(answer.status)
        self.answer = answer


def git_oid(kind: bytes, data: bytes) -> str:
    """Return git's name of an object."""
    return hashlib.sha1(kind + b" %d\0" % len(data) + data).hexdigest()


def pointer(sha256: str, size: int) -> bytes:
    """Write the pointer that git holds in place of a large file."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()


def iso(date: datetime) -> str:
    """Write a time as the Hub does."""
    return date.strftime("%Y-%m-%dT%H:%M:%S.") + f"{date.microsecond // 1000:03}Z"


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def refused(status: int, message: str, code: str | None = None, headers: Mapping[str, str] | None = None) -> Refused:
    """Make a refusal with the headers that clients read their error class and message from."""
    errors = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
    return Refused(as_json({"error": message}, status, errors | dict(headers or {})))


def storage_refused(status: int, code: str, message: str) -> Refused:
    """Make a refusal as a storage writes it, which is XML and not the Hub's."""
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>'
    return Refused(Answer(status, body.encode(), {"Content-Type": "application/xml"}))


class Repo:
    """Hold one repository: its commits, the names of some of them, its discussions and its large files."""

    def __init__(self, kind: str, name: str, owner: str, private: bool = False, gated: str | bool = False):
        self.kind, self.name, self.private, self.gated = kind, name, private, gated
        self.branches: dict[str, str] = {}
        self.tags: dict[str, str] = {}
        self.pulls: dict[str, str] = {}
        self.commits: list[Commit] = []
        self.discussions: list[Discussion] = []
        self.lfs: dict[str, bytes] = {}
        self.created = datetime.now(UTC)
        first = self.add(None, "initial commit", "", owner, {".gitattributes": Blob.of(ATTRIBUTES, False)})
        self.branches["main"] = first.oid

    @property
    def refs(self) -> dict[str, str]:
        """Return what each name points to: branches, tags, and pull requests as refs/pr/N."""
        return {**self.tags, **self.branches, **self.pulls}

    def head(self, ref: str = "main") -> str:
        """Return the commit that a name points to."""
        return self.refs[ref]

    def files(self, ref: str = "main") -> dict[str, bytes]:
        """Return the bytes of every file at a name or commit, large files too."""
        return {path: blob.data for path, blob in self.at(ref).files.items()}

    def at(self, ref: str) -> Commit:
        """Return the commit that a name or an oid stands for; refuse one that is not there."""
        full = {f"refs/heads/{name}": oid for name, oid in self.branches.items()}
        full |= {f"refs/tags/{name}": oid for name, oid in self.tags.items()}
        oid = (full | self.refs).get(ref, ref)
        for commit in self.commits:
            if commit.oid == oid:
                return commit
        raise refused(404, f"Invalid rev id: {ref}", "RevisionNotFound")

    def history(self, ref: str) -> list[Commit]:
        """List a commit and all before it, latest first."""
        commits = [self.at(ref)]
        while commits[-1].parent is not None:
            commits.append(self.at(commits[-1].parent))
        return commits

    def add(self, parent: str | None, title: str, message: str, author: str, files: dict[str, Blob]) -> Commit:
        """Make a commit that no name points to yet; its oid is a function of what came before and what it holds."""
        text = "\0".join([str(parent), tree_oid(files), title, message, author, str(len(self.commits))])
        commit = Commit(git_oid(b"commit", text.encode()), parent, title, message, author, files, datetime.now(UTC))
        self.commits.append(commit)
        return commit

    def move(self, ref: str, oid: str) -> None:
        """Let a branch or a pull request point to a commit."""
        (self.pulls if ref in self.pulls else self.branches)[ref] = oid

    def is_large(self, path: str, size: int, ref: str) -> bool:
        """Say whether a file goes by the storage: by its size, or by the repository's own .gitattributes."""
        attributes = self.at(ref).files.get(".gitattributes")
        lines = attributes.data.decode(errors="replace").splitlines() if attributes else []
        patterns = [line.split()[0] for line in lines if "filter=lfs" in line.split()[1:]]
        name = path.rpartition("/")[2]
        return size > LARGE or any(fnmatch.fnmatch(path if "/" in pattern else name, pattern) for pattern in patterns)

    def open_pull(self, title: str, description: str, author: str, status: str, base: str) -> Discussion:
        """Open a pull request, which at first points to its base."""
        discussion = self.discuss(title, description, author, True, status, base)
        self.pulls[f"refs/pr/{discussion.num}"] = base
        return discussion

    def discuss(self, title: str, description: str, author: str, is_pull: bool, status: str, base: str | None = None):
        """Open a discussion."""
        number = len(self.discussions) + 1
        self.discussions.append(
            Discussion(number, title, description, author, is_pull, status, base, datetime.now(UTC))
        )
        return self.discussions[-1]


def tree_oid(files: Mapping[str, Blob]) -> str:
    """Return git's name of the tree of these files."""
    folders: dict[str, dict[str, Blob]] = {}
    entries = []
    for path, blob in files.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = blob
        else:
            entries.append((name, b"100644 " + name.encode() + b"\0" + bytes.fromhex(blob.oid)))
    for name, inside in folders.items():
        entries.append((name + "/", b"40000 " + name.encode() + b"\0" + bytes.fromhex(tree_oid(inside))))
    return git_oid(b"tree", b"".join(line for _, line in sorted(entries)))


class StrictLoader(yaml.SafeLoader):
    """Read YAML as the Hub does, which refuses a key given twice."""

    def construct_mapping(self, node, deep=False):
        """Refuse a repeated key, and read the mapping."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"duplicated mapping key {key!r}", node.start_mark)
        return super().construct_mapping(node, deep)


def front_matter(text: str) -> object:
    """Return what the YAML between the two `---` of a card says; ValueError or yaml.YAMLError where it is not there."""
    found = re.match(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", text, re.DOTALL | re.MULTILINE)
    if found is None:
        raise ValueError("empty or missing yaml metadata in repo card")
    return yaml.load(found[1], StrictLoader)


def check_card(text: str) -> tuple[list[str], list[str]]:
    """Return the errors and the warnings about a dataset card's metadata."""
    try:
        metadata = front_matter(text)
    except (ValueError, yaml.YAMLError) as error:
        return [str(error)], []
    if not isinstance(metadata, dict):
        return ["YAML metadata should be an object"], []
    errors, warnings = [], [f'"{key}" is not a known key' for key in metadata if key not in CARD_KEYS]
    for key, value in metadata.items():
        values = value if isinstance(value, list) else [value]
        if key in LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            errors.append(f'"{key}" must be an array of strings')
        elif key == "license" and not all(isinstance(item, str) and item in LICENSES for item in values):
            errors.append(f'"license" must be one of [{", ".join(sorted(LICENSES))}]')
        elif key == "language":
            for item in values:
                if not (isinstance(item, str) and re.fullmatch("[a-z]{2,3}|code|multilingual", item)):
                    errors.append(f'"language" with value "{item}" is not valid: it must be an ISO 639 code')
        elif key == "size_categories" and not SIZES.issuperset(value):
            errors.append(f'"size_categories" must be among [{", ".join(sorted(SIZES))}]')
        elif key == "task_categories":
            warnings += [
                f'The task_categories "{item}" is not in the official list' for item in sorted(set(value) - TASKS)
            ]
        elif key == "pretty_name" and not isinstance(value, str):
            errors.append('"pretty_name" must be a string')
        elif key == "configs":
            errors += check_configs(value)
        elif key == "dataset_info" and not all(isinstance(item, dict) for item in values):
            errors.append('"dataset_info" must be an object or an array of objects')
    return errors, warnings


def check_configs(configs: object) -> list[str]:
    """Return the errors in a card's list of configs."""
    if not (isinstance(configs, list) and all(isinstance(config, dict) for config in configs)):
        return ['"configs" must be an array of objects']
    errors = [
        f'"configs[{number}].config_name" is required'
        for number, config in enumerate(configs)
        if not isinstance(config.get("config_name"), str)
    ]
    names = [config.get("config_name") for config in configs]
    errors += [f'"configs" contains a duplicate value "{name}"' for name in set(names) if names.count(name) > 1]
    for number, config in enumerate(configs):
        files = config.get("data_files", [])
        for item in files if isinstance(files, list) else [files]:
            if not (isinstance(item, str) or (isinstance(item, dict) and {"path", "split"} >= set(item) >= {"path"})):
                errors.append(f'"configs[{number}].data_files" must be paths, or objects of split and path')
    return errors


class Hub:
    """Serve repositories on loopback while the `with` block lasts."""

    def __init__(
        self, users: Mapping[str, User] | None = None, port: int = 0, multipart_from: int = LARGE, part: int = PART
    ):
        """Bind both ports; files of `multipart_from` bytes or more are uploaded in parts of `part` bytes."""
        self.users = dict(USERS if users is None else users)
        self.repos: dict[str, Repo] = {}
        self.requests: list[Request] = []
        self.multipart_from, self.part = multipart_from, part
        self.lock = threading.RLock()
        self.closing = threading.Event()
        self.connections: dict[socket.socket, threading.Thread] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
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
            open_ones = list(self.connections.items())
        for connection, _ in open_ones:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        for _, thread in open_ones:
            thread.join(timeout=10)

    def reset_log(self) -> None:
        """Forget the requests so far."""
        with self.lock:
            self.requests = []

    def create(self, name: str, kind: str = "dataset", private: bool = False, gated: str | bool = False) -> Repo:
        """Make a repository directly, as its namespace."""
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
            tree = {path: blob for path, blob in target.at(ref).files.items() if path not in deleted}
            for path, data in files.items():
                blob = Blob.of(data, target.is_large(path, len(data), ref))
                tree[path] = blob
                if blob.lfs:
                    target.lfs[blob.sha256] = data
            commit = target.add(target.head(ref), title, "", user, tree)
            target.move(ref, commit.oid)
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
        cut: Literal["before", "middle", "after"] | None = None,
        slow: float = 0,
        skip: int = 0,
        then: "Callable[[Hub], object] | None" = None,
    ) -> Fault:
        """Let the next `times` requests (None: all) of a method and a path and query, both regular expressions, fail.

        Without `cut`, `slow` or `then` the answer is `status` (503 if none is given). With one of them the request is
        handled as ever unless a status is given too: `then` is called as it arrives, `slow` seconds pass before it is
        handled, and the connection is cut before it is handled, in the middle of the answer, or after the work.
        The first `skip` requests that match are let go.
        """
        if status is None and not (cut or slow or then):
            status = 503
        fault = Fault(
            re.compile(method), re.compile(pattern), times, status, dict(headers or {}), body, cut, slow, skip, then
        )
        with self.lock:
            self._faults.append(fault)
        return fault

    def next_fault(self, method: str, path: str) -> Fault | None:
        """Return the fault that meets this request, and count it."""
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
        """Return an address with a signature that the storage will know."""
        return f"{address}&Signature={hmac.new(self._secret, address.encode(), 'sha256').hexdigest()}"

    def is_signed(self, address: str) -> bool:
        """Say whether an address carries its own signature."""
        unsigned, _, _ = address.rpartition("&Signature=")
        return hmac.compare_digest(self.sign(unsigned), address)


def key_of(kind: str, name: str) -> str:
    """Return where a repository is kept: datasets by their name alone."""
    return name if kind == "dataset" else f"{kind}s/{name}"


class Server(ThreadingHTTPServer):
    """Listen on loopback, for the Hub itself or for its storage."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, hub: Hub, port: int, storage: bool):
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
        """Remember the connection, for the end."""
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
        """Say nothing: requests are in the hub's list."""

    def serve(self) -> None:
        """Answer one request, or fail as a test asked."""
        try:
            self._serve()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = serve

    def _serve(self) -> None:
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
        log.status = answer.status
        self.send(answer, middle=fault is not None and fault.cut == "middle")

    def answer(self, call: "Call") -> Answer:
        """Return the answer to a call, also where that is a refusal or the server's own error."""
        try:
            with call.hub.lock:
                return call.storage() if self.server.storage else call.front()
        except Refused as refusal:
            return refusal.answer
        except Exception:
            traceback.print_exc()
            return as_json({"error": "tests/hub.py has an error of its own: see its standard error"}, 500)

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
        """Read this many bytes; ConnectionError where the client left before."""
        data = self.rfile.read(size) if size else b""
        if len(data) < size:
            raise ConnectionResetError("the client left in the middle of a request")
        return data

    def send(self, answer: Answer, middle: bool) -> None:
        """Send an answer in one write, or only a part of it and leave."""
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


class Call:
    """Hold one request, and answer it; each method refuses what its user may not do."""

    def __init__(self, hub: Hub, method: str, address: str, headers: Mapping[str, str], body: bytes, token: str):
        self.hub, self.method, self.address = hub, method, address
        self.headers, self.body, self.token = headers, body, token
        url = urlsplit(address)
        self.segments = [unquote(part) for part in url.path.strip("/").split("/")]
        self.query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        self.user: User | None = None

    def front(self) -> Answer:
        """Answer what is asked of the Hub itself."""
        if self.segments == ["api", "complete_multipart"]:
            return self.complete()
        self.user = self.whose()
        match (self.method, *self.segments):
            case ("GET", "api", "whoami-v2"):
                return self.whoami()
            case ("HEAD" | "GET", "api", "telemetry", *_):
                return Answer(200)
            case ("POST", "api", "validate-yaml"):
                return self.validate()
            case ("POST", "api", "repos", "create"):
                return self.create()
            case ("DELETE", "api", "repos", "delete"):
                return self.delete()
            case ("GET" | "HEAD", "api", "resolve-cache", kinds, space, name, oid, *path) if kinds in KINDS:
                repo = self.readable(kinds, space, name)
                return self.content(repo.at(oid), "/".join(path))
            case (_, "api", kinds, space, name, *rest) if kinds in KINDS:
                return self.of_repo(self.readable(kinds, space, name), rest)
            case ("GET" | "HEAD", "datasets" | "spaces" as kinds, space, name, "resolve", *rest) if len(rest) > 1:
                return self.resolve(self.readable(kinds, space, name), rest)
            case ("GET" | "HEAD", space, name, "resolve", *rest) if len(rest) > 1:
                return self.resolve(self.readable("models", space, name), rest)
            case ("POST", "datasets" | "spaces" as kinds, space, name, "info", "lfs", "objects", action):
                return self.large(self.readable(kinds, space, name.removesuffix(".git")), action)
            case ("POST", space, name, "info", "lfs", "objects", action):
                return self.large(self.readable("models", space, name.removesuffix(".git")), action)
        raise refused(404, "Sorry, we can't find the page you are looking for.")

    def of_repo(self, repo: Repo, rest: list[str]) -> Answer:
        """Answer what is asked of one repository's interface."""
        match (self.method, *rest):
            case ("GET",):
                return self.info(repo, "main")
            case ("GET", "revision", *rev):
                return self.info(repo, "/".join(rev))
            case ("GET", "auth-check"):
                self.pass_gate(repo)
                return as_json({})
            case ("GET", "tree", *place):
                rev, path = split_rev(place)
                return self.tree(repo, rev, path)
            case ("POST", "paths-info", *rev):
                return self.paths_info(repo, "/".join(rev))
            case ("GET", "refs"):
                return self.refs(repo)
            case ("GET", "commits", *rev):
                return as_json(
                    [commit_line(commit, "expand[]" in self.query) for commit in repo.history("/".join(rev))]
                )
            case ("POST", "preupload", *rev):
                return self.preupload(repo, "/".join(rev))
            case ("POST", "commit", *rev):
                return self.commit(repo, "/".join(rev))
            case ("POST" | "DELETE", "branch", *name):
                self.may_write(repo)
                return self.branch(repo, "/".join(name))
            case ("POST" | "DELETE", "tag", *name):
                self.may_write(repo)
                return self.tag(repo, "/".join(name))
            case ("PUT", "settings"):
                return self.settings(repo)
            case ("GET" | "POST", "discussions", *which):
                return self.discussions(repo, which)
        raise refused(404, "Sorry, we can't find the page you are looking for.")

    def whose(self) -> User | None:
        """Return whose token was sent, None where none was."""
        if not self.token:
            return None
        user = self.hub.users.get(self.token)
        if user is None:
            at_whoami = self.segments == ["api", "whoami-v2"]
            raise refused(
                401, "Invalid username or password." if at_whoami else "Invalid credentials in Authorization header"
            )
        if user.expired:
            raise self.unauthorized(f'User Access Token "{user.label}" is expired')
        return user

    def unauthorized(self, message: str) -> Refused:
        """Make a 401.

        Clients take any 401 about a repository for one not found, but look for https in the address to know that it is
        about a repository; here, without https, the code has to say so for the same error to come.
        """
        about_repo = self.segments[1:2] and self.segments[1] in KINDS or "resolve" in self.segments
        return refused(401, message, "RepoNotFound" if about_repo else None)

    def asked(self) -> dict:
        """Return the request's body as JSON."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError as error:
            raise refused(400, f"Invalid JSON: {error}") from error
        if not isinstance(value, dict):
            raise refused(400, "Invalid JSON: not an object")
        return value

    # Who may do what.

    def readable(self, kinds: str, space: str, name: str) -> Repo:
        """Return a repository that the user may see; one that is private is not there for others."""
        repo = self.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
        if repo is not None and (not repo.private or self.owns(space)):
            return repo
        if self.user is None:
            raise refused(401, "Invalid username or password.", "RepoNotFound")
        raise refused(404, "Repository not found", "RepoNotFound")

    def owns(self, space: str) -> bool:
        """Say whether a namespace is the user's or their organization's."""
        return self.user is not None and space in (self.user.name, *self.user.orgs)

    def may_sign(self) -> User:
        """Return the user of a token that may write at all."""
        if self.user is None:
            raise self.unauthorized("Invalid username or password.")
        if self.user.role != "write":
            raise refused(403, "Forbidden: you must use a write token to upload to a repository")
        return self.user

    def may_write(self, repo: Repo, pull: bool = False) -> User:
        """Return the user if they may change this repository, or at least propose a change (pull)."""
        user = self.may_sign()
        if not pull and not self.owns(repo.name.partition("/")[0]):
            raise refused(403, "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request")
        return user

    def may_commit(self, repo: Repo, rev: str) -> User:
        """Return the user if they may commit onto a branch, a new pull request, or one that they opened."""
        authors = {f"refs/pr/{discussion.num}": discussion.author for discussion in repo.discussions}
        user = self.may_sign()
        return self.may_write(repo, pull=self.query.get("create_pr") == "1" or authors.get(rev) == user.name)

    def pass_gate(self, repo: Repo) -> None:
        """Refuse the files of a gated repository to everyone but its owner."""
        if not repo.gated or self.owns(repo.name.partition("/")[0]):
            return
        where = f"Access to {repo.kind} {repo.name} is restricted"
        if self.user is None:
            raise refused(
                401,
                f"{where}. You must have access to it and be authenticated to access it. Please log in.",
                "GatedRepo",
            )
        raise refused(
            403,
            f"{where} and you are not in the authorized list. Visit {self.page(repo)} to ask for access.",
            "GatedRepo",
        )

    def page(self, repo: Repo) -> str:
        """Return the address of a repository's page."""
        return f"{self.hub.url}/{'' if repo.kind == 'model' else repo.kind + 's/'}{repo.name}"

    # Accounts and repositories.

    def whoami(self) -> Answer:
        """Say whose token it is."""
        if self.user is None:
            raise refused(401, "Invalid username or password.")
        user = self.user
        return as_json(
            {
                "type": "user",
                "id": hashlib.sha1(user.name.encode()).hexdigest()[:24],
                "name": user.name,
                "fullname": user.name,
                "email": f"{user.name}@example.org",
                "emailVerified": True,
                "canPay": False,
                "isPro": False,
                "avatarUrl": "",
                "orgs": [
                    {
                        "type": "org",
                        "id": org,
                        "name": org,
                        "fullname": org,
                        "roleInOrg": "write",
                        "isEnterprise": False,
                    }
                    for org in user.orgs
                ],
                "auth": {
                    "type": "access_token",
                    "accessToken": {
                        "displayName": user.label,
                        "role": user.role,
                        "createdAt": "2026-01-01T00:00:00.000Z",
                    },
                },
            }
        )

    def validate(self) -> Answer:
        """Check a card."""
        asked = self.asked()
        errors, warnings = check_card(asked.get("content", ""))
        value = {
            "errors": [{"message": message} for message in errors],
            "warnings": [{"message": message} for message in warnings],
        }
        return as_json(value, 400 if errors else 200)

    def create(self) -> Answer:
        """Create a repository."""
        user, asked = self.may_sign(), self.asked()
        kind, space = asked.get("type") or "model", asked.get("organization") or user.name
        name = f"{space}/{asked.get('name', '')}"
        if kind not in KINDS.values():
            raise refused(400, f'Invalid repository type "{kind}"')
        if not re.fullmatch(r"(?!.*(--|\.\.))[\w-][\w.-]{0,94}[\w-]|[\w-]", name.partition("/")[2], re.ASCII):
            raise refused(400, f'Invalid repository name "{name}"')
        if not self.owns(space):
            raise refused(403, f'You don\'t have the rights to create a {kind} under the namespace "{space}"')
        repo = self.hub.repos.get(key_of(kind, name))
        if repo is not None:
            message = f"You already created this {kind} repo"
            return as_json({"error": message, "url": self.page(repo)}, 409, {"X-Error-Message": message})
        private = asked.get("visibility") == "private" or asked.get("private") is True
        repo = self.hub.repos[key_of(kind, name)] = Repo(kind, name, user.name, private)
        return as_json({"url": self.page(repo), "name": name, "id": repo_id(repo)})

    def delete(self) -> Answer:
        """Delete a repository."""
        user, asked = self.may_sign(), self.asked()
        kind, space = asked.get("type") or "model", asked.get("organization") or user.name
        repo = self.readable(f"{kind}s", space, asked.get("name", ""))
        if not self.owns(space):
            raise refused(403, f'You don\'t have the rights to delete a {kind} under the namespace "{space}"')
        del self.hub.repos[key_of(kind, repo.name)]
        return as_json({})

    def settings(self, repo: Repo) -> Answer:
        """Change who may see a repository."""
        self.may_write(repo)
        asked = self.asked()
        if asked.get("visibility", "public") not in ("public", "private"):
            raise refused(400, '"visibility" must be one of [public, private]')
        if asked.get("gated", False) not in (False, "auto", "manual"):
            raise refused(400, '"gated" must be one of [auto, manual, false]')
        if "visibility" in asked or "private" in asked:
            repo.private = asked.get("visibility") == "private" or asked.get("private") is True
        repo.gated = asked.get("gated", repo.gated)
        return as_json({"private": repo.private, "gated": repo.gated})

    # What a repository holds.

    def info(self, repo: Repo, rev: str) -> Answer:
        """Describe a repository at a revision."""
        commit = repo.at(rev)
        readme = commit.files.get("README.md")
        try:
            card = front_matter(readme.data.decode()) if readme else None
        except (ValueError, yaml.YAMLError):
            card = None
        with_blobs = self.query.get("blobs", "").lower() in ("true", "1")
        value = {
            "_id": repo_id(repo),
            "id": repo.name,
            "author": repo.name.partition("/")[0],
            "sha": commit.oid,
            "lastModified": iso(commit.date),
            "createdAt": iso(repo.created),
            "private": repo.private,
            "gated": repo.gated,
            "disabled": False,
            "tags": card_tags(card),
            "downloads": 0,
            "likes": 0,
            "siblings": [sibling(path, blob, with_blobs) for path, blob in sorted(commit.files.items())],
            "usedStorage": sum(map(len, repo.lfs.values())),
        }
        if isinstance(card, dict):
            value["cardData"] = json.loads(json.dumps(card, default=str))
        return as_json(value)

    def tree(self, repo: Repo, rev: str, path: str) -> Answer:
        """List a folder, with all below it if asked."""
        commit = repo.at(rev)
        entries = self.entries(repo, commit)
        if path and entries.get(path, {}).get("type") != "directory":
            raise refused(404, f'{path} does not exist on "{rev}"', "EntryNotFound")
        start = f"{path}/" if path else ""
        deep = self.query.get("recursive", "").lower() in ("true", "1")
        below = [entry for name, entry in sorted(entries.items()) if name.startswith(start)]
        return as_json([entry for entry in below if deep or "/" not in entry["path"][len(start) :]])

    def paths_info(self, repo: Repo, rev: str) -> Answer:
        """Describe the paths asked for that are there."""
        if "json" in self.headers.get("Content-Type", ""):
            paths = self.asked().get("paths", [])
            self.query |= {"expand": str(self.asked().get("expand", ""))}
        else:
            form = parse_qs(self.body.decode())
            paths = form.get("paths", [])
            self.query |= {"expand": form.get("expand", [""])[-1]}
        entries = self.entries(repo, repo.at(rev))
        return as_json([entries[path.strip("/")] for path in paths if path.strip("/") in entries])

    def entries(self, repo: Repo, commit: Commit) -> dict[str, dict]:
        """Describe every file and folder of a commit, with the last commit of each if asked."""
        expand = self.query.get("expand", "").lower() in ("true", "1")
        folders: dict[str, dict[str, Blob]] = {}
        entries: dict[str, dict] = {}
        for path, blob in commit.files.items():
            parts = path.split("/")
            for depth in range(1, len(parts)):
                folders.setdefault("/".join(parts[:depth]), {})["/".join(parts[depth:])] = blob
            entries[path] = {"type": "file", "oid": blob.oid, "size": blob.size, "path": path}
            if blob.lfs:
                size = len(pointer(blob.sha256, blob.size))
                entries[path]["lfs"] = {"oid": blob.sha256, "size": blob.size, "pointerSize": size}
            if expand:
                entries[path]["securityFileStatus"] = {"status": "safe", "avScan": None, "pickleImportScan": None}
        for path, files in folders.items():
            entries[path] = {"type": "directory", "oid": tree_oid(files), "size": 0, "path": path}
        if expand:
            history = repo.history(commit.oid)
            for path, entry in entries.items():
                last = last_change(history, path)
                entry["lastCommit"] = {"id": last.oid, "title": last.title, "date": iso(last.date)}
        return entries

    def refs(self, repo: Repo) -> Answer:
        """List what has a name."""
        value = {
            "branches": [
                {"name": name, "ref": f"refs/heads/{name}", "targetCommit": oid} for name, oid in repo.branches.items()
            ],
            "converts": [],
            "tags": [
                {"name": name, "ref": f"refs/tags/{name}", "targetCommit": oid} for name, oid in repo.tags.items()
            ],
        }
        if self.query.get("include_prs") == "1":
            value["pullRequests"] = [
                {"name": ref.removeprefix("refs/"), "ref": ref, "targetCommit": oid} for ref, oid in repo.pulls.items()
            ]
        return as_json(value)

    def branch(self, repo: Repo, name: str) -> Answer:
        """Create or delete a branch."""
        if self.method == "DELETE":
            if name == "main":
                raise refused(403, "Cannot delete the default branch")
            if repo.branches.pop(name, None) is None:
                raise refused(404, f"Invalid rev id: refs/heads/{name}", "RevisionNotFound")
            return as_json({})
        if not name or name.startswith("refs/"):
            raise refused(400, f"Invalid reference for a branch: refs/heads/{name}")
        if name in repo.branches:
            raise refused(409, f"Reference already exists: refs/heads/{name}")
        repo.branches[name] = repo.at(self.asked().get("startingPoint") or "main").oid
        return as_json({})

    def tag(self, repo: Repo, name: str) -> Answer:
        """Tag a revision (POST, `name` is the revision), or delete a tag."""
        if self.method == "DELETE":
            if repo.tags.pop(name, None) is None:
                raise refused(404, f"Invalid rev id: refs/tags/{name}", "RevisionNotFound")
            return as_json({})
        tag, commit = self.asked().get("tag"), repo.at(name)
        if not isinstance(tag, str) or not re.fullmatch(r"(?!.*\.\.)[^\s~^:?*\[\\/-][^\s~^:?*\[\\]*", tag):
            raise refused(400, f"Invalid tag name: {tag}")
        if tag in repo.tags:
            raise refused(409, f"Tag reference exists already: {tag}")
        repo.tags[tag] = commit.oid
        return as_json({})

    def discussions(self, repo: Repo, which: list[str]) -> Answer:
        """List, show, open, close or merge discussions and pull requests."""
        match (self.method, *which):
            case ("GET",):
                shown = [item for item in reversed(repo.discussions) if self.is_asked(item)]
                return as_json(
                    {
                        "count": len(shown),
                        "start": 0,
                        "discussions": [self.discussion(repo, item) for item in shown],
                        "numClosedDiscussions": sum(item.status in ("closed", "merged") for item in repo.discussions),
                    }
                )
            case ("POST",):
                asked, user = self.asked(), self.may_sign()
                title, text = str(asked.get("title", "")), str(asked.get("description", ""))
                if len(title) < 3:
                    raise refused(400, '"title" length must be at least 3 characters long')
                if asked.get("pullRequest"):
                    item = repo.open_pull(title, text, user.name, "draft", repo.head())
                else:
                    item = repo.discuss(title, text, user.name, False, "open")
                return as_json(self.discussion(repo, item) | {"pullRequest": item.is_pull_request})
            case ("GET", number):
                return as_json(self.details(repo, self.numbered(repo, number)))
            case ("POST", number, "status"):
                item = self.numbered(repo, number)
                self.may_write(repo, pull=self.user is not None and self.user.name == item.author)
                item.status = self.asked().get("status", item.status)
                return as_json({"newStatus": event(item, "status-change", {"status": item.status})})
            case ("POST", number, "merge"):
                item = self.numbered(repo, number)
                user = self.may_write(repo)
                return self.merge(repo, item, user)
        raise refused(404, "Sorry, we can't find the page you are looking for.")

    def merge(self, repo: Repo, item: Discussion, user: User) -> Answer:
        """Merge a pull request: what it changed since its base is changed on main."""
        if not item.is_pull_request or item.status not in ("open", "draft"):
            raise refused(400, "This pull request cannot be merged")
        base, head, main = repo.at(item.base), repo.at(f"refs/pr/{item.num}"), repo.at("main")
        changed = {path for path in base.files | head.files if base.files.get(path) != head.files.get(path)}
        if any(main.files.get(path) != base.files.get(path) for path in changed):
            raise refused(409, "This pull request has conflicts")
        files = {path: blob for path, blob in main.files.items() if path not in changed}
        files |= {path: head.files[path] for path in changed if path in head.files}
        commit = repo.add(main.oid, f"{item.title} (#{item.num})", "", user.name, files)
        repo.move("main", commit.oid)
        item.status, item.merged = "merged", commit.oid
        return as_json({"newStatus": event(item, "status-change", {"status": "merged"})})

    def is_asked(self, item: Discussion) -> bool:
        """Say whether the query asks for this discussion."""
        kinds = {"pull_request": True, "discussion": False}
        state = "open" if item.status in ("open", "draft") else "closed"
        return (
            kinds.get(self.query.get("type", ""), item.is_pull_request) == item.is_pull_request
            and self.query.get("status", "all") in ("all", state)
            and self.query.get("author", item.author) == item.author
        )

    def numbered(self, repo: Repo, number: str) -> Discussion:
        """Return the discussion of this number."""
        for item in repo.discussions:
            if str(item.num) == number:
                return item
        raise refused(404, "Discussion not found", "EntryNotFound")

    def discussion(self, repo: Repo, item: Discussion) -> dict:
        """Describe a discussion."""
        return {
            "num": item.num,
            "title": item.title,
            "author": {"name": item.author, "type": "user"},
            "createdAt": iso(item.date),
            "status": item.status,
            "repo": {"name": repo.name, "type": repo.kind},
            "isPullRequest": item.is_pull_request,
            "url": f"{self.page(repo)}/discussions/{item.num}",
        }

    def details(self, repo: Repo, item: Discussion) -> dict:
        """Describe a discussion with what happened in it."""
        text = {"raw": item.description, "html": item.description, "updatedAt": iso(item.date)}
        comment = {"edited": False, "hidden": False, "latest": text, "history": [text], "numEdits": 0}
        value = self.discussion(repo, item) | {"events": [event(item, "comment", comment)]}
        if not item.is_pull_request:
            return value
        for commit in reversed(repo.history(f"refs/pr/{item.num}")):
            if commit not in repo.history(item.base):
                value["events"].append(event(item, "commit", {"subject": commit.title, "oid": commit.oid}))
        changes = {"base": "refs/heads/main"} | ({"mergeCommitId": item.merged} if item.merged else {})
        return value | {"changes": changes, "filesWithConflicts": [], "diff": ""}

    # Upload.

    def preupload(self, repo: Repo, rev: str) -> Answer:
        """Say of each file how it is to be uploaded, and what is there under its name."""
        self.may_commit(repo, rev)
        files = []
        for asked in self.asked().get("files", []):
            path, there = asked["path"], repo.at(rev).files.get(asked["path"])
            large = repo.is_large(path, asked["size"], rev)
            line = {"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False}
            files.append(line | ({"oid": there.etag} if there else {}))
        return as_json({"files": files, "commitOid": repo.at(rev).oid})

    def large(self, repo: Repo, action: str) -> Answer:
        """Say where large files are to be put, or check that one has arrived."""
        self.may_write(repo, pull=True)
        asked = self.asked()
        if action == "verify":
            data = repo.lfs.get(asked.get("oid", ""))
            if data is None or len(data) != asked.get("size"):
                raise refused(404, "Object not found or of another size")
            return as_json({})
        if action != "batch" or asked.get("operation") != "upload":
            raise refused(404, "Sorry, we can't find the page you are looking for.")
        objects = [self.placed(repo, item["oid"], item["size"]) for item in asked["objects"]]
        in_parts = any("chunk_size" in item.get("actions", {}).get("upload", {}).get("header", {}) for item in objects)
        value = {"transfer": "multipart" if in_parts else "basic", "objects": objects, "hash_algo": "sha256"}
        return as_json(value, headers={"Content-Type": "application/vnd.git-lfs+json"})

    def placed(self, repo: Repo, oid: str, size: int) -> dict:
        """Say where one large file is to be put, nowhere if it is there already."""
        value = {"oid": oid, "size": size, "authenticated": True}
        if len(repo.lfs.get(oid, b"")) == size and oid in repo.lfs:
            return value
        if not re.fullmatch("[0-9a-f]{64}", oid) or size < 0:
            return value | {"error": {"code": 422, "message": "Invalid object"}}
        place = f"/{repo.kind}s/{repo.name}/{oid}"
        if size >= self.hub.multipart_from:
            upload = f"upload-{next(self.hub.numbers)}"
            self.hub.parts[upload] = {}
            header = {
                str(number): self.hub.storage_url
                + self.hub.sign(f"/upload{place}?{urlencode({'uploadId': upload, 'partNumber': number})}")
                for number in range(1, math.ceil(size / self.hub.part) + 1)
            }
            header["chunk_size"] = str(self.hub.part)
            ask = urlencode({"repo": key_of(repo.kind, repo.name), "oid": oid, "size": size, "uploadId": upload})
            href = self.hub.url + self.hub.sign(f"/api/complete_multipart?{ask}")
        else:
            header, href = {}, self.hub.storage_url + self.hub.sign(f"/upload{place}?size={size}")
        verify = {"href": f"{self.page(repo)}.git/info/lfs/objects/verify"}
        return value | {"actions": {"upload": {"href": href, "header": header}, "verify": verify}}

    def storage(self) -> Answer:
        """Answer what is asked of the storage, which knows no users."""
        if not self.hub.is_signed(self.address):
            raise storage_refused(403, "SignatureDoesNotMatch", "The address is not signed")
        if self.token:
            raise storage_refused(400, "InvalidArgument", "Only one auth mechanism allowed: the token came along")
        match (self.method, *self.segments):
            case ("PUT", "upload", kinds, space, name, oid):
                repo = self.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
                if repo is None:
                    raise storage_refused(404, "NoSuchBucket", "The repository is not there")
                if "uploadId" in self.query:
                    if self.query["uploadId"] not in self.hub.parts:
                        raise storage_refused(404, "NoSuchUpload", "The upload is over, or never began")
                    self.hub.parts[self.query["uploadId"]][int(self.query["partNumber"])] = self.body
                else:
                    self.store(repo, oid, int(self.query["size"]), self.body)
                return Answer(200, headers={"ETag": f'"{hashlib.md5(self.body).hexdigest()}"'})
            case ("GET" | "HEAD", "cdn", kinds, space, name, oid):
                repo = self.hub.repos.get(key_of(KINDS[kinds], f"{space}/{name}"))
                if repo is None or oid not in repo.lfs:
                    raise storage_refused(404, "NoSuchKey", "The object is not there")
                return self.ranged(repo.lfs[oid], {"ETag": f'"{oid}"'})
        raise storage_refused(405, "MethodNotAllowed", "The storage does not do this")

    def store(self, repo: Repo, oid: str, size: int, data: bytes) -> None:
        """Keep a large file, if it is what was announced."""
        if len(data) != size:
            raise storage_refused(400, "IncompleteBody", f"{len(data)} bytes came, {size} were announced")
        if hashlib.sha256(data).hexdigest() != oid:
            raise storage_refused(400, "XAmzContentSHA256Mismatch", "The bytes are not those that were announced")
        repo.lfs[oid] = data

    def complete(self) -> Answer:
        """Put the parts of a large file together; only the address's signature says that this may be."""
        if not self.hub.is_signed(self.address):
            raise refused(403, "Invalid signature")
        asked, repo = self.asked(), self.hub.repos.get(self.query["repo"])
        parts = self.hub.parts.get(self.query["uploadId"], {})
        if repo is None:
            raise refused(404, "Repository not found", "RepoNotFound")
        if self.query["oid"] in repo.lfs:
            return as_json({"success": True})
        size = int(self.query["size"])
        named = {item["partNumber"]: item["etag"].strip('"') for item in asked.get("parts", [])}
        etags = {number: hashlib.md5(data).hexdigest() for number, data in parts.items()}
        if asked.get("oid") != self.query["oid"] or named != etags:
            raise refused(400, "One or more of the specified parts could not be found")
        if any(len(data) != self.hub.part for number, data in parts.items() if number != max(parts)):
            raise refused(400, "A part is smaller than the minimum allowed size")
        self.store(repo, self.query["oid"], size, b"".join(parts[number] for number in sorted(parts)))
        del self.hub.parts[self.query["uploadId"]]
        return as_json({"success": True})

    def commit(self, repo: Repo, rev: str) -> Answer:
        """Commit: all of it or nothing."""
        user = self.may_commit(repo, rev)
        try:
            lines = [json.loads(line) for line in self.body.splitlines() if line.strip()]
        except ValueError as error:
            raise refused(400, f"Invalid ndjson: {error}") from error
        if not lines or lines[0].get("key") != "header" or not lines[0]["value"].get("summary"):
            raise refused(400, "The first line must be a header with a summary")
        header = lines[0]["value"]
        pull = self.query.get("create_pr") == "1"
        parent = repo.at(rev)
        if not pull and rev not in repo.branches and rev not in repo.pulls:
            raise refused(404, f"Invalid rev id: {rev}", "RevisionNotFound")
        if header.get("parentCommit") not in (None, parent.oid):
            raise refused(412, "A commit has happened since. Please refresh and try again.")
        files = dict(parent.files)
        for line in sorted(lines[1:], key=lambda line: not line["key"].startswith("deleted")):
            self.change(repo, files, line["key"], line["value"])
        if any("/".join(path.split("/")[:depth]) in files for path in files for depth in range(1, path.count("/") + 1)):
            raise refused(400, "A file cannot also be a folder")
        title, text = header["summary"], header.get("description", "")
        commit = repo.add(parent.oid, title, text, user.name, files)
        value = {
            "success": True,
            "commitOid": commit.oid,
            "commitUrl": f"{self.page(repo)}/commit/{commit.oid}",
            "hookOutput": "",
        }
        if pull:
            item = repo.open_pull(title, text, user.name, "open", parent.oid)
            rev = f"refs/pr/{item.num}"
            value["pullRequestUrl"] = f"{self.page(repo)}/discussions/{item.num}"
        repo.move(rev, commit.oid)
        return as_json(value)

    def change(self, repo: Repo, files: dict[str, Blob], key: str, value: dict) -> None:
        """Do one operation of a commit to its files."""
        path = value["path"]
        if path.startswith("/") or any(part in ("", ".", "..", ".git") for part in path.rstrip("/").split("/")):
            raise refused(400, f"Invalid path: {path}")
        match key:
            case "file":
                try:
                    data = base64.b64decode(value["content"], validate=True)
                except binascii.Error as error:
                    raise refused(400, f"Invalid base64 of {path}") from error
                if len(data) > LARGE:
                    raise refused(400, f"Your push was rejected because it contains files larger than 10 MiB: {path}")
                files[path] = Blob.of(data, False)
            case "lfsFile":
                data = repo.lfs.get(value["oid"])
                if data is None or value.get("size", len(data)) != len(data):
                    raise refused(
                        400,
                        "Your push was rejected because an LFS pointer pointed to a file that does not exist. "
                        f"Offending file: - {path}",
                    )
                files[path] = Blob.of(data, True)
            case "deletedFile":
                if files.pop(path, None) is None:
                    raise refused(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
            case "deletedFolder":
                inside = [name for name in files if name.startswith(path.rstrip("/") + "/")]
                if not inside:
                    raise refused(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
                for name in inside:
                    del files[name]
            case _:
                raise refused(400, f"Unknown operation: {key}")

    # Download.

    def resolve(self, repo: Repo, place: list[str]) -> Answer:
        """Say where a file lies: a large one in the storage, another in the Hub's own cache."""
        rev, path = split_rev(place)
        self.pass_gate(repo)
        commit = repo.at(rev)
        blob = commit.files.get(path)
        if blob is None:
            raise refused(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.oid})
        headers = {
            "X-Repo-Commit": commit.oid,
            "Accept-Ranges": "bytes",
            "ETag": f'"{blob.etag}"',
            "X-Linked-Size": str(blob.size),
            "X-Linked-Etag": f'"{blob.etag}"',
        }
        if blob.lfs:
            name = quote(path.rpartition("/")[2])
            address = f"/cdn/{repo.kind}s/{repo.name}/{blob.sha256}?filename={name}"
            location = self.hub.storage_url + self.hub.sign(address)
            return Answer(302, f"Found. Redirecting to {location}".encode(), headers | {"Location": location})
        where = f"{repo.kind}s/{repo.name}/{commit.oid}/{quote(path)}"
        # Relative, as the clients before 1.0 follow no other redirect when they ask for metadata.
        location = f"/api/resolve-cache/{where}?{urlencode({urlsplit(self.address).path: '', 'etag': headers['ETag']})}"
        body = f"Temporary Redirect. Redirecting to {location}".encode()
        return Answer(307, body, headers | {"Location": location})

    def content(self, commit: Commit, path: str) -> Answer:
        """Return a file from the Hub's own cache."""
        repo = self.readable(*self.segments[2:5])
        self.pass_gate(repo)
        blob = commit.files.get(path)
        if blob is None or blob.lfs:
            raise refused(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.oid})
        name = quote(path.rpartition("/")[2])
        headers = {
            "ETag": f'"{blob.etag}"',
            "X-Repo-Commit": commit.oid,
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Disposition": f"inline; filename*=UTF-8''{name}; filename=\"{name}\";",
        }
        return self.ranged(blob.data, headers)

    def ranged(self, data: bytes, headers: dict[str, str]) -> Answer:
        """Return bytes, or the range of them that was asked for."""
        headers = {"Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"} | headers
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if asked is None or asked.groups() == ("", ""):
            return Answer(200, data, headers)
        first, last = asked.groups()
        if first == "":
            start, stop = max(0, len(data) - int(last)), len(data)
        else:
            start, stop = int(first), min(int(last) + 1 if last else len(data), len(data))
        if start >= stop:
            return Answer(416, b"", headers | {"Content-Range": f"bytes */{len(data)}"})
        return Answer(206, data[start:stop], headers | {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"})


def split_rev(place: list[str]) -> tuple[str, str]:
    """Tell revision from path; one like refs/pr/1 may come with its slashes bare."""
    length = 3 if place[:1] == ["refs"] and len(place) > 2 else 1
    return "/".join(place[:length]), "/".join(place[length:])


def last_change(history: list[Commit], path: str) -> Commit:
    """Return the latest commit that changed a file or anything in a folder."""

    def there(commit: Commit) -> dict[str, Blob]:
        return {name: blob for name, blob in commit.files.items() if name == path or name.startswith(path + "/")}

    for later, earlier in itertools.pairwise(history):
        if there(later) != there(earlier):
            return later
    return history[-1]


def repo_id(repo: Repo) -> str:
    """Return the Hub's internal name of a repository."""
    return hashlib.sha1(f"{repo.kind} {repo.name}".encode()).hexdigest()[:24]


def sibling(path: str, blob: Blob, with_blob: bool) -> dict:
    """Describe one file within a repository's description."""
    value = {"rfilename": path}
    if with_blob:
        value |= {"size": blob.size, "blobId": blob.oid}
        if blob.lfs:
            size = len(pointer(blob.sha256, blob.size))
            value["lfs"] = {"sha256": blob.sha256, "size": blob.size, "pointerSize": size}
    return value


def card_tags(card: object) -> list[str]:
    """Return the tags that the Hub makes of a card."""
    tags = []
    for key in ("task_categories", "language", "license", "size_categories"):
        value = card.get(key, []) if isinstance(card, dict) else []
        tags += [f"{key}:{item}" for item in (value if isinstance(value, list) else [value])]
    return [*tags, *(card.get("tags", []) if isinstance(card, dict) else []), "region:us"]


def commit_line(commit: Commit, formatted: bool) -> dict:
    """Describe one commit of a history."""
    value = {
        "id": commit.oid,
        "title": commit.title,
        "message": commit.message,
        "authors": [{"user": commit.author, "avatar": ""}],
        "date": iso(commit.date),
    }
    return value | ({"formatted": {"title": commit.title, "message": commit.message}} if formatted else {})


def event(item: Discussion, kind: str, data: dict) -> dict:
    """Describe one event of a discussion."""
    return {
        "id": hashlib.sha1(f"{item.num} {kind} {data}".encode()).hexdigest()[:24],
        "type": kind,
        "createdAt": iso(item.date),
        "author": {"name": item.author, "type": "user"},
        "data": data,
    }


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A small Hugging Face Hub on loopback, in memory.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: any that is free)")
    with Hub(port=parser.parse_args().port) as hub:
        try:
            print(f"HF_ENDPOINT={hub.url} HF_TOKEN={WRITE} HF_HUB_DISABLE_XET=1", flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print("Stopped.", file=sys.stderr)


if __name__ == "__main__":
    main()
