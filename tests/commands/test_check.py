"""Run `check` on whole folders: good ones agree, and damaged or missing files are named."""

import shutil

import pytest
from commands.samples import (
    BLOCKS,
    FILES,
    STORIES,
    a_file,
    a_folder_of_someone,
    a_folder_with_another_record,
    a_record_of_nothing,
    a_record_that_is_a_list,
    a_record_that_is_no_json,
)
from support import TINY_ROWS, refused, spoil, tree

from tom_datasets.audit.gates import GATED_STORIES
from tom_datasets.topics import NAMES


@pytest.mark.parametrize("processes", [1, 2])
def test_a_good_build_of_stories_agrees(run, stories, processes):
    code, printed, said = run("check", "hi_tom", "--out", stories, "--processes", processes)
    assert (code, said) == (0, "")
    assert f"{TINY_ROWS['hi_tom']} of {TINY_ROWS['hi_tom']} rows agree" in printed
    assert f"{STORIES} stories, no text or problem twice, none in two splits" in printed
    assert f"not gated: 6 test stories, the gates need {GATED_STORIES}" in printed


@pytest.mark.parametrize("name", NAMES)
def test_check_and_audit_touch_nothing(run, tiny_copy, name):
    out = tiny_copy(name)
    before = tree(out)
    run("check", "--out", out)
    run("audit", "--out", out)
    assert tree(out) == before


@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_table(run, tiny_copy, name, command):
    out = tiny_copy(name)
    (out / name / FILES[name]).unlink()
    refused(run(command, "--out", out), f"{out / name / FILES[name]} is missing: build again")


@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize(
    ("name", "content"),
    [("hi_tom", b""), ("hi_tom", b"PAR1" + bytes(100) + b"PAR1"), ("hi_tom", b"a,b\n"), ("mindgames", b"a,b\n")],
)
def test_a_table_that_is_no_parquet(run, tiny_copy, command, name, content):
    out = tiny_copy(name)
    (out / name / FILES[name]).write_bytes(content)
    refused(run(command, "--out", out), f"{out / name / FILES[name]} cannot be read as Parquet: ")


@pytest.mark.parametrize(
    ("name", "change", "where"),
    [
        ("hi_tom", lambda rows: rows.insert(1, rows.pop(0)), "row 1 is not the same as row test-000000-0 of 0th_order"),
        ("hi_tom", lambda rows: rows[7].update(question="Where?"), "row 8 is not the same as row test-000001-2 of "),
        ("hi_tom", lambda rows: rows.pop(), "row 30 is not the same as row test-000005-4 of 0th_order or 1st_order or"),
        ("mindgames", lambda rows: rows.append(rows[0]), "row 97 is not the same as row "),
        (
            "mindgames",
            lambda rows: rows[5].update(n_worlds=1),
            "of forehead or forehead_mirror or internal or ",
        ),
    ],
)
def test_all_must_hold_the_rows_of_its_orders_or_setups(run, tiny_copy, name, change, where):
    out = tiny_copy(name)
    spoil(out / name, change, "all/test.parquet")
    refused(run("check", "--out", out), f"{out / name / 'all/test.parquet'}: its row ", where)


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_damaged_table(run, stories_copy, command):
    """Its head and foot are whole, its pages are not."""
    file = stories_copy / "hi_tom" / FILES["hi_tom"]
    content = bytearray(file.read_bytes())
    content[40:4000] = bytes(3960)
    file.write_bytes(content)
    refused(run(command, "--out", stories_copy), f"{file} cannot be read as Parquet: ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize(
    "there",
    [
        lambda target: None,
        a_file,
        a_folder_of_someone,
        a_folder_with_another_record,
        a_record_that_is_no_json,
        a_record_that_is_a_list,
        a_record_of_nothing,
    ],
)
def test_a_folder_without_a_build(run, tmp_path, name, command, there):
    target = tmp_path / name
    there(target)
    refused(run(command, name, "--out", tmp_path), f"{target} holds no build of {name}", "run make build first")
    where, datasets = (target, name) if target.exists() else (tmp_path, "hi_tom or mindgames")
    refused(run(command, "--out", tmp_path), f"{where} holds no build of {datasets}", "run make build first")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_without_a_dataset_each_that_is_there_is_taken(run, tiny_build, tmp_path, command):
    says = "rows agree" if command == "check" else ": per cent of the test rows that"
    refused(run(command, "--out", tmp_path), f"{tmp_path} holds no build of hi_tom or mindgames: run make build first")
    shutil.copytree(tiny_build("mindgames") / "mindgames", tmp_path / "mindgames")
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 1, "")
    refused(run(command, "hi_tom", "--out", tmp_path), f"{tmp_path / 'hi_tom'} holds no build of hi_tom")
    shutil.copytree(tiny_build("hi_tom") / "hi_tom", tmp_path / "hi_tom")
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 2, "")
    file = tmp_path / "mindgames" / "scale" / "test.parquet"
    file.unlink()
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (1, 1, f"error: {file} is missing: build again\n")
    assert run(command, "hi_tom", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize("processes", ["0", "-3"])
def test_check_needs_a_process(run, stories, processes):
    refused(
        run("check", "--out", stories, "--processes", processes), f"--processes: {processes} is not 1 or more", code=2
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_a_good_build_of_problems_agrees(run, problems, processes):
    code, printed, said = run("check", "mindgames", "--out", problems, "--processes", processes)
    assert (code, said) == (0, "")
    assert printed == (
        f"{problems / 'mindgames'}: {TINY_ROWS['mindgames']} of {TINY_ROWS['mindgames']} rows agree: "
        "label = label from smcdel_problem by the checker = label "
        "from the text by\nexplicit sets of worlds, every other column again from the text;\n"
        f"{BLOCKS} blocks of four hold their pattern, no premise is in two blocks or splits,\n"
        "no problem twice, whatever the names\n"
        "gates hold for every setup\n"
        "order blocks, not gated: 4 test problems, the gates need 800\n"
    )
