"""Run `check` on whole folders: good ones agree, and damaged or missing files are named."""

import os
import re
import shutil

import pyarrow.parquet as pq
import pytest
from commands.samples import BLOCKS, FILES, NOT_OURS, PLAIN_ROWS, STORIES
from support import TINY_ROWS, build, ended, refused, sized, spoil, start, tree

from tom_datasets.audit.gates import GATED_STORIES
from tom_datasets.dataset import NAMES
from tom_datasets.story.explanation import explain_row


@pytest.mark.parametrize("processes", [1, 2])
def test_a_good_build_of_stories_agrees_and_is_left_alone(run, stories, processes):
    before = tree(stories)
    code, printed, said = run("check", "hi_tom", "--out", stories, "--processes", processes)
    assert (code, said) == (0, "")
    assert f"{TINY_ROWS['hi_tom']:,} of {TINY_ROWS['hi_tom']:,} rows agree" in printed
    assert f"{STORIES} stories: no text or problem occurs twice, and none is in two splits" in printed
    assert f"not gated: 6 test stories, the gates need {GATED_STORIES}" in printed
    assert tree(stories) == before


def test_a_card_that_was_changed_or_lost_is_named(run, plain_copy):
    """Whether all rows agree is said before."""
    out = plain_copy("hi_tom")
    card = out / "hi_tom/README.md"
    card.write_text("Mine now.")
    code, printed, said = run("check", "--out", out)
    refused((code, "", said), f"{card} was changed after it was built: ")
    assert " rows agree: " in printed
    card.unlink()
    code, _, said = run("check", "--out", out)
    refused((code, "", said), f"{card} is missing: build again")


@pytest.mark.parametrize(
    ("name", "change", "where"),
    [
        ("hi_tom", lambda rows: rows.insert(1, rows.pop(0)), "row 1 differs from row test-000000-0 of 0th_order"),
        ("hi_tom", lambda rows: rows[7].update(question="Where?"), "row 8 differs from row test-000001-2 of "),
        ("hi_tom", lambda rows: rows.pop(), "row 30 differs from row test-000005-4 of 0th_order or 1st_order or"),
        ("mindgames", lambda rows: rows.append(rows[0]), "row 97 differs from row "),
        ("mindgames", lambda rows: rows[5].update(n_worlds=1), "of forehead or forehead_mirror or internal or "),
    ],
)
def test_all_must_hold_the_rows_of_its_orders_or_setups(run, plain_copy, name, change, where):
    out = plain_copy(name)
    spoil(out / name, change, "all/test.parquet")
    refused(run("check", "--out", out), f"{out / name / 'all/test.parquet'}: its row ", where)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize("there", [lambda target: None, *NOT_OURS])
def test_a_folder_without_a_build(run, tmp_path, name, command, there):
    target = tmp_path / name
    there(target)
    refused(run(command, name, "--out", tmp_path), f"{target} holds no build of {name}", "run make build first")
    where, datasets = (target, name) if target.exists() else (tmp_path, "hi_tom or mindgames")
    refused(run(command, "--out", tmp_path), f"{where} holds no build of {datasets}", "run make build first")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_without_a_dataset_each_that_is_there_is_taken(run, once, tmp_path, command):
    def built(name):
        words = ("--preset", "tiny", "--only", "reproduction", "--probe", "none")
        return once(f"reproduction-{name}", lambda out: build(out, name, *words)) / name

    says = "rows agree" if command == "check" else ": per cent of the test rows that"
    refused(run(command, "--out", tmp_path), f"{tmp_path} holds no build of hi_tom or mindgames: run make build first")
    shutil.copytree(built("mindgames"), tmp_path / "mindgames")
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 1, "")
    refused(run(command, "hi_tom", "--out", tmp_path), f"{tmp_path / 'hi_tom'} holds no build of hi_tom")
    shutil.copytree(built("hi_tom"), tmp_path / "hi_tom")
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 2, "")
    file = tmp_path / "mindgames" / "reproduction" / "test.parquet"
    file.unlink()
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (1, 1, f"error: {file} is missing: build again\n")


def test_a_good_build_of_problems_agrees_and_is_left_alone(run, problems):
    before = tree(problems)
    code, printed, said = run("check", "mindgames", "--out", problems, "--processes", 2)
    assert (code, said) == (0, "")
    assert printed == (
        f"{problems / 'mindgames'}: {TINY_ROWS['mindgames']:,} of {TINY_ROWS['mindgames']:,} rows agree: "
        "label = label from smcdel_problem by the checker = label "
        "from the text by\nexplicit sets of worlds; every other column agrees with the text;\n"
        f"{BLOCKS} blocks of four keep their pattern; no premise is in two blocks or splits,\n"
        "and no problem occurs twice, even with other names\n"
        "gates hold for every setup, on 24 test problems\n"
        "deep, not gated: 4 test problems, the gates need 800\n"
        "ladder, not gated: 12 test problems, the gates need 800\n"
        "rounds, not gated: 26 test questions, the gates need 400\n"
    )
    assert tree(problems) == before


def flipped(row):
    """Let a row have another answer or label."""
    if "answer" in row:
        row["answer"] = next(choice for choice in row["choices"] if choice != row["answer"])
    else:
        row["label"] = {"entailment": "not_entailment", "not_entailment": "entailment"}[row["label"]]


SAYS = {"hi_tom": "answer is '", "mindgames": "label is '"}
ID = {"hi_tom": "id", "mindgames": "index"}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("hi_tom", "0th_order/train.parquet"),
        ("hi_tom", "tomh/test.parquet"),
        ("hi_tom", "reproduction/test.parquet"),
        ("mindgames", "forehead_mirror/train.parquet"),
        ("mindgames", "scale/test.parquet"),
        ("mindgames", "reproduction/test.parquet"),
    ],
)
def test_a_spoiled_row_is_found_in_every_table(run, plain_copy, name, file):
    out = plain_copy(name)
    rows = spoil(out / name, lambda rows: flipped(rows[-1]), file)
    failed = run("check", "--out", out, "--processes", "2")
    refused(failed, f"{out / name / file}, row {rows[-1][ID[name]]}: {SAYS[name]}")
    agreed = int(re.search(rf"(\d+) of {PLAIN_ROWS[name]} rows agree, then ", failed[2])[1])
    assert len(rows) - 1 <= agreed < PLAIN_ROWS[name]


def test_two_spoiled_tables_name_the_first(run, plain_copy):
    out = plain_copy("hi_tom")
    for file in ("4th_order/validation.parquet", FILES["hi_tom"]):
        rows = spoil(out / "hi_tom", lambda rows: flipped(rows[-1]), file)
    for processes in (1, 2):
        failed = run("check", "--out", out, "--processes", processes)
        refused(failed, f"{FILES['hi_tom']}, row {rows[-1]['id']}: answer is ")


def test_a_fault_found_by_several_processes_ends_them(plain_copy):
    out = plain_copy("hi_tom")
    spoil(out / "hi_tom", lambda rows: flipped(rows[0]), "0th_order/test.parquet")
    process = start("check", "--out", out, "--processes", "2", start_new_session=True)
    refused(ended(process), "0th_order/test.parquet, row ")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


WRONG = {"id": "its id occurs twice", "problem": "its problem occurs twice", "story": "its story occurs in test-0000"}
OTHER = {"id": "test-000099-2", "story_id": "test-000099"}


@pytest.mark.parametrize(
    ("name", "change", "place", "message"),
    [
        ("hi_tom", lambda rows: rows.append(rows[0]), -1, "id"),
        ("mindgames", lambda rows: rows.append(rows[0]), -1, "id"),
        ("hi_tom", lambda rows: rows[1].update(id=rows[0]["id"], story_id=rows[0]["story_id"]), 1, "id"),
        ("mindgames", lambda rows: rows[4].update(index=rows[0]["index"]), 4, "id"),
        ("hi_tom", lambda rows: rows.append(rows[0] | OTHER), -1, "problem"),
        ("mindgames", lambda rows: rows[4].update(rows[0] | {"index": rows[4]["index"]}), 4, "problem"),
        ("hi_tom", lambda rows: rows[-1].update(OTHER), -1, "story"),
    ],
)
def test_what_occurs_twice_is_found(run, plain_copy, name, change, place, message):
    """In reproduction, where a row is a problem of its own."""
    out, file = plain_copy(name), {"hi_tom": FILES["hi_tom"], "mindgames": "reproduction/test.parquet"}[name]
    rows = spoil(out / name, change, file)
    refused(run("check", "--out", out), f"{file}, row {rows[place][ID[name]]}: {WRONG[message]}")


@pytest.mark.parametrize("named", [{}, {"id": "train-000099-2", "story_id": "train-000099"}])
def test_a_story_in_two_splits_is_found(run, plain_copy, named):
    """Its first-order question stays in test, its second-order one goes to train."""
    out = plain_copy("hi_tom")
    moved = pq.read_table(out / "hi_tom" / FILES["hi_tom"]).to_pylist()[0]
    moved |= {"explanation": explain_row(moved), **named}
    spoil(out / "hi_tom", lambda rows: rows.pop(0))
    spoil(out / "hi_tom", lambda rows: rows.append(moved), "2nd_order/train.parquet")
    refused(run("check", "--out", out), ".parquet, row ", moved["story_id"], "train", "test", " too")


def test_a_build_without_explanations_agrees(run, tmp_path):
    words = [*sized("hi_tom", train=6), "--probe", "none", "--no-explanations", "--out", tmp_path]
    assert run("build", "hi_tom", *words)[0] == 0
    assert run("check", "--out", tmp_path, "--probe", "none")[0] == 0
    rows = pq.read_table(tmp_path / "hi_tom" / "1st_order" / "train.parquet").to_pylist()
    assert [row["explanation"] for row in rows] == [None] * 6


def test_audit_of_rows_that_cannot_be_read(spoiled):
    failed, rows = spoiled(lambda rows: rows[3].update(smcdel_problem="VARS 1,2 cats"), command="audit")
    refused(failed, f"{FILES['mindgames']}, row {rows[3]['index']}: Parse error in line 1, column 10")
