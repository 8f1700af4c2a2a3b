"""Prove how SMCDEL's language groups."""

import pytest
from random_formulas import parse_formula

from tom_datasets.logic.smcdel.language import echo


@pytest.mark.parametrize(
    ("text", "echoed"),
    [
        ("K a0 1 -> 2 | 3", "K a0 (1->(2 | 3))"),
        ("a0 knows that 1 -> 2", "(K a0 1->2)"),
        ("Forall 1 1 | 2", "Forall {P 1}: (1 | 2)"),
        ("Exists 1,2 1 & 2", "Exists {P 1,P 2}: (1 & 2)"),
        ("a0 knows whether (1) & 2", "(Kw a0 1 & 2)"),
        ("a0 knows whether (1,2) & 3", "((Kw a0 1 & Kw a0 2) & 3)"),
        ("a0 knows whether (a0, a1) comknow that 1", 'Kw a0 Ck "a0","a1" 1'),
        ("a0 knows whether (a0, a1 comknow that 1, 2)", '(Kw a0 Ck "a0","a1" 1 & Kw a0 2)'),
        ("(a0, a1) comknow that 1 & 2", '(Ck "a0","a1" 1 & 2)'),
        ("(a0 knows that 1 & 2) | 3", "((K a0 1 & 2) | 3)"),
        ("< ? ! 1 > 1", "~[?! 1] ~1"),
        ("< a0 ! 1 > 1", "~[a0 ! 1]~1"),
        ("< a0 ? ! 1 > 1", "~[a0 ?! 1]~1"),
        ("[!1][?!2]<!3>4", "[! 1] [?! 2] ~[! 3] ~4"),
        ("ONEOF(1)", "((1) & ())"),
        ("knows knows that 1", "K knows 1"),
        ("Topa knows that Top", "K Topa T"),
        ("007", "7"),
        ("not 1 & Not 2 & ¬3", "((~1 & ~2) & ~3)"),
        ("1∧2∨3→4", "(((1 & 2) | 3)->4)"),
        ("ForAll 1 1", "Forall {P 1}: 1"),
        ("Nota knows that Notb knows that 1", "K Nota K Notb 1"),
        # A number keeps its lowest 64 bits, with a sign.
        ("18446744073709551617", "1"),
        ("9223372036854775808", "-9223372036854775808"),
        ("1" + "0" * 5000 + str(2**64 + 7), "7"),
    ],
)
def test_grouping(text, echoed):
    """What SMCDEL was recorded to answer says how it groups the rest: tests/logic/smcdel/test_answers.py."""
    assert echo(parse_formula(text)) == echoed
