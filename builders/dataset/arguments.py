"""Own how numbers and the probe's name are read from the command line."""

import argparse
import os


def integer(text: str) -> int:
    """Read an integer."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None


def integers(text: str) -> tuple[int, ...]:
    """Read integers between commas."""
    return tuple(integer(word) for word in text.split(","))


def scorer_of(args: argparse.Namespace) -> str | None:
    """Return the probe that the options name, None for no scores."""
    return None if args.probe == "none" else os.path.expanduser(args.probe)
