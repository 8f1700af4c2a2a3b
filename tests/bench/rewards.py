"""Measure what a reward of steps pays for copies: of the story, of another question's steps, of half an explanation."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from copies import COPIES, worths

from tom_datasets.markdown import markdown_table

ROWS = 250
"""So many rows of each of two configs are measured."""


def main() -> None:
    """Print for each copy what its steps are worth on average, and how often it is a whole explanation."""
    for name in COPIES:
        measured = {config: worths(name, (config,), ROWS) for config in ("all", "deep")}
        lines = []
        for copy in COPIES[name]:
            worth = measured["all"][copy] + measured["deep"][copy]
            averages = [sum(some) / len(some) for some in (measured["all"][copy], measured["deep"][copy], worth)]
            lines.append(
                [copy, *(f"{average:.2f}" for average in averages), f"{100 * worth.count(1) / len(worth):.1f} %"]
            )
        header = ["copy", "`all`", "`deep`", f"both, {2 * ROWS} rows", "whole explanations"]
        print(f"{name}\n\n{markdown_table(header, lines)}\n")


if __name__ == "__main__":
    main()
