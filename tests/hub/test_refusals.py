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


@pytest.mark.parametrize("before", [False, True], ids=["never published", "published"])
def test_a_file_of_somebody_else_is_never_overwritten(hub, publish, one, other, before):
    if before:
        put_directly(hub, one)
    else:
        hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {"README.md": b"# Mine"}, user="me")
    hub.reset_log()
    assert_refused(
        publish(other, "--replace"), "me/hi_tom has README.md that", "it would be overwritten; delete or rename it at"
    )
    assert writing_requests(hub) == [] and hub.repos["me/hi_tom"].files()["README.md"] == b"# Mine"


def test_the_record_of_another_program_is_no_record(hub, publish, one):
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {"build.json": b'{"of": "another program"}'}, user="me")
    assert_refused(publish(one), "me/hi_tom has build.json that")


def test_a_tag_that_somebody_else_gives_meanwhile_is_not_moved(hub, publish, one):
    def tag(hub):
        repo = hub.repos["me/hi_tom"]
        repo.tags["v1"] = repo.commits[0].oid

    hub.fail("POST", "/tag/", then=tag)
    assert_refused(publish(one, "--tag", "v1"), "has the tag v1 already", "a tag is never moved")
    repo = hub.repos["me/hi_tom"]
    assert repo.tags == {"v1": repo.commits[0].oid}


@pytest.mark.parametrize("words", [("--tag", "main"), ("--tag", "next"), ("--tag", "new", "--revision", "new")])
def test_a_tag_is_no_branch(hub, publish, one, other, words):
    """Otherwise the branch could not be published to again."""
    put_directly(hub, one)
    hub.repos["me/hi_tom"].branches["next"] = hub.repos["me/hi_tom"].head()
    assert_refused(
        publish(other, "--replace", *words), f"{words[1]} is a branch of me/hi_tom: give the tag another name"
    )
    assert writing_requests(hub) == []


def test_both_datasets_are_refused_where_one_is(hub, publish, both):
    repo = hub.create("me/mindgames")
    repo.tags["v1"] = repo.head()
    assert_refused(publish(both, "--tag", "v1"), "me/mindgames has the tag v1 already")
    assert writing_requests(hub) == [] and "me/hi_tom" not in hub.repos


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
    "no record": (lambda folder: (folder / "build.json").unlink(), "holds no build of hi_tom (no build.json)"),
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
    "no token": ("", "me", "there is no token: run hf auth login, or set HF_TOKEN"),
    "unknown token": ("hf_" + "x" * 34, "me", "the token is not valid, or has expired"),
    "token of other characters": ("hf_“x”", "me", "the token has characters that no token has: copy it again from"),
    "expired token": (EXPIRED, "me", "the token is not valid, or has expired"),
    "read-only token": (READ, "me", "the token of me is read-only: make one with write access at"),
    "another's namespace": (
        WRITE,
        "somebody",
        "somebody is not yours: the token belongs to me, a member of tom-lab; say NAME",
    ),
    "another's token": (SOMEBODY, "me", "me is not yours: the token belongs to somebody; say NAMESPACE=somebody"),
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


REFUSED = {
    "private": ("info", "me/hi_tom exists, and is private so that this token may not see it: give the token access to"),
    "gated": (
        "auth",
        "me/hi_tom: it is gated, and this token may not read it (the Hub answered 403: Failing as asked)",
    ),
    "renamed": ("info", "me/hi_tom is called me/new now: publish there, or give the name back at "),
    "without main": ("info", "me/hi_tom has no branch main: make one at "),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_repository_that_cannot_be_written(hub, publish, one, fault):
    """One that is private does not exist, as the Hub says; when it is to be made, it does."""
    step, words = REFUSED[fault]
    hub.create("me/hi_tom", gated="manual")
    hub.create("me/new")
    fail(hub, step, fault, 2)
    assert_refused(publish(one), words)
    assert len(hub.repos["me/hi_tom"].commits) == 1 and "/commit/" not in str(hub.requests)


def test_a_token_that_may_not_create(hub, publish, one):
    """A token in the reason is not repeated."""
    why = f"You don't have the rights, {WRITE} or hf_{'a' * 34}"
    hub.fail("POST", "/api/repos/create", None, 403, headers={"X-Error-Message": why})
    words = (
        "me/hi_tom, creating it: the token may not do that (the Hub answered 403: You don't have the rights, hf_… or "
    )
    assert_refused(publish(one), f"{words}hf_…): it needs write access to the namespace; see {hub.url}/settings/tokens")
    assert hub.repos == {}


def test_a_public_repository_is_not_made_private(hub, publish, one):
    hub.create("me/hi_tom")
    words = "me/hi_tom exists, and is public: PRIVATE=1 (--private) makes new repositories; name one with "
    assert_refused(publish(one, "--private"), f"{words}NAME=hi_tom_private (--name)")
    assert writing_requests(hub) == []


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


HELD = {
    "another seed": ((), "me/hi_tom holds another build: seed is 0 there, 8 here; "),
    "also to a branch": (("--revision", "next"), "seed is 0 there, 8 here; "),
    "also as a proposal": (("--pr",), "seed is 0 there, 8 here; "),
    "other sizes": ((), "validation is 3 there, 0 here"),
}


@pytest.mark.parametrize("kind", HELD)
def test_another_build_is_replaced_only_where_that_is_asked_for(hub, publish, one, other, kind):
    """REPLACE=1 asks for it; test_publication.py tests it."""
    put_directly(hub, one)
    words, message = HELD[kind]
    line = assert_refused(publish(other, *words), message, "another NAME (--name), or replace it with REPLACE=1")
    assert "PRIVATE" not in line and writing_requests(hub) == [] and holds(hub, one)


def test_a_new_seed_is_shown_to_everybody_only_where_that_is_asked_for(hub, publish, other):
    """No record is there to be replaced, so REPLACE=1 does not ask for it."""
    for there in (False, True):
        if there:
            hub.create("me/hi_tom")
        line = assert_refused(publish(other, "--replace"), "me/hi_tom would show everybody the rows of seed 8: ")
        elsewhere = " and another NAME (--name)" if there else ""
        assert f"with PRIVATE=1 (--private){elsewhere}, or show them with PUBLIC=1 (--public)" in line
        assert writing_requests(hub) == []
    assert publish(other, "--public")[0] == 0 and holds(hub, other) and not hub.repos["me/hi_tom"].private


OPTIONS = {
    "no namespace": (["--namespace", ""], 2, "'' is no name of a user, an organisation or a repository of the Hub"),
    "a path": (["--namespace", "me/hi_tom"], 2, "'me/hi_tom' is no name of a user"),
    "a tagged pull request": (["--pr", "--tag", "v1"], 1, "a pull request is not tagged: leave TAG out"),
    "a commit": (["--revision", "0123456789" * 4], 2, "is a commit; name a branch or a tag"),
    "a ref": (["--revision", "refs/pr/1"], 2, "'refs/pr/1' is no name of a branch or a tag"),
    "a token": (["--namespace", WRITE], 2, "it is a token, not a name; a token is given by HF_TOKEN alone"),
    "no time": (["--time-limit", "0"], 2, "'0' is no number of seconds"),
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
