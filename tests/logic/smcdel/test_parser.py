"""Prove how SMCDEL's language groups."""

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tom_datasets.logic.smcdel.language import echo
from tom_datasets.logic.smcdel.parser import ParseError, parse_formula
from tom_datasets.syntax.formula import And, Atom, Iff, Implies, Or


@pytest.mark.parametrize(
    ("text", "echoed"),
    [
        # Recorded.
        ("K a0 2 & 3", "K a0 (2 & 3)"),
        ("a0 knows that 2 & 3", "(K a0 2 & 3)"),
        ("1 | 2 & 3", "((1 | 2) & 3)"),
        ("1 & 2 | 3", "((1 & 2) | 3)"),
        ("~ 1 & 2", "(~1 & 2)"),
        ("1 -> 2 -> 3", "((1->2)->3)"),
        ("[ ! 1 ] 1 & 2", "([! 1] 1 & 2)"),
        ("a0 knows that a1 knows whether 1 | 2", "(K a0 Kw a1 1 | 2)"),
        ("a0 knows whether (1,2)", "(Kw a0 1 & Kw a0 2)"),
        ("1 | 2 | 3 | 4", "(((1 | 2) | 3) | 4)"),
        ("AND(1,2,3) -> OR(1,2,3)", "((1 & 2 & 3)->(1 | 2 | 3))"),
        ("not 1", "~1"),
        # By the same rules.
        ("1 iff 2 iff 3", "1=2=3"),
        ("1 | 2 iff 3 -> 4", "((1 | 2)=3->4)"),
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
        ("(a0) comknow whether 1", 'Ckw "a0" 1'),
        ("a0 distknow whether 1", 'Dkw "a0" 1'),
        ("[ ? ! 1 ] 1 & 2", "([?! 1] 1 & 2)"),
        ("[ a0, a1 ! 1 & 2 ] 1 & 2", "([a0, a1 ! (1 & 2)]1 & 2)"),
        ("< ! 1 > 1 & 2", "(~[! 1] ~1 & 2)"),
        ("< ? ! 1 > 1", "~[?! 1] ~1"),
        ("< a0 ! 1 > 1", "~[a0 ! 1]~1"),
        ("< a0 ? ! 1 > 1", "~[a0 ?! 1]~1"),
        ("[!1][?!2]<!3>4", "[! 1] [?! 2] ~[! 3] ~4"),
        ("ONEOF(1,2)", "((1 | 2) & (~(1 & 2) & ~(2 & 1)))"),
        ("ONEOF(1)", "((1) & ())"),
        ("ONEOF(2,1,2)", "((2 | 1 | 2) & (~(2 & 1) & ~(2 & 2) & ~(1 & 2) & ~(1 & 2) & ~(2 & 1) & ~(2 & 2)))"),
        ("knows knows that 1", "K knows 1"),
        ("Topa knows that Top", "K Topa T"),
        ("007", "7"),
    ],
)
def test_grouping(text, echoed):
    assert echo(parse_formula(text)) == echoed


JUNCTIONS = {"&": lambda left, right: And((left, right)), "|": lambda left, right: Or((left, right))}
CONDITIONALS = {"->": Implies, "iff": Iff}


def folded(operands, operators, kinds):
    """Return operands joined by operators from the left."""
    return reduce(
        lambda left, pair: kinds[pair[0]](left, pair[1]), zip(operators, operands[1:], strict=True), operands[0]
    )


def chains(operand, kinds):
    """Return random (text, formula) of operands with operators of one level between them."""

    def chain(drawn):
        (first_text, first), rest = drawn
        text = " ".join([first_text, *(f"{operator} {text}" for operator, (text, _) in rest)])
        formulas = [first, *(formula for _, (_, formula) in rest)]
        return text, folded(formulas, [operator for operator, _ in rest], kinds)

    return st.tuples(operand, st.lists(st.tuples(st.sampled_from(list(kinds)), operand), max_size=3)).map(chain)


def whole(operand):
    """Return random (text, formula) in parentheses, grouped by nothing but the levels of the operators."""
    return chains(chains(operand, JUNCTIONS), CONDITIONALS).map(lambda drawn: (f"({drawn[0]})", drawn[1]))


ATOMS = st.integers(0, 4).map(lambda number: (str(number), Atom(number)))


@settings(max_examples=300, deadline=None)
@given(st.recursive(ATOMS, whole, max_leaves=15))
def test_random_formulas_group_by_two_levels_from_the_left(drawn):
    text, formula = drawn
    assert parse_formula(text) == formula


def test_a_formula_alone_must_end():
    with pytest.raises(ParseError, match="Parse error in line 1, column 3"):
        parse_formula("1 VALID? 1")
