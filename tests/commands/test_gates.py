"""Break the gates of the audit, and read how `check` and `audit` say so."""

import contextlib
from types import SimpleNamespace

import pytest
from audit.samples import as_table
from support import table_of

from tom_datasets.audit.gates import GATES
from tom_datasets.errors import UserError
from tom_datasets.hi_tom.audit import HiTomAudit
from tom_datasets.story.config import order_name


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch):
    """Let audits draw nothing: these tests read tables."""
    monkeypatch.setattr("tom_datasets.commands.audit.draw", lambda *_: {})


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_fails(run, plain_build, monkeypatch, command):
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 6)
    monkeypatch.setitem(GATES, "hi_tom", {"first": (0, 0), "letter": (0, 1)})
    code, printed, said = run(command, "--out", plain_build("hi_tom"))
    assert code == 1
    assert said.startswith("error: a gate is broken on the test split: ") and said.count("\n") == 1
    if command == "audit":
        gated = printed.split("Shown, not gated:")[0]
        broken = {group: table_of(gated, f"{group}: ours")["first"] for group in map(order_name, range(1, 5))}
        for group, share in broken.items():
            assert (f"{group}: 'first' is right on {share:.1f} %, the gate is ≤ 0 %" in said) == (share > 0)
    assert "'first' is right on " in said
    assert "build with another seed or more stories" in said
    assert "0th_order" not in said and "tomh" not in said and "reproduction" not in said
    assert "gates hold" not in printed and "not gated: " not in printed


@pytest.mark.parametrize("command", ["check", "audit"])
def test_the_gates_of_deep_stories(run, nested, monkeypatch, command):
    """At orders 2 to 4 of the test split; the published share stands beside ours."""
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 3)
    monkeypatch.setitem(GATES, "hi_tom", dict.fromkeys(GATES["hi_tom"], (0, 1)))
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 1)})
    code, printed, said = run(command, "--out", nested)
    assert (code, said) == (0, "")
    assert "gates hold for every order from 1, on 6 test stories" in printed
    assert "deep: gates hold for every order, on 3 test stories" in printed
    if command == "audit":
        deep = printed.split("Deep stories: ")[1].split("Readings: ")[0].split("Questions of abilities")[0]
        assert table_of(deep, "1st_order: published") == {"rows": 120, "chance": 6.7, "needs all its agents": 45.0}
        assert table_of(deep, "4th_order: published")["needs all its agents"] == 0.0
        assert {"reality", "cross out", "link 1 ignored", "best of 4 features"} < {*table_of(deep, "2nd_order: ours")}
        found = printed.split("Rules found by a search: ")[1]
        assert [found.count(f"| 3rd_order | {length} | ") for length in range(1, 6)] == [1, 1, 1, 1, 0]
        assert "1st_order" not in found
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 0), "reality": (0, 1)})
    code, printed, said = run(command, "--out", nested)
    assert code == 1 and said.count("\n") == 1
    assert said.startswith("error: a gate is broken on the test split of deep: ")
    assert "'needs all its agents' is right on " in said
    assert "1st_order" not in said


@pytest.mark.parametrize("semantics", ["recursive", "published"])
def test_every_question_is_undisputed_unless_the_answers_are_published(capsys, semantics):
    fine = {**dict.fromkeys(GATES["hi_tom"], 0.0), "undisputed": 1.0}
    held = "gates hold for every order from 1, on 1000 test stories\n"
    if semantics == "published":
        held += "undisputed is not gated: the answers follow published semantics, and the interpretations do not\n"
    build = SimpleNamespace(default={"semantics": semantics})
    HiTomAudit().hold_gates(build, as_table({"1st_order": fine}), {}, {})
    assert capsys.readouterr().out == held
    disputed = as_table({"1st_order": fine | {"undisputed": 0.999}})
    refusal = pytest.raises(UserError, match="1st_order: 'undisputed' is right on 99.9 %, the gate is 100 %")
    with refusal if semantics == "recursive" else contextlib.nullcontext():
        HiTomAudit().hold_gates(build, disputed, {}, {})


BUILD = SimpleNamespace(default={"semantics": "recursive"})
DEPTH = {rule: most for rule, (_, most) in GATES["deep"].items()}
"""Shares of deep stories that keep every gate, some of them just."""


def test_the_gates_of_deep_stories_and_of_the_ladder_hold_apart(capsys):
    """Of order 1 and of one rung the other gates may be broken, and at order 2 those from a higher order."""
    easy = {**dict.fromkeys(DEPTH, 1.0), "undisputed": 0.6}
    two = DEPTH | {"one level deep": 1.0, "link 2 ignored": 1.0}
    deep = {"1st_order": easy, "2nd_order": two, "4th_order": DEPTH}
    HiTomAudit().hold_gates(
        BUILD, {}, as_table({**deep, "rung 1": easy, "rung 2": easy, "rungs from order 2": DEPTH}), {}
    )
    assert capsys.readouterr().out == (
        "deep: gates hold for every order, on 1000 test stories\n"
        "ladder: gates hold for its rungs together, on 1000 test stories\n"
    )
    few = as_table({"rungs from order 2": easy, "2nd_order": easy, "1st_order": easy | {"undisputed": 0.0}}, 100)
    HiTomAudit().hold_gates(BUILD, {}, few, {})
    assert capsys.readouterr().out == (
        "deep, not gated: 100 test stories, the gates need 240\n"
        "ladder, not gated: 100 test stories, the gates need 240\n"
    )
    HiTomAudit().hold_gates(BUILD, {}, {}, {})
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("group", "rule", "share", "where"),
    [
        ("1st_order", "undisputed", 0.59, "deep"),
        ("4th_order", "best of 3 features", 0.63, "deep"),
        ("4th_order", "needs their order", 0.49, "deep"),
        ("rungs from order 2", "needs all its agents", 0.74, "ladder"),
    ],
)
def test_a_broken_gate_of_depth_is_named(group, rule, share, where):
    orders = ("1st_order", "2nd_order", "3rd_order", "4th_order")
    groups = (*orders, "rungs from order 2", "rungs from order 3")
    table = as_table({**dict.fromkeys(groups, DEPTH), group: DEPTH | {rule: share}})
    broken = f"^a gate is broken on the test split of {where}: {group}: '{rule}' is right on {100 * share:.1f} %"
    with pytest.raises(UserError, match=broken):
        HiTomAudit().hold_gates(BUILD, {}, table, {})


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_of_a_setup_fails(run, plain_build, monkeypatch, command):
    monkeypatch.setitem(GATES, "mindgames", {"hypothesis alone": (0.55, 0.6)})
    code, printed, said = run(command, "--out", plain_build("mindgames"))
    assert code == 1 and said.count("\n") == 1
    assert "explicit: 'hypothesis alone' is right on 50.0 %, the gate is 55 to 60 %" in said
    assert ("rows agree" in printed) == (command == "check") and "gates hold" not in printed
