"""The command `smcdel`: the embedded checker answers a file in SMCDEL's language."""

from argparse import Namespace

from ..logic.s5 import Checker
from ..logic.smcdel import answers


def run(args: Namespace) -> int:
    """Print the answers as SMCDEL 1.3.0 prints them; return its exit code."""
    return answers.main(args.file, Checker)
