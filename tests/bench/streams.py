"""Measure endless streams (`make bench`): rows a second in one process, and the time from a start to the first row."""

import subprocess
import sys
from itertools import islice

from timing import seconds

from tom_datasets.streaming.endless import endless

STREAMS = {("hi_tom", "deep"): 600, ("mindgames", "forehead"): 3_000, ("mindgames", "deep"): 432}
"""The rows made of each stream: one chunk of deep stories, 21 of blocks, one of order blocks of each setup."""
ROUNDS = 2
FIRST = "from tom_datasets.streaming.endless import endless; endless({dataset!r}, {config!r}, seed=7)[0]"


def read(dataset: str, config: str, seed: int, count: int) -> None:
    """Make the first rows of a stream."""
    list(islice(endless(dataset, config, seed=seed), count))


def main() -> None:
    """Print the measurements, each the best of some rounds."""
    for (dataset, config), count in STREAMS.items():
        took = min(seconds(read, dataset, config, seed, count) for seed in range(ROUNDS))  # rows that no round knows
        command = [sys.executable, "-c", FIRST.format(dataset=dataset, config=config)]
        first = min(seconds(subprocess.check_call, command) for _ in range(ROUNDS))
        print(f"endless {dataset} {config}: {count / took:,.0f} rows a second; start to first row {first:.2f} s")


if __name__ == "__main__":
    main()
