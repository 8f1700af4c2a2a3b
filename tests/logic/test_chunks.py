"""Prove that order blocks are planned split by split, with no premise in two splits or twice in one."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from tom_datasets.errors import UserError
from tom_datasets.logic import chunks, config, pilot
from tom_datasets.logic.chunks import CHUNK, HALF, LADDER_SHARES, SHARES_OF, cells_of, ordered_blocks, rung_of
from tom_datasets.logic.premises import identity
from tom_datasets.logic.rows import plan_of, plan_part, plan_parts
from tom_datasets.logic.setups import ORDERED_SETUPS, SETUP_OF
from tom_datasets.logic.shortcut_filter import ShortcutFilter
from tom_datasets.logic.utterances import SHARES, Cell, share_of
from tom_datasets.streams import stream

# No other test has this seed: blocks of small pools are not kept for it.
DEEP, LADDER = (replace(family, seed=4711) for family in (config.DEEP, config.LADDER))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Let pools be small."""
    for setup in ORDERED_SETUPS:
        monkeypatch.setitem(SETUP_OF, setup, SETUP_OF[setup]._replace(pool=1))


def first_blocks(config, setup, split, count):
    """Return the first blocks of a split."""
    return list(islice(ordered_blocks(config, setup, split), count))


def test_a_block_depends_on_no_size():
    """Nor on the sizes of other splits."""
    many = HALF + 2
    small, large = (replace(DEEP, train=train, validation=None, test=test) for train, test in ((None, 5), (2, many)))
    assert plan_of(small, "forehead")["test"] == plan_of(large, "forehead")["test"][:5]
    assert plan_of(large, "forehead")["test"] == first_blocks(small, "forehead", "test", many)


def test_the_parts_of_a_plan_are_its_splits():
    config = replace(DEEP, train=CHUNK + 1, validation=None, test=2)
    parts = plan_parts(config)
    assert parts == ["train", "test"]
    blocks = plan_part(config, "explicit", "train") | plan_part(config, "explicit", "test")
    assert {split: len(found) for split, found in blocks.items()} == {"train": CHUNK + 1, "test": 2}
    assert blocks == plan_of(config, "explicit")


def test_a_part_of_a_plan_is_drawn_once_a_process(monkeypatch):
    few = replace(DEEP, train=None, validation=None, test=3)
    drawn = plan_part(few, "internal", "test")
    monkeypatch.setattr(chunks, "choose_blocks", None)
    assert plan_part(few, "internal", "test") == drawn


def test_no_share_has_two_owners():
    published = [shares for split, shares in SHARES_OF.items() if split != "probe"]
    assert sorted(share for shares in (*published, LADDER_SHARES) for share in shares) == list(range(SHARES))
    assert not {*SHARES_OF["probe"]} & {*SHARES_OF["test"], *SHARES_OF["validation"]}


@pytest.mark.parametrize("split", SHARES_OF)
def test_premises_have_the_shares_of_their_split(split):
    blocks = first_blocks(DEEP, "internal", split, 6)
    assert {share_of(block.p.announcements) for block in blocks} <= set(SHARES_OF[split])


def test_premises_have_the_shares_of_the_ladder():
    rungs = first_blocks(LADDER, "forehead", "test", 3)
    assert {share_of(block.q.announcements) for block in rungs} <= set(LADDER_SHARES)


def test_no_premise_comes_again_in_a_split():
    """Of three agents in internal there are few premises; the pools of later halves leave out those of earlier ones."""
    few = replace(DEEP, n_agents=(3,), max_order=1)
    found = first_blocks(few, "internal", "test", 3 * HALF)
    assert len({identity(premise, {}) for block in found for premise in block[:2]}) == 2 * 3 * HALF


def test_a_chunk_has_each_number_of_agents_and_each_order_in_its_share():
    cells = cells_of(DEEP, "explicit", 7, stream("cells"))
    assert Counter(cell.n for cell in cells) == {3: 8, 4: 12, 5: 16}
    orders_of = Counter((cell.n, cell.order) for cell in cells)
    assert all(orders_of[4, order] == 4 for order in (1, 2, 3)) and max(orders_of.values()) == 6
    assert {cell.lengths for cell in cells} == {(3, 4)}
    assert {cell.lengths for cell in cells_of(DEEP, "internal", 7, stream("cells")) if cell.n == 3} == {(4,)}


def test_rungs_take_turns():
    rungs = replace(LADDER, rungs=((3, 3, 1), (4, 5, 2), (4, 6, 2), (5, 6, 2), (6, 8, 4)))
    for number in (0, 1):
        cells = cells_of(rungs, "forehead", number, stream("cells"))
        first = number * CHUNK
        assert cells[0] == Cell(*[(n, (length,), order) for n, length, order in rungs.rungs][first % 5])
        assert len(cells) == CHUNK
        assert [rung_of(rungs, first + place) for place in (0, 1)] == [first % 5 + 1, first % 5 + 2]
    assert rung_of(DEEP, 3) is None
    assert cells_of(LADDER, "internal", 0, stream("cells"))[0] == Cell(3, (4,), 1)


@pytest.mark.parametrize("setup", ORDERED_SETUPS)
def test_a_block_of_the_highest_rung(setup):
    """Six agents, eight announcements and hypotheses of order 4."""
    blocks = first_blocks(LADDER, setup, "test", 6)
    p, q, h, g = blocks[5]
    assert len(p.sees) == 6 and len(p.announcements) == len(q.announcements) == 8 and len(h[0]) == len(g[0]) == 4
    assert chunks.possible_lengths(setup, 6, [8]) == (8,)


# The pilot.


@pytest.mark.slow
def test_the_pilot_that_comes_with_the_project_is_the_one_drawn(tmp_path, monkeypatch):
    monkeypatch.undo()
    drawn = chunks.drawn_pilots()
    for number in range(2):
        pilot.write(drawn, tmp_path / str(number))
    assert pilot.FILE.read_bytes() == (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    assert pilot.FILE.stat().st_size < 100_000


def test_a_pilot_that_is_read_has_learnt_what_came_often(tmp_path):
    shortcut_filter = ShortcutFilter()
    for block in first_blocks(DEEP, "explicit", "test", 9):
        shortcut_filter.learn(shortcut_filter.judged(block, {}))
    pilot.write({"explicit": shortcut_filter}, tmp_path / "pilot.zip")
    again = pilot.read("explicit", tmp_path / "pilot.zip")
    often = {feature: tally for feature, tally in shortcut_filter.tallies.items() if sum(tally[:2]) > pilot.OFTEN}
    assert again.tallies == often and 0 < len(often) < len(shortcut_filter.tallies)


@pytest.mark.parametrize("content", [None, b"", b"no zip", "cut"])
def test_a_pilot_that_cannot_be_read_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "pilot.zip"
    if content is not None:
        path.write_bytes(pilot.FILE.read_bytes()[:1000] if content == "cut" else content)
    with pytest.raises(UserError) as error:
        pilot.read("forehead", path)
    assert str(error.value) == f"{path} is missing or damaged; install the project again (maintainers: make seal)"


def test_a_setup_without_a_pilot_is_told_to_seal():
    with pytest.raises(UserError) as error:
        pilot.read("hunger")
    assert str(error.value) == f"{pilot.FILE} has no pilot of hunger, from which its order blocks start; run make seal"
