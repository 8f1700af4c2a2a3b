"""Spoil rows of mindgames, and read how the proof names each fault."""

import re

import pytest
from proof.samples import another, changed

from tom_datasets.logic.config import MOST_BLOCKS

FILE, ORDERED = "explicit/test.parquet", "deep/test.parquet"
COLUMNS = (
    "smcdel_problem pbcheck label setup n_agents n_announcements hypothesis_depth s-l n_worlds needs_announcements"
    " n_worlds_before shortest_proof order_matters nesting_matters rung block seed generator_version"
).split()
GIVES = ", the text gives "


def told(rows):
    """Return a row of which there is much to spoil."""
    return next((row for row in rows if row["n_announcements"] and "'s card is shown to" in row["premise"]), rows[2])


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    "file", [FILE, ORDERED, *(f"{name}/test.parquet" for name in ("ladder", "scale", "reproduction"))]
)
def test_every_column_follows_from_the_english(rows_of, faults, file, column):
    right = rows_of("mindgames", file)
    found, rows = faults("mindgames", file, lambda rows: told(rows).update({column: another(told(rows)[column])}))
    row, before = next(pair for pair in zip(rows, right, strict=True) if pair[0] != pair[1])
    assert found == [f"{column} is {row[column]!r}{GIVES}{before[column]!r}"]


def otherwise(row):
    """Negate the knowledge that is asked about."""
    text = row["hypothesis"]
    negated = " cannot know" in text.partition(" know ")[0] + " know"
    row["hypothesis"] = text.replace(*("cannot know", "can now know")[:: 1 if negated else -1], 1)
    assert row["hypothesis"] != text


def another_setup(row):
    """Tell of foreheads where the rest of the row is about cards."""
    first, second, *_ = row["names"]
    fact = "someone's forehead is muddy"
    row["premise"] = f"There are two persons. Everyone is visible to others. It is publicly announced that {fact}."
    row.update(hypothesis=f"{first} can now know that {fact}.", names=[first, second])


def swapped(*columns):
    """Return a change of a row: the first agent of the hypothesis and another change places in these columns."""

    def change(row):
        first = row["hypothesis"].split()[0]
        second = next(name for name in row["names"] if name != first)
        to = {first: second, second: first}
        for column in columns:
            if column == "names":
                row["names"] = [to.get(name, name) for name in row["names"]]
            else:
                row[column] = re.sub(rf"\b({first}|{second})\b", lambda match: to[match[0]], row[column])

    return change


def set_to(column, value):
    """Return a change of a row: a column gets a value, in which {} stands for what it had."""
    return lambda row: row.update({column: value and value.format(row[column])})


FORMAL = f"smcdel_problem is .*{GIVES}'VARS "
FIRST = "the first public announcement must be 'someone"
CLAIM = "a hypothesis must say what one person knows, as in "
NAMES = r" different names, not \("
PROBLEM = "VARS 1,2 LAW Top OBS Agenta:"
DEEPLY = f"{PROBLEM}2 VALID? {'~' * 100_000}1"


@pytest.mark.parametrize("text", ["", "{} ", "{}(", "€{}", "{} VALID? Top", f"{PROBLEM}3 VALID? 1", DEEPLY])
def test_another_formal_problem_is_found(faults, text):
    ((fault,), _) = faults("mindgames", FILE, lambda rows: set_to("smcdel_problem", text)(told(rows)))
    assert re.match(FORMAL, fault, re.DOTALL)


@pytest.mark.parametrize(
    ("column", "pattern", "replacement", "message"),
    [
        ("smcdel_problem", r"VALID\? (\[.*?\])", r"VALID? \1 \1", FORMAL),
        ("premise", "someone picked", "everyone picked", FIRST),
        ("premise", r"There are \w+ persons", "There are five persons", NAMES),
        ("premise", r"$", " The moon is made of cheese.", "expected an announcement.*The moon is made of cheese."),
        ("premise", r" \w+'s card is shown to \w+\.", "", FORMAL),
        ("premise", r"$", " It is publicly announced that nobody picked a red card.", FORMAL),
        ("premise", r" It is publicly announced[^.]*\.$", "", FORMAL),
        ("premise", r"\A", " ", "premise must not begin or end with a space"),
        ("hypothesis", r"\Z", "\n", "hypothesis must not begin or end with a space"),
        ("hypothesis", r"\A\w+", "Zebedee", "'Zebedee' must be one of the names, "),
        ("hypothesis", r"\.$", "", CLAIM),
    ],
)
def test_what_a_text_says_otherwise_is_found(faults, column, pattern, replacement, message):
    ((fault,), _) = faults("mindgames", FILE, lambda rows: changed(column, pattern, replacement)(told(rows)))
    assert re.search(message, fault, re.DOTALL)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (otherwise, FORMAL),
        (another_setup, FORMAL),
        (swapped("names"), FORMAL),
        (swapped("premise", "hypothesis"), FORMAL),
        (lambda row: row["names"].pop(), NAMES),
        (lambda row: row["names"].__setitem__(-1, row["names"][0]), NAMES),
        (lambda row: row["names"].__setitem__(-1, "x y"), "a name must be one word with a capital.*'x y'"),
        (lambda row: row["names"].clear(), NAMES),
        (lambda row: row.update(index=row["index"] + 4), f"block is 'explicit-test-.*{GIVES}'explicit-test-"),
        (lambda row: row.update(index=row["index"] + 4 * MOST_BLOCKS), f"index is .*{GIVES}"),
        (lambda row: row.update(index=0), f"index is 0{GIVES}"),
        (lambda row: row.update(index=-1), f"index is -1{GIVES}"),
        (set_to("explanation", "So."), "explanation is set, but rows of this config and split have none"),
    ],
)
def test_what_a_row_says_otherwise_is_found(faults, change, message):
    ((fault,), _) = faults("mindgames", FILE, lambda rows: change(told(rows)))
    assert re.search(message, fault, re.DOTALL)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_to("explanation", None), "explanation is empty"),
        (changed("explanation", "leaves 1 to", "leaves 2 to"), "step 2 of its explanation is wrong: "),
        (changed("explanation", r"\n.*\Z", ""), "its explanation ends before step "),
    ],
)
def test_a_spoiled_explanation_is_found(faults, change, message):
    found, _ = faults("mindgames", "internal/train.parquet", lambda rows: change(rows[0]))
    assert found[0].startswith(message)


def test_an_announcement_of_an_order_block_that_is_no_clause(faults):
    change = changed("premise", r"[^.]*\.$", " It is publicly announced that it is raining.")
    assert (
        "expected a clause of this premise, not 'it is raining'"
        in faults("mindgames", ORDERED, lambda rows: change(rows[2]))[0][0]
    )


@pytest.mark.parametrize(
    ("file", "asked", "message"),
    [
        (FILE, {"n_agents": [3, 4]}, "n_agents is 2, the build asked for [3, 4]"),
        (FILE, {"max_order": 1}, "the hypothesis is of order 2, the build asked for 1 to 1"),
        (FILE, {"seed": 1}, "seed is 0, the text gives 1"),
        (ORDERED, {"kinds": ["facts", "first"]}, "it announces second, the build asked for facts, first"),
        (ORDERED, {"n_agents": [7]}, "n_agents is 3, the build asked for [7]"),
        (ORDERED, {"max_order": 0}, "the order of the hypothesis is 1, the build asked for []"),
        (ORDERED, {"n_announcements": [9]}, "n_announcements is 3, the build asked for [9]"),
        ("all/test.parquet", {}, "a problem of forehead stands in all/test.parquet"),
    ],
)
def test_rows_that_were_not_asked_for_are_found(faults, file, asked, message):
    assert message in faults("mindgames", file, **asked)[0][0]


def test_the_label_of_the_reader_is_asked_too(faults, monkeypatch):
    monkeypatch.setattr("tom_datasets.reader.problem_worlds.follows", lambda problem: None)
    (fault,), rows = faults("mindgames", FILE)
    assert fault == f"label is {rows[0]['label']!r}{GIVES}'no world'"


def test_the_label_of_the_checker_is_asked_too(faults, monkeypatch):
    monkeypatch.setattr("tom_datasets.logic.checkers.are_valid", lambda questions, _: [None for _ in questions])
    (fault,), rows = faults("mindgames", FILE)
    assert fault == f"label is {rows[0]['label']!r}, smcdel_problem gives 'no world'"
