"""The program: it imports the command that is called, runs it, and says in one line what was called wrongly."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

import click
from click.shell_completion import CompletionItem, shell_complete

from .. import GENERATOR_VERSION, __version__
from . import commands
from .options import Call

NAME = "tom-datasets"  # the installed script, whose words a shell can complete
COMPLETE = "_TOM_DATASETS_COMPLETE"  # the variable by which a shell asks for completions, as click names it


class Program(click.Group):
    """Import a command only when it is called: some commands need packages that are slow to import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return [*commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command with this name, None for no command."""
        return import_module(f"{__package__}.{cmd_name}").run if cmd_name in commands() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name of the command that the first word names, the command, and the other words."""
        if args[0] not in commands() and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}; the commands are {', '.join(commands())}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, without importing it."""
        with formatter.section("Commands"):
            formatter.write_dl([*commands().items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so, without importing a command."""
        found = [CompletionItem(name, help=about) for name, about in commands().items() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=Program,
    help="Make, prove and measure theory-of-mind datasets.",  # no docstring, which python -OO leaves out
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
@click.version_option(__version__, message=f"{NAME} %(version)s, generator_version {GENERATOR_VERSION}")
def program() -> None:
    """Stand for all commands."""


def run(words: list[str], called: str, begin: Callable[[], None]) -> int:
    """Import and run the command that the first word names; return the exit code.

    called: how the user called the program. begin: what is done when all is imported, before the command runs.
    `click.Command.main` is not used: it has ends of its own for interrupts and for output that nobody reads.
    """
    if instruction := os.environ.get(COMPLETE):
        return shell_complete(program, {}, NAME, COMPLETE, instruction)
    try:
        with program.make_context(called, words.copy(), obj=Call(words, begin)) as context:
            return program.invoke(context) or 0
    except click.exceptions.Exit as end:  # the help or the version was printed
        return end.exit_code
    except click.UsageError as error:
        message = " ".join(error.format_message().split()).removesuffix(".")  # click lists choices on several lines
        where = error.ctx.command_path if error.ctx else called
        print(f"error: {message} (see {where} --help)", file=sys.stderr)
        return error.exit_code
