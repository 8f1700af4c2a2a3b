"""Every command that reads Parquet says in one line which columns, types, values or rows are not those of the build.

The tests of publish are in tests/hub.
"""

import json
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands.samples import FILES
from support import refused, spoil

from tom_datasets.dataset import NAMES
from tom_datasets.folder.build import may_be_empty
from tom_datasets.hi_tom.builder import FEATURES as HI_TOM
from tom_datasets.mindgames.builder import FEATURES as MINDGAMES

COLUMNS = {"hi_tom": HI_TOM, "mindgames": MINDGAMES}
TEXT = {"hi_tom": "story", "mindgames": "premise"}
LIST = {"hi_tom": "choices", "mindgames": "names"}
COMMANDS = {
    "check": "check {name}",
    "audit": "audit {name}",
    "prompts": "prompts {name}",
    "score": "score {name} --responses {tmp}/replies.jsonl",
    "export": "export {name} --split test --to {tmp}/rows.jsonl",
    "explorer": "explorer {name}",
    "show": "show {name} --id {id}",
}


def emptied(column, value=None):
    """Return a change of one row: a column gets this value."""

    def changed(file):
        spoil(file.parents[1], lambda rows: rows[1].update({column: value}), f"{file.parent.name}/{file.name}")

    return changed


def retyped(column):
    """Return a change of the type of a column."""

    def changed(file):
        table = pq.read_table(file)
        numbers = pa.array([0] * table.num_rows, pa.int16())
        pq.write_table(table.set_column(table.schema.get_field_index(column), column, numbers), file)

    return changed


def dropped(column):
    """Return a change that takes a column away."""
    return lambda file: pq.write_table(pq.read_table(file).drop_columns([column]), file)


def shortened(file):
    """Take the last row away."""
    pq.write_table(pq.read_table(file)[:-1], file)


def torn(file):
    """Leave the head and the foot of a file whole."""
    content = file.read_bytes()
    file.write_bytes(content[:40] + bytes(3960) + content[4000:])


def faults(name):
    """Return (change, what is said of the file) by the name of the fault."""
    text, inner = TEXT[name], LIST[name]
    return {
        "null": (emptied(text), f": {text} is empty in some rows: build again"),
        "null in a list": (emptied(inner, ["a", None]), f": {inner} is empty in some rows: build again"),
        "type": (retyped(text), f" has other columns than {name}: {text} (int16, not string)"),
        "column": (dropped(inner), f" has other columns than {name}: {inner} (none, not list<"),
        "row": (shortened, " rows: build again"),
        "missing": (Path.unlink, " is missing: build again"),
        "no parquet": (lambda file: file.write_bytes(b"a,b\n"), " cannot be read as Parquet: "),
        "torn": (torn, " cannot be read as Parquet: "),
    }


@pytest.mark.parametrize(
    ("command", "fault"),
    [*(("check", fault) for fault in faults("hi_tom")), *product([*COMMANDS][1:], ("column", "missing"))],
)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_as_it_was_built_is_one_line(run, plain_copy, tmp_path, name, command, fault):
    out = plain_copy(name)
    file = out / name / ("all/test.parquet" if command in ("show", "prompts", "score", "export") else FILES[name])
    rows = pq.read_table(file).to_pylist()
    row_id = rows[0]["id" if name == "hi_tom" else "index"]
    (tmp_path / "replies.jsonl").write_text(json.dumps({"id": row_id, "response": "A"}))
    change, said = faults(name)[fault]
    change(file)
    if fault == "row":
        said = f"{file} has {len(rows) - 1} rows, its build.json says {len(rows)}: build again"
    words = COMMANDS[command].format(name=name, tmp=tmp_path, id=row_id).split()
    refused(run(*words, "--out", out), f"{file}", said)


@pytest.mark.parametrize("name", NAMES)
def test_every_column_that_is_empty_in_no_row_is_required(run, tiny_copy, name):
    out = tiny_copy(name)
    for file in sorted((out / name).rglob("*.parquet")):
        table = pq.read_table(file)
        assert {column for column in table.column_names if table[column].null_count} <= may_be_empty(name)
    file = out / name / FILES[name]
    whole = file.read_bytes()
    for column in sorted(COLUMNS[name].keys() - may_be_empty(name))[::4]:
        emptied(column)(file)
        refused(run("check", "--out", out), f"{file}: {column} is empty in some rows: build again")
        file.write_bytes(whole)
