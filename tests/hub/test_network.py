"""Fail in every way that networks do: what passes is tried again, what lasts ends in one line."""

import re
import socket

import pytest
from fake_hub import WRITE
from publishing import INITIAL, STEPS, assert_refused, fail, holds, put_directly, start_publishing

from tom_datasets.hub.client import FIRST_ANSWER

pytestmark = pytest.mark.slow

NO_JSON = "the answer is no JSON, or was cut short ("
WHO, CREATE, COMMIT, TAG = "who am I: ", "me/hi_tom, creating it: ", "me/hi_tom, committing: ", "me/hi_tom, tag v1: "
BUSY = "the Hub answered 409: Another operation is in progress"

PASSING = {
    "wait": ("whoami create", f"{WHO}the Hub answered 429|; trying again in 1 s\n{CREATE}the Hub answered 429: "),
    "down": (
        "whoami create validate preupload batch commit tag refs tree info",
        f"{WHO}|{CREATE}|{COMMIT}|{TAG}|me/hi_tom: the Hub answered 503",
    ),
    "cut before": ("whoami create preupload put commit tag", f"{WHO}|{CREATE}|{COMMIT}|{TAG}"),
    "lost": ("create put commit tag", f"{CREATE}|{TAG}"),
    "cut in the middle": ("whoami create tree commit", f"{WHO}|{CREATE}"),
    "busy": ("create commit tag", f"{CREATE}{BUSY}|{COMMIT}{BUSY}|{TAG}{BUSY}"),
    "half as long": ("whoami create refs tree preupload commit storage card table", f"{WHO}{NO_JSON}|{CREATE}"),
    "a page": ("whoami refs commit", f"{WHO}{NO_JSON}|{COMMIT}"),
    "slow": ("whoami commit", WHO),
}
"""How the steps fail; which steps; and what the command says of it, apart by |."""


@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_is_tried_again(hub, publish, one, fault):
    """The second try never makes a second commit."""
    steps, messages = PASSING[fault]
    switched = [fail(hub, step, fault) for step in steps.split()]
    code, printed, errors = publish(one, "--tag", "v1", read_back="storage" in steps)
    repo = hub.repos["me/hi_tom"]
    assert code == 0, errors
    assert [fault.used for fault in switched] == [1] * len(switched)
    assert len(repo.commits) == 2 and holds(hub, one) and repo.tags == {"v1": repo.head()}
    assert f"published: {hub.url}/datasets/me/hi_tom/tree/v1\n" in printed
    assert all(words in errors for words in messages.split("|")), errors
    assert all(re.search(r"; trying again in \d+ s$", line) for line in errors.splitlines()), errors


def test_a_record_that_comes_short_is_asked_for_again(hub, publish, one, other):
    put_directly(hub, one)
    fault = fail(hub, "record", "half as long")
    code, _, errors = publish(other, "--replace")
    assert code == 0 and fault.used == 1 and holds(hub, other), errors


@pytest.mark.parametrize("fault", ["lost", "slow"])
def test_a_lost_answer_to_a_pull_request_opens_no_second(hub, publish, one, other, fault):
    put_directly(hub, one)
    fail(hub, "commit", fault)
    code, printed, _ = publish(other, "--replace", "--pr")
    assert code == 0 and len(hub.repos["me/hi_tom"].discussions) == 1 and holds(hub, other, "refs/pr/1")


END = "; gave up after 6 tries: run the command again later, it goes on from what is done (--time-limit "
UNPROVEN = "; what was sent is there: run the command again to prove it"
HOUR, TIME = "the Hub answered 429: wait 3,600 s", "; the time limit of {} s allows no other try: run"
REFUSED = f"{COMMIT}a file is refused (the storage answered 403: "
WHY = "): the address for it has expired, a proxy keeps it away, or the owner has no space left; run the command again"
SILENT = "no usable answer came, the last one had the status 503"
LASTING = [
    ("whoami", "down", "", f"{WHO}the Hub answered 503: Failing as asked{END}"),
    ("whoami", "a page", "", f"{WHO}{NO_JSON}", END),
    ("whoami", "cut before", "", WHO, END),
    ("whoami", "silent", "--time-limit 2", WHO, TIME.format(2)),
    ("whoami", "silent", "--dry-run", WHO, TIME.format(4)),
    ("whoami", "wait an hour", "", f"{WHO}{HOUR}{TIME.format(1800)}"),
    ("whoami", "wait for the rate", "", f"{WHO}{HOUR}{TIME.format(1800)}"),
    ("whoami", "wait until a day", "", f"{WHO}the Hub answered 503: wait ", TIME.format(1800)),
    ("whoami", "a teapot", "", f"{WHO}the Hub answered 418"),
    ("commit", "busy", "", f"{COMMIT}{BUSY}{END}"),
    ("commit", "down", "", f"{COMMIT}the Hub answered 503: Failing as asked{END}"),
    ("put", "wait an hour", "--time-limit 60", f"{COMMIT}{HOUR}{TIME.format(60)}"),
    ("put", "down", "--time-limit 3", f"{COMMIT}{SILENT}{TIME.format(3)}"),
    ("put", "expired", "", f"{REFUSED}Request has expired{WHY}"),
    ("batch", "full", "", f"{REFUSED}Storage limit reached{WHY}"),
    ("table", "down", "--time-limit 45", "me/hi_tom, reading back ", " 503; the time limit of ", UNPROVEN),
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
    *tries, last = errors.splitlines()
    waits = [int(re.search(r"; trying again in (\d+) s$", line)[1]) for line in tries]
    assert process.returncode == 1 and printed == "" and waits == [1, 2, 4] and sum(waits) < FIRST_ANSWER
    assert f"; the time limit of {FIRST_ANSWER:.0f} s allows no other try: run" in last and "--time-limit" in last


@pytest.mark.parametrize("cut", [None, "after"], ids=["refused", "answer lost"])
def test_a_commit_of_somebody_else_meanwhile_is_an_error(hub, publish, one, other, cut):
    """The error says what changed, and nothing is overwritten."""
    put_directly(hub, one)
    change = {"README.md": b"# Theirs", "notes.md": b"x"}
    hub.fail(*STEPS["commit"], then=lambda hub: hub.commit_as("me/hi_tom", change, title="Mend a word"), cut=cut)
    theirs = "'Mend a word' by somebody; README.md, notes.md changed): nothing was overwritten; run the command again"
    assert_refused(publish(other, "--replace"), "me/hi_tom: somebody else committed meanwhile (", theirs)
    repo = hub.repos["me/hi_tom"]
    assert len(repo.commits) == 3 and repo.files()["README.md"] == b"# Theirs"
    words = "me/hi_tom has README.md that was not published from here, or was changed since"
    assert_refused(publish(other, "--replace"), words)
    hub.commit_as("me/hi_tom", {}, deleted=("README.md",), user="me")
    assert publish(other, "--replace")[0] == 0 and holds(hub, other, also=INITIAL | {"notes.md"})


def test_a_commit_with_a_lost_answer_is_found_under_another_commit(hub, publish, one, other):
    put_directly(hub, one)

    def follow(hub):
        hub.fail(*STEPS["commits"], then=lambda hub: hub.commit_as("me/hi_tom", {"notes.md": b"x"}))

    fail(hub, "commit", "lost", then=follow)
    code, printed, errors = publish(other, "--replace")
    repo = hub.repos["me/hi_tom"]
    assert code == 0, errors
    assert [commit.author for commit in repo.commits[2:]] == ["me", "somebody"]
    assert f"commit {repo.commits[2].oid[:7]}" in printed and holds(hub, other, also=INITIAL | {"notes.md"})
