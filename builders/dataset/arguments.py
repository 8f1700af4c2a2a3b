"""How numbers, words, the probe's name and the row to show are read from the command line."""

import argparse
import os
import re
from pathlib import Path

from ..columns import NO_SCORER


def integer(text: str) -> int:
    """Read an integer."""
    try:
        return int(text if re.fullmatch("[+-]?[0-9]+", text) else "")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def integers(text: str) -> tuple[int, ...]:
    """Read integers between commas."""
    return tuple(integer(word) for word in text.split(","))


def words(text: str) -> tuple[str, ...]:
    """Read words between commas."""
    return tuple(text.split(","))


def scorer_of(args: argparse.Namespace) -> str | None:
    """Return the probe that the options name, None for no scores."""
    return None if args.probe == NO_SCORER else os.path.expanduser(args.probe)


def add_source(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the options that say which row to show, and of which build."""
    parser.add_argument("--id", metavar="ID", help=about)
    about = "folder that holds the datasets: show a row of the build there (default: of the build here, if it has the "
    about += "--id, else drawn as a default build has it)"
    parser.add_argument("--out", type=lambda text: Path(text).expanduser(), metavar="DIR", help=about)
