"""Say what the Hub left out without an error: what it does not make, and files that a .gitignore names."""

import json

import pytest
from publishing import STEPS, assert_refused, holds, put_directly

LISTLESS = "the Hub reported no error, but does not list it: run the command again later"
BUSY = "the Hub answered 409: Another operation is in progress: run the command again later"


@pytest.mark.parametrize(("status", "words"), [(409, BUSY), (200, LISTLESS)], ids=["busy", "taken and not made"])
@pytest.mark.parametrize(("step", "task"), [("create", "creating it"), ("tag", "tag v2")])
def test_what_the_hub_does_not_make_is_an_error(hub, publish, one, step, task, status, words):
    """A tag that is refused by 409 may be there already: the command looks."""
    body = {"error": "Another operation is in progress", "url": f"{hub.url}/datasets/me/hi_tom"}
    hub.fail(*STEPS[step], status=status, body=json.dumps(body).encode())
    result = publish(one, "--tag", "v2")
    assert_refused(result, f"me/hi_tom, {task}: {LISTLESS if step == 'tag' else words}")
    assert "tagged" not in result[1] and ("created" in result[1]) == bool(hub.repos) == (step == "tag")
    assert publish(one, "--tag", "v2")[0] == 0 and list(hub.repos["me/hi_tom"].tags) == ["v2"]


def test_files_that_a_gitignore_keeps_out_are_named(hub, publish, one):
    """The Hub answers that it made the commit, and leaves these files out; a later run finds them missing again."""
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {".gitignore": b"# of an editor\n*.parquet\n"}, user="me")
    lacking = f" does not hold the files of {one / 'hi_tom'}, 0th_order/test.parquet, 0th_order/train.parquet, "
    page = f"{hub.url}/datasets/me/hi_tom/blob/main/.gitignore"
    words = (
        f"the Hub ignores the files that .gitignore names there; remove the line at {page} and run the command again"
    )
    for _ in range(2):
        result = publish(one)
        assert_refused(result, lacking, words)
        assert "files added" not in result[1]
    hub.commit_as("me/hi_tom", {}, deleted=(".gitignore",), user="me")
    assert publish(one)[0] == 0 and holds(hub, one)


def test_a_commit_without_one_of_its_files_is_not_called_published(hub, publish, one):
    def lose(hub):
        hub.repos["me/hi_tom"].commits[-1].files.pop("tomh/test.parquet")

    hub.fail(*STEPS["tree"], skip=1, then=lose)
    words = f" does not hold the files of {one / 'hi_tom'}, tomh/test.parquet among them: run the command again"
    assert_refused(publish(one), words)


def test_an_incomplete_list_of_files_overwrites_nothing(hub, publish, one, other):
    put_directly(hub, one)
    hub.commit_as("me/hi_tom", {"README.md": b"# Mine"}, user="me")
    hub.fail(*STEPS["tree"], status=200, body=b"[]")
    assert_refused(publish(other, "--replace"), "the list is incomplete: run the command again later")
    assert_refused(publish(other, "--replace"), "me/hi_tom has README.md that")
    assert hub.repos["me/hi_tom"].files()["README.md"] == b"# Mine"
