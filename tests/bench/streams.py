"""Measure endless streams (`make bench`): rows a second in one process, and the time from a start to the first row."""

import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tom_datasets.streaming.endless import endless

STREAMS = {("hi_tom", "deep"): 1_200, ("mindgames", "forehead"): 6_000, ("mindgames", "deep"): 432}
"""The rows made of each stream: two chunks of deep stories, 42 of blocks, one of order blocks of each setup."""
ROUNDS = 2
FIRST = "from tom_datasets.streaming.endless import endless; endless({dataset!r}, {config!r}, seed=7)[0]"


def seconds(work, *args) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work(*args)
    return time.perf_counter() - start


def read(dataset: str, config: str, seed: int, count: int) -> None:
    """Make the first rows of a stream."""
    for _ in islice(endless(dataset, config, seed=seed), count):
        pass


def started(command: list[str]) -> None:
    """Run a program to its end."""
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> None:
    """Print the measurements, each the best of some rounds."""
    for (dataset, config), count in STREAMS.items():
        took = min(seconds(read, dataset, config, seed, count) for seed in range(ROUNDS))  # rows that no round knows
        code = FIRST.format(dataset=dataset, config=config)
        command = [sys.executable, "-c", code]
        first = min(seconds(started, command) for _ in range(ROUNDS))
        print(f"endless {dataset} {config}: {count / took:,.0f} rows a second; start to first row {first:.2f} s")


if __name__ == "__main__":
    main()
