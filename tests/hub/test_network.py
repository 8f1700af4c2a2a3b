"""Fail in every way that networks do: what passes is tried again, what lasts ends in one line."""

import re
import socket

import pytest
from fake_hub import WRITE
from publishing import INITIAL, assert_refused, holds, put_directly, start_publishing

from tom_datasets.hub.client import FIRST_ANSWER

pytestmark = pytest.mark.slow

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
    "another operation under way": (
        [
            (
                "POST",
                "/commit/",
                dict(status=409, times=2, body=b'{"error": "Another commit operation is in progress"}'),
            ),
            ("POST", "/tag/", dict(status=409, times=2, body=b'{"error": "Another operation is in progress"}')),
        ],
        ["committing: the Hub answered 409: Another commit operation is in progress; ", "tag v1: the Hub answered 409"],
    ),
    "answers that are only half as long": (
        [
            ("GET", "whoami", dict(cut="short")),
            ("POST", "/repos/create", dict(cut="short")),
            ("GET", "/refs", dict(cut="short")),
            ("GET", "/tree/", dict(cut="short")),
            ("POST", "/preupload/", dict(cut="short")),
            ("POST", "/commit/", dict(cut="short")),
        ],
        ["who am I: the answer is no JSON, or was cut short (", "creating it: "],
    ),
    "pages of a proxy instead of answers": (
        [
            ("GET", "whoami", dict(status=200, body=b"<html>")),
            ("GET", "/refs", dict(status=200, body=b"<html>")),
            ("POST", "/commit/", dict(status=200, body=b"")),
        ],
        ["who am I: the answer is no JSON, or was cut short (", "committing: "],
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
            ("GET", "/cdn/", dict(cut="short")),
            ("GET", "/resolve-cache/.*README.md", dict(cut="short")),
            ("GET|HEAD", "/resolve/.*parquet", dict(status=503, times=2)),
            ("GET|HEAD", "/resolve/.*parquet", dict(cut="before", skip=4)),
        ],
        [],
    ),
}


@pytest.mark.parametrize("kind", PASSING)
def test_a_passing_fault_is_tried_again(hub, publish, one, kind):
    """The second try never makes a second commit."""
    faults, messages = PASSING[kind]
    switched = [hub.fail(method, pattern, **how) for method, pattern, how in faults]
    code, printed, errors = publish(one, "--tag", "v1", read_back=kind == "faults while reading back")
    repo = hub.repos["me/hi_tom"]
    assert code == 0, errors
    assert [fault.used for fault in switched] == [fault.times for fault in switched]
    assert len(repo.commits) == 2 and holds(hub, one) and repo.tags == {"v1": repo.head()}
    assert f"published: {hub.url}/datasets/me/hi_tom/tree/v1\n" in printed
    for words in messages:
        assert words in errors, errors
    assert all(re.search(r"; trying again in \d+ s$", line) for line in errors.splitlines()), errors


def test_a_record_that_comes_short_is_asked_for_again(hub, publish, one, other):
    put_directly(hub, one)
    fault = hub.fail("GET", "/resolve-cache/.*build.json", cut="short")
    code, _, errors = publish(other, "--replace")
    assert code == 0 and fault.used == 1 and holds(hub, other), errors


@pytest.mark.parametrize("how", [dict(cut="after"), dict(slow=2.2)], ids=["lost", "slow"])
def test_a_lost_answer_to_a_pull_request_opens_no_second(hub, publish, one, other, how):
    put_directly(hub, one)
    hub.fail("POST", "/commit/", **how)
    code, printed, _ = publish(other, "--replace", "--pr")
    assert code == 0 and len(hub.repos["me/hi_tom"].discussions) == 1 and holds(hub, other, "refs/pr/1")


LASTING = {
    "a server that stays down": (
        ("GET", "whoami", dict(status=503)),
        (),
        "who am I: ",
        "gave up after 6 tries: run the command again later",
    ),
    "another commit that never ends": (
        ("POST", "/commit/", dict(status=409, body=b'{"error": "Another commit operation is in progress"}')),
        (),
        "committing: the Hub answered 409: Another commit operation is in progress; gave up after 6 tries: run the",
    ),
    "a proxy's page": (
        ("GET", "whoami", dict(status=200, body=b"<html>")),
        (),
        "who am I: the answer is no JSON, or was cut short (",
        "gave up after 6 tries",
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
    "no answer to a dry run": (
        ("GET", "/api/", dict(slow=60)),
        ("--dry-run",),
        "who am I: ",
        "the time limit of 4 s allows no other try",
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
        ("PUT", "", dict(status=503, slow=0.8)),
        ("--time-limit", "3"),
        "committing: ",
        "no usable answer came, the last one had the status 503; the time limit of 3 s allows no other try",
    ),
    "nothing to read back": (
        ("GET|HEAD", "/resolve/.*parquet", dict(status=503)),
        ("--time-limit", "15"),  # the process that reads back has to start within it
        "reading back ",
        " 503; the time limit of ",
        "what was sent is there: run the command again to prove it",
    ),
    "a storage that refuses": (
        (
            "PUT",
            "/upload/",
            dict(status=403, body=b"<Error><Code>A</Code><Message>Request has expired</Message></Error>"),
        ),
        (),
        "me/hi_tom, committing: a file is refused (the storage answered 403: Request has expired): the address for it",
        "a proxy keeps it away, or the owner has no space left; run the command again",
    ),
    "a storage without space": (
        ("POST", "/objects/batch", dict(status=403, headers={"X-Error-Message": "Storage limit reached"})),
        (),
        "me/hi_tom, committing: a file is refused (the storage answered 403: Storage limit reached): ",
    ),
}


@pytest.mark.parametrize("kind", LASTING)
def test_a_lasting_fault_ends_in_one_line_and_a_later_run_goes_on(hub, publish, one, kind):
    (method, pattern, how), options, *words = LASTING[kind]
    hub.fail(method, pattern, times=None, **how)
    assert_refused(publish(one, *options, read_back=kind == "nothing to read back"), *words)
    hub.clear_faults()
    if words[0].startswith(("committing", "reading")):  # where something was sent
        assert publish(one)[0] == 0 and holds(hub, one) and len(hub.repos["me/hi_tom"].commits) == 2


@pytest.mark.parametrize("token", [WRITE, ""], ids=["with a token", "without"])
def test_a_dry_run_without_a_network_ends_soon_and_before_the_rows_are_checked(hub, one, tmp_path, token):
    """With the waits of users, at a port that nobody listens on. Where no answer comes at all, the same limit holds."""
    assert FIRST_ANSWER <= 15, "a process starts and ends within 5 s"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        there = f"http://127.0.0.1:{free.getsockname()[1]}"
        process = start_publishing(hub, tmp_path, one, "--dry-run", HF_ENDPOINT=there, HF_TOKEN=token)
        printed, errors = process.communicate(timeout=60)
    *tries, last = errors.splitlines()
    waits = [int(re.search(r"; trying again in (\d+) s$", line)[1]) for line in tries]
    assert process.returncode == 1 and printed == "" and waits == [1, 2, 4] and sum(waits) < FIRST_ANSWER
    assert f"; the time limit of {FIRST_ANSWER:.0f} s allows no other try: run" in last and "--time-limit" in last


@pytest.mark.parametrize("cut", [None, "after"], ids=["refused", "answer lost"])
def test_a_commit_of_somebody_else_meanwhile_is_an_error(hub, publish, one, other, cut):
    """The error says what changed, and nothing is overwritten."""
    put_directly(hub, one)
    change = {"README.md": b"# Theirs", "notes.md": b"x"}
    hub.fail("POST", "/commit/", then=lambda hub: hub.commit_as("me/hi_tom", change, title="Mend a word"), cut=cut)
    theirs = "'Mend a word' by somebody; README.md, notes.md changed): nothing was overwritten; run the command again"
    assert_refused(publish(other, "--replace"), "me/hi_tom: somebody else committed meanwhile (", theirs)
    repo = hub.repos["me/hi_tom"]
    assert len(repo.commits) == 3 and repo.files()["README.md"] == b"# Theirs"
    assert_refused(
        publish(other, "--replace"), "me/hi_tom has README.md that was not published from here, or was changed since"
    )
    hub.commit_as("me/hi_tom", {}, deleted=("README.md",), user="me")
    code, _, _ = publish(other, "--replace")
    assert code == 0 and holds(hub, other, also=INITIAL | {"notes.md"})


def test_a_commit_with_a_lost_answer_is_found_under_another_commit(hub, publish, one, other):
    put_directly(hub, one)

    def follow(hub):
        hub.fail("GET", "/commits/", then=lambda hub: hub.commit_as("me/hi_tom", {"notes.md": b"x"}))

    hub.fail("POST", "/commit/", cut="after", then=follow)
    code, printed, errors = publish(other, "--replace")
    repo = hub.repos["me/hi_tom"]
    assert code == 0, errors
    assert [commit.author for commit in repo.commits[2:]] == ["me", "somebody"]
    assert f"commit {repo.commits[2].oid[:7]}" in printed and holds(hub, other, also=INITIAL | {"notes.md"})


def test_a_commit_without_one_of_its_files_is_not_called_published(hub, publish, one):
    """The Hub takes the commit and leaves a file out."""

    def lose(hub):
        hub.repos["me/hi_tom"].commits[-1].files.pop("tomh/test.parquet")

    hub.fail("GET", "/tree/", skip=1, then=lose)
    assert_refused(publish(one), "does not hold the files of")
