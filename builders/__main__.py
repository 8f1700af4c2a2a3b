"""Own the command line: `python -m builders COMMAND`, or `tom-datasets COMMAND` where the project is installed.

A user's mistake ends in one line and a non-zero exit code; a traceback is a bug of ours. Only the command that was
asked for is imported, as some of them need packages that are slow to import.
"""

import signal
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from builders.commands.options import Parser
from builders.errors import UserError

COMMANDS = {
    "build": "write a dataset's folder, a complete Hub repository",
    "check": "prove every row of the built Parquet twice, and hold the audit's gates",
    "audit": "print how often guessing without reading is right on the test split",
    "prompts": "print what a model is asked, as JSON lines of id and prompt",
    "score": "score what a model answered, and what its answers depend on",
    "publish": "send built folders to the Hugging Face Hub, and read them back",
    "clean": "delete what build wrote, and nothing else",
    "reread": "compare the labels of published data with those read from their text",
    "smcdel": "answer a file in SMCDEL's language as SMCDEL 1.3.0 does",
    "probe": "train the difficulty model of a dataset anew (needs the extra probe)",
    "show": "print one problem of the default sizes, and what made its answers",
}


def main(argv: Iterable[str] | None = None) -> int:
    """Run a command; return the exit code."""

    def stop(*_) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        return run(sys.argv[1:] if argv is None else list(argv)) or 0
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"error: {where}{error.strerror or error}; nothing half-written was left", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; nothing half-written was left", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)


def run(words: list[str]) -> int | None:
    """Parse the words and run the command that the first one names; return its exit code, None for 0."""
    program = "tom-datasets" if Path(sys.argv[0]).stem == "tom-datasets" else "python -m builders"
    if not words or words[0] not in COMMANDS:
        refuse(program, words)
    name, *words = words
    about = COMMANDS[name]
    command: ModuleType = import_module(f"builders.commands.{name}")
    parser = Parser(words, prog=f"{program} {name}", description=about[0].upper() + about[1:] + ".")
    command.add_options(parser)
    return command.run(parser.parse_args(words))


def refuse(program: str, words: list[str]) -> None:
    """Print the help where the words ask for it, else that they name no command; exit."""
    parser = Parser([], prog=program, description="Make, prove and measure theory-of-mind datasets.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in COMMANDS.items():
        commands.add_parser(name, help=about, words=[])
    parser.parse_args(words)
    parser.error("the command comes first")


if __name__ == "__main__":
    sys.exit(main())
