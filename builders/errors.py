"""The errors that end a command in one line; anything else that ends one is a bug."""

import contextlib
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

# What may be wrong: whether it is, the line of a file `refusals.toml` that says so, and the value that the line names.
Fault = tuple[bool, str, Any]


class UserError(Exception):
    """Say in one line what is wrong with a user's input, files or data, and what would be right."""


class DisagreementError(UserError):
    """Show a problem to which two checkers give different labels."""


class ProgramError(UserError):
    """Say how a program that was asked did not answer, and quote what came instead."""


class ProgramMissingError(ProgramError):
    """Say where SMCDEL was looked for in vain."""


def refusal(module: str, line: str, **facts: Any) -> str:
    """Return the line of this name in the file `refusals.toml` beside a module, about these facts."""
    lines = tomllib.loads(Path(module).with_name("refusals.toml").read_text(encoding="utf-8"))
    return lines[line].format(**facts)


def refuse(module: str, faults: Iterable[Fault], **facts: Any) -> None:
    """Raise ValueError for the first fault there is, by its line of the file `refusals.toml` beside a module.

    facts: what the lines name besides the value that is wrong; of a range its limits are said, of names all.
    """
    for wrong, line, it in faults:
        if wrong:
            raise ValueError(refusal(module, line, it=it, **{name: _said(fact) for name, fact in facts.items()}))


def _said(fact: Any) -> Any:
    """Return a fact as a line says it: `2 to 12` of a range, `one, two` of several names."""
    if isinstance(fact, range):
        return f"{fact[0]} to {fact[-1]}"
    return ", ".join(fact) if isinstance(fact, (tuple, dict)) else fact


@contextlib.contextmanager
def located(where: str) -> Iterator[None]:
    """Turn a ValueError about a user's input into one line that says where."""
    try:
        yield
    except ValueError as error:
        raise UserError(f"{where}{error}") from None


@contextlib.contextmanager
def needing(name: str) -> Iterator[None]:
    """Say what to install where a name of the package needs a package that is missing; also a decorator."""
    try:
        yield
    except ModuleNotFoundError as error:
        if str(error.name).startswith(__package__):
            raise
        needed = f"{__package__}.{name} needs the package {error.name}: pip install 'tom-datasets[build]'"
        raise ModuleNotFoundError(needed, name=error.name) from None
