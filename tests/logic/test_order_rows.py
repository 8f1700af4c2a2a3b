"""Prove what the rows of deep and ladder say: their text, their formal problem, and their columns."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from tom_datasets.logic.config import DEEP, LADDER, ORDERED, ORDERED_SETUPS, RUNGS
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.smcdel.parser import parse
from tom_datasets.proof.problem_worlds import follows
from tom_datasets.proof.read_problems import read_problem
from tom_datasets.syntax.formula import LABELS


@pytest.fixture(scope="module")
def rows():
    """Return the rows of some blocks of deep, and of one block of each rung of ladder."""
    made = []
    for config in (replace(DEEP, train=None, validation=None, test=4), replace(LADDER, test=6)):
        for setup in ORDERED_SETUPS:
            planned = plan_of(config, setup)["test"]
            made += part_rows(config, setup, "test", range(len(planned)), planned)
    return made


def blocks(rows):
    """Return rows by block."""
    found = {}
    for row in rows:
        found.setdefault(row["block"], []).append(row)
    return found


def sentences(row):
    """Return the announcements of a row's premise after the first."""
    return [sentence for sentence in row["premise"].split(". ") if sentence.startswith(("It is ", "In front "))][1:]


def test_a_block_says_the_same_sentences_in_two_orders(rows):
    for name, block in blocks(rows).items():
        assert name.split("-")[0] in ORDERED and len(block) == 4
        orders = {tuple(text.rstrip(".") for text in sentences(row)) for row in block}
        assert len(orders) == 2 and len({tuple(sorted(order)) for order in orders}) == 1
        labels = Counter((row["premise"], row["label"]) for row in block)
        assert set(labels.values()) == {1} and len(labels) == 4


def test_only_plain_knowledge_is_spoken_of(rows):
    for row in rows:
        for text in (row["premise"], row["hypothesis"]):
            assert " can know " not in text and "cannot know" not in text and "can now know" not in text
        assert " now knows " in row["hypothesis"] or " does not know " in row["hypothesis"]
        assert "whether or not" not in row["premise"] + row["hypothesis"]


def test_both_meanings_give_the_label(rows):
    for row in rows:
        structure, (query,) = parse(row["smcdel_problem"])
        problem, _ = read_problem(row["premise"], row["hypothesis"], row["names"])
        assert LABELS[Checker(structure).valid(query.formula)] == LABELS[follows(problem)] == row["label"]
        assert structure == problem.structure()


def test_columns_of_order_blocks(rows):
    for row in rows:
        assert row["order_matters"] is True and isinstance(row["nesting_matters"], bool)
        assert row["n_announcements"] == len(sentences(row))
        assert row["n_worlds"] >= 2 and row["n_worlds_before"] == 2 ** row["n_agents"]
        assert row["hypothesis_depth"] == row["hypothesis"].count(" know") - 1
        shown = row["premise"].count("In front of all, ")
        assert row["smcdel_problem"].count(" iff ") == shown
        fixed = ",0," in row["smcdel_problem"].split(" LAW ")[0] or "VARS 0" in row["smcdel_problem"]
        atoms = row["smcdel_problem"].removeprefix("VARS ").split(" LAW ")[0].split(",")
        assert len(atoms) == row["n_agents"] + shown + fixed
    assert Counter(row["nesting_matters"] for row in rows)[True] > len(rows) / 4
    assert {row["setup"] for row in rows} == set(ORDERED_SETUPS)


def test_nesting_matters_where_the_inner_part_has_another_label(rows):
    for row in rows:
        problem, _ = read_problem(row["premise"], row["hypothesis"], row["names"])
        hypothesis = row["hypothesis"].removesuffix(".")
        _, inner = re.split(" that | whether ", hypothesis, maxsplit=1)
        if row["hypothesis_depth"]:
            shorter, _ = read_problem(row["premise"], f"{inner}.", row["names"])
            assert row["nesting_matters"] is (follows(shorter) != follows(problem))


def test_rungs_take_turns(rows):
    seen = Counter()
    for row in rows:
        if row["block"].startswith("deep-"):
            assert row["rung"] is None
            continue
        n, length, order = RUNGS[row["rung"] - 1]
        least = 4 if (row["setup"], n) == ("internal", 3) else length
        assert (row["n_agents"], row["n_announcements"], row["hypothesis_depth"] + 1) == (n, max(length, least), order)
        assert int(row["block"].rpartition("-")[2]) % 6 == row["rung"] - 1
        seen[row["rung"]] += 1
    assert seen == dict.fromkeys(range(1, 7), 4 * 3)
