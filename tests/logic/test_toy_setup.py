"""Add a setup to a copy of the package as docs/CONTRIBUTING.md says, and find the rows of the others unchanged."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from support import ROOT, contents

from tom_datasets.syntax.formula import SETUPS

TOY = "hunger"  # as `internal`, about another fact: each agent feels his own hunger

# The toy's words for those of `internal`, in every language.
WORDS = {"internal": TOY, "thirsty": "hungry", "thirst": "hunger", "soif": "faim", "口渴": "饥饿"}

# What is written into which file: after the first match of a pattern, the match in the toy's words, or other text.
ADDED = {
    "builders/syntax/formula.py": [('"explicit": 3', f', "{TOY}": 4')],
    "builders/logic/setups.py": [
        (r'^    "internal": .*\n', f'    "{TOY}": Setup(lambda own, atom: atom == own, pool=1.5),\n')
    ],
    **{
        f"templates/{language}/setups.jinja": [(r'(?s)^  "internal": \{\n.*?^  \},\n', None)]
        for language in ("en", "fr", "zh")
    },
    "builders/reader/english.txt": [(r"^internal → own .*\n", None), (r"^internal → who .*\n", None)],
    "builders/reader/languages/fr.txt": [(r"^.*\bsoif\b.*\n", None)],
    "builders/reader/languages/zh.txt": [(r"^.*口渴.*\n", None)],
}
EVERY = {"builders/reader/languages/fr.txt", "builders/reader/languages/zh.txt"}  # here every match is followed

STREAMS = [
    ["stream", "mindgames", "--config", config, "--setup", setup, "--count", "8"]
    for config, setup in (("all", "forehead"), ("deep", "internal"))
]
RUN = """
import json, sys
from tom_datasets.__main__ import main
sys.exit(any([main(words) for words in json.load(sys.stdin)]))
"""


def in_the_words_of_the_toy(text):
    """Return a text about `internal` as one about the toy."""
    for word, other in WORDS.items():
        text = text.replace(word, other)
    return text


@pytest.fixture
def package(tmp_path):
    """Copy the package into a folder that the import finds first, with one setup more; return the folder."""
    copy = tmp_path / "copy" / "tom_datasets"
    shutil.copytree(ROOT / "builders", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("page", "probe", "templates"):
        shutil.copytree(ROOT / folder, copy / folder)
    for file, additions in ADDED.items():
        path = copy / file.removeprefix("builders/")
        text = path.read_text(encoding="utf-8")
        for pattern, added in additions:
            text, found = re.subn(
                pattern,
                lambda match, added=added: match[0] + (added or in_the_words_of_the_toy(match[0])),
                text,
                count=0 if file in EVERY else 1,
                flags=re.MULTILINE,
            )
            assert found, (file, pattern)
        path.write_text(text, encoding="utf-8")
    return copy.parent


def build(out):
    """Return the command that builds the config `all` in every language, with few rows."""
    sizes = ["--train", "0", "--validation", "0", "--test", "2"]
    return ["build", "mindgames", "--only", "all,all_fr,all_zh", "--probe", "none", *sizes, "--out", str(out)]


def test_a_setup_is_added_in_the_files_that_the_page_names_and_no_other_row_changes(run, package, tmp_path):
    """Its problems are built, read back, proven and explained in every language.

    It has no order blocks here, which need a pilot. In a stream or a config of all setups it takes its turn, so rows of
    the others are compared by setup.
    """
    page = (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(r"## To add a setup to mindgames\n(.+?)\n## ", page, re.DOTALL)[1]
    table = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    assert {file for cell in table for file in re.findall(r"`(.*?)`", cell)} == set(ADDED)

    before = "".join([run(*words)[1] for words in STREAMS])
    assert run(*build(tmp_path / "before"))[0] == 0
    check = ["check", "mindgames", "--out", str(tmp_path / "after")]
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps([*STREAMS, build(tmp_path / "after"), check]),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert before.count("\n") == 16 and ran.stdout.startswith(before)
    n_rows = 5 * 4 * 2 * 3  # blocks of four of each setup in each language
    assert f"{n_rows} of {n_rows} rows agree" in ran.stdout
    for setup in SETUPS:
        for config in (setup, f"{setup}_fr", f"{setup}_zh"):
            old, new = (contents(tmp_path / build / "mindgames" / config) for build in ("before", "after"))
            assert old and new == old
    told = tmp_path / "after" / "mindgames"
    assert sorted(path.parent.name for path in told.glob(f"{TOY}*/test.parquet")) == [TOY, f"{TOY}_fr", f"{TOY}_zh"]
