"""Measure what a reward of steps pays for copies: of the story, of another question's steps, of half an explanation."""

import sys
from pathlib import Path
from statistics import mean

sys.path.append(str(Path(__file__).resolve().parents[1]))

from copies import COPIES, worths

from tom_datasets.markdown import markdown_table

ROWS = 250  # rows of each of the two configs


def main() -> None:
    """Print for each copy what its steps are worth on average, and how often it is a whole explanation."""
    for name in COPIES:
        measured = {config: worths(name, (config,), ROWS) for config in ("all", "deep")}
        lines = []
        for copy in COPIES[name]:
            plain, deep = measured["all"][copy], measured["deep"][copy]
            averages = [f"{mean(worth):.2f}" for worth in (plain, deep, plain + deep)]
            lines.append([copy, *averages, f"{100 * (plain + deep).count(1) / (2 * ROWS):.1f} %"])
        header = ["copy", "`all`", "`deep`", f"both, {2 * ROWS} rows", "whole explanations"]
        print(f"{name}\n\n{markdown_table(header, lines)}\n")


if __name__ == "__main__":
    main()
