"""Run `explain` on ids and on rows."""

import io
import json

import pytest
from support import refused

from tom_datasets.explanations import explain
from tom_datasets.reader.steps import explanation_fault
from tom_datasets.streaming.endless import endless


@pytest.mark.parametrize(
    ("name", "row_id", "rows"),
    [("hi_tom", "test-000002", 5), ("mindgames", "40000013", 1), ("mindgames", "rounds-hats-test-000000", 4)],
)
def test_rows_of_an_id_are_explained(run, name, row_id, rows):
    code, printed, errors = run("explain", name, "--id", row_id)
    assert (code, errors) == (0, "") and printed.count("\nAnswer: ") == rows
    assert run("explain", name, "--id", row_id, "--seed", "5")[1] != printed


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_rows_on_standard_input_are_explained(run, monkeypatch, name):
    stream = endless(name, "all", seed=7, explanations=[])
    rows = [stream[index] for index in range(4)]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(row) + "\n" for row in rows)))
    code, printed, errors = run("explain", name)
    assert (code, errors) == (0, "")
    told = [json.loads(line) for line in printed.splitlines()]
    assert [line["id"] for line in told] == [str(row.get("id", row.get("index"))) for row in rows]
    for line, row in zip(told, rows, strict=True):
        assert line["explanation"] == explain(row) and explanation_fault(line["explanation"], row) is None


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        ((), "{\n", "standard input, line 1: it is not JSON; expected one row on a line"),
        ((), "3\n", "standard input, line 1: the row is 3; it must map"),
        (
            (),
            '{"premise": ""}\n',
            "answer, config and language; this one has premise",
        ),
        (("--seed", "3"), "", "--seed needs --id too"),
        (("--id", "x"), "", "--id is 'x'; expected the id of a row"),
    ],
)
def test_what_cannot_be_explained(run, monkeypatch, words, text, message):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    refused(run("explain", "hi_tom", *words), message, code=2 if "needs" in message else 1)
