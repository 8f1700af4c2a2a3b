"""Write small folders, and prove that a folder is whole, ours, or not there; the card says what is in it."""

import hashlib
import json
import os

import datasets
import jinja2
import pyarrow.parquet as pq
import pytest
import yaml

from tom_datasets import GENERATOR_VERSION
from tom_datasets.errors import FolderError
from tom_datasets.folder import build, writing
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
TEMPLATE = "---\n{{ matter }}\n---\n# {{ dataset }} {{ word }}\n{{ parquet.both.test|length }} {{ request.all.seed }}\n"


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
    with writing.written(todo, FEATURES, layout or LAYOUT, rows() if made is None else made) as tables:
        writing.write_card(tables, FEATURES, layout or LAYOUT, {"word": "„toys“"} if about is None else about)
    return build.Build.read(target, dataset)


def contents(top):
    """Return the bytes of every file under a folder."""
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in sorted(top.rglob("*")) if path.is_file()}


def places(target):
    """Return what stands beside a folder, and the folder."""
    return sorted(path.name for path in target.parent.iterdir() if path.name != "house")


def front_matter(card):
    """Return the YAML that opens a card, and the prose below."""
    opening, matter, prose = card.split("---\n", 2)
    assert opening == ""
    return yaml.safe_load(matter), prose


# ------------------------------------------------------------------------------------------------ tables and record


@pytest.mark.parametrize(
    "path", ["builders/inner/deep.py", "builders/inner/figures.json", "templates/en/card/base.jinja"]
)
def test_a_source_in_a_subfolder_counts(small_house, path):
    before = build.sources()
    (small_house / path).parent.mkdir(parents=True)
    (small_house / path).write_text("one")
    added = build.sources()
    (small_house / path).write_text("two")
    assert len({before, added, build.sources()}) == 3


def test_the_rows_are_in_their_files_in_their_order(tmp_path):
    write(tmp_path / "toy")
    for file in ("a/train.parquet", "a/test.parquet", "b/test.parquet"):
        table = pq.read_table(tmp_path / "toy" / file)
        assert table.to_pylist() == [made for name, made in rows() if name == file]
        assert datasets.Features.from_arrow_schema(table.schema) == FEATURES
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


def test_same_rows_same_bytes_wherever_they_are_written(tmp_path):
    write(tmp_path / "toy")
    write(tmp_path / "elsewhere" / "deep" / "toy")
    assert contents(tmp_path / "toy") == contents(tmp_path / "elsewhere" / "deep" / "toy")


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (None, None),
        (b"", None),
        (b"{", None),
        (b"\xff", None),
        (b"[]", None),
        (b"7", None),
        (b'{"dataset": "toy"}', None),
        (b'{"dataset": "toy", "files": []}', None),
    ],
)
def test_a_record_that_cannot_be_read_is_none(tmp_path, content, known):
    if content is not None:
        (tmp_path / "build.json").write_bytes(content)
    assert build.Build.read(tmp_path, "toy") == known


@pytest.mark.parametrize("path", ["builders/one.py", "builders/two.py", "templates/en/three.jinja", "dataset_card.md"])
def test_every_source_counts(small_house, path):
    before = build.sources()
    assert build.sources() == before
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
    (small_house / "tests").mkdir()
    (small_house / "tests" / "test_one.py").write_text("assert True")
    assert build.sources() == before


# ------------------------------------------------------------------------------------------------ whole or not there


def less(made, column):
    del made[column]
    return made


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (less(row(9), "size"), r"a row's columns are not the features: \['size'\]"),
        ({**row(9), "weight": 1}, r"a row's columns are not the features: \['weight'\]"),
        ({**less(row(9), "kind"), "kinds": 1}, r"a row's columns are not the features: \['kind', 'kinds'\]"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_rows_whose_columns_are_not_the_features_are_refused(tmp_path, wrong, words, first):
    made = [("a/train.parquet", wrong), *rows()] if first else [*rows(), ("a/train.parquet", wrong)]
    with pytest.raises(RuntimeError, match=words):
        write(tmp_path / "toy", made)
    assert places(tmp_path / "toy") == []


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ([*rows(), ("c/test.parquet", row(9))], "c/test.parquet"),
        (rows(other=0), r"the layout has .*b/test.parquet"),
        ([], r"rows were made for \[\], the layout has \['a/test.parquet', 'a/train.parquet', 'b/test.parquet'\]"),
    ],
)
def test_rows_for_files_that_are_not_in_the_layout_are_refused(tmp_path, made, words):
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

    rooms = {"render": "folder.card", "exchange": "files", "checksum": "folder.writing"}
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


def test_a_new_folder_replaces_the_old_one(tmp_path):
    write(tmp_path / "toy", [*rows(), ("c/test.parquet", row(1))], {**LAYOUT, "c": {"test": ["c/test.parquet"]}})
    assert (tmp_path / "toy" / "c").is_dir()
    write(tmp_path / "toy", rows(train=5))
    assert not (tmp_path / "toy" / "c").exists()
    assert pq.read_table(tmp_path / "toy" / "a" / "train.parquet").num_rows == 5
    assert places(tmp_path / "toy") == ["toy"]


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "toy").mkdir()
    write(tmp_path / "toy")
    assert build.claim(tmp_path / "toy", "toy", REQUEST)


# ------------------------------------------------------------------------------------------------ claim


def test_a_folder_with_what_is_requested_is_claimed_done(tmp_path, small_house):
    target = tmp_path / "toy"
    assert build.claim(target, "toy", REQUEST) is False
    write(target)
    assert build.claim(target, "toy", REQUEST) is True
    assert build.claim(target, "toy", {"all": {"seed": 4}}) is False
    (target / "a" / "train.parquet").rename(tmp_path / "train.parquet")
    assert build.claim(target, "toy", REQUEST) is False
    (tmp_path / "train.parquet").rename(target / "a" / "train.parquet")
    assert build.claim(target, "toy", REQUEST) is True
    (small_house / "hi_tom.py").write_text("changed")
    assert build.claim(target, "toy", REQUEST) is False


def test_a_folder_of_another_dataset_is_not_ours(tmp_path):
    write(tmp_path / "toy")
    with pytest.raises(FolderError, match=r"toy exists and was not made by this program \(it has no build.json of"):
        build.claim(tmp_path / "toy", "other", REQUEST)


@pytest.mark.parametrize("request_", [REQUEST, {"all": {"seed": 4}}])
def test_a_changed_folder_is_not_ours(tmp_path, request_):
    target = tmp_path / "toy"
    write(target)
    (target / "a" / "extra.txt").write_text("mine")
    with pytest.raises(FolderError, match="toy/a/extra.txt was not written by the build of .*toy: move it away or"):
        build.claim(target, "toy", request_)
    (target / "a" / "extra.txt").unlink()
    (target / "README.md").write_text("mine")
    with pytest.raises(FolderError, match="toy/README.md was changed after it was built: move it away or build"):
        build.claim(target, "toy", request_)


# ------------------------------------------------------------------------------------------------ remove


def test_remove_deletes_what_a_build_wrote(tmp_path):
    write(tmp_path / "toy")
    (tmp_path / ".toy.partial-killed" / "a").mkdir(parents=True)
    (tmp_path / ".toy.partial-killed" / "a" / "train.parquet").write_text("half")
    (tmp_path / ".toys.partial-other").mkdir()
    assert build.remove(tmp_path / "toy", "toy") == []
    assert places(tmp_path / "toy") == [".toys.partial-other"]
    assert build.remove(tmp_path / "toy", "toy") == []


def test_remove_leaves_what_no_build_wrote(tmp_path):
    write(tmp_path / "toy")
    (tmp_path / "toy" / "a" / "mine.txt").write_text("mine")
    assert build.remove(tmp_path / "toy", "toy") == ["a/mine.txt"]
    assert contents(tmp_path / "toy") == {"a/mine.txt": b"mine"}
    assert build.remove(tmp_path / "toy", "toy") == ["toy"]
    assert contents(tmp_path / "toy") == {"a/mine.txt": b"mine"}


def test_remove_misses_no_file_that_is_gone_already(tmp_path):
    write(tmp_path / "toy")
    (tmp_path / "toy" / "b" / "test.parquet").unlink()
    assert build.remove(tmp_path / "toy", "toy") == []
    assert places(tmp_path / "toy") == []


# ------------------------------------------------------------------------------------------------ the card


def test_the_card_says_what_the_tables_hold(tmp_path):
    target = tmp_path / "toy"
    write(target)
    matter, prose = front_matter((target / "README.md").read_text(encoding="utf-8"))
    assert prose == "# toy „toys“\n4 3\n"
    assert matter["configs"] == [
        {
            "config_name": "both",
            "default": True,
            "data_files": [
                {"split": "train", "path": ["a/train.parquet"]},
                {"split": "test", "path": ["a/test.parquet", "b/test.parquet"]},
            ],
        },
        {"config_name": "b", "data_files": [{"split": "test", "path": ["b/test.parquet"]}]},
    ]
    counted = {
        info["config_name"]: {split["name"]: split["num_examples"] for split in info["splits"]}
        for info in matter["dataset_info"]
    }
    assert counted == {"both": {"train": 2, "test": 4}, "b": {"test": 1}}


def test_an_undefined_name_in_the_card_is_an_error(tmp_path, small_house):
    with pytest.raises(jinja2.UndefinedError, match="'word' is undefined"):
        write(tmp_path / "toy", about={})
    (small_house / "dataset_card.md").write_text(TEMPLATE + "{{ request.all.sead }}\n")
    with pytest.raises(jinja2.UndefinedError, match="'sead'"):
        write(tmp_path / "toy")
    (small_house / "dataset_card.md").write_text(TEMPLATE + "{% if request %}\n")
    with pytest.raises(jinja2.TemplateSyntaxError):
        write(tmp_path / "toy")
    assert places(tmp_path / "toy") == []


def test_remove_leaves_what_was_changed_since(tmp_path):
    write(tmp_path / "toy")
    card = tmp_path / "toy" / "README.md"
    card.write_text(card.read_text() + "my notes")
    assert build.remove(tmp_path / "toy", "toy") == ["README.md"]
    assert list(contents(tmp_path / "toy")) == ["README.md"]
