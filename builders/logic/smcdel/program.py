"""Asking the program smcdel: it is found, run in processes of its own, and believed only if it answers in full."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import Timer
from time import monotonic

from ...errors import ProgramError, ProgramMissingError
from ...syntax.formula import Formula, Structure
from .language import Valid, echo, spell_input

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
        raise ProgramError(f"$SMCDEL is {named!r}, which is no program that can be run; {instead}")
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
        # A verdict takes less than 100 characters, and so do the first line and the last.
        most = 1000 + sum(len(question) + 100 for question in questions)
        output = self._run(spell_input(structure, map(Valid, formulas)) + "\n", most)
        lines = iter([line for line in _COLOUR.sub("", output).split("\n") if line.strip()][1:])
        answers = []
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

    def _run(self, text: str, most: int) -> str:
        """Return what the program prints for an input; it is ended once it has printed `most` bytes."""
        with TemporaryFile() as stdin, TemporaryFile() as stderr:
            stdin.write(text.encode())
            stdin.seek(0)
            try:
                child = subprocess.Popen(
                    [self.path, "-"], stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True
                )
            except OSError as error:
                raise ProgramError(f"{self.path} cannot be run: {error.strerror}") from None
            began, timer = monotonic(), Timer(self.limit, _end, [child])
            with child:
                timer.start()
                try:
                    output = child.stdout.read(most).decode(errors="replace")
                    is_endless = bool(child.stdout.read(1))
                    code = 0 if is_endless else child.wait()
                finally:
                    timer.cancel()
                    _end(child)
            if monotonic() - began >= self.limit:
                raise ProgramError(f"{self.path} did not end within {self.limit:g} seconds; it said {_quote(output)}")
            stderr.seek(0)
            complaint = stderr.read(1000).decode(errors="replace")
        if code:
            raise ProgramError(f"{self.path} ended with exit code {code}: {_quote(complaint)}, after {_quote(output)}")
        if not output.startswith("SMCDEL "):
            raise ProgramError(f"{self.path} is not SMCDEL: it said {_quote(output)}")
        return output


def _end(child: subprocess.Popen) -> None:
    """Kill a process that was not waited for, and those that it started: they would keep its output open."""
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def _quote(*lines: str) -> str:
    """Return what a program said in quotes; of a long text only its beginning and end."""
    text = _COLOUR.sub("", "\n".join(lines)).strip()
    if not text:
        return "nothing"
    return repr(text if len(text) <= 200 else f"{text[:100]} … {text[-100:]}")
