"""Break every gate, and see that nothing else breaks one."""

from itertools import product

import pytest
from audit.samples import as_table, problem_of

from tom_datasets.audit.gates import GATED_STORIES, GATES, UNDISPUTED, broken_gates, gates_of, spell_gate
from tom_datasets.audit.learners import cross_validated
from tom_datasets.audit.shares import count_shares


def test_the_gates_are_those_of_the_design():
    rules = ("first", "last", "second", "most mentioned", "last claim")
    assert GATES["hi_tom"] == {"undisputed": (1, 1), **dict.fromkeys(rules, (0, 0.38)), "letter": (0, 0.08)}
    assert GATES["mindgames"] == {
        **dict.fromkeys(("hypothesis alone", "premise alone"), (0.47, 0.53)),
        "TF-IDF": (0, 0.55),
    }
    shallow = ("reality", "first agent alone", "last agent alone", "one order lower")
    assert GATES["deep"] == {
        "undisputed": (0.6, 1),
        "needs all its agents": (0.75, 1),
        "needs their order": (0.5, 1),
        **dict.fromkeys(shallow, (0, 0.3)),
        "last that reached all": (0, 0.5),
        "trust aside": (0, 0.65),
        "last two swapped": (0, 0.6),
    }
    assert GATED_STORIES == 240


def test_broken_gates_are_named():
    fine = {**dict.fromkeys(GATES["hi_tom"], 0.0), "undisputed": 1.0}
    table = as_table(
        {
            "1st_order": {**fine, "first": 0.38, "letter": 0.08, "first leaver": 1.0, "set of agents": 1.0},
            "4th_order": {**fine, "second": 0.408, "last claim": 1.0, "letter": 0.083, "undisputed": 0.999},
        }
    )
    assert broken_gates(table, GATES["hi_tom"]) == [
        "4th_order: 'undisputed' is right on 99.9 %, the gate is 100 %",
        "4th_order: 'second' is right on 40.8 %, the gate is ≤ 38 %",
        "4th_order: 'last claim' is right on 100.0 %, the gate is ≤ 38 %",
        "4th_order: 'letter' is right on 8.3 %, the gate is ≤ 8 %",
    ]


def test_a_gate_is_spelled_in_per_cent():
    assert [spell_gate(gate) for gate in ((0, 0.38), (0.6, 1), (1, 1))] == ["≤ 38", "60 to 100", "100"]


def test_readings_of_recursive_are_gated_where_the_answers_are_recursive():
    assert gates_of("hi_tom", {"semantics": "recursive"}) == GATES["hi_tom"]
    published = gates_of("hi_tom", {"semantics": "published"})
    assert published == {rule: gate for rule, gate in GATES["hi_tom"].items() if rule != UNDISPUTED}
    assert gates_of("mindgames", {"seed": 0}) == GATES["mindgames"]


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, gates in GATES.items() for rule in gates])
def test_each_gate_can_break(name, rule):
    least, most = GATES[name][rule]
    fine = {other_rule: gate[1] for other_rule, gate in GATES[name].items()}
    for share in {most + 0.001, least - 0.001 if least else most + 0.1}:
        (line,) = broken_gates(as_table({"g": {**fine, rule: share}}), GATES[name])
        assert line == f"g: {rule!r} is right on {100 * share:.1f} %, the gate is {spell_gate((least, most))} %"
    assert broken_gates(as_table({"g": {**fine, rule: least}}), GATES[name]) == []


def test_rules_that_are_only_shown_break_nothing():
    fine = {rule: most for rule, (_, most) in GATES["mindgames"].items()}
    assert (
        broken_gates(as_table({"g": {**fine, "probe": 1.0, "TF-IDF, names numbered": 1.0}}), GATES["mindgames"]) == []
    )
    assert broken_gates(as_table({"g": {"probe": 1.0}}), GATES["mindgames"]) == []


def test_a_planted_shortcut_breaks_the_gate_of_tf_idf():
    """Here: half of the problems, those that follow, have a longer premise, and no premise stands twice."""
    that, facts = "Ann can now know that Bob is thirsty.", ("Ann is thirsty", "Bob is thirsty", "Ann is not thirsty")
    shortcut, plain = [], []
    for place, clauses in enumerate(product(facts, repeat=4)):
        follows = place % 2 == 0
        plain.append(problem_of(that, *clauses, follows=follows))
        shortcut.append(problem_of(that, *clauses, *["someone is thirsty"] * (4 * follows), follows=follows))
    assert any("'TF-IDF'" in line for line in broken_gates(count_shares(cross_validated(shortcut)), GATES["mindgames"]))
    assert not any(
        "'TF-IDF'" in line for line in broken_gates(count_shares(cross_validated(plain)), GATES["mindgames"])
    )
