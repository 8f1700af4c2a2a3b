"""Publish to a Hub on loopback, by the client as it is, through every fault and every refusal."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_hub import EXPIRED, READ, SOMEBODY, WRITE, Blob, Hub
from support import ROOT

from builders.__main__ import main
from builders.folder.build import RECORD, checksum
from builders.hub.fingerprints import fingerprint

SIZES = {
    "hi_tom": (
        "--train 3 --validation 3 --test 3 --tomh 27 --reproduction 3 --deep-train 1 --deep-validation 1 --deep 2"
    ).split(),
    "mindgames": ("--train", "6", "--validation", "6", "--test", "6", "--scale", "6", "--reproduction", "4"),
}
INITIAL = {".gitattributes"}
PAGE = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
# The client reads where the Hub is once, when it is imported: one process for all tests, which does what it is told.
# Our own waits are short in it; the client's are what they are.
PUBLISHER = """
import contextlib, io, json, os, sys
import builders.__main__ as commands
from builders.__main__ import main
from builders.audit import gates as audit
from builders.hub import client, network, publication
whole = audit.GATED_STORIES, dict(audit.GATES)
for module in (client, network, publication):
    for name, value in (("FIRST_WAIT", 0.02), ("ANSWER_TIMEOUT", 1.5), ("TRIES", 6)):
        if hasattr(module, name):
            setattr(module, name, value)
for line in sys.stdin:
    argv, token, gates = json.loads(line)
    commands.GATED_STORIES, audit.GATES["hi_tom"] = (3, gates) if gates else (whole[0], whole[1]["hi_tom"])
    os.environ["HF_TOKEN"] = token
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(argv)
        except SystemExit as end:
            code = end.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""
LOAD = """
import json, sys
from datasets import load_dataset
found = {}
for repo, config in (("me/hi_tom", "4th_order"), ("me/mindgames", "forehead")):
    found[repo] = {split: list(rows) for split, rows in load_dataset(repo, config).items()}
    streamed = load_dataset(repo, config, split="test", streaming=True)
    assert list(streamed) == found[repo]["test"], repo
    assert load_dataset(repo, split="test").num_rows > len(found[repo]["test"]), "the default config has them all"
print(json.dumps(found))
"""


def environment(hub: Hub, home: Path, token: str = WRITE, **more: str) -> dict[str, str]:
    """Return the environment of a process that uses the Hub on loopback, with nothing of the user's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "MAKE", "MFL"))}
    asked = {"HF_ENDPOINT": hub.url, "HF_TOKEN": token, "HF_HOME": str(home), "NO_PROXY": "127.0.0.1"}
    return {**kept, **asked, "HF_HUB_DISABLE_XET": "1", "PYTHONPATH": str(ROOT), **more}


@pytest.fixture(scope="module")
def served():
    with Hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def publisher(served, tmp_path_factory):
    """Start the process that publishes."""
    process = subprocess.Popen(
        [sys.executable, "-c", PUBLISHER],
        env=environment(served, tmp_path_factory.mktemp("home")),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.stdin.close()
    assert process.wait(60) == 0


@pytest.fixture
def hub(served):
    """Return the Hub, empty."""
    served.repos.clear()
    served.clear_faults()
    served.reset_log()
    return served


@pytest.fixture
def publish(publisher):
    """Publish as a user does; return the exit code, what was printed and what was said on stderr."""

    def publish(
        out: Path, *words: str, namespace: str = "me", token: str = WRITE, gates: dict | None = None
    ) -> tuple[int, str, str]:
        argv = ["publish", *words, "--out", str(out), "--namespace", namespace, "--probe", "none"]
        publisher.stdin.write(json.dumps([argv, token, gates]) + "\n")
        publisher.stdin.flush()
        code, printed, said = json.loads(publisher.stdout.readline())
        assert token == "" or token not in printed + said, "the token is told"
        assert "Traceback" not in printed + said
        return code, printed, said

    return publish


def build(out: Path, name: str, *words: str) -> Path:
    assert main(["build", name, "--out", str(out), "--probe", "none", *SIZES[name], *words]) == 0
    return out


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Build both datasets, small; no test may change them."""
    out = tmp_path_factory.mktemp("both")
    return build(build(out, "hi_tom"), "mindgames")


@pytest.fixture(scope="module")
def one(both, tmp_path_factory):
    """Copy the build of hi_tom alone."""
    out = tmp_path_factory.mktemp("one")
    shutil.copytree(both / "hi_tom", out / "hi_tom")
    return out


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Build hi_tom of another seed without validation splits, so that it has other files."""
    return build(tmp_path_factory.mktemp("other"), "hi_tom", "--seed", "8", "--validation", "0")


def files(out: Path, name: str = "hi_tom") -> dict[str, bytes]:
    """Return all files of a built folder."""
    here = out / name
    return {path.relative_to(here).as_posix(): path.read_bytes() for path in here.rglob("*") if path.is_file()}


def changed(before: Path, after: Path) -> set[str]:
    """Return which files of two builds of hi_tom differ: all but the tasks for Inspect."""
    found = {path for path, data in files(after).items() if files(before)[path] != data}
    assert files(after).keys() - found == {"eval.yaml"}
    return found


def put(hub: Hub, out: Path) -> None:
    """Have hi_tom be there as if it had been published."""
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", files(out), user="me")
    hub.reset_log()


def published(hub: Hub, out: Path, ref: str = "main", name: str = "hi_tom", also: set = INITIAL) -> bool:
    """Return whether the Hub has the files of a folder, and of others only those named."""
    there = hub.repos[f"me/{name}"].files(ref)
    return {path: data for path, data in there.items() if path not in also} == files(out, name) and also <= set(there)


def refused(result: tuple[int, str, str], *words: str) -> str:
    """Assert that nothing was published, and that one line, the last, says why; return it."""
    code, printed, said = result
    assert code == 1, said
    last = said.splitlines()[-1]
    assert last.startswith("error: ") and "published:" not in printed
    for word in words:
        assert word in last
    return last


def writes(hub: Hub) -> list[str]:
    """Return the requests that change something."""
    return [f"{each.method} {each.path}" for each in hub.requests if each.method not in ("GET", "HEAD")]


# From the folder to the Hub, and back.


def test_both_are_published_loaded_and_streamed(hub, publish, both, tmp_path):
    code, printed, said = publish(both)
    assert (code, said) == (0, ""), said
    rows = {"me/hi_tom": "4th_order", "me/mindgames": "forehead"}
    for repo, config in rows.items():
        name = repo.partition("/")[2]
        assert published(hub, both, name=name)
        (_, commit) = hub.repos[repo].commits
        assert re.fullmatch(rf"{name} \d+\.\d+\.\d+, seed 0", commit.title)
        assert f"{repo}: created, public\n{repo}: {len(files(both, name))} files added, 0 changed, 0 deleted" in printed
        assert f"read back from {commit.oid[:7]}: every row as in {both / name}\n" in printed
        assert f'published: {hub.url}/datasets/{repo}\nload_dataset("{repo}", "{config}")\n' in printed
    environ = environment(hub, tmp_path / "home")
    loaded = subprocess.run([sys.executable, "-c", LOAD], env=environ, cwd=tmp_path, capture_output=True, text=True)
    assert loaded.returncode == 0, loaded.stderr
    for repo, splits in json.loads(loaded.stdout).items():
        for split, found in splits.items():
            assert found == pq.read_table(both / repo[3:] / rows[repo] / f"{split}.parquet").to_pylist()


def test_the_same_folder_again_makes_no_commit(hub, publish, one):
    assert publish(one)[0] == 0
    hub.reset_log()
    code, printed, _ = publish(one)
    head = hub.repos["me/hi_tom"].head()
    assert code == 0 and len(hub.repos["me/hi_tom"].commits) == 2
    assert f"me/hi_tom: all files are there as they are here, at {head[:7]}: no new commit\n" in printed
    assert "created" not in printed and writes(hub) == []
    assert "published:" in printed, "it is read back all the same"


def test_another_build_is_one_commit_without_the_earlier_files(hub, publish, one, other):
    put(hub, one)
    hub.commit_as("me/hi_tom", {"notes.md": b"mine", "4th_order/more.parquet": b"mine too"}, user="me")
    code, printed, _ = publish(other)
    repo = hub.repos["me/hi_tom"]
    assert code == 0 and len(repo.commits) == 4
    assert published(hub, other, also=INITIAL | {"notes.md", "4th_order/more.parquet"})
    gone = files(one).keys() - files(other).keys()
    assert len(gone) == 5 and not gone & repo.files().keys()
    assert f"0 files added, {len(changed(one, other))} changed, 5 deleted" in printed


def test_an_earlier_file_that_was_changed_there_stays(hub, publish, one, other):
    put(hub, one)
    hub.commit_as("me/hi_tom", {"0th_order/validation.parquet": b"of another"}, user="me")
    code, printed, _ = publish(other, "--dry-run")
    assert code == 0 and "keep" in printed and " 0th_order/validation.parquet (changed since" in printed
    code, printed, _ = publish(other)
    assert code == 0 and "0th_order/validation.parquet stays: it was changed since it was published" in printed
    assert hub.repos["me/hi_tom"].files()["0th_order/validation.parquet"] == b"of another"
    assert published(hub, other, also=INITIAL | {"0th_order/validation.parquet"})


@pytest.mark.parametrize("before", [False, True], ids=["never published", "published"])
def test_a_file_of_somebody_else_is_never_overwritten(hub, publish, one, other, before):
    if before:
        put(hub, one)
    else:
        hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {"README.md": b"# Mine"}, user="me")
    hub.reset_log()
    refused(publish(other), "me/hi_tom has README.md that", "it would be overwritten; delete or rename it at")
    assert writes(hub) == [] and hub.repos["me/hi_tom"].files()["README.md"] == b"# Mine"


def test_a_record_of_something_else_is_no_record(hub, publish, one):
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {"build.json": b'{"of": "another program"}'}, user="me")
    refused(publish(one), "me/hi_tom has build.json that")


def test_a_dry_run_says_which_files_and_touches_nothing(hub, publish, one, other):
    code, printed, _ = publish(one, "--dry-run", "--private")
    assert code == 0 and "me/hi_tom would be created, private\n" in printed
    ours = files(one)
    lines = re.findall(r"^add +([\d,]+)  (\S+)$", printed, re.MULTILINE)
    assert {path: int(size.replace(",", "")) for size, path in lines} == {path: len(ours[path]) for path in ours}
    total = sum(map(len, ours.values()))
    assert f"{len(ours)} to add, 0 to change, 0 to delete, {total:,} bytes to send; this was a dry run: " in printed
    assert hub.repos == {} and writes(hub) == []
    put(hub, one)
    hub.reset_log()
    code, printed, _ = publish(other, "--dry-run", "--revision", "next")
    assert code == 0 and "branch next would be made at" in printed
    size = len(ours["0th_order/validation.parquet"])
    assert re.search(rf"^delete +{size:,}  0th_order/validation.parquet$", printed, re.MULTILINE)
    assert re.search(rf"^change +{len(files(other)['README.md']):,}  README.md$", printed, re.MULTILINE)
    assert f"0 to add, {len(changed(one, other))} to change, 5 to delete" in printed
    assert writes(hub) == [] and len(hub.repos["me/hi_tom"].commits) == 2


def test_private_ones_are_made_private(hub, publish, one):
    code, printed, _ = publish(one, "--private")
    assert code == 0 and hub.repos["me/hi_tom"].private and "created, private" in printed


def test_a_pull_request_is_opened_once(hub, publish, one, other):
    put(hub, one)
    code, printed, _ = publish(other, "--pr")
    repo = hub.repos["me/hi_tom"]
    assert code == 0 and published(hub, one) and published(hub, other, "refs/pr/1")
    assert "pull request with commit" in printed
    assert f"proposed: {hub.url}/datasets/me/hi_tom/discussions/1\n" in printed
    assert 'load_dataset("me/hi_tom", "4th_order", revision="refs/pr/1")\n' in printed
    commits = len(repo.commits)
    code, printed, _ = publish(other, "--pr")
    assert code == 0 and "pull request 1 has all this already" in printed and "proposed:" in printed
    assert len(repo.commits) == commits and len(repo.discussions) == 1
    code, printed, _ = publish(one, "--pr")
    assert code == 0 and "no new commit" in printed and "published:" in printed and len(repo.discussions) == 1


def test_a_branch_is_made_and_main_stays(hub, publish, one, other):
    put(hub, one)
    code, printed, _ = publish(other, "--revision", "next")
    assert code == 0 and published(hub, one) and published(hub, other, "next")
    assert "branch next made at" in printed and "published: " + hub.url + "/datasets/me/hi_tom/tree/next\n" in printed
    assert 'load_dataset("me/hi_tom", "4th_order", revision="next")' in printed


def test_a_tag_is_given_once_and_never_moved(hub, publish, one, other):
    code, printed, _ = publish(one, "--tag", "v1.0.0")
    repo = hub.repos["me/hi_tom"]
    assert code == 0 and repo.tags == {"v1.0.0": repo.head()} and "me/hi_tom: tagged v1.0.0\n" in printed
    assert 'load_dataset("me/hi_tom", "4th_order", revision="v1.0.0")' in printed
    code, printed, _ = publish(one, "--tag", "v1.0.0")
    assert code == 0 and "tagged v1.0.0 already" in printed
    hub.reset_log()
    refused(
        publish(other, "--tag", "v1.0.0"), f"has the tag v1.0.0 already, at {repo.head()[:7]}: a tag is never moved"
    )
    refused(publish(other, "--revision", "v1.0.0"), "v1.0.0 is a tag of me/hi_tom, and is never moved: name a branch")
    assert writes(hub) == []


def test_a_tag_that_somebody_else_gives_meanwhile_is_not_moved(hub, publish, one):
    def tag(hub):
        repo = hub.repos["me/hi_tom"]
        repo.tags["v1"] = repo.commits[0].oid

    hub.fail("POST", "/tag/", then=tag)
    refused(publish(one, "--tag", "v1"), "has the tag v1 already", "a tag is never moved")
    repo = hub.repos["me/hi_tom"]
    assert repo.tags == {"v1": repo.commits[0].oid}


@pytest.mark.parametrize("words", [("--tag", "main"), ("--tag", "next"), ("--tag", "new", "--revision", "new")])
def test_a_tag_is_no_branch(hub, publish, one, other, words):
    """Else the branch could not be published to again."""
    put(hub, one)
    hub.repos["me/hi_tom"].branches["next"] = hub.repos["me/hi_tom"].head()
    refused(publish(other, *words), f"{words[1]} is a branch of me/hi_tom: give the tag another name")
    assert writes(hub) == []


def test_both_are_refused_where_one_is(hub, publish, both):
    repo = hub.create("me/mindgames")
    repo.tags["v1"] = repo.head()
    refused(publish(both, "--tag", "v1"), "me/mindgames has the tag v1 already")
    assert writes(hub) == [] and "me/hi_tom" not in hub.repos


# What is not sent.


def spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def mislabel(here: Path) -> None:
    """Give a row another answer, in a folder that is otherwise whole."""
    path = here / "1st_order" / "test.parquet"
    rows = pq.read_table(path)
    column = rows.schema.get_field_index("answer")
    answers = rows["answer"].to_pylist()
    answers[0] = next(each for each in answers if each != answers[0])
    pq.write_table(rows.set_column(column, rows.schema.field(column), pa.array(answers)), path)
    known = json.loads((here / RECORD).read_text())
    known["files"]["1st_order/test.parquet"]["sha256"] = checksum(path)
    (here / RECORD).write_text(json.dumps(known))


UNFIT = {
    "changed": (lambda here: spoil(here / "README.md"), "README.md was changed after it was built: move it away"),
    "missing": (lambda here: (here / "tomh" / "test.parquet").unlink(), "test.parquet is missing: build again"),
    "more": (lambda here: (here / "hi_tom.py").write_text("x"), "hi_tom.py was not written by the build of"),
    "no record": (lambda here: (here / "build.json").unlink(), "holds no build of hi_tom (no build.json)"),
    "a wrong label": (mislabel, "rows agree, then"),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_a_folder_that_is_not_whole_or_not_right_is_not_sent(hub, publish, one, tmp_path, kind):
    out = tmp_path / "out"
    shutil.copytree(one, out)
    change, words = UNFIT[kind]
    change(out / "hi_tom")
    refused(publish(out), words)
    assert hub.requests == []


def test_a_build_beyond_the_gates_is_not_sent(hub, publish, one):
    """As where every build of three stories is measured, and nothing may be right by the letter alone."""
    line = refused(publish(one, gates={"letter": (0, 0)}), "a gate is broken on the test split: ")
    assert "'letter' is right on" in line and "the gate is ≤ 0 %" in line
    assert hub.requests == []


def test_a_folder_that_changes_after_the_check_is_not_sent(hub, publish, one, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(one, out)
    hub.fail("GET", "whoami", then=lambda hub: spoil(out / "hi_tom" / "README.md"))
    refused(publish(out), "README.md was changed after it was checked: nothing was sent")
    assert len(hub.repos["me/hi_tom"].commits) == 1


ACCESS = {
    "no token": ("", "me", "there is no token: run hf auth login, or set HF_TOKEN"),
    "unknown token": ("hf_" + "x" * 34, "me", "the token is not valid, or has expired"),
    "token of other characters": ("hf_“x”", "me", "the token has characters that no token has: copy it again from"),
    "expired token": (EXPIRED, "me", "the token is not valid, or has expired"),
    "read-only token": (READ, "me", "the token of me is read-only: make one with write access at"),
    "another's namespace": (WRITE, "somebody", "somebody is not yours: the token is of me, and of tom-lab; say NAME"),
    "another's token": (SOMEBODY, "me", "me is not yours: the token is of somebody; say NAMESPACE=somebody"),
}


@pytest.mark.parametrize("kind", ACCESS)
def test_who_may_not_write_is_told_so_and_nothing_is_sent(hub, publish, one, kind):
    token, namespace, words = ACCESS[kind]
    refused(publish(one, token=token, namespace=namespace), words)
    assert writes(hub) == [] and hub.repos == {}


def test_a_private_repository_that_the_token_may_not_see(hub, publish, one):
    """The Hub says that it is not there, and that it is when it is to be made."""
    hub.create("me/hi_tom")
    hub.fail("GET", "/api/datasets/me/hi_tom$", times=None, status=404, headers={"X-Error-Code": "RepoNotFound"})
    refused(publish(one), "me/hi_tom exists, and is private so that this token may not see it: give the token access")
    assert len(hub.repos["me/hi_tom"].commits) == 1


def test_a_gated_repository_that_the_token_may_not_read(hub, publish, one):
    hub.create("me/hi_tom", gated="manual")
    hub.fail("GET", "auth-check", times=None, status=403, headers={"X-Error-Code": "GatedRepo"})
    refused(publish(one), "me/hi_tom: it is gated, and this token may not read it", "ask for access on its page")
    assert writes(hub) == []


def test_a_gated_repository_of_ones_own_is_published(hub, publish, one):
    hub.create("me/hi_tom", gated="manual")
    assert publish(one)[0] == 0 and published(hub, one)


def test_a_token_that_may_not_create(hub, publish, one):
    said = b'{"error": "You don\'t have the rights to create a dataset under the namespace \\"me\\""}'
    hub.fail("POST", "/api/repos/create", times=None, status=403, body=said)
    refused(
        publish(one), "me/hi_tom, creating it: the token may not do that (", "it needs write access to the namespace"
    )
    assert hub.repos == {}


def test_private_is_not_promised_of_a_public_repository(hub, publish, one):
    hub.create("me/hi_tom")
    refused(publish(one, "--private"), "me/hi_tom exists, and is public: PRIVATE=1 is for new ones; make it private at")
    assert writes(hub) == []


def test_a_renamed_repository_is_not_followed(hub, publish, one):
    hub.create("me/new")
    hub.fail("GET", "/api/datasets/me/hi_tom$", status=307, headers={"Location": "/api/datasets/me/new"})
    refused(publish(one), "me/hi_tom is called me/new now: publish there")
    assert writes(hub) == []


def test_a_repository_without_main(hub, publish, one):
    hub.create("me/hi_tom")
    hub.fail("GET", "/api/datasets/me/hi_tom$", status=404, headers={"X-Error-Code": "RevisionNotFound"})
    refused(publish(one), "me/hi_tom has no branch main: make one at")


@pytest.mark.parametrize("answer", ["{}", "null", '{"name": "me", "orgs": [{}]}', "<html>"])
def test_a_hub_that_is_none(hub, publish, one, answer):
    hub.fail("GET", "whoami", times=None, status=200, body=answer.encode())
    refused(publish(one), "who am I: ")
    assert writes(hub) == []


def test_a_list_of_files_that_is_not_whole_overwrites_nothing(hub, publish, one, other):
    put(hub, one)
    hub.commit_as("me/hi_tom", {"README.md": b"# Mine"}, user="me")
    hub.fail("GET", "/tree/", status=200, body=b"[]")
    refused(publish(other), "me/hi_tom has README.md that")
    assert hub.repos["me/hi_tom"].files()["README.md"] == b"# Mine"


def test_a_record_that_lists_what_no_build_writes_deletes_nothing_of_it(hub, publish, one, other):
    put(hub, one)
    record = json.loads(files(one)["build.json"])
    forged = {"notes.md": b"mine", ".gitattributes": hub.repos["me/hi_tom"].files()[".gitattributes"]}
    for path, data in forged.items():
        record["files"][path] = {"rows": 0, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    hub.commit_as("me/hi_tom", {**forged, "build.json": json.dumps(record).encode()})
    assert publish(other)[0] == 0
    assert published(hub, other, also={*INITIAL, "notes.md"})


def test_a_message_that_holds_the_token_is_scrubbed(hub, publish, one):
    hub.fail(
        "POST", "/api/repos/create", status=400, headers={"X-Error-Message": f"bad token {WRITE} or hf_" + "a" * 34}
    )
    line = refused(publish(one), "bad token hf_… or hf_…")
    assert "a" * 34 not in line


OPTIONS = {
    "no namespace": (["--namespace", ""], 2, "'' is no name of a user or an organisation of the Hub"),
    "a path": (["--namespace", "me/hi_tom"], 2, "'me/hi_tom' is no name of a user"),
    "two kinds": (["--pr", "--revision", "next"], 2, "not allowed with argument"),
    "a tagged pull request": (["--pr", "--tag", "v1"], 1, "a pull request is not tagged: leave TAG out"),
    "a commit": (["--revision", "0123456789" * 4], 2, "is a commit; name a branch or a tag"),
    "a ref": (["--revision", "refs/pr/1"], 2, "'refs/pr/1' is no name of a branch or a tag"),
    "a token": (["--namespace", WRITE], 2, "it is a token, not a name; a token is given by HF_TOKEN alone"),
    "no tag": (["--tag", "-v"], 2, "expected one argument"),
    "no time": (["--time-limit", "0"], 2, "'0' is no number of seconds"),
    "no number": (["--time-limit", "soon"], 2, "'soon' is no number of seconds"),
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options_that_cannot_be(hub, publish, one, kind):
    words, code, said = OPTIONS[kind]
    got, printed, error = publish(one, *words)
    assert got == code and said in error and error.startswith("error: ") and error.count("\n") == 1
    assert hub.requests == []


def test_offline_is_said(hub, one, tmp_path):
    command = [sys.executable, "-m", "builders", "publish", "--out", one, "--namespace", "me", "--probe", "none"]
    environ = environment(hub, tmp_path, HF_HUB_OFFLINE="1")
    done = subprocess.run(command, env=environ, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "HF_HUB_OFFLINE is set: unset it to publish" in done.stderr, done.stderr


# What networks do.


PASSING = {
    "too many requests": (
        [
            ("GET", "whoami", dict(status=429, headers={"Retry-After": "1"})),
            ("POST", "/repos/create", dict(status=429)),
        ],
        ["who am I: ", "; trying again in 1 s\nme/hi_tom, creating it: "],
    ),
    "faults of the server": (
        [
            ("GET", "whoami", dict(status=500)),
            ("GET", "/api/datasets/me/hi_tom$", dict(status=502)),
            ("POST", "/repos/create", dict(status=503)),
            ("GET", "/refs", dict(status=504)),
            ("GET", "/tree/", dict(status=503, times=2)),
            ("POST", "/validate-yaml", dict(status=503)),
            ("POST", "/preupload/", dict(status=503)),
            ("POST", "/info/lfs/objects/batch", dict(status=503)),
            ("POST", "/commit/", dict(status=503)),
            ("POST", "/tag/", dict(status=503)),
        ],
        ["who am I: ", "creating it: ", "committing: ", "tag v1: "],
    ),
    "connections cut before": (
        [
            ("GET", "whoami", dict(cut="before")),
            ("POST", "/repos/create", dict(cut="before")),
            ("POST", "/preupload/", dict(cut="before")),
            ("PUT", "", dict(cut="before")),
            ("POST", "/commit/", dict(cut="before")),
            ("POST", "/tag/", dict(cut="before")),
        ],
        ["who am I: ", "creating it: ", "committing: ", "tag v1: "],
    ),
    "answers lost": (
        [
            ("POST", "/repos/create", dict(cut="after")),
            ("PUT", "", dict(cut="after")),
            ("POST", "/commit/", dict(cut="after")),
            ("POST", "/tag/", dict(cut="after")),
        ],
        ["creating it: ", "tag v1: "],
    ),
    "answers cut": (
        [
            ("GET", "whoami", dict(cut="middle")),
            ("POST", "/repos/create", dict(cut="middle")),
            ("GET", "/tree/", dict(cut="middle")),
            ("POST", "/commit/", dict(cut="middle")),
        ],
        ["who am I: ", "creating it: "],
    ),
    "slow answers": (
        [
            ("GET", "whoami", dict(slow=2)),
            ("POST", "/commit/", dict(slow=2.5)),
        ],
        ["who am I: "],
    ),
    "faults while reading back": (
        [
            ("GET|HEAD", "/resolve/.*parquet", dict(status=503, times=3)),
            ("GET|HEAD", "/resolve/.*parquet", dict(cut="before", skip=4)),
        ],
        [],
    ),
}


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_is_tried_again(hub, publish, one, kind):
    """And never makes a second commit."""
    faults, said = PASSING[kind]
    switched = [hub.fail(method, pattern, **how) for method, pattern, how in faults]
    code, printed, error = publish(one, "--tag", "v1")
    repo = hub.repos["me/hi_tom"]
    assert code == 0, error
    assert [fault.used for fault in switched] == [fault.times for fault in switched]
    assert len(repo.commits) == 2 and published(hub, one) and repo.tags == {"v1": repo.head()}
    assert f"published: {hub.url}/datasets/me/hi_tom/tree/v1\n" in printed
    for words in said:
        assert words in error, error
    assert all(re.search(r"; trying again in \d+ s$", line) for line in error.splitlines()), error


@pytest.mark.parametrize("how", [dict(cut="after"), dict(slow=2.2)], ids=["lost", "slow"])
def test_a_lost_answer_to_a_pull_request_opens_no_second(hub, publish, one, other, how):
    put(hub, one)
    hub.fail("POST", "/commit/", **how)
    code, printed, _ = publish(other, "--pr")
    assert code == 0 and len(hub.repos["me/hi_tom"].discussions) == 1 and published(hub, other, "refs/pr/1")


def test_a_pull_request_beside_one_whose_branch_is_gone(hub, publish, one, other):
    put(hub, one)
    hub.repos["me/hi_tom"].open_pull("Old", "", "me", "open", hub.repos["me/hi_tom"].head())
    del hub.repos["me/hi_tom"].pulls["refs/pr/1"]
    code, printed, said = publish(other, "--pr")
    assert code == 0 and published(hub, other, "refs/pr/2"), said
    hub.commit_as("me/hi_tom", {"notes.md": b"x"})
    code, printed, _ = publish(other, "--pr", "--dry-run")
    assert code == 0 and "me/hi_tom: pull request 2 has all this already\n" in printed


LASTING = {
    "a server that stays down": (
        ("GET", "whoami", dict(status=503)),
        (),
        "who am I: ",
        "gave up after 6 tries: run the command again later",
    ),
    "a commit that is never taken": (
        ("POST", "/commit/", dict(status=503)),
        (),
        "committing: ",
        "gave up after 6 tries",
    ),
    "no connection": (("GET", "whoami", dict(cut="before")), (), "who am I: ", "gave up after 6 tries"),
    "no answer": (
        ("GET", "whoami", dict(slow=60)),
        ("--time-limit", "2"),
        "who am I: ",
        "the time limit of 2 s allows no",
    ),
    "a long wait": (
        ("GET", "whoami", dict(status=429, headers={"Retry-After": "3600"})),
        (),
        "who am I: the Hub answered 429: wait 3,600 s; the time limit of 1800 s allows no other try",
    ),
    "a wait until a day": (
        ("GET", "whoami", dict(status=503, headers={"Retry-After": "Fri, 31 Dec 2099 23:59:59 GMT"})),
        (),
        "who am I: the Hub answered 503: wait ",
        "the time limit of 1800 s allows no other try",
    ),
    "a wait by the rate": (
        ("GET", "whoami", dict(status=429, headers={"RateLimit": '"api";r=0;t=3600'})),
        (),
        "who am I: the Hub answered 429: wait 3,600 s; the time limit of 1800 s allows no other try",
    ),
    "no Hub": (("GET", "whoami", dict(status=418)), (), "who am I: the Hub answered 418"),
    "a long wait for an upload": (
        ("PUT", "", dict(status=429, headers={"Retry-After": "3600"})),
        ("--time-limit", "60"),
        "committing: ",
        "the Hub answered 429: wait 3,600 s; the time limit of 60 s allows",
    ),
    "an upload that fails": (
        ("PUT", "", dict(status=503)),
        ("--time-limit", "4"),
        "committing: ",
        "no usable answer came; the time limit of 4 s allows no other try",
    ),
    "nothing to read back": (
        ("GET|HEAD", "/resolve/.*parquet", dict(status=503)),
        ("--time-limit", "5"),
        "reading back ",
        "what was sent is there: run the command again to prove it",
    ),
}


@pytest.mark.parametrize("kind", LASTING)
def test_what_lasts_ends_in_one_line_and_goes_on_later(hub, publish, one, kind):
    (method, pattern, how), options, *words = LASTING[kind]
    hub.fail(method, pattern, times=None, **how)
    refused(publish(one, *options), *words)
    hub.clear_faults()
    if words[0].startswith(("committing", "reading")):  # where something was sent
        assert publish(one)[0] == 0 and published(hub, one) and len(hub.repos["me/hi_tom"].commits) == 2


@pytest.mark.parametrize("cut", [None, "after"], ids=["refused", "answer lost"])
def test_a_commit_of_somebody_else_in_between_is_an_error(hub, publish, one, other, cut):
    """It says what changed; nothing is overwritten."""
    put(hub, one)
    change = {"README.md": b"# Theirs", "notes.md": b"x"}
    hub.fail("POST", "/commit/", then=lambda hub: hub.commit_as("me/hi_tom", change, title="Mend a word"), cut=cut)
    theirs = "'Mend a word' by somebody; README.md, notes.md changed): nothing was overwritten; run the command again"
    refused(publish(other), "me/hi_tom: somebody else committed meanwhile (", theirs)
    repo = hub.repos["me/hi_tom"]
    assert len(repo.commits) == 3 and repo.files()["README.md"] == b"# Theirs"
    refused(publish(other), "me/hi_tom has README.md that was not published from here, or was changed since")
    hub.commit_as("me/hi_tom", {}, deleted=("README.md",), user="me")
    code, _, _ = publish(other)
    assert code == 0 and published(hub, other, also=INITIAL | {"notes.md"})


def test_a_lost_commit_is_recognised_under_one_of_somebody_else(hub, publish, one, other):
    put(hub, one)

    def follow(hub):
        hub.fail("GET", "/commits/", then=lambda hub: hub.commit_as("me/hi_tom", {"notes.md": b"x"}))

    hub.fail("POST", "/commit/", cut="after", then=follow)
    code, printed, said = publish(other)
    repo = hub.repos["me/hi_tom"]
    assert code == 0, said
    assert [commit.author for commit in repo.commits[2:]] == ["me", "somebody"]
    assert f"commit {repo.commits[2].oid[:7]}" in printed and published(hub, other, also=INITIAL | {"notes.md"})


def test_what_reads_back_otherwise_is_not_called_published(hub, publish, one, other):
    """The Hub gives other bytes than it was sent, once the list of files has been compared."""

    def swap(hub):
        repo = hub.repos["me/hi_tom"]
        blob = Blob.make(files(other)["1st_order/test.parquet"], True)
        repo.lfs[blob.sha256] = blob.data
        repo.commits[-1].files["1st_order/test.parquet"] = blob

    hub.fail("GET|HEAD", "/resolve/.*README.md", then=swap)
    line = refused(publish(one), "reads back otherwise than", "1st_order test")
    assert "all test" in line and "4th_order" not in line


def test_the_folder_beside_is_not_taken_for_the_hub(hub, publish, one, tmp_path, monkeypatch):
    """Where the namespace is a folder here, `load_dataset` would read that."""
    shutil.copytree(one / "hi_tom", tmp_path / "me" / "hi_tom")
    hub.fail("GET|HEAD", "/resolve", times=None, status=404, headers={"X-Error-Code": "EntryNotFound"})
    command = [sys.executable, "-m", "builders", "publish", "--out", "me", "--namespace", "me", "--probe", "none"]
    environ = environment(hub, tmp_path / "home")
    done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "published:" not in done.stdout, done.stdout
    assert "me/hi_tom, reading back " in done.stderr


def test_files_that_are_not_there_after_all(hub, publish, one):
    """A Hub that takes a commit and leaves a file out."""

    def lose(hub):
        hub.repos["me/hi_tom"].commits[-1].files.pop("tomh/test.parquet")

    hub.fail("GET", "/tree/", skip=1, then=lose)
    refused(publish(one), "does not hold the files of")


def test_an_interrupt_does_not_wait_for_an_upload_that_hangs(hub, one, tmp_path):
    command = [sys.executable, "-m", "builders", "publish", "--out", one, "--namespace", "me", "--probe", "none"]
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process = subprocess.Popen(command, env=environment(hub, tmp_path), cwd=ROOT, **pipes)
    hub.fail("PUT", "", slow=100, then=lambda hub: process.send_signal(signal.SIGINT))
    hub.fail("PUT", "", times=None, slow=100)
    _, said = process.communicate(timeout=60)
    hub.clear_faults()
    assert process.returncode == 130 and said == "interrupted; nothing half-written was left\n"


MOMENTS = (
    ("POST", "/repos/create"),
    ("POST", "/preupload/"),
    ("PUT", ""),
    ("POST", "/commit/"),
    ("POST", "/tag/"),
    ("GET|HEAD", "/resolve/.*parquet"),
)


def test_an_interrupt_at_any_moment_and_again_ends_the_same(hub, one, tmp_path):
    """The request that is under way when it comes is carried out by the Hub, or not: in turn."""
    words = [sys.executable, "-m", "builders", "publish", "--out", one, "--namespace", "me", "--probe", "none"]
    environ = environment(hub, tmp_path)

    def start() -> subprocess.Popen:
        pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return subprocess.Popen([*words, "--tag", "v1"], env=environ, cwd=ROOT, **pipes)

    for number, (method, pattern) in enumerate(MOMENTS):
        process = start()
        fault = hub.fail(
            method,
            pattern,
            cut="before" if number % 2 else "after",
            slow=1,
            then=lambda hub, process=process: process.send_signal(signal.SIGINT),
        )
        printed, said = process.communicate(timeout=100)
        hub.clear_faults()
        assert fault.used == 1, pattern
        assert process.returncode == 130 and said.endswith("interrupted; nothing half-written was left\n"), said
        assert "Traceback" not in said and "published:" not in printed, said
    process = start()
    printed, said = process.communicate(timeout=100)
    assert process.returncode == 0, said
    repo = hub.repos["me/hi_tom"]
    assert published(hub, one) and len(repo.commits) == 2 and repo.tags == {"v1": repo.head()}


# The parts.


def test_a_fingerprint_is_of_the_rows_and_their_types_however_they_are_stored(one):
    table = pq.read_table(one / "hi_tom" / "tomh" / "test.parquet")
    whole = fingerprint([table])
    assert whole == fingerprint([table.slice(0, 10), table.slice(10)]) == fingerprint([table.combine_chunks()])
    assert whole != fingerprint([table.slice(1)])
    assert whole != fingerprint([pa.concat_tables([table.slice(1), table.slice(0, 1)])])
    assert whole != fingerprint([table.drop_columns(["id"])])
    assert whole != fingerprint([table.replace_schema_metadata(None)]), "the names of a class label are lost"


# docs/publishing.md.


def plain(text: str, hub: str, here: str) -> list[str]:
    """Return the lines that publishing prints, without what differs by Hub, folder, build and commit."""
    lines = [line for line in text.splitlines() if line.startswith(("me/hi_tom", "published: ", "load_dataset("))]
    text = "\n".join([*lines, ""]).replace(hub, "HUB").replace(f" {here}\n", " HERE\n")
    text = re.sub(r"\b(commit|from|at) [0-9a-f]{7}\b", r"\1 COMMIT", text)
    return re.sub(r"\b[\d,]+ (to add|files added|bytes)", r"N \1", text).splitlines()


def test_the_exchange_of_the_page(hub, publish, one):
    """Its commands, and what they print of the Hub."""
    (block,) = re.findall(r"^```text\n(\$ .venv/bin/python tests/hub.py.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    served, _, *commands = block.split("$ ")[1:]
    assert WRITE in served and "HF_HUB_DISABLE_XET=1" in served
    *exchange, load = commands
    for command in exchange:
        line, _, shown = command.partition("\n")
        words = dict(word.split("=") for word in line.split()[2:])
        assert line.startswith("make publish ") and words.pop("NAMESPACE") == "me" and words.pop("DATASET") == "hi_tom"
        options = {"DRY_RUN": ["--dry-run"], "TAG": ["--tag", words.get("TAG")]}
        code, printed, _ = publish(one, *(each for word in words for each in options[word]))
        assert code == 0
        assert plain(shown, "http://127.0.0.1:8888", "hi_tom") == plain(printed, hub.url, f"{one}/hi_tom")
    assert "load_dataset" in load and load.endswith("\n480\n")
