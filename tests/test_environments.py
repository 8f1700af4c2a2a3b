"""Tests with older clients, with other Pythons and in a fresh clone (`make test-environments`)."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fake_hub import Hub
from probing import PROBES, give_other_weights
from publishing import client_environment, published_files
from support import GOLDEN_BYTES, GOLDEN_ROWS, ROOT, SMALL, bytes_digest, contents, copy_sources, pinned, rows_digest

from tom_datasets.builds.making import rows_of_split
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.folder.build import Build
from tom_datasets.hi_tom.builder import HiTom
from tom_datasets.mindgames.builder import MindGames

pytestmark = pytest.mark.environments

BESIDE = "click dd Jinja2 matplotlib numpy onnxruntime pyarrow pytest pytest-xdist scikit-learn tqdm".split()
PIP = [sys.executable, "-m", "pip", "--python"]
EDITABLE = "install --quiet --disable-pip-version-check --no-deps --editable".split()
WITHOUT_PROBE = "click datasets dd Jinja2 numpy pyarrow tqdm".split()  # what a build without a probe needs
CLIENTS = {
    "oldest": ("datasets==3.6.0", "huggingface_hub==0.36.0", "pandas<3", "setuptools>=77"),
    "a-year-old": ("datasets==4.4.1", "huggingface_hub==1.1.5"),
}
"""Older clients that publish and read back, as those of `.venv` do. Only datasets 3.6 runs loading scripts."""
SIZES = {"train": 30, "validation": 15, "test": 15}
LOAD = """
import json, sys
from datasets import load_dataset
path, config, cache, fields = sys.argv[1:]
dataset = load_dataset(path, config, trust_remote_code=True, cache_dir=cache, **json.loads(fields))
print(json.dumps({split: rows.to_list() for split, rows in dataset.items()}))
"""
LOAD_ALL = """
import hashlib, json, sys
from datasets import get_dataset_config_names, load_dataset
digests = {}
for config in get_dataset_config_names(sys.argv[1]):
    for split, rows in load_dataset(sys.argv[1], config, verification_mode="all_checks").items():
        streamed = load_dataset(sys.argv[1], config, split=split, streaming=True)
        assert rows.to_list() == list(streamed) and rows.features == streamed.features, (config, split)
        text = json.dumps([rows.features.arrow_schema.types, rows.to_list()], default=str)
        digests[f"{config} {split}"] = hashlib.sha256(text.encode()).hexdigest()
print(json.dumps(digests))
"""
"""Prints by config and split a digest of the types and rows of a folder or a repository, loaded and streamed."""


def run(command: list, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return what it prints. Fail with all its output if it fails.

    The variables of a make that runs these tests are kept from a make that is run here.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    words, environment = [str(word) for word in command], {**inherited, **environment}
    completed = subprocess.run(words, cwd=cwd, capture_output=True, text=True, env=environment)
    assert completed.returncode == 0, f"{command}: {completed.stdout}\n{completed.stderr}"
    return completed.stdout


def environment(name: str, python: str, packages: list[str]) -> Path:
    """Return the Python of an environment under .venvs. Make it if it is missing or has other packages."""
    folder = ROOT / ".venvs" / name
    pins = (ROOT / "requirements.txt").read_text()
    digest = hashlib.sha256(json.dumps([python, packages, pins]).encode()).hexdigest()
    ready = folder / ".ready"
    if not ready.is_file() or ready.read_text() != digest:
        run([python, "-m", "venv", "--clear", "--without-pip", folder])
        run([*PIP, folder / "bin" / "python", "install", "--quiet", "--no-compile", *packages])
        run([*PIP, folder / "bin" / "python", *EDITABLE, ROOT])
        ready.write_text(digest)
    return folder / "bin" / "python"


def with_clients(age: str) -> Path:
    """Return the Python of an environment with older clients. Those of a year ago take Python 3.12, if it is there."""
    python = other_pythons().get("3.12", sys.executable) if age == "a-year-old" else sys.executable
    return environment(age, python, [*CLIENTS[age], *(f"{package}=={pinned(package)}" for package in BESIDE)])


def other_pythons() -> dict[str, str]:
    """Return the installed Pythons of the other supported versions, by version."""
    pythons = {}
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in ("3.11", "3.12", "3.13"):
        if minor == f"{sys.version_info.major}.{sys.version_info.minor}":
            continue
        candidates = map(str, sorted(versions.glob(f"{minor}.*/bin/python")))
        for python in filter(None, [shutil.which(f"python{minor}"), *candidates]):
            version = subprocess.run([python, "--version"], capture_output=True, text=True)
            if version.stdout.startswith(f"Python {minor}."):
                pythons[minor] = python
                break
    return pythons


# datasets 3.6 runs hi_tom.py and mindgames.py as loading scripts.


def expected(script: str, config: str, seed: int) -> dict[str, list[dict]]:
    """Return the rows that this environment makes."""
    settings = replace({"hi_tom": HiTom, "mindgames": MindGames}[script].builder_configs[config], **SIZES, seed=seed)
    return {split: list(rows_of_split(script, settings, split)) for split in SIZES}


@pytest.mark.parametrize(("script", "config"), [("hi_tom", "all"), ("mindgames", "explicit")])
def test_the_script_gives_the_same_rows_from_the_root(tmp_path, script, config):
    fields = json.dumps({**SIZES, "seed": 7})
    made = json.loads(run([with_clients("oldest"), "-c", LOAD, f"./{script}.py", config, tmp_path, fields]))
    assert made == expected(script, config, 7)


def test_the_scripts_run_anywhere_with_the_project_installed(tmp_path):
    python = with_clients("oldest")
    source, site, elsewhere = tmp_path / "source", tmp_path / "site", tmp_path / "elsewhere"
    source.mkdir()  # pip builds beside what it installs: not in the repository
    elsewhere.mkdir()
    copy_sources(source)
    run([*PIP, python, "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site, source])
    fields = json.dumps({**SIZES, "seed": 7})
    for script, config in (("hi_tom", "4th_order"), ("mindgames", "forehead")):
        shutil.copy(ROOT / f"{script}.py", elsewhere)
        load = [python, "-c", LOAD, f"./{script}.py", config, tmp_path, fields]
        assert json.loads(run(load, cwd=elsewhere, PYTHONPATH=str(site))) == expected(script, config, 7)


# Older clients publish, read back, load what is built, and build the same bytes. Other tests do so with the newest.


@pytest.mark.parametrize("age", CLIENTS)
def test_publishing_with_supported_clients(age):
    # Faults that are waited for, and interrupts, are tried with the oldest and the newest clients.
    chosen = "not environments" if age == "oldest" else "not environments and not slow"
    printed = run([with_clients(age), "-m", "pytest", "-q", "-m", chosen, "-n", "2", "tests/hub"])
    assert " passed" in printed and "skipped" not in printed


@pytest.mark.parametrize("age", CLIENTS)
@pytest.mark.parametrize("name", NAMES)
def test_every_config_of_a_folder_loads_with_supported_clients(tiny_build, tmp_path, name, age):
    """From disk and from the Hub, with the rows that the files have and the types of the dataset."""
    out = tiny_build(name)
    types, right = dataset_named(name).features.arrow_schema.types, {}
    for file in Build.read(out / name, name).tables:
        text = json.dumps([types, pq.read_table(out / name / file).to_pylist()], default=str)
        right[file.removesuffix(".parquet").replace("/", " ")] = hashlib.sha256(text.encode()).hexdigest()
    load = [with_clients(age), "-c", LOAD_ALL]
    assert json.loads(run([*load, f"./{name}"], cwd=out, HF_HOME=str(tmp_path / "folder"))) == right
    with Hub() as hub:
        hub.create(f"me/{name}")
        hub.commit_as(f"me/{name}", published_files(out, name), user="me")
        there = client_environment(hub, tmp_path / "hub")
        assert json.loads(run([*load, f"me/{name}"], cwd=tmp_path, **there)) == right


@pytest.mark.parametrize("age", CLIENTS)
def test_another_probe_gives_other_scores_to_supported_clients(tmp_path, age):
    """Who loads again after another build gets the rows of that, not those that are in the cache."""
    shutil.copytree(PROBES, tmp_path / "other")
    give_other_weights(tmp_path / "other", "mindgames")
    build = [sys.executable, "-m", "tom_datasets", "build", "mindgames", "--out", tmp_path, "--force"]
    build += ["--preset", "tiny", "--only", "reproduction", "--probe"]
    load = [with_clients(age), "-c", LOAD_ALL, "./mindgames"]
    digests = []
    for probe in ("embedded", tmp_path / "other", "embedded"):
        run([*build, probe])
        digests.append(json.loads(run(load, cwd=tmp_path, HF_HOME=str(tmp_path / "cache"))))
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("age", CLIENTS)
@pytest.mark.parametrize("name", NAMES)
def test_a_build_has_the_same_bytes_with_supported_clients(once, tmp_path, name, age):
    """All files: the card, the tasks and the record too."""
    words = ["-m", "tom_datasets", "build", name, "--preset", "tiny", "--probe", "none", "--out"]
    newest = once(f"unscored {name}", lambda out: run([sys.executable, *words, out]))
    run([with_clients(age), *words, tmp_path])
    assert contents(tmp_path / name) == contents(newest / name)


def test_the_oldest_clients_are_those_of_the_project():
    required = (ROOT / "pyproject.toml").read_text()
    for client in CLIENTS["oldest"][:2]:
        name, _, version = client.partition("==")
        assert re.search(rf'"{name}>={version.removesuffix(".0")},<\d+"', required), client


# The same bytes on the other Pythons.


@pytest.mark.parametrize("minor", ["3.11", "3.12", "3.13"])
def test_another_python_gives_the_golden_bytes(tmp_path, minor):
    if minor == f"{sys.version_info.major}.{sys.version_info.minor}":
        pytest.skip("this Python: tests/test_builders.py")
    pythons = other_pythons()
    if minor not in pythons:
        pytest.skip(f"no Python {minor} is installed")
    newest = [f"{package}=={pinned(package)}" for package in WITHOUT_PROBE]
    python = with_clients("a-year-old") if minor == "3.12" else environment(f"newest-{minor}", pythons[minor], newest)
    for name, sizes in SMALL.items():
        run([python, "-m", "tom_datasets", "build", name, "--out", tmp_path, "--seed", "7", "--probe", "none", *sizes])
        for part in ("", " deep", " spoken", " told"):
            assert rows_digest(tmp_path / name, part) == GOLDEN_ROWS[name + part]
            assert bytes_digest(tmp_path / name, part) == GOLDEN_BYTES[name + part]


# README.md and docs/ in a fresh clone.


def pages() -> list[Path]:
    """Return README.md and then every page of docs/, in the order in which their commands are run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list[tuple[str, str]]:
    """Return (page's name, block) for every code block of a language."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    return [(page.name, block) for page in pages() for block in pattern.findall(page.read_text(encoding="utf-8"))]


WHOLE = bool(os.environ.get("TOM_DEFAULT_SIZES"))
"""Whether builds have default sizes, so that they print what the pages show (`make test-pages`)."""


def as_shown(shown: str) -> re.Pattern:
    """Return what a command must print: the lines shown, where a line `…` stands for any lines, or none."""
    lines = [r"(.*\n)*?" if line == "…" else re.escape(line) + r"\n" for line in shown.strip().splitlines()]
    return re.compile("".join(lines))


def test_the_commands_of_the_pages_in_a_fresh_clone(tmp_path):
    """Every `$` line is run, in order, and prints what its page shows; then their Python runs beside the folders.

    Of tiny builds, what make prints is not compared. The clone has the packages of this environment.
    """
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository to clone")
    clone = tmp_path / "clone"
    run(["git", "clone", "--quiet", ROOT, clone])
    run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"])
    python = clone / ".venv" / "bin" / "python"
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    Path(site, "installed.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
    run([*PIP, python, *EDITABLE, clone])
    (clone / ".venv" / ".ready").touch()
    commands = [(page, *part.partition("\n")) for page, block in blocks("console") for part in block.split("$ ")[1:]]
    made = [command for page, command, _, _ in commands if page == "README.md" and command.startswith("make")]
    assert made == ["make build", "make check"]
    for page, command, _, shown in commands:
        sizes = "" if WHOLE or command != "make build" else " ARGS='--preset tiny'"
        printed = run(["bash", "-c", command + sizes], cwd=clone).strip() + "\n"
        if WHOLE or not command.startswith("make"):
            assert as_shown(shown).fullmatch(printed), f"{page}: {command} printed\n{printed}"
    for page, pieces in groupby(blocks("python"), itemgetter(0)):
        print(f"the Python of {page}")  # shown where it fails
        code = "\n".join(code for _, code in pieces)
        run([python, "-c", code], cwd=clone, HF_HOME=str(tmp_path / "cache"))
    run(["make", "build", "DATASET=hi_tom", "SEED=7", "OUT=somewhere", f"ARGS={' '.join(SMALL['hi_tom'])}"], cwd=clone)
    assert rows_digest(clone / "somewhere" / "hi_tom") == GOLDEN_ROWS["hi_tom"]
    run(["make", "clean", "OUT=somewhere"], cwd=clone)
    assert not (clone / "somewhere" / "hi_tom").exists()
    assert (clone / "hi_tom").is_dir() and (clone / ".venv").is_dir(), "clean deletes the folder it is asked about"
    run(["make", "clean"], cwd=clone)
    assert not (clone / "hi_tom").exists() and not (clone / ".venv").exists()
    # make audit draws what a tiny build has, and writes its figures.
    drawn = [] if WHOLE else [":!pictures", ":!docs/reference/audit_tables.md"]
    assert run(["git", "status", "--porcelain", "--untracked-files=no", "--", ".", *drawn], cwd=clone) == ""


# README.md and docs/ as a site.


def test_make_docs_makes_a_site_of_all_pages_with_a_search():
    """A link from README into docs/, and one from a page out of docs/, lead to pages of the site."""
    run(["make", "docs"])
    site = ROOT / ".build" / "site"
    readme = (site / "repository" / "index.html").read_text(encoding="utf-8")
    assert 'href="../how_to/evaluate.html' in readme and 'src="../how_to/explorer-stories.png"' in readme
    index = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="repository/index.html"' in index and 'href="repository/tests/index.html"' in index
    found = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    searched = {place["location"].partition("#")[0] for place in found}
    pages = {page.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert searched == pages | {f"repository/{name}" for name in ("index.html", "tests/index.html", "CHANGELOG.html")}
    assert not list(site.rglob("*.py"))


def test_a_broken_link_is_an_error_of_the_site(tmp_path):
    run(["make", ".venvs/docs/.ready"])
    for name in ("docs", "tests", "pictures"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("mkdocs.yml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    python = ROOT / ".venvs" / "docs" / "bin" / "python"
    build = [python, "-m", "mkdocs", "build", "--strict", "--config-file", tmp_path / "mkdocs.yml"]
    run(build, cwd=tmp_path)
    for broken in ("[gone](gone.md)", "[gone](../README.md#no-such-heading)"):
        index = ROOT / "docs" / "index.md"
        (tmp_path / "docs" / "index.md").write_text(
            f"{index.read_text(encoding='utf-8')}\n{broken}\n", encoding="utf-8"
        )
        completed = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
        assert completed.returncode == 1 and "contains a link" in completed.stderr, completed.stderr
