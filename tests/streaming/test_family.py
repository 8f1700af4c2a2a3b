"""Families that only this test has: one record is enough to build, check, show and stream stories or problems."""

import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from tom_datasets.dataset import dataset_named
from tom_datasets.logic import config as problems
from tom_datasets.story import config as stories
from tom_datasets.story.chapters import CONTAINERS, ROOMS, THINGS, Target, sample_chapters
from tom_datasets.story.family import DrawnStory, Family

CONFIGS = {
    name: replace(room.ALL, name="brief", train=None, validation=None, test=4, scorer=None)
    for name, room in (("hi_tom", stories), ("mindgames", problems))
}


def plan(config, stream, size):
    """Settle nothing but that each story is one chapter; letters are left to chance."""
    return [(Target(1, False), None)] * size


def draw(config, target, stream):
    """Draw a story, and ask one question of order 1 or 2."""
    order = 1 + stream.below(2)
    story, chain = sample_chapters(stream, target, config.n_agents, order, config.semantics)
    return DrawnStory(story, chain, [order], False, config.n_agents, 1, ROOMS + 1, ROOMS * THINGS, ROOMS * CONTAINERS)


def plan_of_two(config, setup):
    """Plan blocks of two agents alone."""
    return problems.plan_blocks(replace(config, n_agents=(2,)), setup)


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    """Add the families to the tables, and their configs to those that are published and built."""
    monkeypatch.setitem(
        stories.FAMILIES, "brief", Family(plan, draw, ("n_agents", "explanations"), casts=7, single=True)
    )
    monkeypatch.setitem(problems.FAMILIES, "brief", problems.Family(5, ("max_order", "explanations"), plan_of_two))
    for name, config in CONFIGS.items():
        facts = dataset_named(name)
        monkeypatch.setattr(facts, "configs", (*facts.configs, config))
        monkeypatch.setattr(facts, "built", (*facts.built, config))


@pytest.mark.parametrize(
    ("name", "unit", "rows", "field"),
    [
        ("hi_tom", "brief-test-000000", 4, ("n_agents", 4)),
        ("mindgames", "brief-forehead-test-000000", 64, ("max_order", 1)),
    ],
)
def test_a_family_is_built_checked_shown_and_streamed(run, tmp_path, name, unit, rows, field):
    quick, facts = ["--processes", "1", "--probe", "none", "--out", tmp_path], dataset_named(name)
    assert run("build", name, "--only", "brief", *quick) == (0, f"{tmp_path / name}: {rows} rows written, seed 0\n", "")
    table = pq.read_table(tmp_path / name / "brief" / "test.parquet").to_pylist()
    assert (
        table[0][facts.unit_column] == unit and len({row[facts.unit_column] for row in table}) == {4: 4, 64: 16}[rows]
    )
    code, printed, said = run("check", name, *quick)
    assert (code, said) == (0, "") and f"{rows} of {rows} rows agree" in printed
    for source in (["--config", "brief"], ["--id", unit, "--out", tmp_path]):
        code, printed, said = run("show", name, *source)
        assert (code, said) == (0, "") and table[0][facts.text] in printed
    flag = "--" + field[0].replace("_", "-")
    code, printed, _ = run("stream", name, "--config", "brief", flag, field[1], "--count", "3")
    assert code == 0 and len(printed.splitlines()) == 3
    assert {json.loads(line).get("n_agents") for line in printed.splitlines()} == {4 if name == "hi_tom" else 2}
