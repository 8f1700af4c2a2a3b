"""Measure whole builds (`make bench`): with one process and two, with the scores kept, and unscored."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import seconds

SIZES = {
    "hi_tom": "--train 120 --validation 30 --test 120 --tomh 27 --reproduction 30 "
    "--deep-train 60 --deep-validation 0 --deep 60 --ladder 12 "
    "--abilities-train 12 --abilities-validation 0 --abilities 12 --plans 6 "
    "--woven-train 12 --woven-validation 0 --woven 12",
    "mindgames": "--train 30 --validation 10 --test 30 --scale 5 --reproduction 20 "
    "--deep-train 12 --deep-validation 0 --deep 12 --ladder 6 "
    "--rounds-train 12 --rounds-validation 0 --rounds 12",
}
"""The sizes of the builds: a tenth of the default ones or less, so that all of `make bench` takes a few minutes."""


def build(out: Path, dataset: str, processes: int, *more: str) -> float:
    """Return the seconds that a build takes in a process of its own, start and all."""
    command = [sys.executable, "-m", "tom_datasets", "build", dataset, "--out", str(out), "--processes", str(processes)]
    return seconds(subprocess.check_output, [*command, *SIZES[dataset].split(), *more])


def tables(out: Path) -> dict[str, bytes]:
    """Return the bytes of all tables of a build."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*.parquet"))}


def main() -> None:
    """Print the measurements, and raise AssertionError where two processes write other bytes than one."""
    for dataset in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            first, second = Path(folder, "1"), Path(folder, "2")
            one = build(first, dataset, 1)
            print(f"build {dataset}, a tenth of the default sizes or less: {one:.1f} s in one process")
            two = build(second, dataset, 2)
            print(f"  in two processes, of {os.cpu_count()} cores: {one / two:.2f} times as fast")
            assert tables(first) == tables(second), f"{dataset}: two processes wrote other bytes than one"
    with tempfile.TemporaryDirectory() as folder:  # these rows take longest to score, and least to make
        scored, *others = (
            build(Path(folder), "hi_tom", 1, "--only", "all", "--force", *more)
            for more in ((), ["--no-explanations"], ["--probe", "none"])  # the probe sees the same without explanations
        )
        kept, unscored = (f"{scored / other:.2f} times as fast" for other in others)
        print(f"build hi_tom, all alone: again, with the scores kept, {kept}; not scored, {unscored}")


if __name__ == "__main__":
    main()
