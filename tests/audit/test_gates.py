"""Break every gate, and see that nothing else breaks one."""

from itertools import product

import pytest
from audit.samples import THAT, as_table, problem_of

from tom_datasets.audit.gates import GATES, broken_gates, spell_gate
from tom_datasets.audit.rules import cross_validated
from tom_datasets.audit.shares import count_shares


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
    assert [spell_gate(gate) for gate in ((0, 0.38), (0.6, 1), (1, 1))] == ["≤ 38", "60 to 100", "100"]


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, gates in GATES.items() for rule in gates])
def test_each_gate_can_break(name, rule):
    least, most = GATES[name][rule]
    fine = {other_rule: gate[1] for other_rule, gate in GATES[name].items()} | {"probe": 1.0}
    for share in {most + 0.001, least - 0.001 if least else most + 0.1}:
        (line,) = broken_gates(as_table({"g": {**fine, rule: share}}), GATES[name])
        assert line == f"g: {rule!r} is right on {100 * share:.1f} %, the gate is {spell_gate((least, most))} %"
    assert broken_gates(as_table({"g": {**fine, rule: least}}), GATES[name]) == []


@pytest.mark.parametrize("planted", [True, False])
def test_a_planted_shortcut_breaks_the_gate_of_tf_idf(planted):
    """Half of the problems, those that follow, have a longer premise if it is planted; no premise stands twice."""
    facts = ("Ann is thirsty", "Bob is thirsty", "Ann is not thirsty")
    problems = [
        problem_of(THAT, *clauses, *["someone is thirsty"] * (4 * follows * planted), follows=follows)
        for clauses, follows in zip(product(facts, repeat=4), [True, False] * 41, strict=False)
    ]
    lines = broken_gates(count_shares(cross_validated(problems)), GATES["mindgames"])
    assert any("'TF-IDF'" in line for line in lines) == planted
