"""Measure parts beside the same parts of an older commit: `.venv/bin/python tests/bench/before.py [COMMIT]`.

Both are imported into one process, and take turns. Without a commit it is the one before order blocks were chosen
together from a pool. A ratio below 1 means that the parts are faster now.
"""

import importlib
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from timing import in_turn

COMMIT = "712e3b8"
ROOT = Path(__file__).resolve().parents[2]
NOW, BEFORE = "tom_datasets", "tom_before"
ROUNDS = 2
BLOCKS, STORIES, DEEP_STORIES = 36, 120, 20


def older(folder: Path, commit: str) -> None:
    """Write the package of a commit into a folder, as one that can be imported under the name BEFORE."""
    command = ["git", "-C", str(ROOT), "archive", commit, "builders", "page", "probe", "templates"]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], check=True, input=packed)  # Python 3.11.3 has no filter yet
    package = (folder / "builders").rename(folder / BEFORE)
    for data in ("page", "probe", "templates"):
        (folder / data).rename(package / data)


def module(package: str, name: str) -> Any:
    """Return a module of either package."""
    return importlib.import_module(f"{package}.{name}")


def blocks(package: str, setup: str) -> None:
    """Draw order blocks of a setup, as many as stand in a test split of BLOCKS."""
    rows = module(package, "logic.rows")
    rows._plan_of.cache_clear()  # else the second round finds the blocks of the first
    rows.plan_of(replace(module(package, "logic.config").DEEP, train=None, validation=None, test=BLOCKS), setup)


def stories(package: str, name: str, count: int) -> None:
    """Make the rows of the first stories of a config, with explanations, not scored."""
    known, rows = module(package, "story.config"), module(package, "story.rows")
    config = replace(getattr(known, name), train=count, scorer=None)
    for index, settled in enumerate(rows.plan_of(config, "train")):
        rows.story_rows(config, "train", index, *settled)


def main() -> None:
    """Print the ratios, each of the least times of ROUNDS rounds."""
    commit = sys.argv[1] if sys.argv[1:] else COMMIT
    parts = {f"{BLOCKS} order blocks of {setup}": (blocks, setup) for setup in ("forehead", "internal", "explicit")}
    parts |= {
        f"{STORIES} stories": (stories, "ALL", STORIES),
        f"{DEEP_STORIES} deep stories": (stories, "DEEP", DEEP_STORIES),
    }
    with tempfile.TemporaryDirectory() as folder:
        try:
            older(Path(folder), commit)
        except subprocess.CalledProcessError as error:
            sys.exit(f"error: no commit {commit} here to compare with: {error.stderr.decode().strip()}")
        sys.path.append(folder)
        for part, (work, *args) in parts.items():
            took = in_turn({package: (work, package, *args) for package in (NOW, BEFORE)}, ROUNDS)
            print(
                f"{part}: {took[NOW] / took[BEFORE]:.2f} times as long as at {commit}, {1000 * took[NOW]:,.0f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
