"""The readers' tables of sentences: a malformed line is an error that names it, and says what would be right."""

from pathlib import Path

import pytest

from tom_datasets.reader import english, read_languages
from tom_datasets.reader.read_languages import Reader
from tom_datasets.reader.tables import TableError

ENGLISH = Path(english.__file__).with_suffix(".txt").read_text(encoding="utf-8")
LANGUAGES = sorted(read_languages.FOLDER.glob("??.txt"))  # worlds have fewer sections


def changed(text, right, wrong):
    """Return a text with its first `right` malformed, and the number of that line."""
    assert right in text
    before, _, after = text.partition(right)
    return before + wrong + after, before.count("\n") + 1


def read_english(text):
    """Read a table of English, and compile all of its patterns."""
    table = english.english_table(text)
    for section, column in PATTERNS:
        for columns in table.columns(section):
            english.compiled(table, columns[column])


# The columns that are patterns: of each section, and the place among its columns.
PATTERNS = [
    (section, place)
    for section, names in english.COLUMNS.items()
    for place, name in enumerate(names)
    if name in ("pattern", "fact", "counted", "shown")
]


def test_each_pattern_of_english_is_a_regular_expression():
    read_english(ENGLISH)
    assert len(PATTERNS) == 12


@pytest.mark.parametrize(
    ("right", "wrong", "error"),
    [
        ("agent → {NAME}", "agent {NAME}", "'agent {NAME}' is neither a section, such as [sentence], nor columns with"),
        ("[said]", "[sayd]", "unknown section [sayd]; the sections are piece, event, question, asked, said, plan,"),
        ("[said]", "[said] ", "'[said] ' is neither a section, such as [sentence], nor columns with ' → ' between"),
        ("[said]", "[asked]", "[asked] began in line {asked}; put its lines there, or rename it"),
        ("[piece]", "", "'NAMES → {NAME}(?: and {NAME}|(?:, {NAME})+,? and {NAME})?' stands in no section; begin one"),
        ("{agents} entered", "{agentz} entered", "unknown place {agentz}; the places are {NAME}, {NAMES}, {agents},"),
        ("viewer → {NAME}", "viewer → {NAMME}", "unknown place {NAMME}; the places are {NAME}, {NAMES}, {agents},"),
        ("who 1 → only {}", "who 1 → only {a}", "unknown place {a}; the places are {}"),
        ("{be} muddy", "{are} muddy", "unknown place {are}; the places are {be}, {have}"),
        (
            "{most} in figures",
            "{least} in figures",
            "unknown place {least}; the places are {before}, {clause}, {count},",
        ),
        (
            "who 1 → only {}",
            "who 1 → only }",
            "'only }' has an odd brace (Single '}' encountered in format string); write",
        ),
        (" → Like → ", " → ", "it has 2 columns, a line of [event] has 3: pattern → event → example"),
        ("viewer → {NAME}", "owner → {NAME}", "'owner' comes again in [piece]; give it another name"),
        ("saw an?", "saw (an?", "missing ), unterminated subpattern; a sign that stands for itself needs a backslash"),
        (
            "animal → \\w+",
            "animal → [\\w+",
            "'[\\\\w+' is not a regular expression: unterminated character set; a sign",
        ),
        (
            "foreheads? (?:is",
            "foreheads? ?:is",
            "is not a regular expression: unbalanced parenthesis; a sign that stands",
        ),
    ],
)
def test_a_malformed_line_of_english_is_named(right, wrong, error):
    text, number = changed(ENGLISH, right, wrong)
    if right == "[piece]":
        number += 1  # the heading is gone, and the line below it has no section
    asked = ENGLISH.split("\n").index("[asked]") + 1
    with pytest.raises(TableError) as caught:
        read_english(text)
    assert str(caught.value).startswith(f"english.txt, line {number}: ")
    assert error.replace("{asked}", str(asked)) in str(caught.value)


def test_a_section_that_english_lacks_is_named():
    start, end = ENGLISH.index("[said]"), ENGLISH.index("# Questions of `plans`")
    with pytest.raises(TableError, match=r"^english.txt has no section \[said\]; add it$"):
        read_english(ENGLISH[:start] + ENGLISH[end:])


# What the table of every language has, how it is malformed, and what the error says.
MALFORMED = [
    (
        "[choice]",
        "[choise]",
        "unknown section [choise]; the sections are piece, sentence, question, asked, choice, step,",
    ),
    ("[choice]", "[question]", "[question] began in line "),
    ("{container} → {container}", "{container}", "'{container}' is neither a section, such as [sentence], nor columns"),
    (
        "{container} → {container}",
        "({container} → {container}",
        "'({container}' is not a regular expression: missing ),",
    ),
    (
        "{container} → {container}",
        "{box} → {container}",
        "unknown place {box}; the places are {name}, {noun}, {between},",
    ),
    ("{container} → {container}", "{container} → {thing}", "unknown place {thing}; the places are {container}"),
    ("{container} → {container}", "{container} → {", "'{' has an odd brace (Single '{' encountered in format string);"),
    (
        "{container} → {container}",
        "{container} → {container} → a",
        "it has 3 columns, a line of [choice] has 2: pattern",
    ),
    ("noun → ", "noun → (", "is not a regular expression: missing ), unterminated subpattern; a sign that stands for"),
    ("between → ", "name → ", "'name' comes again in [piece]; give it another name"),
    ("[reply]\n", "[reply]\na → \\1\n", "'\\\\1' cannot stand for what the pattern matches: invalid group reference 1"),
]


@pytest.mark.parametrize("file", LANGUAGES, ids=lambda file: file.stem)
@pytest.mark.parametrize(("right", "wrong", "error"), MALFORMED)
def test_a_malformed_line_of_a_language_is_named(file, right, wrong, error):
    text, number = changed(file.read_text(encoding="utf-8"), right, wrong)
    if right == "[reply]\n":
        number += 1
    with pytest.raises(TableError) as caught:
        Reader(text, file.name)
    assert str(caught.value).startswith(f"{file.name}, line {number}: ") and error in str(caught.value)


@pytest.mark.parametrize(
    ("right", "wrong", "error"),
    [
        ("stop → ", "stopp → ", r"\[piece\] has no line 'stop → …'; add it"),
        ("[piece]", "[pieces]", r"no section \[piece\]"),
    ],
)
@pytest.mark.parametrize("file", LANGUAGES, ids=lambda file: file.stem)
def test_what_every_language_must_say_is_named(file, right, wrong, error):
    text, _ = changed(file.read_text(encoding="utf-8"), right, wrong)
    with pytest.raises(TableError, match=rf"^{file.name}.*{error}"):
        Reader(text, file.name)


def test_the_file_that_is_read_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(read_languages, "FOLDER", tmp_path)
    (tmp_path / "yy.txt").write_text("[piece]\nname\n", encoding="utf-8")
    with pytest.raises(TableError, match="^yy.txt, line 2: 'name' is neither a section, such as "):
        read_languages.reader("yy")
