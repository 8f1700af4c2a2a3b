"""Build the wheel, and prove that it is one package that works without the repository."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from commands.samples import LEAST
from support import ROOT, bytes_digest, copy_sources

import tom_datasets
from tom_datasets import GENERATOR_VERSION

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the sources; return its file."""
    source, wheels = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    copy_sources(source)
    before = sorted(path.name for path in source.iterdir())
    build = "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"
    command = [sys.executable, "-c", build, wheels]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    left = {path.name for path in source.iterdir()} - set(before)
    assert left <= {".build", "tom_datasets.egg-info"}, "make clean and .gitignore know these"
    return next(wheels.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel):
    """Return a folder that holds what the wheel installs."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def test_an_empty_environment_has_endless_rows_after_one_install(wheel, tmp_path):
    """With jinja2 and click alone beside the wheel; a command that needs more says what to install."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", wheel]
    subprocess.run(install, check=True, capture_output=True)
    rows = "import itertools, tom_datasets as t; print(len(list(itertools.islice(t.endless('hi_tom'), 10))))"
    done = subprocess.run([python, "-c", rows], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("10\n", "")
    packages = {path.name for path in tmp_path.glob("venv/lib/*/site-packages/*") if not path.name.endswith("-info")}
    assert {"tom_datasets", "click", "jinja2", "markupsafe"} <= packages
    assert not packages & {"datasets", "numpy", "pyarrow"}
    done = subprocess.run([python, "-m", "tom_datasets", "build"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert done.stderr.endswith(": pip install 'tom-datasets[build]'\n")


def run_installed(installed, tmp_path, *words):
    """Run the installed command as its script does, from a folder that is not the repository's."""
    code = "import sys; sys.argv[0] = 'tom-datasets'; from tom_datasets.__main__ import main; sys.exit(main())"
    command, environment = [sys.executable, "-c", code, *map(str, words)], os.environ | {"PYTHONPATH": str(installed)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_wheel_is_one_package(installed):
    version = f"tom_datasets-{tom_datasets.__version__}.dist-info"
    assert sorted(path.name for path in installed.iterdir()) == ["tom_datasets", version]
    assert (installed / version / "top_level.txt").read_text() == "tom_datasets\n"
    scripts = (installed / version / "entry_points.txt").read_text()
    assert scripts == "[console_scripts]\ntom-datasets = tom_datasets.__main__:main\n"
    assert "Author: the tom-datasets maintainers\n" in (installed / version / "METADATA").read_text()
    assert (installed / "tom_datasets" / "py.typed").is_file(), "type checkers of others look for it"


def test_the_installed_commands_work(installed, tmp_path):
    helped = run_installed(installed, tmp_path, "--help")
    assert helped.startswith("Usage: tom-datasets ") and " clean " in helped
    assert " seal " not in helped, "it would write among the packages"
    version = f"tom-datasets {tom_datasets.__version__}, generator_version {GENERATOR_VERSION}\n"
    assert run_installed(installed, tmp_path, "--version") == version
    assert "\nWhere " in run_installed(installed, tmp_path, "show", "hi_tom")


def test_what_is_missing_is_named_as_a_package(installed, tmp_path):
    """No message may send to a file that only the repository has."""
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('No module named torch', name='torch')")
    code = "import sys; from tom_datasets.__main__ import main; sys.exit(main(['probe', 'mindgames']))"
    environment = os.environ | {"PYTHONPATH": f"{installed}{os.pathsep}{tmp_path}"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    said = r"error: training needs (torch|onnx): pip install 'tom-datasets\[build,probe\]' \(in a clone: make probe\)\n"
    assert done.returncode == 1 and re.fullmatch(said, done.stderr)
    sources = [path for kind in ("py", "toml") for path in (installed / "tom_datasets").rglob(f"*.{kind}")]
    assert len(sources) > 100
    assert not [path for path in sources if "requirements" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize(("name", "sizes"), [("hi_tom", ("--preset", "tiny", "--only", "all")), ("mindgames", LEAST)])
def test_an_installed_build_has_the_same_bytes(run, installed, tmp_path, name, sizes):
    assert " rows written, seed 0\n" in run_installed(installed, tmp_path, "build", name, *sizes)
    assert "is up to date" in run_installed(installed, tmp_path, "build", name, *sizes)
    assert " rows agree: " in run_installed(installed, tmp_path, "check", name)
    assert "written; open explorer" in run_installed(installed, tmp_path, "explorer", "--processes", "1")
    assert run("build", name, *sizes, "--out", tmp_path / "ours")[0] == 0
    assert bytes_digest(tmp_path / name) == bytes_digest(tmp_path / "ours" / name)


def test_the_version_is_said_alike_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "tom_datasets.__version__"}
    assert f"version: {tom_datasets.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {tom_datasets.__version__}\n" in changes and f"\n## {GENERATOR_VERSION}\n" in changes
    assert "/.build/" in (ROOT / ".gitignore").read_text().split() and " .build " in Path(ROOT, "Makefile").read_text()


def test_the_citation_is_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["authors"] == project["authors"] == [{"name": "the tom-datasets maintainers"}]
    assert citation["license"] == project["license"]
    assert citation["title"].split(": ")[0] == project["name"] == "tom-datasets"
    assert citation["title"].split(": ")[1].lower() == project["description"].split(":")[0].lower()
    assert "urls" not in project and "repository-code" not in citation, "there is no address to name yet"
