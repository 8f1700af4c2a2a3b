"""What needs an environment of its own (`make test-environments`): datasets 3.6, other Pythons, a fresh clone."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_hi_tom import GOLDEN_BYTES, GOLDEN_ROWS, ROOT, SMALL, bytes_digest, rows_digest

import hi_tom

pytestmark = pytest.mark.environments

# The last datasets that runs loading scripts, with the newest packages that it takes.
DATASETS_3_6 = ["datasets==3.6.0", "huggingface_hub<1", "pandas<3", "jinja2", "setuptools>=77"]
SIZES = {"train": 30, "validation": 15, "test": 15}
LOAD = """
import json, sys
from datasets import load_dataset
path, config, cache, fields = sys.argv[1:]
dataset = load_dataset(path, config, trust_remote_code=True, cache_dir=cache, **json.loads(fields))
print(json.dumps({split: rows.to_list() for split, rows in dataset.items()}))
"""


def run(command: list, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return what it prints; what it says on failure is shown.

    A make that runs the tests is not to speak through the one that is run here.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, env={**inherited, **environment}
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


def environment(name: str, python: str, packages: list[str]) -> Path:
    """Return the Python of an environment under .venvs, made where it is not yet there or wants other packages."""
    folder = ROOT / ".venvs" / name
    pins = (ROOT / "requirements.txt").read_text()
    wanted = hashlib.sha256(json.dumps([python, packages, pins]).encode()).hexdigest()
    ready = folder / ".ready"
    if not ready.is_file() or ready.read_text() != wanted:
        run([python, "-m", "venv", "--clear", folder])
        run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages])
        ready.write_text(wanted)
    return folder / "bin" / "python"


def other_pythons() -> dict[str, str]:
    """Return the Pythons of the supported versions, besides this one, that are installed and run."""
    found = {}
    roots = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"]
    for minor in ("3.11", "3.12", "3.13"):
        if minor == f"{sys.version_info.major}.{sys.version_info.minor}":
            continue
        known = [str(path) for root in roots for path in sorted(root.glob(f"{minor}.*/bin/python"))]
        for python in filter(None, [shutil.which(f"python{minor}"), *known]):
            asked = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
                                   capture_output=True, text=True)  # fmt: skip
            if asked.stdout.strip() == minor:
                found[minor] = python
                break
    return found


# datasets 3.6 runs hi_tom.py as a loading script.


@pytest.fixture(scope="module")
def old_datasets() -> Path:
    return environment("datasets-3.6", sys.executable, DATASETS_3_6)


def expected(config: str, seed: int) -> dict[str, list[dict]]:
    """Return the rows that this environment makes."""
    builder = next(each for each in hi_tom.HiTom.BUILDER_CONFIGS if each.name == config)
    settings = hi_tom.HiTomConfig(**{**builder.__dict__, **SIZES, "seed": seed})
    return {
        split: [
            row
            for index, settled in enumerate(hi_tom.plan_of(settings, split))
            for row in hi_tom.story_rows(settings, split, index, *settled)
        ]
        for split in SIZES
    }


@pytest.mark.parametrize("config", ["4th_order", "all"])
def test_the_script_gives_the_same_rows_from_the_root(old_datasets, tmp_path, config):
    fields = json.dumps({**SIZES, "seed": 7})
    made = json.loads(run([old_datasets, "-c", LOAD, "./hi_tom.py", config, tmp_path, fields]))
    assert made == expected(config, 7)


def test_the_line_of_the_readme_loads_all_three_splits(old_datasets, tmp_path):
    """As written, with the default sizes."""
    line = re.search(r'load_dataset\("\./hi_tom\.py".*?\)', (ROOT / "README.md").read_text())[0]
    code = f"from datasets import load_dataset; d = {line}; print(*(f'{{s}} {{len(d[s])}}' for s in d))"
    printed = run([old_datasets, "-c", code], HF_HOME=str(tmp_path))
    assert printed.split() == ["train", "2400", "validation", "240", "test", "480"]


def test_the_script_runs_anywhere_with_the_project_installed(tmp_path):
    python = environment("datasets-3.6-installed", sys.executable, DATASETS_3_6)
    source = tmp_path / "source"  # pip builds beside what it installs: not in the repository
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv*", "hi_tom", ".*cache", "__pycache__"))
    run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", source])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(ROOT / "hi_tom.py", elsewhere)
    fields = json.dumps({**SIZES, "seed": 7})
    made = json.loads(run([python, "-c", LOAD, "./hi_tom.py", "4th_order", tmp_path, fields], cwd=elsewhere))
    assert made == expected("4th_order", 7)


# The same bytes on the other Pythons.


@pytest.mark.parametrize("minor", ["3.11", "3.12", "3.13"])
def test_another_python_gives_the_golden_bytes(tmp_path, minor):
    if minor == f"{sys.version_info.major}.{sys.version_info.minor}":
        pytest.skip("this Python: tests/test_hi_tom.py")
    pythons = other_pythons()
    if minor not in pythons:
        pytest.skip(f"no Python {minor} is installed")
    python = environment(f"python-{minor}", pythons[minor], ["-r", str(ROOT / "requirements.txt")])
    run([python, "-m", "builders", "build", "hi_tom", "--out", tmp_path, "--seed", "7", *SMALL])
    assert rows_digest(tmp_path / "hi_tom") == GOLDEN_ROWS
    assert bytes_digest(tmp_path / "hi_tom") == GOLDEN_BYTES


# The README in a fresh clone.


def blocks(language: str) -> list[str]:
    """Return the README's code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_readme_in_a_fresh_clone(tmp_path):
    """Every `$` line is run, in order, and prints what the README shows; then its Python runs beside the folder."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository to clone")
    clone = tmp_path / "clone"
    run(["git", "clone", "--quiet", ROOT, clone])
    run(["make", f"PYTHON={sys.executable}", ".venv/.ready"], cwd=clone)
    commands = [part.partition("\n") for block in blocks("console") for part in block.split("$ ")[1:]]
    assert [command for command, _, _ in commands if command.startswith("make")] == [
        "make build",
        "make build",
        "make check",
        "make audit",
    ]
    for command, _, shown in commands:
        assert run(command.split(), cwd=clone).strip() == shown.strip(), command
    for code in blocks("python"):
        run([clone / ".venv" / "bin" / "python", "-c", code], cwd=clone, HF_HOME=str(tmp_path / "cache"))
    run(["make", "build", "DATASET=hi_tom", "SEED=7", "OUT=somewhere", f"ARGS={' '.join(SMALL)}"], cwd=clone)
    assert rows_digest(clone / "somewhere" / "hi_tom") == GOLDEN_ROWS
    run(["make", "clean", "OUT=somewhere"], cwd=clone)
    assert not (clone / "somewhere" / "hi_tom").exists() and not (clone / ".venv").exists()
    assert (clone / "hi_tom").is_dir(), "clean deletes the folder it is asked about"
    assert run(["git", "status", "--porcelain", "--untracked-files=no"], cwd=clone) == ""
