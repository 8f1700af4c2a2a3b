"""Prove that the stand-in answers as SMCDEL was recorded to, errors included."""

import io
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_formulas import spellable_formulas
from support import ROOT, SMCDEL_RANDOM_RECORDINGS, SMCDEL_RECORDINGS

from tom_datasets.errors import ProgramMissingError
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.smcdel import answers
from tom_datasets.logic.smcdel.language import Query, spell_input
from tom_datasets.logic.smcdel.program import find_program
from tom_datasets.syntax.formula import Structure

HEADER = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"


HEAD = "VARS 1,2 LAW Top OBS a:1 "

LONG = "|".join(["1"] * 924)  # as many as a count of twelve agents has
DEEP = "(" * 5000 + "1" + ")" * 5000


VERDICT = re.compile(r"^(?:\x1b\[\d*m)*(True|False|\[[\d,]*\])$", re.MULTILINE)  # or a state


def first_line(text):
    return text.partition("\n")[0]


def verdicts_of(out):
    """Return the verdicts and the states that an output has."""
    return VERDICT.findall(out)


@pytest.mark.parametrize(
    "recording", SMCDEL_RECORDINGS + SMCDEL_RANDOM_RECORDINGS, ids=lambda recording: recording["name"]
)
def test_answers_as_recorded(recording):
    out, err, code = answers.answer(recording["stdin"], Checker)
    assert (out, first_line(err), code) == (
        recording["stdout"], first_line(recording["stderr"]), recording["returncode"],
    )  # fmt: skip


@pytest.mark.parametrize("refused", [False, True])
def test_answers_as_recorded_in_a_process(program, tmp_path, refused):
    """As the program of a file or of standard input, and as `python -m tom_datasets smcdel -`."""
    recording = next(recording for recording in SMCDEL_RECORDINGS if bool(recording["returncode"]) is refused)
    file = tmp_path / "input.smcdel.txt"
    file.write_text(recording["stdin"], encoding="utf-8")
    ours = [sys.executable, "-m", "tom_datasets", "smcdel", "-"]
    for command, stdin in (
        ([program, "-"], recording["stdin"]), ([program, str(file)], ""), (ours, recording["stdin"])
    ):  # fmt: skip
        ran = subprocess.run(command, cwd=ROOT, input=stdin, capture_output=True, text=True, timeout=60)
        assert ran.stdout == recording["stdout"]
        assert first_line(ran.stderr) == first_line(recording["stderr"])
        assert ran.returncode == recording["returncode"]


LAWLESS = "VARS 1,2 LAW K a 1 OBS a:1\n"


@pytest.mark.parametrize(
    ("queries", "printed"),
    [
        ("VALID? 1", "Is 1 valid on F?\n\x1b[97m"),
        ("WHERE? 1", "At which states is 1 true?\n"),
        ("TRUE? {1} a knows that 1", "Is K a 1 true at [1]?\n\x1b[97m"),
        (
            "TRUE? {1} 1\nVALID? 2",
            "Is 1 true at [1]?\n\x1b[97mTrue\n\n\x1b[mIs 2 valid on F?\n\x1b[97m",
        ),
    ],
)
def test_a_law_with_knowledge_is_refused_by_the_first_query_that_needs_it(queries, printed):
    out, err, code = answers.answer(LAWLESS + queries, Checker)
    assert (out, err, code) == (HEADER + printed, "smcdel: boolBddOf failed: Not a boolean formula.\n", 1)


@pytest.mark.parametrize(
    ("law", "verdicts"),
    [
        # A part that decides a conjunction or disjunction keeps SMCDEL from the parts behind it.
        ("AND(2 & ~2, a knows that 1)", ["True"]),
        ("a knows that 1 & Bot", None),
        ("OR(Top, [! 1] 2)", ["False"]),
        ("OR(2, Top | [! 1] 2)", ["False"]),
        ("ONEOF(Top, Top, K a 1)", ["True"]),
        ("ONEOF(Bot, Top, K a 1)", None),
        ("Bot -> K a 1", None),
        ("~[! 1] 2", None),
    ],
)
def test_a_law_is_looked_at_part_by_part(law, verdicts):
    out, err, code = answers.answer(f"VARS 1,2 LAW {law} OBS a:1 VALID? 2", Checker)
    refused = "smcdel: boolBddOf failed: Not a boolean formula.\n", 1
    assert (verdicts_of(out), err, code) == ((verdicts, "", 0) if verdicts else ([], *refused))


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        ("[! 1] 2", ["False"]),
        ("[? ! 1] [a ! 2] 1", ["True"]),
        ("Bot & K a 1", ["False"]),
        ("(1 | ~1) | K a 1", ["True"]),
        ("a comknow that (2 & ~2)", ["False"]),
        ("a comknow that 2", []),
        ("a comknow whether (2 & ~2)", []),
        ("a distknow that Bot", []),
        ("[! 1] K a 2", []),
        ("XOR(Bot, K a 1)", []),
        ("Exists 2 K a 2", []),
    ],
)
def test_a_formula_needs_the_law_where_somebody_knows(formula, verdicts):
    assert verdicts_of(answers.answer(f"{LAWLESS}TRUE? {{1}} {formula}", Checker)[0]) == verdicts


def test_a_law_with_knowledge_that_no_query_needs_is_not_looked_at():
    verdict = "Is (1 | 2) true at [2]?\n\x1b[97mTrue\n\n\x1b[m\nDoei!\n"
    assert answers.answer(LAWLESS + "TRUE? {2} 1 | 2", Checker) == (HEADER + verdict, "", 0)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        # The first row of an agent counts.
        ("VARS 1,2 LAW Top OBS a:1 a:2 VALID? a knows whether 2", ["False"]),
        ("VARS 1,2 LAW Top OBS a:1 a:2 VALID? a knows whether 1", ["True"]),
        ("VARS 1,2 LAW Top OBS a:1 a:2 VALID? [a ! 2] a knows whether 1", ["True"]),
        ("VARS 1,2 LAW Top OBS a:1 b:2 a:1,2 VALID? (a,b) distknow whether (1 & 2)", ["True"]),
        # An atom that VARS lists twice is observed by who lists it twice too, and by no pool.
        ("VARS 1,1 LAW Top OBS a:1 VALID? a knows whether 1", ["False"]),
        ("VARS 1,1 LAW Top OBS a:1,1 VALID? a knows whether 1", ["True"]),
        ("VARS 1,1 LAW Top OBS a:1,1 VALID? a comknow whether 1", ["True"]),
        ("VARS 1,1 LAW Top OBS a:1,1 VALID? a distknow whether 1", ["False"]),
        ("VARS 1,1 LAW Top OBS a:1,1 VALID? [a ! 1] a knows that 1", ["True"]),
        ("VARS 1 LAW Top OBS a:1,1 VALID? a knows whether 1", ["True"]),
        ("VARS 1,1 LAW Top OBS a:1 WHERE? 1 | ~1", ["[]", "[1]", "[1]", "[1,1]"]),
        ("VARS 1,2,1 LAW Top OBS a:1 WHERE? 1", ["[1]", "[1,1]", "[1,2]", "[1,1,2]"]),
        # Atoms that a path of the diagram skips vary in the order of VARS.
        ("VARS 2,1 LAW Top OBS a:1 WHERE? Top", ["[]", "[1]", "[2]", "[1,2]"]),
        # All know that a group hears whether it is so; only the group learns whether.
        ("VARS 1,2 LAW Top OBS a:2 b:2 VALID? [a ! 1] b knows that a knows whether 1", ["True"]),
        ("VARS 1,2 LAW Top OBS a:2 b:2 VALID? [a ? ! 1] (a,b) comknow that a knows whether 1", ["True"]),
        ("VARS 1,2 LAW Top OBS a:2 b:2 VALID? [a ! 1] b knows whether 1", ["False"]),
        ("VARS 1,2 LAW Top OBS a:2 b:2 VALID? [a ! 1] b knows that a knows that 1", ["False"]),
    ],
)
def test_lists_and_groups_mean_what_they_mean_to_smcdel(text, verdicts):
    """The verdicts are those of SMCDEL 1.3.0."""
    assert verdicts_of(answers.answer(text, Checker)[0]) == verdicts


AGENTS = ("a", "b", "Agentc", "a0", "Kwa", "knows")


def random_inputs():
    """Return random inputs of one structure with a query of each kind."""
    rows = st.tuples(*[st.lists(st.integers(0, 4), min_size=1, max_size=5, unique=True) for _ in AGENTS])
    states = st.lists(st.integers(0, 4), unique=True).map(lambda state: tuple(sorted(state)))

    def spelled(drawn):
        law, observed, valid, where, state, true = drawn
        observes = tuple((agent, tuple(atoms)) for agent, atoms in zip(AGENTS, observed, strict=True))
        queries = [Query("VALID?", valid), Query("WHERE?", where), Query("TRUE?", true, state)]
        return spell_input(Structure((0, 1, 2, 3, 4), law, observes), queries) + "\n"

    formula = spellable_formulas
    return st.tuples(formula, rows, formula, formula, states, formula).map(spelled)


def differences(program, text):
    """Return what a program and this project's own print differently for an input; nothing where they agree."""
    ran = subprocess.run([program, "-"], input=text, capture_output=True, text=True, timeout=60)
    out, err, code = answers.answer(text, Checker)
    theirs, ours = (ran.stdout, first_line(ran.stderr), ran.returncode), (out, first_line(err), code)
    return [pair for pair in zip(theirs, ours, strict=True) if pair[0] != pair[1]]


def test_the_installed_smcdel_answers_200_random_inputs_alike():
    try:
        program = find_program()
    except ProgramMissingError:
        pytest.skip("SMCDEL is not installed: set $SMCDEL to its path to compare with it")

    @settings(max_examples=200, deadline=None, database=None)
    @given(random_inputs())
    def compare(text):
        assert differences(program, text) == []

    compare()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        # A text that ends too early.
        ("", "Parse error in line 1, column 1"),
        ("VARS 1,2\nLAW Top", "Parse error in line 1, column 1"),
        (HEAD + "\nVALID? (a", "Parse error in line 1, column 1"),
        # The whole.
        ("VARS LAW Top OBS a:1", "Parse error in line 1, column 6"),
        ("VARS 1 OBS a:1", "Parse error in line 1, column 8"),
        ("VARS 1 LAW Top OBS VALID? 1", "Parse error in line 1, column 20"),
        ("VARS 1 LAW Top OBS K:1", "Parse error in line 1, column 20"),
        (HEAD + "TRUE? 1", "Parse error in line 1, column 32"),
        (HEAD + "VALID 1", "Parse error in line 1, column 32"),
        (HEAD + "VALID? 1\nVALID?\n\tVALID?", "Parse error in line 3, column 9"),
        (HEAD + "\n \tVALID? 1 \t) -- here", "Parse error in line 2, column 25"),
        # Formulas.
        (HEAD + "\nVALID? a knows 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? a,b knows that 1", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? a knows that (1,2)", "Parse error in line 2, column 23"),
        (HEAD + "\nVALID? (1,2)", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? AND()", "Parse error in line 2, column 12"),
        (HEAD + "\nVALID? Forall a 1", "Parse error in line 2, column 15"),
        (HEAD + "\nVALID? K 1 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? [ 1 ] 1", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? [ ! 1 > 1", "Parse error in line 2, column 14"),
        (HEAD + "\nVALID? 1 <-> 2", "Parse error in line 2, column 10"),
        (HEAD + "\nVALID? ForAll Not 1", "Parse error in line 2, column 15"),
        (HEAD + "\nVALID? " + "9" * 19, "Sanity check failed:\n  Query formula contains atoms not in VARS!"),
        # Characters; whichever error comes first is told.
        (HEAD + "\nVALID? 1 - 2", "lexical error at line 2, column 11"),
        (HEAD + "\nVALID? ⊤", "lexical error at line 2, column 9"),
        (HEAD + "\nVALID? ±", "lexical error at line 2, column 9"),
        (HEAD + "\nVALID?\u00a01", "lexical error at line 2, column 8"),
        (HEAD + "\nVALID? 1 -- # 2\n\t#", "lexical error at line 3, column 9"),
        (HEAD + "\nVALID? é knows that 1", "lexical error at line 2, column 8"),
        ("hello # world", "Parse error in line 1, column 1"),
        (HEAD + "#", "lexical error at line 1, column 26"),
        # What is not declared. SMCDEL's recorded errors are of one kind each.
        (HEAD + "VALID? 3", "Sanity check failed:\n  Query formula contains atoms not in VARS!"),
        (HEAD + "VALID? Forall 3 1", "Sanity check failed:\n  Query formula contains atoms not in VARS!"),
        (HEAD + "WHERE? [ ! b knows that 1 ] 1", "Sanity check failed:\n  Query formula contains agents not in OBS!"),
        (HEAD + "TRUE? {} (a,b) comknow that 1", "Sanity check failed:\n  Query formula contains agents not in OBS!"),
        (HEAD + "TRUE? {1,3} 1", "Sanity check failed:\n  TRUE? query contains atoms not in VARS!"),
        ("VARS 1 LAW Top OBS a:1,2", "Sanity check failed:\n  OBS contains atoms not in VARS!"),
        ("VARS 1 LAW 1 -> 2 OBS a:1", "Sanity check failed:\n  LAW uses atoms not in VARS!"),
        (
            "VARS 1 LAW 2 OBS a:3 VALID? b knows that 4 TRUE? {5} 1",
            "Sanity check failed:\n  OBS contains atoms not in VARS!\n  LAW uses atoms not in VARS!"
            "\n  Query formula contains atoms not in VARS!\n  Query formula contains agents not in OBS!"
            "\n  TRUE? query contains atoms not in VARS!",
        ),
        # What cannot be read is told before what is not declared.
        (HEAD + "VALID? 7 VALID? )", "Parse error in line 1, column 42"),
    ],
)
def test_errors(text, fault):
    assert answers.answer(text, Checker) == (HEADER, f"smcdel: {fault}\n", 1)


def test_too_deep_is_said():
    deep = HEAD + "VALID? " + "~" * 100_000 + "1"
    assert answers.answer(deep, Checker) == (HEADER, "smcdel: stack overflow\n", 2)


def test_the_file_of_the_program(tmp_path, monkeypatch, capsys):
    def run(file):
        code = answers.main(str(file), Checker)
        return code, *capsys.readouterr()

    missing = tmp_path / "missing"
    assert run(missing) == (1, "", f"smcdel: {missing}: openFile: does not exist (No such file or directory)\n")
    assert run(tmp_path) == (1, "", f"smcdel: {tmp_path}: openFile: inappropriate type (is a directory)\n")
    binary = tmp_path / "binary"
    binary.write_bytes(b"VARS \xff")
    assert run(binary) == (1, HEADER, "smcdel: lexical error at line 1, column 6\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HEAD.encode())))
    assert run("-") == (0, HEADER + "\nDoei!\n", "")


@pytest.mark.parametrize("formula", [LONG, DEEP], ids=["long", "deep"])
def test_long_and_deep_formulas_are_answered(tmp_path, formula):
    """In a process of its own, which has no room for more than 1,000 calls within calls to begin with."""
    file = tmp_path / "input.smcdel.txt"
    file.write_text(f"{HEAD}VALID? {formula}\nVALID? {formula} | Top", encoding="utf-8")
    ours = [sys.executable, "-m", "tom_datasets", "smcdel", str(file)]
    ran = subprocess.run(ours, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (verdicts_of(ran.stdout), ran.stderr, ran.returncode) == (["False", "True"], "", 0)


def test_an_error_within_the_room_for_deep_formulas_comes_out(monkeypatch):
    monkeypatch.setattr(answers, "answer", lambda text, checker: 1 / 0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    limit = sys.getrecursionlimit()
    with pytest.raises(ZeroDivisionError):
        answers.main("-", Checker)
    assert sys.getrecursionlimit() == limit
