"""The errors that end a command in one line; anything else that ends one is a bug."""

import contextlib
from collections.abc import Iterator


class UserError(Exception):
    """Say in one line what is wrong with a user's input, files or data, and what would be right."""


class Interrupted(KeyboardInterrupt):
    """Say that a signal ended the command.

    Where KeyboardInterrupt itself comes out of an `exec`, as in `dataclass`, Python ends by SIGINT in the end, whatever
    catches it. A subclass has the exit code that the program gives it.
    """


class DisagreementError(UserError):
    """Show a problem to which two checkers give different labels."""


class ProgramError(UserError):
    """Say how a program that was asked did not answer, and quote what came instead."""


class ProgramMissingError(ProgramError):
    """Say where SMCDEL was looked for in vain."""


def limits(numbers: range) -> str:
    """Return the first and the last of some numbers as a message says them: `2 to 12`."""
    return f"{numbers[0]} to {numbers[-1]}"


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
