"""Run `build` as a user does, and prove that the same arguments give the same bytes."""

import json
import re

import datasets
import pyarrow.parquet as pq
import pytest
from commands.samples import FEW_DEEP, FILES, LEAST
from support import TINY, TINY_ROWS, contents, listed, refused, tree

from tom_datasets.mindgames.builder import FEATURES
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.topics import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_build_says_what_it_made_and_a_second_one_touches_nothing(run, tmp_path, tiny_build, name):
    code, printed, said = run("build", name, "--out", tmp_path, *TINY[name])
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / name}: {TINY_ROWS[name]} rows written, seed 0\n"
    assert listed(tmp_path) == [f".{name}.scores", name]
    assert contents(tmp_path / name) == contents(tiny_build(name) / name)
    before = tree(tmp_path)
    code, printed, said = run("build", name, "--out", tmp_path, *TINY[name])
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / name} is up to date: same arguments, same sources, every file unchanged\n"
    assert tree(tmp_path) == before


def test_a_build_without_a_dataset_builds_all_by_their_defaults(run, two, tiny_build, tmp_path):
    code, printed, said = run("build", "--out", tmp_path, "--processes", "2")
    assert (code, said) == (0, "")
    assert printed == "".join(f"{tmp_path / name}: {TINY_ROWS[name]} rows written, seed 0\n" for name in NAMES)
    for name in NAMES:
        assert contents(tmp_path / name) == contents(tiny_build(name) / name)
    assert run("build", "--out", tmp_path)[1].count("is up to date") == 2
    assert run("build", "mindgames", "--train", "7", "--probe", "none", "--out", tmp_path, "--force")[0] == 0
    assert "hi_tom is up to date" in run("build", "hi_tom", "--out", tmp_path, "--language", "en")[1]


def test_the_name_of_the_dataset_comes_before_the_options(run, tmp_path):
    shared = ["--seed", "7", "--processes", "2", "--language", "en", "--out", tmp_path]
    refused(run("build", *shared, "hi_tom"), "argument dataset: name the dataset first: hi_tom or mindgames", code=2)
    assert listed(tmp_path) == []
    code, printed, said = run("build", "hi_tom", *TINY["hi_tom"], *shared)
    assert (code, said) == (0, "")
    assert printed == f"{tmp_path / 'hi_tom'}: {TINY_ROWS['hi_tom']} rows written, seed 7\n"
    assert run("check", "--out", tmp_path, "hi_tom")[0] == 0


def test_a_split_of_no_stories_is_left_out(run, tmp_path):
    assert run("build", "hi_tom", "--out", tmp_path, *TINY["hi_tom"], "--train", "0")[0] == 0
    splits = datasets.load_dataset(str(tmp_path / "hi_tom"), "2nd_order", cache_dir=str(tmp_path / "cache"))
    assert list(splits) == ["validation", "test"]
    assert run("check", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_replaces_the_folder(run, tiny_copy, name):
    out = tiny_copy(name)
    before = contents(out / name)
    code, printed, said = run("build", name, "--out", out, "--seed", "-7", *TINY[name], "--force")
    assert (code, said) == (0, "")
    assert printed == f"{out / name}: {TINY_ROWS[name]} rows written, seed -7\n"
    after = contents(out / name)
    assert listed(out) == [f".{name}.scores", name]
    assert before.keys() == after.keys()
    assert [file for file in before if before[file] == after[file]] == ["eval.yaml"], "the tasks have no rows"
    rows = pq.read_table(out / name / FILES[name]).to_pylist()
    assert {row["seed"] for row in rows} == {-7}
    assert run("check", "--out", out)[0] == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hi_tom", ["--train", "7"]),
        ("hi_tom", ["--max-order", "2"]),
        ("hi_tom", ["--semantics", "published"]),
        ("mindgames", ["--scale", "7"]),
        ("mindgames", ["--agents", "3"]),
    ],
)
def test_other_arguments_replace_the_folder(run, tiny_copy, name, arguments):
    out = tiny_copy(name)
    before = contents(out / name)
    code, printed, _ = run("build", name, "--out", out, *TINY[name], "--probe", "none", *arguments, "--force")
    assert code == 0 and "rows written" in printed
    assert contents(out / name) != before
    assert run("check", "--out", out)[0] == 0


@pytest.mark.parametrize("file", ["4th_order/train.parquet", "README.md"])
def test_a_missing_file_is_built_again(run, stories_copy, file):
    before = contents(stories_copy / "hi_tom")
    (stories_copy / "hi_tom" / file).unlink()
    code, printed, _ = run("build", "hi_tom", "--out", stories_copy, *TINY["hi_tom"])
    assert code == 0 and "up to date" not in printed
    assert contents(stories_copy / "hi_tom") == before


@pytest.mark.parametrize("name", NAMES)
def test_changed_sources_build_again(run, tiny_copy, monkeypatch, name):
    out = tiny_copy(name)
    before = contents(out / name)
    monkeypatch.setattr("tom_datasets.folder.build.sources", lambda: "other sources")
    monkeypatch.setattr("tom_datasets.commands.build.sources", lambda: "other sources")
    code, printed, _ = run("build", name, "--out", out, *TINY[name])
    assert code == 0 and "rows written" in printed
    after = contents(out / name)
    assert json.loads(after["build.json"])["sources"] == "other sources"
    assert {file for file in before if before[file] != after[file]} == {"build.json"}


def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_processes(run, tmp_path):
    made = {}
    for name, processes in (("one", 1), ("two", 2), ("three", 3)):
        arguments = ["--train", "130", "--seed", "5", "--probe", "none", "--processes", processes]
        assert run("build", "hi_tom", "--out", tmp_path / name, *TINY["hi_tom"], *arguments)[0] == 0
        made[name] = contents(tmp_path / name / "hi_tom")
    assert len(made["one"]) == 6 * 3 + 2 + 3 + 1 + 3
    assert made["one"] == made["two"] == made["three"]
    ids = pq.read_table(tmp_path / "two" / "hi_tom" / "0th_order" / "train.parquet")["id"].to_pylist()
    assert ids == [f"train-{index:06d}-0" for index in range(130)]


@pytest.mark.parametrize("seed", [(1 << 63) - 1, -(1 << 63)])
@pytest.mark.parametrize("name", NAMES)
def test_the_furthest_seeds(run, tmp_path, name, seed):
    assert run("build", name, "--out", tmp_path, *TINY[name], "--seed", seed, "--probe", "none")[0] == 0
    assert run("check", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [
            *["--deep-train", "0", "--deep-validation", "0", "--deep", "0", "--ladder", "0"],
            "--agents",
            "2",
            "--max-order",
            "0",
        ],
        ["--max-order", "1", "--probe", "none"],
        ["--agents", "2", "--max-order", "2", "--probe", "none"],
        ["--agents", "7", "--max-order", "6"],
        ["--semantics", "published", "--probe", "none"],
    ],
)
def test_other_builds_of_stories_are_proven_too(run, tmp_path, arguments):
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
    (tmp_path / "a" / "b" / "mindgames").mkdir(parents=True)
    assert run("build", "mindgames", "--out", tmp_path / "a" / "b", *LEAST, "--probe", "none")[0] == 0
    assert run("build", "mindgames", "--out", tmp_path / "c" / "d", *LEAST, "--probe", "none")[0] == 0
    assert contents(tmp_path / "a" / "b") == contents(tmp_path / "c" / "d")


def test_two_processes_give_the_same_bytes(run, tmp_path, problems):
    code, printed, said = run("build", "mindgames", "--processes", "2", *TINY["mindgames"], "--out", tmp_path)
    assert (code, said) == (0, "")
    assert contents(tmp_path) == contents(problems)


def test_parts_of_a_setup_stand_in_order(run, tmp_path):
    """Also where one process makes the first, another the second."""
    assert (
        run("build", "mindgames", *LEAST, "--test", "125", "--probe", "none", "--processes", "3", "--out", tmp_path)[0]
        == 0
    )
    rows = pq.read_table(tmp_path / "mindgames" / "internal" / "test.parquet", columns=["block"]).to_pylist()
    assert [row["block"] for row in rows[::4]] == [f"internal-test-{index:06d}" for index in range(125)]


@pytest.mark.parametrize(
    ("arguments", "agents", "depths"),
    [
        (
            ["--agents", "2,5", "--train", "7", "--max-order", "1", "--checker", "embedded", "--probe", "none"],
            {2, 5},
            {0},
        ),
        (["--max-order", "4", "--train", "12"], {2, 3, 4}, {0, 1, 2, 3}),
    ],
)
def test_other_builds_of_problems_are_proven_too(run, tmp_path, arguments, agents, depths):
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


def test_what_was_changed_is_left_alone(run, problems_copy):
    table = problems_copy / "mindgames" / FILES["mindgames"]
    pq.write_table(pq.read_table(table).slice(4), table)
    before = tree(problems_copy)
    refused(
        run("build", "mindgames", "--out", problems_copy, *TINY["mindgames"]),
        f"{table} was changed after it was built",
        "move it away",
    )
    assert tree(problems_copy) == before


def test_the_folder_loads_in_one_line(problems, tmp_path, monkeypatch):
    monkeypatch.chdir(problems)
    whole = datasets.load_dataset("mindgames", cache_dir=str(tmp_path))
    assert {split: len(rows) for split, rows in whole.items()} == {"train": 96, "validation": 48, "test": 96}
    assert list(dict.fromkeys(whole["test"]["setup"])) == list(SETUPS)
    sizes = {setup: {"train": 24, "validation": 12, "test": 24} for setup in SETUPS}
    for config, splits in {**sizes, "scale": {"test": 16}, "reproduction": {"test": 16}}.items():
        loaded = datasets.load_dataset("mindgames", config, cache_dir=str(tmp_path))
        assert {split: len(rows) for split, rows in loaded.items()} == splits
        assert loaded["test"].features == FEATURES
    hard = datasets.load_dataset("mindgames", "forehead", split="test", streaming=True)
    assert len(list(hard.filter(lambda row: row["needs_announcements"] > 0))) > 0
