"""Prove that order blocks are planned in chunks of their own, with no premise in two splits or twice in one."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from tom_datasets.errors import UserError
from tom_datasets.logic import chunks, orders, pilot
from tom_datasets.logic.chunks import CHUNK, LADDER_SHARES, SHARES_OF, cells_of, chunk_blocks, distinct_blocks, rung_of
from tom_datasets.logic.config import DEEP, LADDER, ORDERED_SETUPS
from tom_datasets.logic.orders import identities
from tom_datasets.logic.rows import joined_plan, plan_of, plan_part, plan_parts
from tom_datasets.logic.utterances import SHARES, Cell, share_of
from tom_datasets.streams import stream


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Let the first candidate of each block be kept."""
    monkeypatch.setattr(orders, "CANDIDATES", 1)


def first_blocks(config, setup, split, number, count):
    """Return the first blocks of a chunk."""
    return list(islice(chunk_blocks(config, setup, split, number), count))


def test_a_block_depends_on_no_size():
    """Nor on the sizes of other splits."""
    small, large = (replace(DEEP, train=train, validation=None, test=test) for train, test in ((None, 5), (2, 40)))
    assert plan_of(small, "forehead")["test"] == plan_of(large, "forehead")["test"][:5]
    assert first_blocks(small, "forehead", "test", 0, 3) == first_blocks(large, "forehead", "test", 0, 36)[:3]


def test_the_parts_of_a_plan_are_its_chunks():
    config = replace(DEEP, train=CHUNK + 1, validation=None, test=2)
    parts = plan_parts(config)
    assert parts == [("train", 0, CHUNK), ("train", 1, 1), ("test", 0, 2)]
    made = [plan_part(config, "explicit", part) for part in parts]
    blocks = joined_plan(config, "explicit", made)
    assert {split: len(found) for split, found in blocks.items()} == {"train": CHUNK + 1, "test": 2}
    assert blocks == plan_of(config, "explicit")


def test_no_share_has_two_owners():
    published = [shares for split, shares in SHARES_OF.items() if split != "probe"]
    assert sorted(share for shares in (*published, LADDER_SHARES) for share in shares) == list(range(SHARES))
    assert not {*SHARES_OF["probe"]} & {*SHARES_OF["test"], *SHARES_OF["validation"]}


@pytest.mark.parametrize("split", SHARES_OF)
def test_premises_have_the_shares_of_their_split(split):
    blocks = first_blocks(DEEP, "internal", split, 3, 6)
    assert {share_of(block.p.announcements) for block in blocks} <= set(SHARES_OF[split])
    rungs = first_blocks(LADDER, "forehead", "test", 0, 3)
    assert {share_of(block.q.announcements) for block in rungs} <= set(LADDER_SHARES)


def test_a_premise_that_came_before_is_drawn_again():
    blocks = first_blocks(DEEP, "forehead", "test", 0, 4)
    found = distinct_blocks(DEEP, "forehead", "test", [*blocks, blocks[1], blocks[0]])
    assert found[:4] == blocks and len({key for block in found for key in identities(block)}) == 12
    assert found == distinct_blocks(DEEP, "forehead", "test", [*blocks, blocks[1], blocks[0]])
    assert found[4:] != blocks[:2]
    assert [(len(b.p.sees), len(b.h[0])) for b in found[4:]] == [
        (cell.n, cell.order) for cell in cells_of(DEEP, "forehead", 0, first_stream())[4:6]
    ]


def first_stream():
    """Return the stream of the first chunk of the test split of forehead."""
    return stream("mindgames", "deep", 0, "forehead", "test", "chunk", 0)


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
        assert [rung_of("ladder", rungs.rungs, first + place) for place in (0, 1)] == [first % 5 + 1, first % 5 + 2]
    assert rung_of("deep", rungs.rungs, 3) is None
    assert cells_of(LADDER, "internal", 0, stream("cells"))[0] == Cell(3, (4,), 1)


@pytest.mark.parametrize("setup", ORDERED_SETUPS)
def test_a_block_of_the_highest_rung(setup):
    """Six agents, eight announcements and hypotheses of order 4."""
    blocks = first_blocks(LADDER, setup, "test", 0, 6)
    p, q, h, g = blocks[5]
    assert len(p.sees) == 6 and len(p.announcements) == len(q.announcements) == 8 and len(h[0]) == len(g[0]) == 4
    assert chunks.possible_lengths(setup, 6, [8]) == (8,)


# The pilot.


@pytest.mark.slow
def test_the_pilot_that_comes_with_the_project_is_the_one_drawn(tmp_path):
    drawn = chunks.default_pilots()
    assert list(drawn) == list(ORDERED_SETUPS)
    for setup, adversary in drawn.items():
        assert pilot.read(setup).counts == chunks.pilot(DEEP, setup).counts == adversary.counts
    for number in range(2):
        pilot.write(drawn, tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    assert pilot.FILE.stat().st_size < 200_000


def test_other_fields_have_a_pilot_of_their_own():
    few = replace(DEEP, n_agents=(3,), max_order=1, kinds=("facts", "first"))
    assert chunks.pilot(few, "forehead").counts.keys() - pilot.read("forehead").counts.keys()
    assert chunks.pilot(LADDER, "forehead").counts == {}


@pytest.mark.parametrize("content", [None, b"", b"no zip", "cut"])
def test_a_pilot_that_cannot_be_read_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "pilot.zip"
    if content is not None:
        path.write_bytes(pilot.FILE.read_bytes()[:1000] if content == "cut" else content)
    with pytest.raises(UserError) as error:
        pilot.read("forehead", path)
    assert str(error.value) == f"{path} is missing or damaged; install the project again (maintainers: make seal)"
