"""Prove that blocks balance, that a plan deals them to splits, and that too many are refused."""

import re
from collections import Counter
from dataclasses import replace
from itertools import chain, product
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import LINKS, SYMMETRIC, all_of_two, candidate_of, canonical, is_hypothesis, sees_of

from tom_datasets.logic.blocks import apportion, find_blocks
from tom_datasets.logic.claims import NAMED, THAT, form_of, to_problem
from tom_datasets.logic.config import ALL, FAMILIES, SCALE
from tom_datasets.logic.premises import TooFewError, identity, is_for_reproduction
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.splits import SPLITS
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS


def plan(setup, config=ALL, **fields):
    """Return the plan of a setup, with these fields and no other splits."""
    return FAMILIES[config.family].plan(replace(config, **(dict.fromkeys(SPLITS) | fields)), setup)


def check_block(block, setup, n, orders):
    """Assert that a block is balanced (docs/reference/mindgames.md). Return its premises and problems up to names."""
    p, q, h, g = block
    for premise in (p, q):
        assert premise.setup == setup
        assert len(premise.sees) == n
        assert (
            premise.sees == sees_of(setup, n) if setup in SYMMETRIC else all(list(s) == sorted(s) for s in premise.sees)
        )
        assert len(premise.announcements) <= n
        assert all(len(levels) <= 1 for levels, _ in premise.announcements)
    assert p.sees == q.sees
    labels = [follows(to_problem(premise, claim)) for premise in (p, q) for claim in (h, g)]
    assert labels == [True, False, False, True]
    assert h != g
    assert form_of(h) == form_of(g)
    assert is_hypothesis(h, n, orders)
    assert is_hypothesis(g, n, orders)
    assert canonical(p) != canonical(q)
    assert not any(is_for_reproduction(candidate_of(premise), claim) for premise in (p, q) for claim in (h, g))
    return [canonical(p), canonical(q)], [canonical(premise, claim) for premise in (p, q) for claim in (h, g)]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("setup", SETUPS)
def test_blocks_balance(setup, n):
    blocks = find_blocks(stream("blocks", setup, n), setup, n, 24, 2)
    assert Counter(len(block.h[0]) for block in blocks) == {1: 12, 2: 12}
    checked = [check_block(block, setup, n, (1, 2)) for block in blocks]
    used = list(chain.from_iterable(used for used, _ in checked))
    problems = list(chain.from_iterable(problems for _, problems in checked))
    assert len(set(used)) == 48
    assert len(set(problems)) == 96
    # Where everybody sees everything, everybody always knows whether.
    links = (THAT,) if setup == "forehead_mirror" else LINKS
    assert {level[1:] for block in blocks for level in block.h[0]} == set(product(links, (False, True)))
    assert {NAMED, NAMED + 1} <= {form_of(block.h)[1] for block in blocks}
    assert len({len(block.p.announcements) for block in blocks}) > 1
    assert len({block.p.sees for block in blocks}) > 3 or setup in SYMMETRIC


@pytest.mark.parametrize(("setup", "n", "order"), [("internal", 3, 4), ("explicit", 4, 3), ("forehead", 6, 3)])
def test_deep_blocks_balance(setup, n, order):
    blocks = find_blocks(stream("deep blocks"), setup, n, 2 * order, order)
    assert Counter(len(block.h[0]) for block in blocks) == dict.fromkeys(range(1, order + 1), 2)
    for block in blocks:
        check_block(block, setup, n, range(1, order + 1))


SIZES = {"train": 12, "validation": 6, "test": 6}


@pytest.mark.parametrize("setup", SETUPS)
def test_a_plan_deals_blocks_to_splits(setup):
    planned = plan(setup, seed=1, **SIZES)
    assert planned.keys() == SIZES.keys()
    used = []
    for split, blocks in planned.items():
        agents = [len(block.p.sees) for block in blocks]
        assert Counter(agents) == {2: SIZES[split] // 6, 3: SIZES[split] // 3, 4: SIZES[split] // 2}
        for block in blocks:
            used += check_block(block, setup, len(block.p.sees), (1, 2))[0]
    assert len(set(used)) == 48
    assert [len(block.p.sees) for block in planned["train"]] != sorted(len(block.p.sees) for block in planned["train"])
    assert plan(setup, seed=1, **SIZES) == planned
    other = plan(setup, seed=2, **SIZES)
    assert not set(other["train"]) & set(planned["train"])


def test_blocks_found_first_and_last_are_dealt_alike():
    """The last ones are made of what the others left, so no split may have them alone."""
    planned = plan("internal", n_agents=(3,), train=20, test=20)
    blocks = find_blocks(stream("mindgames", "blocks", 0, "internal", 3, "plan"), "internal", 3, 40, 2)
    assert {*blocks} == {*planned["train"], *planned["test"]}
    assert 4 < len({*blocks[:20]} & {*planned["train"]}) < 16


def test_every_split_has_hypotheses_of_every_order_in_no_order():
    planned = plan("internal", n_agents=(3,), train=40, test=40)
    for blocks in planned.values():
        assert min(Counter(len(block.h[0]) for block in blocks)[order] for order in (1, 2)) > 10
        assert len({len(block.h[0]) for block in blocks[::2]}) == 2


def test_shares_are_in_proportion_to_one_agent_fewer():
    assert apportion(700, (2, 3, 4)) == {2: 117, 3: 233, 4: 350}
    assert apportion(234, (2, 3, 4)) == {2: 39, 3: 78, 4: 117}
    assert apportion(120, (5, 6, 7, 8, 9, 10)) == {5: 12, 6: 15, 7: 18, 8: 22, 9: 25, 10: 28}
    assert apportion(1, (2, 3)) == {2: 0, 3: 1}
    assert apportion(7, (9,)) == {9: 7}


@given(st.integers(1, 10**6), st.sets(st.integers(2, 12), min_size=1).map(lambda agents: tuple(sorted(agents))))
def test_shares_add_up(size, agents):
    counts = apportion(size, agents)
    assert tuple(counts) == agents
    assert sum(counts.values()) == size
    whole = sum(n - 1 for n in agents)
    assert all(abs(count * whole - size * (n - 1)) < whole for n, count in counts.items())


@pytest.mark.parametrize(
    ("setup", "at_least", "too_many"),
    [
        ("forehead_mirror", 280, 2000),
        pytest.param("forehead", 480, 700, marks=pytest.mark.slow),  # test_options.py asks for too many too
        pytest.param("internal", 480, 700, marks=pytest.mark.slow),
    ],
)
def test_too_many_blocks_of_two_agents_are_refused(setup, at_least, too_many):
    begun = monotonic()
    with pytest.raises(TooFewError) as refused:
        find_blocks(stream("too few"), setup, 2, too_many, 2)
    assert monotonic() - begun < 20
    message = re.fullmatch(
        rf"{setup} with 2 agents: {too_many:,} blocks of four were asked for, and (\d+) found among all "
        r"([\d,]+) distinct premises; ask for fewer blocks, or for more agents",
        str(refused.value),
    )
    n_found, distinct = int(message[1]), int(message[2].replace(",", ""))
    assert at_least <= n_found <= distinct // 2
    if setup == "forehead_mirror":
        assert distinct == len(all_of_two(setup))
    blocks = find_blocks(stream("enough"), setup, 2, at_least, 2)
    assert len(blocks) == at_least
    assert len({canonical(premise) for block in blocks for premise in block[:2]}) == 2 * at_least


def test_it_is_said_how_many_blocks_of_more_agents_were_found_where_premises_do_not_suffice(monkeypatch):
    monkeypatch.setattr("tom_datasets.logic.blocks.DRAWS", 1)
    few = (
        r"^explicit with 3 agents: 40 blocks of four were asked for, and \d+ found among the drawn \d\d distinct "
        "premises; ask for fewer blocks, or for more agents$"
    )
    with pytest.raises(TooFewError, match=few):
        find_blocks(stream("too few"), "explicit", 3, 40, 2)
    with pytest.raises(TooFewError, match=r"^internal with 5 agents: "):
        plan("internal", n_agents=(2, 5), test=1000)


def test_plans_of_scale_and_of_the_rest_share_no_premise():
    used = []
    for config in (ALL, SCALE):
        planned = plan("forehead", config, n_agents=(5,), test=40)
        used.append({identity(premise, {}) for block in planned["test"] for premise in block[:2]})
    assert [len(keys) for keys in used] == [80, 80]
    assert not used[0] & used[1]
