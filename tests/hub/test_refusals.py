"""Refuse what would lose something on the Hub, and what cannot be published."""

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_hub import EXPIRED, READ, SOMEBODY, WRITE
from publishing import (
    INITIAL,
    assert_refused,
    fail,
    holds,
    published_files,
    put_directly,
    start_publishing,
    writing_requests,
)

from tom_datasets.folder.build import RECORD, checksum

STATES = {
    "nothing": lambda hub, one: None,
    "made": lambda hub, one: hub.create("me/hi_tom"),
    "published": put_directly,
    "a card of others": lambda hub, one: hub.commit_as("me/hi_tom", {"README.md": b"# Mine"}, user="me"),
    "a record of others": lambda hub, one: hub.commit_as("me/hi_tom", {"build.json": b'{"of": "others"}'}, user="me"),
    "a branch": lambda hub, one: hub.repos["me/hi_tom"].branches.update(next=hub.repos["me/hi_tom"].head()),
    "a tag": lambda hub, one: hub.repos["me/hi_tom"].tags.update(v1=hub.repos["me/hi_tom"].head()),
    "a tag of mindgames": lambda hub, one: hub.create("me/mindgames").tags.update(v1="0" * 40),
}
"""What is on the Hub."""

FOREIGN = "that was not published from here, or was changed since"
SEED = "me/hi_tom would show everybody the rows of seed 8"
HOLDS = "me/hi_tom holds another build: seed is 0 there, 8 here; |validation is 3 there, 0 here"
BRANCH = "is a branch of me/hi_tom"
REFUSED = [
    ("made, a card of others", "other --public", f"me/hi_tom has README.md {FOREIGN}"),
    ("published, a card of others", "other --replace", f"me/hi_tom has README.md {FOREIGN}"),
    ("made, a record of others", "one", f"me/hi_tom has build.json {FOREIGN}"),
    ("published", "other --replace --tag main", f"main {BRANCH}"),
    ("published, a branch", "other --replace --tag next", f"next {BRANCH}"),
    ("published", "other --replace --tag new --revision new", f"new {BRANCH}"),
    ("published, a tag", "other --replace --tag v1", "has the tag v1 already, at "),
    ("published, a tag", "other --replace --revision v1", "v1 is a tag of me/hi_tom, and tags are never moved"),
    ("a tag of mindgames", "both --tag v1", "me/mindgames has the tag v1 already, at 0000000: "),
    ("made", "one --private", "me/hi_tom exists, and is public: |NAME=hi_tom_private"),
    ("published", "other", HOLDS),
    ("published", "other --public", HOLDS),
    ("published", "other --revision next", HOLDS),
    ("published", "other --pr", HOLDS),
    ("nothing", "other --replace", f"{SEED}|(--private), or"),
    ("made", "other --replace", f"{SEED}|(--private) and another NAME (--name)"),
]
"""What is on the Hub; what is published, and how; and what the last line says, with | for what differs."""


@pytest.mark.parametrize(("state", "command", "message"), REFUSED)
def test_what_would_lose_or_show_something_is_refused(hub, publish, one, other, both, state, command, message):
    """test_publication.py tests the options that ask for it."""
    for fact in state.split(", "):
        STATES[fact](hub, one)
    hub.reset_log()
    name, *options = command.split()
    assert_refused(publish({"one": one, "other": other, "both": both}[name], *options), *message.split("|"))
    assert writing_requests(hub) == []


def test_a_tag_that_somebody_else_gives_meanwhile_is_not_moved(hub, publish, one):
    def tag(hub):
        repo = hub.repos["me/hi_tom"]
        repo.tags["v1"] = repo.commits[0].oid

    hub.fail("POST", "/tag/", then=tag)
    assert_refused(publish(one, "--tag", "v1"), "has the tag v1 already")
    repo = hub.repos["me/hi_tom"]
    assert repo.tags == {"v1": repo.commits[0].oid}


def copied(out: Path, folder: Path) -> Path:
    """Copy builds, to change them."""
    return shutil.copytree(out, folder / "out")


def spoil(path: Path) -> None:
    """Add a byte to a file."""
    path.write_bytes(path.read_bytes() + b"\n")


def mislabel(folder: Path) -> None:
    """Give a row another answer, in a folder that is otherwise whole."""
    path = folder / "1st_order" / "test.parquet"
    rows = pq.read_table(path)
    column = rows.schema.get_field_index("answer")
    answers = rows["answer"].to_pylist()
    answers[0] = next(answer for answer in answers if answer != answers[0])
    pq.write_table(rows.set_column(column, rows.schema.field(column), pa.array(answers)), path)
    record = json.loads((folder / RECORD).read_text())
    record["files"]["1st_order/test.parquet"]["sha256"] = checksum(path)
    (folder / RECORD).write_text(json.dumps(record))


UNFIT = {
    "changed": (lambda folder: spoil(folder / "README.md"), "README.md was changed after it was built: move it away"),
    "missing": (lambda folder: (folder / "tomh" / "test.parquet").unlink(), "test.parquet is missing: build again"),
    "more": (lambda folder: (folder / "hi_tom.py").write_text("x"), "hi_tom.py was not written by the build of"),
    "no record": (lambda folder: (folder / "build.json").unlink(), "holds no build of hi_tom"),
    "a wrong label": (mislabel, "rows agree, then"),
}


@pytest.mark.parametrize("kind", UNFIT)
def test_a_folder_that_is_not_whole_or_not_right_is_not_sent(hub, publish, one, tmp_path, kind):
    out, (change, words) = copied(one, tmp_path), UNFIT[kind]
    change(out / "hi_tom")
    assert_refused(publish(out), words)
    assert writing_requests(hub) == [] and hub.repos == {}


def test_a_build_beyond_the_gates_is_not_sent(hub, publish, one):
    """The gate is set here: a build of three stories is measured, and the rule `letter` may never be right."""
    line = assert_refused(publish(one, gates={"letter": (0, 0)}), "a gate is broken on the test split: ")
    assert "'letter' is right on" in line and "the gate is ≤ 0 %" in line
    assert writing_requests(hub) == [] and hub.repos == {}


def test_a_folder_that_changes_after_the_check_is_not_sent(hub, publish, one, tmp_path):
    out = copied(one, tmp_path)
    hub.fail("POST", "/repos/create", then=lambda hub: spoil(out / "hi_tom" / "tomh" / "test.parquet"))
    assert_refused(publish(out), "test.parquet was changed after it was checked: nothing was sent")
    assert len(hub.repos["me/hi_tom"].commits) == 1


ACCESS = {
    "no token": ("", "me", "no token was found: run hf auth login, or set HF_TOKEN"),
    "unknown token": ("hf_" + "x" * 34, "me", "the token is not valid"),
    "token of other characters": ("hf_“x”", "me", "the token has characters that tokens never have"),
    "expired token": (EXPIRED, "me", "the token is not valid, or has expired"),
    "read-only token": (READ, "me", "the token of me is read-only"),
    "another's namespace": (WRITE, "us", "us is not yours: the token belongs to me, a member of tom-lab"),
    "another's token": (SOMEBODY, "me", "me is not yours: the token belongs to somebody"),
}


@pytest.mark.parametrize("kind", ACCESS)
def test_nothing_is_sent_with_a_token_that_may_not_write(hub, publish, one, kind):
    token, namespace, words = ACCESS[kind]
    assert_refused(publish(one, token=token, namespace=namespace), words)
    assert writing_requests(hub) == [] and hub.repos == {}


def test_the_token_is_looked_at_before_the_rows(hub, publish, one, tmp_path):
    """The rows take a minute: here they are wrong, and the token is refused all the same."""
    out = copied(one, tmp_path)
    mislabel(out / "hi_tom")
    assert_refused(publish(out, token=READ), "the token of me is read-only")
    assert_refused(publish(out), "rows agree, then")


UNWRITABLE = {
    "private": ("info", "me/hi_tom exists, but is private, and this token cannot see it"),
    "gated": (
        "auth",
        "me/hi_tom: it is gated, and this token may not read it (the Hub answered 403: Failing as asked)",
    ),
    "renamed": ("info", "me/hi_tom is called me/new now"),
    "without main": ("info", "me/hi_tom has no branch main"),
}


@pytest.mark.parametrize("fault", UNWRITABLE)
def test_a_repository_that_cannot_be_written(hub, publish, one, fault):
    """One that is private does not exist, as the Hub says; when it is to be made, it does."""
    step, words = UNWRITABLE[fault]
    hub.create("me/hi_tom", gated="manual")
    hub.create("me/new")
    fail(hub, step, fault)
    assert_refused(publish(one), words)
    assert len(hub.repos["me/hi_tom"].commits) == 1 and "/commit/" not in str(hub.requests)


def test_a_token_that_may_not_create(hub, publish, one):
    """A token in the reason is not repeated."""
    why = f"You don't have the rights, {WRITE} or hf_{'a' * 34}"
    hub.fail("POST", "/api/repos/create", None, 403, headers={"X-Error-Message": why})
    reason = "(the Hub answered 403: You don't have the rights, hf_… or hf_…)"
    assert_refused(publish(one), "me/hi_tom, creating it: ", reason, f"{hub.url}/settings/tokens")
    assert hub.repos == {}


@pytest.mark.parametrize("answer", ["{}", "null", '{"name": "me", "orgs": [{}]}', "<html>"])
def test_an_answer_that_no_hub_gives(hub, publish, one, answer):
    hub.fail("GET", "whoami", times=None, status=200, body=answer.encode())
    assert_refused(publish(one), "who am I: ")
    assert writing_requests(hub) == []


def test_a_forged_record_deletes_nothing_that_no_build_writes(hub, publish, one, other):
    put_directly(hub, one)
    record = json.loads(published_files(one)["build.json"])
    forged = {"notes.md": b"mine", ".gitattributes": hub.repos["me/hi_tom"].files()[".gitattributes"]}
    for path, data in forged.items():
        record["files"][path] = {"rows": 0, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    hub.commit_as("me/hi_tom", {**forged, "build.json": json.dumps(record).encode()})
    assert publish(other, "--replace")[0] == 0
    assert holds(hub, other, also={*INITIAL, "notes.md"})


def test_a_new_seed_is_shown_to_everybody_where_that_is_asked_for(hub, publish, other):
    assert publish(other, "--public")[0] == 0 and holds(hub, other) and not hub.repos["me/hi_tom"].private


OPTIONS = {
    "no namespace": (
        ["--namespace", ""],
        2,
        "'' is not the name of a user, an organisation or a repository of the Hub",
    ),
    "a path": (["--namespace", "me/hi_tom"], 2, "'me/hi_tom' is not the name of a user"),
    "a tagged pull request": (["--pr", "--tag", "v1"], 2, "--pr cannot be combined with --tag; leave it out"),
    "a pull request to a branch": (
        ["--pr", "--revision", "v1"],
        2,
        "--pr cannot be combined with --revision; leave it out",
    ),
    "private and public": (["--private", "--public"], 2, "--public cannot be combined with --private; leave it out"),
    "a commit": (["--revision", "0123456789" * 4], 2, "is a commit; name a branch or a tag"),
    "a ref": (["--revision", "refs/pr/1"], 2, "'refs/pr/1' is not the name of a branch or a tag"),
    "a token": (["--namespace", WRITE], 2, "it is a token, not a name; give tokens in HF_TOKEN only"),
    "no time": (["--time-limit", "0"], 2, "'0' is not a number of seconds"),
}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options_that_are_refused(hub, publish, one, kind):
    options, expected, message = OPTIONS[kind]
    code, _, errors = publish(one, *options)
    assert code == expected and message in errors and errors.startswith("error: ") and errors.count("\n") == 1
    assert hub.requests == []


def test_offline_mode_is_refused(hub, one, tmp_path):
    process = start_publishing(hub, tmp_path, one, HF_HUB_OFFLINE="1")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "HF_HUB_OFFLINE is set: unset it to publish" in errors, errors
