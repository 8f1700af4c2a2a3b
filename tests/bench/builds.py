"""Measure whole builds (`make bench`): with one process and two, once more with the scores kept, and as they once were.

The peer is this project at the commit BASE, before builds were made fast. All take the same sizes, in the same run.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASE = "2b24e9e"
SIZES = {
    "hi_tom": {
        "--train": 120, "--validation": 30, "--test": 120, "--tomh": 27, "--reproduction": 30,
        "--deep-train": 60, "--deep-validation": 30, "--deep": 120, "--ladder": 12,
    },
    "mindgames": {
        "--train": 60, "--validation": 20, "--test": 60, "--scale": 10, "--reproduction": 40,
        "--deep-train": 24, "--deep-validation": 0, "--deep": 24, "--ladder": 6,
    },
}  # fmt: skip
"""The sizes of the builds: a tenth of the default ones or less, so that all of `make bench` takes three minutes."""


def build(project: Path, out: Path, dataset: str, processes: int, *more: str) -> float:
    """Return the seconds that a build takes in a process of its own, start and all."""
    sizes = [str(word) for option in SIZES[dataset].items() for word in option]
    command = [sys.executable, "-m", "tom_datasets", "build", dataset, "--out", str(out), "--processes", str(processes)]
    start = time.perf_counter()
    subprocess.run([*command, *sizes, *more], cwd=project, check=True, capture_output=True)
    return time.perf_counter() - start


def checked_out(commit: str, folder: Path) -> Path | None:
    """Write the project as it was at a commit into a folder; return None where the commit is not here."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True)
    if archive.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def digests(out: Path) -> dict[str, bytes]:
    """Return the bytes of all tables of a build."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*.parquet"))}


def main() -> None:
    """Print the measurements, and raise AssertionError where builds of the same rows differ in a byte."""
    with tempfile.TemporaryDirectory() as folder:
        base, out = checked_out(BASE, Path(folder, "base")), Path(folder, "out")
        for dataset in SIZES:
            one = build(ROOT, out, dataset, 1)
            print(f"build {dataset}, a tenth of the default sizes or less: {one:.1f} s in one process")
            tables = digests(out)
            if dataset == "hi_tom":  # its rows take longest to score, and least to make
                measure_scores(out, one)
            shutil.rmtree(out)
            two = build(ROOT, out, dataset, 2)
            print(f"  in two processes, of {os.cpu_count()} cores: {one / two:.2f} times as fast")
            assert tables == digests(out), f"{dataset}: two processes wrote other bytes than one"
            shutil.rmtree(out)
            if base is None:
                print(f"  the commit {BASE} is not in this clone, so there is nothing to compare with")
                continue
            before = build(base, out, dataset, 1)
            print(f"  beside the commit {BASE}, in one process: {before / one:.2f} times as fast")
            shutil.rmtree(out)


def measure_scores(out: Path, scored: float) -> None:
    """Print how fast hi_tom is built where the scores of an earlier build are kept, and unscored."""
    again = build(ROOT, out, "hi_tom", 1, "--force", "--no-explanations")  # other bytes, but the probe sees the same
    bare = build(ROOT, out, "hi_tom", 1, "--force", "--probe", "none")
    print(f"  again, with the scores kept: {scored / again:.2f} times as fast; not scored: {scored / bare:.2f} times")


if __name__ == "__main__":
    main()
