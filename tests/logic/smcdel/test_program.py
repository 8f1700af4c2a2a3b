"""Prove that the program is found, asked and ended, and that no answer is taken unseen."""

import os
import shlex
import time

import pytest
from support import shell_script

from tom_datasets.errors import ProgramError, ProgramMissingError
from tom_datasets.logic.smcdel.program import Smcdel, find_program
from tom_datasets.syntax.formula import Announce, Atom, Bot, Knows, Or, Structure, Top, Xor, knows_whether

MUDDY = Structure((1, 2), Top(), (("a", (2,)), ("b", (1,))))


ASKED = [knows_whether("a", Atom(2)), Knows("a", Atom(1)), Announce(Or((Atom(1), Atom(2))), Xor((Atom(1), Top())))]


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
    return Smcdel(shell_script(tmp_path / "fake", f"cat {shlex.quote(str(tmp_path / 'said'))}\n{then}"), limit=20)


def test_asks_many_questions_of_one_process(program):
    assert Smcdel(program).valid(MUDDY, ASKED) == [True, False, False]


def test_no_answer_is_too_long(program):
    """However short the questions, all answers are read."""
    assert Smcdel(program).valid(MUDDY, [Bot()] * 5000) == [False] * 5000


@pytest.mark.parametrize(
    ("lines", "then", "fault"),
    [
        (["one", "two"], "", "fake is not SMCDEL: it said 'one\\ntwo'"),
        (["x" * 500], "", f"fake is not SMCDEL: it said '{'x' * 100} … {'x' * 100}'"),
        (GOOD, "echo oh no >&2; exit 3", "fake ended with exit code 3: 'oh no', after 'SMCDEL 1.3.0"),
        (GOOD[:4], "kill -9 $$", "fake ended with exit code -9: nothing, after 'SMCDEL 1.3.0"),
        # Died in mid-answer, with an exit code that does not say so.
        (GOOD[:4], "", "fake answered 1 of 3 questions; to 'Is K a 1 valid on F?' it said nothing"),
        ([*GOOD[:6], "Fal"], "", "to 'Is K a 1 valid on F?' it said 'Is K a 1 valid on F?\\nFal'"),
        (GOOD[:-1], "", "fake did not end after 3 answers with 'Doei!': nothing"),
        # Fewer answers, more answers, answers to other questions, no answers.
        ([*GOOD[:5], *GOOD[11:]], "", "fake answered 1 of 3 questions; to 'Is K a 1 valid on F?' it said 'Doei!'"),
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
        Smcdel(shell_script(tmp_path / "hangs", body), limit=0.5).valid(MUDDY, ASKED)
    assert time.monotonic() - began < 30


def test_a_program_that_does_not_read_is_no_deadlock(tmp_path):
    formulas = [Knows("a", Atom(1))] * 20_000
    with pytest.raises(ProgramError, match="answered 0 of 20000"):
        fake(tmp_path, GOOD).valid(MUDDY, formulas)


def test_programs_that_cannot_run(tmp_path):
    for path, fault in ((tmp_path / "missing", "No such file"), (tmp_path, "Permission denied")):
        with pytest.raises(ProgramError, match=f"cannot be run: {fault}"):
            Smcdel(str(path)).valid(MUDDY, ASKED)
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"\x00\x01")
    nonsense.chmod(0o755)
    with pytest.raises(ProgramError, match="cannot be run: Exec format error"):
        Smcdel(str(nonsense)).valid(MUDDY, ASKED)


def test_where_smcdel_is_looked_for(program, tmp_path, monkeypatch):
    folder = os.path.dirname(program)
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", folder)
    assert find_program() == program
    other = shell_script(tmp_path / "other", "exit")
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
            f"$SMCDEL is {wrong!r}, which is not a program that can be run; checker=embedded needs no program"
        )

    monkeypatch.setenv("SMCDEL", "")
    monkeypatch.setenv("PATH", "/nowhere:/neither")
    with pytest.raises(ProgramMissingError) as raised:
        find_program()
    assert str(raised.value) == (
        "no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH (/nowhere:/neither); "
        "checker=embedded needs no program"
    )
