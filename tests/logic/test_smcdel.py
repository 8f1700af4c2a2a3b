"""Prove that SMCDEL's language is read and written as SMCDEL does, and that no program's answer is taken unseen."""

import gzip
import io
import json
import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import ROOT, embedded_smcdel

from builders.errors import ProgramError, ProgramMissingError
from builders.logic.formula import (
    And,
    Announce,
    AnnounceTo,
    AnnounceWhether,
    AnnounceWhetherTo,
    Atom,
    Bot,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Exists,
    Forall,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)
from builders.logic.s5 import Checker
from builders.logic.smcdel import answers
from builders.logic.smcdel.language import TrueAt, Valid, Where, echo, spell, spell_input, spell_operand, spell_query
from builders.logic.smcdel.parser import ParseError, parse, parse_formula
from builders.logic.smcdel.program import Smcdel, find_program

RECORDINGS = json.loads((ROOT / "tests/logic/smcdel_transcripts.json").read_text(encoding="utf-8"))
PUBLISHED = ROOT.parent / "shared/reference/mindgames_validation.jsonl.gz"
HEADER = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"

each_recording = pytest.mark.parametrize("recording", RECORDINGS, ids=[each["name"] for each in RECORDINGS])


def script(path, body):
    """Make an executable shell script."""
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def program(tmp_path):
    """Return a program that is this project's own, in SMCDEL's place."""
    return script(tmp_path / "smcdel", f'exec {embedded_smcdel()} "$@"')


def first_line(text):
    return text.partition("\n")[0]


# The recordings.


@each_recording
def test_answers_as_recorded(recording):
    out, err, code = answers.answer(recording["stdin"], Checker)
    assert (out, first_line(err), code) == (
        recording["stdout"], first_line(recording["stderr"]), recording["returncode"],
    )  # fmt: skip


@each_recording
def test_answers_as_recorded_in_a_process(recording, program, tmp_path):
    file = tmp_path / "input.smcdel.txt"
    file.write_text(recording["stdin"], encoding="utf-8")
    for arguments, asked in ((["-"], recording["stdin"]), ([str(file)], "")):
        ran = subprocess.run([program, *arguments], input=asked, capture_output=True, text=True, timeout=60)
        assert ran.stdout == recording["stdout"]
        assert first_line(ran.stderr) == first_line(recording["stderr"])
        assert ran.returncode == recording["returncode"]


def test_recorded_inputs_are_written_and_read_back():
    for recording in RECORDINGS:
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


# Formulas of every type.

atoms = st.integers(0, 4)
agents = st.sampled_from(["a", "b", "Agentc", "a0", "Kwa", "knows"])
some_atoms = st.lists(atoms, min_size=1, max_size=3).map(tuple)
some_agents = st.lists(agents, min_size=1, max_size=3).map(tuple)


def larger(formula):
    many = st.lists(formula, min_size=1, max_size=4).map(tuple)
    several = [st.builds(kind, many) for kind in (And, Or, Xor, OneOf)]
    two = [st.builds(kind, formula, formula) for kind in (Implies, Iff, Announce, AnnounceWhether)]
    bound = [st.builds(kind, some_atoms, formula) for kind in (Forall, Exists)]
    alone = [st.builds(kind, agents, formula) for kind in (Knows, KnowsWhether)]
    together = [
        st.builds(kind, some_agents, formula) for kind in (Common, CommonWhether, Distributed, DistributedWhether)
    ]
    told = [st.builds(kind, some_agents, formula, formula) for kind in (AnnounceTo, AnnounceWhetherTo)]
    return st.one_of(st.builds(Not, formula), *several, *two, *bound, *alone, *together, *told)


formulas = st.recursive(st.one_of(st.just(Top()), st.just(Bot()), st.builds(Atom, atoms)), larger, max_leaves=12)


@settings(max_examples=500, deadline=None)
@given(formulas)
def test_what_is_spelled_is_read_back(formula):
    text = spell(formula)
    assert parse_formula(text) == formula
    assert parse_formula(f"({text})") == formula
    assert parse_formula(f"~{spell_operand(formula)} & {spell_operand(formula)}") == And((Not(formula), formula))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.builds(Valid, formulas),
            st.builds(Where, formulas),
            st.builds(TrueAt, st.lists(atoms, max_size=3).map(tuple), formulas),
        ),
        max_size=4,
    ),
    formulas,
)
def test_whole_inputs_are_read_back(queries, law):  # fmt: skip
    structure = Structure((0, 1, 2, 3, 4), law, (("a", (0, 2)), ("b", (1,))))
    text = spell_input(structure, queries)
    assert parse(text) == (structure, tuple(queries))
    assert text.count("\n") == max(0, len(queries) - 1)


class AlwaysTrue:
    def valid(self, formula):
        return True


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.builds(Announce, formulas, formulas), formulas))
def test_the_program_echoes_what_the_client_expects(formula):
    """Every formula that can be spelled comes back from the program as `echo` says; what is true does not matter."""
    rows = tuple((name, (0,)) for name in ("a", "b", "Agentc", "a0", "Kwa", "knows"))
    text = spell_input(Structure((0, 1, 2, 3, 4), Top(), rows), [Valid(formula)])
    said = f"Is {echo(formula)} valid on F?\n\x1b[97mTrue\n\n\x1b[m\nDoei!\n"
    assert answers.answer(text, lambda structure: AlwaysTrue()) == (HEADER + said, "", 0)


@pytest.mark.parametrize(
    ("formula", "text", "echoed"),
    [
        (And(()), "Top", "T"),
        (Or(()), "Bot", "F"),
        (Xor(()), "Bot", "F"),
        (OneOf(()), "Bot", "F"),
        (And((And((Atom(1), Atom(2))), Atom(3))), "(1&2&3)", "((1 & 2) & 3)"),
        (And((Atom(1), And((Atom(2), Atom(3))))), "(1&(2&3))", "(1 & (2 & 3))"),
        (And((Atom(1), Atom(2), Atom(3))), "AND(1,2,3)", "(1 & 2 & 3)"),
        (Or((Or((Atom(1), Atom(2), Atom(3))), Atom(4))), "(OR(1,2,3)|4)", "((1 | 2 | 3) | 4)"),
        (Or((And((Atom(1), Atom(2))), Atom(3))), "((1&2)|3)", "((1 & 2) | 3)"),
        (Not(Atom(1)), "~(1)", "~1"),
        (Not(Or((Atom(1), Atom(2)))), "(~(1|2))", "~(1 | 2)"),
        (Not(Knows("a", Atom(1))), "~(a knows that 1)", "~K a 1"),
        (Xor((Xor((Atom(1),)), Atom(2))), "XOR(XOR(1),2)", r'XOR{"XOR{\"1\"}","2"}'),
        (
            Xor((Xor((Xor((Atom(1),)),)),)), "XOR(XOR(XOR(1)))", r'XOR{"XOR{\"XOR{\\\"1\\\"}\"}"}',
        ),
        (Common(("a", "b"), Atom(1)), "((a,b) comknow that 1)", 'Ck "a","b" 1'),
        (Distributed(("a",), Atom(1)), "((a) distknow that 1)", 'Dk "a" 1'),
        (AnnounceWhetherTo(("a", "b"), Top(), Bot()), "([ a,b ? ! Top ] Bot)", "[a, b ?! T]F"),
        (Exists((1, 2), Top()), "(Exists 1,2 Top)", "Exists {P 1,P 2}: T"),
        (Announce(Atom(1), Announce(Not(Atom(2)), Knows("a", Atom(1)))), "[ ! 1 ] [ ! ~(2) ] (a knows that 1)",
         "[! 1] [! ~2] K a 1"),
        (Knows("a", KnowsWhether("b", Or((Atom(1), Atom(2))))), "a knows that (b knows whether (1|2))",
         "K a Kw b (1 | 2)"),
        (Not(Knows("a", KnowsWhether("b", Atom(1)))), "~(a knows that (b knows whether 1))", "~K a Kw b 1"),
    ],
)  # fmt: skip
def test_how_formulas_are_written(formula, text, echoed):
    assert spell(formula) == text
    assert echo(formula) == echoed


@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        (Atom(-1), "no list of atoms"),
        (Atom(10**18), "no list of atoms"),
        (Forall((), Top()), "no list of atoms"),
        (Exists((1, -2), Top()), "no list of atoms"),
        (Knows("K", Top()), "no agent 'K'"),
        (Knows("", Top()), "no agent ''"),
        (KnowsWhether("knows that", Top()), "no agent 'knows that'"),
        (Common(("a", "a b"), Top()), "no agent 'a b'"),
        (Distributed((), Top()), "no agent ''"),
        (AnnounceTo(("1a",), Top(), Top()), "no agent '1a'"),
        (Knows("é", Top()), "no agent 'é'"),
    ],
)
def test_what_the_language_cannot_say(formula, fault):
    with pytest.raises(ValueError, match=fault):
        spell(formula)


@pytest.mark.parametrize("write", [spell, echo, spell_query])
def test_what_is_no_formula(write):
    with pytest.raises(TypeError, match="no such (formula|query): 7"):
        write(7)


# Grouping.


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
        ("1 -> 2 & 3", "((1->2) & 3)"),
        ("1 & 2 -> 3", "((1 & 2)->3)"),
        ("1 iff 2 iff 3", "1=2=3"),
        ("1 | 2 iff 3 -> 4", "((1 | 2)=3->4)"),
        ("not 1 | 2", "(~1 | 2)"),
        ("~ K a0 1 & 2", "~K a0 (1 & 2)"),
        ("1 | K a0 2 & 3", "(1 | K a0 (2 & 3))"),
        ("Kw a0 1 | 2", "Kw a0 (1 | 2)"),
        ("Forall 1 1 | 2", "Forall {P 1}: (1 | 2)"),
        ("Exists 1,2 1 & 2", "Exists {P 1,P 2}: (1 & 2)"),
        ("a0 knows whether (1) & 2", "(Kw a0 1 & 2)"),
        ("a0 knows whether (1,2) & 3", "((Kw a0 1 & Kw a0 2) & 3)"),
        ("a0 knows whether (a0, a1) comknow that 1", 'Kw a0 Ck "a0","a1" 1'),
        ("a0 knows whether (a0, a1 comknow that 1, 2)", '(Kw a0 Ck "a0","a1" 1 & Kw a0 2)'),
        ("(a0, a1) comknow that 1 & 2", '(Ck "a0","a1" 1 & 2)'),
        ("a0, a1 distknow that 1 & 2", '(Dk "a0","a1" 1 & 2)'),
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
        ("ONEOF(1,1)", "((1 | 1) & (~(1 & 1) & ~(1 & 1)))"),
        ("AND(1)", "(1)"),
        ("knows knows that 1", "K knows 1"),
        ("Topa knows that Top", "K Topa T"),
        ("((1))", "1"),
        ("007", "7"),
    ],
)
def test_grouping(text, echoed):
    assert echo(parse_formula(text)) == echoed


# Errors.

HEAD = "VARS 1,2 LAW Top OBS a:1 "


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        # Recorded.
        ("VARS 1,2 LAW Top OBS a0: VALID? 1", "Parse error in line 1, column 26"),
        ("hello world", "Parse error in line 1, column 1"),
        # A text that ends too early.
        ("", "Parse error in line 1, column 1"),
        ("-- nothing\n", "Parse error in line 1, column 1"),
        ("VARS 1,2\nLAW Top", "Parse error in line 1, column 1"),
        (HEAD + "\nVALID? 1 &", "Parse error in line 1, column 1"),
        (HEAD + "\nVALID? (a", "Parse error in line 1, column 1"),
        # The whole.
        ("VARS LAW Top OBS a:1", "Parse error in line 1, column 6"),
        ("VARS 1,,2 LAW Top OBS a:1", "Parse error in line 1, column 8"),
        ("VARS 1 OBS a:1", "Parse error in line 1, column 8"),
        ("VARS 1 LAW OBS a:1", "Parse error in line 1, column 12"),
        ("VARS 1 LAW Top OBS VALID? 1", "Parse error in line 1, column 20"),
        ("VARS 1 LAW Top OBS K:1", "Parse error in line 1, column 20"),
        ("VARS 1 LAW Top OBS a 1", "Parse error in line 1, column 22"),
        (HEAD + "TRUE? 1", "Parse error in line 1, column 32"),
        (HEAD + "TRUE? {1,} 1", "Parse error in line 1, column 35"),
        (HEAD + "VALID 1", "Parse error in line 1, column 32"),
        (HEAD + "VALID? 1 2", "Parse error in line 1, column 35"),
        (HEAD + "VALID? 1\nVALID?\n\tVALID?", "Parse error in line 3, column 9"),
        (HEAD + "\n \tVALID? 1 \t) -- here", "Parse error in line 2, column 25"),
        # Formulas.
        (HEAD + "\nVALID? a knows 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? a knows  that 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? a,b knows that 1", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? (a) knows that 1", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? (a,b) 1", "Parse error in line 2, column 14"),
        (HEAD + "\nVALID? a knows that (1,2)", "Parse error in line 2, column 23"),
        (HEAD + "\nVALID? (1,2)", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? AND()", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? AND 1", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? Forall a 1", "Parse error in line 2, column 15"),
        (HEAD + "\nVALID? K 1 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? [ 1 ] 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? [ ? 1 ] 1", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? [ ! 1 > 1", "Parse error in line 2, column 14"),
        (HEAD + "\nVALID? < ! 1 ] 1", "Parse error in line 2, column 14"),
        (HEAD + "\nVALID? ()", "Parse error in line 2, column 9"),
        (HEAD + "\nVALID? 1 <-> 2", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? " + "9" * 19, "Parse error in line 2, column 26"),
        # Characters; whichever error comes first is told.
        (HEAD + "\nVALID? 1 - 2", "lexical error at line 2, column 10"),
        (HEAD + "\nVALID? 1 -- # 2\n\t#", "lexical error at line 3, column 9"),
        (HEAD + "\nVALID? é knows that 1", "lexical error at line 2, column 8"),
        (HEAD + "\nVALID? a_b knows that 1", "lexical error at line 2, column 9"),
        (HEAD + "\nVALID? ² ", "lexical error at line 2, column 8"),
        ("hello # world", "Parse error in line 1, column 1"),
        ("# hello", "lexical error at line 1, column 1"),
        (HEAD + "#", "lexical error at line 1, column 26"),
        # What is not declared. SMCDEL's recorded errors are of one kind each.
        (HEAD + "VALID? 3", "Sanity check failed:\n  Query formula contains atoms not in VARS!"),
        (HEAD + "VALID? Forall 3 1", "Sanity check failed:\n  Query formula contains atoms not in VARS!"),
        (HEAD + "WHERE? [ ! b knows that 1 ] 1", "Sanity check failed:\n  Query formula contains agents not in OBS!"),
        (HEAD + "TRUE? {} (a,b) comknow that 1", "Sanity check failed:\n  Query formula contains agents not in OBS!"),
        (HEAD + "VALID? [ b ? ! 1 ] 1", "Sanity check failed:\n  Query formula contains agents not in OBS!"),
        (HEAD + "TRUE? {1,3} 1", "Sanity check failed:\n  TRUE? query contains atoms not in VARS!"),
        ("VARS 1 LAW Top OBS a:1,2", "Sanity check failed:\n  OBS contains atoms not in VARS!"),
        ("VARS 1 LAW 1 -> 2 OBS a:1", "Sanity check failed:\n  LAW contains atoms not in VARS!"),
        ("VARS 1 LAW K a 1 OBS a:1", "Sanity check failed:\n  LAW contains knowledge or announcements!"),
        ("VARS 1 LAW [ ! 1 ] 1 OBS a:1", "Sanity check failed:\n  LAW contains knowledge or announcements!"),
        (
            "VARS 1 LAW 2 OBS a:3 VALID? b knows that 4 TRUE? {5} 1",
            "Sanity check failed:\n  LAW contains atoms not in VARS!\n  OBS contains atoms not in VARS!"
            "\n  Query formula contains atoms not in VARS!\n  Query formula contains agents not in OBS!"
            "\n  TRUE? query contains atoms not in VARS!",
        ),
        # What cannot be read is told before what is not declared.
        (HEAD + "VALID? 7 VALID? )", "Parse error in line 1, column 42"),
    ],
)
def test_errors(text, fault):
    assert answers.answer(text, Checker) == (HEADER, f"smcdel: {fault}\n", 1)


def test_a_formula_alone_must_end():
    with pytest.raises(ParseError, match="Parse error in line 1, column 3"):
        parse_formula("1 VALID? 1")


def test_too_deep_is_said():
    deep = HEAD + "VALID? " + "~" * 100_000 + "1"
    assert answers.answer(deep, Checker) == (HEADER, "smcdel: stack overflow\n", 2)


def test_arguments_of_the_program(program, tmp_path, monkeypatch, capsys):
    def run(*arguments):
        code = answers.main(list(arguments), Checker)
        return code, *capsys.readouterr()

    missing = str(tmp_path / "missing")
    does_not_exist = "openFile: does not exist (No such file or directory)"
    assert run(missing) == (1, "", f"smcdel: {missing}: {does_not_exist}\n")
    assert run(str(tmp_path)) == (1, "", f"smcdel: {tmp_path}: openFile: inappropriate type (is a directory)\n")
    usage = "smcdel: give one file of SMCDEL's language, or - for standard input\n"
    assert run() == run("-", "-") == (1, "", usage)
    binary = tmp_path / "binary"
    binary.write_bytes(b"VARS \xff")
    assert run(str(binary)) == (1, HEADER, "smcdel: lexical error at line 1, column 6\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HEAD.encode())))
    assert run("-") == (0, HEADER + "\nDoei!\n", "")

    def refused(_):
        raise PermissionError

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert run("x") == (1, "", "smcdel: x: openFile: permission denied (Permission denied)\n")


# The client.

MUDDY = Structure((1, 2), Top(), (("a", (2,)), ("b", (1,))))
ASKED = [KnowsWhether("a", Atom(2)), Knows("a", Atom(1)), Announce(Or((Atom(1), Atom(2))), Xor((Atom(1), Top())))]
GOOD = [
    "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL", "",
    "Is Kw a 2 valid on F?", "\x1b[97mTrue", "",
    "\x1b[mIs K a 1 valid on F?", "\x1b[97mFalse", "",
    '\x1b[mIs [! (1 | 2)] XOR{"1","T"} valid on F?', "\x1b[97mFalse", "",
    "\x1b[m", "Doei!",
]  # fmt: skip


def fake(tmp_path, lines, then=""):
    """Make a program that says the same whatever it is asked."""
    (tmp_path / "said").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Smcdel(script(tmp_path / "fake", f"cat {shlex.quote(str(tmp_path / 'said'))}\n{then}"), limit=20)


def test_asks_many_questions_of_one_process(program):
    assert Smcdel(program).valid(MUDDY, ASKED) == [True, False, False]


def test_no_answer_is_too_long(program):
    """However short the questions, all answers are read; and no timer is left behind."""
    assert Smcdel(program).valid(MUDDY, [Bot()] * 5000) == [False] * 5000
    for timer in [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]:
        timer.join(5)
        assert not timer.is_alive()


def test_nothing_asked_runs_nothing(tmp_path):
    assert Smcdel(str(tmp_path / "missing")).valid(MUDDY, []) == []


def test_every_kind_of_question_agrees_with_the_checker(program):
    asked = [parse_formula(text) for text in (
        "AND(1,2,1)", "ONEOF(1,2)", "1 iff 2", "Forall 1 1", "< ! 1 > a knows that 1", "(a,b) comknow that (1|~1)",
        "(a,b) distknow whether 2", "[ ? ! 1 ] a knows whether 1", "[ a ! 1 ] a knows that 1", "[ a ? ! 1 ] K b 1",
    )] + [And(()), Or(()), Xor(()), OneOf(())]  # fmt: skip
    model = Checker(MUDDY)
    assert Smcdel(program).valid(MUDDY, asked) == [model.valid(each) for each in asked]


def test_a_good_answer_is_read(tmp_path):
    assert fake(tmp_path, GOOD).valid(MUDDY, ASKED) == [True, False, False]


@pytest.mark.parametrize(
    ("lines", "then", "fault"),
    [
        (["one", "two"], "", "fake is not SMCDEL: it said 'one\\ntwo'"),
        ([], "", "fake is not SMCDEL: it said nothing"),
        (["x" * 500], "", f"fake is not SMCDEL: it said '{'x' * 100} … {'x' * 100}'"),
        (GOOD, "echo oh no >&2; exit 3", "fake ended with exit code 3: 'oh no', after 'SMCDEL 1.3.0"),
        (GOOD[:4], "kill -9 $$", "fake ended with exit code -9: nothing, after 'SMCDEL 1.3.0"),
        # Died in mid-answer, with an exit code that does not say so.
        (GOOD[:4], "", "fake answered 1 of 3 questions; to 'Is K a 1 valid on F?' it said nothing"),
        (GOOD[:6], "", "fake answered 1 of 3 questions; to 'Is K a 1 valid on F?' it said 'Is K a 1 valid on F?'"),
        ([*GOOD[:6], "Fal"], "", "to 'Is K a 1 valid on F?' it said 'Is K a 1 valid on F?\\nFal'"),
        (GOOD[:-1], "", "fake did not end after 3 answers with 'Doei!': nothing"),
        # Fewer answers, more answers, answers to other questions, no answers.
        ([*GOOD[:5], *GOOD[11:]], "", "fake answered 1 of 3 questions; to 'Is K a 1 valid on F?' it said 'Doei!'"),
        ([*GOOD[:-2], *GOOD[2:]], "", "fake did not end after 3 answers with 'Doei!': 'Is Kw a 2 valid on F?\\nTrue"),
        ([*GOOD, "more"], "", "fake did not end after 3 answers with 'Doei!': 'Doei!\\nmore'"),
        ([*GOOD[:2], *GOOD[5:8], *GOOD[2:5], *GOOD[8:]], "",
         "fake answered 0 of 3 questions; to 'Is Kw a 2 valid on F?' it said 'Is K a 1 valid on F?\\nFalse'"),
        ([*GOOD[:3], "Maybe", *GOOD[4:]], "", "it said 'Is Kw a 2 valid on F?\\nMaybe'"),
    ],
)  # fmt: skip
def test_answers_that_cannot_be_trusted(tmp_path, lines, then, fault):
    with pytest.raises(ProgramError) as raised:
        fake(tmp_path, lines, then).valid(MUDDY, ASKED)
    assert fault in str(raised.value)


def test_what_smcdel_refuses_is_quoted(program):
    with pytest.raises(ProgramError, match=r"exit code 1: .*Query formula contains agents not in OBS!"):
        Smcdel(program).valid(MUDDY, [Knows("c", Top())])


@pytest.mark.parametrize("body", ["sleep 60", "exec sleep 60", f"echo '{GOOD[0]}'; exec >&-; sleep 60"])
def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path, body):
    began = time.monotonic()
    with pytest.raises(ProgramError, match=r"did not end within 0\.5 seconds; it said"):
        Smcdel(script(tmp_path / "hangs", body), limit=0.5).valid(MUDDY, ASKED)
    assert time.monotonic() - began < 30


def test_a_program_that_never_stops_talking_is_ended(tmp_path):
    with pytest.raises(ProgramError, match="is not SMCDEL: it said 'y"):
        Smcdel(script(tmp_path / "talks", "yes"), limit=60).valid(MUDDY, ASKED)
    with pytest.raises(ProgramError, match="answered 0 of 3 questions; .* it said 'y"):
        fake(tmp_path, GOOD[:2], "yes").valid(MUDDY, ASKED)


def test_a_program_that_does_not_read_is_no_deadlock(tmp_path):
    asked = [Knows("a", Atom(1))] * 20_000
    with pytest.raises(ProgramError, match="answered 0 of 20000"):
        fake(tmp_path, GOOD).valid(MUDDY, asked)


def test_programs_that_cannot_run(tmp_path):
    for path, fault in ((tmp_path / "missing", "No such file"), (tmp_path, "Permission denied")):
        with pytest.raises(ProgramError, match=f"cannot be run: {fault}"):
            Smcdel(str(path)).valid(MUDDY, ASKED)
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"\x00\x01")
    nonsense.chmod(0o755)
    with pytest.raises(ProgramError, match="cannot be run: Exec format error"):
        Smcdel(str(nonsense)).valid(MUDDY, ASKED)


def test_a_pool_keeps_the_order(program):
    batches = [(MUDDY, [Knows("a", Atom(1 + i % 2)), Top() if i % 3 else Bot()]) for i in range(12)]
    answers = list(Smcdel(program).valid_each(batches, processes=4))
    assert answers == [[False, bool(i % 3)] for i in range(12)]
    assert list(Smcdel(program).valid_each([])) == []


def test_a_pool_stops_at_an_error(tmp_path):
    batches = [(MUDDY, ASKED)] * 4
    with pytest.raises(ProgramError, match="not SMCDEL"):
        list(fake(tmp_path, ["no"]).valid_each(batches, processes=2))


def test_where_smcdel_is_looked_for(program, tmp_path, monkeypatch):
    folder = os.path.dirname(program)
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", folder)
    assert find_program() == program
    other = script(tmp_path / "other", "exit")
    monkeypatch.setenv("SMCDEL", other)
    assert find_program() == other
    monkeypatch.setenv("SMCDEL", "other")
    assert find_program() == other

    os.chmod(other, 0o644)
    for wrong in (other, str(tmp_path / "missing"), str(tmp_path)):
        monkeypatch.setenv("SMCDEL", wrong)
        with pytest.raises(ProgramError) as raised:
            find_program()
        assert not isinstance(raised.value, ProgramMissingError)
        assert str(raised.value) == (
            f"$SMCDEL is {wrong!r}, which is no program that can be run; checker=embedded needs no program"
        )

    monkeypatch.setenv("SMCDEL", "")
    monkeypatch.setenv("PATH", "/nowhere:/neither")
    with pytest.raises(ProgramMissingError) as raised:
        find_program()
    assert str(raised.value) == (
        "no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH (/nowhere:/neither); "
        "checker=embedded needs no program"
    )


def test_the_real_program_answers_as_recorded():
    """Run where SMCDEL is installed; elsewhere the recordings stand for it."""
    try:
        path = find_program()
    except ProgramMissingError as missing:
        pytest.skip(str(missing))
    for recording in RECORDINGS:
        ran = subprocess.run([path, "-"], input=recording["stdin"], capture_output=True, text=True, timeout=60)
        assert (ran.stdout, ran.returncode) == (recording["stdout"], recording["returncode"])


def test_the_command_line_answers_as_the_program_does():
    """`python -m builders smcdel -`, with the recorded text, exit code and first line of the error."""
    for recording in RECORDINGS[:1] + [each for each in RECORDINGS if each["returncode"]][:1]:
        done = subprocess.run(
            [sys.executable, "-m", "builders", "smcdel", "-"],
            cwd=ROOT,
            input=recording["stdin"],
            capture_output=True,
            text=True,
        )
        assert (done.stdout, done.returncode) == (recording["stdout"], recording["returncode"])
        assert done.stderr.split("\n")[0] == recording["stderr"].split("\n")[0]
