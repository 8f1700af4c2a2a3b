"""Measure puzzles in rounds (`make bench`): how many are drawn, told and labelled a second, in one process."""

from dataclasses import replace

from timing import seconds

from tom_datasets.logic.config import ROUNDS
from tom_datasets.logic.rows import part_rows, plan_part

BLOCKS = 48  # of a setup
GOAL = 200  # problems a second


def make(seed: int) -> None:
    """Make the rows of some blocks of one setup."""
    config = replace(ROUNDS, seed=seed, test=BLOCKS, setup="hats", scorer=None, checker="embedded")
    part_rows(config, "hats", "test", range(BLOCKS), plan_part(config, "hats", "test")["test"])


def main() -> None:
    """Print the best of two rounds, with other puzzles in each."""
    took = min(seconds(make, seed) for seed in (100, 101))
    print(f"rounds: {4 * BLOCKS / took:,.0f} problems a second, on {2 * BLOCKS / took:,.0f} puzzles (goal: {GOAL})")


if __name__ == "__main__":
    main()
