"""Complete words as a shell does that has read the script for completion: commands, datasets, options and choices."""

import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT, shell_script

from tom_datasets.commands import commands

VARIABLE = "_TOM_DATASETS_COMPLETE"


def asked(instruction, *program, **environment):
    """Return what the program prints that a shell asks."""
    program = program or (sys.executable, "-m", "tom_datasets")
    variables = {**os.environ, VARIABLE: instruction, **environment}
    done = subprocess.run(program, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def completed(words):
    """Return how the last of the words may end."""
    number = len(words.split(" ")) - 1
    lines = asked("bash_complete", COMP_WORDS=words, COMP_CWORD=str(number)).splitlines()
    return [line.partition(",")[2] for line in lines]


@pytest.mark.parametrize(
    ("words", "endings"),
    [
        ("tom-datasets ", [*commands()]),
        ("tom-datasets st", ["stream"]),
        ("tom-datasets --v", ["--version"]),
        ("tom-datasets show m", ["mindgames"]),
        ("tom-datasets show mindgames --setup f", ["forehead", "forehead_mirror", "foreheads"]),
        ("tom-datasets stream hi_tom --th", ["--thoughts"]),
        ("tom-datasets score hi_tom --responses a b --pa", ["--partial"]),
        ("tom-datasets publish --pr --t", ["--tag", "--time-limit"]),
    ],
)
def test_words_are_completed(words, endings):
    assert completed(words) == endings


def test_a_command_is_completed_without_importing_it():
    code = "import sys; from tom_datasets.__main__ import main; main(); print(*sorted(sys.modules), file=sys.stdout)"
    printed = asked("bash_complete", sys.executable, "-c", code, COMP_WORDS="tom-datasets s", COMP_CWORD="1")
    modules = {name for name in printed.split() if name.startswith("tom_datasets.commands.")}
    assert modules == {f"tom_datasets.commands.{name}" for name in ("options", "program", "values")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell):
    script = asked(f"{shell}_source")
    assert f"{VARIABLE}={shell}_complete" in script and "tom-datasets" in script


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
def test_bash_completes_behind_the_line_of_the_page(tmp_path):
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    line = f'eval "$({VARIABLE}=bash_source tom-datasets)"'
    assert f"| `{line}` |" in page
    shell_script(tmp_path / "tom-datasets", f'exec {sys.executable} -m tom_datasets "$@"')
    typed = "COMP_WORDS=(tom-datasets build hi_tom --deep-v); COMP_CWORD=3; _tom_datasets_completion tom-datasets"
    program = ("bash", "--norc", "-c", f'{line}; complete -p tom-datasets; {typed}; echo "${{COMPREPLY[@]}}"')
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(program, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    registered, reply = done.stdout.splitlines()
    assert registered.endswith("-F _tom_datasets_completion tom-datasets") and reply == "--deep-validation"
