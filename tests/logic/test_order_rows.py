"""Prove what the rows of deep and ladder say: their text, their formal problem, and their columns."""

from collections import Counter
from dataclasses import asdict, replace

import pytest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.logic.config import DEEP, LADDER, RUNGS
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.logic.setups import ORDERED_SETUPS
from tom_datasets.proof.problems import prove_mindgames
from tom_datasets.proof.rows import Proven

CONFIGS = [
    replace(config, train=None, validation=None, test=size, explanations=(), scorer=None)
    for config, size in ((DEEP, 4), (LADDER, 6))
]


@pytest.fixture(scope="module")
def rows():
    """Return by config the rows of some blocks of deep, and of one block of each rung of ladder."""
    made = {config.name: [] for config in CONFIGS}
    for config in CONFIGS:
        for setup in ORDERED_SETUPS:
            planned = plan_of(config, setup)["test"]
            made[config.name] += part_rows(config, setup, "test", range(len(planned)), planned)
    return made


def test_every_row_and_block_is_proven_from_its_text(rows):
    """So both premises of a block announce the same in two orders, and both meanings give each label and column."""
    for config in CONFIGS:
        fields = asdict(config) | {"version": GENERATOR_VERSION}
        proven = list(prove_mindgames(rows[config.name], fields, f"{config.name}/test.parquet"))
        assert len(proven) == len(rows[config.name]) and not [fault for fault in proven if type(fault) is not Proven]


def test_only_plain_knowledge_is_spoken_of(rows):
    for row in rows["deep"] + rows["ladder"]:
        text = row["premise"] + row["hypothesis"]
        assert not [words for words in (" can know ", "cannot know", "can now know", "whether or not") if words in text]
        assert " now knows " in row["hypothesis"] or " does not know " in row["hypothesis"]


def test_nesting_often_matters(rows):
    nesting = Counter(row["nesting_matters"] for row in rows["deep"] + rows["ladder"])
    assert nesting[True] > nesting.total() / 4


def test_rungs_take_turns(rows):
    assert {row["rung"] for row in rows["deep"]} == {None}
    for row in rows["ladder"]:
        n, length, order = RUNGS[row["rung"] - 1]
        least = 4 if (row["setup"], n) == ("internal", 3) else length
        assert (row["n_agents"], row["n_announcements"], row["hypothesis_depth"] + 1) == (n, max(length, least), order)
        assert int(row["block"].rpartition("-")[2]) % 6 == row["rung"] - 1
    assert Counter(row["rung"] for row in rows["ladder"]) == dict.fromkeys(range(1, 7), 4 * 3)
