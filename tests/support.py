"""Own what tests of several rooms need: where things are, running commands, comparing folders, digests of rows."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from builders.difficulty.columns import UNSCORED

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT.parent / "shared" / "reference"
"""Published data and recordings; tests that need them are skipped where the folder is absent."""
FILE = "2nd_order/test.parquet"

WHEEL_SOURCES = [
    "LICENSE",
    "README.md",
    "builders",
    "hi_tom.py",
    "mindgames.py",
    "page",
    "probe",
    "pyproject.toml",
    "setup.py",
    "templates",
]
"""What the wheel is built from."""

# The golden builds: what `python -m builders build DATASET --seed 7 --probe none` with these sizes gives, on every
# Python from 3.11 to 3.13. docs/CONTRIBUTING.md says when a digest may change, and how.
SMALL = {
    "hi_tom": (
        "--train 12 --validation 6 --test 12 --tomh 36 --reproduction 6 --deep-train 12 --deep-validation 6 --deep 12"
        " --ladder 6"
    ).split(),
    "mindgames": (
        "--train 6 --validation 6 --test 6 --scale 6 --reproduction 4 "
        "--deep-train 6 --deep-validation 3 --deep 6 --ladder 6"
    ).split(),
}
# The least builds that have every file: `tiny_build` makes them once for all tests.
TINY = dict.fromkeys(("hi_tom", "mindgames"), ["--preset", "tiny"])
TINY_ROWS = {
    "hi_tom": 5 * (6 + 3 + 6) + 27 + 5 * 6 + 5 * (2 + 1 + 3) + 6,
    "mindgames": 4 * 4 * (6 + 3 + 6 + 1) + 4 * 4 + 4 * 3 * (1 + 1 + 1 + 1),
}
GOLDEN_ROWS = {
<<<<<<< HEAD
    "hi_tom": "c7e684ee49c99a103b99165c82df8167fe52700c39e44c1a35a332b1281a49de",
    "hi_tom deep": "25d79bc658b1e6bd80ed8fe92975c34d57a815518e735e4ea514be0359762a51",
    "mindgames": "c692bdb96eee91a86911e6fd2b961a75eb728a1e9d841adfe647577539dd61e8",
    "mindgames deep": "000689c85f1e13ef66dd9ad2f1a5f28912e06a7c3c69c8a7ef6225b3b215f27a",
}
GOLDEN_BYTES = {
    "hi_tom": "7c451ac2d618b9e102dab620c8554ce8f5a1d22b593761c7b8aa1c63870c5225",
    "hi_tom deep": "17be0eb08c623df3cd652b38e0df9dba9a0ff79f0dd5932a7c9fd8638ac0c4b4",
    "mindgames": "7f56ed7de0cda18ab1ce2ea8bbc9f4554ade485790e13c202929157de7cee590",
    "mindgames deep": "99e3970244a397acd1454ca5fdf0be9404c6d89e14a2ca098fa07faf00d505b5",
=======
    "hi_tom": "061341d8b82af6178121474506fb4a318a0b555ad30b3d601182af2649c43903",
    "hi_tom deep": "7ece2b8e9fd4e591cdfcbe63d67aaf62dc9e37ed69c369eab9229ccb09371377",
    "mindgames": "08a5d17e19cbc0d27923819b02aaaafd2f72441f27892e8f1e28e59f9ba07f19",
    "mindgames deep": "a7ba1ad03fc4fd1df878ad56979ab97644d3ab0ac8142ae254326716124bc96c",
}
GOLDEN_BYTES = {
    "hi_tom": "30e6705b7eff8138f729076a55e71a1ea09aca122b3109af23725be08ec794c6",
    "hi_tom deep": "7d1c57c735f79af2554ac4ab9774fe25946a0e16425cc1f4304f38c191038bb0",
    "mindgames": "22fac7b76e3a0b9b8b546f8bf8c0f189c20ee0d6b6e76467d6431a2d13b96a5c",
    "mindgames deep": "56b03cd9b52de3d8c6d614cc9ed321acc8f23ec187691c4ab86ae177bb51ede0",
>>>>>>> i26-steps
}


def refused(result, *words, code=1):
    """Assert that a command ended with `code`, printed nothing, and wrote one line on stderr that holds these words."""
    exit_code, printed, message = result
    assert exit_code == code, message
    assert message.startswith("error: ") and message.endswith("\n") and message.count("\n") == 1, message
    assert "Traceback" not in message
    assert printed == ""
    for word in words:
        assert word in message


def tree(top):
    """Return (mode, time of change, content) of everything under a path, by its path. Links are not followed."""
    entries = {}
    for path in sorted([top, *top.rglob("*")]):
        facts = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        else:
            content = path.read_bytes() if path.is_file() else None
        entries[path.relative_to(top.parent).as_posix()] = (facts.st_mode, facts.st_mtime_ns, content)
    return entries


def contents(top):
    """Return the bytes of every file under a folder."""
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def listed(top):
    """Return the names in a folder."""
    return sorted(path.name for path in top.iterdir())


def start(*argv, **more):
    """Start a command in a process of its own, from the repository's root."""
    return subprocess.Popen(
        [sys.executable, "-m", "builders", *map(str, argv)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
    )  # fmt: skip


def ended(process):
    """Wait for a started command. Return (exit code, stdout, stderr)."""
    try:
        printed, message = process.communicate(timeout=20)
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, printed, message


def spoil(target, change, file=FILE):
    """Let `change` alter the rows of a Parquet file in place, and their number in the record of the folder."""
    schema = pq.read_schema(target / file)
    rows = pq.read_table(target / file).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), target / file)
    record = json.loads((target / "build.json").read_text())
    record["files"][file]["rows"] = len(rows)
    (target / "build.json").write_text(json.dumps(record))
    return rows


def set_to(column, change):
    """Return a change of one column of one row."""

    def changed(row):
        row[column] = change(row[column])

    return changed


def table_of(printed, group):
    """Return a printed table's column as numbers by rule."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.split("\n") if line.startswith("|")]
    column = {line[0]: line[lines[0].index(group)] for line in lines[2:]}
    return {rule: float(cell.split(" ")[0].replace(",", "")) for rule, cell in column.items() if cell}


def tables(folder: Path, deep: bool) -> list[Path]:
    """Return the Parquet files of a folder: those of deep and ladder, or the others."""
    return [file for file in sorted(folder.rglob("*.parquet")) if (file.parent.name in ("deep", "ladder")) == deep]


def rows_digest(folder: Path, deep: bool = False) -> str:
    """Return one digest of all rows but their scores, whatever wrote the Parquet."""
    together = hashlib.sha256()
    for file in tables(folder, deep):
        for row in pq.read_table(file).to_pylist():
            known = sorted((column, value) for column, value in row.items() if column not in UNSCORED)
            together.update(repr(known).encode())
    return together.hexdigest()


def bytes_digest(folder: Path, deep: bool = False) -> str:
    """Return one digest of the bytes of all Parquet files."""
    together = hashlib.sha256()
    for file in tables(folder, deep):
        together.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return together.hexdigest()


def embedded_smcdel() -> str:
    """Return the shell command that runs this project's own checker as the program smcdel, without its arguments."""
    checker = "from builders.logic.s5 import Checker"
    code = (
        f"import sys; {checker}; from builders.logic.smcdel.answers import main; sys.exit(main(sys.argv[1:], Checker))"
    )
    return f"env PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def recorded(name: str) -> list[dict]:
    """Return what SMCDEL 1.3.0 answered to inputs: each with name, stdin, stdout, stderr and returncode."""
    return json.loads((ROOT / "tests/logic/smcdel" / name).read_text(encoding="utf-8"))


SMCDEL_RECORDINGS = recorded("transcripts.json")
"""Inputs written by hand, one for each rule of the language."""
SMCDEL_RANDOM_RECORDINGS = recorded("recordings.json")
"""Random inputs, most of them refused somewhere."""


def shell_script(path: Path, body: str) -> str:
    """Write an executable shell script; return its path."""
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def pinned(package: str) -> str:
    """Return the version of a package in requirements.txt."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.startswith(f"{package}=="))


def numbered(*sentences):
    """Return the sentences as the numbered lines of a story."""
    return "\n".join(f"{number} {sentence}" for number, sentence in enumerate(sentences, 1))


DEEP = numbered(
    "Ann, Ben, Cleo and Dan entered the hall.",
    "The pear is in the box.",
    "Ann exited the hall.",
    "Ann secretly watched the hall through the window.",
    "Ben moved the pear to the crate.",
    "Ben exited the hall.",
    "Cleo moved the pear to the drawer.",
    "Cleo exited the hall.",
    "Dan moved the pear to the tub.",
    "Dan exited the hall.",
    "Ann, Ben, Cleo and Dan entered the waiting_room.",
    "Ben publicly claimed that the pear is in the jar now.",
    "Cleo privately told Ben that the pear is in the vase now.",
)
