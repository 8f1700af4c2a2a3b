"""Break the gates of the audit, and read how `check` and `audit` say so."""

import pytest
from support import table_of

from builders.audit.gates import GATES
from builders.story.config import order_name


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_fails(run, stories, monkeypatch, command):
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 6)
    monkeypatch.setitem(GATES, "hi_tom", {"first": (0, 0), "letter": (0, 1)})
    code, printed, said = run(command, "--out", stories)
    assert code == 1
    assert said.startswith("error: a gate is broken on the test split: ") and said.count("\n") == 1
    gated = run("audit", "--out", stories)[1].split("Shown, not gated:")[0]
    broken = {group: table_of(gated, f"{group}: ours")["first"] for group in map(order_name, range(1, 5))}
    for group, share in broken.items():
        assert (f"{group}: 'first' is right on {share:.1f} %, the gate is ≤ 0 %" in said) == (share > 0)
    assert sum(broken.values()) > 0
    assert "build with another seed or more stories" in said
    assert "0th_order" not in said and "tomh" not in said and "reproduction" not in said
    assert "gates hold" not in printed and "not gated: " not in printed


@pytest.mark.parametrize("command", ["check", "audit"])
def test_the_gates_of_deep_stories(run, stories, monkeypatch, command):
    """At orders 2 to 4 of the test split; the published share stands beside ours."""
    open_gates = dict.fromkeys(GATES["hi_tom"], (0, 1))
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 3)
    monkeypatch.setitem(GATES, "hi_tom", open_gates)
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 1)})
    code, printed, said = run(command, "--out", stories)
    assert (code, said) == (0, "")
    assert "deep: gates hold for every order from 2, on 3 test stories" in printed
    if command == "audit":
        deep = printed.split("Deep stories: ")[1]
        assert table_of(deep, "1st_order: published") == {"rows": 120, "chance": 6.7, "needs all its agents": 45.0}
        assert table_of(deep, "4th_order: published")["needs all its agents"] == 0.0
        assert {"reality", "needs their order", "last that reached all", "cross out"} < set(
            table_of(deep, "2nd_order: ours")
        )
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 0), "reality": (0, 1)})
    code, printed, said = run(command, "--out", stories)
    assert code == 1 and said.count("\n") == 1
    assert said.startswith("error: a gate is broken on the test split of deep: ")
    assert "4th_order: 'needs all its agents' is right on 100.0 %, the gate is ≤ 0 %" in said
    assert "1st_order" not in said
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 4)
    assert "deep, not gated: 3 test stories, the gates need 4\n" in run(command, "--out", stories)[1]


@pytest.mark.parametrize("command", ["check", "audit"])
def test_gates_that_hold_are_said_to(run, stories, monkeypatch, command):
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 6)
    monkeypatch.setitem(GATES, "hi_tom", dict.fromkeys(GATES["hi_tom"], (0, 1)))
    code, printed, said = run(command, "--out", stories)
    assert (code, said) == (0, "")
    assert "gates hold for every order from 1, on 6 test stories" in printed


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_of_a_setup_fails(run, problems, monkeypatch, command):
    monkeypatch.setitem(GATES, "mindgames", {"hypothesis alone": (0.55, 0.6)})
    code, printed, said = run(command, "--out", problems)
    assert code == 1 and said.count("\n") == 1
    assert "explicit: 'hypothesis alone' is right on 50.0 %, the gate is 55 to 60 %" in said
    assert ("rows agree" in printed) == (command == "check") and "gates hold" not in printed
