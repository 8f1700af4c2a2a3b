"""Ask a server on loopback that speaks the chat completions of OpenAI, and read what is said of one that fails."""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support import listed, refused

from tom_datasets.training import models


class Server(ThreadingHTTPServer):
    """Answer each prompt with the letter B; remember what was asked."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.status, self.reply = [], 200, "B"
        self.address = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):  # noqa: N802, the name is that of the library
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        said = {"role": "assistant", "content": self.server.reply}
        choice = {"index": 0, "message": said, "finish_reason": "length" if len(self.server.asked) == 1 else "stop"}
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        made = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
        content = json.dumps({**made, "usage": usage}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def server():
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def ask(run, folder, tmp_path, server, monkeypatch):
    """Return what runs the command on a small build, with the file of replies."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    words = ("--out", folder, "--model", f"{server.address}#mine", "--to", tmp_path / "replies.jsonl")
    return lambda name, *more: run("ask", name, *words, *more)


def lines(tmp_path):
    return [json.loads(line) for line in (tmp_path / "replies.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_every_prompt_is_asked_once_and_the_file_is_scored(ask, run, folder, tmp_path, server, name):
    code, printed, _ = ask(name, "--limit", 5, "--max-tokens", 9)
    _, asked, _ = run("prompts", name, "--out", folder, "--limit", 5)
    prompts = {row["id"]: row["prompt"] for row in map(json.loads, asked.splitlines())}
    count = len(prompts)
    file = tmp_path / "replies.jsonl"
    assert (code, printed) == (
        0, f"{file}: {count} replies, {count} of them asked for now; score reads them with --partial\n"
    )  # fmt: skip
    sent = [body for _, _, body in server.asked]
    assert [body["messages"] for body in sent] == [[{"role": "user", "content": said}] for said in prompts.values()]
    assert {(body["model"], body["temperature"], body["max_tokens"]) for body in sent} == {("mine", 0, 9)}
    assert {(path, key) for path, key, _ in server.asked} == {("/v1/chat/completions", "Bearer secret")}
    made = lines(tmp_path)
    assert [row["id"] for row in made] == [*prompts] and {row["response"] for row in made} == {"B"}
    assert [row["finish"] for row in made[:2]] == ["length", "stop"]
    assert made[0]["usage"] == {"prompt_tokens": 7, "completion_tokens": 1} and made[0]["seconds"] >= 0
    code, printed, _ = run("score", name, "--out", folder, "--responses", file, "--partial")
    assert code == 0 and "1 ended at a limit of tokens" in printed
    assert not any("secret" in line for line in file.read_text().splitlines())


def test_what_is_there_is_not_asked_again(ask, tmp_path, server):
    """A line that was cut where the power failed is asked for again."""
    assert ask("hi_tom", "--limit", 5)[0] == 0
    file, before = tmp_path / "replies.jsonl", lines(tmp_path)
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]) + '{"id": "test-0')
    code, printed, _ = ask("hi_tom", "--limit", 5)
    assert code == 0 and "5 replies, 2 of them asked for now" in printed and len(server.asked) == 7
    assert [row["id"] for row in lines(tmp_path)] == [row["id"] for row in before]
    assert "5 replies, 0 of them asked for now" in ask("hi_tom", "--limit", 5)[1] and len(server.asked) == 7
    assert "120 replies, 115 of them asked for now; score reads them\n" in ask("hi_tom")[1]


def test_lines_of_others_that_answer_the_same_are_kept(ask, tmp_path, server):
    """Here the last one has no end."""
    assert ask("hi_tom", "--limit", 5)[0] == 0
    file = tmp_path / "replies.jsonl"
    mine = [json.dumps({"response": "C", "id": row["id"]}) for row in lines(tmp_path)]
    file.write_text("\n".join(mine[:4]))
    assert "5 replies, 1 of them asked for now" in ask("hi_tom", "--limit", 5)[1]
    assert [row["response"] for row in lines(tmp_path)] == [*"CCCC", "B"]
    file.write_bytes(gzip.compress(file.read_bytes()))
    refused(
        ask("hi_tom", "--limit", 5), "not a plain text file to which lines can be added; name another file with --to"
    )


def test_a_file_of_others_is_left_as_it_is(ask, tmp_path, server):
    file = tmp_path / "replies.jsonl"
    for text, message in [
        ("Mine.\n", "line 1: not a reply with an id; name another file with --to"),
        ("Mine, without a last line break", "line 1: not a reply with an id; name another file with --to"),
        ('{"id": "mine", "response": "A"}\n["b"]', "line 2: not a reply with an id; name another file with --to"),
        ("[]\n", "line 1: not a reply with an id; name another file with --to"),
        ('{"id": "test-000000-0", "model": "yours"}\n', "has replies of yours, not of http://127.0.0.1:"),
        ('{"id": "mine"}\n', "has replies to other prompts (first: 'mine'): name another file with --to"),
    ]:
        file.write_text(text)
        refused(ask("hi_tom", "--limit", 5), message)
        assert file.read_text() == text and server.asked == []


def test_a_server_that_fails_keeps_what_was_answered(ask, tmp_path, server):
    assert ask("hi_tom", "--limit", 5)[0] == 0
    server.status = 500
    refused(ask("hi_tom", "--limit", 10), f"{server.address}, model mine: ", "500")
    assert len(lines(tmp_path)) == 5
    (tmp_path / "replies.jsonl").unlink()
    refused(ask("hi_tom", "--limit", 5), f"{server.address}, model mine: ")
    assert listed(tmp_path) == [], "no empty file is left"
    server.shutdown()
    server.server_close()
    refused(ask("hi_tom", "--limit", 10), f"{server.address}, model mine: ")


def test_a_local_model_says_what_it_needs(run, folder, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    words = ("ask", "hi_tom", "--out", folder, "--limit", 5, "--to", tmp_path / "replies.jsonl", "--model", "smollm2")
    remedy = "pip install torch transformers (in a clone: make .venvs/models/.ready)"
    refused(run(*words), f"asking smollm2 needs torch: {remedy}")
    assert not (tmp_path / "replies.jsonl").exists()


def test_the_name_says_what_kind_of_model_it_is(monkeypatch):
    monkeypatch.setattr(models, "Local", lambda name: ("here", name))
    assert models.model_of("ORG/NAME") == ("here", "ORG/NAME")
    assert models.model_of("http://localhost:1/v1").name == "default"
    assert models.model_of("http://localhost:1/v1#a/b#c").name == "a/b#c"
