"""Say what the Hub left out without an error: a tag or a branch that is not there, files that a .gitignore names."""

import pytest
from publishing import assert_refused, holds, put_directly

from tom_datasets.hub.repository import describe_ignored


def test_a_tag_is_not_reported_before_the_hub_lists_it(hub, publish, one):
    """The Hub refuses the tag by 409, as it does where the tag exists; but it does not."""
    fault = hub.fail("POST", "/tag/", times=None, status=409, body=b'{"error": "Another operation is in progress"}')
    words = "me/hi_tom, tag v2: the Hub answered 409: Another operation is in progress; gave up after 6 tries: run"
    result = publish(one, "--tag", "v2")
    assert_refused(result, words)
    assert "tagged" not in result[1] and fault.used == 6 and hub.repos["me/hi_tom"].tags == {}
    hub.clear_faults()
    assert publish(one, "--tag", "v2")[0] == 0 and list(hub.repos["me/hi_tom"].tags) == ["v2"]


def test_a_tag_that_the_hub_takes_and_does_not_make_is_an_error(hub, publish, one):
    hub.fail("POST", "/tag/", times=None, status=200, body=b"{}")
    result = publish(one, "--tag", "v2")
    assert_refused(result, "me/hi_tom, tag v2: the Hub reported no error, but does not list it; gave up after 6 tries")
    assert "tagged" not in result[1]


def test_a_branch_is_made_where_another_operation_was_under_way(hub, publish, one, other):
    put_directly(hub, one)
    fault = hub.fail("POST", "/branch/", times=2, status=409)
    code, _, errors = publish(other, "--replace", "--revision", "next")
    assert code == 0 and fault.used == 2 and "branch next: the Hub answered 409" in errors
    assert holds(hub, one) and holds(hub, other, "next")


def test_a_repository_is_made_where_another_operation_was_under_way(hub, publish, one):
    fault = hub.fail(
        "POST", "/repos/create", times=2, status=409, body=b'{"error": "Another operation is in progress"}'
    )
    code, printed, errors = publish(one)
    assert code == 0 and fault.used == 2 and holds(hub, one), errors
    assert "me/hi_tom, creating it: the Hub answered 409: Another operation is in progress; trying again in" in errors
    assert "me/hi_tom: created, public\n" in printed


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (dict(status=409, body=b'{"error": "Another operation is in progress"}'), "the Hub answered 409: Another "),
        (dict(status=200), "the Hub reported no error, but does not list it"),
    ],
    ids=["refused by 409", "taken and not made"],
)
def test_a_repository_that_the_hub_does_not_make_is_an_error(hub, publish, one, how, words):
    page = f'{{"url": "{hub.url}/datasets/me/hi_tom"}}'.encode()
    fault = hub.fail("POST", "/repos/create", times=None, **{"body": page, **how})
    result = publish(one)
    assert_refused(result, f"me/hi_tom, creating it: {words}", "; gave up after 6 tries: run the command again later")
    assert "created" not in result[1] and fault.used == 6 and hub.repos == {}


@pytest.mark.parametrize("ignored", ["*.parquet", "build.json"])
def test_files_that_a_gitignore_keeps_out_are_named(hub, publish, one, ignored):
    """The Hub answers that it made the commit, and leaves these files out; a later run finds them missing again."""
    kept = len(list((one / "hi_tom").rglob(ignored)))
    hub.create("me/hi_tom")
    hub.commit_as("me/hi_tom", {".gitignore": f"# of an editor\n{ignored}\n".encode()}, user="me")
    for _ in range(2):
        result = publish(one)
        line = assert_refused(result, f" lacks {kept} files: in .gitignore there, {ignored!r} keeps out ")
        assert (
            f"; remove the line at {hub.url}/datasets/me/hi_tom/blob/main/.gitignore and run the command again" in line
        )
        assert ("build.json" if kept == 1 else "0th_order/test.parquet, 0th_order/train.parquet, ") in line
        assert "files added" not in result[1]
    hub.commit_as("me/hi_tom", {}, deleted=(".gitignore",), user="me")
    assert publish(one)[0] == 0 and holds(hub, one)


LINES = {
    "*.parquet": "'*.parquet' keeps out a.parquet, b/c.parquet",
    "/*.parquet": "'/*.parquet' keeps out a.parquet",
    "b/": "'b/' keeps out b/c.parquet, b/d.json",
    "b": "'b' keeps out b/c.parquet, b/d.json",
    "/b/*.json": "'/b/*.json' keeps out b/d.json",
    "b/**": "'b/**' keeps out b/c.parquet, b/d.json",
    "**/d.json": "'**/d.json' keeps out b/d.json",
    "?.parquet": "'?.parquet' keeps out a.parquet, b/c.parquet",
    "[!a].parquet": "'[!a].parquet' keeps out b/c.parquet",
    "d.json/\n#b": "",
    "*\n!*.json": "'*' keeps out a.parquet, b/c.parquet",
    "a.parquet\n\nb": "'a.parquet' keeps out a.parquet and 'b' keeps out b/c.parquet, b/d.json",
}


@pytest.mark.parametrize("lines", LINES)
def test_the_line_of_a_gitignore_that_keeps_out_a_file_is_named(lines):
    assert describe_ignored(lines, ["a.parquet", "b/c.parquet", "b/d.json"]) == LINES[lines]
