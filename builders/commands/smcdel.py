"""The command `smcdel`: the embedded checker answers a file in SMCDEL's language."""

import click

from ..logic.s5 import Checker
from ..logic.smcdel import answers
from .options import command


@command("smcdel")
@click.argument("file", type=click.Path(allow_dash=True), help="the file, or - for standard input")
def run(file: str) -> int:
    """Print the answers as SMCDEL 1.3.0 prints them; return its exit code."""
    return answers.main(file, Checker)
