"""Spoil rows of order blocks, and read how `check` names each fault."""

import re

import pytest
from support import refused, set_to, spoil

FILE = "deep/test.parquet"


def in_premise(pattern, replacement):
    """Return a change of the first match in a premise."""

    def changed(row):
        text = re.sub(pattern, replacement, row["premise"], count=1)
        assert text != row["premise"]
        row["premise"] = text

    return changed


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_to("order_matters", lambda value: not value), ["order_matters is False, the text gives True"]),
        (set_to("order_matters", lambda value: None), ["order_matters is None, the text gives True"]),
        (set_to("nesting_matters", lambda value: not value), ["nesting_matters is ", ", the text gives "]),
        (set_to("rung", lambda value: 1), ["rung is 1, the text gives None"]),
        (set_to("needs_announcements", lambda value: value + 1), ["needs_announcements is ", ", the text gives "]),
        (in_premise(r"[^.]*\.$", " It is publicly announced that it is raining."), ["'it is raining' is no clause"]),
    ],
)
def test_a_row_that_says_something_else_is_named(run, problems_copy, change, words):
    rows = spoil(problems_copy / "mindgames", lambda rows: change(rows[2]), FILE)
    refused(run("check", "mindgames", "--out", problems_copy), f"{FILE}, row {rows[2]['index']}: ", *words)


def test_other_fields_than_those_of_the_record_are_named(run, problems_copy):
    record = problems_copy / "mindgames" / "build.json"
    text = record.read_text(encoding="utf-8")
    assert '"showings"' in text
    record.write_text(text.replace('"showings"', '"distributed"'), encoding="utf-8")
    code, _, message = run("check", "mindgames", "--out", problems_copy)
    assert code == 1 and "it announces showings, asked for were facts, counts, first, second, distributed" in message
