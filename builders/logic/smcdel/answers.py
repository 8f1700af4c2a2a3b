"""This project's stand-in for the program smcdel: it reads the same inputs and prints the same answers."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ...syntax.formula import Announce, Formula, Structure, Top
from .language import Query, echo, echo_state
from .parser import ParseError, parse

_BOLD, _PLAIN = "\x1b[97m", "\x1b[m"


def answer(text: str, checker: Callable[[Structure], Any]) -> tuple[str, str, int]:
    """Return what SMCDEL 1.3.0 gives for an input: standard output, standard error (its first lines), exit code.

    `checker` makes a model of a structure: an object with `valid`, `where` and `true_at`, such as `s5.Checker`.
    """
    header = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"
    try:
        structure, queries = parse(text)
        _check_sanity(structure, queries)
        # SMCDEL looks at the law when a query first needs it, and only then refuses one that is not Boolean.
        lawful = _is_boolean(structure.law)
        model = checker(structure if lawful else replace(structure, law=Top()))
        printed = header
        for query in queries:
            dialogue = _dialogue(query, model)
            printed += next(dialogue)
            if not lawful and not (query.word == "TRUE?" and _is_boolean(query.formula)):
                return printed, "smcdel: boolBddOf failed: Not a boolean formula.\n", 1
            printed += next(dialogue)
    except ParseError as error:
        return header, f"smcdel: {error}\n", 1
    except RecursionError:
        return header, "smcdel: stack overflow\n", 2
    return f"{printed}\nDoei!\n", "", 0


def _dialogue(query: Query, model: Any) -> Iterator[str]:
    """Yield what is printed of a query before its answer, and then the answer, which the model is asked only then."""
    match query:
        case Query("VALID?", formula):
            yield f"Is {echo(formula)} valid on F?\n{_BOLD}"
            yield f"{model.valid(formula)}\n\n{_PLAIN}"
        case Query("TRUE?", formula, state):
            yield f"Is {echo(formula)} true at {echo_state(state)}?\n{_BOLD}"
            yield f"{model.true_at(state, formula)}\n\n{_PLAIN}"
        case Query("WHERE?", formula):
            yield f"At which states is {echo(formula)} true?\n"
            yield "".join(f"{_BOLD}{echo_state(state)}\n{_PLAIN}" for state in model.where(formula)) + "\n"


def _is_boolean(formula: Formula) -> bool:
    """Return whether a formula has neither knowledge nor announcements."""
    _, agents, kinds = _mentioned(formula)
    return not agents and Announce not in kinds


def _check_sanity(structure: Structure, queries: tuple[Query, ...]) -> None:
    """Raise ParseError for what is not declared."""
    agents, rows = zip(*structure.observes, strict=True)
    law_atoms, law_agents, _ = _mentioned(structure.law)
    query_atoms, query_agents, _ = _mentioned(tuple(query.formula for query in queries))
    state_atoms = {atom for query in queries for atom in query.state}
    offenders = {
        "LAW contains atoms not in VARS!": law_atoms.difference(structure.atoms),
        "OBS contains atoms not in VARS!": {atom for row in rows for atom in row}.difference(structure.atoms),
        "Query formula contains atoms not in VARS!": query_atoms.difference(structure.atoms),
        "Query formula contains agents not in OBS!": query_agents.difference(agents),
        "TRUE? query contains atoms not in VARS!": state_atoms.difference(structure.atoms),
    }
    faults = [fault for fault, parts in offenders.items() if parts]
    if faults:
        raise ParseError("\n  ".join(["Sanity check failed:", *faults]))


def _mentioned(formulas: Any) -> tuple[set[int], set[str], set[type]]:
    """Return the atoms, the agents and the kinds of subformulas of a formula, or of a tuple of formulas."""
    atoms, agents, kinds = set(), set(), set()
    waiting = [formulas]
    while waiting:
        match waiting.pop():
            case None | bool():
                pass  # an announcement is public, or of a truth value
            case int(atom):
                atoms.add(atom)
            case str(agent):
                agents.add(agent)
            case tuple(parts):
                waiting += parts
            case formula:
                kinds.add(type(formula))
                waiting += [getattr(formula, field.name) for field in fields(formula)]
    return atoms, agents, kinds


def main(file: str, checker: Callable[[Structure], Any]) -> int:
    """Answer the input in a file, or for `-` on standard input, as the program smcdel does; return the exit code."""
    try:
        text = (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode(errors="replace")
    except OSError as error:
        print(f"smcdel: {file}: openFile: {error.strerror}", file=sys.stderr)
        return 1
    out, err, code = answer(text, checker)
    sys.stdout.write(out)
    sys.stdout.flush()
    sys.stderr.write(err)
    return code
