"""Run every command as a user does, and read every message that a user can meet."""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from io import StringIO
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
from support import DEEP, REFERENCE, ROOT, contents, ended, listed, refused, set_to, spoil, start, table_of, tree
from tqdm import tqdm

import hi_tom
from builders.__main__ import main
from builders.audit.gates import GATED_STORIES, GATES
from builders.dataset.catalogue import dataset_of
from builders.dataset.show_stories import obstacle_of, reason_of
from builders.folder.build import Build
from builders.proof.read_stories import read_story
from builders.proof.stories import prove_hi_tom
from builders.story.config import order_name
from builders.story.meaning import lessons_about, teacher
from builders.story.record import dumps, spell
from builders.story.rows import plan_of, story_rows
from builders.story.syntax import Enter, Move, Place, Tell
from builders.voice import languages, templates
from hi_tom import REPRODUCTION, TOMH

RELEASED = REFERENCE / "hi_tom_released_half.jsonl"
FEW_DEEP = ("--deep-train", "2", "--deep-validation", "1", "--deep", "3")
SIZES = ("--train", "6", "--validation", "3", "--test", "6", "--tomh", "27", "--reproduction", "6", *FEW_DEEP)
ROWS = 5 * (6 + 3 + 6) + 27 + 5 * 6 + 5 * 6
STORIES = 6 + 3 + 6 + 27 + 6 + 6
LONG = ("--train", "40000", "--validation", "3", "--test", "6", "--tomh", "27", "--reproduction", "6", *FEW_DEEP)
ORDERS = tuple(order_name(order) for order in range(5))
COMMANDS = ("build", "check", "audit", "clean", "reread", "probe", "show")


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Build once, small; no test may change it."""
    out = tmp_path_factory.mktemp("good")
    assert main(["build", "hi_tom", "--out", str(out), *SIZES]) == 0
    return out


@pytest.fixture
def out(good, tmp_path):
    """Copy the small build, for a test to spoil."""
    return Path(shutil.copytree(good, tmp_path / "out", ignore=shutil.ignore_patterns("pictures")))


# ------------------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--seed", "1.5"], 2, ["argument --seed: '1.5' is not an integer", "python -m builders build hi_tom --help"]),
        (["--seed", "one"], 2, ["argument --seed: 'one' is not an integer"]),
        (["--seed", ""], 2, ["argument --seed: '' is not an integer"]),
        (["--seed", str(1 << 63)], 1, ["seed"]),  # the seed column is a 64-bit integer
        (["--seed", str(-(1 << 63) - 1)], 1, ["seed"]),
        (["--semantics", "naive"], 2, ["argument --semantics: invalid choice: 'naive'", "recursive", "published"]),
        (["--language", "xx"], 1, ["unknown language 'xx'; the languages are " + ", ".join(languages())]),
        (["--language", "../templates/en"], 1, ["unknown language '../templates/en'; the languages are "]),
        (["--language", ""], 1, ["unknown language ''; the languages are "]),
        (["--max-order", "6"], 1, ["order 6 needs 6 agents and there are 5", "Theorem C.5"]),
        (["--agents", "3"], 1, ["order 4 needs 4 agents and there are 3", "Theorem C.5"]),
        (["--agents", "12", "--max-order", "13"], 1, ["order 13 needs 13 agents and there are 12", "Theorem C.5"]),
        (["--max-order", "-1"], 1, ["max_order is -1", "0 or above"]),
        (["--agents", "1", "--max-order", "0"], 1, ["n_agents is 1; it must be from 2 to 12"]),
        (["--agents", "0"], 1, ["n_agents is 0; it must be from 2 to 12"]),
        (["--agents", "-5"], 1, ["n_agents is -5; it must be from 2 to 12"]),
        (["--agents", "13"], 1, ["n_agents is 13; it must be from 2 to 12"]),
        (["--agents", "many"], 2, ["argument --agents: 'many' is not an integer"]),
        (["--processes", "0"], 2, ["--processes: 0 is not 1 or more"]),
        (["--processes", "-1"], 2, ["--processes: -1 is not 1 or more"]),
        (["--processes", "two"], 2, ["argument --processes: 'two' is not an integer"]),
        (["--train"], 2, ["argument --train: expected one argument"]),
        (["--trains=4"], 2, ["unrecognized arguments: --trains=4"]),
        *(
            ([f"--{split}", size], 1, [f"{config}: {field} is {size} stories; it must be from 1 to "])
            for split, config, field in (
                ("train", "all", "train"),
                ("validation", "all", "validation"),
                ("test", "all", "test"),
                ("tomh", "tomh", "test"),
                ("reproduction", "reproduction", "test"),
                ("deep", "deep", "test"),
                ("deep-train", "deep", "train"),
            )
            for size in ("-1", "1000000000000")
        ),
        (["--tomh", "0"], 1, ["tomh: train, validation, test, probe are all None or 0; at least one must be a number"]),
        (["--train", "1e3"], 2, ["argument --train: '1e3' is not an integer"]),
    ],
)
def test_what_cannot_be_built_is_refused_before_anything_is_written(run, tmp_path, arguments, code, words):
    refused(run("build", "hi_tom", *SIZES, "--out", tmp_path / "out", *arguments), *words, code=code)
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], ["the following arguments are required: COMMAND", "python -m builders --help"]),
        (["bild"], ["invalid choice: 'bild'", "'build'"]),
        (["build", "mind_games"], ["invalid choice: 'mind_games'", "hi_tom"]),
        (["build", "--train", "5"], ["argument --train: name the dataset first: hi_tom", "builders build --help"]),
        (["build", "--train=5", "hi_tom"], ["argument --train: name the dataset first: hi_tom"]),
        (["build", "--max-order"], ["argument --max-order: name the dataset first: hi_tom"]),
        (["build", "--seed", "x", "hi_tom"], ["argument --seed: 'x' is not an integer"]),
        (["show"], ["the following arguments are required: dataset"]),
        (["reread", "hi_tom"], ["the following arguments are required: file"]),
        (["reread", "hitom", "file"], ["invalid choice: 'hitom'"]),
        (["show", "hi_tom", "--split", "dev"], ["argument --split: invalid choice: 'dev'", "validation"]),
        (["show", "hi_tom", "--index", "first"], ["argument --index: 'first' is not an integer"]),
        (["show", "hi_tom", "--seed", "1.0"], ["argument --seed: '1.0' is not an integer"]),
        (["check", "--processes", "x"], ["argument --processes: 'x' is not an integer"]),
        (["audit", "--seed=1"], ["unrecognized arguments: --seed=1"]),
        (["audit", "--record"], ["argument --record: expected one argument"]),
        (["clean", "mindgame"], ["invalid choice: 'mindgame'"]),
    ],
)
def test_what_is_no_command_is_refused(run, argv, words):
    refused(run(*argv), *words, code=2)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("build", "hi_tom --out --seed --language --processes --probe"),
        ("build hi_tom", "--out --seed --train --validation --test --tomh --reproduction --deep --deep-train "
                         "--deep-validation --agents --max-order --semantics --language --processes --probe"),
        ("check", "hi_tom --out --processes --probe"),
        ("audit", "hi_tom --out --record --docs"),
        ("clean", "hi_tom --out"),
        ("reread", "hi_tom file --disagreements"),
        ("probe", "hi_tom --checkpoint --folder"),
        ("show", "hi_tom"),
        ("show hi_tom", "--config --split --seed --index"),
    ],
)  # fmt: skip
def test_help_mentions_every_option(run, command, options):
    code, printed, said = run(*command.split(), "--help")
    assert (code, said) == (0, "")
    assert printed.startswith(f"usage: python -m builders {command}")
    for option in options.split():
        assert re.search(rf"^  [^ ]*{option}\b", printed, re.MULTILINE) or f"{{{option}}}" in printed, option
    # No option that the list above lacks.
    assert set(re.findall(r"--[a-z-]+", printed)) == {w for w in options.split() if w.startswith("--")} | {"--help"}


def test_help_lists_every_command(run):
    code, printed, said = run("--help")
    assert (code, said) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^    {command} +[a-z]", printed, re.MULTILINE)


def test_the_defaults_that_help_names(run):
    _, printed, _ = run("build", "hi_tom", "--help")
    for size in (hi_tom.ALL.train, hi_tom.ALL.validation, hi_tom.ALL.test, TOMH.test, REPRODUCTION.test):
        assert f"default: {size})" in " ".join(printed.split())
    assert f"one of: {', '.join(languages())}" in printed


# ------------------------------------------------------------------------------------------------ build


def test_a_build_says_what_it_made_and_a_second_one_touches_nothing(run, tmp_path):
    code, printed, said = run("build", "hi_tom", "--out", tmp_path, *SIZES)
    assert (code, said) == (0, "")
    assert f"{tmp_path / 'hi_tom'}: {ROWS} rows" in printed and "seed 0" in printed
    before = tree(tmp_path)
    assert listed(tmp_path) == ["hi_tom"]
    code, printed, said = run("build", "hi_tom", "--out", tmp_path, *SIZES)
    assert (code, said) == (0, "")
    assert f"{tmp_path / 'hi_tom'} is up to date" in printed and "rows" not in printed
    assert tree(tmp_path) == before


@pytest.fixture
def two(monkeypatch):
    """Give both datasets small default sizes."""

    for name, sizes in {
        "hi_tom": {
            "train": 6,
            "validation": 3,
            "test": 6,
            "tomh": 27,
            "reproduction": 6,
            "deep": 3,
            "deep_train": 2,
            "deep_validation": 1,
        },
        "mindgames": {"train": 6, "validation": 3, "test": 6, "scale": 7, "reproduction": 4},
    }.items():
        kind = type(dataset_of(name))

        def add_options(self, parser, whole=kind.add_options, sizes=sizes):
            whole(self, parser)
            parser.set_defaults(**sizes)

        monkeypatch.setattr(kind, "add_options", add_options)


def test_a_build_without_a_dataset_builds_all_by_their_defaults(run, two, good, tmp_path):
    code, printed, said = run("build", "--out", tmp_path, "--processes", "2")
    assert (code, said) == (0, "")
    assert printed == "".join(
        f"{tmp_path / name}: {rows} rows written, seed 0\n"
        for name, rows in (("hi_tom", ROWS), ("mindgames", 4 * 4 * (6 + 3 + 6 + 7) + 4 * 4))
    )
    assert contents(tmp_path / "hi_tom") == contents(good / "hi_tom")
    assert json.loads((tmp_path / "mindgames" / "build.json").read_text())["dataset"] == "mindgames"
    assert run("build", "--out", tmp_path)[1].count("is up to date") == 2
    assert run("build", "mindgames", "--train", "7", "--out", tmp_path)[0] == 0
    assert "hi_tom is up to date" in run("build", "--out", tmp_path, "--language", "en")[1]


def test_the_name_of_the_dataset_comes_before_the_options(run, tmp_path):
    shared = ["--seed", "7", "--processes", "2", "--language", "en", "--out", tmp_path]
    refused(run("build", *shared, "hi_tom"), "argument dataset: name the dataset first: hi_tom or mindgames", code=2)
    assert listed(tmp_path) == []
    code, printed, said = run("build", "hi_tom", *SIZES, *shared)
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / 'hi_tom'}: {ROWS} rows written, seed 7\n"
    assert run("check", "--out", tmp_path, "hi_tom")[0] == 0


def test_a_split_of_no_stories_is_left_out(run, tmp_path):
    assert run("build", "hi_tom", "--out", tmp_path, *SIZES, "--train", "0")[0] == 0
    splits = datasets.load_dataset(str(tmp_path / "hi_tom"), "2nd_order", cache_dir=str(tmp_path / "cache"))
    assert list(splits) == ["validation", "test"]
    assert run("check", "--out", tmp_path)[0] == 0


def test_another_seed_replaces_the_folder(run, out):
    before = contents(out / "hi_tom")
    code, printed, said = run("build", "hi_tom", "--out", out, "--seed", "-7", *SIZES)
    assert (code, said) == (0, "")
    assert "seed -7" in printed and "up to date" not in printed
    after = contents(out / "hi_tom")
    assert listed(out) == ["hi_tom"]
    assert before.keys() == after.keys()
    assert [file for file in before if before[file] == after[file]] == ["eval.yaml"], "the tasks have no rows"
    rows = pq.read_table(out / "hi_tom" / "0th_order" / "test.parquet").to_pylist()
    assert {row["seed"] for row in rows} == {-7}


@pytest.mark.parametrize("arguments", [["--train", "7"], ["--max-order", "2"], ["--semantics", "published"]])
def test_other_arguments_replace_the_folder(run, out, arguments):
    before = contents(out / "hi_tom")
    assert run("build", "hi_tom", "--out", out, *SIZES, *arguments)[0] == 0
    assert contents(out / "hi_tom") != before
    assert run("check", "--out", out)[0] == 0


@pytest.mark.parametrize("file", ["4th_order/train.parquet", "README.md"])
def test_a_missing_file_is_built_again(run, tmp_path, file):
    run("build", "hi_tom", "--out", tmp_path, *SIZES)
    before = contents(tmp_path / "hi_tom")
    (tmp_path / "hi_tom" / file).unlink()
    code, printed, _ = run("build", "hi_tom", "--out", tmp_path, *SIZES)
    assert code == 0 and "up to date" not in printed
    assert contents(tmp_path / "hi_tom") == before


def test_changed_sources_build_again(run, out, monkeypatch):
    before = contents(out / "hi_tom")
    monkeypatch.setattr("builders.folder.build.sources", lambda: "other sources")
    monkeypatch.setattr("builders.folder.writing.sources", lambda: "other sources")
    code, printed, _ = run("build", "hi_tom", "--out", out, *SIZES)
    assert code == 0 and "up to date" not in printed
    after = contents(out / "hi_tom")
    assert json.loads(after["build.json"])["sources"] == "other sources"
    assert {file for file in before if before[file] != after[file]} == {"build.json"}


def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_processes(run, tmp_path):
    made = {}
    for name, processes in (("once", 1), ("again", 1), ("two", 2), ("three", 3)):
        arguments = ["--train", "130", "--seed", "5", "--processes", processes]
        assert run("build", "hi_tom", "--out", tmp_path / name, *SIZES, *arguments)[0] == 0
        made[name] = contents(tmp_path / name / "hi_tom")
    assert len(made["once"]) == 5 * 3 + 2 + 3 + 3
    assert made["once"] == made["again"] == made["two"] == made["three"]
    ids = pq.read_table(tmp_path / "two" / "hi_tom" / "0th_order" / "train.parquet")["id"].to_pylist()
    assert ids == [f"train-{index:06d}-0" for index in range(130)]


@pytest.mark.parametrize("seed", [(1 << 63) - 1, -(1 << 63)])
def test_the_furthest_seeds(run, tmp_path, seed):
    assert run("build", "hi_tom", "--out", tmp_path, *SIZES, "--seed", seed)[0] == 0
    assert run("check", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["--agents", "2", "--max-order", "0"],
        ["--max-order", "1"],
        ["--agents", "2", "--max-order", "2"],
        ["--agents", "7", "--max-order", "6"],
        ["--semantics", "published"],
    ],
)
def test_other_builds_are_proven_too(run, tmp_path, arguments):
    sizes = ["--train", "6", "--validation", "1", "--test", "6", "--tomh", "5", "--reproduction", "1", *FEW_DEEP]
    code, printed, said = run("build", "hi_tom", "--out", tmp_path, *sizes, *arguments)
    assert (code, said) == (0, "")
    card = (tmp_path / "hi_tom" / "README.md").read_text(encoding="utf-8")
    configs = {path.name for path in (tmp_path / "hi_tom").iterdir() if path.is_dir()} | {"all"}
    for named in re.findall(r'load_dataset\("hi_tom", "(\w+)"', printed + card):
        assert named in configs, f"{named} is no config of this build"
    assert run("check", "--out", tmp_path)[0] == 0
    assert run("audit", "--out", tmp_path)[0] == 0


def test_missing_parents_are_made_and_an_empty_folder_is_filled(run, tmp_path):
    (tmp_path / "a" / "b" / "hi_tom").mkdir(parents=True)
    assert run("build", "hi_tom", "--out", tmp_path / "a" / "b", *SIZES)[0] == 0
    assert run("build", "hi_tom", "--out", tmp_path / "c" / "d", *SIZES)[0] == 0
    assert contents(tmp_path / "a" / "b") == contents(tmp_path / "c" / "d")


def a_file(target):
    target.write_text("mine")


def a_link_to_nothing(target):
    target.symlink_to("nowhere")


def a_link_to_an_empty_folder(target):
    (target.parent / "elsewhere").mkdir()
    target.symlink_to("elsewhere")


def a_folder_of_someone(target):
    target.mkdir()
    (target / "data.txt").write_text("mine")


def a_folder_with_another_record(target):
    target.mkdir()
    (target / "build.json").write_text('{"dataset": "other", "files": {}}')


def a_record_that_is_no_json(target):
    target.mkdir()
    (target / "build.json").write_text("built yesterday")


def a_record_that_is_a_list(target):
    target.mkdir()
    (target / "build.json").write_text("[]")


def a_record_of_nothing(target):
    target.mkdir()
    (target / "build.json").write_text('{"dataset": "hi_tom", "files": {}}')


@pytest.mark.parametrize(
    "there",
    [
        a_file,
        a_link_to_nothing,
        a_link_to_an_empty_folder,
        a_folder_of_someone,
        a_folder_with_another_record,
        a_record_that_is_no_json,
        a_record_that_is_a_list,
        a_record_of_nothing,
    ],
)
def test_what_is_not_ours_is_refused_and_left_alone(run, tmp_path, there):
    there(tmp_path / "hi_tom")
    before = tree(tmp_path)
    refused(run("build", "hi_tom", "--out", tmp_path, *SIZES), f"{tmp_path / 'hi_tom'} exists and ", "move it away")
    assert tree(tmp_path) == before


def test_a_link_to_a_folder_of_ours_is_refused(run, out):
    (out / "hi_tom").rename(out / "elsewhere")
    (out / "hi_tom").symlink_to("elsewhere")
    before = tree(out)
    refused(
        run("build", "hi_tom", "--out", out, *SIZES, "--seed", "1"),
        f"{out / 'hi_tom'} exists and is no folder",
        "move it",
    )
    assert tree(out) == before


def an_extra_file(target):
    (target / "notes.txt").write_text("mine")
    return "notes.txt was not written by the build"


def an_extra_file_within(target):
    (target / "tomh" / "train.parquet").write_text("mine")
    return "tomh/train.parquet was not written by the build"


def an_extra_link(target):
    (target / "latest").symlink_to("tomh")
    return "latest was not written by the build"


def a_changed_card(target):
    with (target / "README.md").open("a") as card:
        card.write("Read this first.\n")
    return "README.md was changed after it was built"


def a_changed_table(target):
    file = target / "4th_order" / "test.parquet"
    pq.write_table(pq.read_table(file).slice(1), file)
    return "4th_order/test.parquet was changed after it was built"


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "change", [an_extra_file, an_extra_file_within, an_extra_link, a_changed_card, a_changed_table]
)
def test_a_folder_of_ours_that_was_changed_is_refused_and_left_alone(run, out, change, seed):
    why = change(out / "hi_tom")
    before = tree(out)
    refused(run("build", "hi_tom", "--out", out, *SIZES, "--seed", seed), f"{out / 'hi_tom'}/{why}", "move it away")
    assert tree(out) == before


def test_where_no_folder_can_be_made(run, tmp_path):
    (tmp_path / "file").write_text("mine")
    before = tree(tmp_path)
    refused(run("build", "hi_tom", "--out", tmp_path / "file", *SIZES), str(tmp_path / "file"))
    refused(run("build", "hi_tom", "--out", tmp_path / "file" / "within", *SIZES), str(tmp_path / "file"))
    assert tree(tmp_path) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
def test_a_place_that_takes_no_folders(run):
    refused(run("build", "hi_tom", "--out", "/proc/nowhere", *SIZES), "/proc/nowhere: No such file or directory")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(run, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    refused(run("build", "hi_tom", "--out", tmp_path / "out", *SIZES), str(tmp_path / "out"), "Permission denied")
    assert listed(tmp_path / "out") == []


def few_bytes():
    """Let a process write no file longer than this."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


@pytest.mark.parametrize("processes", [1, 2])
def test_a_file_too_large_leaves_nothing(tmp_path, processes):
    failed = ended(start("build", "hi_tom", "--out", tmp_path, *SIZES, "--processes", processes, preexec_fn=few_bytes))
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(tmp_path) == []


def test_a_file_too_large_leaves_the_old_folder(out):
    before = tree(out / "hi_tom")
    failed = ended(start("build", "hi_tom", "--out", out, *SIZES, "--seed", "1", preexec_fn=few_bytes))
    refused(failed, "File too large", "nothing half-written was left")
    assert listed(out) == ["hi_tom"]
    assert tree(out / "hi_tom") == before


@pytest.fixture
def disk(tmp_path):
    """Mount small disks; those that a test mounted are taken away after it."""
    mounted = []

    def disk(size):
        place = tmp_path / f"disk-{len(mounted)}"
        place.mkdir()
        if not shutil.which("mount"):
            pytest.skip("there is no mount command here")
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=20)
        if tried.returncode:
            pytest.skip(f"a small disk cannot be mounted here: {tried.stderr.strip()}")
        mounted.append(place)
        return place

    yield disk
    for place in mounted:
        subprocess.run(["umount", str(place)], check=True, timeout=20)


def test_a_full_disk_leaves_nothing(run, disk):
    place = disk("128k")
    refused(run("build", "hi_tom", "--out", place, *SIZES), "No space left on device", "nothing half-written was left")
    assert listed(place) == []


def test_a_full_disk_leaves_the_old_folder(run, disk, good):
    size = sum(-(-len(content) // 4096) * 4096 for content in contents(good).values())
    place = disk(f"{size * 3 // 2 // 1024}k")
    shutil.copytree(good / "hi_tom", place / "hi_tom")
    before = tree(place / "hi_tom")
    failed = run("build", "hi_tom", "--out", place, *SIZES, "--seed", "1")
    refused(failed, "No space left on device", "nothing half-written was left")
    assert listed(place) == ["hi_tom"]
    assert tree(place / "hi_tom") == before


def underway(process, out, file=None):
    """Wait until a build has begun, or has begun to write a file."""
    for _ in range(2000):
        for partial in out.glob(".hi_tom.partial-*"):
            if file is None or (partial / file).exists():
                return
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    raise AssertionError("the build never began")


def workers(process):
    """Return the processes that a process has started."""
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@contextlib.contextmanager
def underway_build(out, *arguments, file=None):
    """Start a long build in a session of its own, wait until it is underway, and leave none of its processes."""
    process = start("build", "hi_tom", *LONG, "--probe", "none", "--out", out, *arguments, start_new_session=True)
    try:
        underway(process, out, file)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


TABLE = "0th_order/train.parquet"
"""The first table that a build begins, so one that is there in mid-build."""


@pytest.mark.parametrize(
    ("number", "processes", "all_of_them"),
    [
        (signal.SIGINT, 1, False),
        (signal.SIGTERM, 1, False),
        (signal.SIGINT, 2, False),
        (signal.SIGTERM, 2, False),
        (signal.SIGINT, 2, True),  # as Ctrl-C in a terminal does
        (signal.SIGTERM, 2, True),  # as `timeout` and service managers do
    ],
)
def test_an_interrupted_build_leaves_the_old_folder(out, number, processes, all_of_them):
    before = tree(out / "hi_tom")
    arguments = ["--seed", "1", "--processes", processes]
    with underway_build(out, *arguments, file=TABLE if processes == 2 else None) as process:
        (os.killpg if all_of_them else os.kill)(process.pid, number)
        assert ended(process) == (130, "", "interrupted; nothing half-written was left\n")
        with pytest.raises(ProcessLookupError):  # no worker of its session is left
            os.killpg(process.pid, 0)
    assert listed(out) == ["hi_tom"]
    assert tree(out / "hi_tom") == before


def test_an_interrupted_first_build_leaves_nothing(tmp_path):
    with underway_build(tmp_path, file=TABLE) as process:
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "", "interrupted; nothing half-written was left\n")
    assert listed(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")
def test_a_killed_worker_ends_the_build(tmp_path):
    """As when memory runs out."""
    with underway_build(tmp_path, "--processes", "2", file=TABLE) as process:
        os.kill(workers(process)[0], signal.SIGKILL)
        refused(ended(process), "a worker was killed", "nothing half-written was left")
    assert listed(tmp_path) == []


@pytest.mark.parametrize("arguments", [["check"], ["clean"], ["show"], ["--help"]])
def test_a_command_puts_back_what_it_set(run, tmp_path, arguments):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    run(*arguments, "--out", tmp_path)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


class Terminal(StringIO):
    """Claim to be a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_is_for_terminals_only(run, tmp_path, monkeypatch, processes):
    at_once = lambda *given, **named: tqdm(*given, **{**named, "delay": 0})  # noqa: E731
    monkeypatch.setattr("builders.work.Bar", at_once)
    code, _, said = run("build", "hi_tom", "--out", tmp_path / "a", *SIZES, "--processes", processes)
    assert (code, said) == (0, "")
    assert run("check", "--out", tmp_path / "a", "--processes", processes)[2] == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("build", "hi_tom", "--out", tmp_path / "b", *SIZES, "--processes", processes)[0] == 0
    assert "building: 100%" in terminal.getvalue()


def test_output_that_cannot_be_written_is_no_traceback(good):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    for arguments in (["show", "hi_tom"], ["check", "--out", good]):
        with open("/dev/full", "w") as full:
            process = subprocess.run(
                [sys.executable, "-m", "builders", *map(str, arguments)],
                cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
            )  # fmt: skip
        assert process.returncode not in (0, None)
        assert "Traceback" not in process.stderr and process.stderr.count("\n") == 1, arguments


def test_a_reader_that_has_enough_is_no_traceback():
    """As in `… show hi_tom | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "builders", "show", "hi_tom"],
        cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert "Traceback" not in process.stderr and process.stderr.count("\n") <= 1


# ------------------------------------------------------------------------------------------------ check


@pytest.mark.parametrize("processes", [1, 2])
def test_a_good_build_agrees(run, good, processes):
    code, printed, said = run("check", "hi_tom", "--out", good, "--processes", processes)
    assert (code, said) == (0, "")
    assert f"{ROWS} of {ROWS} rows agree" in printed
    assert f"{STORIES} stories, no text or problem twice, none in two splits" in printed
    assert f"not gated: 6 test stories, the gates need {GATED_STORIES}" in printed


def test_check_and_audit_touch_nothing(run, out):
    before = tree(out / "hi_tom")
    run("check", "--out", out)
    run("audit", "--out", out)
    assert tree(out / "hi_tom") == before


FILE = "2nd_order/test.parquet"
ROW = 3


def other(row, container):
    """Return a choice that is not this container."""
    return next(choice for choice in row["choices"] if choice != container)


def flipped(row):
    row["answer"] = other(row, row["answer"])


def flipped_with_its_letter(row):
    flipped(row)
    row["answer_index"] = row["choices"].index(row["answer"])


def flipped_with_all(row):
    flipped_with_its_letter(row)
    row["answer_published"] = row["answer"]


def flipped_published(row):
    row["answer_published"] = other(row, row["answer_published"])


def other_letter(row):
    row["answer_index"] = (row["answer_index"] + 1) % len(row["choices"])


def negative_letter(row):
    row["answer_index"] -= len(row["choices"])


def letter_beyond(row):
    row["answer_index"] = len(row["choices"])


def a_choice_twice(row):
    place = (row["answer_index"] + 1) % len(row["choices"])
    row["choices"][place] = row["choices"][place - 1]


def a_choice_missing(row):
    named = {event[-1] for event in json.loads(row["events"])["events"] if event[0] in ("Place", "Move")}
    gone = next(container for container in row["choices"] if container in named - {row["answer"]})
    row["choices"].remove(gone)
    row["answer_index"] = row["choices"].index(row["answer"])


def another_room(row):
    room = re.search(r"entered the (\w+)", row["story"])[1]
    row["story"] = row["story"].replace(f" {room}.", " vault.", 1)


def another_container(row):
    """Let the text, but not the formal story, say that the thing was put elsewhere."""
    line = row["story"].split("\n")[1]
    container = re.search(r"in the (\w+)\.", line)[1]
    row["story"] = row["story"].replace(line, line.replace(container, other(row, container)))


def a_line_less(row):
    row["story"] = row["story"].rpartition("\n")[0]


def an_unreadable_line(row):
    lines = row["story"].split("\n")
    row["story"] = "\n".join([*lines[:2], "3 The moon is made of cheese.", *lines[3:]])


def a_misnumbered_line(row):
    row["story"] = row["story"].replace("\n4 ", "\n14 ")


def an_empty_story(row):
    row["story"] = ""


def another_agent(row):
    """Ask about the same agents the other way round."""
    first, second = row["chain"]
    row["question"] = row["question"].replace(first, "#").replace(second, first).replace("#", second)


def a_stranger(row):
    row["question"] = row["question"].replace(row["chain"][0], "Zebedee")


def another_thing(row):
    events = json.loads(row["events"])
    thing = next(event[1] for event in events["events"] if event[0] == "Place" and event[1] != events["asked"])
    row["question"] = row["question"].replace(events["asked"], thing)


def another_formal_thing(row):
    events = json.loads(row["events"])
    things = [event[1] for event in events["events"] if event[0] == "Place"]
    events["asked"] = next(thing for thing in things if thing != events["asked"])
    row["events"] = json.dumps(events)


def an_unreadable_question(row):
    row["question"] = row["question"].replace("Where", "Why")


def a_second_exit(row):
    events = json.loads(row["events"])
    place, leaving = next((n, event) for n, event in enumerate(events["events"]) if event[0] == "Exit")
    events["events"].insert(place, leaving)
    row["events"] = json.dumps(events)


def an_unknown_event(row):
    row["events"] = row["events"].replace('"Exit"', '"Vanish"', 1)


def events_that_are_no_json(row):
    row["events"] = row["events"][:-1]


def another_chain(row):
    row["chain"].reverse()


def a_chain_of_strangers(row):
    row["chain"] = ["Zebedee", *row["chain"][1:]]


BY_EVENTS = "the formal story gives "


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (flipped, ["answer is '", BY_EVENTS]),
        (flipped_with_its_letter, ["answer is '", BY_EVENTS]),
        (flipped_with_all, ["answer is '", BY_EVENTS]),
        (flipped_published, ["answer_published is '", BY_EVENTS]),
        (other_letter, ["answer_index is ", "which is not where the answer stands"]),
        (negative_letter, ["answer_index"]),
        (letter_beyond, ["answer_index"]),
        (a_choice_twice, ["distinct choices"]),
        (a_choice_missing, ["choices lack ['"]),
        (another_room, ["the text does not say the formal story"]),
        (another_container, ["the text does not say the formal story"]),
        (a_line_less, ["the text does not say the formal story"]),
        (an_unreadable_line, ["line 3 is no sentence of a story: 'The moon is made of cheese.'"]),
        (a_misnumbered_line, ["line 4 starts with its number"]),
        (an_empty_story, ["the story is empty"]),
        (another_agent, ["the question's agents are not the chain"]),
        (another_chain, ["the question's agents are not the chain"]),
        (a_chain_of_strangers, ["the question's agents are not the chain"]),
        (a_stranger, ["the story has no agent 'Zebedee'"]),
        (an_unreadable_question, ["not a question about a story: 'Why does"]),
        (another_formal_thing, ["the question is not about the thing asked about"]),
        (a_second_exit, ["an agent exits a room where he is not", "line "]),
        (an_unknown_event, ["of a formal story is not one of Enter, Place", "Vanish"]),
        (events_that_are_no_json, ["line 1 column"]),
        (set_to("order", lambda order: order + 1), ["order is 3, " + BY_EVENTS + "2"]),
        (set_to("effective_order", lambda order: order + 1), ["effective_order is ", BY_EVENTS]),
        (set_to("order_sensitive", lambda sensitive: not sensitive), ["order_sensitive is ", BY_EVENTS]),
        (set_to("answer_slot", lambda slot: (slot + 1) % 4), ["answer_slot is ", BY_EVENTS]),
        (set_to("n_places", lambda places: places + 1), ["n_places is ", BY_EVENTS]),
        (set_to("lines_since", lambda lines: lines - 1), ["lines_since is ", BY_EVENTS]),
        (set_to("n_lines", lambda lines: lines - 1), ["n_lines is ", BY_EVENTS]),
        (set_to("n_claims", lambda claims: claims + 1), ["n_claims is ", BY_EVENTS]),
        (set_to("deception", lambda deception: not deception), ["deception is ", BY_EVENTS]),
        (set_to("semantics_agree", lambda agree: not agree), ["semantics_agree is ", BY_EVENTS]),
        (set_to("story_length", lambda length: length + 1), ["story_length"]),
        (set_to("n_agents", lambda agents: agents + 1), ["n_agents"]),
        (set_to("seed", lambda seed: seed + 1), ["seed"]),
        (set_to("generator_version", lambda version: version + ".1"), ["generator_version"]),
        (set_to("story_id", lambda story_id: story_id + "0"), ["id is 'test-0000"]),
        (set_to("id", lambda row_id: row_id + "x"), ["id is 'test-0000"]),
        (set_to("story", lambda story: story + "\n"), ["story begins or ends with a space"]),
        (set_to("question", lambda question: " " + question), ["not a question about a story"]),
        (set_to("question", lambda question: question.replace(" is?", " are?")), ["question does not say is of the "]),
    ],
)
def test_each_kind_of_spoiled_row_is_found(run, out, change, words):
    rows = spoil(out / "hi_tom", lambda rows: change(rows[ROW]))
    refused(run("check", "--out", out), f"{out / 'hi_tom' / FILE}, row {rows[ROW]['id']}: ", *words)


def test_a_question_about_another_thing_is_found(run, out):
    """In a story that has another thing: its third line of text may still be about the first."""
    rows = spoil(out / "hi_tom", lambda _: None)
    row = next(n for n, row in enumerate(rows) if len({line.split()[2] for line in placed(row)}) > 1)
    spoil(out / "hi_tom", lambda rows: another_thing(rows[row]))
    refused(run("check", "--out", out), f"row {rows[row]['id']}: the question is not about the thing asked about")


def placed(row):
    """Return the lines of a row's story that say where a thing is."""
    return [line for line in row["story"].split("\n") if re.fullmatch(r"\d+ The \w+ (is|are) in the \w+\.", line)]


@pytest.mark.parametrize("file", ["0th_order/train.parquet", "tomh/test.parquet", "reproduction/test.parquet"])
def test_a_spoiled_row_is_found_in_every_table(run, out, file):
    rows = spoil(out / "hi_tom", lambda rows: flipped_with_all(rows[-1]), file)
    code, printed, said = run("check", "--out", out, "--processes", "2")
    refused((code, printed, said), f"{out / 'hi_tom' / file}, row {rows[-1]['id']}: answer is ")
    agreed = int(re.search(rf"(\d+) of {ROWS} rows agree, then ", said)[1])
    assert len(rows) - 1 <= agreed < ROWS


def test_two_spoiled_tables_name_the_first(run, out):
    for file in ("4th_order/validation.parquet", FILE):
        rows = spoil(out / "hi_tom", lambda rows: flipped(rows[ROW % len(rows)]), file)
    for processes in (1, 2):
        refused(run("check", "--out", out, "--processes", processes), f"{FILE}, row {rows[ROW]['id']}: answer is ")


def test_the_algorithms_that_disagree_are_named(run, good, monkeypatch):
    monkeypatch.setattr("builders.proof.stories.believe", lambda *_: 0)
    failed = run("check", "--out", good)
    refused(failed, ".parquet, row ", "the text read by forward tables gives '")
    monkeypatch.setattr("builders.proof.stories.believe", lambda *_: None)
    refused(run("check", "--out", good), f"0 of {ROWS} rows agree, then ", "the text read by forward tables gives None")


def test_a_question_without_an_answer_is_found(good):
    text = "1 Ann entered the hall.\n2 Zoe saw a cat.\n3 The pear is in the red_box."
    story, names = read_story(text)
    row = {
        "events": dumps([spell(event, names) for event in story.events], "pear"),
        "story": text,
        "question": "Where does Zoe think the pear is?",
        "chain": ["Zoe"],
    }
    config = {"name": "all", "semantics": "recursive"}
    assert [*prove_hi_tom([row], config, "1st_order/test.parquet")] == ["nothing teaches the chain"]


@pytest.mark.parametrize(
    ("file", "column", "value", "says"),
    [
        (
            "deep/test.parquet",
            "answer_published",
            "red_box",
            "answer_published is 'red_box', the formal story gives None",
        ),
        ("deep/test.parquet", "semantics_agree", True, "semantics_agree is True, the formal story gives None"),
        ("4th_order/test.parquet", "answer_published", None, "answer_published is empty"),
        ("4th_order/test.parquet", "semantics_agree", None, "semantics_agree is empty"),
    ],
)
def test_only_deep_rows_have_no_published_answer_and_all_of_them(good, file, column, value, says):
    target = good / "hi_tom"
    (row, *_) = pq.read_table(target / file).to_pylist()
    config = Build.read(target, "hi_tom").config_of(file)
    assert [*prove_hi_tom([{**row, column: value}], config, file)] == [says]


def test_a_row_twice_is_found(run, out):
    rows = spoil(out / "hi_tom", lambda rows: rows.append(rows[0]))
    refused(run("check", "--out", out), f"{FILE}, row {rows[0]['id']}: ", "occurs twice")


def test_an_id_twice_is_found(run, out):
    rows = spoil(out / "hi_tom", lambda rows: rows[1].update(id=rows[0]["id"], story_id=rows[0]["story_id"]))
    refused(run("check", "--out", out), f"{FILE}, row {rows[0]['id']}: its id occurs twice")


def test_a_problem_twice_is_found(run, out):
    rows = spoil(
        out / "hi_tom", lambda rows: rows.append({**rows[0], "id": "test-000099-2", "story_id": "test-000099"})
    )
    refused(run("check", "--out", out), f"{FILE}, row {rows[-1]['id']}: ", "occurs twice")


def test_a_row_in_the_place_of_another_is_found(run, out):
    """Also where the number of rows is right and the ids are others."""
    names = ("id", "story_id")
    spoil(out / "hi_tom", lambda rows: rows.__setitem__(1, {**rows[0], **{name: rows[1][name] for name in names}}))
    refused(run("check", "--out", out), "its problem occurs twice")


@pytest.mark.parametrize("renamed", [False, True])
def test_a_story_in_two_splits_is_found(run, out, renamed):
    """Its first-order question stays in test, its second-order one goes to train."""
    moved = pq.read_table(out / "hi_tom" / FILE).to_pylist()[0]
    spoil(out / "hi_tom", lambda rows: rows.pop(0))
    named = {"id": "train-000099-2", "story_id": "train-000099"} if renamed else {}
    rows = spoil(out / "hi_tom", lambda rows: rows.append({**moved, **named}), "2nd_order/train.parquet")
    failed = run("check", "--out", out)
    refused(failed, ".parquet, row ", " too")
    assert rows[-1]["story_id"] in failed[2] and "train" in failed[2] and "test" in failed[2]


def test_a_story_under_two_names_is_found(run, out):
    rows = spoil(out / "hi_tom", lambda rows: rows[0].update(story_id="test-000099", id="test-000099-2"))
    refused(run("check", "--out", out), "row ", "its story is in", rows[0]["story"] and "test")


def test_rows_of_another_order_are_found(run, out):
    """What `load_dataset("hi_tom", "4th_order")` reads must be of fourth order."""
    first, second = (out / "hi_tom" / order / "test.parquet" for order in ("3rd_order", "4th_order"))
    swapped = first.read_bytes(), second.read_bytes()
    second.write_bytes(swapped[0])
    first.write_bytes(swapped[1])
    refused(run("check", "--out", out), "_order/test.parquet")


def test_lost_rows_are_found(run, out):
    spoil(out / "hi_tom", lambda rows: rows.pop())
    refused(run("check", "--out", out), f"{out / 'hi_tom'} has {ROWS - 1} rows, its build.json says {ROWS}")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_missing_table(run, out, command):
    (out / "hi_tom" / FILE).unlink()
    refused(run(command, "--out", out), f"{out / 'hi_tom' / FILE} is missing: build again")


@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize("content", [b"", b"a,b\n", b"PAR1" + bytes(100) + b"PAR1"])
def test_a_table_that_is_no_parquet(run, out, command, content):
    (out / "hi_tom" / FILE).write_bytes(content)
    refused(run(command, "--out", out), f"{out / 'hi_tom' / FILE} cannot be read as Parquet: ")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_damaged_table(run, out, command):
    """Its head and foot are whole, its pages are not."""
    file = out / "hi_tom" / FILE
    content = bytearray(file.read_bytes())
    content[40:4000] = bytes(3960)
    file.write_bytes(content)
    refused(run(command, "--out", out), f"{file} cannot be read as Parquet: ")


@pytest.mark.parametrize("column", ["events", "id", "choices", "answer", "answer_published"])
def test_a_table_without_a_column(run, out, column):
    file = out / "hi_tom" / FILE
    pq.write_table(pq.read_table(file).drop_columns([column]), file)
    refused(run("check", "--out", out), str(file), column)


@pytest.mark.parametrize("column", ["events", "story", "question", "choices", "chain", "answer_index"])
def test_a_cell_that_is_empty(run, out, column):
    rows = spoil(out / "hi_tom", lambda rows: rows[ROW].update({column: None}))
    refused(run("check", "--out", out), f"{out / 'hi_tom' / FILE}, row {rows[ROW]['id']}: ")


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
def test_a_folder_without_a_build(run, tmp_path, command, there):
    there(tmp_path / "hi_tom")
    target = tmp_path / "hi_tom"
    refused(run(command, "hi_tom", "--out", tmp_path), f"{target} holds no build of hi_tom", "run make build first")
    where = target if target.exists() else tmp_path
    refused(run(command, "--out", tmp_path), f"{where} holds no build of hi_tom", "run make build first")


@pytest.mark.parametrize("command", ["check", "audit"])
def test_without_a_dataset_each_that_is_there_is_taken(run, two, tmp_path, command):
    says = "rows agree" if command == "check" else "per cent of the test"
    refused(run(command, "--out", tmp_path), f"{tmp_path} holds no build of hi_tom or mindgames: run make build first")
    run("build", "mindgames", "--out", tmp_path)
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 1, "")
    refused(run(command, "hi_tom", "--out", tmp_path), f"{tmp_path / 'hi_tom'} holds no build of hi_tom")
    run("build", "hi_tom", "--out", tmp_path)
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (0, 2, "")
    file = tmp_path / "mindgames" / "scale" / "test.parquet"
    file.unlink()
    code, printed, said = run(command, "--out", tmp_path)
    assert (code, printed.count(says), said) == (1, 1, f"error: {file} is missing: build again\n")
    assert run(command, "hi_tom", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize("processes", ["0", "-3"])
def test_check_needs_a_process(run, good, processes):
    refused(run("check", "--out", good, "--processes", processes), f"--processes: {processes} is not 1 or more", code=2)


def test_a_fault_found_by_several_processes_ends_them(out):
    spoil(out / "hi_tom", lambda rows: flipped(rows[0]), "0th_order/test.parquet")
    process = start("check", "--out", out, "--processes", "2", start_new_session=True)
    refused(ended(process), "0th_order/test.parquet, row ")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize("command", ["check", "audit"])
def test_a_broken_gate_fails(run, good, monkeypatch, command):
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 6)
    monkeypatch.setitem(GATES, "hi_tom", {"first": (0, 0), "letter": (0, 1)})
    code, printed, said = run(command, "--out", good)
    assert code == 1
    assert said.startswith("error: a gate is broken on the test split: ") and said.count("\n") == 1
    gated = run("audit", "--out", good)[1].split("Shown, not gated:")[0]
    broken = {group: table_of(gated, f"{group}: ours")["first"] for group in ORDERS[1:]}
    for group, share in broken.items():
        assert (f"{group}: 'first' is right on {share:.1f} %, the gate is ≤ 0 %" in said) == (share > 0)
    assert sum(broken.values()) > 0
    assert "build with another seed or more stories" in said
    assert "0th_order" not in said and "tomh" not in said and "reproduction" not in said
    assert "gates hold" not in printed and "not gated: " not in printed


@pytest.mark.parametrize("command", ["check", "audit"])
def test_the_gates_of_deep_stories(run, good, monkeypatch, command):
    """At orders 2 to 4 of the test split; the published share stands beside ours."""
    open_gates = dict.fromkeys(GATES["hi_tom"], (0, 1))
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 3)
    monkeypatch.setitem(GATES, "hi_tom", open_gates)
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 1)})
    code, printed, said = run(command, "--out", good)
    assert (code, said) == (0, "")
    assert "deep: gates hold for every order from 2, on 3 test stories" in printed
    if command == "audit":
        deep = printed.split("Deep stories: ")[1]
        assert table_of(deep, "1st_order: published") == {"rows": 120, "chance": 6.7, "needs all its agents": 45.0}
        assert table_of(deep, "4th_order: published")["needs all its agents"] == 0.0
        assert {"reality", "needs their order", "last that reached all", "cross out"} < set(
            table_of(deep, "2nd_order: ours")
        )
    monkeypatch.setitem(GATES, "deep", {"needs all its agents": (0, 0), "reality": (0, 1)})
    code, printed, said = run(command, "--out", good)
    assert code == 1 and said.count("\n") == 1
    assert said.startswith("error: a gate is broken on the test split of deep: ")
    assert "4th_order: 'needs all its agents' is right on 100.0 %, the gate is ≤ 0 %" in said
    assert "1st_order" not in said
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 4)
    assert "deep, not gated: 3 test stories, the gates need 4\n" in run(command, "--out", good)[1]


def test_showing_a_deep_story_says_why_later_lines_taught_nothing(run):
    code, printed, said = run("show", "hi_tom", "--config", "deep", "--index", "2")
    assert (code, said) == (0, "")
    assert printed.startswith("deep-test-000002\n\n1 ")
    assert "published" not in printed and len(re.findall(r", taught by line \d+: ", printed)) == 5
    story, names = read_story(printed.split("\n\n")[1])
    taught = [lesson.line + 1 for lesson in lessons_about(story, 0)]
    for question in printed.split("\nWhere ")[1:]:
        line = int(re.search(r"taught by line (\d+): ", question)[1])
        later = [int(other) for other in re.findall(r"not by line (\d+): ", question)]
        assert later == [other for other in taught if other > line]


@pytest.mark.parametrize(
    ("chain", "reason", "obstacles"),
    [
        ("", "9 it was put there", ["12 words move nothing", "13 words move nothing"]),
        ("Ben", "13 Ben trusts Cleo", []),
        (
            "Cleo",
            "7 Cleo saw it",
            ["9 Cleo did not see it", "12 Cleo does not trust Ben", "13 Cleo said it"],
        ),
        (
            "Ann Ben",
            "5 Ann watched, and Ben saw it",
            [
                "7 Ben did not see it",
                "9 Ben did not see it",
                "12 Ann watched, and does not trust Ben",
                "13 Ann did not hear it",
            ],
        ),
        ("Ann", "9 Ann watched", ["12 Ann watched, and does not trust Ben", "13 Ann did not hear it"]),
        ("Ben Ann", "12 Ann trusts Ben, for all Ben can tell", ["13 Ann did not hear it"]),
        ("Ben Cleo", "13 Ben trusts Cleo, and takes Cleo to mean it", []),
        ("Ben Dan", "12 Ben takes Dan to trust what Ben says", ["13 Dan did not hear it"]),
        (
            "Dan Ann Ben",
            "12 Ann trusts Ben, and takes Ben to mean it, for all Dan can tell",
            ["13 Dan and Ann did not hear it"],
        ),
        (
            "Dan Ann Cleo",
            "2 Dan, Ann and Cleo saw it",
            [
                "5 Ann saw it in secret",
                "7 Ann saw it in secret",
                "9 Cleo did not see it",
                "12 Cleo does not trust Ben",
                "13 Dan and Ann did not hear it",
            ],
        ),
    ],
)
def test_why_a_line_taught_a_chain_and_others_did_not(chain, reason, obstacles):
    story, names = read_story(DEEP)
    asked = tuple(names.agents.index(name) for name in chain.split())
    taught, say = lessons_about(story, 0), templates("en").get_template("show.jinja").module
    line = teacher(taught, asked, "recursive").line
    assert f"{line + 1} {reason_of(taught, asked, names, say)}" == reason
    later = [lesson for lesson in taught if lesson.line > line]
    assert [f"{lesson.line + 1} {obstacle_of(lesson, asked, names, say)}" for lesson in later] == obstacles


@pytest.mark.parametrize("command", ["check", "audit"])
def test_gates_that_hold_are_said_to(run, good, monkeypatch, command):
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 6)
    monkeypatch.setitem(GATES, "hi_tom", dict.fromkeys(GATES["hi_tom"], (0, 1)))
    code, printed, said = run(command, "--out", good)
    assert (code, said) == (0, "")
    assert "gates hold for every order from 1, on 6 test stories" in printed


# ------------------------------------------------------------------------------------------------ audit


PICTURES = {
    "hi_tom": ["confidence.png", "difficulty.png", "letters.png", "places.png", "shortcuts.png"],
    "mindgames": ["confidence.png", "difficulty.png", "shortcuts.png"],
}


@pytest.mark.parametrize(
    ("name", "sizes", "group"),
    [
        ("hi_tom", SIZES, "4th_order"),
        ("mindgames", ("--train", 3, "--validation", 1, "--test", 3, "--scale", 1), "all"),
    ],
)
def test_a_build_with_rows_enough_has_the_audit_and_its_pictures(run, tmp_path, monkeypatch, name, sizes, group):
    monkeypatch.setattr("builders.audit.gates.GATED_STORIES", 6)
    target = tmp_path / name
    assert run("build", name, *sizes, "--out", tmp_path)[0] == 0
    card = (target / "README.md").read_text(encoding="utf-8")
    assert "| rule | gate |" in card and f"| {group} (" in card and "\n| *probe*: " in card
    shown = re.findall(r"!\[.+\]\(pictures/(\w+\.png)\)", card)
    assert sorted(shown) == PICTURES[name] == sorted(path.name for path in (target / "pictures").iterdir())
    known = json.loads((target / "build.json").read_text(encoding="utf-8"))["files"]
    assert {f"pictures/{picture}" for picture in shown} <= set(known)
    assert "is up to date" in run("build", name, *sizes, "--out", tmp_path)[1]
    code, printed, said = run("audit", name, "--out", tmp_path)
    assert code in (0, 1) and all(f"pictures/{name}_{picture}" in printed for picture in shown)
    assert [path.name for path in sorted((tmp_path / "pictures").iterdir())] == [
        f"{name}_{each}" for each in PICTURES[name]
    ]
    assert run("clean", name, "--out", tmp_path)[0] == 0 and not target.exists()


def test_a_build_that_no_probe_scored_says_so(run, tmp_path):
    assert run("build", "hi_tom", *SIZES, "--probe", "none", "--out", tmp_path)[0] == 0
    card = (tmp_path / "hi_tom" / "README.md").read_text(encoding="utf-8")
    assert "No probe scored this build" in card and "rows scored" not in card
    assert "pictures/" not in card and "95 % interval" not in card and "the card has no table" in card


def test_audit_prints_both_tables(run, good):
    code, printed, said = run("audit", "--out", good)
    assert (code, said) == (0, "")
    gated, shown = printed.split("Deep stories: ")[0].split("Shown, not gated:")
    for order in range(5):
        group = order_name(order)
        counted = table_of(gated, f"{group}: ours") if order else table_of(shown, group)
        assert counted["rows"] == 6 and counted["chance"] == 6.7
        rows = pq.read_table(good / "hi_tom" / group / "test.parquet").to_pylist()
        letters = [row["answer_index"] for row in rows]
        assert counted["letter"] == round(100 * max(map(letters.count, letters)) / 6, 1)
        firsts = [re.search(r"in the (\w+)\.", row["story"].split("\n")[1])[1] for row in rows]
        right = sum(first == row["answer"] for first, row in zip(firsts, rows, strict=True))
        assert counted["first"] == round(100 * right / 6, 1)
        assert f"reproduction {group}" in shown and f"reproduction {group}" not in gated
        assert counted["majority"] == round(100 * max(Counter(row["answer"] for row in rows).values()) / 6, 1)
        right = sum(row["deberta_pred"] == row["answer_index"] for row in rows)
        assert counted["probe"] == round(100 * right / 6, 1)
        assert {"question alone", "story alone", "TF-IDF"} <= set(counted)
    assert table_of(shown, "0th_order")["last"] == 100
    assert table_of(gated, "4th_order: published")["first"] == 48.3
    assert sum(table_of(shown, f"tomh {order_name(order)}")["rows"] for order in range(1, 5)) == 27
    assert f"not gated: 6 test stories, the gates need {GATED_STORIES}" in printed


# ------------------------------------------------------------------------------------------------ reread


def numbered(*sentences):
    """Return the sentences as the numbered lines of a story."""
    return "\n".join(f"{number} {sentence}" for number, sentence in enumerate(sentences, 1))


# Seen by all three: red_box. Seen by Jack and Owen: blue_crate. Seen by Owen: green_drawer. They leave in that order.
TOLD = numbered(
    "Emma, Jack and Owen entered the hall.",
    "The pear is in the red_box.",
    "Emma exited the hall.",
    "Jack moved the pear to the blue_crate.",
    "Jack exited the hall.",
    "Owen moved the pear to the green_drawer.",
    "Owen exited the hall.",
    "Emma, Jack and Owen entered the waiting_room.",
)
CLAIMED = TOLD + "\n9 Jack publicly claimed that the pear is in the red_bottle now."
CHOICES = ["red_box", "blue_crate", "green_drawer", "red_bottle"]


def asked(story, names, answer, **more):
    """Return a published row: a question about a chain of names, outermost first."""
    minds = "".join(f"{name} thinks " for name in names.split()[1:])
    question = f"Where does {names.split()[0]} think {minds}the pear is?" if names else "Where is the pear really?"
    return {"story": story, "question": question, "choices": CHOICES, "answer": answer, **more}


# Owen knows that Emma is fooled; the released generator leaves that out, and beliefs of order 3 too.
HAND_MADE = [
    asked(TOLD, "Emma", "red_box", prompting_type="A"),  # both
    asked(TOLD, "Jack", "red_box", prompting_type="A"),  # neither: blue_crate
    asked(CLAIMED, "Owen Emma", "red_box", prompting_type="A"),  # published
    asked(CLAIMED, "Emma Jack Owen", "red_bottle", prompting_type="B"),  # recursive
    asked(CLAIMED, "Jack Owen", "red_bottle", prompting_type="B"),  # both
    asked(CLAIMED, "", "green_drawer", prompting_type="B"),  # both
]


def write_lines(path, rows):
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def reread(run, tmp_path):
    """Reread a file; return the exit code, stdout, stderr."""

    def reread(path, *more):
        return run("reread", "hi_tom", path, "--disagreements", tmp_path / "disagreements.jsonl", *more)

    return reread


def agreeing(printed):
    """Return the agreement table: (rows, order) to questions and the four cells."""
    found = {}
    for line in printed.split("\n"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 7 and cells[2].isdigit():
            found[cells[0], cells[1]] = (int(cells[2]), *cells[3:])
    return found


def test_agreement_is_counted_for_both_semantics(reread, tmp_path):
    code, printed, said = reread(write_lines(tmp_path / "made.jsonl", HAND_MADE))
    assert (code, said) == (0, "")
    header = (
        "| rows | order | questions | recursive, without | recursive, with | published, without | published, with |"
    )
    assert header in printed
    assert agreeing(printed) == {
        ("A", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("A", "order 2"): (1, "0 of 0", "0 of 1", "0 of 0", "1 of 1"),
        ("A", "total"): (3, "1 of 2", "0 of 1", "1 of 2", "1 of 1"),
        ("B", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 2"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("B", "total"): (3, "0 of 0", "3 of 3", "0 of 0", "2 of 3"),
        ("all", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("all", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("all", "order 2"): (2, "0 of 0", "1 of 2", "0 of 0", "2 of 2"),
        ("all", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("all", "total"): (6, "1 of 2", "3 of 4", "1 of 2", "3 of 4"),
    }
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "stand more than once" not in printed


def test_the_disagreements_are_written_down(reread, tmp_path):
    (tmp_path / "disagreements.jsonl").write_text("older\n")
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    _, printed, _ = reread(path)
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert f"3 rows that disagree with one of the semantics or both: {tmp_path / 'disagreements.jsonl'}" in printed
    read = [("blue_crate", "blue_crate"), ("red_bottle", "red_box"), ("red_bottle", "red_box")]
    assert written == [
        {"where": f"{path}, line {n + 1}", **HAND_MADE[n], "read_recursive": recursive, "read_published": published}
        for n, (recursive, published) in zip((1, 2, 3), read, strict=True)
    ]
    assert listed(tmp_path) == ["disagreements.jsonl", "made.jsonl"]


def test_no_disagreement_writes_an_empty_file(reread, tmp_path):
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", HAND_MADE[:1]))
    assert "0 rows that disagree" in printed
    assert (tmp_path / "disagreements.jsonl").read_text() == ""


def test_the_disagreements_are_whole_or_not_there(tmp_path):
    path = write_lines(tmp_path / "made.jsonl", [HAND_MADE[1]] * 30)
    (tmp_path / "old.jsonl").write_text("older\n")
    for name in ("old.jsonl", "new.jsonl"):
        failed = ended(
            start("reread", "hi_tom", path, "--disagreements", tmp_path / name, preexec_fn=few_bytes)
        )  # fmt: skip
        refused(failed, "File too large", "nothing half-written was left")
    assert listed(tmp_path) == ["made.jsonl", "old.jsonl"]
    assert (tmp_path / "old.jsonl").read_text() == "older\n"


def test_disagreements_that_cannot_be_written(run, tmp_path):
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "folder", path / "within.jsonl"):
        failed = run("reread", "hi_tom", path, "--disagreements", place)
        refused((failed[0], "", failed[2]), str(path if place.parent == path else tmp_path))
    assert listed(tmp_path) == ["folder", "made.jsonl"] and listed(tmp_path / "folder") == []


def test_the_folder_of_the_disagreements_is_made(run, tmp_path):
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    assert run("reread", "hi_tom", path, "--disagreements", tmp_path / "a" / "b.jsonl")[0] == 0
    assert len((tmp_path / "a" / "b.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize("answers", [["A", "D", "A", "D", "D", "C"], "A. B. A. D. D. C.", None])
@pytest.mark.parametrize("lettered", [False, True])
def test_the_published_json(reread, tmp_path, answers, lettered):
    """Choices as one string, answers as a letter, a letter with its container, or a container."""
    rows = []
    for place, row in enumerate(HAND_MADE):
        answer = row["answer"]
        if isinstance(answers, list):
            answer = "ABCD"[CHOICES.index(answer)]
        elif answers is not None:
            answer = f"{'ABCD'[CHOICES.index(answer)]}. {answer}"
        choices = "A. red_box, B. blue_crate, C. green_drawer, D. red_bottle" if lettered else CHOICES
        rows.append({**row, "answer": answer, "choices": choices, "sample_id": place})
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"data": rows}, indent=1), encoding="utf-8")
    code, printed, said = reread(path)
    assert (code, said) == (0, "")
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "3 rows that disagree" in printed
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert [row["where"] for row in written] == [f"{path}, row {n}" for n in (2, 3, 4)]


def test_rows_without_choices_or_prompting(reread, tmp_path):
    rows = [{key: row[key] for key in ("story", "question", "answer")} for row in HAND_MADE]
    code, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert code == 0
    assert "recursive: all 4 of 6 agree\n" in printed and "published: all 4 of 6 agree\n" in printed


def test_a_question_with_two_answers_is_counted(reread, tmp_path):
    rows = [*HAND_MADE[:3], HAND_MADE[0], {**HAND_MADE[1], "answer": "blue_crate"}, HAND_MADE[1]]
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert "2 questions stand more than once; 1 of them have different published answers" in printed


def test_empty_lines_and_windows_line_ends_are_no_rows(reread, tmp_path):
    path = tmp_path / "made.jsonl"
    path.write_text("\r\n".join(json.dumps(row) for row in HAND_MADE) + "\r\n\r\n\n", encoding="utf-8")
    assert "all 4 of 6 agree" in reread(path)[1]


def test_a_line_ends_only_where_json_lines_end(reread, tmp_path):
    """Within a JSON string U+2028 and U+0085 may stand as they are."""
    path = tmp_path / "made.jsonl"
    row = {**HAND_MADE[0], "note": "one\u2028two\u0085three"}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    code, printed, said = reread(path)
    assert (code, said) == (0, "")
    assert "recursive: A 1 of 1, all 1 of 1 agree" in printed


def test_an_answer_that_is_no_container_disagrees(reread, tmp_path):
    rows = [{**HAND_MADE[0], "answer": answer} for answer in ("purple_tub", "Z", "", "A.")]
    _, printed, _ = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert "recursive: A 1 of 4, all 1 of 4 agree" in printed  # "A." is a letter


def test_a_thing_that_was_never_placed_has_no_answer(reread, tmp_path):
    story = TOLD + "\n9 Jack dislikes the melon.\n10 Jack publicly claimed that the fig is in the red_bottle now."
    rows = [
        {"story": story, "question": f"Where is the {thing} really?", "answer": "red_box"} for thing in ("melon", "fig")
    ]
    code, printed, said = reread(write_lines(tmp_path / "made.jsonl", rows))
    assert (code, said) == (0, "")
    assert "recursive: all 0 of 2 agree" in printed


EXPECTED = "expected an object with story, question and answer, all strings"


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ('{"story": ', ["line 2: not JSON (", EXPECTED]),
        ("Emma entered the hall.", ["line 2: not JSON (", EXPECTED]),
        ("[]", ["line 2: " + EXPECTED]),
        ("7", ["line 2: " + EXPECTED]),
        ("null", ["line 2: " + EXPECTED]),
        (json.dumps({"story": TOLD, "question": "Where is the pear really?"}), ["line 2: " + EXPECTED]),
        (json.dumps({"story": TOLD, "answer": "red_box"}), ["line 2: " + EXPECTED]),
        (json.dumps({"question": "Where is the pear really?", "answer": "red_box"}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "answer": 3}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "answer": None}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "story": TOLD.split("\n")}), ["line 2: " + EXPECTED]),
        (json.dumps({**HAND_MADE[0], "story": ""}), ["line 2: the story is empty"]),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD + "\n9 Emma slept."}),
            ["line 2: line 9 is no sentence of a story: 'Emma slept.'; such sentences are: Emma, Jack"],
        ),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD + "\n9 Emma secretly watched the hall through the window."}),
            ["line 2: the published semantics has no watchers: the released generator tells no such story"],
        ),
        (
            json.dumps({**HAND_MADE[0], "story": TOLD.replace("\n3 ", "\n4 ")}),
            ["line 2: line 3 starts with its number, as in '3 Emma"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Is the pear in the red_box?"}),
            ["line 2: not a question about a story: 'Is the pear in the red_box?'; such questions are: Where is"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Where does Zoe think the pear is?"}),
            ["line 2: the story has no agent 'Zoe', only Emma, Jack, Owen"],
        ),
        (
            json.dumps({**HAND_MADE[0], "question": "Where is the fig really?"}),
            ["line 2: the story has no thing 'fig', only pear"],
        ),
        (
            json.dumps({**HAND_MADE[0], "choices": "A. red_box, C. blue_crate"}),
            ["line 2: choice 2 is 'B. ' and a new container", "'C. blue_crate'"],
        ),
        (json.dumps({**HAND_MADE[0], "choices": 7}), ["line 2: ", "choices"]),
        (json.dumps({**HAND_MADE[0], "choices": None}), ["line 2: ", "choices"]),
        (json.dumps({**HAND_MADE[0], "choices": {"A": "red_box"}}), ["line 2: ", "choices"]),
        ("[" * 100_000, ["line 2: not JSON", EXPECTED]),
    ],
)
def test_lines_that_cannot_be_read(reread, tmp_path, second, words):
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join([json.dumps(HAND_MADE[0]), second, json.dumps(HAND_MADE[1])]), encoding="utf-8")
    refused(reread(path), f"{path}, ", *words)
    assert listed(tmp_path) == ["made.jsonl"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"first": HAND_MADE[0]}, [': "data" is not a list of rows']),
        ("rows", [': "data" is not a list of rows']),
        (None, [': "data" is not a list of rows']),
        ([HAND_MADE[0], {"story": TOLD}], [", row 2: " + EXPECTED]),
        ([HAND_MADE[0], "row"], [", row 2: " + EXPECTED]),
        ([HAND_MADE[0], {**HAND_MADE[0], "question": "Why?"}], [", row 2: not a question about a story: 'Why?'"]),
        ([], [": no rows; expected one on each line: an object with story, question and answer, all strings"]),
    ],
)
def test_published_json_that_cannot_be_read(reread, tmp_path, data, words):
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"data": data}, indent=2), encoding="utf-8")
    refused(reread(path), *(f"{path}{word}" for word in words))
    assert listed(tmp_path) == ["published.json"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no rows; expected one on each line: an object with story, question and answer, all strings"),
        (b"\n \n", "no rows; expected one on each line: an object with story, question and answer, all strings"),
        (b'{"story": "\xe9t\xe9"}\n', "it is not UTF-8 text; expected JSON lines or the published JSON"),
        (b"\x1f\x8b\x08\x00\xff", "it is no whole gzip file (Compressed file ended before"),
        (b"\x1f\x8b\x09\x00\xff\x00\x00\x00\x00\x00\x00", "it is no whole gzip file (Unknown compression method)"),
        (None, "No such file or directory; expected JSON lines or the published JSON"),
        ("folder", "Is a directory; expected JSON lines or the published JSON"),
    ],
)
def test_files_that_cannot_be_read(reread, tmp_path, content, words):
    path = tmp_path / "made.jsonl"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    before = listed(tmp_path)
    refused(reread(path), f"{path}: {words}")
    assert listed(tmp_path) == before


@pytest.mark.skipif(not RELEASED.exists(), reason=f"the published data are not here: {RELEASED}")
def test_the_released_half(reread, tmp_path):
    code, printed, said = reread(RELEASED)
    assert (code, said) == (0, "")
    agree = dict(re.findall(r"^published: .*?(CoTP) (\d+) of 300", printed, re.MULTILINE))
    assert int(agree["CoTP"]) >= 290
    assert "300 questions stand more than once; 73 of them have different published answers" in printed
    table = agreeing(printed)
    assert table["all", "total"][0] == 600 and table["CoTP", "order 4"][0] == 60
    # shared/reference/README.md: claims carried to every order change no answer of orders 0 and 1.
    for order in ("order 0", "order 1"):
        assert table["CoTP", order] == (60, "30 of 30", "30 of 30", "30 of 30", "30 of 30")
    written = [json.loads(line) for line in (tmp_path / "disagreements.jsonl").read_text("utf-8").splitlines()]
    assert f"{len(written)} rows that disagree" in printed
    for semantics in ("recursive", "published"):
        wrong = sum(row[f"read_{semantics}"] != row["answer"] for row in written)
        assert f"all {600 - wrong} of 600 agree" in next(s for s in printed.split("\n") if s.startswith(semantics))


# ------------------------------------------------------------------------------------------------ show


QUESTION = re.compile(
    r"(?P<question>Where .*\?)\n"
    r"  (?P<choices>A\. .*)\n"
    r"  (?P<letter>[A-Z])\. (?P<answer>\w+), taught by line (?P<line>\d+)\n"
    r"  effective order (?P<effective>\d); slot: (?P<slot>first|second|later|claimed)(?P<more>.*)"
)
OTHER_SEMANTICS = re.compile(r"under (\w+) semantics: (\w+), line (\d+)")


def shown(printed):
    """Return the story and the questions that were shown."""
    head, story, *parts = printed.strip().split("\n\n")
    return head, story, [QUESTION.fullmatch(part).groupdict() for part in parts]


def lines_that_teach(text, thing, line, container):
    """Return whether this line says, or by an Enter shows, that the thing is in the container."""
    story, names = read_story(text)
    thing, container = names.things.index(thing), names.containers.index(container)
    place = room = entered = None
    for number, event in enumerate(story.events, 1):
        told = False
        match event:
            case Enter(_, into):
                entered = into
                told = place == container and room == into
            case Place(placed, where) if placed == thing:
                place, room = where, entered
                told = where == container
            case Move(_, moved, where) if moved == thing:
                place = where
                told = where == container
            case Tell(_, _, about, where) if about == thing:
                told = where == container
        if number == line:
            return told
    return False


@pytest.mark.parametrize(
    ("config", "split", "orders"),
    [
        ("all", "test", range(5)),
        ("all", "train", range(5)),
        ("all", "validation", range(5)),
        ("0th_order", "test", [0]),
        ("4th_order", "test", [4]),
        ("reproduction", "test", range(5)),
        ("tomh", "test", None),
    ],
)
def test_show_names_the_line_that_taught_each_answer(run, config, split, orders):
    for index in (0, 1, 2, 3, 5, 8, 60, 119):
        code, printed, said = run("show", "hi_tom", "--config", config, "--split", split, "--index", index)
        assert (code, said) == (0, "")
        head, story, questions = shown(printed)
        prefix = "" if config not in ("tomh", "reproduction") else f"{config}-"
        assert head == f"{prefix}{split}-{index:06d}"
        minds = [len(re.findall(r"\b(?:thinks?|search(?:es)?)\b(?! that)", q["question"])) for q in questions]
        if orders is None:
            assert len(questions) == 1
        elif orders != [4] and orders != [0]:
            assert minds == list(orders)
        else:
            assert minds == orders
        for q in questions:
            choices = dict(choice.split(". ") for choice in q["choices"].split(", "))
            assert choices[q["letter"]] == q["answer"]
            assert len(set(choices.values())) == len(choices)
            thing = re.search(r"the (\w+)", q["question"])[1]
            assert lines_that_teach(story, thing, int(q["line"]), q["answer"])
            for _, container, line in OTHER_SEMANTICS.findall(q["more"]):
                assert container != q["answer"]
                assert lines_that_teach(story, thing, int(line), container)


def test_show_says_where_semantics_and_order_matter(run):
    said = ""
    for index in range(60):
        said += run("show", "hi_tom", "--index", index)[1]
    assert "; another order of the agents has another answer" in said
    assert "; under published semantics: " in said
    assert "under recursive semantics" not in said
    assert "slot: claimed" in said


def test_show_is_the_same_each_time_and_another_with_another_seed(run):
    first = run("show", "hi_tom", "--seed", "3")
    assert first == run("show", "hi_tom", "--seed", "3")
    assert first != run("show", "hi_tom", "--seed", "4")
    assert run("show", "hi_tom", "--seed", str(10**30))[0] == 0


def test_show_is_the_story_that_a_build_of_default_size_has(run):
    """A row is a function of config with its sizes, seed, split and index."""
    target, letters = plan_of(hi_tom.ALL, "test")[7]
    row = story_rows(hi_tom.ALL, "test", 7, target, letters)[4]
    head, story, questions = shown(run("show", "hi_tom", "--index", "7")[1])
    assert (head, story) == (row["story_id"], row["story"])
    assert (questions[4]["question"], questions[4]["answer"]) == (row["question"], row["answer"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "5th_order"], ["unknown config '5th_order'; the configs are all, 0th_order, 1st_order"]),
        (["--config", ""], ["unknown config ''; the configs are ", "tomh", "reproduction"]),
        (["--config", "tomh", "--split", "train"], ["tomh has no split train; it has test"]),
        (["--config", "reproduction", "--split", "validation"], ["reproduction has no split validation; it has test"]),
        (["--index", "480"], ["--index is 480; the test split of all has 0 to 479"]),
        (["--index", "-1"], ["--index is -1; the test split of all has 0 to 479"]),
        (["--config", "tomh", "--index", "1800"], ["--index is 1800; the test split of tomh has 0 to 1799"]),
        (["--config", "3rd_order", "--split", "train", "--index", "2400"], ["of 3rd_order has 0 to 2399"]),
    ],
)
def test_what_cannot_be_shown(run, arguments, words):
    refused(run("show", "hi_tom", *arguments), *words)


# ------------------------------------------------------------------------------------------------ clean


def test_clean_deletes_what_build_wrote(run, out):
    (out / "other.txt").write_text("mine")
    (out / "hi_tom_2").mkdir()
    assert run("clean", "hi_tom", "--out", out) == (0, "", "")
    assert listed(out) == ["hi_tom_2", "other.txt"]
    assert run("clean", "hi_tom", "--out", out) == (0, "", "")
    assert listed(out) == ["hi_tom_2", "other.txt"]


def test_clean_without_a_dataset_deletes_all(run, two, tmp_path):
    run("build", "--out", tmp_path)
    (tmp_path / "other.txt").write_text("mine")
    (tmp_path / "mindgames" / "notes.txt").write_text("mine")
    (tmp_path / ".mindgames.partial-1").mkdir()
    code, printed, said = run("clean", "--out", tmp_path)
    assert (code, said) == (0, "")
    assert printed.startswith(f"{tmp_path / 'mindgames'} holds files that no build wrote") and printed.count("\n") == 1
    assert contents(tmp_path) == {"other.txt": b"mine", "mindgames/notes.txt": b"mine"}
    assert listed(tmp_path) == ["mindgames", "other.txt"]


def test_clean_of_a_dataset_leaves_the_other(run, two, tmp_path):
    run("build", "--out", tmp_path)
    assert run("clean", "mindgames", "--out", tmp_path) == (0, "", "")
    assert listed(tmp_path) == ["hi_tom"]
    assert run("clean", "--out", tmp_path) == (0, "", "")
    assert run("clean", "--out", tmp_path) == (0, "", "")
    assert listed(tmp_path) == []


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
@pytest.mark.parametrize("dataset", ["", "hi_tom", "mindgames"])
def test_make_clean_names_what_stays_where_no_python_is_left(tmp_path, dataset):
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("hi_tom", "mindgames", "other"):
        (tmp_path / "out" / name).mkdir(parents=True)
        (tmp_path / "out" / name / "build.json").write_text("{}")
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        ["make", "-s", "clean", "OUT=out", f"DATASET={dataset}"],
        cwd=tmp_path,
        env=inherited,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(
        f"out/{name} stays: delete it by hand, .venv is gone already\n"
        for name in ([dataset] if dataset else ["hi_tom", "mindgames"])
    )
    assert listed(tmp_path / "out") == ["hi_tom", "mindgames", "other"]


def test_clean_leaves_and_mentions_what_no_build_wrote(run, out):
    (out / "hi_tom" / "notes.txt").write_text("mine")
    (out / "hi_tom" / "tomh" / "mine").mkdir()
    (out / "hi_tom" / "tomh" / "mine" / "more.txt").write_text("mine too")
    code, printed, said = run("clean", "--out", out)
    assert (code, said) == (0, "")
    assert f"{out / 'hi_tom'} holds files that no build wrote" in printed
    assert contents(out) == {"hi_tom/notes.txt": b"mine", "hi_tom/tomh/mine/more.txt": b"mine too"}
    assert not (out / "hi_tom" / "4th_order").exists()


@pytest.mark.parametrize("there", [a_folder_of_someone, a_record_that_is_no_json, a_record_that_is_a_list])
def test_clean_leaves_a_folder_that_is_not_ours(run, tmp_path, there):
    there(tmp_path / "hi_tom")
    before = tree(tmp_path)
    code, printed, said = run("clean", "--out", tmp_path)
    assert (code, said) == (0, "")
    assert f"{tmp_path / 'hi_tom'} holds files that no build wrote" in printed
    assert tree(tmp_path) == before


def test_clean_leaves_a_folder_of_another_dataset(run, tmp_path):
    (tmp_path / "hi_tom").mkdir()
    (tmp_path / "hi_tom" / "build.json").write_text('{"dataset": "other", "files": {"data.txt": {}}}')
    (tmp_path / "hi_tom" / "data.txt").write_text("mine")
    before = tree(tmp_path)
    run("clean", "--out", tmp_path)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("path", ["../victim.txt", "tomh/../../victim.txt", "absolute"])
def test_clean_stays_within_the_folder(run, out, path):
    """A record may come from elsewhere, with a folder from the Hub."""
    victim = out / "victim.txt"
    victim.write_text("mine")
    record = json.loads((out / "hi_tom" / "build.json").read_text())
    record["files"][str(victim) if path == "absolute" else path] = {}
    (out / "hi_tom" / "build.json").write_text(json.dumps(record))
    run("clean", "--out", out)
    assert victim.exists()


def test_clean_deletes_what_a_killed_build_left(run, out):
    before = tree(out / "hi_tom")
    with underway_build(out, "--seed", "1", file=TABLE) as process:
        process.kill()
    assert [name for name in listed(out) if name.startswith(".hi_tom.partial-")]
    assert tree(out / "hi_tom") == before
    (out / ".hi_tom_mine.partial-1").mkdir()
    assert run("clean", "--out", out) == (0, "", "")
    assert listed(out) == [".hi_tom_mine.partial-1"]
