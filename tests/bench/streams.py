"""Measure endless streams (`make bench`): rows a second in one process, and the time from a start to the first row."""

import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from builders.streaming.endless import endless

STREAMS = {("hi_tom", "deep"): 1_200, ("mindgames", "forehead"): 6_000}
"""The rows that are made of each stream: two chunks of deep stories, 25 of blocks."""
ROUNDS = 3
FIRST = "from builders.streaming.endless import endless; endless({dataset!r}, {config!r}, seed=7)[0]"


def seconds(work) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def read(dataset: str, config: str, count: int) -> None:
    """Make the first rows of a stream."""
    for _ in islice(endless(dataset, config, seed=7), count):
        pass


def main() -> None:
    """Print the measurements, each the best of some rounds."""
    for (dataset, config), count in STREAMS.items():
        took = min(seconds(lambda: read(dataset, config, count)) for _ in range(ROUNDS))  # noqa: B023
        code = FIRST.format(dataset=dataset, config=config)
        command = [sys.executable, "-c", code]
        first = min(seconds(lambda: subprocess.run(command, cwd=ROOT, check=True)) for _ in range(ROUNDS))  # noqa: B023
        print(f"endless {dataset} {config}: {count / took:,.0f} rows a second; start to first row {first:.2f} s")


if __name__ == "__main__":
    main()
