"""How a folder is begun, taken up again and made whole; the tasks are done without datatrove."""

import json
import re

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from support import contents, listed

from tom_datasets.errors import UserError
from tom_datasets.scale import whole
from tom_datasets.scale.shards import WORK, shard_of


@pytest.fixture
def finished(tmp_path, request_of, done_copy):
    """Make a small folder whole; return it and what is said of it."""
    folder = done_copy(tmp_path / "out")
    return folder, whole.finish(folder, request_of())


def begin(folder, request):
    """Begin a folder, or take it up again."""
    with whole.begun(folder, request):
        pass


def refusal(work, *given):
    """Return what is said where a folder is refused."""
    with pytest.raises(UserError) as error:
        work(*given)
    return str(error.value)


def test_the_folder_has_the_shards_the_card_and_the_record(finished, tmp_path, request_of):
    folder, result = finished
    assert listed(folder) == ["0th_order", "README.md", "build.json"] and listed(folder.parent) == ["out"]
    record = json.loads((folder / "build.json").read_text())
    assert list(record["files"]) == sorted(path for path in contents(folder) if path != "build.json")
    assert record["request"]["0th_order"] | {"rows": 240, "tasks": 2, "prove": 1.0} == record["request"]["0th_order"]
    assert result.proven == 240 and result.build.total == 240 - result.repeats
    assert whole.is_finished(folder, request_of())
    matter = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    tables = [{"split": "train", "path": result.build.tables}]
    assert matter["configs"] == [{"config_name": "0th_order", "default": True, "data_files": tables}]
    assert matter["dataset_info"]["splits"][0]["num_examples"] == result.build.total
    assert re.fullmatch("rows [0-9a-f]{16}", matter["dataset_info"]["description"])
    loaded = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    streamed = list(datasets.load_dataset(str(folder), split="train", streaming=True))
    assert loaded.to_list() == streamed and len(streamed) == result.build.total
    assert len({row["problem"] for row in streamed}) == len(streamed)
    assert streamed[0]["rung"] is None and streamed[0]["order"] == 0, "values that are empty or 0 are there"


@pytest.mark.parametrize(
    ("dataset", "config", "rows", "size", "fields"),
    [
        ("hi_tom", "0th_order", 240, 1, {}),
        ("hi_tom", "all", 480, 3, {"n_agents": 2, "max_order": 2}),
        ("mindgames", "forehead", 1_152, 4, {"n_agents": [2]}),
    ],
)
def test_of_a_problem_that_repeats_the_row_is_left_out(tmp_path, request_of, done, dataset, config, rows, size, fields):
    """Its story or block keeps the other rows; both are counted."""
    request = request_of(dataset=dataset, config=config, rows=rows, tasks=2, prove=0.0, fields=fields)
    made = [item.problem for item in map(request.stream().drawn_row, range(rows))]
    first = {problem: place for place, problem in reversed(list(enumerate(made)))}
    lost = {place for place in range(rows) if first[made[place]] != place}
    result = whole.finish(done(tmp_path / "out", request), request)
    assert 0 < result.repeats == len(lost) and result.build.total == rows - len(lost)
    assert result.cut == len({place // size for place in lost})
    tables = [pq.read_table(tmp_path / "out" / file) for file in result.build.tables]
    assert not any(b'"List"' in table.schema.metadata[b"huggingface"] for table in tables), "3.6 knows none"
    hashes = [bytes.fromhex(row) for table in tables for row in table["problem"].to_pylist()]
    assert hashes == [problem for place, problem in enumerate(made) if place not in lost]
    text = (tmp_path / "out" / "README.md").read_text()
    assert f"{len(lost):,} of them are left out: each repeats a problem of another row." in text


def test_what_is_missing_or_damaged_is_named(tmp_path, finished, request_of, done):
    folder, result = finished
    file = folder / result.build.tables[1]
    file.unlink()
    missing = f"{file} is missing: delete {folder}, and run the command again"
    assert refusal(whole.is_finished, folder, request_of()) == missing
    begun = done(tmp_path / "begun", request_of(), ranks=[0])
    asked = begun / WORK / whole.ASKED
    for text in ("", asked.read_text()[:-20], "[]", '{"request": {}}', '{"request": {"0th_order": 7}, "sources": ""}'):
        asked.write_text(text)
        damaged = f"{asked} is damaged: delete {begun}, or choose another --out"
        assert refusal(begin, begun, request_of()) == damaged


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"seed": 8}, "--seed is 7 there, 8 here"),
        ({"config": "1st_order"}, "0th_order is only there; 1st_order is only here"),
        ({"rows": 360}, "--rows is 240 there, 360 here"),
        ({"fields": {"n_agents": 6}}, "--field n_agents is 5 there, 6 here"),
    ],
)
def test_a_folder_of_another_request_is_refused(finished, tmp_path, request_of, other, said):
    folder, _ = finished
    before = contents(folder)
    holds = f"{folder} holds other rows ({said}): move it away, or choose another --out"
    assert refusal(whole.is_finished, folder, request_of(**other)) == holds
    begin(tmp_path / "begun", request_of())
    begun = holds.replace(str(folder), str(tmp_path / "begun"))
    assert refusal(begin, tmp_path / "begun", request_of(**other)) == begun
    assert contents(folder) == before


def test_a_folder_that_is_not_ours_is_refused(tmp_path, finished, request_of, done_copy, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.txt").write_text("mine")
    assert "exists and was not made by this program" in refusal(whole.is_finished, tmp_path / "mine", request_of())
    done_copy(tmp_path / "begun")
    (tmp_path / "begun" / "notes.txt").write_text("mine")
    strange = f"{tmp_path / 'begun' / 'notes.txt'} was not written by this program: move it away"
    assert refusal(whole.finish, tmp_path / "begun", request_of()) == strange
    monkeypatch.setattr("tom_datasets.scale.request.sources", lambda: "others")
    for work, folder in ((begin, tmp_path / "begun"), (whole.is_finished, finished[0])):
        others = f"{folder} was made by another version of this program: move it away, or choose another --out"
        assert refusal(work, folder, request_of()) == others


def test_only_one_command_works_in_a_folder(tmp_path, request_of):
    with whole.begun(tmp_path / "out", request_of()):
        busy = f"another command is working in {tmp_path / 'out'}: wait until it ends"
        assert refusal(begin, tmp_path / "out", request_of()) == busy


def test_tasks_that_are_not_complete_are_named_and_nothing_loads(tmp_path, request_of, done):
    """Their files look whole, and are in no list; what a task died of stands in its log."""
    folder, request = tmp_path / "out", request_of(rows=1_200, tasks=10, prove=0.0)
    work = done(folder, request) / WORK
    for rank in range(3, 9):
        shard_of(work, rank).mark.unlink()
    log = work / "logs" / "logs" / "task_00004.log"
    log.parent.mkdir()
    log.write_text("Traceback\nbuilders.errors.UserError: row 7 of hi_tom 0th_order: answer is 'x'\n")
    assert refusal(whole.finish, folder, request) == (
        "6 of 10 tasks are not complete (3, 4, 5, 6, 7, …); task 4: row 7 of hi_tom 0th_order: answer is 'x': run the "
        "command again; it runs only these"
    )
    assert listed(folder) == [WORK]
    with pytest.raises(datasets.data_files.EmptyDatasetError):
        datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
