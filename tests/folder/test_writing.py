"""Write small folders, and prove that a folder is whole, ours, or not there; the card says what is in it."""

import hashlib
import json
import os

import datasets
import pyarrow.parquet as pq
import pytest
from support import DAMAGED_RECORDS, SOUND_RECORD, contents

from tom_datasets import GENERATOR_VERSION
from tom_datasets.errors import UserError
from tom_datasets.folder import build, card, writing
from tom_datasets.folder.build import checksum
from tom_datasets.folder.writing import ROW_GROUP

FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "size": datasets.Value("int32"),
        "kind": datasets.ClassLabel(names=["small", "large"]),
        "parts": datasets.Sequence(datasets.Value("string")),
    }
)
LAYOUT = {
    "both": {"train": ["a/train.parquet"], "test": ["a/test.parquet", "b/test.parquet"]},
    "b": {"test": ["b/test.parquet"]},
}
REQUEST = {"all": {"seed": 3}}
TEMPLATE = (
    '---\n{% include "card/matter.yaml.jinja" %}\n---\n'
    "# {{ dataset }} {{ word }}\n{{ parquet.both.test|length }} {{ request.all.seed }}\n"
)


def row(number):
    """Return a row that fits FEATURES."""
    return {"id": f"row-{number}", "size": number, "kind": number % 2, "parts": ["x"] * (number % 3)}


def rows(train=2, test=3, other=1):
    """Return rows for every file of LAYOUT, the files in turn."""
    return [
        *(("a/train.parquet", row(n)) for n in range(train)),
        *(("b/test.parquet", row(100 + n)) for n in range(other)),
        *(("a/test.parquet", row(200 + n)) for n in range(test)),
    ]


@pytest.fixture(autouse=True)
def small_house(tmp_path, monkeypatch):
    """Let folder find its sources and its card in a house of our own, unless a test goes back to the real one."""
    house = tmp_path / "house"
    (house / "builders").mkdir(parents=True)
    (house / "templates" / "en").mkdir(parents=True)
    (house / "probe").mkdir()
    for path in ("builders/one.py", "builders/two.py", "templates/en/three.jinja"):
        (house / path).write_text(path)
    (house / "dataset_card.md").write_text(TEMPLATE)
    monkeypatch.setattr("tom_datasets.folder.build.ROOT", house)
    monkeypatch.setattr("tom_datasets.folder.build.data_folder", lambda name: house / (name or "builders"))
    monkeypatch.setattr("tom_datasets.folder.card.ROOT", house)
    return house


def write(target, made=None, layout=None, about=None, dataset="toy", request=None):
    """Write a folder of toys; return its build."""
    todo = build.Build(target, dataset, GENERATOR_VERSION, request or REQUEST, build.sources(), {})
    with writing.written(todo) as tables:
        tables.files.update(writing.write_tables(tables.folder, FEATURES, rows() if made is None else made))
        text = card.render(tables, layout or LAYOUT, {"word": "„toys“"} if about is None else about)
        (tables.folder / "README.md").write_text(text, encoding="utf-8")
    return build.Build.read(target, dataset)


def places(target):
    """Return what stands beside a folder, and the folder."""
    return sorted(path.name for path in target.parent.iterdir() if path.name != "house")


# ------------------------------------------------------------------------------------------------ tables and record


def test_the_rows_are_in_their_files_in_their_order(tmp_path):
    write(tmp_path / "toy")
    for file in ("a/train.parquet", "a/test.parquet", "b/test.parquet"):
        table = pq.read_table(tmp_path / "toy" / file)
        assert table.to_pylist() == [made for name, made in rows() if name == file]
        assert datasets.Features.from_arrow_schema(table.schema) == FEATURES
        assert table.schema.types == FEATURES.arrow_schema.types
        described = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
        words = {column: feature["_type"] for column, feature in described.items()}
        assert words == {"id": "Value", "size": "Value", "kind": "ClassLabel", "parts": "Sequence"}, "3.6 knows no List"
    assert places(tmp_path / "toy") == ["toy"]


def test_many_rows_are_written_in_groups(tmp_path):
    write(tmp_path / "toy", rows(train=2 * ROW_GROUP + 1, test=ROW_GROUP))
    with pq.ParquetFile(tmp_path / "toy" / "a" / "train.parquet") as table:
        groups = [table.metadata.row_group(group).num_rows for group in range(table.num_row_groups)]
        assert groups == [ROW_GROUP, ROW_GROUP, 1]
        assert table.read()["size"].to_pylist() == list(range(2 * ROW_GROUP + 1))
    with pq.ParquetFile(tmp_path / "toy" / "a" / "test.parquet") as table:
        assert table.num_row_groups == 1


def test_the_record_lists_every_file_with_its_checksum(tmp_path):
    target = tmp_path / "toy"
    write(target)
    text = (target / "build.json").read_text(encoding="utf-8")
    known = json.loads(text)
    assert build.Build.read(target, "toy").record() == text
    assert set(known["files"]) == set(contents(target)) - {"build.json"}
    assert list(known["files"]) == sorted(known["files"])
    for file, facts in known["files"].items():
        content = (target / file).read_bytes()
        assert facts["sha256"] == hashlib.sha256(content).hexdigest() == checksum(target / file)
        assert facts["bytes"] == len(content)
        if file.endswith(".parquet"):
            assert facts["rows"] == pq.read_metadata(target / file).num_rows
    assert known["dataset"] == "toy"
    assert known["request"] == REQUEST
    assert known["generator_version"] == GENERATOR_VERSION
    assert known["sources"] == build.sources()


def test_the_folder_may_be_read_by_others(tmp_path):
    write(tmp_path / "toy")
    assert (tmp_path / "toy").stat().st_mode & 0o777 == 0o755
    for path in (tmp_path / "toy").rglob("*"):
        assert path.stat().st_mode & 0o400


@pytest.mark.parametrize("content", DAMAGED_RECORDS)
def test_a_record_that_cannot_be_read_or_has_other_types_is_damaged(tmp_path, content):
    file = tmp_path / "build.json"
    file.write_bytes(content)
    with pytest.raises(UserError) as error:
        build.Build.read(tmp_path, "hi_tom")
    said = f"{file} is damaged, or another program wrote it ({DAMAGED_RECORDS[content]}"
    assert str(error.value).startswith(said) and "move it away" in str(error.value)


def test_a_folder_stands_where_the_record_should(tmp_path):
    (tmp_path / "build.json").mkdir()
    with pytest.raises(UserError, match=r"damaged, or another program wrote it \(Is a directory\): move it away"):
        build.Build.read(tmp_path, "hi_tom")


def test_no_record_and_one_of_another_dataset_are_none(tmp_path):
    assert build.Build.read(tmp_path, "hi_tom") is None
    assert build.Build.read(tmp_path / "missing", "hi_tom") is None
    (tmp_path / "build.json").write_text(json.dumps(SOUND_RECORD))
    assert build.Build.read(tmp_path, "mindgames") is None
    assert build.Build.read(tmp_path, "hi_tom").request == {"all": {}}
    assert build.Build.read(tmp_path / "build.json", "hi_tom") is None


@pytest.mark.parametrize(
    "path",
    [
        "builders/one.py",
        "builders/inner/deep.py",
        "builders/inner/figures.json",
        "templates/en/three.jinja",
        "templates/en/card/base.jinja",
        "dataset_card.md",
    ],
)
def test_every_source_counts(small_house, path):
    before = build.sources()
    assert build.sources() == before
    (small_house / path).parent.mkdir(exist_ok=True)
    with (small_house / path).open("a") as source:
        source.write(" ")
    changed = build.sources()
    assert changed != before
    if path != "dataset_card.md":
        (small_house / path).rename(small_house / path.replace(".", "_2."))
        assert build.sources() not in (before, changed)


def test_what_is_no_source_does_not_count(small_house):
    before = build.sources()
    (small_house / "notes.txt").write_text("mine")
    (small_house / "builders" / "__pycache__").mkdir()
    (small_house / "builders" / "__pycache__" / "two.pyc").write_text("compiled")
    (small_house / "builders" / "__pycache__" / "two.pyc.1397").write_text("Python gives it its name in a moment")
    (small_house / "tests").mkdir()
    (small_house / "tests" / "test_one.py").write_text("assert True")
    assert build.sources() == before


# ------------------------------------------------------------------------------------------------ whole or not there


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (
            [("a/train.parquet", {"id": "a"}), *rows()],
            r"a row's columns are not the features: \['kind', 'parts', 'size'\]",
        ),
        ([*rows(), ("a/train.parquet", row(9) | {"weight": 1})], r"a row's columns are not the features: \['weight'\]"),
    ],
)
def test_rows_that_do_not_fit_are_refused(tmp_path, made, words):
    with pytest.raises(RuntimeError, match=words):
        write(tmp_path / "toy", made)
    assert places(tmp_path / "toy") == []


class Stop(BaseException):
    """As KeyboardInterrupt, which is no Exception."""


@pytest.mark.parametrize("error", [Stop, KeyboardInterrupt, OSError(28, "No space left on device"), ValueError])
@pytest.mark.parametrize("old", [False, True])
def test_rows_that_end_in_an_error_leave_nothing(tmp_path, error, old):
    if old:
        write(tmp_path / "toy")
    before = contents(tmp_path)

    def made():
        yield from rows(train=ROW_GROUP + 1)
        raise error

    with pytest.raises(error if isinstance(error, type) else OSError):
        write(tmp_path / "toy", made())
    assert contents(tmp_path) == before
    assert places(tmp_path / "toy") == (["toy"] if old else [])


@pytest.mark.parametrize("step", ["render", "exchange", "checksum"])
def test_any_step_that_fails_leaves_the_old_folder(tmp_path, monkeypatch, step):
    write(tmp_path / "toy")
    before = contents(tmp_path)

    def fail(*_):
        raise OSError(5, "Input/output error")

    rooms = {"render": "folder.card", "exchange": "folder.writing", "checksum": "folder.build"}
    monkeypatch.setattr(f"tom_datasets.{rooms[step]}.{step}", fail)
    with pytest.raises(OSError, match="Input/output error"):
        write(tmp_path / "toy", rows(train=5))
    assert contents(tmp_path) == before
    assert places(tmp_path / "toy") == ["toy"]


def test_the_old_folder_comes_back_where_the_new_one_cannot_take_its_name(tmp_path, monkeypatch):
    write(tmp_path / "toy")
    before = contents(tmp_path)
    rename, renamed = os.rename, []

    def second_fails(source, destination):
        renamed.append(destination)
        if len(renamed) == 2:
            raise OSError(5, "Input/output error")
        rename(source, destination)

    monkeypatch.setattr(os, "rename", second_fails)
    with pytest.raises(OSError, match="Input/output error"):
        write(tmp_path / "toy", rows(train=5))
    assert len(renamed) == 3
    assert contents(tmp_path) == before
    assert places(tmp_path / "toy") == ["toy"]
