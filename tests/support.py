"""What tests of several rooms need: where things are, running commands, comparing folders, digests of rows."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tom_datasets.__main__ import main
from tom_datasets.columns import UNSCORED
from tom_datasets.configs import size_options
from tom_datasets.dataset import dataset_named
from tom_datasets.splits import language_of_name, plain_name, world_of

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT.parent / "shared" / "reference"
"""Published data and recordings; tests that need them are skipped where the folder is absent."""
FILE = "2nd_order/test.parquet"

WHEEL_SOURCES = (
    "LICENSE README.md hi_tom.py mindgames.py pyproject.toml setup.py builders page probe templates"
).split()
"""What the wheel is built from."""

OF_ALL = {"config": "all", "language": "en"}  # what rows of the default config say of themselves, in English
# The golden builds: what `python -m tom_datasets build DATASET --seed 7 --probe none` with these sizes gives, on every
# Python from 3.11 to 3.13. docs/CONTRIBUTING.md says when a digest may change, and how.
SMALL = {
    "hi_tom": (
        "--train 12 --validation 6 --test 12 --tomh 36 --reproduction 6 --deep-train 12 --deep-validation 6 --deep 12"
        " --ladder 6 --abilities-train 6 --abilities-validation 2 --abilities 6 --plans 2"
        " --woven-train 4 --woven-validation 2 --woven 5"
    ).split(),
    "mindgames": (
        "--train 6 --validation 6 --test 6 --scale 6 --reproduction 4 "
        "--deep-train 6 --deep-validation 3 --deep 6 --ladder 6 --rounds-train 6 --rounds-validation 6 --rounds 6"
    ).split(),
}
# The least builds that have every file: `tiny_build` makes them once for all tests.
TINY = dict.fromkeys(("hi_tom", "mindgames"), ["--preset", "tiny"])
TINY_ROWS = {
    "hi_tom": 5 * (6 + 3 + 6 + 6 + 2 + 1 + 3)
    + 27
    + 6
    + 11 * (2 + 2 + 6)
    + 2
    + (4 + 2 + 4)
    + 2 * (5 * 6 + 5 * 3 + 6 + 11 * 6 + 4)
    + 3 * (5 * 6 + 5 * 3 + 6 + 4),
    "mindgames": 4 * 4 * (6 + 3 + 6 + 1)
    + 4 * 4
    + 4 * 3 * (1 + 1 + 1 + 1 + 1 + 1 + 6)
    + (2 + 2) * 4 * (4 * 6 + 3 * (1 + 1 + 6)),
}
GOLDEN_ROWS = {
    "hi_tom": "cfec3d43dfa661ca7a2e47ad91fd58609fb4afa2159b73d11aa68a04417acf1c",
    "hi_tom deep": "93d424ff25157b0c48d450224fa5c1fe335a20ede2c3d8088f2c35d941c2e571",
    "hi_tom spoken": "c1a0536511f845e9d2c0cc23c18e63e49d06f96b22b69378731f0833cb128acc",
    "hi_tom told": "bd70687bab9ed805581596ac3fe75e8bc34ec768badd74c772611594d0fef5f2",
    "mindgames": "de694647d206358aa0b9a75696f23e195cc13160ac27c1b05bc618ce9f3cbede",
    "mindgames deep": "a0717fb68cd73e02c214a5332dba89468804b42f8cd64f883b3101f6f531c6a3",
    "mindgames spoken": "0a79364a72f23edb69dcab1e4a18ca24b32192c9b017272fd4bda64b9aff96c8",
    "mindgames told": "4947dff77ff1b313c5d199005910f8445958e9fb4beaa046d554789a1de77b7e",
}
GOLDEN_BYTES = {
    "hi_tom": "aec00c14989d2223401c4a03587d8928b5dfc4da253ee791e7664c605503f888",
    "hi_tom deep": "65a294d86f542dcad316c761c6d52746e21c20370c4309f72c992109db5648fb",
    "hi_tom spoken": "f6519fe14d6e75a7f7bf1c2be1fc42c2690a8b1a412d458a17678deef1290d44",
    "hi_tom told": "5d392ca0bbb42b8d510d0e96cec59909f6f8416928fe2b9465bef4596dea8f3b",
    "mindgames": "df87400e45be0db1c937afa6c24ff42014ad12f0c16052f97d4c2c611b54e211",
    "mindgames deep": "a0bff8dca9369244821f6735c792ab29e5f5901518c73f2821618d5773772a31",
    "mindgames spoken": "452f024cd10245d3f2286d344fb492c8677d9569e8ff6bf838f8292f5dd79a7a",
    "mindgames told": "e070ce8d4fdcc68dd3a18c41c09a971809b7d5b437c4fdd67ae635bd513f49d2",
}


def refused(result, *words, code=1, is_whole=None):
    """Assert that a command ended with `code`, printed nothing, and wrote one line on stderr that holds these words.

    is_whole: the whole line, where the test reads it whole.
    """
    exit_code, printed, message = result
    assert is_whole in (None, message)
    assert exit_code == code, message
    assert message.startswith("error: ") and message.endswith("\n") and message.count("\n") == 1, message
    assert "Traceback" not in message
    assert printed == ""
    for word in words:
        assert word in message


def build(out, name, *words):
    """Build a dataset in this process, in a folder; return that folder."""
    assert main(["build", name, "--out", str(out), *map(str, words)]) == 0
    return out


def sized(name, **sizes):
    """Return the words that give a build of a dataset these sizes, and no rows of any other split.

    A config that is added later thus costs the tests that do not name it no time.
    """
    options = [option.name for option in size_options(dataset_named(name).built)]
    assert set(sizes) <= set(options), f"{name} has the sizes {options}"
    return [word for option in options for word in (f"--{option.replace('_', '-')}", str(sizes.get(option, 0)))]


def tree(top):
    """Return (mode, time of change, content) of everything under a path, by its path. Links are not followed."""
    entries = {}
    for path in sorted([top, *top.rglob("*")]):
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        entries[path.relative_to(top.parent).as_posix()] = (path.lstat().st_mode, path.lstat().st_mtime_ns, content)
    return entries


def contents(top):
    """Return the bytes of every file under a folder."""
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def listed(top):
    """Return the names in a folder."""
    return sorted(path.name for path in top.iterdir())


def copy_sources(folder):
    """Copy what the wheel is built from into a folder."""
    for name in WHEEL_SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)


def start(*argv, **more):
    """Start a command in a process of its own, from the repository's root."""
    command = [sys.executable, "-m", "tom_datasets", *map(str, argv)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def make(folder, *words, **environment):
    """Run make in a folder, without the variables of a make that runs these tests."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(
        ["make", "-s", *words], cwd=folder, env={**inherited, **environment}, capture_output=True, text=True
    )


def ended(process):
    """Wait for a started command. Return (exit code, stdout, stderr)."""
    try:
        printed, message = process.communicate(timeout=60)
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


def tables(folder: Path, part: str) -> list[Path]:
    """Return the Parquet files of a folder: " deep", " spoken" in other languages, " told" in worlds, or others, ""."""

    def part_of(config: str) -> str:
        if plain_name(config) != config:
            return " told" if world_of(language_of_name(config)) else " spoken"
        return " deep" if config in ("deep", "ladder", "abilities", "plans", "woven", "rounds") else ""

    files = [file for file in sorted(folder.rglob("*.parquet")) if part_of(file.parent.name) == part]
    assert files, f"{folder} has none of these files"
    return files


def rows_digest(folder: Path, part: str = "") -> str:
    """Return one digest of all rows but their scores, whatever wrote the Parquet."""
    together = hashlib.sha256()
    for file in tables(folder, part):
        for row in pq.read_table(file).to_pylist():
            known = sorted((column, value) for column, value in row.items() if column not in UNSCORED)
            together.update(repr(known).encode())
    return together.hexdigest()


def bytes_digest(folder: Path, part: str = "") -> str:
    """Return one digest of the bytes of all Parquet files."""
    together = hashlib.sha256()
    for file in tables(folder, part):
        together.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return together.hexdigest()


def embedded_smcdel() -> str:
    """Return the shell command that runs this project's own checker as the program smcdel, without its arguments."""
    imports = "from tom_datasets.logic.s5 import Checker; from tom_datasets.logic.smcdel.answers import main"
    return shlex.join([sys.executable, "-c", f"import sys; {imports}; sys.exit(main(sys.argv[1], Checker))"])


def recorded(name: str) -> list[dict]:
    """Return what SMCDEL 1.3.0 answered to inputs: each with name, stdin, stdout, stderr and returncode."""
    return json.loads((ROOT / "tests/logic/smcdel" / name).read_text(encoding="utf-8"))


SMCDEL_RECORDINGS = recorded("transcripts.json")  # inputs written by hand, one for each rule of the language
SMCDEL_RANDOM_RECORDINGS = recorded("recordings.json")  # random inputs, most of them refused somewhere


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
    "Ann secretly watched the hall from outside.",
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
SECRETS = numbered(
    "Ann, Ben, Cleo, Dan and Eve entered the hall.",
    "The pear is in the box.",
    "Ann exited the hall.",
    "Ann secretly watched the hall from outside.",
    "Ben exited the hall.",
    "Ben secretly watched the hall from outside, and noticed Ann watching it.",
    "Cleo exited the hall.",
    "Cleo secretly watched the hall from outside, and noticed Ann and Ben watching it.",
    "Dan moved the pear to the crate.",
    "Dan exited the hall.",
    "Eve moved the pear to the tub.",
    "Eve exited the hall.",
    "Ann, Ben, Cleo, Dan and Eve entered the waiting_room.",
    "Eve privately told Ann that the pear is in the jar now.",
    "Ben overheard this unnoticed.",
    "Dan overheard this unnoticed, and noticed Ben listening.",
    "Dan privately told Ben and Eve that Cleo thinks the pear is in the vase now.",
    "Ann overheard this unnoticed.",
)


SOUND_RECORD = {"dataset": "hi_tom", "generator_version": "", "request": {"all": {}}, "sources": ""}
SOUND_RECORD["files"] = {"data.txt": {"rows": 0, "sha256": ""}}
DAMAGED_RECORDS = {
    b"": "it is empty",
    b"built yesterday": "it is not JSON: Expecting value: line 1 column 1 (char 0)",
    json.dumps(SOUND_RECORD).encode()[:40]: "it is not JSON: ",
    b"\xff": "it is not UTF-8 text",
    b"[" * 100_000: "it is not JSON: maximum recursion depth exceeded",
    b"[]": "it is not a JSON object",
    b"7": "it is not a JSON object",
    b"null": "it is not a JSON object",
    b'{"of": "others"}': "it has no field dataset",
    **{
        json.dumps(SOUND_RECORD | change).encode(): f"its field {field} must hold what a build writes there"
        for field, values in {
            "dataset": [7, None],
            "generator_version": [7],
            "request": [[], {}, {"all": 7}, "all"],
            "sources": [None],
            "files": [
                {},
                ["a"],
                {"a": 7},
                {"a": {}},
                {"a": {"rows": "1", "sha256": ""}},
                {"a": {"rows": 1, "sha256": 7}},
                *({file: {"rows": 1, "sha256": ""}} for file in ("../a", "/a")),
            ],
        }.items()
        for change in ({field: value} for value in values)
    },
}
"""Damaged records of hi_tom, and what is said of each."""
