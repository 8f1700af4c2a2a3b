"""Break every gate, and see that nothing else breaks one."""

from itertools import product

import pytest
from audit.samples import THAT, as_table, problem_of

from tom_datasets.audit.gates import GATES, broken_gates, order_gates, spell_gate
from tom_datasets.audit.rules import cross_validated
from tom_datasets.audit.shares import count_shares
from tom_datasets.errors import UserError
from tom_datasets.mindgames.audit import RUNGS, MindGamesAudit

# The rules that have gates: no change of a table may lose one.
NAMES = {
    "hi_tom": ["undisputed", "first", "last", "second", "most mentioned", "last claim", "letter"],
    "mindgames": ["hypothesis alone", "premise alone", "TF-IDF"],
    "order blocks": [
        *("majority", "hypothesis alone", "premise alone", "TF-IDF", "TF-IDF, names numbered"),
        *("name announced", "sentence by sentence", "no announcements", "announced facts", "all at once"),
        *("as if all saw all", "as if none saw", "set of sentences", "first sentence", "last sentence"),
        *("ordered pairs", "placed sentences", "first only", "last only", "inner part"),
        *("first two", "last two", "agents swapped", "all but the first", "all but the last", "needs two"),
        *("needs three", "order matters"),
    ],
    "deep": [
        *("undisputed", "needs all its agents", "needs their order", "reality", "first mentioned"),
        *("last mentioned", "most mentioned", "one order lower", "rule of version 2", "order ignored"),
        *("link 1 ignored", "link 2 ignored", "link 3 ignored", "link 4 ignored", "link 5 ignored"),
        *("one level deep", "known to the first", "others' overhearing ignored", "trust ignored"),
        *("content as plain", "content skipped", "claims only", "seen lines only", "best of 1 feature"),
        *("best of 2 features", "best of 3 features"),
    ],
}


def test_every_gate_is_there():
    assert {table: list(gates) for table, gates in GATES.items()} == NAMES
    assert [len(gates) for gates in GATES.values()] == [7, 3, 28, 26]
    assert [rule for rule, gate in order_gates("internal").items() if gate != GATES["order blocks"][rule]] == [
        "last sentence", "ordered pairs", "placed sentences"
    ]  # fmt: skip


def test_broken_gates_are_named():
    fine = {**dict.fromkeys(GATES["hi_tom"], 0.0), "undisputed": 1.0}
    table = as_table(
        {
            "1st_order": {**fine, "first": 0.38, "letter": 0.08, "first leaver": 1.0, "set of agents": 1.0},
            "4th_order": {**fine, "second": 0.408, "last claim": 1.0, "letter": 0.083, "undisputed": 0.999},
        }
    )
    assert broken_gates(table, dict.fromkeys(table, GATES["hi_tom"])) == [
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
        (line,) = broken_gates(as_table({"g": {**fine, rule: share}}), {"g": GATES[name]})
        assert line == f"g: {rule!r} is right on {100 * share:.1f} %, the gate is {spell_gate((least, most))} %"
    assert broken_gates(as_table({"g": {**fine, rule: least}}), {"g": GATES[name]}) == []


def test_gates_of_order_blocks_are_wider_in_internal():
    fine = {rule: gate[1] for rule, gate in GATES["order blocks"].items()}
    wider = {rule: gate[1] for rule, gate in order_gates("internal").items() if gate[1] > fine[rule]}
    assert len(wider) == 3 and order_gates("forehead") == GATES["order blocks"]
    MindGamesAudit().hold_gates(None, {}, as_table({"forehead": fine, "internal": {**fine, **wider}}), {})
    with pytest.raises(UserError) as error:
        broken = {"forehead": {**fine, **wider}, "internal": {**fine, "last sentence": 0.62}}
        MindGamesAudit().hold_gates(None, {}, as_table(broken), {})
    assert str(error.value).startswith(
        "a gate is broken on the test split of deep: forehead: 'last sentence' is right on 61.0 %, the gate is ≤ 58 %; "
        "forehead: 'ordered pairs' is right on 61.0 %, the gate is ≤ 58 %; "
        "forehead: 'placed sentences' is right on 64.0 %, the gate is ≤ 62 %; "
        "internal: 'last sentence' is right on 62.0 %, the gate is ≤ 61 %; build with "
    )


def test_the_gates_of_the_ladder_hold_for_its_rungs_together(capsys):
    fine = {rule: gate[1] for rule, gate in GATES["order blocks"].items()}
    easy = {**fine, "all but the first": 0.75}
    MindGamesAudit().hold_gates(None, {}, as_table({"rung 1": easy, "rung 6": easy, RUNGS: fine}), {})
    assert capsys.readouterr().out == "ladder: gates hold for its rungs together, on 1000 test problems\n"
    broken = "^a gate is broken on the test split of ladder: rungs together: 'all but the first' is right on 75.0 %"
    with pytest.raises(UserError, match=broken):
        MindGamesAudit().hold_gates(None, {}, as_table({RUNGS: easy}), {})


@pytest.mark.parametrize("planted", [True, False])
def test_a_planted_shortcut_breaks_the_gate_of_tf_idf(planted):
    """Half of the problems, those that follow, have a longer premise if it is planted; no premise stands twice."""
    facts = ("Ann is thirsty", "Bob is thirsty", "Ann is not thirsty")
    problems = [
        problem_of(THAT, *clauses, *["someone is thirsty"] * (4 * follows * planted), follows=follows)
        for clauses, follows in zip(product(facts, repeat=4), [True, False] * 41, strict=False)
    ]
    table = count_shares(cross_validated(problems))
    lines = broken_gates(table, dict.fromkeys(table, GATES["mindgames"]))
    assert any("'TF-IDF'" in line for line in lines) == planted
