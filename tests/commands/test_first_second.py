"""Interrupt a command while it imports: it ends in one line, with exit code 130."""

import os
import subprocess
import sys

import pytest
from support import ROOT

ENDED = (130, "", "interrupted; nothing half-written was left\n")
INTERRUPTING = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.{number})
    time.sleep(20)
except BaseException:
    raise ImportError("as packages say whose own imports fail")
"""
STARTS = {
    "python -m tom_datasets": ["-m", "tom_datasets"],
    # What the installed script does.
    "tom-datasets": ["-c", "import sys; from tom_datasets.__main__ import main; sys.exit(main())"],
}


def ended_by(folder, *words):
    """Return how a Python ends that looks for modules in a folder first."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    words = [sys.executable, *words]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=15)
    return done.returncode, done.stdout, done.stderr


def ended_early(folder, module, number, start):
    """Return how a command ends that is interrupted while it imports a module."""
    (folder / f"{module}.py").write_text(INTERRUPTING.format(number=number))
    return ended_by(folder, *STARTS[start], "build", "hi_tom")


@pytest.mark.parametrize(
    ("module", "number", "start"),
    [
        ("click", "SIGINT", "tom-datasets"),
        ("click", "SIGTERM", "python -m tom_datasets"),
        ("datasets", "SIGINT", "python -m tom_datasets"),
    ],
)
def test_an_interrupt_while_importing_is_one_line(tmp_path, module, number, start):
    """Also where the import swallows the interrupt. click is imported first, datasets takes longest."""
    assert ended_early(tmp_path, module, number, start) == ENDED


def test_an_ignored_interrupt_stays_ignored(tmp_path):
    """As under nohup."""
    (tmp_path / "click.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT); raise SystemExit(7)")
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); import tom_datasets.__main__ as m; m.main()"
    )
    assert ended_by(tmp_path, "-c", code, "show") == (7, "", "")


def test_an_interrupt_of_an_exec_has_the_same_exit_code(tmp_path):
    """Dataclasses are made by exec; Python would end by a signal behind a KeyboardInterrupt that came out of one."""
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "from tom_datasets.__main__ import main\n"
        "from tom_datasets.commands import smcdel\n"
        "smcdel.run.callback = lambda file: exec('import os, signal; os.kill(os.getpid(), signal.SIGINT)')\n"
        "sys.exit(main(['smcdel', '-']))\n"
    )
    assert ended_by(tmp_path, "-m", "interrupted") == ENDED
