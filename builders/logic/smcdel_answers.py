"""Own SMCDEL's language and the SMCDEL program: formulas in and out of its notations, its answers, and asking it.

SMCDEL (Gattinger, https://github.com/jrclogic/SMCDEL) is a symbolic model checker for dynamic epistemic logic. What it
prints and how it groups is taken from recordings of version 1.3.0, `tests/logic/smcdel_transcripts.json`. It has two
notations: `parse` and `spell` are about what it reads, `echo` is what it prints. `answer` is this project's own
program that speaks both, given a checker; `Smcdel` asks a program, the real one or that.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from builders.logic.formula import Announce, AnnounceWhether, Structure
from builders.logic.smcdel_parser import ParseError, parse
from builders.logic.smcdel_syntax import Query, TrueAt, Valid, Where, _state, echo

_BOLD, _PLAIN = "\x1b[97m", "\x1b[m"


def answer(text: str, checker: Callable[[Structure], Any]) -> tuple[str, str, int]:
    """Return what SMCDEL 1.3.0 says to an input: standard output, standard error (its first lines), exit code.

    `checker` makes of a structure what can tell `valid`, `where` and `true_at`: `s5.Checker`.
    """
    said = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"
    try:
        structure, queries = parse(text)
        _check_sanity(structure, queries)
        model = checker(structure)
        answers = [_answer(query, model) for query in queries]
    except ParseError as error:
        return said, f"smcdel: {error}\n", 1
    except RecursionError:
        return said, "smcdel: stack overflow\n", 2
    return said + "".join(answers) + "\nDoei!\n", "", 0


def _answer(query: Query, model: Any) -> str:
    match query:
        case Valid(of):
            return f"Is {echo(of)} valid on F?\n{_BOLD}{model.valid(of)}\n\n{_PLAIN}"
        case TrueAt(state, of):
            return f"Is {echo(of)} true at {_state(state)}?\n{_BOLD}{model.true_at(state, of)}\n\n{_PLAIN}"
        case Where(of):
            states = "".join(f"{_BOLD}{_state(state)}\n{_PLAIN}" for state in model.where(of))
            return f"At which states is {echo(of)} true?\n{states}\n"
        case _:
            raise TypeError(f"no such query: {query!r}")


def _check_sanity(structure: Structure, queries: tuple[Query, ...]) -> None:
    """Refuse what is not declared, and a law that is about more than atoms."""
    agents, rows = zip(*structure.observes, strict=True)
    law_atoms, law_agents, law_kinds = _mentioned(structure.law)
    asked_atoms, asked_agents, _ = _mentioned(tuple(query.of for query in queries))
    stated = {atom for query in queries if isinstance(query, TrueAt) for atom in query.state}
    faults = {
        "LAW contains atoms not in VARS!": law_atoms.difference(structure.atoms),
        "LAW contains knowledge or announcements!": law_agents or law_kinds & {Announce, AnnounceWhether},
        "OBS contains atoms not in VARS!": {atom for row in rows for atom in row}.difference(structure.atoms),
        "Query formula contains atoms not in VARS!": asked_atoms.difference(structure.atoms),
        "Query formula contains agents not in OBS!": asked_agents.difference(agents),
        "TRUE? query contains atoms not in VARS!": stated.difference(structure.atoms),
    }
    found = [fault for fault, parts in faults.items() if parts]
    if found:
        raise ParseError("\n  ".join(["Sanity check failed:", *found]))


def _mentioned(whole: Any) -> tuple[set[int], set[str], set[type]]:
    """Return the atoms, the agents and the kinds of subformulas of a formula, or of a tuple of them."""
    atoms, agents, kinds = set(), set(), set()
    parts = [whole]
    while parts:
        match parts.pop():
            case int(atom):
                atoms.add(atom)
            case str(agent):
                agents.add(agent)
            case tuple(several):
                parts += several
            case formula:
                kinds.add(type(formula))
                parts += [getattr(formula, field.name) for field in fields(formula)]
    return atoms, agents, kinds


def main(arguments: Sequence[str], checker: Callable[[Structure], Any]) -> int:
    """Answer the input in a file, or for `-` on standard input, as the program smcdel does; return the exit code."""
    match arguments:
        case ["-"]:
            read = sys.stdin.buffer.read
        case [file]:
            read = Path(file).read_bytes
        case _:
            print("smcdel: give one file of SMCDEL's language, or - for standard input", file=sys.stderr)
            return 1
    try:
        text = read().decode(errors="replace")
    except FileNotFoundError:
        reason = "does not exist (No such file or directory)"
    except IsADirectoryError:
        reason = "inappropriate type (is a directory)"
    except PermissionError:
        reason = "permission denied (Permission denied)"
    else:
        out, err, code = answer(text, checker)
        sys.stdout.write(out)
        sys.stdout.flush()
        sys.stderr.write(err)
        return code
    print(f"smcdel: {arguments[0]}: openFile: {reason}", file=sys.stderr)
    return 1
