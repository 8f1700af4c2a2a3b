"""This project's stand-in for the program smcdel: it reads the same inputs and prints the same answers."""

import errno
import sys
import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ...syntax.formula import Formula, Structure, Top
from .language import QUERIES, Query, echo, echo_state
from .parser import ParseError, parse
from .settling import NotBooleanError, settled

_BOLD, _PLAIN = "\x1b[97m", "\x1b[m"
# Why a file cannot be opened, in the words of the program.
_OPENING = {
    errno.ENOENT: "does not exist (No such file or directory)",
    errno.EISDIR: "inappropriate type (is a directory)",
    errno.EACCES: "permission denied (Permission denied)",
}
_LEVELS = 50_000  # calls within calls: some 10,000 formulas, one inside another


Result = TypeVar("Result")


class Model(Protocol):
    """Answer where formulas hold in a structure, as `s5.Checker` does."""

    def valid(self, formula: Formula, /) -> bool:
        """Return whether a formula is true in every world."""

    def where(self, formula: Formula, /) -> Iterable[tuple[int, ...]]:
        """Return the worlds where a formula is true, each as its true atoms."""

    def true_at(self, state: Collection[int], formula: Formula, /) -> bool:
        """Return whether a formula is true where exactly these atoms are."""


def answer(text: str, checker: Callable[[Structure], Model]) -> tuple[str, str, int]:
    """Return what SMCDEL 1.3.0 gives for an input: standard output, standard error (its first lines), exit code.

    `checker` makes a model of a structure.
    """
    header = "SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL\n\n"
    printed = header
    try:
        structure, queries = parse(text)
        _check_sanity(structure, queries)
        lawless = checker(replace(structure, law=Top()))
        try:
            model = checker(replace(structure, law=settled(structure.law, lawless.valid, law=True)))
        except NotBooleanError:
            model = None  # SMCDEL looks at the law when a query first needs it, and only then refuses it
        for query in queries:
            printed += _heading(query)
            printed += _verdict(query, model) if model else _verdict(_without_law(query, lawless), lawless)
    except ParseError as error:
        return header, f"smcdel: {error}\n", 1
    except NotBooleanError:
        return printed, "smcdel: boolBddOf failed: Not a boolean formula.\n", 1
    except RecursionError:
        return printed, "smcdel: stack overflow\n", 2
    return f"{printed}\nDoei!\n", "", 0


def _heading(query: Query) -> str:
    """Return what is printed of a query before the program looks for its answer."""
    match query:
        case Query("VALID?", formula):
            return f"Is {echo(formula)} valid on F?\n{_BOLD}"
        case Query("TRUE?", formula, state):
            return f"Is {echo(formula)} true at {echo_state(state)}?\n{_BOLD}"
        case Query("WHERE?", formula):
            return f"At which states is {echo(formula)} true?\n"
    raise _unknown(query)


def _verdict(query: Query, model: Model) -> str:
    """Return what is printed of a query after its heading."""
    match query:
        case Query("VALID?", formula):
            return f"{model.valid(formula)}\n\n{_PLAIN}"
        case Query("TRUE?", formula, state):
            return f"{model.true_at(state, formula)}\n\n{_PLAIN}"
        case Query("WHERE?", formula):
            return "".join(f"{_BOLD}{echo_state(state)}\n{_PLAIN}" for state in model.where(formula)) + "\n"
    raise _unknown(query)


def _unknown(query: Query) -> ValueError:
    """Return the error of a query with another word than the language has."""
    return ValueError(f"unknown query {query.word!r}; the queries are {', '.join(QUERIES)}")


def _without_law(query: Query, lawless: Model) -> Query:
    """Return a query with a Boolean formula of the same answer. Raises NotBooleanError where the law is needed."""
    if query.word != "TRUE?":
        raise NotBooleanError
    return replace(query, formula=settled(query.formula, lawless.valid))


def _check_sanity(structure: Structure, queries: tuple[Query, ...]) -> None:
    """Raise ParseError for what is not declared."""
    agents, rows = zip(*structure.observes, strict=True)
    law_atoms, _ = _mentioned(structure.law)
    query_atoms, query_agents = _mentioned(tuple(query.formula for query in queries))
    state_atoms = {atom for query in queries for atom in query.state}
    offenders = {
        "OBS contains atoms not in VARS!": {atom for row in rows for atom in row}.difference(structure.atoms),
        "LAW uses atoms not in VARS!": law_atoms.difference(structure.atoms),
        "Query formula contains atoms not in VARS!": query_atoms.difference(structure.atoms),
        "Query formula contains agents not in OBS!": query_agents.difference(agents),
        "TRUE? query contains atoms not in VARS!": state_atoms.difference(structure.atoms),
    }
    faults = [fault for fault, parts in offenders.items() if parts]
    if faults:
        raise ParseError("\n  ".join(["Sanity check failed:", *faults]))


def _mentioned(formulas: Any) -> tuple[set[int], set[str]]:
    """Return the atoms and the agents of a formula, or of a tuple of formulas."""
    atoms: set[int] = set()
    agents: set[str] = set()
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
                waiting += [getattr(formula, field.name) for field in fields(formula)]
    return atoms, agents


def main(file: str, checker: Callable[[Structure], Model]) -> int:
    """Answer the input in a file, or for `-` on standard input, as the program smcdel does; return the exit code."""
    try:
        text = (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode(errors="replace")
    except OSError as error:
        reason = _OPENING.get(error.errno or 0) or error.strerror
        print(f"smcdel: {file}: openFile: {reason}", file=sys.stderr)
        return 1
    out, err, code = _with_room(lambda: answer(text, checker))
    sys.stdout.write(out)
    sys.stdout.flush()
    sys.stderr.write(err)
    return code


def _with_room(work: Callable[[], Result]) -> Result:
    """Return what a function returns that may call itself 50,000 levels deep, in a thread with a stack for that."""
    came: Future[Result] = Future()

    def run() -> None:
        try:
            came.set_result(work())
        except BaseException as error:
            came.set_exception(error)

    size, limit = threading.stack_size(_LEVELS * 5120), sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(_LEVELS)
        threading.Thread(target=run, daemon=True).start()  # an interrupt does not wait for it
        return came.result()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
