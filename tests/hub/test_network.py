"""Fail in every way that networks do: each fault ends in one line, and the same command again goes on."""

import socket

import pytest
from fake_hub import WRITE
from publishing import INITIAL, STEPS, assert_refused, fail, holds, put_directly, start_publishing

from tom_datasets.hub.client import FIRST_ANSWER

pytestmark = pytest.mark.slow

NO_JSON = "the answer is not JSON, or was cut short ("
WHO, CREATE, COMMIT = "who am I: ", "me/hi_tom, creating it: ", "me/hi_tom, committing: "
BUSY = "the Hub answered 409: Another operation is in progress"

PASSING = {
    "wait": "whoami create",
    "down": "whoami create validate preupload batch commit tag refs tree info",
    "cut before": "whoami create preupload put commit tag",
    "lost": "create put commit tag",
    "cut in the middle": "whoami create tree commit",
    "busy": "create commit tag",
    "half as long": "whoami create refs tree preupload commit storage card table",
    "a page": "whoami refs commit",
    "slow": "whoami commit",
}
"""How the steps fail, and which steps."""


@pytest.mark.parametrize("fault", PASSING)
def test_after_a_passing_fault_the_same_command_goes_on(hub, publish, one, fault):
    """The client tries some calls again without a word; every other fault is one line. No run makes a second commit."""
    steps = PASSING[fault].split()
    switched = [fail(hub, step, fault) for step in steps]
    for _ in range(len(steps) + 1):
        code, printed, errors = publish(one, "--tag", "v1", read_back="storage" in steps)
        assert errors.count("\n") == code and ("run the command again" in errors) == bool(code), errors
        if code == 0:
            break
    repo = hub.repos["me/hi_tom"]
    assert code == 0, errors
    assert [fault.used for fault in switched] == [1] * len(switched)
    assert len(repo.commits) == 2 and holds(hub, one) and repo.tags == {"v1": repo.head()}
    assert f"published: {hub.url}/datasets/me/hi_tom/tree/v1\n" in printed


def test_a_record_that_comes_short_is_asked_for_again(hub, publish, one, other):
    put_directly(hub, one)
    fail(hub, "record", "half as long")
    assert publish(other, "--replace")[0] == 0 or publish(other, "--replace")[0] == 0
    assert holds(hub, other)


def test_a_lost_answer_to_a_pull_request_opens_no_second(hub, publish, one, other):
    put_directly(hub, one)
    fail(hub, "commit", "lost")
    assert_refused(publish(other, "--replace", "--pr"), COMMIT, AGAIN)
    code, printed, _ = publish(other, "--replace", "--pr")
    assert code == 0 and "pull request 1 already has all this" in printed
    assert len(hub.repos["me/hi_tom"].discussions) == 1 and holds(hub, other, "refs/pr/1")


AGAIN = ": run the command again later, it continues where it stopped"
UNPROVEN = "; all files were sent: run the command again to check them"
LATE = "the time limit of {} s was reached: run the command again to continue where it stopped (--time-limit gives more"
REFUSED = f"{COMMIT}a file is refused (the storage answered 403: "
WHY = "): the address for it has expired, a proxy blocks it, or the owner has no space left; run the command again"
LASTING = [
    ("whoami", "down", "", f"{WHO}the Hub answered 503: Failing as asked{AGAIN}"),
    ("whoami", "a page", "", f"{WHO}{NO_JSON}", AGAIN),
    ("whoami", "cut before", "", WHO, AGAIN),
    ("whoami", "silent", "--time-limit 2", LATE.format(2)),
    ("whoami", "silent", "--dry-run", LATE.format(4)),
    ("whoami", "wait an hour", "", f"{WHO}the Hub answered 429", AGAIN),
    ("whoami", "wait for the rate", "", f"{WHO}the Hub answered 429", AGAIN),
    ("whoami", "wait until a day", "", f"{WHO}the Hub answered 503", AGAIN),
    ("whoami", "a teapot", "", f"{WHO}the Hub answered 418"),
    ("commit", "busy", "", f"{COMMIT}{BUSY}{AGAIN}"),
    ("commit", "down", "", f"{COMMIT}the Hub answered 503: Failing as asked{AGAIN}"),
    ("put", "wait an hour", "", f"{COMMIT}the storage answered 429", AGAIN),
    ("put", "down", "--time-limit 3", LATE.format(3)),
    ("put", "expired", "", f"{REFUSED}Request has expired"),
    ("batch", "full", "", f"{REFUSED}Storage limit reached"),
    ("table", "down", "", "me/hi_tom, reading back ", " 503", UNPROVEN),
    ("table", "silent", "--time-limit 9", LATE.format(9)),
]
"""A step that always fails, and how; the options of the command; and what its last line says."""


@pytest.mark.parametrize(("step", "fault", "options", "words"), [(*row[:3], row[3:]) for row in LASTING])
def test_a_lasting_fault_ends_in_one_line_and_a_later_run_goes_on(hub, publish, one, step, fault, options, words):
    fail(hub, step, fault, None, **({"slow": 0.8} if options == "--time-limit 3" else {}))
    assert_refused(publish(one, *options.split(), read_back=step == "table"), *words)
    hub.clear_faults()
    if step != "whoami":  # where something was sent
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
    assert process.returncode == 1 and printed == ""
    assert errors.startswith("error: ") and errors.count("\n") == 1 and AGAIN in errors


@pytest.mark.parametrize("cut", [None, "after"], ids=["refused", "answer lost"])
def test_a_commit_of_somebody_else_meanwhile_is_an_error(hub, publish, one, other, cut):
    """The error says where the commit is seen, where its answer comes, and nothing is overwritten."""
    put_directly(hub, one)
    change = {"README.md": b"# Theirs", "notes.md": b"x"}
    hub.fail(*STEPS["commit"], then=lambda hub: hub.commit_as("me/hi_tom", change), cut=cut)
    theirs = "/datasets/me/hi_tom/commits/main): nothing was overwritten; run the command again"
    words = (COMMIT, AGAIN) if cut else ("me/hi_tom: somebody else committed in the meantime (http", theirs)
    assert_refused(publish(other, "--replace"), *words)
    repo = hub.repos["me/hi_tom"]
    assert len(repo.commits) == 3 and repo.files()["README.md"] == b"# Theirs"
    words = "me/hi_tom has README.md that was not published from here, or was changed since"
    assert_refused(publish(other, "--replace"), words)
    hub.commit_as("me/hi_tom", {}, deleted=("README.md",), user="me")
    assert publish(other, "--replace")[0] == 0 and holds(hub, other, also=INITIAL | {"notes.md"})


def test_a_commit_with_a_lost_answer_is_found_under_another_commit(hub, publish, one, other):
    put_directly(hub, one)
    fail(hub, "commit", "lost")
    assert_refused(publish(other, "--replace"), COMMIT, AGAIN)
    hub.commit_as("me/hi_tom", {"notes.md": b"x"})
    code, printed, errors = publish(other, "--replace")
    repo = hub.repos["me/hi_tom"]
    assert code == 0 and "no new commit" in printed, errors
    assert [commit.author for commit in repo.commits[2:]] == ["me", "somebody"]
    assert holds(hub, other, also=INITIAL | {"notes.md"})
