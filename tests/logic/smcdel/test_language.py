"""Prove how SMCDEL's language is written, and that what is written is read back."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_formulas import atoms, parse_formula, spellable_formulas
from support import REFERENCE, SMCDEL_RECORDINGS

from tom_datasets.logic.formal import flattened
from tom_datasets.logic.smcdel.language import (
    Query,
    echo,
    left_nested,
    spell,
    spell_input,
    spell_operand,
)
from tom_datasets.logic.smcdel.parser import parse
from tom_datasets.syntax.formula import (
    And,
    Announce,
    Atom,
    Bot,
    Common,
    Distributed,
    Exists,
    Forall,
    Knows,
    Not,
    Or,
    Structure,
    Top,
    Xor,
    knows_whether,
)

PUBLISHED = REFERENCE / "mindgames_validation.jsonl.gz"


def test_recorded_inputs_are_written_and_read_back():
    for recording in SMCDEL_RECORDINGS:
        if recording["returncode"] == 0:
            problem = parse(recording["stdin"])
            assert parse(spell_input(*problem)) == problem


def test_published_problems_are_written_as_published():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is not here: the published data are not in this repository")
    with gzip.open(PUBLISHED, "rt", encoding="utf-8") as rows:
        problems = [json.loads(row)["smcdel_problem"] for row in rows]
    assert len(problems) == 3725
    for problem in problems:
        assert spell_input(*parse(problem)) == problem


@settings(max_examples=500, deadline=None)
@given(spellable_formulas)
def test_what_is_spelled_is_read_back(formula):
    text = spell(formula)
    assert parse_formula(text) == formula
    assert parse_formula(f"({text})") == formula
    assert parse_formula(f"~{spell_operand(formula)} & {spell_operand(formula)}") == And((Not(formula), formula))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.builds(Query, st.sampled_from(("VALID?", "WHERE?")), spellable_formulas),
            st.builds(Query, st.just("TRUE?"), spellable_formulas, st.lists(atoms, max_size=3).map(tuple)),
        ),
        max_size=4,
    ),
    spellable_formulas,
)
def test_whole_inputs_are_read_back(queries, law):  # fmt: skip
    structure = Structure((0, 1, 2, 3, 4), law, (("a", (0, 2)), ("b", (1,))))
    text = spell_input(structure, queries)
    assert parse(text) == (structure, tuple(queries))
    assert text.count("\n") == max(0, len(queries) - 1)


@pytest.mark.parametrize(
    ("formula", "text", "echoed"),
    [
        (And(()), "Top", "T"),
        (Or(()), "Bot", "F"),
        (And((And((Atom(1), Atom(2))), Atom(3))), "(1&2&3)", "((1 & 2) & 3)"),
        (And((Atom(1), And((Atom(2), Atom(3))))), "(1&(2&3))", "(1 & (2 & 3))"),
        (And((Atom(1), Atom(2), Atom(3))), "AND(1,2,3)", "(1 & 2 & 3)"),
        (Or((Or((Atom(1), Atom(2), Atom(3))), Atom(4))), "(OR(1,2,3)|4)", "((1 | 2 | 3) | 4)"),
        (Not(Atom(1)), "~(1)", "~1"),
        (Not(Or((Atom(1), Atom(2)))), "(~(1|2))", "~(1 | 2)"),
        (Xor((Xor((Atom(1),)), Atom(2))), "XOR(XOR(1),2)", r'XOR{"XOR{\"1\"}","2"}'),
        (
            Xor((Xor((Xor((Atom(1),)),)),)), "XOR(XOR(XOR(1)))", r'XOR{"XOR{\"XOR{\\\"1\\\"}\"}"}',
        ),
        (Common(("a", "b"), Atom(1)), "((a,b) comknow that 1)", 'Ck "a","b" 1'),
        (Distributed(("a",), Atom(1)), "((a) distknow that 1)", 'Dk "a" 1'),
        (Announce(Top(), Bot(), ("a", "b"), True), "([ a,b ? ! Top ] Bot)", "[a, b ?! T]F"),
        (Exists((1, 2), Top()), "(Exists 1,2 Top)", "Exists {P 1,P 2}: T"),
        (Announce(Atom(1), Announce(Not(Atom(2)), Knows("a", Atom(1)))), "[ ! 1 ] [ ! ~(2) ] (a knows that 1)",
         "[! 1] [! ~2] K a 1"),
        (Knows("a", knows_whether("b", Or((Atom(1), Atom(2))))), "a knows that (b knows whether (1|2))",
         "K a Kw b (1 | 2)"),
        (Not(Knows("a", knows_whether("b", Atom(1)))), "~(a knows that (b knows whether 1))", "~K a Kw b 1"),
    ],
)  # fmt: skip
def test_how_formulas_are_written(formula, text, echoed):
    assert spell(formula) == text
    assert echo(formula) == echoed


@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        (Atom(-1), "cannot read the list of atoms"),
        (Forall((), Top()), "cannot read the list of atoms"),
        (Exists((1, -2), Top()), "cannot read the list of atoms"),
        (Knows("K", Top()), "cannot read the agent 'K'"),
        (Knows("Not", Top()), "cannot read the agent 'Not'"),
        (Knows("ForAll", Top()), "cannot read the agent 'ForAll'"),
        (knows_whether("knows that", Top()), "cannot read the agent 'knows that'"),
        (Distributed((), Top()), "cannot read the agent ''"),
        (Knows("é", Top()), "cannot read the agent 'é'"),
    ],
)
def test_what_the_language_cannot_say(formula, fault):
    with pytest.raises(ValueError, match=fault):
        spell(formula)


@pytest.mark.parametrize("write", [spell, echo])
def test_what_is_no_formula(write):
    with pytest.raises(TypeError, match="not a formula: 7"):
        write(7)


def test_a_long_chain_of_pairs_is_written_and_flattened():
    """A count of twelve agents is a chain of 924 pairs, as deep as Python's limit lets a function call itself."""
    parts = tuple(map(Atom, range(1, 3001)))
    chain = left_nested(Or(parts))
    assert spell(chain) == f"({'|'.join(map(str, range(1, 3001)))})"
    assert echo(chain) == "(" * 2999 + "1" + "".join(f" | {atom})" for atom in range(2, 3001))
    assert flattened(chain).formulas == parts
