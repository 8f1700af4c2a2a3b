"""Asking the program smcdel: it is found, run in processes of its own, and believed only if it answers in full."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...errors import ProgramError, ProgramMissingError
from ...syntax.formula import Formula, Structure
from .language import Query, echo, spell_input

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def find_program() -> str:
    """Return the path of SMCDEL: $SMCDEL where it is set, else `smcdel` on PATH.

    Raises ProgramMissingError where there is none, ProgramError where $SMCDEL is set to what cannot be run.
    """
    named = os.environ.get("SMCDEL")
    path = shutil.which(named or "smcdel")
    if path:
        return path
    instead = "checker=embedded needs no program"
    if named:
        raise ProgramError(f"$SMCDEL is {named!r}, which is not a program that can be run; {instead}")
    where = os.environ.get("PATH", "") or "which is empty"
    raise ProgramMissingError(
        f"no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH ({where}); {instead}"
    )


@dataclass(frozen=True, slots=True)
class Smcdel:
    """Ask SMCDEL."""

    path: str  # the program
    limit: float = 60  # seconds after which a process is ended

    def valid(self, structure: Structure, formulas: Sequence[Formula]) -> list[bool]:
        """Return for each formula whether it is valid on the structure, asking one process for all of them.

        Raises ProgramError where the program does not answer all questions as SMCDEL does.
        """
        questions = [f"Is {echo(formula)} valid on F?" for formula in formulas]
        output = self._run(spell_input(structure, [Query("VALID?", formula) for formula in formulas]) + "\n")
        lines = iter([line for line in _COLOUR.sub("", output).split("\n") if line.strip()][1:])
        answers: list[bool] = []
        for question in questions:
            echoed, verdict = next(lines, ""), next(lines, "")
            if echoed != question or verdict not in ("True", "False"):
                count = f"{len(answers)} of {len(questions)} questions"
                came = _quote(echoed, verdict)
                raise ProgramError(f"{self.path} answered {count}; to {_quote(question)} it said {came}")
            answers.append(verdict == "True")
        rest = list(lines)
        if rest != ["Doei!"]:
            raise ProgramError(f"{self.path} did not end after {len(answers)} answers with 'Doei!': {_quote(*rest)}")
        return answers

    def _run(self, text: str) -> str:
        """Return what the program prints for an input."""
        pipe = subprocess.PIPE
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})  # until the child is known
        try:
            child = subprocess.Popen([self.path, "-"], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except OSError as error:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            raise ProgramError(f"{self.path} cannot be run: {error.strerror}") from None
        with child:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                said = child.communicate(text.encode(), self.limit)
            except subprocess.TimeoutExpired as expired:
                came = _quote((expired.stdout or b"").decode(errors="replace"))
                raise ProgramError(f"{self.path} did not end within {self.limit:g} seconds; it said {came}") from None
            finally:
                if child.returncode is None:  # kill those too that it started: they would keep its output open
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(child.pid, signal.SIGKILL)
        output, complaint = [printed.decode(errors="replace") for printed in said]
        if child.returncode:
            what = f"exit code {child.returncode}: {_quote(complaint)}, after {_quote(output)}"
            raise ProgramError(f"{self.path} ended with {what}")
        if not output.startswith("SMCDEL "):
            raise ProgramError(f"{self.path} is not SMCDEL: it said {_quote(output)}")
        return output


def _quote(*lines: str) -> str:
    """Return what a program said in quotes; of a long text only its beginning and end."""
    text = _COLOUR.sub("", "\n".join(lines)).strip()
    if not text:
        return "nothing"
    return repr(text if len(text) <= 200 else f"{text[:100]} … {text[-100:]}")
