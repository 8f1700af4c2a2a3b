"""Run `build` as a user does, and prove that the same arguments give the same bytes."""

import pyarrow.parquet as pq
import pytest
from commands.samples import FEW, FILES, LEAST, NO_ORDERS, PLAIN, PLAIN_ROWS
from support import TINY, TINY_ROWS, contents, listed, tree

from tom_datasets.dataset import NAMES, dataset_named


@pytest.mark.parametrize("name", NAMES)
def test_a_build_says_what_it_made_and_a_second_one_touches_nothing(run, tmp_path, tiny_build, name):
    made = run("build", name, "--out", tmp_path, *TINY[name])
    assert made == (0, f"{tmp_path / name}: {TINY_ROWS[name]:,} rows written, seed 0\n", "")
    assert listed(tmp_path) == [f".{name}.scores", name]
    assert contents(tmp_path / name) == contents(tiny_build(name) / name)
    before = tree(tmp_path)
    again = run("build", name, "--out", tmp_path, *TINY[name])
    assert again == (0, f"{tmp_path / name} is up to date: same arguments, same sources, every file unchanged\n", "")
    assert tree(tmp_path) == before


def test_a_build_without_a_dataset_builds_all_by_their_defaults(run, two, tiny_build, tmp_path):
    """In two processes, with the bytes of one."""
    code, printed, said = run("build", "--out", tmp_path, "--processes", "2")
    assert (code, said) == (0, "")
    assert printed == "".join(f"{tmp_path / name}: {TINY_ROWS[name]:,} rows written, seed 0\n" for name in NAMES)
    for name in NAMES:
        assert contents(tmp_path / name) == contents(tiny_build(name) / name)
    assert run("build", "--out", tmp_path)[1].count("is up to date") == 2
    assert "hi_tom is up to date" in run("build", "hi_tom", "--out", tmp_path, "--language", "en")[1]


@pytest.mark.parametrize(
    "whole",
    [False, pytest.param(True, marks=pytest.mark.slow)],  # the whole build searches all over again
)
@pytest.mark.parametrize(
    ("name", "seed"),
    [("hi_tom", (1 << 63) - 1), pytest.param("mindgames", -(1 << 63), marks=pytest.mark.slow)],  # searches blocks
)
def test_another_seed_replaces_the_folder(run, tiny_copy, plain_copy, name, seed, whole):
    """The furthest seeds."""
    out = (tiny_copy if whole else plain_copy)(name)
    words, rows = (TINY[name], TINY_ROWS[name]) if whole else (PLAIN[name], PLAIN_ROWS[name])
    before = contents(out / name)
    made = run("build", name, "--out", out, "--seed", seed, *words, "--force")
    assert made == (0, f"{out / name}: {rows:,} rows written, seed {seed}\n", "")
    after = contents(out / name)
    beside = [f".{name}.scores"] * whole + [f".{name}.witness.parquet"] * (whole or name == "mindgames")
    assert listed(out) == [*beside, name]
    assert before.keys() == after.keys()
    assert [file for file in before if before[file] == after[file]] == ["eval.yaml"], "the tasks have no rows"
    assert {row["seed"] for row in pq.read_table(out / name / FILES[name]).to_pylist()} == {seed}
    assert run("check", "--out", out)[0] == 0


def test_a_missing_file_is_built_again(run, stories_copy):
    before = contents(stories_copy / "hi_tom")
    (stories_copy / "hi_tom" / "4th_order" / "train.parquet").unlink()
    code, printed, _ = run("build", "hi_tom", "--out", stories_copy, *TINY["hi_tom"])
    assert code == 0 and "up to date" not in printed
    assert contents(stories_copy / "hi_tom") == before


def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_processes(run, tmp_path, monkeypatch):
    """Also where the rows of a file are made in parts."""
    for name, train, fewer in (("hi_tom", 32, ("--max-order", 1)), ("mindgames", 31, ())):
        monkeypatch.setattr(type(dataset_named(name)), "span", 30)
        made = []
        for processes in (1, 3):
            out = tmp_path / str(processes)
            arguments = ["--only", "all", *fewer, "--train", train, "--probe", "none", "--processes", processes]
            assert run("build", name, *TINY[name], *arguments, "--out", out)[0] == 0
            made.append(contents(out / name))
        assert made[0] == made[1]
    ids = pq.read_table(tmp_path / "3" / "hi_tom" / "0th_order" / "train.parquet")["id"].to_pylist()
    assert ids == [f"train-{index:06d}-0" for index in range(32)]
    blocks = pq.read_table(tmp_path / "3" / "mindgames" / "internal" / "train.parquet")["block"].to_pylist()
    assert blocks[::4] == [f"internal-train-{index:06d}" for index in range(31)]


@pytest.mark.parametrize(
    "arguments",
    [
        (*NO_ORDERS, "--n-agents", 2, "--max-order", 0),
        ("--n-agents", 2, "--max-order", 2, "--probe", "none"),
        (*NO_ORDERS, "--n-agents", 7, "--max-order", 6),
        (*NO_ORDERS, "--semantics", "published", "--probe", "none"),
    ],
)
def test_other_builds_of_stories_are_proven_too(run, tmp_path, arguments):
    code, _, said = run("build", "hi_tom", "--out", tmp_path, *FEW, *arguments)
    assert (code, said) == (0, "")
    assert run("check", "--out", tmp_path)[0] == run("audit", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "agents", "depths"),
    [
        (("--n-agents", "2,5", "--max-order", 1, "--checker", "embedded", "--probe", "none"), {2, 5}, {0}),
        (("--max-order", 4, "--train", 12), {2, 3, 4}, {0, 1, 2, 3}),
    ],
)
def test_other_builds_of_problems_are_proven_too(run, tmp_path, arguments, agents, depths):
    code, _, said = run("build", "mindgames", "--out", tmp_path, *LEAST, "--train", "7", *arguments)
    assert (code, said) == (0, "")
    files = (tmp_path / "mindgames").glob("*/train.parquet")
    rows = [row for file in files for row in pq.read_table(file, columns=["n_agents", "hypothesis_depth"]).to_pylist()]
    assert {row["n_agents"] for row in rows} == agents
    assert {row["hypothesis_depth"] for row in rows} == depths
    assert run("check", "--out", tmp_path)[0] == run("audit", "--out", tmp_path)[0] == 0


def test_missing_parents_are_made_and_an_empty_folder_is_filled(run, tmp_path):
    (tmp_path / "a" / "b" / "mindgames").mkdir(parents=True)
    for place in (tmp_path / "a" / "b", tmp_path / "c" / "d"):
        assert run("build", "mindgames", "--out", place, *LEAST, "--probe", "none")[0] == 0
    assert contents(tmp_path / "a" / "b") == contents(tmp_path / "c" / "d")
