"""Put blocks of four problems together by hand, and read how `check` names what is wrong with a block."""

import json
from dataclasses import replace
from itertools import combinations, product

import pyarrow.parquet as pq
import pytest
from commands.samples import FILES, all_text
from support import refused, spoil

from tom_datasets.difficulty.probe import EMBEDDED, with_scores
from tom_datasets.logic.blocks import Block
from tom_datasets.logic.claims import NAMED, Claim, Premise, about, all_forms, instances
from tom_datasets.logic.config import ALL, MOST_BLOCKS
from tom_datasets.logic.rows import block_name, block_rows, plan_of, row_number
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.states import state_after
from tom_datasets.syntax.formula import LABELS, SETUPS

CONFIG = replace(ALL, train=6, validation=3, test=6, checker="embedded")


SETUP = "forehead"


BLOCKS_FILE = f"{SETUP}/test.parquet"


def planned():
    """Return the blocks of the test split of a setup."""
    return plan_of(CONFIG, SETUP)["test"]


def truthful(block, index=0, split="test", names_of=None):
    """Return rows of a hand-made block, each right in itself."""
    rows = []
    for row, (structure, formula) in block_rows(CONFIG, SETUP, split, index if names_of is None else names_of, block):
        label = LABELS[Checker(structure).valid(formula)]
        row["nesting_matters"] ^= row["label"] != label  # the row was made for labels that cross
        row["label"] = label
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
    if file == BLOCKS_FILE:  # config all has the rows again; setups take turns there
        again = 4 * (4 * place + SETUPS.index(SETUP))
        spoil(out / "mindgames", lambda there: there.__setitem__(slice(again, again + 4), rows), "all/test.parquet")
    return run("check", "--out", out)


def test_a_hand_made_block_that_is_right_is_proven(run, problems_copy):
    """So what is found below is the one thing that is wrong."""
    p, q, h, g = planned()[0]
    for by_p, by_q in alone(p, q):
        for one, other in product(by_p, by_q):
            if not {one, other} & {h, g}:
                code, printed, said = found(run, problems_copy, truthful(Block(p, q, one, other)))
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
    refused(failed, f"{FILES['mindgames']}, row {rows[3]['index']}: {words}")


@pytest.mark.parametrize("renamed", [False, True])
def test_a_block_that_stands_twice_is_found(run, problems_copy, renamed):
    """In the place of another, with its index and its names; and with its agents the other way round, too."""
    block = planned()[0]
    if renamed:
        n = len(block.p.sees)
        block = Block(*(permuted(each, [*range(1, n), 0]) for each in block))
    failed = found(run, problems_copy, truthful(block, index=2), place=2)
    refused(failed, f"{BLOCKS_FILE}, row ", ": its problem occurs twice")


def test_a_block_in_two_splits_is_found(run, problems_copy):
    failed = found(run, problems_copy, truthful(planned()[0], split="train", index=2), 2, f"{SETUP}/train.parquet")
    refused(failed, ".parquet, row ", ": its problem occurs twice")


@pytest.mark.parametrize("split", ["test", "train"])
def test_a_premise_in_two_blocks_is_found(run, problems_copy, split):
    """With other hypotheses, other names, and its agents the other way round."""
    for block in planned():
        n = len(block.p.sees)
        for by_p, by_q in alone(block.p, block.q):
            for h, g in product(by_p, by_q):
                if {h, g} & {block.h, block.g}:
                    continue
                other = Block(*(permuted(each, [*range(1, n), 0]) for each in (block.p, block.q, h, g)))
                failed = found(run, problems_copy, truthful(other, 2, split), 2, f"{SETUP}/{split}.parquet")
                if "its problem occurs twice" not in failed[2]:
                    refused(failed, f"{SETUP}/", ", row ", f": its premise is in {SETUP}-", " too")
                    return
    raise AssertionError("no other block of these premises")


def test_premises_that_are_renamings_are_found(run, problems_copy):
    for block in planned():
        p, h = block.p, block.h
        for one, other in combinations(range(len(p.sees)), 2):
            order = list(range(len(p.sees)))
            order[one], order[other] = other, one
            q, g = permuted(p, order), permuted(h, order)
            if not holds(p, g):
                failed = found(run, problems_copy, truthful(Block(p, q, h, g)))
                refused(failed, "row ", ": the premises of its block are renamings of one another")
                return
    raise AssertionError("no premise that can be renamed so")


def test_hypotheses_of_two_forms_are_found(run, problems_copy):
    p, q, h, _ = planned()[0]
    g = next(by_q[0] for by_p, by_q in alone(p, q) if by_q and h not in by_p)
    failed = found(run, problems_copy, truthful(Block(p, q, h, g)))
    refused(failed, "row ", ": the hypotheses of its block have two forms")


def test_labels_that_do_not_cross_are_found(run, problems_copy):
    p, q, h, g = next((b.p, b.q, *by_p[:2]) for b in planned() for by_p, _ in alone(b.p, b.q) if len(by_p) > 1)
    failed = found(run, problems_copy, truthful(Block(p, q, h, g)))
    refused(failed, "row ", ": the labels of its block are not one entailment for each premise and each hypothesis")


def test_names_that_differ_within_a_block_are_found(spoiled):
    def renamed(rows):
        row = rows[2]
        all_text(row["names"][0], "Zebedee")(row)
        row["names"][0] = "Zebedee"

    failed, rows = spoiled(renamed)
    refused(failed, f"row {rows[3]['index']}: the names in its block differ")


def test_a_problem_in_two_configs_is_found(run, problems_copy):
    """One of reproduction is one of a block."""
    row = pq.read_table(problems_copy / "mindgames" / BLOCKS_FILE).to_pylist()[0]
    rows = pq.read_table(problems_copy / "mindgames" / "reproduction" / "test.parquet").to_pylist()
    place = next(place for place, other in enumerate(rows) if other["setup"] == SETUP)
    moved = {**row, "index": rows[place]["index"], "block": None}
    record = json.loads((problems_copy / "mindgames" / "build.json").read_text())
    record["request"]["reproduction"]["n_agents"] = [2, 3, 4]
    (problems_copy / "mindgames" / "build.json").write_text(json.dumps(record))
    change = lambda rows: rows.__setitem__(place, moved)  # noqa: E731
    spoil(problems_copy / "mindgames", change, "reproduction/test.parquet")
    refused(
        run("check", "--out", problems_copy),
        f"reproduction/test.parquet, row {moved['index']}: its problem occurs twice",
    )
