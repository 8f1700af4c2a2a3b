"""Run commands where the locale is not UTF-8, and where standard streams are closed: what they print stays whole."""

import contextlib
import json
import os
import pty
import shlex
import subprocess
import sys

import pytest
from support import ROOT

ENCODINGS = ("ascii", "latin-1", "cp1252", "utf-16")
COMMAND = [sys.executable, "-m", "tom_datasets"]
FRENCH = "stream hi_tom --config deep --language fr --count 1"


def printed(words, encoding, sent=b""):
    """Return the exit code of a command, and the bytes that it prints to standard output and error."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*COMMAND, *shlex.split(words)], cwd=ROOT, env=environment, input=sent, capture_output=True)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def french():
    """Return a French row as `stream` prints it where all is UTF-8."""
    code, row, _ = printed(FRENCH, "utf-8")
    assert code == 0 and "é" in row.decode()
    return row


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rows_are_json_in_utf_8(french, encoding):
    code, row, _ = printed(FRENCH, encoding)
    assert (code, row) == (0, french) and "é" in json.loads(row)["story"]


@pytest.mark.parametrize("encoding", ENCODINGS[:1] + ENCODINGS[-1:])
def test_rows_are_read_as_utf_8(french, encoding):
    code, explained, errors = printed("explain hi_tom", encoding, french)
    assert (code, errors) == (0, b"") and "Réponse : " in json.loads(explained)["explanation"]


def test_what_is_not_utf_8_is_no_row():
    for encoding in ("ascii", "utf-8"):
        code, explained, errors = printed("explain hi_tom", encoding, b"\xff\n")
        line = b"error: standard input, line 1: it is not JSON; expected one row on a line, as stream prints it\n"
        assert (code, explained, errors) == (1, b"", line)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_error_is_utf_8(encoding, tmp_path):
    code, nothing, errors = printed(f"reread hi_tom {tmp_path / 'thé'}", encoding)
    line = f"error: {tmp_path / 'thé'}: No such file or directory; expected JSON lines or the published JSON\n"
    assert (code, nothing, errors.decode()) == (1, b"", line)


TOMI = "1 Zoé entered the attic.\n2 The pear is in the red_box.\n3 Where will Zoé look for the pear?\tred_box\t2\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "show hi_tom --config deep_fr --out {stories}",
        "show mindgames --config all_zh --out {problems}",
        "stream mindgames --config all --language zh --count 1",
        "prompts hi_tom --config deep_zh --limit 2 --out {stories}",
        "check hi_tom --out {stories}",
        "audit {folder}/thé.txt --unread {folder}/unread.jsonl",
        "reread hi_tom {folder}/thé.txt --unread {folder}/unread.jsonl --disagreements {folder}/disagreements.jsonl",
        "play --solution",
        "smcdel {folder}/smcdel",
    ],
)
def test_all_commands_print_the_same_bytes(stories, problems, tmp_path, words):
    (tmp_path / "thé.txt").write_text(TOMI, encoding="utf-8")
    (tmp_path / "smcdel").write_text("VARS 1 LAW Top OBS a:1 VALID? ¬1 ∨ 1", encoding="utf-8")
    given = words.format(folder=tmp_path, stories=stories, problems=problems)
    expected = printed(given, "utf-8")
    assert expected[0] == 0, expected
    for encoding in ENCODINGS:
        assert printed(given, encoding) == expected, encoding


def test_a_terminal_without_the_letters_shows_their_codes():
    leading, following = pty.openpty()
    words, ascii_alone = [*COMMAND, *FRENCH.split()], {**os.environ, "PYTHONIOENCODING": "ascii"}
    with subprocess.Popen(words, cwd=ROOT, env=ascii_alone, stdout=following, stderr=subprocess.DEVNULL) as process:
        os.close(following)
        shown = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while read := os.read(leading, 4096):
                shown += read
    os.close(leading)
    assert process.returncode == 0 and shown.isascii() and rb"\xe9" in shown


@pytest.mark.parametrize(
    ("words", "code", "output", "errors"),
    [
        ("stream hi_tom --count 1 >&- 2>&-", 0, "", ""),
        ("show hi_tom --config nowhere 2>&-", 1, "", ""),
        ("explain hi_tom <&-", 0, "", ""),
        ("play <&-", 1, None, "error: the input ended before the episode did; write one line for each turn\n"),
        ("smcdel - <&-", 1, None, "smcdel: Parse error in line 1, column 1\n"),
    ],
)
def test_a_closed_stream_is_empty(words, code, output, errors):
    done = subprocess.run(f"{shlex.join(COMMAND)} {words}", shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, errors) and output in (None, done.stdout)


@pytest.mark.parametrize("home", [None, "/nonexistent", "read-only"])
def test_an_unusual_home_and_folder(tmp_path, home):
    """No command that reads and prints needs a home, or the folder that it runs in."""
    there = tmp_path / "a folder [é]"
    there.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    if home:
        environment["HOME"] = str(there) if home == "read-only" else home
    there.chmod(0o555)
    for words in ("smcdel -", "stream hi_tom --config deep --count 1"):
        given = {"cwd": there, "env": environment, "input": "VARS 1 LAW Top OBS a:1", "text": True}
        done = subprocess.run([*COMMAND, *words.split()], capture_output=True, **given)
        assert done.returncode == 0 and "Traceback" not in done.stderr and os.listdir(there) == []
