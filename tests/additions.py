"""Copies of the package with something added, as docs/CONTRIBUTING.md says: what tests of setups and events share."""

import json
import os
import re
import shutil
import subprocess
import sys

from support import ROOT


def section(heading):
    """Return the files that the tables of a section of the page name."""
    page = (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = re.search(rf"^## {heading}\n(.+?)(?=\n## )", page, re.DOTALL | re.MULTILINE)[1]
    cells = re.findall(r"^\| ([^|]*`[^|]*) \|", text, re.MULTILINE)
    return {file for cell in cells for file in re.findall(r"`([\w/.]+\.\w+)`", cell)}


def copied(folder, edits, new=None):
    """Copy the package into a folder, change it there, and return the folder that the import must find first.

    edits: of each file, by its place in the repository, patterns and what stands in place of each match: as in
    `re.sub`, a text or a function. new: the text of further files.
    """
    copy = folder / "copy" / "tom_datasets"
    shutil.copytree(ROOT / "builders", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for other in ("page", "probe", "templates"):
        shutil.copytree(ROOT / other, copy / other)
    for file, replacements in edits.items():
        path = copy / file.removeprefix("builders/")
        text = path.read_text(encoding="utf-8")
        for pattern, replacement in replacements:
            text, found = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            assert found, (file, pattern)
        path.write_text(text, encoding="utf-8")
    for file, text in (new or {}).items():
        (copy / file.removeprefix("builders/")).write_text(text, encoding="utf-8")
    return copy.parent


def printed_by(package, commands, folder, before=""):
    """Run commands one after another with a copy of the package, behind lines of Python; return what they print."""
    script = f"import json, sys\n{before}\nfrom tom_datasets.__main__ import main\n"
    script += "sys.exit(any([main(words) for words in json.load(sys.stdin)]))"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(commands),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
