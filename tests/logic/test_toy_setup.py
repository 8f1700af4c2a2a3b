"""Add a setup to a copy of the package as docs/CONTRIBUTING.md says, and find the rows of the others unchanged."""

import pytest
from additions import copied, printed_by, section
from support import contents

from tom_datasets.syntax.formula import SETUP_NUMBERS, SETUPS

TOY = "hunger"  # as `internal`, about another fact: each agent feels his own hunger
# The toy's words for those of `internal`, in every language.
WORDS = {"internal": TOY, "thirsty": "hungry", "thirst": "hunger", "soif": "faim", "口渴": "饥饿"}


def again_in_the_words_of_the_toy(match):
    """Return a text about `internal`, and behind it the same about the toy."""
    text = match[0]
    for word, other in WORDS.items():
        text = text.replace(word, other)
    return match[0] + text


NUMBER = max(SETUP_NUMBERS.values()) + 1
SETUP = f'\\g<0>    "{TOY}": Setup(lambda own, atom: atom == own, pool=1.5),\n'
EDITS = {
    "builders/syntax/formula.py": [(r"(?<=^SETUP_NUMBERS = \{)", f'"{TOY}": {NUMBER}, ')],
    "builders/logic/setups.py": [(r'^    "internal": .*\n', SETUP)],
    "builders/reader/english.txt": [(r"^internal → .*\n", again_in_the_words_of_the_toy)],
    "builders/reader/languages/fr.txt": [(r"^.*\bsoif\b.*\n", again_in_the_words_of_the_toy)],
    "builders/reader/languages/zh.txt": [(r"^.*口渴.*\n", again_in_the_words_of_the_toy)],
    **{
        f"templates/{language}/setups.jinja": [(r'(?s:^  "internal": \{\n.*?^  \},\n)', again_in_the_words_of_the_toy)]
        for language in ("en", "fr", "zh")
    },
}
# Rows of each language with their explanations, of which the reader proves each step.
EXPLAINED = f"""
from itertools import islice
from tom_datasets import endless
from tom_datasets.reader.steps import explanation_fault
for config in ("all", "all_fr", "all_zh", "scale"):
    for row in islice(endless("mindgames", config, setup="{TOY}"), 64):
        assert row["explanation"] and explanation_fault(row["explanation"], row) is None, row
"""
STREAMS = [
    ["stream", "mindgames", "--config", config, "--setup", setup, "--count", "8"]
    for config, setup in (("all", "forehead"), ("deep", "internal"))
]


def build(out):
    """Return the command that builds the config `all` in every language, with few rows."""
    sizes = ["--train", "0", "--validation", "0", "--test", "2"]
    return ["build", "mindgames", "--only", "all,all_fr,all_zh", "--probe", "none", *sizes, "--out", str(out)]


@pytest.fixture
def package(tmp_path):
    """Return the folder of the package with one setup more."""
    return copied(tmp_path, EDITS)


@pytest.mark.slow
def test_a_setup_is_added_in_the_files_that_the_page_names_and_no_other_row_changes(run, package, tmp_path):
    """Its problems are built, read back, proven and explained in every language.

    It has no order blocks here, which need a pilot. In a stream or a config of all setups it takes its turn, so rows of
    the others are compared by setup.
    """
    assert section("To add a setup to mindgames") == {*EDITS, "tests/random_problems.py"}
    before = "".join([run(*words)[1] for words in STREAMS])
    assert run(*build(tmp_path / "before"))[0] == 0
    check = ["check", "mindgames", "--out", str(tmp_path / "after")]
    printed = printed_by(package, [*STREAMS, build(tmp_path / "after"), check], tmp_path, EXPLAINED)
    assert before.count("\n") == 16 and printed.startswith(before)
    n_rows = (len(SETUPS) + 1) * 4 * 2 * 3  # blocks of four of each setup in each language
    assert f"{n_rows} of {n_rows} rows agree" in printed
    for setup in SETUPS:
        for config in (setup, f"{setup}_fr", f"{setup}_zh"):
            old, new = (contents(tmp_path / build / "mindgames" / config) for build in ("before", "after"))
            assert old and new == old
    built = tmp_path / "after" / "mindgames"
    assert sorted(path.parent.name for path in built.glob(f"{TOY}*/test.parquet")) == [TOY, f"{TOY}_fr", f"{TOY}_zh"]
