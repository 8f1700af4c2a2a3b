"""Put programs in the place of SMCDEL that lie, hang or fail, and read how each command says so."""

import contextlib
import functools
import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from commands.samples import LEAST
from commands.underway import wait_for
from support import contents, embedded_smcdel, ended, listed, refused, shell_script, start

from tom_datasets.__main__ import main
from tom_datasets.logic.smcdel.program import Smcdel


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """Build mindgames once, with a block of each; no test may change it."""
    out = tmp_path_factory.mktemp("least")
    assert main(["build", "mindgames", "--out", str(out), *LEAST]) == 0
    return out


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return what puts an executable script in SMCDEL's place; this project's own program is `honest` in it."""

    def program(body):
        (tmp_path / "bin").mkdir(exist_ok=True)
        path = shell_script(tmp_path / "bin" / "smcdel", f'honest() {{ {embedded_smcdel()} "$@"; }}\n{body}')
        monkeypatch.setenv("SMCDEL", path)
        return path

    return program


HONEST = 'honest "$@"'
LIES = f"{HONEST} | sed 's/True/Lie/; s/False/True/; s/Lie/False/'"


def built(run, tmp_path, *arguments):
    """Build a least folder and return what was said; nothing may be left where it failed."""
    result = run("build", "mindgames", *LEAST, "--out", tmp_path / "out", *arguments)
    if result[0]:
        assert not (tmp_path / "out").exists() or listed(tmp_path / "out") == []
    return result


def made_by(checker, out):
    """Let the record of a build say that it was made by a checker."""
    file = out / "mindgames" / "build.json"
    record = json.loads(file.read_text())
    for fields in record["request"].values():
        fields["checker"] = checker
    file.write_text(json.dumps(record))


def test_smcdel_labels_the_same_rows(run, tmp_path, least, program):
    program(HONEST)
    assert built(run, tmp_path, "--checker", "both")[0] == 0
    made, plain = contents(tmp_path / "out"), contents(least)
    assert {file for file in made if made[file] != plain[file]} == {"mindgames/build.json"}


@pytest.mark.parametrize("checker", ["smcdel", "both"])
def test_where_there_is_no_smcdel(run, tmp_path, monkeypatch, checker):
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", "/nowhere:/neither")
    refused(built(run, tmp_path, "--checker", checker), "no SMCDEL here: ", "PATH (/nowhere:/neither)")
    assert built(run, tmp_path)[0] == 0


def test_a_build_by_smcdel_is_not_proven_without_it(run, problems_copy, monkeypatch):
    made_by("smcdel", problems_copy)
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    refused(run("check", "--out", problems_copy), "no SMCDEL here: $SMCDEL is not set")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo hello", [" is not SMCDEL: it said 'hello'"]),
        ("echo oh no >&2; exit 3", [" ended with exit code 3: 'oh no', after nothing"]),
        (LIES, ["the plan says ", ", the checker says ", ": VARS 1,2"]),
    ],
)
def test_programs_that_are_not_to_be_trusted(run, tmp_path, program, body, words):
    path = program(body)
    failed = built(run, tmp_path, "--checker", "smcdel", "--processes", 2 if body == LIES else 1)
    refused(failed, *words)
    assert failed[2].startswith(f"error: {path} ") or body == LIES


def test_a_program_that_lies_is_shown_where_both_are_asked(run, tmp_path, program):
    path = program(LIES)
    failed = built(run, tmp_path, "--checker", "both")
    refused(failed, f"error: {path} says ", "entailment, the embedded checker ", "entailment: VARS 1,2")


def test_a_program_that_hangs(run, tmp_path, program, monkeypatch):
    path = program("sleep 60")
    monkeypatch.setattr("tom_datasets.logic.checkers.Smcdel", functools.partial(Smcdel, limit=0.5))
    failed = built(run, tmp_path, "--checker", "smcdel", "--processes", 2)
    refused(failed, f"error: {path} did not end within 0.5 seconds; it said nothing\n")


@pytest.mark.parametrize(("number", "processes"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_an_interrupt_ends_the_programs_that_were_asked(tmp_path, program, number, processes):
    program(f"echo $$ >> {tmp_path / 'asked'}; exec sleep 100")  # longer than `wait_for` waits
    arguments = ["mindgames", *LEAST, "--probe", "none", "--out", tmp_path / "out", "--processes", processes]
    build = start("build", *arguments, start_new_session=True)
    try:
        wait_for(lambda: (tmp_path / "asked").exists() or build.poll() is not None)
        build.send_signal(number)
        assert ended(build) == (130, "", "interrupted; nothing half-written was left\n")
    finally:
        with contextlib.suppress(ProcessLookupError):  # no worker is left
            os.killpg(build.pid, signal.SIGKILL)
        build.communicate()
    asked = [int(pid) for pid in (tmp_path / "asked").read_text().split()]
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in asked))


def test_a_program_that_fails_leaves_no_parents(run, tmp_path, program):
    program("exit 3")
    (tmp_path / "there").mkdir()
    failed = run("build", "mindgames", *LEAST, "--out", tmp_path / "there" / "not" / "yet", "--checker", "smcdel")
    refused(failed, "ended with exit code 3")
    assert listed(tmp_path) == ["bin", "there"] and listed(tmp_path / "there") == []


def test_check_says_in_one_line_that_the_checkers_differ(run, least, tmp_path, program):
    out = shutil.copytree(least, tmp_path / "out")
    made_by("both", out)
    path = program(LIES)
    refused(run("check", "--out", out), f"{path} says ", "the embedded checker ")


def test_check_with_a_program_that_lies(run, least, program):
    """`auto` asks the program that there is now."""
    program(LIES)
    refused(run("check", "--out", least), "0 of ", " rows agree, then ", "label is ", ", smcdel_problem gives ")
