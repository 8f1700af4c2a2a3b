"""Run every command on mindgames as a user does, and read every message that a user can meet."""

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import time
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
from support import contents, embedded_smcdel, ended, listed, refused, set_to, spoil, start, table_of, tree

from builders.__main__ import main
from builders.audit.gates import GATES
from builders.difficulty.probe import EMBEDDED, with_scores
from builders.logic.blocks import Block
from builders.logic.claims import NAMED, Claim, Premise, about, all_forms, instances
from builders.logic.config import MOST_BLOCKS
from builders.logic.formula import LABELS, SETUPS
from builders.logic.rows import block_name, block_rows, part_rows, plan_of, row_number
from builders.logic.s5 import Checker
from builders.logic.smcdel.program import Smcdel
from builders.logic.states import state_after
from builders.proof.rows import MAY_BE_EMPTY
from mindgames import ALL, FEATURES, REPRODUCTION, MindGames

SIZES = ("--train", "6", "--validation", "3", "--test", "6", "--scale", "6", "--reproduction", "4")
LEAST = ("--train", "1", "--validation", "1", "--test", "1", "--scale", "1", "--reproduction", "2")
BLOCKS = 4 * (6 + 3 + 6 + 6)
ROWS = 4 * BLOCKS + 4 * 4
CONFIG = replace(ALL, train=6, validation=3, test=6, checker="embedded")
FILE = "explicit/test.parquet"
"""The first file that check reads."""


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Build once, small; no test may change it."""
    out = tmp_path_factory.mktemp("good")
    assert main(["build", "mindgames", "--out", str(out), *SIZES]) == 0
    return out


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """Build once, with a block of each; no test may change it."""
    out = tmp_path_factory.mktemp("least")
    assert main(["build", "mindgames", "--out", str(out), *LEAST]) == 0
    return out


@pytest.fixture
def out(good, tmp_path):
    """Copy the small build, for a test to spoil."""
    return Path(shutil.copytree(good, tmp_path / "out"))


@pytest.fixture
def spoiled(run, out):
    """Let a change alter the rows of a file; return what check says then, and the rows."""

    def spoiled(change, file=FILE, command="check"):
        rows = spoil(out / "mindgames", change, file)
        return run(command, "--out", out), rows

    return spoiled


# ------------------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--agents", "1,2"], 1, ["all: n_agents is (1, 2); each must be from 2 to 12"]),
        (["--agents", "13"], 1, ["all: n_agents is (13,); each must be from 2 to 12"]),
        (["--agents", "0"], 1, ["all: n_agents is (0,); each must be from 2 to 12"]),
        (["--agents=-3"], 1, ["all: n_agents is (-3,); each must be from 2 to 12"]),
        (["--agents", "3,2"], 1, ["all: n_agents is (3, 2); they must be different and in ascending order"]),
        (["--agents", "2,2"], 1, ["all: n_agents is (2, 2); they must be different and in ascending order"]),
        (["--agents", "x"], 2, ["argument --agents: 'x' is not an integer", "builders build mindgames --help"]),
        (["--agents", "2,"], 2, ["argument --agents: '' is not an integer"]),
        (["--agents", ""], 2, ["argument --agents: '' is not an integer"]),
        (["--agents", "2-4"], 2, ["argument --agents: '2-4' is not an integer"]),
        (["--agents"], 2, ["argument --agents: expected one argument"]),
        (["--max-order", "0"], 1, ["all: max_order is 0; it must be from 1 to 12"]),
        (["--max-order", "13"], 1, ["all: max_order is 13; it must be from 1 to 12"]),
        (["--max-order", "two"], 2, ["argument --max-order: 'two' is not an integer"]),
        (["--checker", "prover"], 2, ["argument --checker: invalid choice: 'prover'", "auto", "embedded", "both"]),
        (["--seed", "1.5"], 2, ["argument --seed: '1.5' is not an integer"]),
        (["--seed", str(1 << 63)], 1, ["all: seed is 9223372036854775808; it must fit 64 bits"]),
        (["--language", "xx"], 1, ["all: unknown language 'xx'; the languages are en"]),
        (["--processes", "0"], 2, ["--processes: 0 is not 1 or more"]),
        (["--reproduction", "3"], 1, ["reproduction: test is 3 problems; it must be even, as half of them are enta"]),
        *(
            ([f"--{option}", size], 1, [f"{config}: {field} is {size} {what}; it must be from 1 to 1,000,000"])
            for option, config, field, what in (
                ("train", "all", "train", "blocks of four"),
                ("validation", "all", "validation", "blocks of four"),
                ("test", "all", "test", "blocks of four"),
                ("scale", "scale", "test", "blocks of four"),
                ("reproduction", "reproduction", "test", "problems"),
            )
            for size in ("-2", "1000002")
        ),
        (
            ["--scale", "0"],
            1,
            ["scale: train, validation, test, probe are all None or 0; at least one must be a number of"],
        ),
        # What only the other dataset has.
        (["--tomh", "3"], 2, ["unrecognized arguments: --tomh 3"]),
        (["--semantics", "published"], 2, ["unrecognized arguments: --semantics published"]),
    ],
)
def test_what_cannot_be_built_is_refused_before_anything_is_written(run, tmp_path, arguments, code, words):
    refused(run("build", "mindgames", *SIZES, "--out", tmp_path / "out", *arguments), *words, code=code)
    assert listed(tmp_path) == []


@pytest.mark.parametrize("option", ["--scale", "--checker", "--agents", "--train"])
def test_own_options_need_the_dataset_before_them(run, option):
    refused(run("build", option, "5"), f"argument {option}: name the dataset first: hi_tom or mindgames", code=2)


@pytest.mark.parametrize("option", ["--scale", "--checker"])
def test_options_of_mindgames_are_not_for_hi_tom(run, tmp_path, option):
    refused(run("build", "hi_tom", "--out", tmp_path, option, "6"), f"unrecognized arguments: {option} 6", code=2)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (
            "build mindgames",
            "--out --seed --train --validation --test --scale --reproduction --agents --max-order --checker "
            "--language --processes --probe",
        ),
        ("show mindgames", "--config --setup --split --seed --index"),
    ],
)
def test_help_mentions_every_option(run, command, options):
    code, printed, said = run(*command.split(), "--help")
    assert (code, said) == (0, "")
    assert set(re.findall(r"--[a-z-]+", printed)) == {*options.split(), "--help"}


def test_the_defaults_that_help_names(run):
    said = " ".join(run("build", "mindgames", "--help")[1].split())
    for size in (700, 234, 120, 400, "2,3,4", 2):
        assert f"(default: {size})" in said


def test_more_blocks_than_there_are(run, tmp_path):
    failed = run("build", "mindgames", *SIZES, "--train", 2000, "--agents", "2", "--out", tmp_path)
    refused(failed, "ask for fewer blocks, or for more agents")
    found = re.fullmatch(
        r"error: forehead with 2 agents: ([\d,]+) blocks of four were asked for, and ([\d,]+) found among all "
        r"([\d,]+) distinct premises; ask for fewer blocks, or for more agents\n",
        failed[2],
    )
    wanted, made, distinct = (int(number.replace(",", "")) for number in found.groups())
    assert wanted == 2000 + 3 + 6 and 300 < made < wanted and 2 * made <= distinct
    assert listed(tmp_path) == []


# ------------------------------------------------------------------------------------------------ build


def test_a_build_says_what_it_made_and_a_second_one_touches_nothing(run, tmp_path, good):
    code, printed, said = run("build", "mindgames", "--out", tmp_path, *SIZES)
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / 'mindgames'}: {ROWS} rows written, seed 0\n"
    assert listed(tmp_path) == ["mindgames"]
    assert contents(tmp_path) == contents(good)
    before = tree(tmp_path)
    code, printed, said = run("build", "mindgames", "--out", tmp_path, *SIZES)
    assert (code, said) == (0, "")
    assert printed.startswith(f"{tmp_path / 'mindgames'} is up to date") and "rows" not in printed
    assert tree(tmp_path) == before


def test_two_processes_give_the_same_bytes(run, tmp_path, good):
    code, printed, said = run("build", "mindgames", "--processes", "2", *SIZES, "--out", tmp_path)
    assert (code, said) == (0, "")
    assert contents(tmp_path) == contents(good)


def test_parts_of_a_setup_stand_in_order(run, tmp_path):
    """Also where one process makes the first, another the second."""
    assert run("build", "mindgames", *LEAST, "--test", "125", "--processes", "3", "--out", tmp_path)[0] == 0
    rows = pq.read_table(tmp_path / "mindgames" / "internal" / "test.parquet", columns=["block"]).to_pylist()
    assert [row["block"] for row in rows[::4]] == [f"internal-test-{index:06d}" for index in range(125)]


def test_another_seed_replaces_the_folder(run, out):
    before = contents(out / "mindgames")
    code, printed, said = run("build", "mindgames", "--out", out, "--seed", "-7", *SIZES)
    assert (code, said) == (0, "")
    assert "seed -7" in printed and "up to date" not in printed
    after = contents(out / "mindgames")
    assert listed(out) == ["mindgames"]
    assert before.keys() == after.keys()
    assert [file for file in before if before[file] == after[file]] == ["eval.yaml"], "the tasks have no rows"
    rows = pq.read_table(out / "mindgames" / "scale" / "test.parquet").to_pylist()
    assert {row["seed"] for row in rows} == {-7}
    assert run("check", "--out", out)[0] == 0


@pytest.mark.parametrize("seed", [(1 << 63) - 1, -(1 << 63)])
def test_the_furthest_seeds(run, tmp_path, seed):
    assert run("build", "mindgames", "--out", tmp_path, *LEAST, "--seed", seed)[0] == 0
    assert run("check", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "agents", "depths"),
    [
        (["--agents", "2,5", "--train", "7", "--max-order", "1", "--checker", "embedded"], {2, 5}, {0}),
        (["--max-order", "4", "--train", "12"], {2, 3, 4}, {0, 1, 2, 3}),
    ],
)
def test_other_builds_are_proven_too(run, tmp_path, arguments, agents, depths):
    code, printed, said = run("build", "mindgames", "--out", tmp_path, *LEAST, "--train", "6", *arguments)
    assert (code, said) == (0, "")
    rows = [
        row
        for file in (tmp_path / "mindgames").glob("*/train.parquet")
        for row in pq.read_table(file, columns=["n_agents", "hypothesis_depth"]).to_pylist()
    ]
    assert {row["n_agents"] for row in rows} == agents
    assert {row["hypothesis_depth"] for row in rows} == depths
    assert run("check", "--out", tmp_path)[0] == run("audit", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize("arguments", [["--scale", "7"], ["--agents", "3"]])
def test_other_arguments_replace_the_folder(run, out, arguments):
    before = contents(out / "mindgames")
    code, printed, _ = run("build", "mindgames", "--out", out, *SIZES, *arguments)
    assert code == 0 and "rows written" in printed
    assert contents(out / "mindgames") != before


def test_what_was_changed_is_left_alone(run, out):
    table = out / "mindgames" / FILE
    pq.write_table(pq.read_table(table).slice(4), table)
    before = tree(out)
    refused(run("build", "mindgames", "--out", out, *SIZES), f"{table} was changed after it was built", "move it away")
    assert tree(out) == before


def test_changed_sources_build_again(run, out, monkeypatch):
    before = contents(out / "mindgames")
    monkeypatch.setattr("builders.folder.build.sources", lambda: "other sources")
    monkeypatch.setattr("builders.folder.writing.sources", lambda: "other sources")
    assert "rows written" in run("build", "mindgames", "--out", out, *SIZES)[1]
    after = contents(out / "mindgames")
    assert {file for file in before if before[file] != after[file]} == {"build.json"}


def test_the_folder_loads_in_one_line(good, tmp_path, monkeypatch):
    monkeypatch.chdir(good)
    whole = datasets.load_dataset("mindgames", cache_dir=str(tmp_path))
    assert {split: len(rows) for split, rows in whole.items()} == {"train": 96, "validation": 48, "test": 96}
    assert list(dict.fromkeys(whole["test"]["setup"])) == list(SETUPS)
    sizes = {setup: {"train": 24, "validation": 12, "test": 24} for setup in SETUPS}
    for config, splits in {**sizes, "scale": {"test": 96}, "reproduction": {"test": 16}}.items():
        loaded = datasets.load_dataset("mindgames", config, cache_dir=str(tmp_path))
        assert {split: len(rows) for split, rows in loaded.items()} == splits
        assert loaded["test"].features == FEATURES
    hard = datasets.load_dataset("mindgames", "forehead", split="test", streaming=True)
    assert len(list(hard.filter(lambda row: row["needs_announcements"] > 0))) > 0


# ------------------------------------------------------------------------------------------------ programs


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return what puts an executable script in SMCDEL's place; this project's own program is `honest` in it."""

    def program(body):
        (tmp_path / "bin").mkdir(exist_ok=True)
        path = tmp_path / "bin" / "smcdel"
        path.write_text(f'#!/bin/sh\nhonest() {{ {embedded_smcdel()} "$@"; }}\n{body}\n')
        path.chmod(0o755)
        monkeypatch.setenv("SMCDEL", str(path))
        return path

    return program


HONEST = 'honest "$@"'
LIES = f"{HONEST} | sed 's/True/Lie/; s/False/True/; s/Lie/False/'"


def built(run, tmp_path, *arguments):
    """Build a least folder and return what was said; nothing may be left where it failed."""
    result = run("build", "mindgames", *LEAST, "--out", tmp_path / "out", *arguments)
    if result[0]:
        assert not (tmp_path / "out").exists() or listed(tmp_path / "out") == []
    return result


def test_smcdel_labels_the_same_rows(run, tmp_path, least, program):
    program(HONEST)
    assert built(run, tmp_path, "--checker", "both")[0] == 0
    made, plain = contents(tmp_path / "out"), contents(least)
    assert {file for file in made if made[file] != plain[file]} == {"mindgames/build.json"}


@pytest.mark.parametrize("checker", ["smcdel", "both"])
def test_where_there_is_no_smcdel(run, tmp_path, monkeypatch, checker):
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", "/nowhere:/neither")
    refused(
        built(run, tmp_path, "--checker", checker),
        "error: no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH (/nowhere:/neither); "
        "checker=embedded needs no program\n",
    )
    assert built(run, tmp_path)[0] == 0


def test_a_build_by_smcdel_is_not_proven_without_it(run, out, monkeypatch):
    record = json.loads((out / "mindgames" / "build.json").read_text())
    for fields in record["request"].values():
        fields["checker"] = "smcdel"
    (out / "mindgames" / "build.json").write_text(json.dumps(record))
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    refused(run("check", "--out", out), "no SMCDEL here: $SMCDEL is not set")
    refused(run("check", "--out", out, "--processes", "2"), "no SMCDEL here: $SMCDEL is not set")


def test_a_variable_that_names_no_program(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SMCDEL", str(tmp_path / "missing"))
    for arguments in ([], ["--checker", "smcdel"]):
        failed = built(run, tmp_path, *arguments)
        refused(failed, f"$SMCDEL is '{tmp_path / 'missing'}', which is no program that can be run; checker=embedded")
    assert built(run, tmp_path, "--checker", "embedded")[0] == 0


SAYS_NOTHING = "echo 'SMCDEL 1.3.0 -- https://github.com/jrclogic/SMCDEL'; echo; echo 'Doei!'"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo hello", [" is not SMCDEL: it said 'hello'"]),
        ("", [" is not SMCDEL: it said nothing"]),
        ("echo oh no >&2; exit 3", [" ended with exit code 3: 'oh no', after nothing"]),
        ("kill -9 $$", [" ended with exit code -9: nothing, after nothing"]),
        (SAYS_NOTHING, [" answered 0 of ", " questions; to 'Is [! ", "it said 'Doei!'"]),
        (f"{HONEST} | head -5", [" answered 1 of ", " questions; to 'Is [! ", " it said nothing"]),
        (f"{HONEST}; echo more", [" did not end after ", " answers with 'Doei!': "]),
        (LIES, ["the plan has ", ", the checker ", ": VARS 1,2"]),
    ],
)
def test_programs_that_are_not_to_be_trusted(run, tmp_path, program, body, words):
    path = program(body)
    failed = built(run, tmp_path, "--checker", "smcdel", "--processes", 2 if body == LIES else 1)
    refused(failed, *words)
    assert failed[2].startswith(f"error: {path} ") or body == LIES


def test_a_program_that_lies_is_shown_where_both_are_asked(run, tmp_path, program):
    path = program(LIES)
    failed = built(run, tmp_path, "--checker", "both")
    refused(failed, f"error: {path} says ", "entailment, the embedded checker ", "entailment: VARS 1,2")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_program_that_hangs(run, tmp_path, program, monkeypatch, processes):
    path = program("sleep 60")
    monkeypatch.setattr("builders.logic.checkers.Smcdel", functools.partial(Smcdel, limit=0.5))
    failed = built(run, tmp_path, "--checker", "smcdel", "--processes", processes)
    refused(failed, f"error: {path} did not end within 0.5 seconds; it said nothing\n")


@pytest.mark.parametrize(("number", "processes"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_an_interrupt_ends_the_programs_that_were_asked(tmp_path, program, number, processes):
    program(f"echo $$ >> {tmp_path / 'asked'}; exec sleep 50")
    arguments = ["mindgames", *SIZES, "--out", tmp_path / "out", "--processes", processes]
    build = start("build", *arguments, start_new_session=True)
    try:
        for _ in range(3000):
            if (tmp_path / "asked").exists() or build.poll() is not None:
                break
            time.sleep(0.01)
        build.send_signal(number)
        assert ended(build) == (130, "", "interrupted; nothing half-written was left\n")
    finally:
        with contextlib.suppress(ProcessLookupError):  # no worker is left
            os.killpg(build.pid, signal.SIGKILL)
        build.communicate()
    asked = [int(pid) for pid in (tmp_path / "asked").read_text().split()]
    for _ in range(300):
        left = [pid for pid in asked if Path(f"/proc/{pid}").exists()]
        if not left:
            break
        time.sleep(0.01)
    assert left == []


def test_a_program_that_fails_leaves_no_parents(run, tmp_path, program):
    program("exit 3")
    (tmp_path / "there").mkdir()
    failed = run("build", "mindgames", *SIZES, "--out", tmp_path / "there" / "not" / "yet", "--checker", "smcdel")
    refused(failed, "ended with exit code 3")
    assert listed(tmp_path) == ["bin", "there"] and listed(tmp_path / "there") == []


def test_a_program_that_fails_leaves_the_old_folder(run, out, program):
    before = tree(out / "mindgames")
    program("exit 3")
    refused(run("build", "mindgames", *SIZES, "--out", out, "--checker", "smcdel"), " ended with exit code 3")
    assert listed(out) == ["mindgames"]
    assert tree(out / "mindgames") == before


def test_check_says_in_one_line_that_the_checkers_differ(run, least, tmp_path, program):
    out = shutil.copytree(least, tmp_path / "out")
    record = json.loads((out / "mindgames" / "build.json").read_text())
    for fields in record["request"].values():
        fields["checker"] = "both"
    (out / "mindgames" / "build.json").write_text(json.dumps(record))
    path = program(LIES)
    refused(run("check", "--out", out), f"{path} says ", "the embedded checker ")


def test_show_says_in_one_line_that_a_program_is_against_the_plan(run, program):
    program(LIES)
    refused(run("show", "mindgames", "--config", "internal"), "the plan has ", ", the checker ")


def test_check_with_a_program_that_lies(run, least, program):
    """`auto` asks the program that there is now."""
    program(LIES)
    refused(run("check", "--out", least), "0 of ", " rows agree, then ", "label is ", ", smcdel_problem gives ")


# ------------------------------------------------------------------------------------------------ check


@pytest.mark.parametrize("processes", [1, 2])
def test_a_good_build_agrees(run, good, processes):
    code, printed, said = run("check", "mindgames", "--out", good, "--processes", processes)
    assert (code, said) == (0, "")
    assert printed == (
        f"{good / 'mindgames'}: {ROWS} of {ROWS} rows agree: label = label from smcdel_problem by the checker = label "
        f"from the text by\nexplicit sets of worlds, and every other column; {BLOCKS} blocks of four hold their "
        "pattern,\nno premise is in two blocks or splits, no problem twice, whatever the names\n"
        "gates hold for every setup\n"
    )


def test_check_and_audit_touch_nothing(run, out):
    before = tree(out)
    run("check", "--out", out)
    run("audit", "--out", out)
    assert tree(out) == before


def flipped(row):
    row["label"] = next(label for label in LABELS.values() if label != row["label"])


def an_announcement_twice(row):
    """Of the formal problem only, where it makes no difference to the label."""
    row["smcdel_problem"] = re.sub(r"VALID\? (\[.*?\])", r"VALID? \1 \1", row["smcdel_problem"])


def in_text(pattern, replacement, column="premise"):
    """Return a change of the first match in a text."""

    def changed(row):
        text = re.sub(pattern, replacement, row[column], count=1)
        assert text != row[column], (pattern, row[column])
        row[column] = text

    return changed


def another_verb(row):
    """Negate the knowledge that is asked about."""
    text = row["hypothesis"]
    row["hypothesis"] = (
        text.replace("cannot know", "can now know", 1)
        if " cannot know" in text.partition(" know ")[0] + " know"
        else text.replace("can now know", "cannot know", 1)
    )
    assert row["hypothesis"] != text


def a_last_sentence_less(row):
    row["premise"] = row["premise"].rsplit(" It is publicly announced", 1)[0]


def all_text(old, new):
    """Return a change of both texts."""

    def changed(row):
        for column in ("premise", "hypothesis"):
            row[column] = row[column].replace(old, new)

    return changed


def a_stranger(row):
    row["hypothesis"] = row["hypothesis"].replace(row["hypothesis"].split()[0], "Zebedee", 1)


def others(row):
    """Return whom the hypothesis begins with, and somebody else."""
    first = row["hypothesis"].split()[0]
    return first, next(name for name in row["names"] if name != first)


def names_swapped(row):
    first, second = others(row)
    row["names"] = [{first: second, second: first}.get(name, name) for name in row["names"]]


def names_swapped_in_the_text(row):
    first, second = others(row)
    for column in ("premise", "hypothesis"):
        text = re.sub(rf"\b{first}\b", "#", row[column])
        row[column] = re.sub(rf"\b{second}\b", first, text).replace("#", second)


def another_setup(row):
    """Tell of foreheads where the rest of the row is about cards."""
    row["premise"] = "There are two persons. Everyone is visible to others. It is publicly announced that someone's "
    row["premise"] += "forehead is muddy."
    row["hypothesis"] = f"{row['names'][0]} can now know that someone's forehead is muddy."
    row["names"] = row["names"][:2]


def told(rows):
    """Return the place of a row of which there is much to spoil."""
    return next(n for n, row in enumerate(rows) if row["n_announcements"] and "'s card is shown to" in row["premise"])


GIVES = ", the text gives "


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (flipped, ["label is '", "entailment'" + GIVES + "'"]),
        (set_to("label", str.upper), ["label is '", "ENTAILMENT'" + GIVES + "'"]),
        (set_to("label", lambda _: "0"), ["label is '0'" + GIVES + "'"]),
        (an_announcement_twice, ["smcdel_problem is 'VARS ", GIVES + "'VARS "]),
        (set_to("smcdel_problem", lambda text: text.replace(" [", "\n[")), ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("smcdel_problem", lambda text: text + " "), ["smcdel_problem is 'VARS ", GIVES]),
        *(
            (set_to("smcdel_problem", change), ["smcdel_problem is ", GIVES + "'VARS "])
            for change in (
                lambda text: text[:-1] + "(",
                lambda text: "€" + text,
                lambda text: "",
                lambda text: text + " VALID? Top",
                lambda text: text.replace("VALID?", "WHERE?"),
                lambda text: text.split(" VALID?")[0],
                lambda text: "VARS 1,2 LAW Top OBS Agenta:3 VALID? 1",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? 3",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? Agentb knows that 1",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? " + "~" * 100_000 + "1",
            )
        ),
        (set_to("pbcheck", lambda text: text[:-1] + "1"), ["pbcheck is 'VARS 0,", GIVES + "'VARS 0,"]),
        (in_text("someone picked", "everyone picked"), ["the first thing to be publicly announced is 'someone"]),
        (in_text("red card", "black card"), ["the first thing to be publicly announced is 'someone"]),
        (in_text(r"It is publicly announced", "It is whispered"), ["the first thing to be publicly announced is"]),
        (in_text(r"There are \w+ persons", "There are five persons"), ["5 different names are right, not ("]),
        (in_text(r"There are \w+ persons", "There is one person"), ["the first sentence of a premise is"]),
        (in_text(r" \w+'s card is shown to \w+\.", ""), ["smcdel_problem is 'VARS ", GIVES]),
        (in_text(r"(\w+)'s card is shown to (\w+)\.", r"\1's card is sold to \2."), ["publicly announced is"]),
        (in_text(r" Everyone is visible to others\.", ""), ["the second sentence of a premise is"]),
        (in_text(r"\.$", ""), ["not an announcement"]),
        (in_text(r"$", " It is publicly announced that nobody picked a red card."), ["smcdel_problem is", GIVES]),
        (in_text(r"$", " The moon is made of cheese."), ["not an announcement", "The moon is made of cheese."]),
        (a_last_sentence_less, ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("premise", lambda _: ""), ["the first sentence of a premise is"]),
        (another_verb, ["smcdel_problem is 'VARS ", GIVES]),
        (a_stranger, ["'Zebedee' is not one of the names, "]),
        (set_to("hypothesis", lambda text: text[:-1]), ["a hypothesis says what one person knows, as in "]),
        (set_to("hypothesis", lambda text: text.replace("card", "cow")), ["is no clause of this premise in "]),
        (set_to("hypothesis", lambda _: ""), ["a hypothesis says what one person knows, as in "]),
        (another_setup, ["smcdel_problem is 'VARS ", GIVES + "'VARS 1,2 LAW Top OBS Agenta:2 Agentb:1 VALID? "]),
        (names_swapped, ["smcdel_problem is 'VARS ", GIVES]),
        (names_swapped_in_the_text, ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("names", lambda names: names[1:]), [" different names are right, not ("]),
        (set_to("names", lambda names: [*names[:-1], names[0]]), [" different names are right, not ("]),
        (set_to("names", lambda names: [*names[:-1], "Zebedee"]), [" is not one of the names, "]),
        (set_to("names", lambda names: [*names[:-1], "x y"]), ["a name is one word with a capital", "'x y'"]),
        (set_to("names", lambda _: []), [" different names are right, not ()"]),
        (set_to("setup", lambda _: "internal"), ["setup is 'internal'" + GIVES + "'explicit'"]),
        (set_to("n_agents", lambda agents: agents + 1), ["n_agents is ", GIVES]),
        (set_to("n_announcements", lambda said: said + 1), ["n_announcements is ", GIVES]),
        (set_to("hypothesis_depth", lambda depth: 1 - depth), ["hypothesis_depth is ", GIVES]),
        (set_to("s-l", lambda text: text + "0"), ["s-l is 'explicit-", GIVES + "'explicit-"]),
        (set_to("n_worlds", lambda worlds: worlds + 1), ["n_worlds is ", GIVES]),
        (set_to("needs_announcements", lambda needs: needs + 1), ["needs_announcements is ", GIVES]),
        (set_to("n_worlds_before", lambda worlds: worlds - 1), ["n_worlds_before is ", GIVES]),
        (set_to("shortest_proof", lambda steps: steps + 1), ["shortest_proof is ", GIVES]),
        (set_to("index", lambda index: index + 4), ["block is 'explicit-test-", GIVES + "'explicit-test-"]),
        (set_to("index", lambda index: index + 4 * MOST_BLOCKS), ["index is ", GIVES]),
        (set_to("index", lambda _: 0), ["index is 0" + GIVES]),
        (set_to("index", lambda _: -1), ["index is -1" + GIVES]),
        (set_to("block", lambda block: block[:-1] + "7"), ["block is 'explicit-test-000007'" + GIVES]),
        (set_to("block", lambda block: block.replace("test", "train")), ["block is 'explicit-train-", GIVES]),
        (set_to("block", lambda _: None), ["block is None" + GIVES]),
        (set_to("seed", lambda seed: seed + 1), ["seed is 1" + GIVES + "0"]),
        (set_to("generator_version", lambda text: text + ".1"), ["generator_version is '", GIVES]),
        *(
            (set_to(each, lambda _: None), [f"{each} is empty"])
            for each in FEATURES
            if each not in MAY_BE_EMPTY
        ),
        *(
            (set_to(column, lambda text, wrong=wrong: wrong.format(text)), [f"{column} begins or ends with a space"])
            for column in ("premise", "hypothesis")
            for wrong in (" {}", "{}\n")
        ),
        (set_to("names", lambda names: [None, *names[1:]]), ["names is empty"]),
    ],
)  # fmt: skip
def test_each_kind_of_spoiled_row_is_found(spoiled, good, out, change, words):
    failed, rows = spoiled(lambda rows: change(rows[told(rows)]))
    place = told(pq.read_table(good / "mindgames" / FILE).to_pylist())
    where = f"{out / 'mindgames' / FILE}, row {rows[place]['index']}: "
    refused(failed, f"{place} of {ROWS} rows agree, then {where}", *words)


@pytest.mark.parametrize("file", ["forehead_mirror/train.parquet", "scale/test.parquet", "reproduction/test.parquet"])
def test_a_spoiled_row_is_found_in_every_table(run, out, file):
    rows = spoil(out / "mindgames", lambda rows: flipped(rows[-1]), file)
    failed = run("check", "--out", out, "--processes", "2")
    refused(failed, f"{out / 'mindgames' / file}, row {rows[-1]['index']}: label is ")
    assert len(rows) - 1 <= int(re.search(rf"(\d+) of {ROWS} rows agree, then ", failed[2])[1]) < ROWS


def test_two_spoiled_tables_name_the_first(run, out):
    for file in ("internal/test.parquet", FILE):
        rows = spoil(out / "mindgames", lambda rows: flipped(rows[3]), file)
    for processes in (1, 2):
        refused(run("check", "--out", out, "--processes", processes), f"{FILE}, row {rows[3]['index']}: label is ")


def test_a_block_in_the_unbalanced_config_is_found(spoiled):
    failed, _ = spoiled(lambda rows: rows[0].update(block="explicit-test-000000"), "reproduction/test.parquet")
    refused(failed, "block is 'explicit-test-000000', the text gives None")


def test_problems_of_another_setup_are_found(run, out):
    """What `load_dataset("mindgames", "internal")` reads must be of that setup."""
    first, second = (out / "mindgames" / setup / "test.parquet" for setup in ("internal", "forehead"))
    swapped = first.read_bytes(), second.read_bytes()
    second.write_bytes(swapped[0])
    first.write_bytes(swapped[1])
    refused(run("check", "--out", out), f"{second}, row ", ": a problem of internal stands in forehead/test.parquet")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"n_agents": [3, 4]}, ["n_agents is 2, asked for were [3, 4]"]),
        ({"max_order": 1}, ["the hypothesis is of order 2, asked for were 1 to 1"]),
        ({"seed": 1}, ["seed is 0, the text gives 1"]),
    ],
)
def test_rows_that_were_not_asked_for_are_found(run, out, fields, words):
    record = json.loads((out / "mindgames" / "build.json").read_text())
    record["request"]["all"].update(fields)
    (out / "mindgames" / "build.json").write_text(json.dumps(record))
    refused(run("check", "--out", out), f"{out / 'mindgames'}", ", row ", *words)


def test_the_readers_label_is_asked_too(run, good, monkeypatch):
    monkeypatch.setattr("builders.proof.problem_worlds.follows", lambda problem: None)
    refused(run("check", "--out", good), f"0 of {ROWS} rows agree, then ", "label is ", ", the text gives 'no world'")


# Blocks.

SETUP = "forehead"
BLOCKS_FILE = f"{SETUP}/test.parquet"


def planned():
    """Return the blocks of the test split of a setup."""
    return plan_of(CONFIG, SETUP)[0]["test"]


def truthful(block, index=0, split="test", names_of=None):
    """Return rows of a hand-made block, each right in itself."""
    rows = []
    for row, (structure, formula) in block_rows(CONFIG, SETUP, split, index if names_of is None else names_of, block):
        row["label"] = LABELS[Checker(structure).valid(formula)]
        rows.append(with_scores(row, EMBEDDED, "mindgames"))
    for place, row in enumerate(rows):
        row["index"] = 4 * row_number("blocks", SETUP, split, index) + place
        row["block"] = block_name("blocks", SETUP, split, index)
    return rows


def permuted(one: Premise | Claim, order):
    """Return a premise (not of cards) or a claim with its agents renamed."""
    if isinstance(one, Premise):
        return one._replace(announcements=tuple(permuted(claim, order) for claim in one.announcements))
    levels, fact = one
    if fact >= NAMED:
        fact = about(order[(fact - NAMED) // 2], bool((fact - NAMED) % 2))
    return tuple((order[agent], link, negated) for agent, link, negated in levels), fact


def holds(premise, claim):
    """Return whether a claim follows."""
    return state_after(premise).entails(claim)


def alone(p, q, order=2):
    """Yield for each form the claims that follow from p alone, and those that follow from q alone."""
    for form in all_forms(order):
        claims = instances(len(p.sees), form)
        yield (
            [c for c in claims if holds(p, c) and not holds(q, c)],
            [c for c in claims if holds(q, c) and not holds(p, c)],
        )


def found(run, out, rows, place=0, file=BLOCKS_FILE):
    """Put rows in the place of others; return what check says."""
    spoil(out / "mindgames", lambda there: there.__setitem__(slice(4 * place, 4 * place + 4), rows), file)
    return run("check", "--out", out)


def test_a_hand_made_block_that_is_right_is_proven(run, out):
    """So what is found below is the one thing that is wrong."""
    p, q, h, g = planned()[0]
    for by_p, by_q in alone(p, q):
        for one, other in product(by_p, by_q):
            if not {one, other} & {h, g}:
                code, printed, said = found(run, out, truthful(Block(p, q, one, other)))
                if "its problem occurs twice" not in said:  # it may be one of reproduction's
                    assert (code, said) == (0, "")
                    return
    raise AssertionError("no other block of these premises")


APART = "the four rows of its block do not stand together in the order of their index"


def swapped(rows):
    rows[1], rows[5] = rows[5], rows[1]


def swapped_within(rows):
    rows[1], rows[2] = rows[2], rows[1]


def index_swapped_within(rows):
    rows[1]["index"], rows[2]["index"] = rows[2]["index"], rows[1]["index"]


def one_lost(rows):
    rows.pop(1)


def one_lost_and_counted_on(rows):
    """Begin in mid-block, with numbers that follow one another."""
    rows.pop(1)
    for place, row in enumerate(rows):
        row["index"] = rows[0]["index"] + place
        row["block"] = f"explicit-test-{row['index'] // 4 % MOST_BLOCKS:06d}"


def index_twice(rows):
    rows[1]["index"] = rows[0]["index"]


def named_as_two(rows):
    """Of four rows in their places those of one premise belong to another block."""
    for row in rows[:4]:
        if row["premise"] == rows[0]["premise"]:
            row.update(index=row["index"] + 4 * 77, block="explicit-test-000077")


def swapped_with_their_numbers(rows):
    swapped(rows)
    for column in ("index", "block"):
        rows[1][column], rows[5][column] = rows[5][column], rows[1][column]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swapped, APART),
        (swapped_within, APART),
        (index_swapped_within, APART),
        (one_lost, APART),
        (index_twice, APART),
        (named_as_two, APART),
        (swapped_with_their_numbers, "its block is not two premises with two hypotheses"),
        (one_lost_and_counted_on, "its block is not two premises with two hypotheses"),
    ],
)
def test_four_rows_that_are_no_block_are_found(spoiled, change, words):
    failed, rows = spoiled(change)
    refused(failed, f"{FILE}, row {rows[3]['index']}: {words}")


@pytest.mark.parametrize("renamed", [False, True])
def test_a_block_that_stands_twice_is_found(run, out, renamed):
    """In the place of another, with its index and its names; and with its agents the other way round, too."""
    block = planned()[0]
    if renamed:
        n = len(block.p.sees)
        block = Block(*(permuted(each, [*range(1, n), 0]) for each in block))
    failed = found(run, out, truthful(block, index=2), place=2)
    refused(failed, f"{BLOCKS_FILE}, row ", ": its problem occurs twice")


def test_a_block_in_two_splits_is_found(run, out):
    failed = found(run, out, truthful(planned()[0], split="train", index=2), 2, f"{SETUP}/train.parquet")
    refused(failed, ".parquet, row ", ": its problem occurs twice")


@pytest.mark.parametrize("split", ["test", "train"])
def test_a_premise_in_two_blocks_is_found(run, out, split):
    """With other hypotheses, other names, and its agents the other way round."""
    for block in planned():
        n = len(block.p.sees)
        for by_p, by_q in alone(block.p, block.q):
            for h, g in product(by_p, by_q):
                if {h, g} & {block.h, block.g}:
                    continue
                other = Block(*(permuted(each, [*range(1, n), 0]) for each in (block.p, block.q, h, g)))
                failed = found(run, out, truthful(other, 2, split), 2, f"{SETUP}/{split}.parquet")
                if "its problem occurs twice" not in failed[2]:
                    refused(failed, f"{SETUP}/", ", row ", f": its premise is in {SETUP}-", " too")
                    return
    raise AssertionError("no other block of these premises")


def test_premises_that_are_renamings_are_found(run, out):
    for block in planned():
        p, h = block.p, block.h
        for one, other in combinations(range(len(p.sees)), 2):
            order = list(range(len(p.sees)))
            order[one], order[other] = other, one
            q, g = permuted(p, order), permuted(h, order)
            if not holds(p, g):
                failed = found(run, out, truthful(Block(p, q, h, g)))
                refused(failed, "row ", ": the premises of its block are renamings of one another")
                return
    raise AssertionError("no premise that can be renamed so")


def test_hypotheses_of_two_forms_are_found(run, out):
    p, q, h, _ = planned()[0]
    g = next(by_q[0] for by_p, by_q in alone(p, q) if by_q and h not in by_p)
    failed = found(run, out, truthful(Block(p, q, h, g)))
    refused(failed, "row ", ": the hypotheses of its block have two forms")


def test_labels_that_do_not_cross_are_found(run, out):
    p, q, h, g = next((b.p, b.q, *by_p[:2]) for b in planned() for by_p, _ in alone(b.p, b.q) if len(by_p) > 1)
    failed = found(run, out, truthful(Block(p, q, h, g)))
    refused(failed, "row ", ": the labels of its block are not one entailment for each premise and each hypothesis")


def test_names_that_differ_within_a_block_are_found(spoiled):
    def renamed(rows):
        row = rows[2]
        all_text(row["names"][0], "Zebedee")(row)
        row["names"][0] = "Zebedee"

    failed, rows = spoiled(renamed)
    refused(failed, f"row {rows[3]['index']}: the names in its block differ")


# Rows and tables.


def test_a_row_twice_is_found(spoiled):
    failed, rows = spoiled(lambda rows: rows.append(rows[0]))
    refused(failed, f"{FILE}, row {rows[0]['index']}: its id occurs twice")


def test_an_index_twice_is_found(spoiled):
    file = "reproduction/test.parquet"
    failed, rows = spoiled(lambda rows: rows[1].update(index=rows[0]["index"]), file)
    refused(failed, f"{file}, row {rows[0]['index']}: its id occurs twice")


def test_a_single_problem_twice_is_found(spoiled):
    """Under another index of reproduction."""
    names = ("index",)
    failed, rows = spoiled(
        lambda rows: rows.__setitem__(1, {**rows[0], **{name: rows[1][name] for name in names}}),
        "reproduction/test.parquet",
    )
    refused(failed, f"reproduction/test.parquet, row {rows[1]['index']}: its problem occurs twice")


def test_a_problem_in_two_configs_is_found(run, out):
    """One of reproduction is one of a block."""
    row = pq.read_table(out / "mindgames" / BLOCKS_FILE).to_pylist()[0]
    rows = pq.read_table(out / "mindgames" / "reproduction" / "test.parquet").to_pylist()
    place = next(place for place, other in enumerate(rows) if other["setup"] == SETUP)
    moved = {**row, "index": rows[place]["index"], "block": None}
    record = json.loads((out / "mindgames" / "build.json").read_text())
    record["request"]["reproduction"]["n_agents"] = [2, 3, 4]
    (out / "mindgames" / "build.json").write_text(json.dumps(record))
    change = lambda rows: rows.__setitem__(place, moved)  # noqa: E731
    spoil(out / "mindgames", change, "reproduction/test.parquet")
    refused(run("check", "--out", out), f"reproduction/test.parquet, row {moved['index']}: its problem occurs twice")


@pytest.mark.parametrize("lost", [1, 4])
def test_lost_rows_are_found(spoiled, out, lost):
    failed, _ = spoiled(lambda rows: rows.__delitem__(slice(-lost, None)))
    refused(failed, f"{out / 'mindgames'} has {ROWS - lost} rows, its build.json says {ROWS}")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_missing_table(run, out, command):
    (out / "mindgames" / FILE).unlink()
    refused(run(command, "--out", out), f"{out / 'mindgames' / FILE} is missing: build again")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_table_that_is_no_parquet(run, out, command):
    (out / "mindgames" / FILE).write_bytes(b"a,b\n")
    refused(run(command, "--out", out), f"{out / 'mindgames' / FILE} cannot be read as Parquet: ")


@pytest.mark.parametrize("column", ["smcdel_problem", "names", "s-l", "block"])
def test_a_table_without_a_column(run, out, column):
    file = out / "mindgames" / FILE
    pq.write_table(pq.read_table(file).drop_columns([column]), file)
    refused(run("check", "--out", out), f"{file} has other columns than mindgames: {column}")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_folder_without_a_build(run, tmp_path, command):
    (tmp_path / "mindgames").mkdir()
    target = tmp_path / "mindgames"
    refused(run(command, "mindgames", "--out", tmp_path), f"{target} holds no build of mindgames", "make build first")


# ------------------------------------------------------------------------------------------------ audit


LOOKUPS = ("hypothesis alone", "premise alone")


def test_audit_prints_both_tables(run, good):
    code, printed, said = run("audit", "--out", good)
    assert (code, said) == (0, "")
    gated, shown = printed.split("Shown, not gated")
    for group in (*SETUPS, "all"):
        counted = table_of(gated, f"{group}: ours")
        assert counted["rows"] == (96 if group == "all" else 24)
        for rule in (*LOOKUPS, "no announcements", "majority", "TF-IDF"):
            assert counted[rule] == 50.0, (group, rule)
    # Where everybody sees everything, the rule that takes it so is right.
    assert table_of(gated, "forehead_mirror: ours")["as if all saw all"] == 100.0
    assert table_of(gated, "all: published")["rows"] == 3725
    for setup in SETUPS:
        assert table_of(shown, f"scale {setup}")["rows"] == 24
        assert table_of(shown, f"reproduction {setup}")["rows"] == 4
        assert table_of(shown, f"scale {setup}")["hypothesis alone"] == 50.0
    assert "| TF-IDF | ≤ 55 | 50.0" in gated and "gate" not in shown.split("\n\n")[1]
    assert printed.endswith("\ngates hold for every setup\n")


def test_audit_of_unbalanced_labels_fails(run, out):
    """Where all of train and test follows, both lookups are always right."""
    for setup, split in product(SETUPS, ("train", "test")):
        change = lambda rows: [row.update(label="entailment") for row in rows]  # noqa: E731
        spoil(out / "mindgames", change, f"{setup}/{split}.parquet")
    code, printed, said = run("audit", "--out", out)
    assert code == 1 and table_of(printed.split("Shown")[0], "all: ours")["premise alone"] == 100.0
    assert said.startswith("error: a gate is broken on the test split: ") and said.count("\n") == 1
    for group, rule in product((*SETUPS, "all"), LOOKUPS):
        assert f"{group}: '{rule}' is right on 100.0 %, the gate is 47 to 53 %" in said
        assert f"{group}: 'TF-IDF' is right on 100.0 %, the gate is ≤ 55 %" in said
    assert "gates hold" not in printed


def test_audit_of_one_unbalanced_setup_names_it(run, out):
    for split in ("train", "test"):
        change = lambda rows: [row.update(label="not_entailment") for row in rows]  # noqa: E731
        spoil(out / "mindgames", change, f"internal/{split}.parquet")
    _, _, said = run("audit", "--out", out)
    assert "internal: 'premise alone' is right on 100.0 %" in said
    assert "explicit: 'premise alone'" not in said


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_fails(run, good, monkeypatch, command):
    monkeypatch.setitem(GATES, "mindgames", {"hypothesis alone": (0.55, 0.6)})
    code, printed, said = run(command, "--out", good)
    assert code == 1 and said.count("\n") == 1
    assert "explicit: 'hypothesis alone' is right on 50.0 %, the gate is 55 to 60 %" in said
    assert ("rows agree" in printed) == (command == "check") and "gates hold" not in printed


@pytest.mark.parametrize(
    "change",
    [
        set_to("premise", lambda _: "There are cats."),
        set_to("premise", lambda _: None),
        set_to("names", lambda _: None),
    ],
)
def test_audit_of_rows_that_cannot_be_read(spoiled, change):
    failed, _ = spoiled(lambda rows: change(rows[3]), command="audit")
    assert failed[0] == 1 and failed[2].startswith("error: ") and failed[2].count("\n") == 1


# ------------------------------------------------------------------------------------------------ show


def shown_rows(config, setup, split, index):
    """Return the rows that a build of default sizes has."""
    settled = plan_of(config, setup)[0][split][index : index + 1]
    return part_rows(replace(config, checker="embedded"), setup, split, range(index, index + 1), settled)


@pytest.mark.parametrize(
    ("name", "setup", "split", "index"),
    [
        ("forehead", "forehead", "train", 5),
        ("forehead_mirror", "forehead_mirror", "test", 0),
        ("internal", "internal", "validation", 233),
        ("explicit", "explicit", "test", 1),
        ("scale", "forehead", "test", 7),
        ("reproduction", "forehead", "test", 399),
    ],
)
def test_show_prints_what_a_build_of_default_size_has(run, name, setup, split, index):
    config = next(each for each in MindGames.BUILDER_CONFIGS if each.name == name)
    code, printed, said = run(
        "show", "mindgames", "--config", name, "--setup", setup, "--split", split, "--index", index
    )
    assert (code, said) == (0, "")
    rows = shown_rows(config, setup, split, index)
    premises = list(dict.fromkeys(row["premise"] for row in rows))
    assert len(premises) == (1 if name == "reproduction" else 2)
    lines = printed.split("\n")
    assert [line for line in lines if line.startswith("There are ")] == premises
    heads = [line for line in lines if re.fullmatch(r"[a-z_-]+-\d{6}|\d+", line)]
    assert heads == [str(rows[0]["block"] or rows[0]["index"])] * len(premises)
    worlds = [re.search(r": (\d+) worlds?: (\{.*)", line) for line in lines]
    counts = [(int(line[1]), line[2]) for line in worlds if line]
    ends = 0
    for premise in premises:
        announced = premise.count("It is publicly announced that ")
        of = counts[ends : ends + announced + 1]
        ends += announced + 1
        n_agents = rows[0]["n_agents"]
        assert of[0][0] == 2**n_agents and of[1][0] == 2**n_agents - 1
        left = next(row["n_worlds"] for row in rows if row["premise"] == premise)
        assert of[-1][0] == left and of == sorted(of, key=lambda each: -each[0])
        for count, listing in of:
            assert listing.count("{") == min(count, 16) and listing.endswith("…") == (count > 16)
    assert ends == len(counts)
    for row in rows:
        place = lines.index(f"    {row['smcdel_problem']}")
        assert lines[place - 2] == f"  {row['hypothesis']}"
        assert re.match(rf"    {row['label']}; .*\b{row['needs_announcements']}\b", lines[place - 1])
    assert sum(line.startswith("    VARS ") for line in lines) == len(rows)


def test_show_names_the_persons_of_whom_it_is_true(run):
    """After "someone …" no world is without anybody."""
    _, printed, _ = run("show", "mindgames", "--config", "reproduction", "--setup", "internal", "--index", "2")
    before, first = re.findall(r": \d+ worlds?: (\{.*)", printed)[:2]
    assert before.startswith("{}, {") and before.removeprefix("{}, ") == first
    (row,) = shown_rows(REPRODUCTION, "internal", "test", 2)
    assert set(re.findall(r"\w+", before)) == set(row["names"])


def test_show_is_the_same_each_time_and_another_with_another_seed(run):
    small = ("show", "mindgames", "--config", "reproduction")
    first = run(*small, "--seed", "3")
    assert first == run(*small, "--seed", "3")
    assert first != run(*small, "--seed", "4")
    assert run(*small, "--seed", str(10**30))[0] == 0


def test_show_does_not_pass_over_the_setup(run):
    code, printed, said = run("show", "mindgames", "--setup", "explicit")
    assert code == 0 and printed.startswith("explicit-test-000000")
    wrong = run("show", "mindgames", "--config", "internal", "--setup", "explicit")
    refused(wrong, "--config internal has no problems of explicit; leave out --setup, or --config")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--config", "5th"], 1, ["unknown config '5th'; the configs are all, forehead, forehead_mirror, internal"]),
        (["--config", ""], 1, ["unknown config ''; the configs are ", "scale, reproduction"]),
        (["--setup", "backhead"], 2, ["argument --setup: invalid choice: 'backhead'", "forehead_mirror"]),
        (["--split", "dev"], 2, ["argument --split: invalid choice: 'dev'"]),
        (["--config", "scale", "--split", "train"], 1, ["scale has no split train; it has test"]),
        (["--config", "reproduction", "--split", "validation"], 1, ["reproduction has no split validation; it has"]),
        (["--index", "234"], 1, ["--index is 234; the test split of all has 0 to 233"]),
        (["--index", "-1"], 1, ["--index is -1; the test split of all has 0 to 233"]),
        (["--config", "scale", "--index", "120"], 1, ["--index is 120; the test split of scale has 0 to 119"]),
        (["--config", "reproduction", "--index", "400"], 1, ["the test split of reproduction has 0 to 399"]),
        (["--config", "internal", "--split", "train", "--index", "700"], 1, ["of internal has 0 to 699"]),
        (["--index", "first"], 2, ["argument --index: 'first' is not an integer"]),
        (["--seed", "1.0"], 2, ["argument --seed: '1.0' is not an integer"]),
    ],
)
def test_what_cannot_be_shown(run, arguments, code, words):
    refused(run("show", "mindgames", *arguments), *words, code=code)


# ------------------------------------------------------------------------------------------------ clean


def test_clean_deletes_what_build_wrote(run, out):
    (out / "other.txt").write_text("mine")
    (out / ".mindgames.partial-1").mkdir()
    assert run("clean", "mindgames", "--out", out) == (0, "", "")
    assert listed(out) == ["other.txt"]
    assert run("clean", "mindgames", "--out", out) == (0, "", "")


def test_clean_leaves_and_mentions_what_no_build_wrote(run, out):
    (out / "mindgames" / "scale" / "notes.txt").write_text("mine")
    code, printed, said = run("clean", "--out", out)
    assert (code, said) == (0, "")
    assert f"{out / 'mindgames'} holds files that no build wrote" in printed
    assert contents(out) == {"mindgames/scale/notes.txt": b"mine"}
