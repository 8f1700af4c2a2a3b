"""Prove that a command imports no slow package it does not need, by the list of modules of a fresh process."""

import re
import subprocess
import sys

import pytest
from support import ROOT

from tom_datasets import GENERATOR_VERSION, __version__
from tom_datasets.commands import commands

SLOW = {"datasets", "pyarrow", "numpy", "pandas", "tqdm", "onnxruntime", "sklearn", "matplotlib", "huggingface_hub"}
MODULES_OF_COMMANDS = """
import contextlib, sys
from tom_datasets.__main__ import main
for words in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        main(words.split())
print(*sorted(sys.modules), file=sys.stderr)
"""
ROWS = """
from tom_datasets.story.config import ALL
from tom_datasets.story.rows import plan_of, story_rows
assert story_rows(ALL, "test", 0, *plan_of(ALL, "test")[0])
from tom_datasets.logic.config import SETUP_CONFIGS
from tom_datasets.logic.rows import part_rows, plan_of
from dataclasses import replace
config = replace(SETUP_CONFIGS[0], train=None, validation=None, test=1, checker="embedded")
settled = plan_of(config, config.setup)["test"]
assert len(part_rows(config, config.setup, "test", range(1), settled)) == 4
"""
WITHOUT = """
import sys
sys.modules |= dict.fromkeys(sys.argv.pop(1).split(","))
from tom_datasets.__main__ import main
sys.exit(max(main([command, "hi_tom"]) for command in sys.argv[1:]))
"""


def run_python(*words):
    """Run Python from the repository's root; return what it printed on standard error."""
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done.stderr


def modules_of(*commands):
    """Return the modules that commands import, one after another in one process."""
    return set(run_python("-c", MODULES_OF_COMMANDS, *commands).splitlines()[-1].split())


def test_commands_that_need_no_rows_of_a_folder_start_fast():
    asked = ["--help", "bild", "show --help", "show hi_tom --help", "show hi_tom", "show hi_tom --config deep"]
    asked += ["show mindgames --help", "smcdel --help", "stream hi_tom --config deep --count 1"]
    modules = modules_of(*asked, "stream mindgames --count 1")
    assert "tom_datasets.commands.options" in modules and not modules & SLOW


def test_a_python_without_the_packages_names_the_one_that_has_them():
    asked = [command for command in commands() if command != "smcdel"]
    said = run_python("-c", WITHOUT, ",".join(SLOW | {"jinja2", "dd"}), *asked).splitlines()
    lacking = re.compile(
        rf"error: {sys.executable} lacks the package \w+: use \.venv/bin/python, which make build makes"
    )
    assert len(said) == len(asked) and all(map(lacking.fullmatch, said)), said


def test_the_version_is_printed(run):
    version = f"tom-datasets {__version__}, generator_version {GENERATOR_VERSION}\n"
    assert run("--version") == (0, version, "")


@pytest.mark.parametrize("command", ["audit", "build", "publish", "score"])
def test_a_command_imports_no_other_command(command):
    """But publish: it checks first. Only build imports datasets, which takes longest."""
    modules = modules_of(f"{command} --help")
    own = {command, "program", "options", "values", "folders", "published"}
    own |= {"every_eval_ever", "leaderboard", "people", "scoring", "transcripts"} if command == "score" else set()
    own |= {"check"} if command == "publish" else set()
    assert {module.split(".")[2] for module in modules if module.startswith("tom_datasets.commands.")} <= own
    assert not modules & {"onnxruntime", "sklearn", "matplotlib", "torch"}
    assert ("datasets" in modules) == (command == "build")


def test_rows_of_a_folder_are_read_without_what_only_builds_need(problems):
    modules = modules_of(f"prompts mindgames --out {problems}")
    assert "tom_datasets.commands.prompts" in modules and not modules & {"datasets", "pandas"}


def test_a_seed_becomes_a_row_without_a_slow_package():
    """A row without scores needs the templates' engine, and else nothing that is not ours."""
    imported = {line.split("|")[-1].strip() for line in run_python("-X", "importtime", "-c", ROWS).splitlines()}
    assert {"tom_datasets.story.rows", "tom_datasets.logic.rows", "jinja2"} <= imported
    assert not imported & SLOW


def test_the_installed_script_is_the_command_line():
    """Its usage lines name it as it was called; `python -m tom_datasets` names itself."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^\[project.scripts\]\ntom-datasets = "tom_datasets.__main__:main"$', project, re.MULTILINE)
    script = "import sys; sys.argv = ['tom-datasets', *sys.argv[1:]]; from tom_datasets.__main__ import main; main()"
    words = ("show", "hi_tom", "-x")
    assert run_python("-c", script, *words).endswith("(see tom-datasets show hi_tom --help)\n")
    assert run_python("-m", "tom_datasets", *words).endswith("(see python -m tom_datasets show hi_tom --help)\n")
